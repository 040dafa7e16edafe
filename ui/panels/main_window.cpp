#include "ui/panels/main_window.h"

#include "ui/models/autosave.h"
#include "ui/models/mechanism_library.h"
#include "ui/models/model_edit.h"
#include "ui/panels/banner.h"
#include "ui/panels/beam_panel.h"
#include "ui/panels/cost_dialog.h"
#include "ui/panels/describe.h"
#include "ui/panels/file_actions.h"
#include "ui/panels/help_menu.h"
#include "ui/panels/inspector_panel.h"
#include "ui/panels/mechanism_panel.h"
#include "ui/panels/model_panel.h"
#include "ui/panels/panel_area.h"
#include "ui/panels/parameters_panel.h"
#include "ui/panels/picture_splitter.h"
#include "ui/panels/player_bar.h"
#include "ui/panels/run_status.h"
#include "ui/panels/scale_hint.h"
#include "ui/panels/sequence_panel.h"
#include "ui/panels/theme.h"
#include "ui/panels/train_action.h"
#include "ui/panels/undo_keys.h"
#include "ui/panels/view_actions.h"
#include "ui/panels/view_tabs.h"
#include "ui/panels/window_columns.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QScreen>
#include <QStandardPaths>
#include <QStatusBar>
#include <QStyle>
#include <QTimer>
#include <QToolBar>
#include <QVBoxLayout>

namespace headlight {
namespace {

const QString geometry_key = QStringLiteral("window/geometry");
const QString state_key = QStringLiteral("window/state");
constexpr int state_version = 2;
const QString mechanism_dock = QStringLiteral("mechanism_dock"), model_dock = QStringLiteral("model_dock");

/// Everything in sight, with room for the frame that the desktop puts around it.
QSize comfortable_size(const QScreen& screen) {
    return QSize(1280, 800).boundedTo(screen.availableSize() - QSize(8, 40));
}

}  // namespace

WindowPlaces WindowPlaces::standard() {
    const QString config = QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation);
    const QString data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    return {config + QStringLiteral("/window.ini"), (data + QStringLiteral("/work")).toStdString()};
}

MainWindow::MainWindow(const WindowPlaces& places, QWidget* parent)
    : QMainWindow(parent), settings_(places.settings_file, QSettings::IniFormat),
      autosave_(new Autosave(places.work_folder, this)),
      library_(new MechanismLibrary(places.work_folder.parent_path() / "mechanisms", this)),
      columns_(new WindowColumns(this)) {
    setObjectName(QStringLiteral("headlight_window"));
    setAcceptDrops(true);
    const std::optional<LastWork> work = autosave_->last_work();
    document_ = work ? std::make_unique<Document>(work->session) : std::make_unique<Document>();
    follow_theme();

    files_ = new FileActions(*document_, *autosave_, settings_, this);
    view_actions_ = new ViewActions(*document_, settings_, this);
    build_centre();
    build_columns();
    build_player();
    train_ = new TrainAction(*document_, settings_, places.work_folder.parent_path() / "training", this);
    build_menus();
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(4, 0, 0, 4);
    new RunStatus(*document_, *statusBar());
    connect_parts();
    restore_layout();
    if (document_->session().model)
        show_who_attends(Session());
    restore_work(work);
    tell_found_work();
    autosave_->watch(*document_);
    show_title();
}

MainWindow::~MainWindow() {
    // The panels go before the document that they look at.
    document_->disconnect();
    document_->history()->disconnect();
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
    delete train_;
    delete files_;
    delete view_actions_;
}

QSize MainWindow::sizeHint() const { return comfortable_size(*screen()); }

void MainWindow::build_centre() {
    auto* centre = new QWidget;
    problem_ = new Banner(QStringLiteral("file_message"));
    run_problem_ = new Banner(QStringLiteral("run_message"));
    views_ = new ViewTabs(*document_, *library_);
    view_bar_ = new QToolBar;
    view_bar_->setObjectName(QStringLiteral("view_bar"));
    view_bar_->setAccessibleName(tr("How the numbers are shown"));
    view_bar_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    view_actions_->fill_bar(*view_bar_);
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(problem_);
    layout->addWidget(run_problem_);
    layout->addWidget(view_bar_);
    layout->addWidget(new PictureSplitter(views_, new BeamPanel(*document_)), 1);
    layout->addWidget(new ScaleHint(*document_));
    setCentralWidget(centre);
}

void MainWindow::build_columns() {
    sequence_ = new SequencePanel(*document_);
    mechanism_ = new MechanismPanel(*document_, *library_);
    model_ = new ModelPanel(*document_);
    parameters_ = new ParametersPanel(*document_);
    columns_->add_upper_left(QStringLiteral("sequence_dock"), tr("Sequence"), new PanelArea(sequence_));
    columns_->add_lower_left(mechanism_dock, tr("Mechanism"), new PanelArea(mechanism_));
    columns_->add_lower_left(QStringLiteral("parameters_dock"), tr("Parameters"), new PanelArea(parameters_));
    columns_->add_lower_left(model_dock, tr("Model"), new PanelArea(model_));
    columns_->add_right(QStringLiteral("inspector_dock"), tr("Inspector"), new InspectorPanel(*document_));
    columns_->bring_to_front(mechanism_dock);
}

void MainWindow::build_player() {
    player_ = new PlayerBar(*document_);
    auto* bar = new QToolBar(tr("Player"));
    bar->setObjectName(QStringLiteral("player_bar"));
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->addWidget(player_);
    addToolBar(Qt::BottomToolBarArea, bar);
}

void MainWindow::build_menus() {
    files_->fill_menu(*menuBar()->addMenu(tr("&File")));

    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = document_->history()->createUndoAction(this, tr("&Undo"));
    undo->setShortcut(QKeySequence(QStringLiteral("Ctrl+Z")));
    undo->setObjectName(QStringLiteral("edit_undo"));
    QAction* redo = document_->history()->createRedoAction(this, tr("&Redo"));
    redo->setShortcuts(
        {QKeySequence(QStringLiteral("Ctrl+Shift+Z")), QKeySequence(QStringLiteral("Ctrl+Y"))});
    redo->setObjectName(QStringLiteral("edit_redo"));
    edit->addActions({undo, redo});
    new UndoKeys(this, {undo, redo});
    edit->addSeparator();
    const auto add = [this](QMenu* menu, const QString& id, const QString& text, const QString& key,
                            auto&& slot) {
        QAction* action = menu->addAction(text);
        action->setObjectName(id);
        action->setShortcut(QKeySequence(key));
        connect(action, &QAction::triggered, this, slot);
    };
    add(edit, QStringLiteral("choose_mechanism"), tr("Choose the &mechanism…"), QStringLiteral("Ctrl+M"),
        [this] {
            columns_->bring_to_front(mechanism_dock);
            mechanism_->open_chooser();
        });
    add(edit, QStringLiteral("choose_model"), tr("Let a mode&l speak…"), QStringLiteral("Ctrl+L"), [this] {
        columns_->bring_to_front(model_dock);
        model_->open_chooser();
    });
    add(edit, QStringLiteral("train_model"), tr("&Train a model…"), QStringLiteral("Ctrl+T"),
        [this] { train_->show(); });
    add(edit, QStringLiteral("compare_mechanism"), tr("Compare with another mec&hanism…"),
        QStringLiteral("Ctrl+Shift+M"), [this] { views_->add_compared(); });
    add(edit, QStringLiteral("compose_mechanism"), tr("&Build your own mechanism"), QStringLiteral("Ctrl+B"),
        [this] {
            columns_->bring_to_front(mechanism_dock);
            mechanism_->build_your_own();
        });
    add(edit, QStringLiteral("edit_mask_action"), tr("Edit the mas&k…"), QStringLiteral("Ctrl+K"),
        [this] { mechanism_->edit_mask(); });
    add(edit, QStringLiteral("next_mechanism"), tr("&Next mechanism"), QStringLiteral("Ctrl+PgDown"),
        [this] { mechanism_->next_mechanism(); });
    add(edit, QStringLiteral("previous_mechanism"), tr("&Previous mechanism"), QStringLiteral("Ctrl+PgUp"),
        [this] { mechanism_->previous_mechanism(); });

    QMenu* view = menuBar()->addMenu(tr("&View"));
    view_actions_->fill_menu(*view);
    view->addSeparator();
    add(view, QStringLiteral("show_cost"), tr("C&ost…"), QStringLiteral("Ctrl+Shift+K"),
        [this] { show_cost(); });
    columns_->fill_menu(*view->addMenu(tr("&Panels")));
    QAction* only_picture = view->addAction(tr("&Only the picture"));
    only_picture->setObjectName(QStringLiteral("only_picture"));
    only_picture->setCheckable(true);
    only_picture->setShortcut(QKeySequence(QStringLiteral("F11")));
    only_picture->setToolTip(
        tr("Hides the panels beside the picture, for a projector, and brings them back"));
    connect(only_picture, &QAction::toggled, columns_, [this](bool only) {
        columns_->show_only_picture(only, {view_bar_, statusBar()});
    });

    QMenu* play = menuBar()->addMenu(tr("&Play"));
    player_->fill_menu(*play);

    auto* help = new HelpMenu(this);
    menuBar()->addMenu(help);
    connect(help, &HelpMenu::example_requested, files_, &FileActions::show_example);
}

void MainWindow::connect_parts() {
    connect(document_.get(), &Document::view_changed, this, &MainWindow::follow_theme);
    connect(document_->history(), &QUndoStack::cleanChanged, this, &MainWindow::show_title);
    connect(document_.get(), &Document::error_changed, this, &MainWindow::show_run_problem);
    connect(document_.get(), &Document::session_changed, this, [this](const Session& before) {
        if (is_past_problem_ && !same_run(before, document_->session()))
            problem_->hide();
    });
    connect(files_, &FileActions::problem, this, &MainWindow::show_past_problem);
    const auto say = [this](const QString& text) { statusBar()->showMessage(text, 8000); };
    connect(document_.get(), &Document::session_changed, this, [this, say](const Session& before) {
        if (has_lost_interventions(before, document_->session()))
            say(tr(
                "What you changed inside the model was of other words: it is gone. Undo brings both back."));
    });
    connect(files_, &FileActions::notice, this, say);
    connect(views_, &ViewTabs::notice, this, say);
    connect(files_, &FileActions::opened, problem_, &QWidget::hide);
    connect(files_, &FileActions::file_changed, this, &MainWindow::show_title);
    const auto show_lasting_problem = [this](const Error& error) {
        is_past_problem_ = false;
        problem_->show_error(error);
    };
    connect(library_, &MechanismLibrary::problem, this, show_lasting_problem);
    connect(autosave_, &Autosave::failed, this, show_lasting_problem);
    connect(mechanism_, &MechanismPanel::open_requested, files_, &FileActions::ask_open);
    connect(mechanism_, &MechanismPanel::export_requested, files_, &FileActions::ask_save_mechanism);
    connect(mechanism_, &MechanismPanel::notice, this, say);
    connect(mechanism_, &MechanismPanel::picture_wanted, this,
            [this] { views_->currentWidget()->setFocus(Qt::ShortcutFocusReason); });
    connect(model_, &ModelPanel::folder_requested, files_, &FileActions::ask_model);
    connect(model_, &ModelPanel::problem, this, &MainWindow::show_past_problem);
    connect(train_, &TrainAction::open_model_asked, this, [this](const QString& folder) {
        files_->open_path(folder);
        raise();
        activateWindow();
    });
    connect(document_.get(), &Document::session_changed, this, &MainWindow::show_who_attends);
    connect(sequence_, &SequencePanel::open_requested, files_, &FileActions::ask_open);
    connect(sequence_, &SequencePanel::example_picture_requested, files_, &FileActions::show_example_picture);
    connect(parameters_, &ParametersPanel::open_requested, files_, &FileActions::ask_parameters);
    const auto refuse_paste = [this](const char* panel, const char* most) {
        return [this, panel, most](qsizetype length) {
            show_past_problem(Error(
                {"paste text", panel, most, std::to_string(length) + " characters; the text is as it was"}));
        };
    };
    connect(sequence_, &SequencePanel::paste_refused, this,
            refuse_paste("Sequence", "at most 512 tokens in this window"));
    connect(model_, &ModelPanel::paste_refused, this, refuse_paste("Model", "at most 512 tokens"));
    show_run_problem();
}

void MainWindow::show_run_problem() {
    const std::optional<Error>& error = document_->error();
    // What is wrong with a text that a model reads is said under it: on the way from word to word it is never
    // right.
    const bool is_said_below =
        error && document_->session().model && error->detail().where.find(" text") != std::string::npos;
    if (!error || is_said_below)
        run_problem_->hide();
    else if (error->detail().got == "empty text")  // on the way to another one, and no mistake
        run_problem_->show_notice(tr("Type a %1: the picture shows the last one.")
                                      .arg(QString::fromStdString(error->detail().where)));
    else
        run_problem_->show_error(*error);
}

void MainWindow::show_past_problem(const Error& error) {
    is_past_problem_ = true;
    problem_->show_error(error);
}

void MainWindow::restore_work(const std::optional<LastWork>& work) {
    if (!work)
        return;
    files_->set_file(work->file);
    if (!work->saved)
        document_->history()->resetClean();
    if (work->was_closed)
        statusBar()->showMessage(tr("Back where you left it. File > New starts from the worked example."),
                                 8000);
    else
        problem_->show_notice(tr("Headlight was not closed properly. Your work was restored."));
}

void MainWindow::tell_found_work() {
    const FoundWork& found = autosave_->found();
    if (!found.sessions.empty() || !found.unreadable.empty())
        problem_->show_notice((problem_->text() + QChar(' ') + files_->offer(found)).trimmed());
    if (autosave_->problem()) {
        is_past_problem_ = false;
        problem_->show_error(*autosave_->problem());
    }
}

void MainWindow::restore_layout() {
    if (!restoreGeometry(settings_.value(geometry_key).toByteArray()))
        resize(comfortable_size(*screen()));
    placed_ = restoreState(settings_.value(state_key).toByteArray(), state_version);
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (!placed_)
        columns_->lay_out();
    placed_ = true;
}

void MainWindow::show_who_attends(const Session& before) {
    const bool speaks = document_->session().model.has_value();
    if (before.model.has_value() == speaks || columns_->is_only_picture())
        return;
    columns_->show_upper_left(!speaks);
    columns_->bring_to_front(speaks ? model_dock : mechanism_dock);
}

void MainWindow::show_cost() {
    if (!cost_)
        cost_ = new CostDialog(*document_, this);
    else if (!cost_->isVisible())
        cost_->open_fresh();
    cost_->show();
    cost_->raise();
    cost_->activateWindow();
}

void MainWindow::follow_theme() {
    const FigureTheme wanted = document_->session().view.theme;
    if (theme_ == wanted)
        return;
    const bool was_projector = theme_ == FigureTheme::projector;
    theme_ = wanted;
    if (wanted == FigureTheme::projector && placed_)
        columns_->keep_sizes();
    apply_theme(wanted);
    if (wanted == FigureTheme::projector && sequence_)
        statusBar()->showMessage(tr("F11 leaves only the picture, for the last row. Ctrl+Shift+P goes back."),
                                 8000);
    else if (was_projector)
        statusBar()->clearMessage();
    // The large type has pushed the panels apart. They learn only now that they need less again.
    if (was_projector && placed_)
        QTimer::singleShot(0, columns_, &WindowColumns::bring_sizes_back);
}

void MainWindow::show_title() {
    const QString name = files_->file().isEmpty() ? tr("Untitled") : QFileInfo(files_->file()).fileName();
    setWindowTitle(tr("%1[*] – Headlight").arg(name));
    setWindowModified(!document_->history()->isClean());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (is_terminating_)
        train_->pause();
    else if (!train_->may_close())
        return event->ignore();
    columns_->show_only_picture(false, {});  // the next start has its panels again
    settings_.setValue(geometry_key, saveGeometry());
    settings_.setValue(state_key, saveState(state_version));
    const std::optional<Error> error = autosave_->close();
    const bool is_lost = error && !document_->history()->isClean();
    if (is_lost && (is_terminating_ || !may_lose_work(*error)))
        return event->ignore();
    event->accept();
}

bool MainWindow::may_lose_work(const Error& error) {
    QMessageBox box(QMessageBox::Warning, tr("Your work is not kept"),
                    tr("Headlight could not keep your work for the next start: %1\n\nSave it to another "
                       "place, or close without it.")
                        .arg(QString::fromStdString(error.what())),
                    QMessageBox::Cancel, this);
    box.setObjectName(QStringLiteral("lost_work_question"));
    box.button(QMessageBox::Cancel)->setIcon({});
    box.setDefaultButton(QMessageBox::Cancel);
    const QPushButton* save = box.addButton(tr("&Save as…"), QMessageBox::AcceptRole);
    const QPushButton* lose = box.addButton(tr("Close &without it"), QMessageBox::DestructiveRole);
    box.exec();
    if (box.clickedButton() == save)
        files_->ask_save();
    return box.clickedButton() == lose;
}

bool MainWindow::terminate() {
    is_terminating_ = true;
    const bool is_closed = close();
    is_terminating_ = false;
    return is_closed;
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.isEmpty())
        return;
    event->acceptProposedAction();
    if (!urls.constFirst().isLocalFile()) {
        show_past_problem(Error({"open file", urls.constFirst().toDisplayString().toStdString(),
                                 "a file on this computer", "an address elsewhere"}));
        return;
    }
    if (urls.size() > 1)
        statusBar()->showMessage(tr("Opening the first of %1 files").arg(urls.size()), 8000);
    files_->open_path(urls.constFirst().toLocalFile());
}

}  // namespace headlight

#include "ui/panels/main_window.h"

#include "core/io/first_example.h"
#include "core/lesson/shipped_lessons.h"
#include "ui/lesson/class_answers.h"
#include "ui/lesson/class_strip.h"
#include "ui/lesson/lesson_player.h"
#include "ui/models/autosave.h"
#include "ui/models/mechanism_library.h"
#include "ui/models/open_file.h"
#include "ui/panels/beam_panel.h"
#include "ui/panels/cost_dialog.h"
#include "ui/panels/figure_panel.h"
#include "ui/panels/file_actions.h"
#include "ui/panels/find_bar.h"
#include "ui/panels/full_screen.h"
#include "ui/panels/help_menu.h"
#include "ui/panels/inspector_panel.h"
#include "ui/panels/keys_over_text.h"
#include "ui/panels/lesson_menu.h"
#include "ui/panels/levels_dialog.h"
#include "ui/panels/mechanism_notes.h"
#include "ui/panels/mechanism_panel.h"
#include "ui/panels/model_panel.h"
#include "ui/panels/panel_area.h"
#include "ui/panels/parameters_panel.h"
#include "ui/panels/picture_splitter.h"
#include "ui/panels/player_bar.h"
#include "ui/panels/player_keys.h"
#include "ui/panels/run_status.h"
#include "ui/panels/sequence_panel.h"
#include "ui/panels/theme.h"
#include "ui/panels/train_action.h"
#include "ui/panels/view_actions.h"
#include "ui/panels/view_tabs.h"
#include "ui/panels/window_columns.h"
#include "ui/panels/window_messages.h"
#include "ui/views/arithmetic_line.h"
#include "ui/views/describe.h"
#include "ui/views/keep_on_screen.h"
#include "ui/views/shortcuts.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLayout>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QStandardPaths>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace headlight {
namespace {

const QString geometry_key = QStringLiteral("window/geometry");
const QString state_key = QStringLiteral("window/state");
constexpr int state_version = 4;
const std::pair<WindowColumns::Side, QString> folded_keys[] = {
    {WindowColumns::Side::left, QStringLiteral("window/left_folded")},
    {WindowColumns::Side::right, QStringLiteral("window/right_folded")}};
const std::pair<WindowColumns::Side, QString> width_keys[] = {
    {WindowColumns::Side::left, QStringLiteral("window/left_width")},
    {WindowColumns::Side::right, QStringLiteral("window/right_width")}};
const QString mechanism_dock = QStringLiteral("mechanism_dock"), model_dock = QStringLiteral("model_dock");

/// Everything in sight.
QSize comfortable_size(const QScreen& screen) { return QSize(1280, 800).boundedTo(largest_size(screen)); }

}  // namespace

WindowPlaces WindowPlaces::standard() {
    const QString config = QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation);
    const QString data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    return {config + QStringLiteral("/window.ini"), (data + QStringLiteral("/work")).toStdString()};
}

MainWindow::MainWindow(const WindowPlaces& places, QWidget* parent)
    : QMainWindow(parent), data_folder_(places.work_folder.parent_path()), settings_(places.settings_file),
      autosave_(new Autosave(places.work_folder, this)),
      library_(new MechanismLibrary(data_folder_ / "mechanisms", this)), columns_(new WindowColumns(this)) {
    setObjectName(QStringLiteral("headlight_window"));
    setAcceptDrops(true);
    const std::optional<LastWork> work = autosave_->last_work();
    document_ = std::make_unique<Document>(work ? work->session : first_example());
    follow_theme();

    files_ = new FileActions(*document_, *autosave_, settings_, this);
    view_actions_ = new ViewActions(*document_, settings_, this);
    build_centre();
    build_columns();
    train_ = new TrainAction(*document_, settings_, data_folder_ / "training", this);
    answers_ = new ClassAnswers(data_folder_ / "answers.jsonl", settings_, this);
    build_player();
    build_begin();
    size_picture();
    build_menus();
    connect_parts();
    restore_layout();
    if (!document_->session().runs_mechanism())
        show_who_attends(Session());
    columns_->show_begin(!work);
    restore_work(work);
    tell_found_work();
    autosave_->watch(*document_);
    show_title();
}

MainWindow::~MainWindow() {
    // The panels go before the document that they look at.
    document_->disconnect();
    document_->histories()->disconnect();
    // First what the layout of the window holds: when a part of it goes, the layout looks at tabs and
    // separators, which are children of the window as well.
    qDeleteAll(findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly));
    qDeleteAll(findChildren<QToolBar*>(QString(), Qt::FindDirectChildrenOnly));
    delete takeCentralWidget();
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
    delete train_;
    delete files_;
    delete view_actions_;
}

QSize MainWindow::sizeHint() const { return comfortable_size(*screen()); }

void MainWindow::build_centre() {
    views_ = new ViewTabs(*document_, *library_);
    auto* beside_tabs = new QToolBar;
    beside_tabs->setObjectName(QStringLiteral("view_bar"));
    beside_tabs->setAccessibleName(tr("How the numbers are shown"));
    view_actions_->fill_bar(*beside_tabs);
    beside_tabs->addAction(columns_->fold_action(WindowColumns::Side::right));
    auto* before_tabs = new QToolBar;
    before_tabs->setObjectName(QStringLiteral("fold_bar"));
    before_tabs->addAction(columns_->fold_action(WindowColumns::Side::left));
    views_->setCornerWidget(before_tabs, Qt::TopLeftCorner);
    views_->setCornerWidget(beside_tabs, Qt::TopRightCorner);
    views_->offer_hidden_by(*view_actions_->more_views(), *beside_tabs);
    arithmetic_ = new ArithmeticLine(*document_);
    find_ = new FindBar(*document_);
    connect(find_, &FindBar::closed, this,
            [this] { views_->currentWidget()->setFocus(Qt::ShortcutFocusReason); });
    auto* picture = new QWidget;
    auto* layout = new QVBoxLayout(picture);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    lesson_ = new LessonPlayer(*document_, this);
    class_strip_ = new ClassStrip(*lesson_);
    layout->addWidget(class_strip_);
    layout->addWidget(views_, 1);
    layout->addWidget(arithmetic_);
    layout->addWidget(find_);
    connect(columns_, &WindowColumns::away_changed, this, [this] {
        arithmetic_->set_wanted(columns_->is_away(WindowColumns::Side::right));
        class_strip_->set_wanted(!columns_->is_begin_in_sight());
        place_messages();
    });
    connect(columns_, &WindowColumns::focus_put_away, this,
            [this] { views_->currentWidget()->setFocus(Qt::OtherFocusReason); });
    setCentralWidget(new PictureSplitter(picture, new BeamPanel(*document_)));
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
    notes_ = new MechanismNotes(*document_, settings_);
    auto* right = new QWidget;
    auto* layout = new QVBoxLayout(right);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    inspector_ = new InspectorPanel(*document_);
    layout->addWidget(inspector_, 1);
    layout->addWidget(notes_);
    columns_->add_right(QStringLiteral("inspector_dock"), tr("Inspector"), right, notes_->action());
    auto* figure = new FigurePanel(*document_);
    connect(figure, &FigurePanel::range_file_requested, files_, &FileActions::ask_range_file);
    columns_->add_behind_right(QStringLiteral("figure_dock"), tr("Figure"), new PanelArea(figure));
    columns_->bring_to_front(mechanism_dock);
}

void MainWindow::build_player() {
    player_ = new PlayerBar(*document_);
    status_ = new QWidget;
    auto* status = new QHBoxLayout(status_);
    status->setContentsMargins(0, 0, 8, 0);
    auto* run = new RunStatus(*document_);
    run->add_beside(train_->status());
    status->addWidget(run);
    auto* line = new QWidget;
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(player_, 1);
    layout->addWidget(status_);
    messages_ = new WindowMessages(*document_, line, player_->place());
    player_bar_ = new QToolBar(tr("Player"));
    player_bar_->setObjectName(QStringLiteral("player_bar"));
    player_bar_->setMovable(false);
    player_bar_->setFloatable(false);
    player_bar_->addWidget(line);
    addToolBar(Qt::BottomToolBarArea, player_bar_);
}

void MainWindow::build_menus() {
    files_->fill_menu(*menuBar()->addMenu(tr("&File")));

    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = document_->histories()->createUndoAction(this, tr("&Undo"));
    undo->setObjectName(QStringLiteral("edit_undo"));
    QAction* redo = document_->histories()->createRedoAction(this, tr("&Redo"));
    redo->setObjectName(QStringLiteral("edit_redo"));
    give_keys(*undo);
    give_keys(*redo);
    edit->addActions({undo, redo});
    edit->addSeparator();
    const auto add = [this](QMenu* menu, const QString& id, const QString& text, auto&& slot) {
        QAction* action = menu->addAction(text);
        action->setObjectName(id);
        give_keys(*action);
        connect(action, &QAction::triggered, this, slot);
    };
    add(edit, QStringLiteral("find_tokens"), tr("&Find tokens…"), [this] { find_->open(); });
    add(edit, QStringLiteral("find_next_token"), tr("Find ne&xt"), [this] { find_->find_next(); });
    add(edit, QStringLiteral("find_previous_token"), tr("Find pre&vious"),
        [this] { find_->find_previous(); });

    QMenu* view = menuBar()->addMenu(tr("&View"));
    view_actions_->fill_menu(*view);
    view->addSeparator();
    add(view, QStringLiteral("next_level"), tr("Next le&vel…"), [this] { show_next_level(); });
    add(view, QStringLiteral("show_cost"), tr("C&ost…"), [this] { show_cost(); });
    add(view, QStringLiteral("figure_panel"), tr("Set &up the figure…"),
        [this] { columns_->open_behind_right(); });
    columns_->fill_menu(*view->addMenu(tr("&Panels")));
    add(view, QStringLiteral("whole_matrix"), tr("The whole &matrix"), [this] { views_->reset_zoom(); });
    full_screen_ =
        new FullScreen(this, *columns_, *views_, {status_}, [this] { return messages_->dismiss_shown(); });
    view->addAction(full_screen_->action());

    QMenu* play = menuBar()->addMenu(tr("&Play"));
    player_->fill_menu(*play);

    menuBar()->addMenu(lessons_);

    QMenu* model = menuBar()->addMenu(tr("&Model"));
    add(model, QStringLiteral("choose_mechanism"), tr("Choose the &mechanism…"), [this] {
        columns_->open(mechanism_dock);
        mechanism_->open_chooser();
    });
    add(model, QStringLiteral("next_mechanism"), tr("&Next mechanism"),
        [this] { mechanism_->next_mechanism(); });
    add(model, QStringLiteral("previous_mechanism"), tr("&Previous mechanism"),
        [this] { mechanism_->previous_mechanism(); });
    add(model, QStringLiteral("compare_mechanism"), tr("Compare with another mec&hanism…"),
        [this] { views_->add_compared(); });
    add(model, QStringLiteral("compose_mechanism"), tr("&Build your own mechanism"), [this] {
        columns_->open(mechanism_dock);
        mechanism_->build_your_own();
    });
    add(model, QStringLiteral("edit_mask_action"), tr("Edit the mas&k…"),
        [this] { mechanism_->edit_mask(); });
    model->addSeparator();
    add(model, QStringLiteral("choose_model"), tr("Run a trained mode&l…"), [this] {
        columns_->open(model_dock);
        model_->open_chooser();
    });
    add(model, QStringLiteral("train_model"), tr("&Train a model…"), [this] { train_->show(); });

    auto* help = new HelpMenu(this);
    connect(help, &HelpMenu::begin_requested, this, [this] {
        full_screen_->action()->setChecked(false);
        lesson_->leave();  // its column is where the ways are
        columns_->show_begin(true);
    });
    menuBar()->addMenu(help);
    new KeysOverText(this, menuBar()->actions());
    connect(help, &HelpMenu::example_requested, files_, &FileActions::show_example);
}

void MainWindow::connect_parts() {
    connect(document_.get(), &Document::view_changed, this, &MainWindow::follow_theme);
    connect(document_.get(), &Document::view_changed, this, &MainWindow::show_level);
    connect(document_->histories(), &QUndoGroup::cleanChanged, this, &MainWindow::show_title);
    connect(files_, &FileActions::problem, messages_, &WindowMessages::show_past_problem);
    connect(files_, &FileActions::notice, messages_, &WindowMessages::say);
    connect(views_, &ViewTabs::notice, messages_, &WindowMessages::say);
    connect(train_, &TrainAction::notice, messages_, &WindowMessages::say);
    connect(files_, &FileActions::opened, messages_, &WindowMessages::hide_problem);
    connect(files_, &FileActions::file_changed, this, &MainWindow::show_title);
    connect(library_, &MechanismLibrary::problem, messages_, &WindowMessages::show_lasting_problem);
    connect(answers_, &ClassAnswers::problem, messages_, &WindowMessages::show_past_problem);
    connect(autosave_, &Autosave::failed, messages_, &WindowMessages::show_lasting_problem);
    messages_->leave_to(mechanism_->formula_problem());
    connect(mechanism_, &MechanismPanel::open_requested, files_, &FileActions::ask_open);
    connect(mechanism_, &MechanismPanel::export_requested, files_, &FileActions::ask_save_mechanism);
    connect(mechanism_, &MechanismPanel::notice, messages_, &WindowMessages::say);
    connect(mechanism_, &MechanismPanel::composing_began, columns_, &WindowColumns::favour_lower_left);
    connect(notes_, &MechanismNotes::related_chosen, mechanism_, &MechanismPanel::choose);
    connect(mechanism_, &MechanismPanel::picture_wanted, this,
            [this] { views_->currentWidget()->setFocus(Qt::ShortcutFocusReason); });
    connect(model_, &ModelPanel::folder_requested, files_, &FileActions::ask_model);
    connect(model_, &ModelPanel::other_capture_requested, files_, &FileActions::ask_other_capture);
    connect(model_, &ModelPanel::other_model_requested, files_, &FileActions::ask_other_model);
    connect(model_, &ModelPanel::problem, messages_, &WindowMessages::show_past_problem);
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
            messages_->show_past_problem(Error(
                {"paste text", panel, most, std::to_string(length) + " characters; the text is as it was"}));
        };
    };
    connect(sequence_, &SequencePanel::paste_refused, this,
            refuse_paste("Sequence", "at most 32,768 tokens in this window"));
    connect(model_, &ModelPanel::paste_refused, this, refuse_paste("Model", "at most 512 tokens"));
}

void MainWindow::restore_work(const std::optional<LastWork>& work) {
    if (!work)
        return;
    if (!work->saved)
        document_->history()->resetClean();
    files_->restore_files(work->file, {});
    if (work->lesson && !restore_lesson(*work))
        return;
    if (work->drawing) {
        Session next = document_->session();
        next.drawn_mask = work->drawing;
        document_->edit(tr("Draw the mask"), std::move(next));
        return messages_->show_lasting_notice(
            tr("Your work was restored, with the mask that you were drawing. Undo takes the mask back."));
    }
    if (work->was_closed)
        messages_->say(tr("Back where you left it. File > New starts from the worked example."));
    else
        messages_->show_lasting_notice(tr("Headlight was not closed properly. Your work was restored."));
}

bool MainWindow::restore_lesson(const LastWork& work) {
    try {
        resume_lesson({open_lesson_at(work.lesson->place), work.lesson->place}, work.lesson->session);
    } catch (const Error& error) {
        messages_->show_lasting_notice(
            tr("The lesson that was open cannot be opened any more: %1. This is what was open before it.")
                .arg(QString::fromStdString(error.what())));
        if (!work.lesson->saved)
            files_->offer(UnsavedWork{std::make_shared<const Session>(work.lesson->session)});
        return false;
    }
    if (!work.lesson->saved)
        document_->history()->resetClean();
    files_->restore_files(work.file, work.lesson->file);
    return true;
}

void MainWindow::tell_found_work() {
    const FoundWork& found = autosave_->found();
    if (!found.sessions.empty() || !found.unreadable.empty() || !found.removed.empty())
        messages_->add_lasting_notice(files_->offer(found));
    if (autosave_->problem())
        messages_->show_lasting_problem(*autosave_->problem());
}

void MainWindow::restore_layout() {
    if (!restoreGeometry(settings_.value(geometry_key).toByteArray()))
        resize(comfortable_size(*screen()));
    keep_on_screen(*this);  // it may be another one now
    placed_ = restoreState(settings_.value(state_key).toByteArray(), state_version);
    for (const auto& [side, key] : folded_keys)
        columns_->fold(side, settings_.value(key).toBool());
    columns_->fold_for_class(is_for_class());
    place_messages();
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (std::exchange(was_shown_, true))
        return;
    if (!placed_)
        return columns_->lay_out();
    for (const auto& [side, key] : width_keys)
        if (const int width = settings_.value(key).toInt(); width > 0)
            columns_->set_width(side, width);
}

void MainWindow::show_who_attends(const Session& before) {
    const bool is_mechanism = document_->session().runs_mechanism();
    if (before.runs_mechanism() == is_mechanism)
        return;
    columns_->show_upper_left(is_mechanism);
    columns_->bring_to_front(is_mechanism ? mechanism_dock : model_dock);
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

void MainWindow::show_next_level() {
    ViewState view = document_->view();
    view.level = next_level(view.level);
    document_->look(view);
    if (levels_) {
        levels_->raise();
        levels_->activateWindow();
    }
}

void MainWindow::show_level() {
    if (levels_ || !document_->view().level)
        return;
    levels_ = new LevelsDialog(*document_, this);
    levels_->addAction(findChild<QAction*>(QStringLiteral("next_level")));
    connect(levels_, &LevelsDialog::notice, messages_, &WindowMessages::say);
    connect(levels_, &LevelsDialog::problem, messages_, &WindowMessages::show_past_problem);
    connect(levels_, &LevelsDialog::mine_requested, mechanism_, &MechanismPanel::make_mine);
}

void MainWindow::follow_theme() {
    const FigureTheme wanted = document_->session().view.theme;
    if (theme_ == wanted)
        return;
    theme_ = wanted;
    const QSize before = size();
    apply_theme(wanted);
    if (!player_bar_)
        return;
    size_picture();
    columns_->fold_for_class(is_for_class());
    place_messages();
    // Panels that come back ask for the room that they had in the other theme, and a window that has grown
    // stays so.
    if (!isMaximized() && !isFullScreen()) {
        layout()->activate();
        resize(before);
    }
}

void MainWindow::size_picture() {
    const QFont font = picture_font(*theme_), beside = bar_font(*theme_);
    for (QWidget* bar :
         {views_->cornerWidget(Qt::TopLeftCorner), views_->cornerWidget(Qt::TopRightCorner), status_})
        bar->setFont(beside);
    views_->set_picture_font(font);
    for (QWidget* part : {static_cast<QWidget*>(arithmetic_), static_cast<QWidget*>(player_bar_), ways_})
        part->setFont(font);
}

void MainWindow::place_messages() {
    if (!messages_)
        return;
    // The class reads in the player where the picture stands: there a message covers the arithmetic above it.
    if (is_for_class() && columns_->is_away(WindowColumns::Side::right) && !lesson_->open_question())
        messages_->lie_over(arithmetic_, arithmetic_);
    else
        messages_->lie_over(player_->parentWidget(), player_->place());
}

void MainWindow::show_title() {
    const QString name = !files_->name().isEmpty() ? files_->name()
                         : lesson_->is_open()      ? QString::fromStdString(lesson_->lesson().title)
                                                   : tr("Untitled");
    setWindowTitle(tr("%1[*] – Headlight").arg(name));
    setWindowModified(!document_->history()->isClean());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (is_terminating_)
        train_->pause();
    else if (!train_->may_close())
        return event->ignore();
    const std::optional<Error> error = autosave_->close();
    const bool is_lost = error && document_->has_unsaved_work();
    if (is_lost && (is_terminating_ || !may_lose_work(*error)))
        return event->ignore();
    for (const auto& [side, key] : width_keys)
        settings_.set_value(key, columns_->width(side));
    full_screen_->action()->setChecked(false);  // the next start has its panels again
    for (const auto& [side, key] : folded_keys)
        settings_.set_value(key, columns_->stays_folded(side));
    columns_->bring_all_back();
    settings_.set_value(geometry_key, saveGeometry());
    settings_.set_value(state_key, saveState(state_version));
    settings_.write();
    event->accept();
}

bool MainWindow::may_lose_work(const Error& error) {
    QMessageBox box(QMessageBox::Warning, tr("Your work is not kept"),
                    tr("Headlight could not keep your work for the next start: %1\n\nSave it to another "
                       "place, or close without it.")
                        .arg(QString::fromStdString(error.what())),
                    QMessageBox::Cancel, this);
    box.setObjectName(QStringLiteral("lost_work_question"));
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

void MainWindow::keyPressEvent(QKeyEvent* event) {
    // What has the focus had no use for it.
    if (event->key() != Qt::Key_Escape || event->modifiers() || !messages_->dismiss_shown())
        QMainWindow::keyPressEvent(event);
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
        messages_->show_past_problem(Error({"open file", urls.constFirst().toDisplayString().toStdString(),
                                            "a file on this computer", "an address elsewhere"}));
        return;
    }
    if (urls.size() > 1)
        messages_->say(tr("Opening the first of %1 files").arg(urls.size()));
    files_->open_path(urls.constFirst().toLocalFile());
}

}  // namespace headlight

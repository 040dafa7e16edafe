#include "ui/panels/main_window.h"

#include "core/io/first_example.h"
#include "ui/actions/actions.h"
#include "ui/lesson/class_answers.h"
#include "ui/lesson/class_strip.h"
#include "ui/lesson/lesson_player.h"
#include "ui/models/autosave.h"
#include "ui/models/mechanism_library.h"
#include "ui/panels/beam_panel.h"
#include "ui/panels/figure_panel.h"
#include "ui/panels/file_actions.h"
#include "ui/panels/find_bar.h"
#include "ui/panels/inspector_panel.h"
#include "ui/panels/map_strip.h"
#include "ui/panels/mechanism_notes.h"
#include "ui/panels/mechanism_panel.h"
#include "ui/panels/model_panel.h"
#include "ui/panels/motion_bar.h"
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
#include "ui/views/keep_on_screen.h"
#include "ui/views/way_in.h"

#include <QDockWidget>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLayout>
#include <QMimeData>
#include <QStandardPaths>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace headlight {
namespace {

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
      keys_(settings_), actions_(new Actions(this)), autosave_(new Autosave(places.work_folder, this)),
      library_(new MechanismLibrary(data_folder_ / "mechanisms", this)), columns_(new WindowColumns(this)) {
    setObjectName(QStringLiteral("headlight_window"));
    setAcceptDrops(true);
    const std::optional<LastWork> work = autosave_->last_work();
    document_ = std::make_unique<Document>(work ? work->session : first_example());
    follow_theme();

    files_ = new FileActions(*document_, *autosave_, settings_, *actions_, this);
    view_actions_ = new ViewActions(*document_, settings_, *actions_, this);
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
    map_ = new MapStrip(*document_, settings_);
    views_->set_map(map_);
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
    views_->offer_others_by(*view_actions_->more_views(), view_actions_->view_choices(), *beside_tabs);
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
    motion_ = new MotionBar(*document_, *player_, settings_);
    player_->keys().give_way_to(*motion_);
    messages_ = new WindowMessages(*document_, line, player_->place());
    connect(motion_, &MotionBar::picture_wanted, this,
            [this] { views_->currentWidget()->setFocus(Qt::OtherFocusReason); });
    connect(motion_, &MotionBar::problem, messages_, &WindowMessages::show_past_problem);
    connect(motion_, &MotionBar::notice, messages_, &WindowMessages::say);
    auto* both = new QWidget;
    auto* column = new QVBoxLayout(both);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(motion_);
    column->addWidget(line);
    player_bar_ = new QToolBar(tr("Player"));
    player_bar_->setObjectName(QStringLiteral("player_bar"));
    player_bar_->setMovable(false);
    player_bar_->setFloatable(false);
    player_bar_->addWidget(both);
    addToolBar(Qt::BottomToolBarArea, player_bar_);
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

void MainWindow::show_who_attends(const Session& before) {
    const bool is_mechanism = document_->session().runs_mechanism();
    if (before.runs_mechanism() == is_mechanism)
        return;
    columns_->show_upper_left(is_mechanism);
    columns_->bring_to_front(is_mechanism ? mechanism_dock : model_dock);
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

void MainWindow::keyPressEvent(QKeyEvent* event) {
    // What has the focus had no use for it.
    const bool is_escape = event->key() == Qt::Key_Escape && !event->modifiers();
    if (!is_escape || (!messages_->dismiss_shown() && !WayIn::of(*document_).come_back()))
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

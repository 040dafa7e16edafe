#include "ui/panels/main_window.h"

#include "core/io/first_example.h"
#include "ui/actions/actions.h"
#include "ui/lesson/class_strip.h"
#include "ui/lesson/lesson_player.h"
#include "ui/models/autosave.h"
#include "ui/models/mechanism_library.h"
#include "ui/panels/beam_panel.h"
#include "ui/panels/delete_children.h"
#include "ui/panels/file_actions.h"
#include "ui/panels/find_bar.h"
#include "ui/panels/map_strip.h"
#include "ui/panels/motion_bar.h"
#include "ui/panels/picture_splitter.h"
#include "ui/panels/player_bar.h"
#include "ui/panels/player_line.h"
#include "ui/panels/side_panels.h"
#include "ui/panels/theme.h"
#include "ui/panels/train_action.h"
#include "ui/panels/view_actions.h"
#include "ui/panels/view_tabs.h"
#include "ui/panels/window_columns.h"
#include "ui/panels/window_lessons.h"
#include "ui/panels/window_messages.h"
#include "ui/panels/window_work.h"
#include "ui/views/arithmetic_line.h"
#include "ui/views/keep_on_screen.h"
#include "ui/views/way_in.h"

#include <QDockWidget>
#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <initializer_list>

namespace headlight {

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
    panels_ = new SidePanels(*document_, *library_, settings_, *actions_, *columns_, this);
    train_ = new TrainAction(*document_, *library_, settings_, data_folder_ / "training", this);
    build_player();
    build_begin();
    size_picture();
    build_menus();
    connect_parts();
    restore_layout();
    if (!document_->session().runs_mechanism())
        panels_->show_who_attends(Session());
    columns_->show_begin(!work);
    work_ = new WindowWork(*document_, *autosave_, *files_, *lessons_, *messages_, this);
    if (work)
        work_->restore(*work);
    work_->tell_found(keys_);
    autosave_->watch(*document_);
    show_title();
}

MainWindow::~MainWindow() {
    // The panels go before the document that they look at.
    document_->disconnect();
    document_->looking().disconnect();
    document_->histories()->disconnect();
    // First what the layout of the window holds: when a part of it goes, the layout looks at tabs and
    // separators, which are children of the window as well.
    delete_children<QDockWidget>(*this);
    delete_children<QToolBar>(*this);
    delete takeCentralWidget();
    delete_children<QWidget>(*this);
    delete train_;
    delete files_;
    delete view_actions_;
}

QSize MainWindow::sizeHint() const { return QSize(1280, 800).boundedTo(largest_size(*screen())); }

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
    connect(find_, &FindBar::closed, this, [this] { focus_picture(Qt::ShortcutFocusReason); });
    auto* picture = new QWidget;
    auto* layout = new QVBoxLayout(picture);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    lessons_ = new WindowLessons(*document_, settings_, *actions_, data_folder_, this);
    layout->addWidget(&lessons_->class_strip());
    layout->addWidget(views_, 1);
    layout->addWidget(arithmetic_);
    layout->addWidget(find_);
    connect(columns_, &WindowColumns::away_changed, this, [this] {
        arithmetic_->set_wanted(columns_->is_away(WindowColumns::Side::right));
        lessons_->class_strip().set_wanted(!columns_->is_begin_in_sight());
        place_messages();
    });
    connect(columns_, &WindowColumns::focus_put_away, this, [this] { focus_picture(Qt::OtherFocusReason); });
    setCentralWidget(new PictureSplitter(picture, new BeamPanel(*document_)));
}

void MainWindow::build_player() {
    player_ = new PlayerLine(*document_, settings_, *actions_, train_->status());
    messages_ = new WindowMessages(*document_, player_->message_room());
    player_->say_in(*messages_);
    connect(&player_->motion(), &MotionBar::picture_wanted, this,
            [this] { focus_picture(Qt::OtherFocusReason); });
    addToolBar(Qt::BottomToolBarArea, player_);
}

void MainWindow::connect_parts() {
    connect(&document_->looking(), &Looking::view_changed, this, &MainWindow::follow_theme);
    connect(document_->histories(), &QUndoGroup::cleanChanged, this, &MainWindow::show_title);
    connect(files_, &FileActions::problem, messages_, &WindowMessages::show_past_problem);
    connect(files_, &FileActions::notice, messages_, &WindowMessages::say);
    connect(views_, &ViewTabs::notice, messages_, &WindowMessages::say);
    connect(train_, &TrainAction::notice, messages_, &WindowMessages::say);
    connect(files_, &FileActions::opened, messages_, &WindowMessages::hide_problem);
    connect(files_, &FileActions::file_changed, this, &MainWindow::show_title);
    connect(library_, &MechanismLibrary::problem, messages_, &WindowMessages::show_lasting_problem);
    connect(autosave_, &Autosave::failed, messages_, &WindowMessages::show_lasting_problem);
    panels_->ask(*files_, *messages_);
    connect(panels_, &SidePanels::picture_wanted, this, [this] { focus_picture(Qt::ShortcutFocusReason); });
    connect(train_, &TrainAction::open_model_asked, this, [this](const QString& folder) {
        files_->open_path(folder);
        raise();
        activateWindow();
    });
}

void MainWindow::focus_picture(Qt::FocusReason reason) { views_->currentWidget()->setFocus(reason); }

void MainWindow::follow_theme() {
    const FigureTheme wanted = document_->session().view.theme;
    if (theme_ == wanted)
        return;
    theme_ = wanted;
    const QSize before = size();
    apply_theme(wanted);
    if (!player_)
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
    for (QWidget* bar : {views_->cornerWidget(Qt::TopLeftCorner), views_->cornerWidget(Qt::TopRightCorner),
                         &player_->status()})
        bar->setFont(beside);
    views_->set_picture_font(font);
    for (QWidget* part : std::initializer_list<QWidget*>{arithmetic_, player_})
        part->setFont(font);
    columns_->set_begin_font(font);
}

void MainWindow::place_messages() {
    if (!messages_)
        return;
    // The class reads in the player where the picture stands, and on the whole screen there is nothing else
    // to go on with: there a message covers the arithmetic above it.
    const bool needs_player = is_for_class() || actions_->at(QStringLiteral("only_picture")).isChecked();
    if (needs_player && columns_->is_away(WindowColumns::Side::right) && !lessons_->player().open_question())
        messages_->lie_over(MessageRoom::all_of(arithmetic_));
    else
        messages_->lie_over(player_->message_room());
}

void MainWindow::show_title() {
    LessonPlayer& lesson = lessons_->player();
    const QString name = !files_->name().isEmpty() ? files_->name()
                         : lesson.is_open()        ? QString::fromStdString(lesson.lesson().title)
                                                   : tr("Untitled");
    setWindowTitle(tr("%1[*] – Headlight").arg(name));
    setWindowModified(!document_->history()->isClean());
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
    // What has the focus had no use for it. A button has none for the keys of a picture.
    const bool is_escape = event->key() == Qt::Key_Escape && !event->modifiers();
    if (!views_->use_key(*event) &&
        (!is_escape || (!messages_->dismiss_shown() && !WayIn::of(*document_).come_back())))
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

#include "ui/panels/window_lessons.h"

#include "core/figure/theme_table.h"
#include "core/lesson/lesson_file.h"
#include "core/lesson/shipped_lessons.h"
#include "core/workbench/run_session.h"
#include "ui/actions/actions.h"
#include "ui/lesson/class_answers.h"
#include "ui/lesson/class_strip.h"
#include "ui/lesson/lesson_editor.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/lesson/lesson_player.h"
#include "ui/lesson/presenter.h"
#include "ui/lesson/progress_dialog.h"
#include "ui/lesson/question_box.h"
#include "ui/lesson/quiz_dialog.h"
#include "ui/models/open_file.h"
#include "ui/panels/file_actions.h"
#include "ui/panels/inspector_panel.h"
#include "ui/panels/lesson_hand_out.h"
#include "ui/panels/lesson_menu.h"
#include "ui/panels/mechanism_form.h"
#include "ui/panels/mechanism_notes.h"
#include "ui/panels/player_bar.h"
#include "ui/panels/player_keys.h"
#include "ui/panels/side_panels.h"
#include "ui/panels/theme.h"
#include "ui/panels/train_action.h"
#include "ui/panels/train_window.h"
#include "ui/panels/training_form.h"
#include "ui/panels/view_tabs.h"
#include "ui/panels/window_messages.h"
#include "ui/views/arithmetic_line.h"
#include "ui/views/bring_to_front.h"

#include <QFileDialog>
#include <QStackedWidget>

#include <utility>

namespace headlight {

WindowLessons::WindowLessons(Document& document, WindowSettings& settings, Actions& actions,
                             std::filesystem::path folder, QWidget* window)
    : QObject(window), document_(document), settings_(settings), actions_(actions),
      folder_(std::move(folder)), window_(window), player_(new LessonPlayer(document, window)),
      menu_(new LessonMenu(actions, window)),
      answers_(new ClassAnswers(folder_ / "answers.jsonl", settings, window)),
      class_strip_(new ClassStrip(*player_)) {
    connect(player_, &LessonPlayer::guessed, answers_, &ClassAnswers::add);
    connect(player_, &LessonPlayer::moved, menu_, [this] { menu_->set_open(player_->is_open()); });
}

void WindowLessons::settle_in(const Surroundings& around) {
    panels_ = &around.panels;
    columns_ = &around.columns;
    messages_ = &around.messages;
    train_ = &around.train;
    arithmetic_ = &around.arithmetic;
    auto* panel = new LessonPanel(*player_, document_, actions_);
    window_->addActions(panel->ways());
    question_ = &panel->question();
    class_strip_->follow(*question_);
    connect(&document_, &Document::session_changed, class_strip_, &ClassStrip::follow_picture);
    around.player.keys().give_way_to(*question_);
    connect(class_strip_, &ClassStrip::focus_returned, this,
            [&views = around.views] { views.currentWidget()->setFocus(Qt::OtherFocusReason); });
    add_knobs(*panel);
    auto* presenter = new Presenter(*player_, actions_, window_);
    for (QAction* own : presenter->over_picture())
        actions_.put(own->objectName(), {own});
    connect_presenter(*panel, *presenter);
    const auto show_picture = [presenter, &views = around.views] {
        QWidget* picture = views.picture();
        presenter->set_picture(picture ? picture : views.currentWidget());
    };
    connect(&around.views, &ViewTabs::picture_changed, presenter, show_picture);
    show_picture();
    connect_hand_out(*panel);
    panels_->ways().addWidget(panel);
    connect(player_, &LessonPlayer::moved, this, &WindowLessons::follow);
    connect(question_, &QuestionBox::put_away_changed, this, &WindowLessons::withhold);
    connect(&document_, &Document::run_changed, this, [this] {
        if (question_->is_put_away())
            withhold();
    });
    connect(player_, &LessonPlayer::left, this, &WindowLessons::bring_column_back);
    connect(player_, &LessonPlayer::left, messages_, &WindowMessages::hide_what_was_before);
    connect(panel, &LessonPanel::begin_asked, this, &WindowLessons::leave_for_begin);
    connect(player_, &LessonPlayer::leave_asked, &around.files, &FileActions::leave_lesson);
    connect(&around.files, &FileActions::lesson_opened, this, &WindowLessons::resume);
    connect(answers_, &ClassAnswers::problem, messages_, &WindowMessages::show_past_problem);
    connect(player_, &LessonPlayer::changes_replaced, messages_, [this] {
        messages_->say(
            tr("Your picture made way for the lesson's: Undo brings it back. To keep it in a lesson "
               "of yours: Lessons > This lesson > Change this lesson…"));
    });
    connect_menu();
    actions_.bind(QStringLiteral("lesson_again"), columns_, &WindowColumns::show_begin_where_unfolded);
    actions_.bind(QStringLiteral("lesson_panel"), columns_, [this] { columns_->show_begin(true); });
}

void WindowLessons::add_knobs(LessonPanel& panel) {
    auto* knob = new MechanismForm(document_, QStringLiteral("lesson_knob_"), std::string());
    panel.put_below_text(knob);
    auto* class_knob = new MechanismForm(document_, QStringLiteral("class_knob_"), std::string());
    class_strip_->put_below_text(class_knob);
    for (MechanismForm* form : {knob, class_knob})
        connect(player_, &LessonPlayer::moved, form, [this, form] { form->show_only(player_->knob()); });
}

void WindowLessons::connect_presenter(LessonPanel& panel, Presenter& presenter) {
    connect(&panel, &LessonPanel::present_asked, &presenter, &Presenter::present);
    connect(&presenter, &Presenter::presenting_changed, &panel.question(), &QuestionBox::set_presenting);
    connect(&presenter, &Presenter::notice, messages_, &WindowMessages::say);
    connect(&presenter, &Presenter::notice_over, messages_, &WindowMessages::take_back);
}

void WindowLessons::connect_hand_out(LessonPanel& panel) {
    auto* hand_out = new LessonHandOut(*player_, settings_, window_);
    connect(&panel, &LessonPanel::handout_asked, hand_out, &LessonHandOut::ask_handout);
    connect(&panel, &LessonPanel::page_asked, hand_out, &LessonHandOut::ask_page);
    connect(&panel, &LessonPanel::pictures_asked, hand_out, &LessonHandOut::ask_pictures);
    connect(&panel, &LessonPanel::training_asked, train_, [this](const LessonTraining& training) {
        train_->show_filled_in(training.recipe, training.text);
    });
    connect(hand_out, &LessonHandOut::problem, messages_, &WindowMessages::show_past_problem);
    connect(hand_out, &LessonHandOut::notice, messages_, &WindowMessages::say);
}

void WindowLessons::connect_menu() {
    connect(menu_, &LessonMenu::lesson_asked, this, [this](const std::string& id) { play(open_lesson(id)); });
    connect(menu_, &LessonMenu::folder_asked, this, &WindowLessons::open_folder);
}

void WindowLessons::follow() {
    const bool is_open = player_->is_open();
    panels_->ways().setCurrentIndex(is_open);
    columns_->set_begin_title(is_open ? tr("Lesson") : tr("Begin"));
    withhold();
    messages_->set_lesson_ended(is_open && player_->is_ended());
}

void WindowLessons::withhold() {
    // The last picture of the question's own mechanism still answers it.
    const std::shared_ptr<const Run> run = document_.run();
    const bool is_left = question_->is_put_away() && run && same_run(*run->session, document_.session());
    const bool is_asked = player_->open_question() && !is_left;
    panels_->inspector().withhold(is_asked ? tr("Hidden until you answer.") : QString());
    panels_->notes().withhold(is_asked);
    arithmetic_->withhold(is_asked);
    document_.withhold_answer(is_asked ? std::optional(player_->asked_view()) : std::nullopt);
}

void WindowLessons::remember_column() {
    if (!player_->is_open())
        before_ = columns_->left_state();
}

void WindowLessons::bring_column_back() {
    const auto before = std::exchange(before_, std::nullopt);
    if (!before)
        return;
    WindowColumns::LeftState now = columns_->left_state();
    now.shows_begin = now.shows_begin && before->shows_begin;
    now.is_folded = now.is_folded || before->is_folded;
    columns_->put_back(now);
}

void WindowLessons::leave_for_begin() {
    before_.reset();
    player_->leave();
}

void WindowLessons::play(Lesson lesson) {
    remember_column();
    // A class is asked above the picture, where the column stays folded.
    if (is_for_class(document_.view().theme))
        columns_->show_begin_where_unfolded();
    else
        columns_->show_begin(true);
    messages_->hide_what_was_before();
    player_->open(std::move(lesson));
}

void WindowLessons::resume(const OpenedLesson& lesson, const Session& shown) {
    remember_column();
    columns_->show_begin(true);
    player_->resume(lesson.lesson, lesson.place, shown);
}

void WindowLessons::open_folder() {
    const QString folder = QFileDialog::getExistingDirectory(window_, tr("Open a lesson's folder"));
    if (folder.isEmpty())
        return;
    try {
        play(read_lesson(folder.toStdString()));
    } catch (const Error& error) {
        messages_->show_past_problem(error);
    }
}

QDialog* WindowLessons::make_quiz(const QString& title, std::vector<QuizQuestion> quiz, bool is_course,
                                  GivenAnswer::When when) {
    auto* dialog = new QuizDialog(title, std::move(quiz), is_course, when, *answers_, window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFont(picture_font(document_.view().theme));
    return dialog;
}

QDialog* WindowLessons::make_course_quiz(GivenAnswer::When when) {
    const QString title = when == GivenAnswer::When::before ? tr("Questions before the course")
                                                            : tr("Questions after the course");
    return make_quiz(title, course_quiz(shipped_lessons()), true, when);
}

QDialog* WindowLessons::make_lesson_quiz(GivenAnswer::When when) {
    const Lesson& lesson = player_->lesson();
    const QString title =
        when == GivenAnswer::When::before ? tr("Questions before “%1”") : tr("Questions after “%1”");
    return make_quiz(title.arg(QString::fromStdString(lesson.title)), lesson_quiz(lesson), false, when);
}

QDialog* WindowLessons::make_progress() {
    auto* dialog = new ProgressDialog(*answers_, shipped_lessons(), window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    return dialog;
}

LessonEditor& WindowLessons::editor() {
    if (!editor_) {
        editor_ = new LessonEditor(document_, folder_, window_);
        connect(editor_, &LessonEditor::training_asked, this, &WindowLessons::give_training);
        connect(editor_, &LessonEditor::play_asked, this, [this](const Lesson& lesson) {
            editor_->hide();  // it would lie over the lesson
            play(lesson);
            window_->activateWindow();
            connect(player_, &LessonPlayer::left, editor_, &QWidget::show, Qt::SingleShotConnection);
        });
    }
    return *editor_;
}

void WindowLessons::change_lesson() {
    if (!player_->is_open())
        return;
    bring_to_front(editor());
    editor_->change(player_->lesson(), player_->step(), player_->state());
}

void WindowLessons::give_training() {
    const TrainWindow* window = train_->window();
    if (!window || !window->isVisible()) {
        train_->show();
        editor_->say(tr("Set the window for training to what the class is to start, and leave it open; then "
                        "press Add a training again."));
        return;
    }
    const auto& asked = train_->window()->form().asked();
    if (asked && asked->own)
        editor_->say(tr("A mechanism of your own is on this computer alone: choose one of the catalogue."));
    else if (asked)
        editor_->take_training({*asked, train_->window()->form().text()});
    else
        editor_->say(tr("What the window for training is set to cannot be trained."));
}

}  // namespace headlight

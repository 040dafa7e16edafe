// The first minute: what a first start shows, and where each way of the Begin column leads.

#include "ui/panels/main_window.h"

#include "core/io/first_example.h"
#include "core/io/mechanism_example.h"
#include "core/lesson/lesson_file.h"
#include "core/lesson/shipped_lessons.h"
#include "ui/actions/shortcuts.h"
#include "ui/lesson/class_answers.h"
#include "ui/lesson/class_strip.h"
#include "ui/lesson/lesson_editor.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/lesson/presenter.h"
#include "ui/lesson/progress_dialog.h"
#include "ui/lesson/question_box.h"
#include "ui/lesson/quiz_dialog.h"
#include "ui/models/fitting_knobs.h"
#include "ui/models/open_file.h"
#include "ui/panels/begin_panel.h"
#include "ui/panels/file_actions.h"
#include "ui/panels/full_screen.h"
#include "ui/panels/inspector_panel.h"
#include "ui/panels/lesson_hand_out.h"
#include "ui/panels/lesson_menu.h"
#include "ui/panels/mechanism_form.h"
#include "ui/panels/mechanism_notes.h"
#include "ui/panels/model_panel.h"
#include "ui/panels/panel_area.h"
#include "ui/panels/player_bar.h"
#include "ui/panels/player_keys.h"
#include "ui/panels/sequence_panel.h"
#include "ui/panels/theme.h"
#include "ui/panels/train_action.h"
#include "ui/panels/train_window.h"
#include "ui/panels/training_form.h"
#include "ui/panels/view_tabs.h"
#include "ui/panels/window_columns.h"
#include "ui/panels/window_messages.h"
#include "ui/views/arithmetic_line.h"

#include <QFileDialog>
#include <QStackedWidget>

namespace headlight {
namespace {

/// A stop of the tour: the mechanism on its own example, as its page of the catalogue shows it, with numbers
/// in cells and colours that mean the same at every stop.
Session stop_at(const std::string& id, const Session& now) {
    Session session = mechanism_example(mechanism(id));
    session.exported.reset();
    session.view.theme = now.view.theme;
    session.figure.range = now.figure.range;
    session.figure.values_in_cells = true;
    return session;
}

}  // namespace

void MainWindow::build_begin() {
    lessons_ = new LessonMenu(this);
    auto* begin = new BeginPanel(*lessons_);
    auto* ways = new QStackedWidget;
    ways->addWidget(new PanelArea(begin));
    auto* lesson = new LessonPanel(*lesson_, *document_, *answers_);
    addActions(lesson->ways());
    question_ = &lesson->question();
    class_strip_->follow(*question_);
    connect(class_strip_, &ClassStrip::focus_returned, this,
            [this] { views_->currentWidget()->setFocus(Qt::OtherFocusReason); });
    player_->keys().give_way_to(*question_);
    auto* knob = new MechanismForm(*document_, QStringLiteral("lesson_knob_"), std::string());
    lesson->put_below_text(knob);
    auto* class_knob = new MechanismForm(*document_, QStringLiteral("class_knob_"), std::string());
    class_strip_->put_below_text(class_knob);
    for (MechanismForm* form : {knob, class_knob})
        connect(lesson_, &LessonPlayer::moved, form, [this, form] { form->show_only(lesson_->knob()); });
    auto* presenter = new Presenter(*lesson_, this);
    lesson->fill_menu(lessons_->this_lesson(), presenter->over_picture());
    connect(lesson_, &LessonPlayer::moved, lessons_, [this] { lessons_->set_open(lesson_->is_open()); });
    connect(lesson, &LessonPanel::present_asked, presenter, &Presenter::present);
    connect(presenter, &Presenter::presenting_changed, question_, &QuestionBox::set_presenting);
    auto* hand_out = new LessonHandOut(*lesson_, settings_, this);
    connect(lesson, &LessonPanel::handout_asked, hand_out, &LessonHandOut::ask_handout);
    connect(lesson, &LessonPanel::page_asked, hand_out, &LessonHandOut::ask_page);
    connect(lesson, &LessonPanel::pictures_asked, hand_out, &LessonHandOut::ask_pictures);
    connect(lesson, &LessonPanel::training_asked, train_, [this](const LessonTraining& training) {
        train_->show_filled_in(training.recipe, training.text);
    });
    connect(hand_out, &LessonHandOut::problem, messages_, &WindowMessages::show_past_problem);
    connect(hand_out, &LessonHandOut::notice, messages_, &WindowMessages::say);
    connect(presenter, &Presenter::notice, messages_, &WindowMessages::say);
    connect(presenter, &Presenter::notice_over, messages_, &WindowMessages::take_back);
    const auto show_picture = [this, presenter] {
        QWidget* picture = views_->picture();
        presenter->set_picture(picture ? picture : views_->currentWidget());
    };
    connect(views_, &ViewTabs::picture_changed, presenter, show_picture);
    show_picture();
    connect(presenter, &Presenter::full_screen_asked, this, [this] { full_screen_->action()->trigger(); });
    ways->addWidget(lesson);
    ways_ = ways;
    columns_->add_begin(QStringLiteral("begin_dock"), tr("Begin"), ways);
    connect(lesson_, &LessonPlayer::moved, ways, [this, ways] {
        ways->setCurrentIndex(lesson_->is_open());
        columns_->set_begin_title(lesson_->is_open() ? tr("Lesson") : tr("Begin"));
        inspector_->withhold(lesson_->open_question() ? tr("Hidden until you answer.") : QString());
        notes_->withhold(lesson_->open_question());
        arithmetic_->withhold(lesson_->open_question());
        place_messages();
        document_->withhold_answer(lesson_->open_question() ? std::optional(lesson_->asked_view())
                                                            : std::nullopt);
    });
    const auto leave = [this] { columns_->show_begin(false); };
    connect(begin, &BeginPanel::panels_asked, this, leave);
    connect(begin, &BeginPanel::first_example_asked, this, [this] {
        Session first = first_example();
        first.view.theme = document_->session().view.theme;
        document_->edit(tr("Three words"), std::move(first));
        // Where it is shown already nothing else would answer the click.
        messages_->say(
            tr("Three words at their first stage. %1 shows the next one; point at a cell for its numbers.")
                .arg(key_text(QStringLiteral("play_forward"))));
    });
    connect_lessons();
    connect(begin, &BeginPanel::mechanism_asked, this, [this, leave](const std::string& id) {
        document_->edit(tr("A stop of the tour"), stop_at(id, document_->session()));
        leave();
    });
    connect(begin, &BeginPanel::model_asked, this, [this, leave](const QString& name) {
        model_->open_model(name);
        leave();
    });
    connect(begin, &BeginPanel::training_asked, train_, &TrainAction::show);
    connect(begin, &BeginPanel::own_text_asked, this, [this, leave] {
        // Three dimensions are for checking by hand. A sentence of one's own has the usual number.
        Session next = on_its_mechanism(document_->session());
        next.sequence.file = nullptr;
        next.sequence.image = {};
        next.sequence.vectors.dimension = example_session().sequence.vectors.dimension;
        // What looks at what, not the vectors at which the three words begin.
        next.view.selection.stage = "weights";
        document_->edit(tr("A sentence of your own"), with_fitting_knobs(std::move(next)));
        leave();
        sequence_->choose_text();
    });
    connect(begin, &BeginPanel::file_asked, files_, &FileActions::ask_open);
    connect(files_, &FileActions::opened, this, [this] { columns_->show_begin(lesson_->is_open()); });
}

void MainWindow::connect_lessons() {
    connect(lesson_, &LessonPlayer::left, messages_, &WindowMessages::hide_what_was_before);
    connect(lesson_, &LessonPlayer::guessed, answers_, &ClassAnswers::add);
    connect(lesson_, &LessonPlayer::moved, this, &MainWindow::show_title);
    connect(lesson_, &LessonPlayer::moved, messages_,
            [this] { messages_->set_lesson_ended(lesson_->is_open() && lesson_->is_ended()); });
    connect(lesson_, &LessonPlayer::leave_asked, files_, &FileActions::leave_lesson);
    connect(files_, &FileActions::lesson_opened, this, &MainWindow::resume_lesson);
    connect(lessons_, &LessonMenu::lesson_asked, this,
            [this](const std::string& id) { play_lesson(open_lesson(id)); });
    connect(lessons_, &LessonMenu::folder_asked, this, [this] {
        const QString folder = QFileDialog::getExistingDirectory(this, tr("Open a lesson's folder"));
        if (folder.isEmpty())
            return;
        try {
            play_lesson(read_lesson(folder.toStdString()));
        } catch (const Error& error) {
            messages_->show_past_problem(error);
        }
    });
    connect(lessons_, &LessonMenu::editor_asked, this, &MainWindow::show_lesson_editor);
    connect(lessons_, &LessonMenu::quiz_asked, this, [this](GivenAnswer::When when) {
        const QString title = when == GivenAnswer::When::before ? tr("Questions before the course")
                                                                : tr("Questions after the course");
        QuizDialog quiz(title, course_quiz(shipped_lessons()), true, when, *answers_, this);
        quiz.setFont(picture_font(*theme_));
        quiz.exec();
    });
    connect(lessons_, &LessonMenu::progress_asked, this,
            [this] { ProgressDialog(*answers_, shipped_lessons(), this).exec(); });
}

void MainWindow::play_lesson(Lesson lesson) {
    // A class is asked above the picture, where the column stays folded.
    if (is_for_class())
        columns_->show_begin_where_unfolded();
    else
        columns_->show_begin(true);
    messages_->hide_what_was_before();
    lesson_->open(std::move(lesson));
}

void MainWindow::resume_lesson(const OpenedLesson& lesson, const Session& shown) {
    columns_->show_begin(true);
    lesson_->resume(lesson.lesson, lesson.place, shown);
}

void MainWindow::show_lesson_editor() {
    if (!lesson_editor_) {
        lesson_editor_ = new LessonEditor(*document_, data_folder_, this);
        connect(lesson_editor_, &LessonEditor::training_asked, this, &MainWindow::give_training);
        connect(lesson_editor_, &LessonEditor::play_asked, this, [this](const Lesson& lesson) {
            lesson_editor_->hide();  // it would lie over the lesson
            play_lesson(lesson);
            activateWindow();
            connect(lesson_, &LessonPlayer::left, lesson_editor_, &QWidget::show, Qt::SingleShotConnection);
        });
    }
    lesson_editor_->show();
    lesson_editor_->raise();
    lesson_editor_->activateWindow();
}

void MainWindow::give_training() {
    const TrainWindow* window = train_->window();
    if (!window || !window->isVisible()) {
        train_->show();
        lesson_editor_->say(
            tr("Set the window for training to what the class is to start, and leave it open; then "
               "press Add a training again."));
        return;
    }
    if (const auto& asked = train_->window()->form().asked())
        lesson_editor_->take_training({*asked, train_->window()->form().text()});
    else
        lesson_editor_->say(tr("What the window for training is set to cannot be trained."));
}

}  // namespace headlight

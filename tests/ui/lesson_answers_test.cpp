#include "tests/ui/answers_support.h"
#include "tests/ui/lesson_support.h"
#include "ui/lesson/options_box.h"

#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QSlider>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace headlight::lesson_answers_test {

/// The answers of a lesson: what is said of a guess, and what must not give an answer away before it.
class LessonAnswersTest : public GuessedLessonTest {
    Q_OBJECT
private slots:
    void a_guess_is_judged_and_the_answer_stands_once() {
        open("similarity");
        press("lesson_next");
        guess_option(1);
        QTRY_VERIFY2(
            verdict().startsWith(QStringLiteral("Not quite: you said “with king”. Answer: “with bread”. ")),
            qPrintable(verdict()));
        press("lesson_next");
        auto* slider = test_->find<QSlider>("lesson_weight");
        slider->setValue(slider->maximum());
        press("lesson_guess");
        QTRY_VERIFY(verdict().startsWith(QLatin1String("Not quite: you said 1.00. Answer: 0.")));
        const QString answer = verdict().section(QLatin1String("Answer: "), 1).left(5);
        QVERIFY2(answer.endsWith(u'.'), "as many digits as the guess and the narrow cells of the picture");
        QCOMPARE(verdict().count(answer.left(4)), 1);
        QVERIFY2(verdict().contains(QLatin1String("A guess within 0.10 is right.")), qPrintable(verdict()));
        press("lesson_back");
        test_->find<QSlider>("lesson_weight")
            ->setValue(int(std::lround(100 * answer.left(4).toDouble()) - 5));
        press("lesson_guess");
        QTRY_VERIFY2(verdict().startsWith(QLatin1String("Right: you said 0.")), qPrintable(verdict()));
    }

    void who_goes_on_at_once_is_judged_nevertheless() {
        auto* answers = test_->window().findChild<ClassAnswers*>();
        open("similarity");
        player().go_on();
        player().answer({Guess{.option = 2}});
        player().go_on();  // the weight is asked
        player().answer({Guess{.number = 1}});
        player().go_on();
        QVERIFY2(!player().result(1), "nothing was worked out yet");
        QTRY_COMPARE(answers_of(*answers).size(), std::size_t(2));
        QVERIFY(answers_of(*answers)[0].is_right && !answers_of(*answers)[1].is_right);
        QCOMPARE(player().result(1), std::optional(true));
        QCOMPARE(player().result(2), std::optional(false));
        QTRY_VERIFY(!said().isEmpty());

        player().go_back();
        player().go_back();
        player().answer({Guess{.number = 0}});
        player().repeat();
        QTRY_COMPARE(answers_of(*answers).size(), std::size_t(3));
        QVERIFY2(!player().result(2), "of the time before");

        player().go_on();
        player().answer({Guess{.option = 0}});
        player().leave();
        QTRY_COMPARE(answers_of(*answers).size(), std::size_t(4));
        QCOMPARE(answers_of(*answers)[3].question, std::size_t(1));
    }

    void no_note_answers_a_question() {
        open("bahdanau");
        const auto* note = test_->find<QLabel>("mechanism_look_for");
        player().go_on();
        player().go_on();  // it reads the sentence that is asked about
        QTRY_VERIFY2((note->text() + note->toolTip()).contains(QLatin1String("chat noir")),
                     "all of the answer");
        QVERIFY(note->isVisible());
        while (player().step() != 3) {
            player().go_on();
            QTRY_VERIFY(!test_->document().is_running());
        }
        QCOMPARE(player().open_question()->kind, Question::Kind::word);
        QVERIFY(!note->isVisible());
        press("lesson_show_answer");
        QVERIFY(note->isVisible());
    }

    void a_map_that_is_asked_about_has_its_arrows_with_the_answer() {
        open("bahdanau");
        QVERIFY(player().open_question());
        const auto has_weights = [this] {
            const Flow& flow = *test_->document().figure(ViewKind::map)->panels.front().flow;
            return std::ranges::any_of(flow.edges,
                                       [](const Flow::Edge& edge) { return edge.weight.has_value(); });
        };
        QVERIFY(!has_weights());
        player().answer({Guess{.option = 1}});
        QTRY_VERIFY(player().verdict() && !test_->document().is_running());
        QCOMPARE(test_->session().view.view, ViewKind::map);
        QVERIFY(has_weights());
    }

    void no_other_view_answers_a_question() {
        open("softmax");
        QVERIFY(player().open_question());
        const auto titles = [this] {
            std::string all;
            for (const Panel& panel : test_->document().figure(ViewKind::text)->panels)
                all += panel.title + '|' + panel.subtitle;
            return all;
        };
        const ViewState asked = test_->document().view();
        test_->document().looking().look_at(in_view(asked, ViewKind::text));
        QCOMPARE(titles(), std::string("Hidden until you answer.|"));
        player().answer({Guess{.query = 8, .key = 8}});
        QTRY_VERIFY(!player().open_question() && !test_->document().is_running());
        QVERIFY2(titles().find("looks most at") != std::string::npos, titles().c_str());

        open("bahdanau");
        while (player().step() != 3) {
            player().go_on();
            QTRY_VERIFY(!test_->document().is_running());
        }
        QVERIFY(player().open_question());
        const auto text = [this] { return test_->document().figure(ViewKind::text)->panels.front(); };
        QCOMPARE(text().column_axis.labels, (std::vector<std::string>{"le", "chat"}));
        QCOMPARE(test_->document().figure(ViewKind::heatmap)->panels.front().newest_row,
                 std::optional<Index>(1));
        press("lesson_show_answer");
        QVERIFY(text().column_axis.labels.size() > 2);
    }

    void next_shows_no_answer() {
        open("similarity");
        auto* next = test_->find<QPushButton>("lesson_next");
        next->setFocus();
        press("lesson_next");
        QTRY_VERIFY(test_->find("lesson_question")->isVisible());
        QCOMPARE(next->text(), QStringLiteral("&Next"));
        QVERIFY(!next->isEnabled());
        QTest::mouseClick(next, Qt::LeftButton);
        QVERIFY2(player().open_question(), "a second press where Next was shows no answer");
        QVERIFY2(test_->find("lesson_option_1")->hasFocus(), "whoever went on answers");
        guess_option(3);
        QVERIFY(next->isEnabled() && next->hasFocus());
        QTest::keyClick(next, Qt::Key_Space);
        QTRY_VERIFY(test_->find("lesson_weight")->isVisible());
        QVERIFY(test_->find("lesson_weight")->hasFocus());
        press("lesson_show_answer");
        QTRY_VERIFY2(verdict().startsWith(QLatin1String("Answer: 0.")), qPrintable(verdict()));
        QVERIFY(!test_->find("lesson_show_answer")->isVisible());
    }

    void a_guess_needs_no_second_press() {
        open("similarity");
        press("lesson_next");
        QTRY_VERIFY(test_->find("lesson_question")->isVisible());
        QTest::keyClick(&test_->window(), Qt::Key_PageDown);
        guess_option(3);
        QVERIFY(!player().open_question() && !player().is_answer_next());
        QVERIFY(!test_->find("lesson_answer_next")->isVisible());
    }

    void a_circle_lies_level_with_the_first_line_of_its_answer() {
        Question question;
        question.options = {"yes", "no"};
        OptionsBox box(question);
        QFont large = box.font();
        large.setPixelSize(40);
        box.setFont(large);
        box.resize(600, box.sizeHint().height());
        box.show();
        const auto* circle = box.findChild<QRadioButton*>(QStringLiteral("lesson_option_1"));
        const auto* words = box.findChild<QLabel*>();
        QTRY_VERIFY(words->height() >= words->fontMetrics().height());
        QVERIFY(std::abs(circle->geometry().center().y() - words->geometry().center().y()) <= 1);
    }

    void a_guess_reads_from_left_to_right_whatever_its_words() {
        Lesson lesson = *std::ranges::find(shipped_lessons(), "softmax", &Lesson::id);
        lesson.steps.resize(1);
        LessonStep& step = lesson.steps.front();
        step.texts.assign(step.texts.size(), "Look.");
        for (Session& state : step.states) {
            state.sequence.query_text = "שלום עולם";
            state.view.selection.query = 0;
            state.view.selection.key = 1;
        }
        step.question->query = "שלום";
        step.question->because = "It is so.";
        player().open(lesson);
        const auto guessed = [this] { return test_->find<QLabel>("lesson_cell")->text(); };
        QTRY_COMPARE(guessed(), QStringLiteral("\u2068שלום\u2069 looks at \u2068עולם\u2069"));
        Selection selection = test_->session().view.selection;
        selection.query = 1;
        test_->document().looking().select(selection);
        QCOMPARE(guessed(), QStringLiteral("Choose a cell in the row of “\u2068שלום\u2069”."));
    }

    void the_frame_marks_the_guess_then_the_answer() {
        open("softmax");
        const auto cell = [this] {
            const Selection& selection = test_->session().view.selection;
            return std::pair(selection.query, selection.key);
        };
        const auto guessed = [this] { return test_->find<QLabel>("lesson_cell")->text(); };
        QTRY_COMPARE(guessed(), QStringLiteral("it looks at animal"));
        QVERIFY2(test_->find("lesson_guess")->isEnabled(), "the cell in the frame is a guess");
        Selection selection = test_->session().view.selection;
        selection.key = 3;
        test_->document().looking().select(selection);
        QCOMPARE(guessed(), QStringLiteral("it looks at not"));
        selection.query = 2;
        test_->document().looking().select(selection);
        QCOMPARE(guessed(), QStringLiteral("Choose a cell in the row of “it”."));
        QVERIFY(!test_->find("lesson_guess")->isEnabled());
        selection.query = 8;
        test_->document().looking().select(selection);
        press("lesson_guess");
        QTRY_VERIFY2(
            verdict().startsWith(QStringLiteral("Not quite: you said “not”. Answer: “it”, weight 0.21. ")),
            qPrintable(verdict()));
        QCOMPARE(cell(), std::pair(Index(8), Index(8)));
        press("lesson_next");  // the step goes on, and its answer is still the same
        QTRY_VERIFY(player().verdict());
        QCOMPARE(cell(), std::pair(Index(8), Index(8)));
    }

    void a_knob_can_be_turned_once_the_question_is_answered() {
        open("softmax");
        while (player().step() == 0)
            player().go_on();
        QVERIFY(player().open_question());
        QVERIFY2(!temperature(), "it would answer the question");
        press("lesson_show_answer");
        QTRY_VERIFY(temperature() && temperature()->isVisible());
        const double before = weight_of_itself();
        temperature()->setValue(temperature()->minimum());
        QTRY_VERIFY(!test_->document().is_running() && weight_of_itself() > before);
        press("lesson_again");
        QCOMPARE(std::get<double>(test_->session().values.at("temperature")), 0.25);
        player().leave();
        QVERIFY(!temperature());
    }

private:
    /// The slider of the lesson's knob; nullptr where it has none.
    QSlider* temperature() {
        return test_->window().findChild<QSlider*>(QStringLiteral("lesson_knob_temperature_slider"));
    }
    /// In the row of "it" of lesson 2.
    double weight_of_itself() {
        const Trace& trace = *test_->document().run()->trace;
        return trace.matrix(*trace.find("weights"), 0)[8 * 12 + 8];
    }
};

QTEST_MAIN(LessonAnswersTest)

}  // namespace headlight::lesson_answers_test

#include "lesson_answers_test.moc"

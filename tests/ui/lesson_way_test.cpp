#include "core/io/files.h"
#include "core/io/session.h"
#include "tests/ui/answers_support.h"
#include "tests/ui/lesson_support.h"
#include "ui/lesson/options_box.h"

#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRadioButton>
#include <QSlider>
#include <QTabBar>
#include <QTextBrowser>

#include <cstdlib>
#include <set>

namespace headlight::lesson_way_test {

/// The way through a lesson: what is said of a guess, where the focus goes, the end, and how one gets there.
class LessonWayTest : public GivenLessonTest {
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

    void a_file_that_was_opened_meanwhile_ends_the_lesson() {
        Session mine = test_->session();
        mine.sequence.query_text = "a file of mine";
        const QString file = test_->file(QStringLiteral("mine.json"));
        write_file_atomically(file.toStdString(), write_session(mine));
        open("similarity");
        test_->window().files().open_path(file);
        QTRY_COMPARE(test_->session().sequence.query_text, std::string("a file of mine"));
        QVERIFY(!player().is_open());
        QCOMPARE(test_->window().files().file(), file);
        QVERIFY2(same_edits(test_->session(), mine), "it would be saved over by what was there before");
        QVERIFY2(!test_->window().isWindowModified(), "it is as it was saved");
        open("softmax");
        player().leave();
        QVERIFY(!test_->window().isWindowModified());
        Session other = mine;
        other.sequence.query_text = "what was not saved";
        test_->document().edit({"another text", other});
        open("softmax");
        player().leave();
        QVERIFY2(test_->window().isWindowModified(), "it was not saved before the lesson");
    }

    void the_signs_of_a_model_are_explained() {
        open("bahdanau");
        QVERIFY2(test_->session().view.view == ViewKind::map, "where in the model one is comes first");
        player().go_on();
        QTRY_VERIFY2(said().contains(QLatin1String("</s>: no word, but the sign for the end")),
                     qPrintable(said()));
        Selection selection = test_->session().view.selection;
        selection.stage = "weights";
        selection.query = 6;  // behind the last word
        test_->document().looking().select(selection);
        const auto notes = [this] { return test_->find<QLabel>("inspector-notes")->text(); };
        QTRY_VERIFY2(notes().contains(QStringLiteral("“</s>” is the sign for the end of a text.")),
                     qPrintable(notes()));
        selection.query = 5;
        test_->document().looking().select(selection);
        QTRY_VERIFY2(!notes().contains(QLatin1String("is the sign for")), qPrintable(notes()));
    }

    void no_note_answers_a_question() {
        open("bahdanau");
        const auto* note = test_->find<QLabel>("mechanism_look_for");
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

    void the_key_stops_once_at_a_question() {
        open("similarity");
        press("lesson_next");
        const auto* told = test_->find<QLabel>("lesson_answer_next");
        QTRY_VERIFY(test_->find("lesson_question")->isVisible());
        const auto press_key = [this](Qt::Key key) { QTest::keyClick(&test_->window(), key); };
        press_key(Qt::Key_PageDown);
        QVERIFY2(player().open_question(), "nobody has asked for the answer yet");
        QVERIFY(told->isVisible());
        QCOMPARE(told->text(), QStringLiteral("PgDown once more shows the answer."));
        // Who did not want it goes back to the question, not to what was before it.
        press_key(Qt::Key_PageUp);
        QVERIFY(player().open_question() && !told->isVisible());
        press_key(Qt::Key_PageDown);
        QVERIFY(player().open_question() && told->isVisible());
        press_key(Qt::Key_PageDown);
        QVERIFY(!player().open_question() && !player().is_answer_next());
        QVERIFY(!told->isVisible());
        QTRY_VERIFY2(verdict().startsWith(QLatin1String("Answer:")), qPrintable(verdict()));
        press_key(Qt::Key_PageDown);
        QTRY_VERIFY2(player().open_question() && !told->isVisible(), "the next one is asked in the same way");
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

    void tab_goes_from_what_is_asked_to_the_ways_on() {
        open("similarity");
        press("lesson_next");
        QTRY_VERIFY(test_->find("lesson_option_1")->isVisible());
        const auto stops_from_counting = [this](int count) {
            test_->find("lesson_counting")->setFocus();
            QStringList stops;
            for (int stop = 0; stop < count; ++stop) {
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
                stops += QApplication::focusWidget()->objectName();
            }
            return stops.join(u' ');
        };
        QCOMPARE(stops_from_counting(3), QStringLiteral("lesson_show_answer lesson_back lesson_present"));
        test_->find<QAbstractButton>("lesson_counting")->click();
        QCOMPARE(stops_from_counting(4),
                 QStringLiteral("lesson_hands_1 lesson_hands_2 lesson_hands_3 lesson_show_answer"));
        press("lesson_show_answer");
        press("lesson_next");
        QTRY_VERIFY(test_->find("lesson_weight")->isVisible());
        QCOMPARE(stops_from_counting(1), QStringLiteral("lesson_show_answer"));  // nothing is guessed yet
        test_->find<QSlider>("lesson_weight")->setValue(40);
        QCOMPARE(stops_from_counting(2), QStringLiteral("lesson_hands lesson_show_answer"));
    }

    void no_letter_is_underlined_twice() {
        open("similarity");
        look_for_letters("text");
        press("lesson_next");
        look_for_letters("question");
        while (!player().is_ended())
            test_->trigger("lesson_next");
        look_for_letters("end");
        open("hard");
        while (!player().training())
            test_->trigger("lesson_next");
        look_for_letters("training");
        for (const char* id : {"lesson_menu", "this_lesson_menu"}) {
            std::set<QString> taken;
            for (const QAction* entry : test_->find<QMenu>(id)->actions())
                take_letter(taken, entry->text(), id);
        }
    }

    void a_digit_of_the_menu_opens_its_lesson() {
        auto* menu = test_->find<QMenu>("lesson_menu");
        menu->popup(QPoint(0, 0));
        QTRY_VERIFY(menu->isVisible());
        QTest::keyClick(menu, Qt::Key_2);
        QTRY_VERIFY(player().is_open());
        QCOMPARE(player().lesson().id, shipped_lessons()[1].id);
    }

    void a_menu_has_what_can_be_done_in_the_lesson() {
        auto* menu = test_->find<QMenu>("this_lesson_menu");
        QVERIFY2(!menu->menuAction()->isVisible(), "no lesson is open");
        test_->trigger("theme_projector");
        auto* lessons = test_->find<QMenu>("lesson_menu");
        emit lessons->aboutToShow();
        lessons->actions().constFirst()->trigger();
        QTRY_VERIFY(player().is_open() && !test_->document().is_running());
        QVERIFY2(!test_->find("lesson_text")->isVisible(), "the panels are away");
        QVERIFY(menu->menuAction()->isVisible() && lessons->actions().contains(menu->menuAction()));
        const auto entry = [menu](const char* id) {
            for (QAction* each : menu->actions())
                if (each->objectName() == QLatin1String(id))
                    return each;
            return static_cast<QAction*>(nullptr);
        };
        for (const char* id :
             {"lesson_next", "lesson_back", "lesson_show_answer", "lesson_counting", "lesson_present",
              "presenter_black", "presenter_notes", "lesson_again", "lesson_panel", "lesson_leave"})
            QVERIFY2(entry(id), id);
        QVERIFY(menu->actions().contains(test_->find<QPushButton>("lesson_hand_out")->menu()->menuAction()));
        QCOMPARE(entry("lesson_next")->shortcut(), QKeySequence(Qt::Key_PageDown));
        QVERIFY(!entry("lesson_show_answer")->isEnabled() && !entry("lesson_counting")->isEnabled());
        while (player().step() == 0)  // page by page
            entry("lesson_next")->trigger();
        QTRY_VERIFY(player().open_question());
        QVERIFY(entry("lesson_counting")->isEnabled());
        entry("lesson_show_answer")->trigger();
        QVERIFY(!player().open_question());
        entry("lesson_leave")->trigger();
        QTRY_VERIFY(!player().is_open());
        QVERIFY(!menu->menuAction()->isVisible());
    }

    void who_chooses_no_mechanism_is_back_in_the_lesson_data() {
        QTest::addColumn<bool>("is_folded");
        QTest::newRow("beside the picture") << false;
        QTest::newRow("in a column that is folded") << true;
    }
    void who_chooses_no_mechanism_is_back_in_the_lesson() {
        QFETCH(bool, is_folded);
        open("softmax");
        auto* text = test_->find("lesson_text");
        text->setFocus();
        if (is_folded)
            test_->trigger("fold_left");
        test_->trigger("choose_mechanism");
        auto* search = test_->find("mechanism_search");
        QVERIFY(search->isVisible() && test_->find("mechanism_dock")->isVisible());
        QVERIFY(!text->isVisible());
        QTest::keyClick(search, Qt::Key_Escape);
        QTRY_VERIFY(!test_->find("mechanism_dock")->isVisible());
        QCOMPARE(text->isVisible(), !is_folded);
        QCOMPARE(test_->find("unfold_left")->isVisible(), is_folded);
        if (!is_folded)
            QCOMPARE(test_->window().focusWidget(), text);
        QVERIFY(player().is_open() && player().shows_own_figure());
    }

    void there_is_a_way_back_to_the_panel_data() {
        QTest::addColumn<QByteArray>("way");
        QTest::addColumn<bool>("shows_own_figure");
        QTest::newRow("its panel") << QByteArray("lesson_panel") << false;
        QTest::newRow("all of it") << QByteArray("lesson_again") << true;
    }
    void there_is_a_way_back_to_the_panel() {
        QFETCH(QByteArray, way);
        QFETCH(bool, shows_own_figure);
        open("softmax");
        const std::string before = test_->session().mechanism;
        test_->trigger("choose_mechanism");
        auto* search = test_->find("mechanism_search");
        QTest::keyClicks(search, QStringLiteral("multi"));
        QTest::keyClick(search, Qt::Key_Return);
        QTRY_VERIFY(test_->session().mechanism != before && !test_->document().is_running());
        QCoreApplication::processEvents();
        QVERIFY2(test_->find("mechanism_dock")->isVisible(), "its knobs are wanted next");
        test_->trigger(way.constData());
        QVERIFY(test_->find("lesson_text")->isVisible());
        QVERIFY(!test_->find("mechanism_dock")->isVisible());
        QCOMPARE(player().shows_own_figure(), shows_own_figure);
    }

    void it_has_an_end_and_a_next_one() {
        open("similarity");
        press("lesson_next");
        guess_option(3);
        QTRY_VERIFY(player().verdict());
        press("lesson_next");
        press("lesson_show_answer");
        press("lesson_next");
        QVERIFY(player().is_last());
        QVERIFY(!test_->find("lesson_following")->isVisible());
        press("lesson_next");
        QVERIFY(player().is_ended());
        QVERIFY2(said().contains(QStringLiteral("Lesson 1 of %1 is done.").arg(shipped_lessons().size())),
                 qPrintable(said()));
        QVERIFY2(said().contains(QLatin1String("Right: 1 of 1 guesses, of 2 questions.")),
                 qPrintable(said()));
        QVERIFY(!test_->find("lesson_verdict")->isVisible());
        QVERIFY(!test_->find("lesson_next")->isEnabled());
        auto* following = test_->find<QAbstractButton>("lesson_following");
        QTRY_VERIFY(following->hasFocus());
        QCOMPARE(following->text(),
                 QStringLiteral("Next lesson: %1").arg(QString::fromStdString(shipped_lessons()[1].title)));

        press("lesson_back");
        QVERIFY(player().is_last() && !player().is_ended());
        QVERIFY(!following->isVisible());
        press("lesson_next");
        press("lesson_repeat");
        QVERIFY(player().is_first() && !player().result(1));
        while (!player().is_ended())
            test_->trigger("lesson_next");
        following->click();
        QTRY_COMPARE(player().lesson().id, shipped_lessons()[1].id);
        while (!player().is_ended())
            test_->trigger("lesson_next");
        press("lesson_to_begin");
        QVERIFY(test_->find("begin_lessons")->isVisible());
    }

    void the_last_one_has_none_behind_it() {
        open(shipped_lessons().back().id);
        while (!player().is_ended())
            test_->trigger("lesson_next");
        QVERIFY(!test_->find("lesson_following")->isVisible());
        QTRY_VERIFY(test_->find("lesson_repeat")->hasFocus());
    }

    void the_key_of_begin_leaves_a_lesson() {
        const Session before = test_->session();
        open("similarity");
        press("lesson_next");
        test_->trigger("only_picture");
        QTest::keyClick(&test_->window(), Qt::Key_Home, Qt::ControlModifier);
        QVERIFY(!player().is_open());
        QTRY_VERIFY(test_->find("begin_lessons")->isVisible());
        QVERIFY(same_edits(test_->session(), before));
    }

    void the_panels_that_were_open_are_there_again() {
        const auto is_seen = [this](const char* id) { return test_->find(id)->isVisible(); };
        press("begin_close");
        QTRY_VERIFY(is_seen("sequence_dock"));
        open("softmax");
        QVERIFY(!is_seen("sequence_dock"));
        press("lesson_leave");
        QTRY_VERIFY(is_seen("sequence_dock"));
        QVERIFY(!is_seen("begin_dock"));
        // Who asks for the ways into the program gets them.
        open("softmax");
        QTest::keyClick(&test_->window(), Qt::Key_Home, Qt::ControlModifier);
        QVERIFY(!player().is_open());
        QTRY_VERIFY(is_seen("begin_lessons"));
        press("begin_close");
        open("softmax");
        while (!player().is_ended())
            test_->trigger("lesson_next");
        press("lesson_to_begin");
        QVERIFY(!player().is_open());
        QTRY_VERIFY(is_seen("begin_lessons"));
        // A column that was folded is folded.
        press("begin_close");
        test_->trigger("fold_left");
        open("softmax");
        press("lesson_leave");
        QTRY_VERIFY(is_seen("unfold_left"));
        QVERIFY(!is_seen("begin_dock") && !is_seen("sequence_dock"));
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

    void a_menu_leads_to_lessons_too() {
        press("begin_close");
        QVERIFY(!test_->find("begin_lessons")->isVisible());
        auto* lessons = test_->find<QMenu>("lesson_menu");
        QStringList menus;
        for (QAction* each : test_->window().menuBar()->actions()) {
            menus << each->text();
            QVERIFY(each->text() != QLatin1String("&Model") ||
                    each->menu()->actions().contains(test_->find<QAction>("train_model")));
        }
        QCOMPARE(menus.join(u' '), QStringLiteral("&File &Edit &View Figure &Play &Lessons &Model &Help"));
        QVERIFY(test_->window().menuBar()->actions().contains(lessons->menuAction()));
        QCOMPARE(test_->find<QPushButton>("begin_lessons")->menu(), lessons);
        auto* dock = test_->find<QDockWidget>("begin_dock");
        const auto heading = [dock] { return qobject_cast<QLabel*>(dock->titleBarWidget())->text(); };
        QCOMPARE(heading(), QStringLiteral("Begin"));
        open("softmax");
        QVERIFY(dock->isVisible());
        QCOMPARE(heading(), QStringLiteral("Lesson"));
        QCOMPARE(dock->windowTitle(), QStringLiteral("Lesson"));
        press("lesson_leave");
        QCOMPARE(heading(), QStringLiteral("Begin"));
    }

private:
    QString said() { return test_->find<QTextBrowser>("lesson_text")->toPlainText(); }
    QString verdict() { return test_->find<QLabel>("lesson_verdict")->text(); }
    /// The slider of the lesson's knob; nullptr where it has none.
    QSlider* temperature() {
        return test_->window().findChild<QSlider*>(QStringLiteral("lesson_knob_temperature_slider"));
    }
    /// In the row of "it" of lesson 2.
    double weight_of_itself() {
        const Trace& trace = *test_->document().run()->trace;
        return trace.matrix(*trace.find("weights"), 0)[8 * 12 + 8];
    }
    static void take_letter(std::set<QString>& taken, const QString& words, const char* where) {
        const QString letter = QKeySequence::mnemonic(words).toString();
        QVERIFY2(letter.isEmpty() || taken.insert(letter).second,
                 qPrintable(QLatin1String(where) + QStringLiteral(": ") + words));
    }
    void look_for_letters(const char* where) {
        std::set<QString> taken;
        for (const QAction* menu : test_->window().menuBar()->actions())
            take_letter(taken, menu->text(), where);
        for (const QWidget* each : test_->window().findChildren<QWidget*>()) {
            if (!each->isVisible() || each->window() != &test_->window())
                continue;
            if (const auto* button = qobject_cast<const QAbstractButton*>(each))
                take_letter(taken, button->text(), where);
            if (const auto* label = qobject_cast<const QLabel*>(each); label && label->buddy())
                take_letter(taken, label->text(), where);
            if (const auto* tabs = qobject_cast<const QTabBar*>(each))
                for (int tab = 0; tab < tabs->count(); ++tab)
                    take_letter(taken, tabs->tabText(tab), where);
        }
        QVERIFY(taken.size() > 7);
    }
    void guess_option(int option) {
        test_->find<QRadioButton>(qPrintable(QStringLiteral("lesson_option_%1").arg(option)))->click();
        press("lesson_guess");
    }
    void press(const char* id) {
        auto* button = test_->find<QPushButton>(id);
        QVERIFY2(button->isEnabled(), id);
        button->click();
        QTRY_VERIFY(!test_->document().is_running());
    }
};

QTEST_MAIN(LessonWayTest)

}  // namespace headlight::lesson_way_test

#include "lesson_way_test.moc"

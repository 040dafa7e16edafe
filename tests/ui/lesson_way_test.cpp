#include "core/io/files.h"
#include "core/io/session.h"
#include "tests/ui/lesson_support.h"

#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSlider>
#include <QTabBar>

#include <set>

namespace headlight::lesson_way_test {

/// The way through a lesson: where the focus goes, the keys, the end, and how one gets there.
class LessonWayTest : public GuessedLessonTest {
    Q_OBJECT
private slots:
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
        player().go_on();  // the answer, on the same map
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
};

QTEST_MAIN(LessonWayTest)

}  // namespace headlight::lesson_way_test

#include "lesson_way_test.moc"

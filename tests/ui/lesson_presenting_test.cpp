#include "tests/ui/lesson_support.h"
#include "ui/actions/shortcuts.h"
#include "ui/lesson/class_overlay.h"
#include "ui/lesson/class_pen.h"
#include "ui/lesson/presenter.h"
#include "ui/lesson/question_box.h"
#include "ui/panels/view_tabs.h"

#include <QCheckBox>
#include <QCursor>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QSpinBox>
#include <QTabBar>
#include <QTextBrowser>
#include <QToolButton>
#include <QToolTip>
#include <QWindow>

namespace headlight::lesson_presenting_test {

/// A teacher gives a lesson in front of a class: the notes, what lies over the picture, the keys.
class LessonPresentingTest : public GivenLessonTest {
    Q_OBJECT
private slots:
    void a_teacher_presents_it() {
        open("softmax");
        auto* presenter = present();
        // The teacher sees the answer before the class does.
        QTRY_VERIFY(test_->find<QLabel>("presenter_asked")
                        ->text()
                        .contains(QStringLiteral("Answer: “it”, weight 0.21")));
        QVERIFY(!test_->find("lesson_verdict")->isVisible());
        QCOMPARE(test_->find<QLabel>("presenter_coming")->text(), QStringLiteral("Next, twice: the answer"));
        QVERIFY(test_->find<QLabel>("presenter_clock")->text().contains(QLatin1String(" of 10 min")));
        QTest::keyClick(presenter, Qt::Key_PageDown);
        QVERIFY2(player().open_question(), "nobody has asked for the answer yet");
        QCOMPARE(test_->find<QLabel>("presenter_coming")->text(), QStringLiteral("Next: the answer"));
        QTest::keyClick(presenter, Qt::Key_PageDown);
        QTRY_COMPARE(test_->session().view.selection.stage, std::string("exponentials"));

        QTest::keyClick(presenter, Qt::Key_P);
        QTRY_VERIFY(pen() && pen()->isVisible());
        draw();
        QTest::keyClick(presenter, Qt::Key_PageDown);
        QTRY_VERIFY(pen()->strokes().empty());
        QTest::keyClick(presenter, Qt::Key_P);
        QVERIFY(!pen());

        QToolTip::showText(test_->window().geometry().center(), QStringLiteral("a weight"), &test_->window());
        QTRY_VERIFY(QToolTip::isVisible());
        QTest::keyClick(&test_->window(), Qt::Key_B);
        QTRY_VERIFY(overlay().is_black());
        QTRY_VERIFY2(!QToolTip::isVisible(), "it would stay over the black");
        const QImage seen = test_->window().grab().toImage();
        QCOMPARE(seen.pixelColor(seen.rect().center()), QColor(Qt::black));
        QTest::mouseClick(&overlay(), Qt::LeftButton);
        QVERIFY(!overlay().is_black());
        QVERIFY(!test_->find<QAction>("presenter_black")->isChecked());

        QTest::keyClick(&test_->window(), Qt::Key_O);
        QVERIFY(overlay().has_ring());
        presenter->close();
        QVERIFY2(!overlay().has_ring(), "what lay over the picture goes with the notes");
    }

    void black_ring_and_pen_need_no_presenting() {
        QTest::keyClick(&test_->window(), Qt::Key_B);
        QVERIFY2(!overlay().is_black(), "without a lesson there is no class");
        open("similarity");
        QTest::keyClick(&test_->window(), Qt::Key_B);
        QVERIFY(overlay().is_black());
        QTest::keyClick(&test_->window(), Qt::Key_Escape);
        QVERIFY(!overlay().is_black());
        QTest::keyClick(&test_->window(), Qt::Key_O);
        QVERIFY(overlay().has_ring());
        QTest::keyClick(&test_->window(), Qt::Key_P);
        QTRY_VERIFY(pen() && pen()->isVisible());
        QTRY_VERIFY2(test_->message("notice").contains(QLatin1String("The pen is on")),
                     qPrintable(test_->message("notice")));
        QCOMPARE(pen()->cursor().shape(), Qt::BitmapCursor);
        QTest::keyClick(&test_->window(), Qt::Key_Escape);
        QVERIFY(!pen());
        QVERIFY2(test_->message("notice").isEmpty(), "what is said of the pen goes with it");
        QTest::keyClick(&test_->window(), Qt::Key_P);
        QTRY_VERIFY(pen() && pen()->isVisible());
        player().go_on();
        QVERIFY(overlay().has_ring());
        player().leave();
        QVERIFY(!overlay().has_ring() && !pen());
        QVERIFY(!test_->find<QAction>("presenter_black")->isEnabled());
    }

    void keys_answer_the_question_and_change_nothing_else_data() {
        QTest::addColumn<std::string>("lesson");
        QTest::addColumn<int>("parts");  ///< on the way to the question
        QTest::addColumn<QList<Qt::Key>>("keys");
        QTest::addColumn<QString>("verdict");
        using Keys = QList<Qt::Key>;
        QTest::newRow("cell") << std::string("softmax") << 0
                              << Keys{Qt::Key_Up, Qt::Key_3, Qt::Key_Right, Qt::Key_Right}
                              << QStringLiteral("Not quite: you said “not”.");
        QTest::newRow("weight") << std::string("similarity") << 3
                                << Keys{Qt::Key_9, Qt::Key_4, Qt::Key_Right, Qt::Key_Up, Qt::Key_Left}
                                << QStringLiteral("Right: you said 0.41. Answer: 0.42.");
        QTest::newRow("weight of 0") << std::string("similarity") << 3 << Keys{Qt::Key_0}
                                     << QStringLiteral("Not quite: you said 0.00.");
        QTest::newRow("choice") << std::string("similarity") << 1 << Keys{Qt::Key_Down, Qt::Key_Right}
                                << QStringLiteral("Not quite: you said “with queen”.");
        QTest::newRow("word") << std::string("luong") << 1 << Keys{Qt::Key_5}
                              << QStringLiteral("Right: “5”.");
    }
    void keys_answer_the_question_and_change_nothing_else() {
        QFETCH(std::string, lesson);
        QFETCH(int, parts);
        QFETCH(QList<Qt::Key>, keys);
        QFETCH(QString, verdict);
        for (const bool whole : {false, true}) {
            open(lesson);
            for (int part = 0; part < parts; ++part)
                player().go_on();
            QTRY_VERIFY(player().open_question() && !test_->document().is_running());
            test_->find<QAction>("only_picture")->setChecked(whole);
            if (whole)
                read_to_question();
            const Session before = test_->session();
            const auto press = [this](Qt::Key key) {
                // To the picture, as after a click on it; once a word is typed, to its field.
                auto* typed = qobject_cast<QLineEdit*>(QApplication::focusWidget());
                QTest::keyClick(typed ? typed : test_->window().views().picture(), key);
            };
            if (!whole)
                test_->window().views().picture()->setFocus();
            for (const Qt::Key key : keys)
                press(key);
            ViewState view = test_->session().view;
            if (player().open_question()->kind == Question::Kind::cell)
                view.selection.key = before.view.selection.key;  // the frame is the guess
            QVERIFY2(view == before.view, "neither view nor head nor step");
            press(Qt::Key_Return);
            QVERIFY2(!player().open_question(), "Enter gives the guess");
            QTRY_VERIFY(player().verdict());
            QVERIFY2(player().verdict()->judgement().startsWith(verdict),
                     qPrintable(player().verdict()->judgement()));
            test_->find<QAction>("only_picture")->setChecked(false);
        }
    }

    /// What a remote sends is no letter of an answer until somebody goes into its field.
    void a_field_for_a_word_waits_on_the_whole_screen() {
        open("luong");
        player().go_on();
        QTRY_VERIFY(player().open_question());
        test_->find<QAction>("only_picture")->setChecked(true);
        auto* word = test_->find<QLineEdit>("class_word");
        read_to_question();
        QTRY_VERIFY(word->isVisible());
        QVERIFY(!word->hasFocus());
        for (const Qt::Key key : {Qt::Key_B, Qt::Key_Period}) {
            QTest::keyClick(focus(), key);
            QVERIFY(overlay().is_black());
            QTest::keyClick(focus(), key);
            QVERIFY(!overlay().is_black());
        }
        QVERIFY(word->text().isEmpty());
        QTest::keyClick(focus(), Qt::Key_Return);
        QVERIFY(word->hasFocus() && player().open_question());
        QTest::keyClicks(word, QStringLiteral("b5"));
        QCOMPARE(word->text(), QStringLiteral("b5"));
        QVERIFY(!overlay().is_black());
        QTest::keyClick(word, Qt::Key_Return);
        QTRY_VERIFY(player().verdict() && !test_->document().is_running());
        QVERIFY2(!word->hasFocus(), "the keys are the picture's again");
        const ViewState before = test_->session().view;
        QTest::keyClick(focus(), Qt::Key_Left);
        QVERIFY(test_->session().view != before);
        QTest::keyClick(focus(), Qt::Key_Right);
        QCOMPARE(test_->session().view.decoding_step, before.decoding_step);
        test_->find<QAction>("only_picture")->setChecked(false);
    }

    void a_field_for_a_word_waits_while_somebody_presents() {
        Question question;
        question.kind = Question::Kind::word;
        question.ask = "Which word comes next?";
        QuestionBox box;
        box.ask(&question);
        box.show();
        QVERIFY(box.take_focus());
        box.set_presenting(true);
        QVERIFY(!box.take_focus());
    }

    void counting_of_hands_goes_on_with_the_next_question() {
        open("similarity");
        player().go_on();
        test_->find<QCheckBox>("lesson_counting")->click();
        QTest::keyClick(test_->window().views().picture(), Qt::Key_2);
        QVERIFY2(player().open_question(), "a digit is nobody's hand");
        test_->find<QSpinBox>("lesson_hands_3")->setValue(9);
        press("lesson_guess");
        QTRY_VERIFY(player().verdict());
        player().go_on();
        QTRY_VERIFY(player().open_question());
        QVERIFY(test_->find<QCheckBox>("lesson_counting")->isChecked());
        QVERIFY(test_->find("lesson_hands")->isVisible());
    }

    void one_screen_is_the_class_s() {
        open("softmax");
        auto* presenter = test_->find<Presenter>("presenter");
        QTest::keyClick(&test_->window(), Qt::Key_T);
        QVERIFY(!presenter->isVisible());
        QTRY_VERIFY2(test_->message("notice").contains(QLatin1String("shown while you present")),
                     qPrintable(test_->message("notice")));
        press("lesson_present");
        QVERIFY2(!presenter->isVisible(), "notes and answer over the picture");
        QTRY_VERIFY2(test_->message("notice").contains(QLatin1String("T shows and hides them")),
                     qPrintable(test_->message("notice")));
        for (const char* part : {"PgDown goes on", "PgUp back", "To end, close the window of the notes"})
            QVERIFY2(test_->message("notice").contains(QLatin1String(part)), part);
        QVERIFY2(test_->message("notice").endsWith(QStringLiteral("Large type for a projector: %1.")
                                                       .arg(key_text(QStringLiteral("theme_projector")))),
                 qPrintable(test_->message("notice")));
        QTest::keyClick(&test_->window(), Qt::Key_O);
        QVERIFY2(overlay().has_ring(), "what lies over the picture is there without the notes");
        QTest::keyClick(&test_->window(), Qt::Key_T);
        QTRY_VERIFY(presenter->isVisible());
        QTest::keyClick(presenter, Qt::Key_T);
        QTRY_VERIFY(!presenter->isVisible());
        QVERIFY2(overlay().has_ring(), "hidden notes end nothing");
        press("lesson_present");
        QTRY_VERIFY(presenter->isVisible());
        press("lesson_leave");
        QTRY_VERIFY(!presenter->isVisible());
        QVERIFY(!overlay().has_ring());
        QVERIFY(!test_->find<QAction>("presenter_black")->isEnabled());
    }

    void the_notes_open_on_the_screen_that_the_class_does_not_see() {
        if (test_->window().screen()->virtualSiblings().size() < 2)
            QSKIP("one screen");
        open("softmax");
        auto* presenter = test_->find<Presenter>("presenter");
        press("lesson_present");
        QTRY_VERIFY(presenter->isVisible());
        QVERIFY(presenter->screen() != test_->window().screen());
        QCOMPARE(presenter->windowHandle()->screen(), presenter->screen());
        QCOMPARE(presenter->isFullScreen(),
                 QGuiApplication::platformName().startsWith(QLatin1String("wayland")));
    }

    void the_keys_of_the_notes_step() {
        open("softmax");
        auto* presenter = present();
        auto* notes = test_->find<QTextBrowser>("presenter_notes");
        QTRY_VERIFY(notes->hasFocus());
        const auto place = [this] { return std::pair(player().step(), player().state()); };
        auto at = place();
        QTest::keyClick(notes, Qt::Key_Right);
        QVERIFY2(player().is_answer_next() && place() == at, "it stops once at the question");
        for (const Qt::Key key : {Qt::Key_Right, Qt::Key_PageDown, Qt::Key_Space}) {
            QTest::keyClick(notes, key);
            QVERIFY2(place() > at, qPrintable(QString::number(key)));
            at = place();
        }
        for (const Qt::Key key : {Qt::Key_Left, Qt::Key_PageUp}) {
            QTest::keyClick(notes, key);
            QVERIFY2(place() < at, qPrintable(QString::number(key)));
            at = place();
        }
        auto* black = presenter->findChild<QToolButton*>("presenter_black_button");
        black->setFocus();
        QTest::keyClick(black, Qt::Key_Space);
        QVERIFY2(overlay().is_black(), "Space is the button's that has the focus");
        QCOMPARE(place(), at);
    }

    void the_pen_leaves_the_rest_of_the_window_alone() {
        open("softmax");
        present();
        test_->trigger("presenter_pen");
        QTRY_VERIFY(pen());
        QCOMPARE(pen()->parentWidget(), test_->window().views().picture());
        QCOMPARE(pen()->rect(), pen()->parentWidget()->rect());
        draw();
        // Whatever a click would hit beside the picture is what was there before.
        for (const char* id : {"lesson_next", "lesson_again", "lesson_text"}) {
            auto* control = test_->find(id);
            const QPoint middle = control->mapTo(&test_->window(), control->rect().center());
            QWidget* hit = test_->window().childAt(middle);
            QVERIFY2(hit == control || control->isAncestorOf(hit), id);
        }
        QTabBar* tabs = test_->window().views().tabBar();
        const ViewKind before = test_->session().view.view;
        const int other = tabs->currentIndex() == 0 ? 1 : 0;
        QVERIFY(test_->window().childAt(tabs->mapTo(&test_->window(), tabs->tabRect(other).center())) ==
                tabs);
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(other).center());
        QVERIFY(test_->session().view.view != before);
        QTRY_VERIFY(pen() && pen()->parentWidget() == test_->window().views().picture());
        QVERIFY(pen()->strokes().empty());
    }

    void escape_ends_what_lies_over_the_picture_first() {
        open("softmax");
        present();
        auto* whole = test_->find<QAction>("only_picture");
        whole->trigger();
        QTRY_VERIFY(test_->window().isFullScreen());
        for (const char* id : {"presenter_ring", "presenter_pen", "presenter_black"})
            test_->trigger(id);
        const auto is_on = [this](const char* id) { return test_->find<QAction>(id)->isChecked(); };
        const auto escape = [this] { QTest::keyClick(test_->window().views().picture(), Qt::Key_Escape); };
        escape();
        QVERIFY(!is_on("presenter_black") && is_on("presenter_pen") && is_on("presenter_ring"));
        escape();
        QVERIFY(!is_on("presenter_pen") && is_on("presenter_ring"));
        escape();
        QVERIFY(!is_on("presenter_ring") && whole->isChecked());
        emit test_->window().files().notice(QStringLiteral("Saved."));
        QVERIFY(test_->find("notice")->isVisible());
        escape();
        QVERIFY2(!test_->find("notice")->isVisible() && whole->isChecked(), "the message first");
        escape();
        QVERIFY(!whole->isChecked());
    }

    void the_ring_is_where_the_pointer_is() {
        open("softmax");
        present();
        test_->trigger("presenter_ring");
        const auto is_at_pointer = [this] {
            return overlay().ring_area().center() == overlay().mapFromGlobal(QCursor::pos());
        };
        QCursor::setPos(test_->window().mapToGlobal(QPoint(500, 400)));
        QTRY_VERIFY(is_at_pointer());
        // The window moves below it, as it does on the way to the whole screen.
        test_->window().move(test_->window().pos() + QPoint(17, 21));
        QTRY_VERIFY(is_at_pointer());
        test_->find<QAction>("only_picture")->trigger();
        QTRY_VERIFY(is_at_pointer());
    }

private:
    ClassOverlay& overlay() { return *test_->window().findChild<ClassOverlay*>(); }
    ClassPen* pen() { return test_->window().findChild<ClassPen*>(); }
    void draw() {
        QTest::mousePress(pen(), Qt::LeftButton, {}, QPoint(50, 50));
        QTest::mouseMove(pen(), QPoint(90, 80));
        QTest::mouseRelease(pen(), Qt::LeftButton, {}, QPoint(90, 80));
        QCOMPARE(pen()->strokes().size(), std::size_t(1));
    }
    Presenter* present() {
        auto* presenter = test_->find<Presenter>("presenter");
        presenter->present();
        if (!presenter->isVisible())  // one screen
            test_->trigger("presenter_notes");
        [&] { QTRY_VERIFY(presenter->isVisible()); }();
        return presenter;
    }
    void press(const char* id) { test_->find<QPushButton>(id)->click(); }
};

QTEST_MAIN(LessonPresentingTest)

}  // namespace headlight::lesson_presenting_test

#include "lesson_presenting_test.moc"

#include "core/lesson/shipped_lessons.h"
#include "tests/ui/windowed_test.h"
#include "ui/lesson/lesson_player.h"

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRadioButton>
#include <QSlider>
#include <QTextBrowser>

using namespace headlight;

/// A lesson in the window: read, guessed and gone through, and left again.
class LessonTest : public WindowedTest {
    Q_OBJECT
private slots:
    void init() {
        WindowedTest::init();
        test_->start_for_the_first_time();
        QTRY_VERIFY(test_->document().run() && !test_->document().is_running());
    }

    void begin_leads_to_every_lesson() {
        auto* button = test_->find<QPushButton>("begin_lessons");
        emit button->menu()->aboutToShow();
        QCOMPARE(button->menu()->actions().size(), qsizetype(shipped_lessons().size()));
        QVERIFY(button->menu()->actions().front()->text().contains(
            QString::fromStdString(shipped_lessons().front().title)));
    }

    void it_is_read_from_start_to_end_and_left() {
        const Session before = test_->session();
        open("similarity");
        QCOMPARE(test_->session().mechanism, std::string("basic_self_attention"));
        QVERIFY(test_->find("lesson_text")->isVisible());
        QTRY_VERIFY(said().contains(QLatin1String("Each row is a word")));
        QVERIFY2(!said().contains(QLatin1String("{{")), qPrintable(said()));
        QVERIFY(!test_->find("lesson_back")->isEnabled());

        press("lesson_next");
        QTRY_VERIFY(test_->find("lesson_question")->isVisible());
        QVERIFY(!test_->find("lesson_guess")->isEnabled());
        test_->find<QRadioButton>("lesson_option_3")->click();
        press("lesson_guess");
        QTRY_VERIFY(
            test_->find<QLabel>("lesson_verdict")->text().startsWith(QLatin1String("Right: with bread")));
        QCOMPARE(test_->session().view.selection.stage, std::string("scores"));
        QTRY_VERIFY(said().contains(QLatin1String("Of queen and king:")));

        press("lesson_next");
        auto* slider = test_->find<QSlider>("lesson_weight");
        slider->setValue(slider->maximum());
        press("lesson_guess");
        QTRY_VERIFY(test_->find<QLabel>("lesson_verdict")->text().startsWith(QLatin1String("It is 0.")));

        press("lesson_next");
        QTRY_VERIFY(test_->find<QLabel>("lesson_place")->text().contains(QLatin1String("4 of 4")));
        QVERIFY(!test_->find("lesson_next")->isEnabled());
        press("lesson_back");
        QTRY_VERIFY(test_->find<QLabel>("lesson_place")->text().contains(QLatin1String("3 of 4")));

        press("lesson_leave");
        QVERIFY(test_->session() == before);
        QVERIFY(!test_->find("lesson_text")->isVisible());
        QVERIFY(test_->find("begin_lessons")->isVisible());
    }

    void a_cell_of_the_picture_is_a_guess() {
        open("softmax");
        QTRY_VERIFY(test_->find("lesson_question")->isVisible());
        Selection selection = test_->session().view.selection;
        selection.query = 8;
        selection.key = 8;
        test_->document().select(selection);
        QTRY_COMPARE(test_->find<QLabel>("lesson_cell")->text(), QStringLiteral("it looks at it"));
        press("lesson_guess");
        QTRY_VERIFY(!test_->find<QLabel>("lesson_verdict")->text().isEmpty());
        QVERIFY(test_->find("lesson_verdict")->isVisible());
    }

    void a_word_of_a_model_is_a_guess() {
        open("luong");
        QTRY_VERIFY(test_->find("lesson_question")->isVisible());
        test_->find<QLineEdit>("lesson_word")->setText(QStringLiteral("6"));
        press("lesson_guess");
        QTRY_VERIFY(test_->find<QLabel>("lesson_verdict")->text().startsWith(QLatin1String("It is 5.")));
        QTRY_VERIFY(said().contains(QLatin1String("March and May differ")));
        QCOMPARE(test_->session().view.decoding_step, std::optional<Index>(6));
    }

    void the_page_keys_lead_through_it() {
        open("scaling");
        QTRY_VERIFY(said().contains(QLatin1String("drawn at random")));
        QTest::keyClick(&test_->window(), Qt::Key_PageDown);
        QTRY_VERIFY(said().contains(QLatin1String("The softmax of them")));
        QTest::keyClick(&test_->window(), Qt::Key_PageUp);
        QTRY_VERIFY(!said().contains(QLatin1String("The softmax of them")));
    }

    void what_is_changed_in_it_comes_back() {
        open("scaling");
        const Session shown = test_->session();
        Session other = shown;
        other.mechanism = "additive";
        test_->document().edit(QStringLiteral("play"), other);
        press("lesson_again");
        QVERIFY(same_edits(test_->session(), shown));
    }

private:
    void open(const std::string& id) {
        auto* menu = test_->find<QPushButton>("begin_lessons")->menu();
        emit menu->aboutToShow();
        const auto& all = shipped_lessons();
        const auto at = std::ranges::find(all, id, &Lesson::id) - all.begin();
        menu->actions().at(at)->trigger();
        QTRY_VERIFY(test_->find("lesson_text")->isVisible());
    }
    QString said() { return test_->find<QTextBrowser>("lesson_text")->toPlainText(); }
    void press(const char* id) {
        test_->find<QPushButton>(id)->click();
        QTRY_VERIFY(!test_->document().is_running());
    }
};

QTEST_MAIN(LessonTest)
#include "lesson_window_test.moc"

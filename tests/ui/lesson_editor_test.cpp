#include "core/lesson/lesson_file.h"
#include "core/lesson/shipped_lessons.h"
#include "tests/ui/windowed_test.h"
#include "ui/lesson/lesson_editor.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTemporaryDir>

namespace headlight::lesson_editor_test {

/// A lesson that somebody makes: recorded from the window, written, played, and never lost.
class LessonEditorTest : public WindowedTest {
    Q_OBJECT
private slots:
    void init() {
        init_first_start();
        QTRY_VERIFY(test_->document().run() && !test_->document().is_running());
        open_editor();
    }

    void steps_are_recorded_from_the_window() {
        field<QLineEdit>("editor_title").setText(QStringLiteral("Mine"));
        field<QPlainTextEdit>("editor_text").setPlainText(QStringLiteral("It is {{weight:king,queen}}."));
        show_stage("weights");
        press("editor_add_step");
        QCOMPARE(editor().lesson().steps.size(), std::size_t(2));
        QCOMPARE(editor().lesson().steps[1].states[0].view.selection.stage, std::string("weights"));
        show_stage("scores");
        press("editor_add_reveal");
        field<QPlainTextEdit>("editor_text").setPlainText(QStringLiteral("The scores."));
        QCOMPARE(field<QTabBar>("editor_parts").count(), 2);
        field<QComboBox>("question_kind").setCurrentIndex(1);
        type("question_ask", "How much?");
        type("question_query", "king");
        type("question_key", "bread");
        const LessonStep& step = editor().lesson().steps[1];
        QCOMPARE(step.texts[1], std::string("The scores."));
        QVERIFY(step.question && step.question->kind == Question::Kind::weight);
        QCOMPARE(step.question->key, std::string("bread"));

        press("editor_up");
        QCOMPARE(editor().lesson().steps[0].texts.size(), std::size_t(2));
        press("editor_down");
        press("editor_check");
        QTRY_COMPARE(said(), QStringLiteral("Every number and every answer is there."));

        const QTemporaryDir folder;
        editor().save_to(folder.path());
        QTRY_VERIFY(said().startsWith(QLatin1String("Saved in ")));
        const LessonText read = lesson_text(read_lesson(folder.path().toStdString()));
        const LessonText written = lesson_text(editor().lesson());
        QCOMPARE(read.document, written.document);
        QCOMPARE(read.text, written.text);

        press("editor_play");
        QTRY_VERIFY(test_->find("lesson_text")->isVisible());
        QCOMPARE(test_->find<QLabel>("lesson_title")->text(), QStringLiteral("Mine"));
    }

    void spaces_that_keep_words_together_stay() {
        field<QPlainTextEdit>("editor_text").setPlainText(QString::fromUtf8("Pourquoi\u00a0?\nPas ici."));
        QCOMPARE(editor().lesson().steps.front().texts.front(), std::string("Pourquoi\u00a0?\nPas ici."));
    }

    void a_number_that_is_not_there_is_named() {
        field<QPlainTextEdit>("editor_text").setPlainText(QStringLiteral("It is {{weight:king,cheese}}."));
        press("editor_check");
        QTRY_VERIFY2(said().contains(QLatin1String("cheese")), qPrintable(said()));
    }

    void what_is_written_is_there_again() {
        field<QLineEdit>("editor_title").setText(QStringLiteral("Half"));
        field<QPlainTextEdit>("editor_text").setPlainText(QStringLiteral("## not a step"));
        test_->kill();
        test_->start();
        open_editor();
        QCOMPARE(field<QLineEdit>("editor_title").text(), QStringLiteral("Half"));
        QVERIFY(field<QPlainTextEdit>("editor_text").toPlainText().contains(QLatin1String("## not a step")));
    }

    void a_lesson_of_somebody_is_opened_and_shortened() {
        const QTemporaryDir folder;
        write_lesson(folder.path().toStdString(), shipped_lessons().front());
        editor().open_folder(folder.path());
        auto& steps = field<QListWidget>("editor_steps");
        QCOMPARE(steps.count(), int(shipped_lessons().front().steps.size()));
        for (int left = steps.count() - 1; left > 0; --left) {
            press("editor_remove_step");
            QCOMPARE(steps.count(), left);
        }
        QVERIFY(!field<QPushButton>("editor_remove_step").isEnabled());
        editor().open_folder(folder.filePath(QStringLiteral("nowhere")));
        QVERIFY(said().contains(QLatin1String("nowhere")));
    }

private:
    LessonEditor& editor() { return *test_->window().findChild<LessonEditor*>(); }
    template <class Widget>
    Widget& field(const char* id) {
        return *editor().findChild<Widget*>(QLatin1String(id));
    }
    void type(const char* id, const char* words) {
        field<QLineEdit>(id).setFocus();
        QTest::keyClicks(&field<QLineEdit>(id), QLatin1String(words));
    }
    void press(const char* id) { field<QPushButton>(id).click(); }
    QString said() { return field<QLabel>("editor_said").text(); }
    void show_stage(const char* stage) {
        Selection selection = test_->session().view.selection;
        selection.stage = stage;
        test_->document().looking().select(selection);
    }
    void open_editor() {
        auto* menu = test_->find<QPushButton>("begin_lessons")->menu();
        emit menu->aboutToShow();
        for (QAction* entry : menu->actions())
            if (entry->objectName() == QLatin1String("begin_lesson_editor"))
                entry->trigger();
        QTRY_VERIFY(test_->window().findChild<LessonEditor*>());
    }
};

QTEST_MAIN(LessonEditorTest)

}  // namespace headlight::lesson_editor_test

#include "lesson_editor_test.moc"

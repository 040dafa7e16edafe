#include "core/io/files.h"
#include "core/lesson/lesson_file.h"
#include "core/lesson/shipped_lessons.h"
#include "tests/ui/windowed_test.h"
#include "ui/actions/action_table.h"
#include "ui/lesson/lesson_editor.h"
#include "ui/lesson/lesson_player.h"
#include "ui/panels/train_action.h"
#include "ui/panels/train_window.h"
#include "ui/panels/training_form.h"

#include <QAction>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace headlight::lesson_making_test {

/// What helps who makes a lesson: where it begins, where it goes, what its fields mean, what is wrong where.
class LessonMakingTest : public WindowedTest {
    Q_OBJECT
private slots:
    void init() {
        init_first_start();
        QTRY_VERIFY(test_->document().run() && !test_->document().is_running());
        auto* menu = test_->find<QMenu>("lesson_menu");
        emit menu->aboutToShow();
        test_->trigger("begin_lesson_editor");
        QTRY_VERIFY(test_->window().findChild<LessonEditor*>());
    }

    void a_folder_that_is_not_there_yet_is_named_and_written() {
        const QString folder = test_->file(QStringLiteral("my lesson"));
        field<QLineEdit>("editor_title").setText(QStringLiteral("Mine"));
        QTimer::singleShot(0, &editor(), [&] { accept_file(folder); });
        press("editor_save");
        QTRY_VERIFY2(said().startsWith(QLatin1String("Saved in ")), qPrintable(said()));
        QCOMPARE(read_lesson(folder.toStdString()).title, std::string("Mine"));
        field<QLineEdit>("editor_title").setText(QStringLiteral("Mine again"));
        press("editor_save");  // asks nothing more
        QTRY_COMPARE(read_lesson(folder.toStdString()).title, std::string("Mine again"));
    }

    void a_lesson_of_the_course_is_copied_to_begin_with() {
        begin_with("editor_copy_softmax");
        const Lesson whole = open_lesson("softmax");
        QCOMPARE(field<QLineEdit>("editor_title").text(),
                 QString::fromStdString(whole.title) + QStringLiteral(" (a copy)"));
        QCOMPARE(field<QListWidget>("editor_steps").count(), int(whole.steps.size()));
        // It is unsaved by now, and not lost without a question.
        test_->answer("leave_lesson_question", QStringLiteral("&Leave it"));
        begin_with("editor_copy_hard");
        QVERIFY(editor().lesson().steps.back().training);
        test_->answer("leave_lesson_question", QStringLiteral("Cancel"));
        begin_with("editor_empty");
        QCOMPARE(editor().lesson().steps.size(), open_lesson("hard").steps.size());
    }

    void a_long_sentence_is_shown_from_its_beginning() {
        begin_with("editor_copy_cross");
        QCOMPARE(field<QLineEdit>("editor_summary").cursorPosition(), 0);
        field<QListWidget>("editor_steps").setCurrentRow(1);
        for (const char* id : {"question_ask", "question_because"}) {
            QVERIFY(!field<QLineEdit>(id).text().isEmpty());
            QCOMPARE(field<QLineEdit>(id).cursorPosition(), 0);
        }
    }

    void each_window_writes_a_lesson_of_its_own() {
        field<QLineEdit>("editor_title").setText(QStringLiteral("Mine"));
        const std::filesystem::path data = test_->file(QString()).toStdString();
        auto other = std::make_unique<LessonEditor>(test_->document(), data, nullptr);
        const auto title_of = [](LessonEditor& editor) {
            return editor.findChild<QLineEdit*>(QStringLiteral("editor_title"));
        };
        QVERIFY(title_of(*other)->text() != QLatin1String("Mine"));
        title_of(*other)->setText(QStringLiteral("Another's"));
        QTRY_VERIFY(QFileInfo::exists(test_->file(QStringLiteral("lesson-draft.json"))));
        QTRY_VERIFY(QFileInfo::exists(test_->file(QStringLiteral("lesson-draft-2.json"))));
        // While both are open neither is offered the other's.
        QVERIFY(!offers_another_draft());
        other.reset();
        QVERIFY(offers_another_draft());
        field<QLineEdit>("editor_title").setText(QStringLiteral("Mine, longer"));
        QCOMPARE(other_drafts().constFirst()->objectName(),
                 QStringLiteral("editor_other_draft_lesson-draft-2"));
        other_drafts().constFirst()->trigger();
        QCOMPARE(field<QLineEdit>("editor_title").text(), QStringLiteral("Another's"));
        QVERIFY(offers_another_draft());
        test_->kill();

        // The next window begins with what was written last, and says where the other one is.
        test_->start();
        LessonEditor next(test_->document(), data, nullptr);
        QCOMPARE(title_of(next)->text(), QStringLiteral("Mine, longer"));
        QVERIFY(next.findChild<QLabel*>(QStringLiteral("editor_said"))
                    ->text()
                    .contains(QStringLiteral("“Another's”, is under New")));
    }

    void each_draft_of_another_window_is_an_entry_of_its_own() {
        const std::filesystem::path data = test_->file(QString()).toStdString();
        std::vector<std::unique_ptr<LessonEditor>> others;
        for (const char* title : {"The second", "The third"}) {
            others.push_back(std::make_unique<LessonEditor>(test_->document(), data, nullptr));
            others.back()
                ->findChild<QLineEdit*>(QStringLiteral("editor_title"))
                ->setText(QLatin1String(title));
        }
        for (const char* file : {"lesson-draft-2.json", "lesson-draft-3.json"})
            QTRY_VERIFY2(QFileInfo::exists(test_->file(QLatin1String(file))), file);
        others.clear();
        const QList<QAction*> drafts = other_drafts();
        QCOMPARE(drafts.size(), 2);
        QVERIFY(drafts.front()->objectName() != drafts.back()->objectName());
        const QString wanted = drafts.back()->text();
        drafts.back()->trigger();
        const QString title = field<QLineEdit>("editor_title").text();
        QVERIFY2(wanted.contains(title), qPrintable(wanted + QStringLiteral(": ") + title));
    }

    void undo_and_redo_say_what_is_lacking() {
        begin_with("editor_copy_softmax");
        const std::pair<const char*, const char*> pairs[] = {
            {"editor_undo", "Nothing of the lesson was changed yet"},
            {"editor_redo", "No change of the lesson was taken back"}};
        for (const auto& [id, lack] : pairs) {
            QCOMPARE(editor().findChild<QAction*>(QLatin1String(id))->toolTip(), QLatin1String(lack));
            const QString button = QLatin1String(id) + QStringLiteral("_button");
            QCOMPARE(editor().findChild<QPushButton*>(button)->toolTip(), QLatin1String(lack));
        }
        press("editor_add_step");
        QCOMPARE(field<QPushButton>("editor_undo_button").toolTip(),
                 QString::fromUtf8(action_row(QStringLiteral("editor_undo"))->tip));
    }

    void a_draft_that_cannot_be_read_is_told_and_not_written_over_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("one file") << QStringLiteral("lesson-draft.json");
        QTest::newRow("two files, as older versions have them") << QStringLiteral("lesson-draft/lesson.json");
    }
    void a_draft_that_cannot_be_read_is_told_and_not_written_over() {
        QFETCH(QString, file);
        const std::filesystem::path data = test_->file(QStringLiteral("broken")).toStdString();
        const std::filesystem::path broken = data / file.toStdString();
        std::filesystem::create_directories(broken.parent_path());
        write_file_atomically(broken, "half a ");
        LessonEditor other(test_->document(), data, nullptr);
        const QString said = other.findChild<QLabel*>(QStringLiteral("editor_said"))->text();
        QVERIFY2(said.contains(QLatin1String("lesson-draft")), qPrintable(said));
        other.findChild<QLineEdit*>(QStringLiteral("editor_title"))->setText(QStringLiteral("New"));
        QTRY_VERIFY(exists(data / "lesson-draft-2.json"));
        QCOMPARE(read_file(broken), std::string("half a "));
    }

    void a_draft_of_two_files_is_gone_on_with() {
        const std::filesystem::path data = test_->file(QStringLiteral("older")).toStdString();
        Lesson older = open_lesson("softmax");
        older.title = "Older";
        older.steps[0].question.emplace();  // nothing is asked yet
        write_lesson(data / "lesson-draft", older);
        const auto title_of = [](LessonEditor& editor) {
            return editor.findChild<QLineEdit*>(QStringLiteral("editor_title"));
        };
        {
            LessonEditor first(test_->document(), data, nullptr);
            QCOMPARE(title_of(first)->text(), QStringLiteral("Older"));
            title_of(first)->setText(QStringLiteral("Older, longer"));
        }
        LessonEditor next(test_->document(), data, nullptr);
        QCOMPARE(title_of(next)->text(), QStringLiteral("Older, longer"));
        QCOMPARE(next.lesson().steps.size(), older.steps.size());
    }

    void what_is_half_written_is_there_again_and_is_not_played() {
        begin_with("editor_copy_softmax");
        field<QListWidget>("editor_steps").setCurrentRow(1);
        field<QComboBox>("question_kind").setCurrentIndex(0);
        field<QComboBox>("question_kind").setCurrentIndex(4);
        QTest::keyClick(&field<QLineEdit>("question_ask"), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(&field<QLineEdit>("question_ask"), Qt::Key_Delete);
        field<QPlainTextEdit>("question_options").setPlainText(QString());
        QVERIFY(editor().lesson().steps[1].question);
        QSignalSpy played(&editor(), &LessonEditor::play_asked);
        field<QListWidget>("editor_steps").setCurrentRow(0);
        press("editor_play");
        QVERIFY(played.isEmpty());
        QVERIFY2(said().contains(QLatin1String("Step 2, ")) && said().contains(QLatin1String("a question")),
                 qPrintable(said()));
        QCOMPARE(field<QListWidget>("editor_steps").currentRow(), 1);
        const std::size_t steps = editor().lesson().steps.size();
        const std::filesystem::path data = test_->file(QString()).toStdString();
        test_->kill();
        test_->start();
        LessonEditor next(test_->document(), data, nullptr);
        QCOMPARE(next.lesson().steps.size(), steps);
        QVERIFY(next.lesson().steps[1].question && next.lesson().steps[1].question->ask.empty());
    }

    void a_draft_knows_where_it_is_saved() {
        const QString folder = test_->file(QStringLiteral("my lesson"));
        field<QLineEdit>("editor_title").setText(QStringLiteral("Mine"));
        editor().save_to(folder);
        const std::filesystem::path data = test_->file(QString()).toStdString();
        test_->kill();
        test_->start();
        LessonEditor next(test_->document(), data, nullptr);
        next.findChild<QLineEdit*>(QStringLiteral("editor_title"))->setText(QStringLiteral("Mine again"));
        next.findChild<QPushButton*>(QStringLiteral("editor_save"))->click();  // asks nothing
        QTRY_COMPARE(read_lesson(folder.toStdString()).title, std::string("Mine again"));
    }

    void every_change_can_be_undone() {
        begin_with("editor_copy_softmax");
        auto& steps = field<QListWidget>("editor_steps");
        auto* undo = editor().findChild<QAction*>(QStringLiteral("editor_undo"));
        auto* redo = editor().findChild<QAction*>(QStringLiteral("editor_redo"));
        const auto texts = [&] {
            const LessonText files = lesson_text(editor().lesson());
            return files.document + files.text;
        };
        const auto change = [&](const char* what, const auto& make) {
            const std::string before = texts();
            make();
            const std::string after = texts();
            QVERIFY2(before != after, what);
            undo->trigger();
            QVERIFY2(texts() == before, what);
            redo->trigger();
            QVERIFY2(texts() == after, what);
            QVERIFY2(!redo->isEnabled(), what);
            undo->trigger();
        };
        steps.setCurrentRow(1);
        change("a step is removed", [&] { press("editor_remove_step"); });
        QCOMPARE(steps.currentRow(), 1);
        change("a step is added", [&] { press("editor_add_step"); });
        change("every step shows what the window shows", [&] { press("editor_take_view_in_steps"); });
        change("a step is moved", [&] { press("editor_up"); });
        change("a reveal is added", [&] { press("editor_add_reveal"); });
        change("a question goes", [&] { field<QComboBox>("question_kind").setCurrentIndex(0); });
        change("a word is typed", [&] {
            field<QPlainTextEdit>("editor_text").setFocus();
            QTest::keyClicks(&field<QPlainTextEdit>("editor_text"), QStringLiteral("one step of undo"));
        });
        change("the lesson is called otherwise",
               [&] { field<QLineEdit>("editor_title").setText(QStringLiteral("Mine")); });
        QVERIFY2(!undo->isEnabled(), "as it was opened");
    }

    void one_view_is_taken_in_every_step_or_in_those_that_are_chosen() {
        begin_with("editor_copy_softmax");
        auto& steps = field<QListWidget>("editor_steps");
        auto& take = field<QPushButton>("editor_take_view_in_steps");
        auto* undo = editor().findChild<QAction*>(QStringLiteral("editor_undo"));
        const Lesson whole = editor().lesson();
        QVERIFY(whole.steps.size() > 2 && std::ranges::any_of(whole.steps, [](const LessonStep& step) {
                    return step.states.size() > 1;
                }));
        const auto shows_window = [&](std::size_t step) {
            return std::ranges::all_of(editor().lesson().steps[step].states, [&](const Session& state) {
                return state == test_->document().session();
            });
        };
        const auto steps_of_window = [&] {
            std::vector<std::size_t> found;
            for (std::size_t step = 0; step < whole.steps.size(); ++step)
                if (shows_window(step))
                    found.push_back(step);
            return found;
        };
        QVERIFY(steps_of_window().empty());
        QVERIFY(take.text().contains(QLatin1String("every step")));
        take.click();
        QCOMPARE(steps_of_window().size(), whole.steps.size());
        for (std::size_t step = 0; step < whole.steps.size(); ++step)  // what is said stays
            QVERIFY(editor().lesson().steps[step].texts == whole.steps[step].texts);
        QVERIFY2(said().contains(QStringLiteral("%1 steps").arg(whole.steps.size())), qPrintable(said()));
        undo->trigger();
        QVERIFY(steps_of_window().empty());
        QVERIFY2(!undo->isEnabled(), "all of it is one change");

        choose(steps, 0, Qt::NoModifier);
        choose(steps, 2, Qt::ControlModifier);
        QVERIFY2(take.text().contains(QLatin1String("2 steps")) && take.accessibleName().contains(u'2'),
                 qPrintable(take.text()));
        take.click();
        QCOMPARE(steps_of_window(), (std::vector<std::size_t>{0, 2}));
        undo->trigger();
        QVERIFY(steps_of_window().empty());
        QVERIFY(take.text().contains(QLatin1String("every step")));
    }

    void taking_a_view_in_steps_says_what_it_replaces() {
        begin_with("editor_copy_softmax");
        auto& steps = field<QListWidget>("editor_steps");
        auto& take = field<QPushButton>("editor_take_view_in_steps");
        for (const char* part : {"sentence", "mechanism or model", "view", "row", "Ctrl+Z"})
            QVERIFY2(take.toolTip().contains(QLatin1String(part)), qPrintable(take.toolTip()));
        const Lesson before = editor().lesson();
        const auto differs = [&](const auto& part) {
            return std::ranges::any_of(before.steps, [&](const LessonStep& step) {
                return std::ranges::any_of(step.states, [&](const Session& state) {
                    return part(state) != part(test_->document().session());
                });
            });
        };
        take.click();
        QVERIFY2(said().contains(QLatin1String("Ctrl+Z takes it back")), qPrintable(said()));
        QCOMPARE(said().contains(QLatin1String("the sentence")),
                 differs([](const Session& each) { return each.sequence; }));
        QCOMPARE(said().contains(QLatin1String("the row")),
                 differs([](const Session& each) { return each.view.selection; }));
        const QString told = said();
        take.click();
        QVERIFY2(said().contains(QLatin1String("already")), qPrintable(said()));

        // It is taken back in one, at the step that is written by now.
        steps.setCurrentRow(2);
        auto* undo = editor().findChild<QAction*>(QStringLiteral("editor_undo"));
        undo->trigger();
        QVERIFY(editor().lesson().steps[2].states == before.steps[2].states);
        QVERIFY2(!undo->isEnabled(), "what changes nothing is no change");
        QCOMPARE(steps.currentRow(), 2);
        QVERIFY2(said().isEmpty(), qPrintable(said()));
        editor().findChild<QAction*>(QStringLiteral("editor_redo"))->trigger();
        QCOMPARE(steps.currentRow(), 2);
        undo->trigger();

        // Where the row alone is another one, nothing else is told.
        Session other_row = test_->document().session();
        other_row.view.selection.query += 1;
        Lesson one = before;
        one.steps.resize(1);
        one.steps[0].states = {other_row};
        one.steps[0].texts.resize(1);
        editor().edit(one);
        take.click();
        QVERIFY2(said() != told && said().contains(QLatin1String("Replaced: the row. ")), qPrintable(said()));
    }

    void what_was_found_by_a_check_goes_with_an_undo() {
        begin_with("editor_copy_softmax");
        field<QListWidget>("editor_steps").setCurrentRow(1);
        field<QPlainTextEdit>("editor_text").setPlainText(QStringLiteral("{{weight:it,cheese}}"));
        press("editor_check");
        QTRY_VERIFY2(said().contains(QLatin1String("cheese")), qPrintable(said()));
        editor().findChild<QAction*>(QStringLiteral("editor_undo"))->trigger();
        QVERIFY2(said().isEmpty(), qPrintable(said()));
        QCOMPARE(field<QListWidget>("editor_steps").currentRow(), 1);
    }

    void chosen_steps_are_removed_together_and_moved_one_by_one() {
        begin_with("editor_copy_softmax");
        auto& steps = field<QListWidget>("editor_steps");
        const Lesson whole = editor().lesson();
        auto& remove = field<QPushButton>("editor_remove_step");
        choose(steps, 1, Qt::NoModifier);
        choose(steps, 2, Qt::ShiftModifier);
        QVERIFY(!field<QPushButton>("editor_up").isEnabled());
        QCOMPARE(remove.text(), QStringLiteral("Remove 2"));
        remove.click();
        QCOMPARE(editor().lesson().steps.size(), whole.steps.size() - 2);
        QCOMPARE(editor().lesson().steps[0].title, whole.steps[0].title);
        editor().findChild<QAction*>(QStringLiteral("editor_undo"))->trigger();
        QCOMPARE(editor().lesson().steps.size(), whole.steps.size());
        QCOMPARE(remove.text(), QStringLiteral("Remove"));
        // What a click with Ctrl leaves alone is what the fields show, and what is removed.
        choose(steps, 0, Qt::NoModifier);
        choose(steps, 2, Qt::ControlModifier);
        choose(steps, 2, Qt::ControlModifier);
        QCOMPARE(steps.selectedItems(), QList<QListWidgetItem*>{steps.item(0)});
        QCOMPARE(steps.currentRow(), 0);
        QCOMPARE(field<QLineEdit>("editor_step_title").text().toStdString(), whole.steps[0].title);
        // A lesson has a step.
        choose(steps, 0, Qt::NoModifier);
        choose(steps, steps.count() - 1, Qt::ShiftModifier);
        QVERIFY(!remove.isEnabled());
    }

    void undo_and_redo_are_buttons_as_the_others_are() {
        begin_with("editor_copy_softmax");
        auto& undo = field<QPushButton>("editor_undo_button");
        auto& redo = field<QPushButton>("editor_redo_button");
        QVERIFY(!undo.isEnabled() && !redo.isEnabled());
        const std::size_t steps = editor().lesson().steps.size();
        press("editor_add_step");
        QVERIFY(undo.isEnabled());
        undo.click();
        QCOMPARE(editor().lesson().steps.size(), steps);
        QVERIFY(!undo.isEnabled() && redo.isEnabled());
        redo.click();
        QCOMPARE(editor().lesson().steps.size(), steps + 1);
    }

    void it_is_closed_by_a_button_and_loses_nothing() {
        field<QLineEdit>("editor_title").setText(QStringLiteral("Mine"));
        press("editor_close");
        QVERIFY(!editor().isVisible());
        test_->trigger("begin_lesson_editor");
        QVERIFY(editor().isVisible());
        QCOMPARE(field<QLineEdit>("editor_title").text(), QStringLiteral("Mine"));
    }

    void what_is_wrong_says_in_which_step() {
        begin_with("editor_copy_softmax");
        auto& steps = field<QListWidget>("editor_steps");
        for (const int step : {1, 2}) {
            steps.setCurrentRow(step);
            field<QPlainTextEdit>("editor_text").setPlainText(QStringLiteral("{{weight:it,cheese}}"));
        }
        steps.setCurrentRow(0);
        press("editor_check");
        const auto& all = editor().lesson().steps;
        const auto named = [&](std::size_t step) {
            return QStringLiteral("Step %1, “%2”: ")
                .arg(step + 1)
                .arg(QString::fromStdString(all[step].title));
        };
        QTRY_VERIFY2(said().contains(named(1)) && said().contains(named(2)), qPrintable(said()));
        QVERIFY(said().contains(QLatin1String("cheese")) && !said().contains(named(0)));
        QCOMPARE(steps.currentRow(), 1);
    }

    void it_makes_way_for_the_lesson_that_is_played() {
        press("editor_play");
        QTRY_VERIFY(test_->find("lesson_text")->isVisible());
        QVERIFY2(!editor().isVisible(), "it lay over the lesson");
        test_->find<QPushButton>("lesson_leave")->click();
        QTRY_VERIFY(editor().isVisible());
    }

    void the_lesson_that_is_open_is_changed_from_the_step_in_view_on() {
        press("editor_close");
        begin_lesson(*test_, 1);
        auto& player = *test_->window().findChild<LessonPlayer*>();
        QTRY_VERIFY(player.is_open());
        while (player.step() == 0)
            test_->trigger("lesson_next");
        test_->trigger("lesson_change");
        QVERIFY(editor().isVisible());
        QVERIFY2(said().contains(QLatin1String("Take the view")), qPrintable(said()));
        const Lesson& open = player.lesson();
        QCOMPARE(field<QLineEdit>("editor_title").text(),
                 QString::fromStdString(open.title) + QStringLiteral(" (a copy)"));
        QCOMPARE(field<QListWidget>("editor_steps").count(), int(open.steps.size()));
        QCOMPARE(field<QListWidget>("editor_steps").currentRow(), 1);
        // Asked for again, it is that copy, and nothing is asked.
        player.go_on();
        QVERIFY(player.state() > 0);
        test_->trigger("lesson_change");
        QCOMPARE(field<QListWidget>("editor_steps").currentRow(), int(player.step()));
        QCOMPARE(field<QTabBar>("editor_parts").currentIndex(), int(player.state()));
        test_->trigger("lesson_leave");
    }

    void a_button_of_its_panel_changes_the_lesson() {
        press("editor_close");
        begin_lesson(*test_, 1);
        auto* button = test_->find<QToolButton>("lesson_change_button");
        QTRY_VERIFY(button->isVisible());
        QVERIFY(!button->hasFocus());
        QCOMPARE(button->toolTip(), QString::fromUtf8(action_row(QStringLiteral("lesson_change"))->tip));
        button->click();
        QVERIFY(editor().isVisible());
        const Lesson& open = test_->window().findChild<LessonPlayer*>()->lesson();
        QCOMPARE(field<QLineEdit>("editor_title").text(),
                 QString::fromStdString(open.title) + QStringLiteral(" (a copy)"));
        test_->trigger("lesson_leave");
    }

    void a_lesson_with_a_folder_is_changed_in_it() {
        const QString folder = test_->file(QStringLiteral("my lesson"));
        field<QLineEdit>("editor_title").setText(QStringLiteral("Mine"));
        editor().save_to(folder);
        QTRY_VERIFY2(said().startsWith(QLatin1String("Saved in ")), qPrintable(said()));
        editor().change(read_lesson(folder.toStdString()), 0, 0);
        QCOMPARE(field<QLineEdit>("editor_title").text(), QStringLiteral("Mine"));
        QCOMPARE(editor().lesson().source, read_lesson(folder.toStdString()).source);
    }

    void every_field_says_what_it_is_for() {
        field<QComboBox>("question_kind").setCurrentIndex(1);
        for (const char* id : {"editor_text", "editor_notes"})
            QVERIFY2(!field<QPlainTextEdit>(id).placeholderText().isEmpty(), id);
        for (const char* id : {"question_ask", "question_query", "question_key", "question_because"})
            QVERIFY2(!field<QLineEdit>(id).placeholderText().isEmpty(), id);
        // Each field of text has a label in sight.
        for (const char* id : {"editor_text", "editor_notes", "editor_step_title"}) {
            const auto labels = editor().findChildren<QLabel*>();
            QVERIFY2(std::ranges::any_of(labels,
                                         [&](const QLabel* label) {
                                             return label->buddy() && label->isVisible() &&
                                                    label->buddy()->objectName() == QLatin1String(id);
                                         }),
                     id);
        }
    }

    void a_training_is_recorded_from_its_window() {
        press("editor_training");
        auto* action = test_->window().findChild<TrainAction*>();
        QTRY_VERIFY(action->window() && action->window()->isVisible());
        QVERIFY(said().contains(QLatin1String("Add a training again")));
        const LessonTraining hard = open_lesson("hard").steps.back().training.value();
        action->window()->form().fill_in(hard.recipe, hard.text);
        QTRY_VERIFY(action->window()->form().asked());
        press("editor_training");
        QTRY_VERIFY2(editor().lesson().steps.front().training, qPrintable(said()));
        const QString shown = field<QLabel>("editor_training_said").text();
        QVERIFY2(shown.endsWith(QStringLiteral(" begins Dates in many formats · hard · GRU.")),
                 qPrintable(shown));
        const LessonText files = lesson_text(editor().lesson());
        const Lesson read = parse_lesson("draft", files.document, files.text);
        QCOMPARE(prepare(read.steps.front().training->recipe).name, std::string("dates-hard-gru"));
        QVERIFY(read.steps.front().training->text == hard.text);
        press("editor_training");
        QVERIFY(!editor().lesson().steps.front().training);
        action->window()->close();
    }

    void a_training_that_a_lesson_cannot_say_is_refused() {
        press("editor_training");
        auto* action = test_->window().findChild<TrainAction*>();
        QTRY_VERIFY(action->window() && action->window()->isVisible());
        Recipe recipe;
        recipe.task = "copy";
        recipe.host = HostType::gpt;
        recipe.attention = "window";
        recipe.values = {{"size", Index(4)}};
        action->window()->form().fill_in(recipe, {});
        QTRY_VERIFY(action->window()->form().asked());
        press("editor_training");
        QVERIFY2(said().contains(QLatin1String("knobs of a mechanism")), qPrintable(said()));
        QVERIFY(!editor().lesson().steps.front().training);
        action->window()->close();
    }

private:
    LessonEditor& editor() { return *test_->window().findChild<LessonEditor*>(); }
    template <class Widget>
    Widget& field(const char* id) {
        return *editor().findChild<Widget*>(QLatin1String(id));
    }
    /// The entries that go on with what was written in other windows.
    QList<QAction*> other_drafts() {
        emit field<QPushButton>("editor_begin").menu()->aboutToShow();
        QList<QAction*> drafts;
        for (QAction* entry : field<QPushButton>("editor_begin").menu()->actions())
            if (entry->objectName().startsWith(QLatin1String("editor_other_draft_")))
                drafts << entry;
        return drafts;
    }
    bool offers_another_draft() { return !other_drafts().isEmpty(); }
    void begin_with(const char* id) {
        auto* menu = field<QPushButton>("editor_begin").menu();
        emit menu->aboutToShow();
        editor().findChild<QAction*>(QLatin1String(id))->trigger();
    }
    static void choose(const QListWidget& steps, int row, Qt::KeyboardModifiers held) {
        QTest::mouseClick(steps.viewport(), Qt::LeftButton, held,
                          steps.visualItemRect(steps.item(row)).center());
    }
    void press(const char* id) { field<QPushButton>(id).click(); }
    QString said() { return field<QLabel>("editor_said").text(); }
};

QTEST_MAIN(LessonMakingTest)

}  // namespace headlight::lesson_making_test

#include "lesson_making_test.moc"

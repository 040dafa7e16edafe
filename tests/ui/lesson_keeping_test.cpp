#include "core/io/files.h"
#include "core/io/session_place.h"
#include "core/lesson/lesson_file.h"
#include "core/lesson/shipped_lessons.h"
#include "tests/ui/windowed_test.h"
#include "ui/lesson/lesson_player.h"
#include "ui/models/autosave.h"

#include <QMenu>
#include <QTextBrowser>

namespace headlight::lesson_keeping_test {

/// What a person has open, and what they have in a lesson, are two things: neither is ever written over the
/// other, and both are there again after a kill.
class LessonKeepingTest : public WindowedTest {
    Q_OBJECT
private slots:
    void saving_in_a_lesson_asks_where() {
        write_own("mine");
        const QString own = save_own();
        const std::string before = read_file(own.toStdString());
        open("softmax");
        go_to_second_step();
        QVERIFY(test_->window().files().file().isEmpty());
        const QString suggested = test_->proposed_name();
        QVERIFY2(suggested.endsWith(QLatin1String("/softmax-2.json")), qPrintable(suggested));
        QCOMPARE(read_file(own.toStdString()), before);
        player().leave();
        QCOMPARE(test_->window().files().file(), own);
        QVERIFY(!test_->window().isWindowModified());
        QCOMPARE(own_text(), std::string("mine"));
    }

    void a_session_saved_in_a_lesson_comes_back_to_the_step_data() {
        QTest::addColumn<bool>("is_of_a_folder");
        QTest::newRow("of the course") << false;
        QTest::newRow("of a folder") << true;
    }
    void a_session_saved_in_a_lesson_comes_back_to_the_step() {
        QFETCH(bool, is_of_a_folder);
        const std::string folder = test_->file(QStringLiteral("a lesson")).toStdString();
        if (is_of_a_folder)
            write_lesson(folder, open_lesson("softmax"));
        write_own("mine");
        if (is_of_a_folder)
            play(open_lesson(folder));
        else
            open("softmax");
        go_to_second_step();
        player().go_on();
        QCOMPARE(player().state(), std::size_t(1));
        const std::size_t step = player().step(), state = player().state();
        type("changed in the lesson");
        const QString file = test_->file(QStringLiteral("in the lesson.json"));
        test_->window().files().save_to(file);
        QTRY_COMPARE(test_->window().files().file(), file);
        QVERIFY(test_->window().windowTitle().startsWith(QLatin1String("in the lesson.json")));
        QVERIFY(!test_->window().isWindowModified());
        player().leave();
        QCOMPARE(own_text(), std::string("mine"));
        QVERIFY2(test_->window().files().file().isEmpty(), "it is the lesson's file, not this one's");
        QVERIFY2(test_->window().isWindowModified(), "what was open before is not saved yet");

        test_->window().files().open_path(file);
        QTRY_VERIFY(player().is_open());
        QCOMPARE(player().lesson().title, open_lesson("softmax").title);
        QCOMPARE(player().step(), step);
        QCOMPARE(player().state(), state);
        QCOMPARE(shown_text(), std::string("changed in the lesson"));
        QCOMPARE(test_->window().files().file(), file);
        QVERIFY(test_->find("lesson_text")->isVisible());
        player().leave();
        QCOMPARE(own_text(), std::string("mine"));
    }

    void a_lesson_that_is_gone_leaves_the_session() {
        const std::string folder = test_->file(QStringLiteral("a lesson")).toStdString();
        Session session = small_session();
        session.sequence.query_text = "still here";
        const std::filesystem::path file = test_->file(QStringLiteral("s.json")).toStdString();
        write_file_atomically(file, write_session_to(file, session, LessonPlace{folder, 0, 0}));
        test_->window().files().open_path(QString::fromStdString(file.string()));
        QTRY_COMPARE(shown_text(), std::string("still here"));
        QVERIFY(!player().is_open());
        QVERIFY(test_->message("notice").contains(QLatin1String("a lesson")));
        QCOMPARE(test_->window().files().file(), QString::fromStdString(file.string()));
    }

    void own_work_survives_the_end_of_a_program_inside_a_lesson_data() {
        QTest::addColumn<bool>("is_killed");
        QTest::newRow("killed") << true;
        QTest::newRow("closed") << false;
    }
    void own_work_survives_the_end_of_a_program_inside_a_lesson() {
        QFETCH(bool, is_killed);
        write_own("on the disk");
        const QString own = save_own();
        write_own("not saved");
        open("softmax");
        go_to_second_step();
        type("changed in the lesson");
        const std::size_t step = player().step();
        if (is_killed) {
            // Its words: what is told to be written may be an earlier state, which was still on its way.
            QTRY_VERIFY(is_kept("changed in the lesson"));
            test_->kill();
        } else {
            QVERIFY(test_->window().close());
        }
        restart();
        QVERIFY(player().is_open());
        QCOMPARE(player().step(), step);
        QCOMPARE(shown_text(), std::string("changed in the lesson"));
        QVERIFY(test_->find("lesson_text")->isVisible());
        QVERIFY(test_->window().files().file().isEmpty());
        QVERIFY(test_->window().isWindowModified());
        leave_and_wait();
        QCOMPARE(own_text(), std::string("not saved"));
        QCOMPARE(test_->window().files().file(), own);
        QVERIFY(test_->window().isWindowModified());
        QCOMPARE(text_in(own), std::string("on the disk"));
    }

    void a_lesson_that_is_gone_leaves_the_own_work() {
        const std::filesystem::path folder = test_->file(QStringLiteral("a lesson")).toStdString();
        write_lesson(folder, open_lesson("softmax"));
        write_own("not saved");
        play(open_lesson(folder.string()));
        type("changed in the lesson");
        QVERIFY(test_->window().close());
        std::filesystem::remove_all(folder);
        restart();
        QVERIFY(!player().is_open());
        QCOMPARE(shown_text(), std::string("not saved"));
        QVERIFY(test_->message("file_message").contains(QLatin1String("a lesson")));
        auto* recent = test_->find<QMenu>("recent_files");
        QTRY_VERIFY(!recent->isEmpty());
        recent->actions().constFirst()->trigger();
        QTRY_COMPARE(shown_text(), std::string("changed in the lesson"));
    }

    void undo_leads_into_no_lesson_and_out_of_none() {
        write_own("first");
        write_own("second");
        open("softmax");
        QVERIFY(!test_->find<QAction>("edit_undo")->isEnabled());
        go_to_second_step();
        type("changed in the lesson");
        test_->trigger("edit_undo");
        QVERIFY(shown_text() != "changed in the lesson" && shown_text() != "second");
        player().leave();
        QCOMPARE(shown_text(), std::string("second"));
        test_->trigger("edit_undo");
        QCOMPARE(shown_text(), std::string("first"));
        test_->trigger("edit_redo");
        QCOMPARE(shown_text(), std::string("second"));
        QVERIFY(!test_->find<QAction>("edit_redo")->isEnabled());
    }

    void what_was_changed_in_a_lesson_is_put_aside() {
        write_own("mine");
        open("softmax");
        go_to_second_step();
        const std::size_t step = player().step();
        QVERIFY2(!test_->window().isWindowModified(), "a step of a lesson is nothing to save");
        type("changed in the lesson");
        QVERIFY(test_->window().isWindowModified());
        leave_and_wait();
        QCOMPARE(shown_text(), std::string("mine"));
        test_->find<QMenu>("recent_files")->actions().constFirst()->trigger();
        QTRY_VERIFY(player().is_open());
        QCOMPARE(player().step(), step);
        QCOMPARE(shown_text(), std::string("changed in the lesson"));
        QVERIFY2(test_->window().files().file().isEmpty(), "nobody has saved it");
        QVERIFY(test_->window().isWindowModified());
    }

    void a_file_that_was_opened_in_a_lesson_stays() {
        write_own("mine");
        open("softmax");
        const std::filesystem::path file = test_->file(QStringLiteral("words.txt")).toStdString();
        write_file_atomically(file, std::string("what I have brought"));
        test_->window().files().open_path(QString::fromStdString(file.string()));
        QTRY_COMPARE(shown_text(), std::string("what I have brought"));
        QVERIFY(player().is_open());
        leave_and_wait();
        QCOMPARE(shown_text(), std::string("what I have brought"));
        QVERIFY(test_->window().isWindowModified());
        QTRY_VERIFY2(test_->message("notice").contains(QLatin1String("stays open")),
                     qPrintable(test_->message("notice")));
        QVERIFY2(!test_->message("notice").contains(QLatin1String("Open recent")), "it is shown");
        test_->trigger("edit_undo");
        QCOMPARE(shown_text(), std::string("mine"));
    }

    void a_new_session_in_a_lesson_is_one_outside() {
        write_own("mine");
        const QString own = save_own();
        open("softmax");
        test_->trigger("file_new");
        QTRY_VERIFY(!player().is_open());
        QVERIFY(test_->session() == example_session());
        QVERIFY(test_->window().files().file().isEmpty());
        test_->trigger("edit_undo");
        QCOMPARE(shown_text(), std::string("mine"));
        QCOMPARE(text_in(own), std::string("mine"));
    }

private:
    LessonPlayer& player() { return *test_->window().findChild<LessonPlayer*>(); }
    Autosave* autosave() { return test_->window().findChild<Autosave*>(); }
    /// Whether a kill would bring that text back.
    bool is_kept(const std::string& text) {
        const std::filesystem::path file = autosave()->path();
        return std::filesystem::exists(file) && read_file(file).find(text) != std::string::npos;
    }
    std::string shown_text() { return test_->session().sequence.query_text; }
    std::string own_text() { return test_->document().own_snapshot()->sequence.query_text; }
    static std::string text_in(const QString& file) {
        return parse_session(read_file(file.toStdString())).sequence.query_text;
    }
    /// As a person types it into whatever is shown.
    void type(const std::string& text) {
        Session next = test_->session();
        next.sequence.query_text = text;
        test_->document().edit({"Type", next});
    }
    void write_own(const std::string& text) {
        QVERIFY(!player().is_open());
        type(text);
    }
    QString save_own() {
        const QString file = test_->file(QStringLiteral("a.json"));
        test_->window().files().save_to(file);
        [&] { QTRY_VERIFY(!test_->window().files().is_saving()); }();
        return file;
    }
    void open(const std::string& id) {
        auto* menu = test_->find<QMenu>("lesson_menu");
        emit menu->aboutToShow();
        const auto& all = shipped_lessons();
        menu->actions().at(std::ranges::find(all, id, &Lesson::id) - all.begin())->trigger();
        QTRY_VERIFY(test_->find("lesson_text")->isVisible());
    }
    void go_to_second_step() {
        while (player().step() < 1)
            player().go_on();
    }
    void play(Lesson lesson) { player().open(std::move(lesson)); }
    void leave_and_wait() {
        player().leave();
        QTRY_VERIFY(!player().is_open());
    }
    /// The next start, in a lesson: WindowUnderTest begins outside.
    void restart() { test_->start(); }
};

QTEST_MAIN(LessonKeepingTest)

}  // namespace headlight::lesson_keeping_test

#include "lesson_keeping_test.moc"

// What becomes of work when the window is closed, killed or gets another session: nothing is lost.

#include "core/io/files.h"
#include "tests/ui/full_disk.h"
#include "tests/ui/windowed_test.h"
#include "ui/models/autosave.h"

#include <QFileInfo>
#include <QMenu>
#include <QSignalSpy>
#include <QThread>

#include <filesystem>

namespace headlight::window_work_test {

class WindowWorkTest : public WindowedTest {
    Q_OBJECT
private slots:
    void a_kill_brings_back_nothing_older_than_what_was_saved() {
        const QString path = test_->file(QStringLiteral("lesson.json"));
        type_over(test_->find("query_text"), QStringLiteral("typed and saved at once"));
        test_->window().files().save_to(path);
        // Long before the autosave writes by itself, and whether or not the window has heard of the save yet.
        while (!QFileInfo::exists(path))
            QThread::msleep(1);
        QCOMPARE(parse_last_work(read_file(autosave().path())).session.sequence.query_text,
                 std::string("typed and saved at once"));
        QTRY_VERIFY(!test_->window().isWindowModified());
        // And that it was saved.
        QTRY_VERIFY(parse_last_work(read_file(autosave().path())).saved);
    }

    void a_kill_brings_the_work_back() {
        type_over(test_->find("query_text"), QStringLiteral("nearly lost"));
        const auto is_kept = [this] {  // whatever was written before, and is told of only now
            const std::filesystem::path file = autosave().path();
            return std::filesystem::exists(file) && read_file(file).find("nearly lost") != std::string::npos;
        };
        QTRY_VERIFY(is_kept());
        test_->kill();
        test_->start();
        QCOMPARE(test_->session().sequence.query_text, std::string("nearly lost"));
        QCOMPARE(test_->message("file_message"),
                 QStringLiteral("Headlight was not closed properly. Your work was restored."));
        QVERIFY(test_->window().isWindowModified());
    }

    void closing_stays_open_when_the_work_cannot_be_kept() {
        type_over(test_->find("query_text"), QStringLiteral("nearly lost"));
        block_autosave();
        test_->answer("lost_work_question", QStringLiteral("Cancel"));
        QVERIFY(!test_->window().close());
        QVERIFY(test_->window().isVisible());
        QVERIFY(!test_->message("file_message").isEmpty());
        QVERIFY(!test_->window().terminate());  // nobody answers: it stays, too
        QVERIFY(test_->window().isVisible());
        test_->answer("lost_work_question", QStringLiteral("Close &without it"));
        QVERIFY(test_->window().close());
    }

    void a_saved_session_may_be_closed_without_a_place_for_work() {
        const QString path = test_->file(QStringLiteral("kept.json"));
        type_over(test_->find("query_text"), QStringLiteral("on the disk"));
        test_->window().files().save_to(path);
        QTRY_VERIFY(!test_->window().isWindowModified());
        block_autosave();
        QVERIFY(test_->window().close());
    }

    void a_window_without_a_place_for_work_says_so() {
        const std::filesystem::path work = autosave().path().parent_path();
        test_->kill();
        std::filesystem::remove_all(work);
        write_file_atomically(work, "a file");
        test_->start();
        QVERIFY(test_->message("file_message").contains(QLatin1String("keep the work")));
    }

    void the_work_of_another_window_is_offered() {
        {
            Document other(small_session());
            Autosave beside(autosave().path().parent_path());
            beside.watch(other);
            Session changed = other.session();
            changed.sequence.query_text = "in another window";
            other.edit({"Type", changed});
            QSignalSpy written(&beside, &Autosave::written);
            QTRY_VERIFY(!written.isEmpty());
        }
        test_->close();
        test_->start();
        QVERIFY(test_->message("file_message").contains(QLatin1String("another window")));
        test_->find<QMenu>("recent_files")->actions().constFirst()->trigger();
        QTRY_COMPARE(test_->session().sequence.query_text, std::string("in another window"));
    }

    void termination_closes_properly() {
        type_over(test_->find("query_text"), QStringLiteral("until tomorrow"));
        QVERIFY(test_->window().terminate());
        test_->start();
        QCOMPARE(test_->session().sequence.query_text, std::string("until tomorrow"));
        QVERIFY(test_->message("file_message").isEmpty());
    }

    void work_that_cannot_run_comes_back_too() {
        type_over(test_->find("query_text"), QStringLiteral(" "));
        QVERIFY(!test_->message("run_message").isEmpty());
        test_->close();
        test_->start();
        QCOMPARE(test_->session().sequence.query_text, std::string(" "));
        QVERIFY(!test_->message("run_message").isEmpty());
        test_->begin_anew();
        QVERIFY(test_->message("run_message").isEmpty());
    }

    void closing_and_starting_again_shows_what_was_open() {
        type_over(test_->find("query_text"), QStringLiteral("until tomorrow"));
        test_->close();
        test_->start();
        QCOMPARE(test_->session().sequence.query_text, std::string("until tomorrow"));
        QVERIFY(test_->message("file_message").isEmpty());
    }

    void unsaved_work_that_is_replaced_is_among_the_recent_files() {
        type_over(test_->find("query_text"), QStringLiteral("not saved yet"));
        test_->begin_anew();
        QVERIFY(test_->session() == example_session());
        auto* recent = test_->find<QMenu>("recent_files");
        QVERIFY(recent && !recent->actions().isEmpty());
        QAction* first = recent->actions().constFirst();
        QVERIFY(first->toolTip().contains(QLatin1Char('/')));
        QVERIFY2(!first->objectName().contains(QLatin1Char('/')), "the list of commands keeps names it used");
        first->trigger();
        QTRY_COMPARE(test_->session().sequence.query_text, std::string("not saved yet"));
        QVERIFY2(test_->window().files().file().isEmpty(), "a file of the program's, which may remove it");
        QVERIFY(test_->window().isWindowModified());
    }

    void nothing_is_replaced_before_it_is_on_the_disk_data() {
        QTest::addColumn<bool>("is_opened");
        QTest::newRow("another session") << true;
        QTest::newRow("a new one") << false;
    }
    void nothing_is_replaced_before_it_is_on_the_disk() {
        QFETCH(bool, is_opened);
        Session other = small_session();
        other.sequence.query_text = "another session";
        const QString path = test_->file(QStringLiteral("other.json"));
        write_file_atomically(path.toStdString(), write_session(other));
        type_over(test_->find("query_text"), QStringLiteral("not saved yet"));
        const auto replace = [&] {
            if (is_opened)
                test_->window().files().open_path(path);
            else
                test_->trigger("file_new");
        };
        {
            const FullDisk full(autosave().path().parent_path());
            replace();
            QTRY_VERIFY(test_->message("file_message").contains(QLatin1String("nothing was replaced")));
            QCOMPARE(test_->session().sequence.query_text, std::string("not saved yet"));
            QVERIFY(test_->window().isWindowModified());
        }
        replace();
        QTRY_VERIFY(test_->session().sequence.query_text != "not saved yet");
        QVERIFY(!test_->window().isWindowModified());
    }

    void what_is_typed_while_work_is_put_aside_is_put_aside_too() {
        type_over(test_->find("query_text"), QStringLiteral("before"));
        test_->trigger("file_new");
        type_over(test_->find("query_text"), QStringLiteral("after"));
        QTRY_VERIFY(test_->session() == example_session());
        QStringList kept;
        for (const auto& entry : std::filesystem::directory_iterator(autosave().path().parent_path()))
            if (entry.path().filename().string().starts_with("unsaved-"))
                kept += QString::fromStdString(parse_session(read_file(entry.path())).sequence.query_text);
        QVERIFY2(kept.contains(QStringLiteral("after")), qPrintable(kept.join(u',')));
    }

    void a_window_that_stays_open_stays_as_it_was() {
        auto* fold = test_->window().findChild<QAction*>(QStringLiteral("fold_left"));
        fold->trigger();
        QTRY_VERIFY(!test_->find("sequence_dock")->isVisible());
        Session changed = test_->session();
        changed.sequence.query_text = "nearly lost";
        test_->document().edit({"Type", changed});
        block_autosave();
        test_->answer("lost_work_question", QStringLiteral("Cancel"));
        QVERIFY(!test_->window().close());
        QVERIFY(!test_->find("sequence_dock")->isVisible());
    }

    void recent_work_is_read_after_it_was_written() {
        // A slow disk: much else has to be written first.
        Session large = small_session();
        auto numbers = std::make_shared<Inputs>();
        numbers->query = Tensor(Shape{400, 400}, 1.0 / 3);
        large.sequence.file = std::move(numbers);
        for (int i = 0; i < 4; ++i)
            autosave().keep_aside(
                {{std::make_shared<const Session>(large)}}, [](const auto&) {},
                [](const Error& error) { QFAIL(error.what()); });
        type_over(test_->find("query_text"), QStringLiteral("written last"));
        test_->begin_anew();
        QVERIFY(test_->session() == example_session());
        test_->find<QMenu>("recent_files")->actions().constFirst()->trigger();
        QTRY_VERIFY(!(test_->session() == example_session()) || !test_->message("file_message").isEmpty());
        QCOMPARE(test_->session().sequence.query_text, std::string("written last"));
    }

private:
    /// As a full disk does, for root too.
    void block_autosave() {
        std::filesystem::remove(autosave().path());
        std::filesystem::create_directories(autosave().path() / "in the way");
    }
    Autosave& autosave() { return *test_->window().findChild<Autosave*>(); }
};

QTEST_MAIN(WindowWorkTest)

}  // namespace headlight::window_work_test

#include "window_work_test.moc"

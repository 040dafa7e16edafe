#include "core/io/files.h"
#include "tests/ui/full_disk.h"
#include "tests/ui/views_support.h"
#include "ui/models/autosave.h"
#include "ui/models/document.h"

#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

namespace headlight::autosave_test {

namespace {

Session with_text(Session session, const std::string& text) {
    session.sequence.query_text = text;
    return session;
}

/// For a test that asks what is written, and not when.
constexpr Autosave::Delays hasty{std::chrono::milliseconds(100), std::chrono::milliseconds(100)};

}  // namespace

class AutosaveTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        fail_on_warnings();
        folder_ = std::make_unique<QTemporaryDir>();
    }

    void the_first_start_has_no_last_work() { QVERIFY(!Autosave(work()).last_work()); }

    void a_kill_loses_less_than_five_seconds() {
        // The rest is for the disk.
        QVERIFY(Autosave::longest_delay <= std::chrono::seconds(4));
        QVERIFY(Autosave::retry_delay <= std::chrono::seconds(4));
        Document document(small_session());
        {
            Autosave autosave(work());
            autosave.watch(document);
            autosave.set_file(QStringLiteral("/tmp/lesson.json"));
            QSignalSpy written(&autosave, &Autosave::written);
            document.edit({"Type", with_text(document.session(), "kept in spite of all")});
            QTRY_VERIFY(!written.isEmpty());
        }  // gone without close(), as a killed program is
        const auto last = Autosave(work()).last_work();
        QVERIFY(last);
        QCOMPARE(last->session.sequence.query_text, std::string("kept in spite of all"));
        QCOMPARE(last->file, QStringLiteral("/tmp/lesson.json"));
        QVERIFY(!last->was_closed);
        QVERIFY(!last->saved);
    }

    void many_edits_are_written_together() {
        Document document(small_session());
        Autosave autosave(work(), hasty);
        autosave.watch(document);
        QSignalSpy written(&autosave, &Autosave::written);
        for (int i = 0; i < 50; ++i)
            document.edit({"Type", with_text(document.session(), "word " + std::to_string(i))});
        QTRY_VERIFY(!written.isEmpty());
        QCOMPARE(written.count(), 1);
        QCOMPARE(parse_last_work(read_file(autosave.path())).session.sequence.query_text,
                 std::string("word 49"));
    }

    void where_one_looks_is_kept_and_is_nothing_to_save() {
        Document document(small_session());
        {
            Autosave autosave(work(), hasty);
            autosave.watch(document);
            QSignalSpy written(&autosave, &Autosave::written);
            document.looking().look_at(with_view(document, ViewKind::lines));
            QTRY_VERIFY(!written.isEmpty());
        }
        const auto last = Autosave(work()).last_work();
        QVERIFY(last && last->saved);
        QCOMPARE(last->session.view.view, ViewKind::lines);
    }

    void closing_keeps_what_is_open() {
        Document document(small_session());
        {
            Autosave autosave(work());
            autosave.watch(document);
            document.edit({"Type", with_text(document.session(), "until tomorrow")});
            QVERIFY(!autosave.close());
        }
        const auto last = Autosave(work()).last_work();
        QVERIFY(last && last->was_closed);
        QCOMPARE(last->session.sequence.query_text, std::string("until tomorrow"));
    }

    void a_kill_while_the_place_is_taken_leaves_it_free() {
        std::filesystem::create_directories(work());
        write_file_atomically(window_place(work(), 0).string() + ".lock", "");
        QCOMPARE(Autosave(work()).path(), std::filesystem::path(window_place(work(), 0).string() + ".json"));
    }

    void two_windows_have_two_places() {
        const Autosave one(work()), two(work());
        QVERIFY(one.path() != two.path());
    }

    void a_broken_file_is_set_aside_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("not json") << QByteArray("{\"format\": \"headli");
        QTest::newRow("not ours") << QByteArray("{\"format\": \"other\"}");
        QTest::newRow("not an object") << QByteArray("[1, 2]");
        QTest::newRow("no session") << QByteArray(
            "{\"format\": \"headlight-autosave/1\", \"file\": \"\", \"saved\": true, \"closed\": true}");
        QTest::newRow("bad session") << QByteArray(
            "{\"format\": \"headlight-autosave/1\", \"file\": \"\", \"saved\": true, \"closed\": true, "
            "\"session\": {\"mechanism\": 7}}");
    }
    void a_broken_file_is_set_aside() {
        QFETCH(QByteArray, bytes);
        const std::string broken(bytes.constData(), static_cast<std::size_t>(bytes.size()));
        std::filesystem::create_directories(work());
        write_file_atomically(window_place(work(), 0).string() + ".json", broken);
        Autosave autosave(work());
        QVERIFY(!autosave.last_work());
        QVERIFY(!autosave.problem());
        QCOMPARE(autosave.found().unreadable.size(), std::size_t(1));
        Document document(small_session());
        autosave.watch(document);
        document.edit({"Type", with_text(document.session(), "new work")});
        QVERIFY(!autosave.close());
        QCOMPARE(read_file(autosave.found().unreadable.front()), broken);
    }

    void another_window_s_work_is_found_once_it_is_gone() {
        Document first(small_session()), second(small_session());
        {
            auto one = std::make_unique<Autosave>(work()), two = std::make_unique<Autosave>(work(), hasty);
            one->watch(first);
            two->watch(second);
            first.edit({"Type", with_text(first.session(), "of the first")});
            second.edit({"Type", with_text(second.session(), "of the second")});
            QVERIFY(!one->close());
            QSignalSpy written(two.get(), &Autosave::written);
            QTRY_VERIFY(!written.isEmpty());
            one.reset();
            {
                const Autosave beside(work());  // while the second is still open
                QVERIFY(beside.found().sessions.empty());
                QCOMPARE(beside.last_work()->session.sequence.query_text, std::string("of the first"));
            }
        }  // the second is killed
        const Autosave next(work());
        QCOMPARE(next.last_work()->session.sequence.query_text, std::string("of the first"));
        QCOMPARE(next.found().sessions.size(), std::size_t(1));
        QCOMPARE(parse_session(read_file(next.found().sessions.front())).sequence.query_text,
                 std::string("of the second"));
    }

    void work_that_was_saved_needs_no_finding() {
        Document document(small_session());
        {
            Autosave one(work()), two(work());
            two.watch(document);
            QVERIFY(!two.close());  // nothing has changed since it was saved
        }
        QVERIFY(Autosave(work()).found().sessions.empty());
    }

    void what_another_window_left_unreadable_is_set_aside_too() {
        std::filesystem::create_directories(work());
        write_file_atomically(window_place(work(), 3).string() + ".json", "half of");
        const Autosave autosave(work());
        QCOMPARE(autosave.found().unreadable.size(), std::size_t(1));
        QCOMPARE(read_file(autosave.found().unreadable.front()), std::string("half of"));
    }

    void a_place_that_is_a_folder_is_left_alone() {
        const std::filesystem::path folder = window_place(work(), 0).string() + ".json";
        std::filesystem::create_directories(folder / "inside");
        const Autosave autosave(work());
        QVERIFY(!autosave.problem());
        bool is_there = false;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(work()))
            is_there = is_there || entry.path().filename() == "inside";
        QVERIFY(is_there);
    }

    void replaced_work_is_kept_aside_but_not_for_ever() {
        constexpr int too_many = 2;
        Autosave autosave(work());
        QSignalSpy removed(&autosave, &Autosave::removed);
        int kept = 0;
        std::filesystem::path oldest, newest;
        for (int i = 0; i < int(most_unsaved) + too_many; ++i)
            autosave.keep_aside(
                {{std::make_shared<const Session>(with_text(small_session(), "work " + std::to_string(i)))}},
                [&](const std::vector<std::filesystem::path>& files) {
                    newest = files.front();
                    if (kept++ == 0)
                        oldest = newest;
                },
                [](const Error& error) { QFAIL(error.what()); });
        QTRY_COMPARE(kept, int(most_unsaved) + too_many);
        QCOMPARE(parse_session(read_file(newest)).sequence.query_text,
                 "work " + std::to_string(most_unsaved + too_many - 1));
        QCOMPARE(unsaved_files(), qsizetype(most_unsaved));
        QVERIFY2(!exists(oldest), "made in the same moment as the next, and none of them written over");
        QCOMPARE(removed.count(), too_many);
        QCOMPARE(removed[0][0].value<std::vector<std::filesystem::path>>(), std::vector{oldest});
    }

    void what_cannot_be_put_aside_is_refused() {
        Autosave autosave(work());
        const FullDisk full(work());
        bool is_refused = false;
        autosave.keep_aside(
            {{std::make_shared<const Session>(small_session())}},
            [](const auto&) { QFAIL("it is on no disk"); }, [&](const Error&) { is_refused = true; });
        QTRY_VERIFY(is_refused);
    }

    void what_could_not_be_written_is_written_once_there_is_room() {
        Document document(small_session());
        Autosave autosave(work(), hasty);
        autosave.watch(document);
        QSignalSpy failed(&autosave, &Autosave::failed), written(&autosave, &Autosave::written);
        std::optional<FullDisk> full(work());
        document.edit({"Type", with_text(document.session(), "in danger")});
        QTRY_VERIFY(!failed.isEmpty());
        full.reset();
        QTRY_VERIFY(!written.isEmpty());  // without another change
        QCOMPARE(parse_last_work(read_file(autosave.path())).session.sequence.query_text,
                 std::string("in danger"));
    }

    void what_failed_and_was_not_told_of_is_written_before_a_save() {
        Document document(small_session());
        Autosave autosave(work());
        autosave.watch(document);
        std::optional<FullDisk> full(work());
        document.edit({"Type", with_text(document.session(), "about to be saved")});
        autosave.hurry();
        autosave.wait();  // it has failed; the window hears of it in the event loop
        full.reset();
        autosave.hurry();
        autosave.wait();
        QVERIFY(exists(autosave.path()));
        QCOMPARE(parse_last_work(read_file(autosave.path())).session.sequence.query_text,
                 std::string("about to be saved"));
    }

    void a_lesson_is_kept_beside_the_own_work() {
        Document document(small_session());
        const LessonPlace place{"softmax", 1, 0};
        {
            Autosave autosave(work());
            autosave.watch(document);
            autosave.set_file(QStringLiteral("/tmp/mine.json"));
            document.edit({"Type", with_text(document.session(), "mine")});
            document.show_lesson({"Step", with_text(small_session(), "a step")}, place);
            QVERIFY(!autosave.close());
        }
        const auto last = Autosave(work()).last_work();
        QVERIFY(last && last->lesson);
        QCOMPARE(last->session.sequence.query_text, std::string("mine"));
        QCOMPARE(last->file, QStringLiteral("/tmp/mine.json"));
        QVERIFY(!last->saved);
        QCOMPARE(last->lesson->session.sequence.query_text, std::string("a step"));
        QVERIFY(last->lesson->saved && last->lesson->file.isEmpty());
        QVERIFY(last->lesson->place == place);
    }

    void a_folder_that_cannot_be_used_is_told_at_once_data() {
        QTest::addColumn<bool>("is_file");
        QTest::newRow("not even root can make a folder there") << false;
        QTest::newRow("a file has its name") << true;
    }
    void a_folder_that_cannot_be_used_is_told_at_once() {
        QFETCH(bool, is_file);
        if (is_file)
            write_file_atomically(work(), "a file");
        Document document(small_session());
        Autosave autosave(is_file ? work() : std::filesystem::path("/proc/headlight"), hasty);
        QVERIFY(autosave.problem());
        autosave.watch(document);
        QVERIFY(autosave.close());
        QVERIFY(!autosave.last_work());
        QSignalSpy failed(&autosave, &Autosave::failed);
        document.edit({"Type", with_text(document.session(), "in danger")});
        QTRY_VERIFY(!failed.isEmpty());
    }

    void closing_tells_that_the_disk_refused() {
        Document document(small_session());
        Autosave autosave(work());
        autosave.watch(document);
        document.edit({"Type", with_text(document.session(), "in danger")});
        std::filesystem::create_directories(autosave.path() / "in the way");
        QVERIFY(autosave.close());
        std::filesystem::remove_all(autosave.path());
        QVERIFY(!autosave.close());  // room was made
    }

private:
    qsizetype unsaved_files() const {
        return std::ranges::count_if(std::filesystem::directory_iterator(work()), [](const auto& entry) {
            return entry.path().filename().string().starts_with(unsaved);
        });
    }
    std::filesystem::path work() const { return folder_->filePath(QStringLiteral("work")).toStdString(); }

    std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_MAIN(AutosaveTest)

}  // namespace headlight::autosave_test

#include "autosave_test.moc"

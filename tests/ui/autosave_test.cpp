#include "core/io/files.h"
#include "tests/ui/views_support.h"
#include "ui/models/autosave.h"
#include "ui/models/document.h"

#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <filesystem>

using namespace headlight;

namespace {

Session with_text(Session session, const std::string& text) {
    session.sequence.query_text = text;
    return session;
}

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
        Document document(small_session());
        {
            Autosave autosave(work());
            autosave.watch(document);
            autosave.set_file(QStringLiteral("/tmp/lesson.json"));
            QSignalSpy written(&autosave, &Autosave::written);
            document.edit(QStringLiteral("Type"), with_text(document.session(), "kept in spite of all"));
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
        Autosave autosave(work());
        autosave.watch(document);
        QSignalSpy written(&autosave, &Autosave::written);
        for (int i = 0; i < 50; ++i)
            document.edit(QStringLiteral("Type"), with_text(document.session(), "word " + std::to_string(i)));
        QTRY_VERIFY(!written.isEmpty());
        QCOMPARE(written.count(), 1);
        QCOMPARE(autosave.last_work()->session.sequence.query_text, std::string("word 49"));
    }

    void where_one_looks_is_kept_and_is_nothing_to_save() {
        Document document(small_session());
        {
            Autosave autosave(work());
            autosave.watch(document);
            QSignalSpy written(&autosave, &Autosave::written);
            document.look(with_view(document, ViewKind::lines));
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
            document.edit(QStringLiteral("Type"), with_text(document.session(), "until tomorrow"));
            autosave.close();
        }
        const auto last = Autosave(work()).last_work();
        QVERIFY(last && last->was_closed);
        QCOMPARE(last->session.sequence.query_text, std::string("until tomorrow"));
    }

    void two_windows_have_two_places() {
        const Autosave one(work()), two(work());
        QVERIFY(one.path() != two.path());
    }

    void a_broken_file_is_no_last_work_data() {
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
    void a_broken_file_is_no_last_work() {
        QFETCH(QByteArray, bytes);
        const Autosave autosave(work());
        write_file_atomically(autosave.path(),
                              std::string_view(bytes.constData(), static_cast<size_t>(bytes.size())));
        QVERIFY(!autosave.last_work());
    }

    void replaced_work_is_kept_aside_but_not_for_ever() {
        Autosave autosave(work());
        QSignalSpy written(&autosave, &Autosave::written);
        std::filesystem::path newest;
        for (int i = 0; i < 12; ++i) {
            newest = autosave.keep_aside(
                std::make_shared<const Session>(with_text(small_session(), "work " + std::to_string(i))));
            QTest::qWait(2);
        }
        QTRY_COMPARE(written.count(), 12);
        QCOMPARE(parse_session(read_file(newest)).sequence.query_text, std::string("work 11"));
        qsizetype kept = 0;
        for (const auto& entry : std::filesystem::directory_iterator(work()))
            kept += entry.path().filename().string().starts_with("unsaved-");
        QCOMPARE(kept, 10);
    }

    void a_folder_that_cannot_be_written_is_reported_not_fatal() {
        // Not even root can make a folder there.
        Document document(small_session());
        Autosave autosave("/proc/headlight");
        autosave.watch(document);
        autosave.close();
        QVERIFY(!autosave.last_work());
    }

private:
    std::filesystem::path work() const { return folder_->filePath(QStringLiteral("work")).toStdString(); }

    std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_MAIN(AutosaveTest)
#include "autosave_test.moc"

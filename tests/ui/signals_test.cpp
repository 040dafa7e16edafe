// A signal that asks the program to end closes it as a person does: nothing is lost, and the next start has
// nothing to say of it. A signal that kills it is told.

#include "core/io/files.h"
#include "core/io/session.h"
#include "tests/ui/patience.h"
#include "ui/models/work_folder.h"

#include <QApplication>
#include <QDirIterator>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

namespace headlight::signals_test {

namespace {

/// The program itself, with places of its own for what it keeps.
class Program {
public:
    Program() {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* place : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"})
            environment.insert(QLatin1String(place), folder_.path());
        process_.setProcessEnvironment(environment);
        const QString session = folder_.filePath(QStringLiteral("lesson.json"));
        write_file_atomically(session.toStdString(), write_session(example_session()));
        process_.start(QStringLiteral(HEADLIGHT_BINARY_DIR "/headlight"), {session});
    }
    ~Program() {
        process_.kill();
        process_.waitForFinished();
    }

    void send(int signal) const { ::kill(static_cast<pid_t>(process_.processId()), signal); }
    /// What its window has kept, once it is there and the session is open.
    QString work() const {
        QDirIterator files(folder_.path(), {QStringLiteral("window-*.json")}, QDir::Files,
                           QDirIterator::Subdirectories);
        return files.hasNext() ? files.next() : QString();
    }
    const QProcess& process() const { return process_; }
    bool ends() { return process_.waitForFinished(patience); }

private:
    QTemporaryDir folder_;
    QProcess process_;
};

}  // namespace

class SignalsTest : public QObject {
    Q_OBJECT
private slots:
    void a_signal_closes_the_program_in_order_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("SIGHUP") << SIGHUP;
    }
    void a_signal_closes_the_program_in_order() {
        QFETCH(int, signal);
        Program program;
        QTRY_VERIFY(!program.work().isEmpty());
        program.send(signal);
        QVERIFY(program.ends());
        QCOMPARE(program.process().exitStatus(), QProcess::NormalExit);
        QCOMPARE(program.process().exitCode(), 0);
        QVERIFY(parse_last_work(read_file(program.work().toStdString())).was_closed);
    }

    void a_second_file_is_refused_and_not_passed_over() {
        QProcess process;
        process.start(QStringLiteral(HEADLIGHT_BINARY_DIR "/headlight"),
                      {QStringLiteral("./one.json"), QStringLiteral("./two.json")});
        QVERIFY(process.waitForFinished(patience));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 2);
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(said.contains("expected one file, got \"./two.json\" behind it"), said.constData());
    }

    void a_kill_is_not_taken_for_closing() {
        Program program;
        QTRY_VERIFY(!program.work().isEmpty());
        program.send(SIGKILL);
        QVERIFY(program.ends());
        QVERIFY(!parse_last_work(read_file(program.work().toStdString())).was_closed);
    }
};

QTEST_MAIN(SignalsTest)

}  // namespace headlight::signals_test

#include "signals_test.moc"

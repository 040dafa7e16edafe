// Kills the program at random moments of a person's work and starts it again: everything but the last five
// seconds is there, every file is whole, and nothing has to be repaired. HEADLIGHT_LONG_TESTS takes 200
// moments, not 10.
#include "core/io/files.h"
#include "core/io/session_place.h"
#include "core/io/training_folder.h"
#include "core/tensor/error.h"
#include "tests/support/long_tests.h"
#include "tests/support/test_file.h"
#include "tests/ui/full_disk.h"
#include "ui/render/export.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <limits>
#include <memory>
#include <random>
#include <vector>

namespace headlight::kill_test {

namespace fs = std::filesystem;

namespace {

constexpr qint64 second = 1'000'000'000;
constexpr qint64 may_be_lost = 5 * second;

qint64 now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return qint64(time.tv_sec) * second + time.tv_nsec;
}

/// How long the machine takes to write a little and to have it on the disk. Elsewhere that is a moment; where
/// others write much at the same time, the work that a kill loses is older by as much.
class Disk {
public:
    void try_now_and_then() {
        if (last_.isValid() && last_.elapsed() < 500)
            return;
        last_.start();
        const QString path = folder_.filePath(QStringLiteral("some.json"));
        write_file_atomically(path.toStdString(), std::string(10'000, 'x'));
        longest_ = std::max(longest_, last_.nsecsElapsed());
    }
    /// One write that was under way, and the next.
    qint64 delay() const { return 2 * longest_; }

private:
    QTemporaryDir folder_;
    QElapsedTimer last_;
    qint64 longest_ = 0;
};

/// When a disk was full, from one time until another.
struct Full {
    qint64 from, until;
};

/// Until when everything that was written is on the disk after a kill, which loses what is younger than
/// `lost`. What was as young when the disk was full gets there once there has been room for as long; where
/// the disk was full again sooner, what is there for certain is older still.
qint64 time_kept(qint64 killed, const std::vector<Full>& full, qint64 lost) {
    qint64 kept = killed - lost;
    for (auto each = full.rbegin(); each != full.rend(); ++each)
        if (each->until > kept)
            kept = std::min(kept, each->from - lost);
    return kept;
}

struct Line {
    qint64 time;
    QByteArray what;
    QByteArray value;
};

/// The numbers that a person has written one after another in one place, and which of them are on the disk.
class Written {
public:
    /// What is logged of them: each as it is written, and the one that is there after a kill and after
    /// closing.
    Written(const char* edit, const char* after_kill, const char* after_closing)
        : edit_(edit), after_kill_(after_kill), after_closing_(after_closing) {}

    /// What was written until `on_the_disk` is there after a kill; after closing everything is.
    void follow(const Line& line, qint64 on_the_disk, QStringList& found) {
        const qint64 number = line.value.toLongLong();
        if (line.what == edit_)
            edits_.emplace_back(line.time, number);
        if (line.what != after_kill_ && line.what != after_closing_)
            return;
        for (const auto& [time, each] : edits_)
            if (line.what == after_closing_ || time <= on_the_disk)
                keep(each);
        if (number < kept_)
            found += QStringLiteral("%1 brought %2 back, not %3")
                         .arg(QLatin1String(line.what))
                         .arg(number)
                         .arg(kept_);
        kept_ = number;
        edits_.clear();
    }
    void keep(qint64 number) { kept_ = std::max(kept_, number); }

private:
    QByteArray edit_, after_kill_, after_closing_;
    qint64 kept_ = 0;                               // on the disk for certain
    std::vector<std::pair<qint64, qint64>> edits_;  // time and number, since kept_ was read from there
};

/// A person in a folder of their own, killed and started again.
class Lane {
public:
    explicit Lane(unsigned seed) : random_(seed) {}

    void start() {
        FullDisk::restore(file(QStringLiteral("data/work")).toStdString());
        program_ = std::make_unique<QProcess>();
        program_->setProcessChannelMode(QProcess::MergedChannels);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), folder_.path());
        program_->setProcessEnvironment(environment);
        program_->start(QCoreApplication::applicationFilePath(),
                        {QStringLiteral("--file=kill_person"), folder_.path(), QString::number(random_())});
        kill_at_ = now() + std::uniform_int_distribution<qint64>(second / 2, 9 * second)(random_);
    }
    bool is_due() const { return now() >= kill_at_; }
    void kill() {
        const qint64 asked = now();
        program_->kill();
        program_->waitForFinished();
        kills_.push_back({asked, now()});
        said_ += program_->readAll();
    }
    /// Starts once more, and waits until it has said all that it has. Others still work on the `disk`.
    void start_and_look(Disk& disk) {
        const auto restored = [this] {
            return std::ranges::count(lines(), QByteArray("drafted"), &Line::what);
        };
        const auto before = restored();
        start();
        QElapsedTimer clock;
        clock.start();
        while (restored() == before && clock.elapsed() < 60'000) {
            QTest::qWait(50);
            disk.try_now_and_then();
        }
        program_->kill();
        program_->waitForFinished();
        said_ += program_->readAll();
    }

    /// What was lost or broken, in words, on a disk that writes `delay` late; empty when nothing was.
    QStringList complaints(qint64 delay) const {
        QStringList found;
        Written own{"edit", "restored", "reopened"}, draft{"draft", "drafted", "redrafted"};
        qint64 saved = 0;
        qint64 began = 0;        // the life of the program that is looked at
        std::vector<Full> full;  // when the disk was, in that life
        for (const Line& line : lines()) {
            // A line of a start is about the life before, which may have been killed before it said a word.
            const auto end_of_life = std::ranges::upper_bound(kills_, began, {}, &Kill::over);
            const qint64 end = end_of_life == kills_.end() ? line.time : end_of_life->asked;
            own.follow(line, time_kept(end, full, may_be_lost + delay), found);
            draft.follow(line, time_kept(end, {}, may_be_lost + delay), found);  // in another folder
            if (line.what == "problem") {
                found += QStringLiteral("a problem: ") + QString::fromUtf8(line.value);
            } else if (line.what == "saved") {
                saved = line.value.toLongLong();
                own.keep(saved);  // it is back whenever the kill comes
            } else if (line.what == "full") {
                full.push_back({line.time, std::numeric_limits<qint64>::max()});
            } else if (line.what == "room") {
                full.back().until = line.time;
            } else if (line.what == "drafted") {  // the last line of a start
                began = line.time;
                full.clear();
            }
        }
        look_at_files(saved, found);
        for (const QByteArray& line : said_.split('\n'))  // the platform of tests cannot do everything
            if (!line.isEmpty() && !line.startsWith("This plugin does not support"))
                found += QStringLiteral("it said: ") + QString::fromUtf8(line);
        return found;
    }
    /// All that it has noted, and when it was killed.
    QString story() const {
        QString story;
        for (const Line& line : lines())
            story += QStringLiteral("%1 %2 %3\n")
                         .arg(line.time)
                         .arg(QString::fromUtf8(line.what), QString::fromUtf8(line.value));
        for (const Kill& kill : kills_)
            story += QStringLiteral("%1 killed\n").arg(kill.asked);
        return story;
    }
    qsizetype done(const char* what) const {
        return std::ranges::count(lines(), QByteArray(what), &Line::what);
    }

private:
    /// The program may still do and say something between the two.
    struct Kill {
        qint64 asked, over;
    };

    QString file(const QString& name) const { return folder_.filePath(name); }
    std::vector<Line> lines() const {
        std::vector<Line> lines;
        QFile log(file(QStringLiteral("log.txt")));
        if (log.open(QIODevice::ReadOnly))
            while (!log.atEnd()) {
                const QByteArray line = log.readLine().trimmed();
                const auto first = line.indexOf(' '), next = line.indexOf(' ', first + 1);
                lines.push_back({line.left(first).toLongLong(), line.mid(first + 1, next - first - 1),
                                 line.mid(next + 1)});
            }
        return lines;
    }
    void look_at_files(qint64 saved, QStringList& found) const {
        try {
            if (const QString lesson = file(QStringLiteral("lesson.json")); QFileInfo::exists(lesson)) {
                const std::filesystem::path path = lesson.toStdString();
                if (!read_session_of(path, read_file(path)).lesson)
                    found += QStringLiteral("what was saved in a lesson has lost it");
            }
            if (const QString session = file(QStringLiteral("session.json")); QFileInfo::exists(session)) {
                const Session read = parse_session(read_file(session.toStdString()));
                const QString text = QString::fromStdString(read.sequence.query_text);
                if (text.section(QChar(' '), 1).toLongLong() < saved)
                    found += QStringLiteral("the saved session has “%1”, not %2").arg(text).arg(saved);
            }
            for (const char* name : {"figure.svg", "figure.pdf", "figure.png"})
                if (const QString figure = file(QLatin1String(name)); QFileInfo::exists(figure)) {
                    const std::string bytes = read_file(figure.toStdString());
                    const auto carried = embedded_session(
                        QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size())));
                    if (!carried)
                        found += QStringLiteral("%1 is not whole").arg(QLatin1String(name));
                }
            std::error_code none;
            for (const auto& run :
                 fs::directory_iterator(file(QStringLiteral("data/training")).toStdString(), none))
                if (fs::exists(run.path() / "run.json")) {
                    read_training_summary(run.path());
                    read_training_checkpoint(run.path());
                    read_training_record(run.path());
                }
            for (const auto& entry :
                 fs::directory_iterator(file(QStringLiteral("data/work")).toStdString(), none))
                if (entry.path().filename().string().starts_with("unreadable-"))
                    found += QStringLiteral("unreadable work was left");
        } catch (const Error& error) {
            found += QString::fromUtf8(error.what());
        }
    }

    QTemporaryDir folder_;
    std::mt19937 random_;
    std::unique_ptr<QProcess> program_;
    qint64 kill_at_ = 0;
    std::vector<Kill> kills_;
    QByteArray said_;
};

}  // namespace

class KillTest : public QObject {
    Q_OBJECT
private slots:
    void what_a_full_disk_keeps_is_as_old_as_the_last_room_on_it_data() {
        QTest::addColumn<std::vector<Full>>("full");
        QTest::addColumn<qint64>("kept");
        const qint64 never = std::numeric_limits<qint64>::max();
        using Fulls = std::vector<Full>;
        QTest::newRow("never full") << Fulls{} << qint64(95);
        QTest::newRow("full long ago") << Fulls{{70, 73}} << qint64(95);
        QTest::newRow("room for just as long as it takes") << Fulls{{92, 95}} << qint64(95);
        QTest::newRow("room a moment ago") << Fulls{{93, 96}} << qint64(88);
        QTest::newRow("full since a moment") << Fulls{{98, never}} << qint64(93);
        QTest::newRow("full twice, with time in between") << Fulls{{73, 76}, {93, 96}} << qint64(88);
        QTest::newRow("full again at once") << Fulls{{88, 91}, {93, 96}} << qint64(83);
        QTest::newRow("again and again") << Fulls{{60, 63}, {80, 84}, {87, 90}, {94, never}} << qint64(75);
    }
    void what_a_full_disk_keeps_is_as_old_as_the_last_room_on_it() {
        QFETCH(std::vector<Full>, full);
        QFETCH(qint64, kept);
        QCOMPARE(time_kept(100, full, 5), kept);
    }

    void everything_but_five_seconds_survives_a_kill() {
        const int kills = test::is_long() ? 200 : 10;
        constexpr unsigned side_by_side = 5;
        std::vector<std::unique_ptr<Lane>> lanes;
        for (unsigned seed = 1; seed <= side_by_side; ++seed) {
            lanes.push_back(std::make_unique<Lane>(seed));
            lanes.back()->start();
        }
        Disk disk;
        for (int done = 0; done < kills;) {
            QTest::qWait(10);
            disk.try_now_and_then();
            for (auto& lane : lanes)
                if (done < kills && lane->is_due()) {
                    lane->kill();
                    lane->start();
                    ++done;
                }
        }
        qsizetype saved = 0, edits = 0, drafts = 0;
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            lanes[i]->kill();
            lanes[i]->start_and_look(disk);
            const QStringList complaints = lanes[i]->complaints(disk.delay());
            QVERIFY2(complaints.isEmpty(),
                     qPrintable(QStringLiteral("seed %1: %2\n%3")
                                    .arg(i + 1)
                                    .arg(complaints.join(QStringLiteral("; ")), lanes[i]->story())));
            saved += lanes[i]->done("saved");
            edits += lanes[i]->done("edit");
            drafts += lanes[i]->done("draft");
        }
        QVERIFY(edits > kills);  // it was alive in between
        QVERIFY(saved > 0 && drafts > 0);
    }
};

HEADLIGHT_TEST_FILE(QGuiApplication, KillTest)

}  // namespace headlight::kill_test

#include "kill_test.moc"

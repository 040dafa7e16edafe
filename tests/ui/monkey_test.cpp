// Random keys, clicks, wheels and drops over every window: no warning, no crash, no blocked event loop, and
// no memory that keeps growing. With HEADLIGHT_LONG_TESTS it is 10,000 events for each of five seeds.
#include "tests/support/long_tests.h"
#include "tests/support/resident_memory.h"
#include "tests/support/watched_application.h"
#include "tests/ui/monkey.h"
#include "ui/jobs/latest_job.h"
#include "ui/models/cost_study.h"
#include "ui/models/training_list.h"
#include "ui/models/training_run.h"
#include "ui/panels/attention_combo.h"

#include <QApplication>
#include <QDesktopServices>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QTimer>

#include <algorithm>

namespace headlight::monkey_test {

namespace {

/// Takes every web address, which would leave the program.
class NoBrowser : public QObject {
    Q_OBJECT
public:
    NoBrowser() {
        for (const char* scheme : schemes)
            QDesktopServices::setUrlHandler(QLatin1String(scheme), this, "take");
    }
    ~NoBrowser() override {
        for (const char* scheme : schemes)
            QDesktopServices::unsetUrlHandler(QLatin1String(scheme));
    }
    Q_INVOKABLE void take(const QUrl&) {}

private:
    static constexpr const char* schemes[] = {"http", "https", "file"};
};

}  // namespace

class MonkeyTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        // Whatever it types as a name, it writes into a folder that goes.
        qputenv("HOME", QFile::encodeName(home_.path()));
        QVERIFY(QDir::setCurrent(home_.path()));
        qApp->setQuitOnLastWindowClosed(false);
        // Nothing is looked at after an event, so the window waits for work no longer than it does for
        // people.
        LatestJob::set_longest_step(LatestJob::frame);
        static_cast<WatchedApplication*>(qApp)->count_waiting();
    }
    void init() { fail_on_warnings(); }

    void nothing_breaks_and_nothing_grows_data() {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 5; ++seed)
            QTest::addRow("seed %u", seed) << seed;
    }
    void nothing_breaks_and_nothing_grows() {
        QFETCH(unsigned, seed);
        const int events = test::is_long() ? 10'000 : 120;
        WindowUnderTest test;
        Monkey monkey(test, seed);
        // Nothing is shown but the example, nothing learns or is measured.
        const auto rest = [&] {
            // A dialog that a last click still opens gets an answer, and a window that asks before it closes.
            QTimer answers;
            connect(&answers, &QTimer::timeout, this, [] {
                if (auto* question = qobject_cast<QDialog*>(QApplication::activeModalWidget()))
                    question->reject();
            });
            answers.start(10);
            for (const auto* runs : test.window().findChildren<TrainingList*>())
                if (TrainingRun* learning = runs->running()) {
                    learning->pause();
                    QTRY_VERIFY_WITH_TIMEOUT(!runs->running(), 20'000);
                }
            for (QWidget* widget : QApplication::topLevelWidgets())
                if (auto* dialog = qobject_cast<QDialog*>(widget); dialog && dialog->isVisible())
                    dialog->reject();
            for (const auto* attentions : test.window().findChildren<AttentionCombo*>())
                QTRY_VERIFY_WITH_TIMEOUT(!attentions->is_trying(), 20'000);  // what can learn has been tried
            for (const auto* study : test.window().findChildren<CostStudy*>())
                QTRY_VERIFY_WITH_TIMEOUT(!study->is_running(), 20'000);
            test.begin_anew();
            QTRY_VERIFY(!test.document().is_running());
        };
        monkey.play(events / 4);  // caches fill
        rest();
        const double before = resident_megabytes(), used_before = allocated_megabytes();
        monkey.play(events - events / 4);
        rest();
        double grown = resident_megabytes() - before;
        // What caches hold comes and goes; what nobody gives back is there after more events, too.
        constexpr double noticeable = 50;
        for (int more = 0; test::is_long() && grown >= noticeable && more < 2; ++more) {
            monkey.play(events / 2);
            rest();
            grown = std::min(grown, resident_megabytes() - before);
        }
        if (QTest::currentTestFailed())
            qInfo("the last events:\n    %s", qPrintable(monkey.last()));
        else
            qInfo("%.0f MB before, %.1f MB more after %d events, %.1f MB of it in use", before, grown, events,
                  allocated_megabytes() - used_before);
        QVERIFY2(grown < noticeable, qPrintable(QStringLiteral("%1 MB more").arg(grown)));
    }

private:
    QTemporaryDir home_;
    Fence fence_{home_.path()};
    NoBrowser no_browser_;
};

QTEST_MAIN(MonkeyTest)

}  // namespace headlight::monkey_test

#include "monkey_test.moc"

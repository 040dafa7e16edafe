#include "tests/ui/patience.h"
#include "ui/jobs/job_queue.h"
#include "ui/jobs/latest_job.h"

#include <QElapsedTimer>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <algorithm>
#include <sys/resource.h>
#include <unistd.h>

using namespace headlight;

class JobsTest : public QObject {
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    void delivers_on_the_thread_of_the_owner() {
        LatestJob job;
        QThread* worked_on = nullptr;
        QThread* delivered_on = nullptr;
        job.start([&](const Cancellation&) -> LatestJob::Delivery {
            worked_on = QThread::currentThread();
            return [&] { delivered_on = QThread::currentThread(); };
        });
        QVERIFY(job.is_running());
        QTRY_VERIFY(delivered_on != nullptr);
        QVERIFY(worked_on != QThread::currentThread());
        QCOMPARE(delivered_on, QThread::currentThread());
        QVERIFY(!job.is_running());
    }

    void only_the_newest_is_delivered() {
        LatestJob job;
        QSemaphore go_on;
        QStringList delivered;
        bool first_was_asked_to_stop = false;
        const auto work = [&](const QString& name) {
            return [&, name](const Cancellation& cancellation) -> LatestJob::Delivery {
                go_on.acquire();
                if (name == QLatin1String("first"))
                    first_was_asked_to_stop = cancellation.requested();
                return [&delivered, name] { delivered << name; };
            };
        };
        job.start(work(QStringLiteral("first")));
        job.start(work(QStringLiteral("second")));
        job.start(work(QStringLiteral("third")));
        go_on.release(3);
        QTRY_COMPARE(delivered, QStringList{QStringLiteral("third")});
        QTest::qWait(20);
        QCOMPARE(delivered.size(), 1);
        QVERIFY(first_was_asked_to_stop || go_on.available() > 0);
    }

    void nothing_is_delivered_after_cancel() {
        LatestJob job;
        QSemaphore go_on;
        bool delivered = false;
        job.start([&](const Cancellation&) -> LatestJob::Delivery {
            go_on.acquire();
            return [&] { delivered = true; };
        });
        job.cancel();
        QVERIFY(!job.is_running());
        go_on.release();
        QTest::qWait(30);
        QVERIFY(!delivered);
    }

    void only_long_jobs_announce_themselves() {
        LatestJob job;
        QSignalSpy busy(&job, &LatestJob::busy_changed);
        bool done = false;
        QElapsedTimer clock;
        clock.start();
        job.start([&](const Cancellation&) -> LatestJob::Delivery { return [&] { done = true; }; });
        QTRY_VERIFY(done);
        if (clock.elapsed() < 100)  // a loaded machine may need longer for nothing
            QCOMPARE(busy.count(), 0);
        busy.clear();

        QSemaphore go_on;
        job.start([&](const Cancellation&) -> LatestJob::Delivery {
            go_on.acquire();
            return {};
        });
        QTRY_COMPARE(busy.count(), 1);
        QCOMPARE(busy.at(0).at(0).toBool(), true);
        go_on.release();
        QTRY_COMPARE(busy.count(), 2);
        QCOMPARE(busy.at(1).at(0).toBool(), false);
    }

    void a_queue_runs_everything_in_order() {
        QStringList done;
        JobQueue queue;
        for (const char* name : {"one", "two", "three"})
            queue.add([&done, name]() -> JobQueue::Delivery {
                return [&done, name] { done << QLatin1String(name); };
            });
        queue.wait();
        QTRY_COMPARE(done,
                     (QStringList{QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three")}));
    }

    void a_queue_finishes_its_work_before_it_goes() {
        std::atomic<int> ran = 0;
        {
            JobQueue queue;
            for (int i = 0; i < 5; ++i)
                queue.add([&]() -> JobQueue::Delivery {
                    ++ran;
                    return {};
                });
        }
        QCOMPARE(ran.load(), 5);
    }

    void background_work_steps_back_and_nothing_else() {
        const auto nice_of = [](Worker& worker) {
            int nice = -1;
            worker.add([&]() -> Worker::Delivery {
                nice = getpriority(PRIO_PROCESS, static_cast<id_t>(gettid()));
                return {};
            });
            worker.wait();
            return nice;
        };
        const int own = getpriority(PRIO_PROCESS, 0);
        Worker background(Worker::Priority::background), other;
        QCOMPARE(nice_of(background), std::max(own, 10));
        QCOMPARE(nice_of(other), own);
    }
};

QTEST_GUILESS_MAIN(JobsTest)
#include "jobs_test.moc"

#include "core/tensor/interruption.h"
#include "tests/ui/patience.h"
#include "ui/jobs/job_queue.h"
#include "ui/jobs/latest_job.h"

#include <QElapsedTimer>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <sys/resource.h>
#include <unistd.h>

namespace headlight::jobs_test {

using namespace std::chrono_literals;

namespace {

void no_refusal(const Error& error) { QFAIL(error.what()); }

enum class Fault { error, memory, size, file, other, unknown };

[[noreturn]] void fail_with(Fault fault) {
    switch (fault) {
    case Fault::error:
        throw Error({"read", "a.csv", "numbers", "words"});
    case Fault::memory:
        throw std::bad_alloc();
    case Fault::size:
        throw std::length_error("vector::reserve");
    case Fault::file:
        throw std::filesystem::filesystem_error(
            "status", "/a/loop", std::make_error_code(std::errc::too_many_symbolic_link_levels));
    case Fault::other:
        throw std::runtime_error("something else");
    case Fault::unknown:
        break;
    }
    throw 7;
}

}  // namespace

}  // namespace headlight::jobs_test
Q_DECLARE_METATYPE(headlight::jobs_test::Fault)
namespace headlight::jobs_test {

class JobsTest : public QObject {
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    void delivers_on_the_thread_of_the_owner() {
        LatestJob job;
        QThread* worked_on = nullptr;
        QThread* delivered_on = nullptr;
        job.start(
            "work",
            [&](const Cancellation&) -> Job::Delivery {
                worked_on = QThread::currentThread();
                return [&] { delivered_on = QThread::currentThread(); };
            },
            no_refusal);
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
            return [&, name](const Cancellation& cancellation) -> Job::Delivery {
                go_on.acquire();
                if (name == QLatin1String("first"))
                    first_was_asked_to_stop = cancellation.requested();
                return [&delivered, name] { delivered << name; };
            };
        };
        job.start("work", work(QStringLiteral("first")), no_refusal);
        job.start("work", work(QStringLiteral("second")), no_refusal);
        job.start("work", work(QStringLiteral("third")), no_refusal);
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
        job.start(
            "work",
            [&](const Cancellation&) -> Job::Delivery {
                go_on.acquire();
                return [&] { delivered = true; };
            },
            no_refusal);
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
        job.start(
            "work", [&](const Cancellation&) -> Job::Delivery { return [&] { done = true; }; }, no_refusal);
        QTRY_VERIFY(done);
        if (clock.elapsed() < 100)  // a loaded machine may need longer for nothing
            QCOMPARE(busy.count(), 0);
        busy.clear();

        QSemaphore go_on;
        job.start(
            "work",
            [&](const Cancellation&) -> Job::Delivery {
                go_on.acquire();
                return {};
            },
            no_refusal);
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
            queue.add(
                {"work",
                 [&done, name]() -> Job::Delivery { return [&done, name] { done << QLatin1String(name); }; },
                 no_refusal});
        queue.wait();
        QTRY_COMPARE(done,
                     (QStringList{QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three")}));
    }

    void a_queue_finishes_its_work_before_it_goes() {
        std::atomic<int> ran = 0;
        {
            JobQueue queue;
            for (int i = 0; i < 5; ++i)
                queue.add({"work",
                           [&]() -> Job::Delivery {
                               ++ran;
                               return {};
                           },
                           no_refusal});
        }
        QCOMPARE(ran.load(), 5);
    }

    void nothing_that_is_thrown_ends_the_program_data() {
        QTest::addColumn<Fault>("fault");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("a refusal") << Fault::error << QByteArray("a.csv: read: expected numbers");
        QTest::newRow("no memory") << Fault::memory
                                   << QByteArray("open file: expected work that fits into memory");
        QTest::newRow("no such size")
            << Fault::size << QByteArray("open file: expected work that fits into memory");
        QTest::newRow("a loop of links")
            << Fault::file << QByteArray("loop: open file: expected a place that");
        QTest::newRow("another") << Fault::other << QByteArray("something else");
        QTest::newRow("no exception at all") << Fault::unknown << QByteArray("an unknown fault");
    }
    void nothing_that_is_thrown_ends_the_program() {
        QFETCH(Fault, fault);
        QFETCH(QByteArray, said);
        QByteArrayList refusals;
        bool is_running = true;
        LatestJob job;
        const auto refuse = [&](const Error& error) {
            is_running = job.is_running();
            refusals << error.what();
        };
        // From the work, from the delivery, and from a part of it.
        job.start(
            "open file", [&](const Cancellation&) -> Job::Delivery { fail_with(fault); }, refuse);
        QTRY_COMPARE(refusals.size(), 1);
        QVERIFY(!is_running);
        job.start(
            "open file", [&](const Cancellation&) { return [&] { fail_with(fault); }; }, refuse);
        QTRY_COMPARE(refusals.size(), 2);
        job.start(
            "open file",
            [&](const Cancellation& cancellation) -> Job::Delivery {
                job.deliver_part(cancellation, [&] { fail_with(fault); });
                return {};
            },
            refuse);
        QTRY_COMPARE(refusals.size(), 3);
        for (const QByteArray& refusal : refusals)
            QVERIFY2(refusal.contains(said), refusal);
        // And the worker goes on.
        bool delivered = false;
        job.start(
            "work", [&](const Cancellation&) { return [&] { delivered = true; }; }, no_refusal);
        QTRY_VERIFY(delivered);
    }

    void what_an_obsolete_job_throws_is_dropped() {
        LatestJob job;
        QSemaphore go_on;
        job.start(
            "work",
            [&](const Cancellation&) -> Job::Delivery {
                go_on.acquire();
                fail_with(Fault::error);
            },
            no_refusal);
        bool delivered = false;
        job.start(
            "work", [&](const Cancellation&) { return [&] { delivered = true; }; }, no_refusal);
        go_on.release();
        QTRY_VERIFY(delivered);
    }

    void a_queue_goes_on_after_a_refusal() {
        JobQueue queue;
        QByteArrayList refusals;
        bool done = false;
        queue.add({"save file", [&]() -> Job::Delivery { fail_with(Fault::memory); },
                   [&](const Error& error) { refusals << error.what(); }});
        queue.add({"save file", [&]() -> Job::Delivery { return [&] { done = true; }; }, no_refusal});
        queue.wait();
        queue.deliver();  // at once, without the event loop
        QVERIFY(done);
        QCOMPARE(refusals.size(), 1);
    }

    void cancelling_reaches_into_the_work() {
        LatestJob job;
        std::atomic<bool> has_begun = false, has_ended = false;
        const auto endless = [&](const Cancellation&) -> Job::Delivery {
            struct End {
                std::atomic<bool>& flag;
                ~End() { flag = true; }
            } const end{has_ended};
            has_begun = true;
            while (true)
                Interruption::check();  // as the loops of a run do
        };
        job.start("run", endless, no_refusal);
        QTRY_VERIFY(has_begun);
        job.cancel();
        QTRY_VERIFY(has_ended);
        QVERIFY(!job.is_running());
        // The next one need not wait for it.
        has_begun = has_ended = false;
        job.start("run", endless, no_refusal);
        QTRY_VERIFY(has_begun);
        bool delivered = false;
        job.start(
            "run", [&](const Cancellation&) { return [&] { delivered = true; }; }, no_refusal);
        QTRY_VERIFY(delivered);
        QVERIFY(has_ended);
    }

    void quick_work_stays_in_step() {
        LatestJob::set_longest_step(10s);
        LatestJob job;
        QSignalSpy busy(&job, &LatestJob::busy_changed);
        bool delivered = false;
        job.start_in_step(
            "run", [&](const Cancellation&) { return [&] { delivered = true; }; }, no_refusal);
        QVERIFY(delivered);
        QVERIFY(!job.is_running());
        QByteArray refusal;
        job.start_in_step(
            "run", [](const Cancellation&) -> Job::Delivery { fail_with(Fault::memory); },
            [&](const Error& error) { refusal = error.what(); });
        QVERIFY(!refusal.isEmpty());
        QCOMPARE(busy.count(), 0);
    }

    /// The worker that brought a result is idle: nobody finds it still ending, however busy the machine is.
    void who_has_a_result_takes_the_next_one_in_step() {
        LatestJob::set_longest_step(10s);
        LatestJob job;
        constexpr int rounds = 200;
        int delivered = 0, in_step = 0;
        const auto next = [&](const Cancellation&) { return [&] { ++in_step; }; };
        for (int round = 1; round <= rounds; ++round) {
            job.start(
                "open file",
                [&](const Cancellation&) {
                    return [&] {
                        job.start_in_step("run", next, no_refusal);
                        delivered += in_step == round;
                    };
                },
                no_refusal);
            QTRY_VERIFY(!job.is_running());
        }
        QCOMPARE(delivered, rounds);
    }

    void slow_work_is_waited_for_a_frame_and_no_longer() {
        LatestJob::set_longest_step(LatestJob::frame);
        QCOMPARE(LatestJob::frame, 16ms);
        LatestJob job;
        QSemaphore go_on;
        bool delivered = false;
        const auto slow = [&](const Cancellation&) {
            go_on.acquire();
            return [&] { delivered = true; };
        };
        job.start_in_step("run", slow, no_refusal);
        QVERIFY(!delivered);
        QVERIFY(job.is_running());
        // What cannot begin, because an obsolete one still runs, is not waited for at all.
        LatestJob::set_longest_step(10s);
        QElapsedTimer clock;
        clock.start();
        job.start_in_step("run", slow, no_refusal);
        QVERIFY(clock.elapsed() < 5000);
        go_on.release(2);
        QTRY_VERIFY(delivered);
    }

    void background_work_steps_back_and_nothing_else() {
        const auto nice_of = [](Worker& worker) {
            int nice = -1;
            worker.add({"work",
                        [&]() -> Job::Delivery {
                            nice = getpriority(PRIO_PROCESS, static_cast<id_t>(gettid()));
                            return {};
                        },
                        no_refusal});
            worker.wait();
            return nice;
        };
        const int own = getpriority(PRIO_PROCESS, 0);
        Worker background(Worker::Priority::background), other;
        QCOMPARE(nice_of(background), std::max(own, 10));
        QCOMPARE(nice_of(other), own);
    }

    void waiting_asks_once_on_each_pass_and_tells_only_a_failure() {
        int asked = 0, told = 0;
        const auto comes_true = [&] { return ++asked == 3; };
        const auto message = [&] {
            ++told;
            return "never";
        };
        QTRY_VERIFY2(comes_true(), message());
        QCOMPARE(asked, 3);
        QCOMPARE(told, 0);
    }
};

QTEST_GUILESS_MAIN(JobsTest)

}  // namespace headlight::jobs_test

#include "jobs_test.moc"

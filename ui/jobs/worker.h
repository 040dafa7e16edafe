#pragma once

#include "ui/jobs/job.h"

#include <QObject>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace headlight {

/// One thread that runs jobs one after another, and hands their results back to the thread that this object
/// lives on. Nothing that a job or a delivery throws leaves it: see Job. All that crosses goes through one
/// mutex of the standard library, which ThreadSanitizer can follow; it cannot see into Qt's own queues.
class Worker : public QObject {
    Q_OBJECT
public:
    using Delivery = Job::Delivery;

    enum class Priority {
        normal,
        background,  ///< after everything that somebody waits for; its own threads too
    };

    explicit Worker(QObject* parent = nullptr) : Worker(Priority::normal, parent) {}
    explicit Worker(Priority priority, QObject* parent = nullptr) : QObject(parent), priority_(priority) {}
    /// Waits for all jobs; what they still deliver is dropped.
    ~Worker() override;

    void add(Job job);
    /// Drops the jobs that have not begun.
    void clear();
    /// Neither running nor about to run a job.
    bool is_idle();
    /// Blocks until every job is done; any thread but the worker may ask.
    void wait();
    /// Returns whether every job is done, after waiting for that at most so long.
    bool wait_for(std::chrono::milliseconds longest);
    /// From within a job: takes a part of its result back before it is done.
    void hand_back(Delivery delivery);
    /// On this object's thread: delivers at once what is ready, instead of from the event loop.
    Q_INVOKABLE void deliver();

private:
    struct Result {
        Delivery delivery;
        std::string name;
        Job::Refusal refuse;
    };

    void work();
    /// Under the lock.
    void give_back(Result result);
    bool is_done() const { return jobs_.empty() && !busy_; }

    const Priority priority_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> jobs_;
    std::deque<Result> results_;
    bool busy_ = false, ending_ = false;
    Job running_;         ///< touched by the worker's thread alone
    std::thread thread_;  ///< begins with the first job
};

}  // namespace headlight

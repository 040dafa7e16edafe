#pragma once

#include "ui/jobs/worker.h"

#include <QTimer>

#include <atomic>
#include <chrono>
#include <memory>

namespace headlight {

/// What a job asks between its parts: does anybody still want the result?
class Cancellation {
public:
    bool requested() const { return flag_->load(std::memory_order_relaxed); }

private:
    friend class LatestJob;
    std::shared_ptr<std::atomic<bool>> flag_ = std::make_shared<std::atomic<bool>>(false);
};

/// Work off the UI thread of which only the newest matters. Starting a job makes the one before it obsolete:
/// it is interrupted (see Interruption), and what it still delivers is dropped. One job runs at a time, so
/// that a person who types fast never has two large runs in memory.
class LatestJob : public QObject {
    Q_OBJECT
public:
    /// Takes the result to where it belongs; called on the thread of this object.
    using Delivery = Job::Delivery;
    /// Runs on the worker under an Interruption. Everything it needs is copied into it. May throw anything.
    using Work = std::function<Delivery(const Cancellation&)>;
    /// Called with what the newest job threw, on the thread of this object.
    using Refusal = Job::Refusal;

    /// How long start_in_step() waits: one frame of a screen.
    static constexpr std::chrono::milliseconds frame{16};
    /// Another wait for the whole program; with 0 no result is taken in step, however soon it is there. For
    /// tests: a machine with much else to do needs longer for nothing.
    static void set_longest_step(std::chrono::milliseconds longest) { longest_step_ = longest; }

    explicit LatestJob(QObject* parent = nullptr) : LatestJob(Worker::Priority::normal, parent) {}
    explicit LatestJob(Worker::Priority priority, QObject* parent = nullptr);
    /// Cancels, and waits for the part that is running.
    ~LatestJob() override;

    /// `name` is the operation, as a refusal calls it.
    void start(const std::string& name, Work work, Refusal refuse);
    /// The same, and waits a frame for the result, so that what is drawn stays in step with a slider's drag.
    /// Quick work has been delivered when this returns. Does not wait while an obsolete job still runs.
    void start_in_step(const std::string& name, Work work, Refusal refuse);
    /// Forgets the running job: nothing of it is delivered.
    void cancel();
    bool is_running() const { return running_; }
    /// From within the work: delivers a part of the result before it is done, unless it is obsolete by then.
    void deliver_part(const Cancellation& cancellation, Delivery delivery);

signals:
    /// A job has been running for longer than a moment, or no job runs any more. Short jobs say nothing.
    void busy_changed(bool busy);

private:
    void obsolete();
    void finish(quint64 generation, const Delivery& delivery);
    void set_running(bool running);

    static inline std::chrono::milliseconds longest_step_ = frame;

    Worker worker_;
    QTimer patience_;
    Cancellation current_;
    quint64 generation_ = 0;
    bool running_ = false;
    bool announced_ = false;
};

}  // namespace headlight

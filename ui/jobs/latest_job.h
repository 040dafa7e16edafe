#pragma once

#include "ui/jobs/worker.h"

#include <QTimer>

#include <atomic>
#include <memory>

namespace headlight {

/// What a job asks between its parts: does anybody still want the result?
class Cancellation {
public:
    bool requested() const { return flag_->load(std::memory_order_relaxed); }
    /// For what waits for a flag of its own: an Interruption.
    const std::atomic<bool>& flag() const { return *flag_; }

private:
    friend class LatestJob;
    std::shared_ptr<std::atomic<bool>> flag_ = std::make_shared<std::atomic<bool>>(false);
};

/// Work off the UI thread of which only the newest matters. Starting a job makes the one before it obsolete:
/// it is asked to stop, and what it still delivers is dropped. One job runs at a time, so that a person who
/// types fast never has two large runs in memory.
class LatestJob : public QObject {
    Q_OBJECT
public:
    /// Takes the result to where it belongs; called on the thread of this object.
    using Delivery = Worker::Delivery;
    /// Runs on the worker. Everything it needs is copied into it; it must not throw.
    using Work = std::function<Delivery(const Cancellation&)>;

    explicit LatestJob(QObject* parent = nullptr);
    /// Cancels, and waits for the part that is running.
    ~LatestJob() override;

    void start(Work work);
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

    Worker worker_;
    QTimer patience_;
    Cancellation current_;
    quint64 generation_ = 0;
    bool running_ = false;
    bool announced_ = false;
};

}  // namespace headlight

#include "ui/jobs/worker.h"

#include <QPointer>

#include <algorithm>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <optional>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace headlight {
namespace {

/// Linux has a nice value for each thread, and threads that one begins inherit it.
void step_back() {
    constexpr int nice = 10;
    const auto thread = static_cast<id_t>(gettid());
    setpriority(PRIO_PROCESS, thread, std::max(nice, getpriority(PRIO_PROCESS, thread)));
}

/// Threads that begin from now on allocate from the first one's heap, whose free memory goes back to the
/// system. glibc would give each a heap of its own and keep up to 64 MB that are free at the end of each.
/// Large blocks stay out of it: small ones that outlive them would lie scattered over all that they had
/// taken. Some memory that is free at its end is kept: without, each tile of a large map, and each frame that
/// shows it, would ask the system for new pages and give them back.
void keep_heap_small() {
#ifdef __GLIBC__
    constexpr int large = 4 << 20;  // more than a picture that is painted again with every step of a drag
    constexpr int kept = 16 << 20;
    [[maybe_unused]] static const bool is_set = mallopt(M_ARENA_MAX, 1) != 0 &&
                                                mallopt(M_MMAP_THRESHOLD, large) != 0 &&
                                                mallopt(M_TRIM_THRESHOLD, kept) != 0;
#endif
}

/// What `job` brings: its result, or its refusal.
Job::Delivery outcome_of(const Job& job) {
    try {
        return job.work();
    } catch (...) {
        if (const auto error = current_error(job.name))
            return [refuse = job.refuse, error = *error] { refuse(error); };
        return {};
    }
}

}  // namespace

Worker::~Worker() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable())
        thread_.join();
}

void Worker::add(Job job) {
    {
        const std::lock_guard lock(mutex_);
        jobs_.push_back(std::move(job));
    }
    if (!thread_.joinable()) {
        keep_heap_small();
        thread_ = std::thread([this] { work(); });
    }
    changed_.notify_all();
}

void Worker::clear() {
    std::deque<Job> dropped;  // destroyed without the lock
    const std::lock_guard lock(mutex_);
    dropped.swap(jobs_);
}

bool Worker::is_idle() {
    const std::lock_guard lock(mutex_);
    return is_done();
}

void Worker::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_done(); });
}

bool Worker::wait_for(std::chrono::milliseconds longest) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, longest, [this] { return is_done(); });
}

void Worker::hand_back(Delivery delivery) {
    const std::lock_guard lock(mutex_);
    give_back({std::move(delivery), running_.name, running_.refuse});
}

void Worker::give_back(Result result) {
    results_.push_back(std::move(result));
    QMetaObject::invokeMethod(this, "deliver", Qt::QueuedConnection);
}

void Worker::work() {
    if (priority_ == Priority::background)
        step_back();
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
        if (jobs_.empty())
            return;
        running_ = std::move(jobs_.front());
        jobs_.pop_front();
        busy_ = true;
        lock.unlock();
        std::optional<Result> result;
        if (Delivery delivery = outcome_of(running_))
            result = Result{std::move(delivery), running_.name, running_.refuse};
        running_ = {};
        lock.lock();
        // At once with its result: whoever has that finds the worker idle, and can take the next one in step.
        busy_ = false;
        if (result)
            give_back(*std::move(result));
        changed_.notify_all();
    }
}

void Worker::deliver() {
    std::deque<Result> ready;
    {
        const std::lock_guard lock(mutex_);
        ready.swap(results_);
    }
    const QPointer<Worker> alive(this);  // a delivery may close the window that this belongs to
    for (const Result& result : ready) {
        if (!alive)
            return;
        try {
            result.delivery();
        } catch (...) {
            if (const auto error = current_error(result.name); error && alive)
                result.refuse(*error);
        }
    }
}

}  // namespace headlight

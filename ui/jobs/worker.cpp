#include "ui/jobs/worker.h"

#include <QPointer>

#include <algorithm>
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

void Worker::add(Task task) {
    {
        const std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(task));
    }
    if (!thread_.joinable())
        thread_ = std::thread([this] { work(); });
    changed_.notify_all();
}

void Worker::clear() {
    std::deque<Task> dropped;  // destroyed without the lock
    const std::lock_guard lock(mutex_);
    dropped.swap(tasks_);
}

void Worker::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return tasks_.empty() && !busy_; });
}

void Worker::hand_back(Delivery delivery) {
    {
        const std::lock_guard lock(mutex_);
        deliveries_.push_back(std::move(delivery));
    }
    QMetaObject::invokeMethod(this, "deliver", Qt::QueuedConnection);
}

void Worker::work() {
    if (priority_ == Priority::background)
        step_back();
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return ending_ || !tasks_.empty(); });
        if (tasks_.empty())
            return;
        Task task = std::move(tasks_.front());
        tasks_.pop_front();
        busy_ = true;
        lock.unlock();
        if (Delivery delivery = task())
            hand_back(std::move(delivery));
        task = nullptr;
        lock.lock();
        busy_ = false;
        changed_.notify_all();
    }
}

void Worker::deliver() {
    std::deque<Delivery> ready;
    {
        const std::lock_guard lock(mutex_);
        ready.swap(deliveries_);
    }
    const QPointer<Worker> alive(this);  // a delivery may close the window that this belongs to
    for (const Delivery& delivery : ready)
        if (alive)
            delivery();
}

}  // namespace headlight

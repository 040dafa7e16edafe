#include "ui/jobs/latest_job.h"

#include "core/tensor/interruption.h"

#include <chrono>

namespace headlight {

using namespace std::chrono_literals;

LatestJob::LatestJob(Worker::Priority priority, QObject* parent) : QObject(parent), worker_(priority) {
    patience_.setSingleShot(true);
    patience_.setInterval(150ms);
    connect(&patience_, &QTimer::timeout, this, [this] {
        announced_ = true;
        emit busy_changed(true);
    });
}

LatestJob::~LatestJob() {
    obsolete();
    worker_.wait();
}

void LatestJob::start(const std::string& name, Work work, Refusal refuse) {
    obsolete();
    const auto deliver = [this, generation = generation_](Delivery delivery) -> Delivery {
        return [this, generation, delivery = std::move(delivery)] { finish(generation, delivery); };
    };
    worker_.add(
        {name,
         [deliver, work = std::move(work), cancellation = current_]() -> Delivery {
             if (cancellation.requested())
                 return {};
             const Interruption interruption(*cancellation.flag_);
             return deliver(work(cancellation));
         },
         [deliver, refuse = std::move(refuse)](const Error& error) { deliver([&] { refuse(error); })(); }});
    set_running(true);
}

void LatestJob::start_in_step(const std::string& name, Work work, Refusal refuse) {
    obsolete();
    const bool can_begin = worker_.is_idle();
    start(name, std::move(work), std::move(refuse));
    if (can_begin && longest_step_.count() > 0 && worker_.wait_for(longest_step_))
        worker_.deliver();
}

void LatestJob::cancel() {
    obsolete();
    set_running(false);
}

void LatestJob::deliver_part(const Cancellation& cancellation, Delivery delivery) {
    worker_.hand_back([cancellation, delivery = std::move(delivery)] {
        if (!cancellation.requested())
            delivery();
    });
}

void LatestJob::obsolete() {
    current_.flag_->store(true, std::memory_order_relaxed);
    current_ = Cancellation();
    ++generation_;
    worker_.clear();
}

void LatestJob::finish(quint64 generation, const Delivery& delivery) {
    if (generation != generation_)
        return;
    set_running(false);
    if (delivery)
        delivery();
}

void LatestJob::set_running(bool running) {
    running_ = running;
    if (running) {
        if (!announced_ && !patience_.isActive())
            patience_.start();
        return;
    }
    patience_.stop();
    if (announced_) {
        announced_ = false;
        emit busy_changed(false);
    }
}

}  // namespace headlight

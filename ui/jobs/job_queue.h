#pragma once

#include "ui/jobs/worker.h"

namespace headlight {

/// Work off the UI thread of which every piece matters, one after another: saving files. What still waits
/// when the queue is destroyed is done first.
class JobQueue : public QObject {
    Q_OBJECT
public:
    using Delivery = Job::Delivery;

    explicit JobQueue(QObject* parent = nullptr) : QObject(parent) {}

    void add(Job job) { worker_.add(std::move(job)); }
    /// Blocks until everything added so far has run; any thread may ask.
    void wait() { worker_.wait(); }
    /// Delivers at once, on the thread of this object, what has run.
    void deliver() { worker_.deliver(); }

private:
    Worker worker_;
};

}  // namespace headlight

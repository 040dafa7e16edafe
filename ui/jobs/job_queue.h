#pragma once

#include "ui/jobs/worker.h"

namespace headlight {

/// Work off the UI thread of which every piece matters, one after another: saving files. What still waits
/// when the queue is destroyed is done first.
class JobQueue : public QObject {
    Q_OBJECT
public:
    using Delivery = Worker::Delivery;
    using Work = Worker::Task;

    explicit JobQueue(QObject* parent = nullptr) : QObject(parent) {}

    void add(Work work);
    /// Blocks until everything added so far has run; any thread may ask.
    void wait();

private:
    Worker worker_;
};

}  // namespace headlight

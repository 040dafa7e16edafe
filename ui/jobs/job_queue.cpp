#include "ui/jobs/job_queue.h"

namespace headlight {

JobQueue::JobQueue(QObject* parent) : QObject(parent) { worker_.setMaxThreadCount(1); }

JobQueue::~JobQueue() { worker_.waitForDone(); }

void JobQueue::add(Work work) {
    worker_.start([this, work = std::move(work)] {
        QMetaObject::invokeMethod(
            this,
            [delivery = work()] {
                if (delivery)
                    delivery();
            },
            Qt::QueuedConnection);
    });
}

void JobQueue::wait() { worker_.waitForDone(); }

}  // namespace headlight

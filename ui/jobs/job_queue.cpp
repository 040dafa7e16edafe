#include "ui/jobs/job_queue.h"

#include <utility>

namespace headlight {

void JobQueue::add(Work work) { worker_.add(std::move(work)); }

void JobQueue::wait() { worker_.wait(); }

}  // namespace headlight

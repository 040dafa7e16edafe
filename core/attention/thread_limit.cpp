#include "core/attention/thread_limit.h"

#include <algorithm>
#include <omp.h>

namespace headlight {

ThreadLimit::ThreadLimit(int most) : before_(omp_get_max_threads()) {
    omp_set_num_threads(std::clamp(most, 1, before_));
}

ThreadLimit ThreadLimit::leaving(int cores) { return ThreadLimit(omp_get_max_threads() - cores); }

ThreadLimit::~ThreadLimit() { omp_set_num_threads(before_); }

}  // namespace headlight

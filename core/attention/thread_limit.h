#pragma once

#include <algorithm>
#include <omp.h>

namespace headlight {

/// While it lasts, what this thread shares out goes to at most so many threads, itself among them: others are
/// left their cores.
class ThreadLimit {
public:
    explicit ThreadLimit(int most) { omp_set_num_threads(std::clamp(most, 1, before_)); }
    ~ThreadLimit() { omp_set_num_threads(before_); }
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

private:
    int before_ = omp_get_max_threads();
};

}  // namespace headlight

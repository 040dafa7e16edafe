#pragma once

#include "core/tensor/tensor.h"

#include <algorithm>
#include <omp.h>

#ifdef __SANITIZE_THREAD__
extern "C" {
void __tsan_acquire(void*);
void __tsan_release(void*);
}
#endif

namespace headlight {

/// Calls task(i, thread) for i = 0 .. count-1, shared out over at most `threads` OpenMP threads; thread <
/// threads. Which thread gets which task varies: tasks write to places of their own.
template <class Task>
void parallel_for(Index count, int threads, const Task& task) {
    // ThreadSanitizer does not see the barriers inside the OpenMP runtime, so that start and end are told to
    // it here; what happens between them it does check.
    [[maybe_unused]] char start = 0;
    [[maybe_unused]] char end = 0;
#ifdef __SANITIZE_THREAD__
    __tsan_release(&start);
#endif
    const int team = static_cast<int>(std::clamp<Index>(count, 1, threads));
#pragma omp parallel num_threads(team) if (team > 1)
    {
#ifdef __SANITIZE_THREAD__
        __tsan_acquire(&start);
#endif
#pragma omp for schedule(dynamic, 1)
        for (Index i = 0; i < count; ++i)
            task(i, omp_get_thread_num());
#ifdef __SANITIZE_THREAD__
        __tsan_release(&end);
#endif
    }
#ifdef __SANITIZE_THREAD__
    __tsan_acquire(&end);
#endif
}

}  // namespace headlight

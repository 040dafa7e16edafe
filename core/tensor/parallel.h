#pragma once

#include "core/tensor/upper_halves.h"
#include "core/tensor/interruption.h"
#include "core/tensor/sanitizers.h"
#include "core/tensor/tensor.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <omp.h>

#ifdef HEADLIGHT_THREAD_SANITIZER
extern "C" {
void __tsan_acquire(void*);
void __tsan_release(void*);
}
#define HEADLIGHT_UNCHECKED __attribute__((no_sanitize("thread")))
#else
#define HEADLIGHT_UNCHECKED
#endif

namespace headlight {

/// Says to ThreadSanitizer that what happened before a release() happened before the acquire()s that see it.
/// It does not see the barriers inside the OpenMP runtime.
class Barrier {
public:
#ifdef HEADLIGHT_THREAD_SANITIZER
    void release() { __tsan_release(this); }
    void acquire() { __tsan_acquire(this); }
#else
    void release() {}
    void acquire() {}
#endif
};

/// What the first task threw that threw at all. An exception that leaves an OpenMP region ends the process.
class FirstException {
public:
    bool is_there() const { return is_there_.load(std::memory_order_relaxed); }
    /// In a catch clause. Those that come later are dropped.
    void keep() noexcept {
        if (!is_there_.exchange(true))
            exception_ = std::current_exception();
    }
    /// When all threads are done.
    void rethrow() const {
        if (exception_)
            std::rethrow_exception(exception_);
    }

private:
    std::atomic<bool> is_there_ = false;
    std::exception_ptr exception_;
};

/// Calls task(i, thread) for i = 0 .. count-1, shared out over at most `threads` OpenMP threads; thread <
/// threads. Which thread gets which task varies: tasks write to places of their own. ThreadSanitizer checks
/// the tasks, but not this function, whose variables the OpenMP runtime hands over in ways that it does not
/// know. What interrupts the calling thread interrupts all of them: each asks before every task, and tasks
/// that last ask in between. When a task throws, no further ones are begun, and what it threw is thrown again
/// here, on the thread that called, when all have come to their end.
template <class Task>
HEADLIGHT_UNCHECKED void parallel_for(Index count, int threads, const Task& task) {
    const int team = static_cast<int>(std::clamp<Index>(count, 1, threads));
    if (team == 1) {
        clear_upper_halves();
        for (Index i = 0; i < count; ++i) {
            Interruption::check();
            task(i, 0);
        }
        return;
    }
    Barrier start, end;
    FirstException thrown;
    const std::atomic<bool>* const wanted = Interruption::current();
    start.release();
#pragma omp parallel num_threads(team)
    {
        start.acquire();
        const Interruption inherited(wanted);
        clear_upper_halves();
#pragma omp for schedule(dynamic, 1)
        for (Index i = 0; i < count; ++i) {
            if (thrown.is_there())
                continue;
            try {
                Interruption::check();
                task(i, omp_get_thread_num());
            } catch (...) {
                thrown.keep();
            }
        }
        end.release();
    }
    end.acquire();
    thrown.rethrow();
}

}  // namespace headlight

#undef HEADLIGHT_UNCHECKED

#pragma once

#include <atomic>

namespace headlight {

/// Thrown where a run stops in the middle because nobody wants its result any more.
struct Interrupted {};

/// While it lasts, runs of this thread stop soon after `wanted` has become true: they throw Interrupted, and
/// what they were computing is not to be read. A run that shares its work with other threads goes on to its
/// end: those know nothing of it.
class Interruption {
public:
    explicit Interruption(const std::atomic<bool>& wanted) : before_(wanted_) { wanted_ = &wanted; }
    ~Interruption() { wanted_ = before_; }
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    /// To be called between pieces of work that take a moment, a row of a head.
    static void check() {
        if (wanted_ && wanted_->load(std::memory_order_relaxed))
            throw Interrupted();
    }

private:
    static inline thread_local const std::atomic<bool>* wanted_ = nullptr;
    const std::atomic<bool>* before_;
};

}  // namespace headlight

#pragma once

#include <atomic>

namespace headlight {

/// Thrown where a run stops in the middle because nobody wants its result any more.
struct Interrupted {};

/// While it lasts, work of this thread, and of the threads that parallel_for() shares it with, stops soon
/// after `wanted` has become true: it throws Interrupted, and what it was computing is not to be read. Nests;
/// the innermost counts.
class Interruption {
public:
    explicit Interruption(const std::atomic<bool>& wanted) : Interruption(&wanted) {}
    /// As another thread has it (current()); null: nothing interrupts.
    explicit Interruption(const std::atomic<bool>* wanted) : before_(wanted_) { wanted_ = wanted; }
    ~Interruption() { wanted_ = before_; }
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    /// To be called between pieces of work that take at most a few milliseconds: a row of a map, a token's
    /// vectors. It costs a load and a comparison.
    static void check() {
        if (wanted_ && wanted_->load(std::memory_order_relaxed))
            throw Interrupted();
    }

    /// What interrupts this thread, for the threads that help it; null when nothing does.
    static const std::atomic<bool>* current() { return wanted_; }

private:
    static inline thread_local const std::atomic<bool>* wanted_ = nullptr;
    const std::atomic<bool>* before_;
};

}  // namespace headlight

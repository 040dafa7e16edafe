#pragma once

#include "core/graph/expression.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

namespace headlight {

/// Elements that follow one another in a result, and in the operand that they come from.
struct MovedStretch {
    std::uint32_t operand = 0, from = 0, count = 0;
};

/// Where the elements of an operation on places come from, once somebody has wanted to know it for more than
/// one run.
class KnownMoves {
public:
    /// The stretches one after another; none where they are not known.
    std::span<const MovedStretch> all() const {
        return are_known_.load(std::memory_order_acquire) ? stretches_ : std::span<const MovedStretch>();
    }
    /// Threads may ask for it at the same time.
    void know(const ExpressionNode& node);
    double bytes() const { return sizeof(KnownMoves) + static_cast<double>(all().size_bytes()); }

private:
    std::mutex asking_;
    std::atomic<bool> are_known_ = false;
    std::vector<MovedStretch> stretches_;
};

}  // namespace headlight

#pragma once

#include <atomic>

namespace headlight {

/// Which percents a job has told of.
class Percents {
public:
    /// Once true for each percent, to whichever thread gets there first.
    bool is_news(double share) {
        const int percent = static_cast<int>(share * 100);
        int before = told_.load(std::memory_order_relaxed);
        return percent > before && told_.compare_exchange_strong(before, percent);
    }

private:
    std::atomic<int> told_ = 0;
};

}  // namespace headlight

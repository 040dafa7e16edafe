#include "core/analysis/cost_curve.h"

#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <new>

namespace headlight {

std::optional<PowerLaw> fit_power_law(std::span<const CostPoint> points, double CostPoint::*quantity) {
    std::vector<std::pair<double, double>> logs;
    for (const CostPoint& point : points)
        if (point.tokens > 0 && point.*quantity > 0)
            logs.emplace_back(std::log(static_cast<double>(point.tokens)), std::log(point.*quantity));
    if (logs.size() < 2)
        return std::nullopt;
    const std::size_t half = std::max<std::size_t>(2, (logs.size() + 1) / 2);
    const std::span upper = std::span(logs).last(half);
    double x_mean = 0, y_mean = 0;
    for (const auto& [x, y] : upper) {
        x_mean += x / static_cast<double>(half);
        y_mean += y / static_cast<double>(half);
    }
    double product = 0, square = 0;
    for (const auto& [x, y] : upper) {
        product += (x - x_mean) * (y - y_mean);
        square += (x - x_mean) * (x - x_mean);
    }
    if (square == 0)
        return std::nullopt;
    const double exponent = product / square;
    return PowerLaw{exponent, std::exp(y_mean - exponent * x_mean)};
}

CostCurve::CostCurve(std::unique_ptr<CostSubject> subject, CostLimits limits, Clock clock)
    : subject_(std::move(subject)), limits_(limits), clock_(std::move(clock)), next_(limits.least) {
    if (limits_.least > limits_.most)
        end_ = End::reached;
}

bool CostCurve::would_take_too_long() const {
    if (points_.size() < 2)
        return false;
    // It grows once more as it has grown last, at most as a cube does: more than that was a pause.
    const double last = points_.back().seconds, before = points_[points_.size() - 2].seconds;
    return before > 0 && last * std::min(last / before, 8.0) > 2 * limits_.longest;
}

/// Returns the seconds of the quickest of as many runs as fit into a moment: the first pays for memory that
/// is touched for the first time, and others are interrupted.
double CostCurve::quickest_run() {
    constexpr double moment = 0.02, while_for_some = 0.4;
    constexpr int some_runs = 7, most_runs = 200;
    double quickest = 0, total = 0;
    const auto again = [&](int run) {
        return run == 0 || total < moment || (run < some_runs && total < while_for_some);
    };
    for (int run = 0; run < most_runs && again(run); ++run) {
        const double start = clock_();
        subject_->run();
        const double taken = clock_() - start;
        quickest = run == 0 ? taken : std::min(quickest, taken);
        total += taken;
    }
    return quickest;
}

void CostCurve::measure_next() {
    if (is_finished())
        return;
    try {
        CostPoint point = subject_->count(next_);
        if (point.map_bytes > limits_.largest) {
            end_ = End::large;
            return;
        }
        point.bytes = subject_->make_ready();
        point.seconds = quickest_run();
        points_.push_back(point);
    } catch (const Error& error) {
        refusal_ = error.what();
        end_ = End::refused;
        return;
    } catch (const std::bad_alloc&) {
        end_ = End::large;
        return;
    }
    next_ *= 2;
    if (points_.back().seconds > limits_.longest || would_take_too_long())
        end_ = End::slow;
    if (next_ > limits_.most)
        end_ = End::reached;
}

}  // namespace headlight

#pragma once

#include "core/attention/spec.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

/// What a run on n tokens takes.
struct CostPoint {
    Index tokens = 0;
    double seconds = 0;        ///< of work, measured: the quickest of several runs
    double bytes = 0;          ///< measured: what the run allocates when it keeps no weights
    double map_bytes = 0;      ///< counted: the weights that are formed, RunCost::map_bytes
    double multiply_adds = 0;  ///< counted
    bool operator==(const CostPoint&) const = default;
};

struct CostLimits {
    Index least = 16;          ///< tokens of the first point; each next one has twice as many
    Index most = 2048;         ///< tokens of the last point
    double longest = 2;        ///< seconds: a point that takes longer is the last one
    double largest = 1 << 30;  ///< bytes of a map of weights
};

/// y = factor x^exponent.
struct PowerLaw {
    double exponent = 0;
    double factor = 0;
};

/// Least squares of ln y on ln n over the upper half of the points, at least two of them, where the small
/// costs that do not grow are drowned. Nothing with fewer than two points above zero.
std::optional<PowerLaw> fit_power_law(std::span<const CostPoint> points, double CostPoint::*quantity);

/// Something whose runs can be measured at any length.
class CostSubject {
public:
    virtual ~CostSubject() = default;
    /// Counts what a run on n tokens takes; throws Error when there is none.
    virtual CostPoint count(Index tokens) = 0;
    /// Makes that run ready; returns the bytes that it allocated for it, 0 where that is not known.
    virtual double make_ready() = 0;
    virtual void run() = 0;
};

/// A mechanism on random token vectors, in float, on one core, without weights being kept.
std::unique_ptr<CostSubject> cost_subject(const AttentionSpec& spec, Index width, std::uint64_t seed);

/// Seconds that the calling thread has worked, since any moment: what else the machine is busy with does not
/// count. The passing of time where the system does not know that.
double seconds_of_work();

/// Points of one subject, measured one at a time, until they take too long or too much.
class CostCurve {
public:
    using Clock = std::function<double()>;  ///< seconds since any moment

    enum class End {
        none,     ///< there is more to measure
        reached,  ///< the last point that was asked for
        slow,     ///< a point took too long, or the next one would
        large,    ///< the weights would be too large
        refused,  ///< it cannot run on so many tokens
    };

    CostCurve(std::unique_ptr<CostSubject> subject, CostLimits limits, Clock clock);

    bool is_finished() const { return end_ != End::none; }
    /// Measures the next point. One that is too large or refused adds none; nor does one that is interrupted,
    /// where Interrupted is thrown.
    void measure_next();

    const std::vector<CostPoint>& points() const { return points_; }
    End end() const { return end_; }
    const std::string& refusal() const { return refusal_; }  ///< why, for End::refused

private:
    double quickest_run();
    bool would_take_too_long() const;

    std::unique_ptr<CostSubject> subject_;
    CostLimits limits_;
    Clock clock_;
    Index next_;
    std::vector<CostPoint> points_;
    End end_ = End::none;
    std::string refusal_;
};

}  // namespace headlight

#pragma once

#include "core/tensor/tensor.h"

#include <vector>

namespace headlight {

/// A number per step, at most so many points of it: when there are more, each becomes the mean of twice as
/// many steps.
class LossCurve {
public:
    struct Point {
        Index step = 0;  ///< the last of those that it is the mean of
        double loss = 0;
        bool operator==(const Point&) const = default;
    };
    static constexpr std::size_t most_points = 1000;

    LossCurve() = default;
    /// As it was read from a file.
    LossCurve(std::vector<Point> points, Index stride);

    void add(Index step, double loss);
    /// Drops what is after that step.
    void cut_after(Index step);

    const std::vector<Point>& points() const { return points_; }
    Index stride() const { return stride_; }  ///< steps that a point is the mean of

private:
    void merge_pairs();

    std::vector<Point> points_;
    Index stride_ = 1;
    double sum_ = 0;  ///< of the steps since the last point
    Index count_ = 0;
};

}  // namespace headlight

#include "core/model/loss_curve.h"

#include <algorithm>
#include <utility>

namespace headlight {

LossCurve::LossCurve(std::vector<Point> points, Index stride)
    : points_(std::move(points)), stride_(std::max<Index>(stride, 1)) {}

void LossCurve::add(Index step, double loss) {
    sum_ += loss;
    if (++count_ < stride_)
        return;
    points_.push_back({step, sum_ / static_cast<double>(count_)});
    sum_ = 0;
    count_ = 0;
    if (points_.size() >= most_points)
        merge_pairs();
}

void LossCurve::merge_pairs() {
    for (std::size_t i = 0; i < points_.size() / 2; ++i) {
        const Point& first = points_[2 * i];
        const Point& second = points_[2 * i + 1];
        points_[i] = {second.step, (first.loss + second.loss) / 2};
    }
    points_.resize(points_.size() / 2);
    stride_ *= 2;
}

void LossCurve::cut_after(Index step) {
    std::erase_if(points_, [&](const Point& point) { return point.step > step; });
    sum_ = 0;
    count_ = 0;
}

}  // namespace headlight

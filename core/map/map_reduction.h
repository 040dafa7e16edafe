#pragma once

#include "core/tensor/tensor.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

namespace headlight {

/// What one map in place of several has of their numbers.
enum class MapReduction { mean, maximum };

/// Several maps made one, a map at a time: the first as it is, then add() for each further one, then
/// finish(). A number that is NaN in one of them is NaN.
class ReducedNumbers {
public:
    ReducedNumbers(MapReduction reduction, std::span<double> first)
        : reduction_(reduction), reduced_(first) {}

    void add(std::span<const double> next) {
        ++count_;
        if (reduction_ == MapReduction::maximum)
            std::ranges::transform(reduced_, next, reduced_.begin(), larger);
        else
            std::ranges::transform(reduced_, next, reduced_.begin(), std::plus());
    }
    void finish() {
        if (reduction_ == MapReduction::mean)
            for (double& sum : reduced_)
                sum /= static_cast<double>(count_);
    }

private:
    static double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }

    MapReduction reduction_;
    std::span<double> reduced_;
    Index count_ = 1;
};

}  // namespace headlight

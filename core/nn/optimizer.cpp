#include "core/nn/optimizer.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace headlight::nn {

double Schedule::rate(Index step) const {
    const auto number = static_cast<double>(step), rise = static_cast<double>(warm_up);
    if (step < warm_up)
        return peak * number / rise;
    const double span = static_cast<double>(std::max<Index>(steps - warm_up, 1));
    const double passed = std::clamp((number - rise) / span, 0.0, 1.0);
    switch (shape) {
    case Shape::constant:
        return peak;
    case Shape::linear:
        return peak * (1 - passed);
    case Shape::cosine:
        return peak * (1 + std::cos(std::numbers::pi * passed)) / 2;
    case Shape::inverse_root:
        return peak * std::sqrt(std::max(rise, 1.0) / std::max(number, 1.0));
    }
    return peak;
}

template <class Real>
Adam<Real>::Adam(Index size, AdamOptions options)
    : options_(options), moments_{std::vector<Real>(static_cast<std::size_t>(size)),
                                  std::vector<Real>(static_cast<std::size_t>(size)), 0} {}

namespace {

/// In lanes that are added up in a fixed order, in double.
template <class Real>
double length(std::span<const Real> numbers) {
    double sums[8] = {};
    for (std::size_t i = 0; i < numbers.size(); ++i)
        sums[i % 8] += static_cast<double>(numbers[i]) * static_cast<double>(numbers[i]);
    double sum = 0;
    for (const double each : sums)
        sum += each;
    return std::sqrt(sum);
}

}  // namespace

template <class Real>
double Adam<Real>::step(std::span<Real> weights, std::span<const Real> gradient, double rate) {
    assert(weights.size() == gradient.size() && weights.size() == moments_.first.size());
    const double norm = length(gradient);
    const auto shorten =
        static_cast<Real>(options_.clip > 0 && norm > options_.clip ? options_.clip / norm : 1);
    const auto steps = static_cast<double>(++moments_.steps);
    const auto first_rest = static_cast<Real>(1 - options_.first_decay);
    const auto second_rest = static_cast<Real>(1 - options_.second_decay);
    const auto first_scale = static_cast<Real>(rate / (1 - std::pow(options_.first_decay, steps)));
    const auto second_scale = static_cast<Real>(1 / (1 - std::pow(options_.second_decay, steps)));
    const auto kept = static_cast<Real>(1 - rate * options_.weight_decay);
    const auto epsilon = static_cast<Real>(options_.epsilon);
    Real *first = moments_.first.data(), *second = moments_.second.data();
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const Real slope = shorten * gradient[i];
        first[i] += first_rest * (slope - first[i]);
        second[i] += second_rest * (slope * slope - second[i]);
        weights[i] =
            kept * weights[i] - first_scale * first[i] / (std::sqrt(second_scale * second[i]) + epsilon);
    }
    return norm;
}

template class Adam<float>;
template class Adam<double>;

}  // namespace headlight::nn

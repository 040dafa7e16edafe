#include "core/nn/optimizer.h"

#include "core/kernels/arithmetic.h"
#include "core/nn/chunks.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

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

/// The sum of squares, in lanes that are added up in a fixed order, in double.
template <class Real>
double squares(const Real* numbers, Index count) {
    constexpr Index lanes = 8;
    double sums[lanes] = {};
    for (Index i = 0; i < count; ++i)
        sums[i % lanes] += static_cast<double>(numbers[i]) * static_cast<double>(numbers[i]);
    return std::accumulate(std::begin(sums), std::end(sums), 0.0);
}

/// What a gradient is multiplied by, so that it is no longer than `clip`.
template <class Real>
double shortening(std::span<const Real> gradient, double clip, int threads) {
    if (clip <= 0)
        return 1;
    const auto size = std::ssize(gradient);
    std::vector<double> lengths(static_cast<std::size_t>(chunk_count(size)));
    for_each_chunk(size, threads, [&](Index first, Index count) {
        lengths[static_cast<std::size_t>(first / chunk_size)] = squares(gradient.data() + first, count);
    });
    const double norm = std::sqrt(std::accumulate(lengths.begin(), lengths.end(), 0.0));
    return norm > clip ? clip / norm : 1;
}

}  // namespace

template <class Real>
void Adam<Real>::step(std::span<Real> weights, std::span<const Real> gradient, double rate, int threads) {
    assert(weights.size() == gradient.size() && weights.size() == moments_.first.size());
    const auto steps = static_cast<double>(++moments_.steps);
    const kernels::AdamFactors<Real> factors{
        .shorten = static_cast<Real>(shortening(gradient, options_.clip, threads)),
        .first_rest = static_cast<Real>(1 - options_.first_decay),
        .second_rest = static_cast<Real>(1 - options_.second_decay),
        .first_scale = static_cast<Real>(rate / (1 - std::pow(options_.first_decay, steps))),
        .second_scale = static_cast<Real>(1 / (1 - std::pow(options_.second_decay, steps))),
        .epsilon = static_cast<Real>(options_.epsilon),
        .kept = static_cast<Real>(1 - rate * options_.weight_decay)};
    const kernels::Arithmetic<Real>& by = kernels::arithmetic<Real>(kernels::chosen_level());
    for_each_chunk(std::ssize(weights), threads, [&](Index first, Index count) {
        by.adam(factors, gradient.data() + first, count, moments_.first.data() + first,
                moments_.second.data() + first, weights.data() + first);
    });
}

template class Adam<float>;
template class Adam<double>;

}  // namespace headlight::nn

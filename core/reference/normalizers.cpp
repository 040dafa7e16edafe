#include "core/reference/normalizers.h"

#include "core/reference/hard.h"
#include "core/reference/softmax.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace headlight::reference {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t count(const Mask& allowed) {
    return static_cast<std::size_t>(std::count(allowed.begin(), allowed.end(), true));
}

double largest_of(const Row& scores, const Mask& allowed) {
    double largest = -infinity;
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j])
            largest = std::max(largest, scores[j]);
    return largest;
}

/// weight(s / t) of every allowed key.
Row each(const Row& scores, const Mask& allowed, double temperature,
         const std::function<double(double)>& weight) {
    Row weights(scores.size(), 0.0);
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j])
            weights[j] = weight(scores[j] / temperature);
    return weights;
}

double sum_of(const Row& row) {
    double sum = 0;
    for (const double number : row)
        sum += number;
    return sum;
}

Row divided_by_sum(Row row) {
    const double sum = sum_of(row);
    for (double& number : row)
        number = sum == 0 ? 0 : number / sum;
    return row;
}

/// Where f, which falls from above 0 to below, is 0.
double bisect(double low, double high, const std::function<double(double)>& f) {
    for (int step = 0; step < 300; ++step) {
        const double middle = low + (high - low) / 2;
        (f(middle) > 0 ? low : high) = middle;
    }
    return low;
}

}  // namespace

Row raw_weights(const Row& scores, const Mask& allowed, double temperature) {
    return each(scores, allowed, temperature, [](double s) { return s; });
}

Row length_scaled(const Row& scores, const Mask& allowed, double temperature, double strength) {
    const double factor = strength * std::log(static_cast<double>(std::max<std::size_t>(count(allowed), 1)));
    return softmax(each(scores, allowed, temperature, [&](double s) { return s * factor; }), allowed, 1);
}

Row softmax_with_sink(const Row& scores, const Mask& allowed, double temperature, double logit) {
    if (count(allowed) == 0)
        return Row(scores.size(), 0.0);
    Row longer = each(scores, allowed, temperature, [](double s) { return s; });
    Mask allowed_longer = allowed;
    longer.push_back(logit);
    allowed_longer.push_back(true);
    Row weights = softmax(longer, allowed_longer, 1);
    weights.pop_back();
    return weights;
}

Row clipped_softmax(const Row& scores, const Mask& allowed, double temperature, double low, double high) {
    return each(softmax(scores, allowed, temperature), allowed, 1, [&](double weight) {
        return std::min(std::max(weight * high + (1 - weight) * low, 0.0), 1.0);
    });
}

Row sparsemax(const Row& scores, const Mask& allowed, double temperature) {
    Row weights(scores.size(), 0.0);
    double largest = -infinity;
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j])
            largest = std::max(largest, scores[j] / temperature);
    if (largest == -infinity)
        return weights;
    const auto fill = [&](double tau) {
        double sum = 0;
        for (std::size_t j = 0; j < scores.size(); ++j)
            if (allowed[j])
                sum += weights[j] = std::max(scores[j] / temperature - tau, 0.0);
        return sum;
    };
    double low = largest - 1, high = largest;  // the largest weight is between 0 and 1
    for (int step = 0; step < 200; ++step) {
        const double middle = (low + high) / 2;
        (fill(middle) > 1 ? low : high) = middle;
    }
    fill(low);
    return weights;
}

Row entmax(const Row& scores, const Mask& allowed, double temperature, double alpha) {
    if (alpha == 1 || count(allowed) == 0)
        return softmax(scores, allowed, temperature);
    const double largest = largest_of(scores, allowed) / temperature;
    const auto weights = [&](double tau) {
        return each(scores, allowed, temperature, [&](double s) {
            const double left = (alpha - 1) * (s - largest) - tau;
            return left > 0 ? std::pow(left, 1 / (alpha - 1)) : 0.0;
        });
    };
    return divided_by_sum(weights(bisect(-1, 0, [&](double tau) { return sum_of(weights(tau)) - 1; })));
}

Row budget(const Row& scores, const Mask& allowed, double temperature, double budget) {
    const auto keys = static_cast<double>(count(allowed));
    if (keys <= budget)
        return each(scores, allowed, temperature, [](double) { return 1.0; });
    Row opposite = scores;
    for (double& score : opposite)
        score = -score;
    const double largest = largest_of(scores, allowed), smallest = -largest_of(opposite, allowed);
    const auto weights = [&](double tau) {
        return each(scores, allowed, temperature,
                    [&](double s) { return std::min(std::max(s - tau, 0.0), 1.0); });
    };
    return weights(bisect(smallest / temperature - 1, largest / temperature,
                          [&](double tau) { return sum_of(weights(tau)) - budget; }));
}

Row normmax(const Row& scores, const Mask& allowed, double temperature, double alpha) {
    if (count(allowed) == 0)
        return Row(scores.size(), 0.0);
    const double largest = largest_of(scores, allowed) / temperature;
    const auto above = [&](double tau, double power) {
        return each(scores, allowed, temperature,
                    [&](double s) { return s - largest > tau ? std::pow(s - largest - tau, power) : 0.0; });
    };
    const double tau =
        bisect(-1, 0, [&](double each_tau) { return sum_of(above(each_tau, alpha / (alpha - 1))) - 1; });
    return divided_by_sum(above(tau, 1 / (alpha - 1)));
}

Row sigmoid_weights(const Row& scores, const Mask& allowed, double temperature, bool automatic, double bias) {
    const double b = automatic ? -std::log(static_cast<double>(count(allowed))) : bias;
    return each(scores, allowed, temperature, [&](double s) { return 1 / (1 + std::exp(-(s + b))); });
}

Row relu_weights(const Row& scores, const Mask& allowed, double temperature, int power) {
    const auto n = static_cast<double>(count(allowed));
    return each(scores, allowed, temperature, [&](double s) { return s > 0 ? std::pow(s, power) / n : 0.0; });
}

Row softpick(const Row& scores, const Mask& allowed, double temperature) {
    const double largest = std::max(largest_of(scores, allowed) / temperature, 0.0);
    const Row differences =
        each(scores, allowed, temperature, [&](double s) { return std::expm1(s) * std::exp(-largest); });
    // Where expm1 overflows, the difference of the shifted powers does not.
    const Row safe = each(scores, allowed, temperature,
                          [&](double s) { return std::exp(s - largest) - std::exp(-largest); });
    double sum = 0;
    Row weights(scores.size(), 0.0);
    for (std::size_t j = 0; j < scores.size(); ++j) {
        weights[j] = std::isfinite(differences[j]) && scores[j] < 1 ? differences[j] : safe[j];
        sum += std::abs(weights[j]);
    }
    for (double& weight : weights)
        weight = weight > 0 ? weight / sum : 0;
    return weights;
}

Row signed_softmax(const Row& scores, const Mask& allowed, double temperature) {
    Row sizes = scores;
    for (double& size : sizes)
        size = std::abs(size);
    Row weights = softmax(sizes, allowed, temperature);
    for (std::size_t j = 0; j < scores.size(); ++j)
        weights[j] *= scores[j] < 0 ? -1 : 1;
    return weights;
}

Row taylor(const Row& scores, const Mask& allowed, double temperature, int degree) {
    return divided_by_sum(each(scores, allowed, temperature, [&](double s) {
        double sum = 1, term = 1;
        for (int power = 1; power <= degree; ++power)
            sum += term *= s / power;
        return sum;
    }));
}

Row gumbel(const Row& scores, const Mask& allowed, double temperature, bool hard, std::uint64_t seed,
           std::size_t head, std::size_t query) {
    Row noisy = scores;
    for (std::size_t j = 0; j < scores.size(); ++j) {
        const double u = std::max(uniform(seed, head, query, j), 1.0 / 18014398509481984.0);  // 2^-54
        noisy[j] -= std::log(-std::log(u));
    }
    return hard ? hard_argmax(noisy, allowed) : softmax(noisy, allowed, temperature);
}

Row stick_breaking(const Row& scores, const Mask& allowed, double temperature, bool own_key,
                   std::size_t query) {
    const auto log_sigmoid = [](double s) {
        return s > 0 ? -std::log1p(std::exp(-s)) : s - std::log1p(std::exp(s));
    };
    Row weights(scores.size(), 0.0);
    for (std::size_t j = 0; j < scores.size(); ++j) {
        const auto takes_part = [&](std::size_t key) { return allowed[key] && (own_key || key != query); };
        if (!takes_part(j))
            continue;
        double logarithm = log_sigmoid(scores[j] / temperature);
        for (std::size_t k = j + 1; k < scores.size(); ++k)
            if (takes_part(k))
                logarithm += log_sigmoid(-scores[k] / temperature);
        weights[j] = std::exp(logarithm);
    }
    return weights;
}

}  // namespace headlight::reference

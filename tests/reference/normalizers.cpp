#include "tests/reference/normalizers.h"

#include "tests/reference/hard.h"
#include "tests/reference/softmax.h"
#include "tests/reference/splitmix.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace headlight::reference {
namespace {

constexpr Number infinity = std::numeric_limits<Number>::infinity();

std::size_t count(const Mask& allowed) {
    return static_cast<std::size_t>(std::count(allowed.begin(), allowed.end(), true));
}

Number largest_of(const Row& scores, const Mask& allowed) {
    Number largest = -infinity;
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j])
            largest = std::max(largest, scores[j]);
    return largest;
}

/// weight(s / t) of every allowed key.
Row each(const Row& scores, const Mask& allowed, Number temperature,
         const std::function<Number(Number)>& weight) {
    Row weights(scores.size(), Number(0));
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j])
            weights[j] = weight(scores[j] / temperature);
    return weights;
}

Number sum_of(const Row& row) {
    Number sum = 0;
    for (const Number number : row)
        sum += number;
    return sum;
}

Row divided_by_sum(Row row) {
    const Number sum = sum_of(row);
    for (Number& number : row)
        number = sum == 0 ? 0 : number / sum;
    return row;
}

/// Where f, which falls from above 0 to below, is 0.
Number bisect(Number low, Number high, const std::function<Number(Number)>& f) {
    for (int step = 0; step < 300; ++step) {
        const Number middle = low + (high - low) / 2;
        (f(middle) > 0 ? low : high) = middle;
    }
    return low;
}

}  // namespace

Row raw_weights(const Row& scores, const Mask& allowed, Number temperature) {
    return each(scores, allowed, temperature, [](Number s) { return s; });
}

Row length_scaled(const Row& scores, const Mask& allowed, Number temperature, Number strength) {
    const Number factor = strength * std::log(static_cast<Number>(std::max<std::size_t>(count(allowed), 1)));
    return softmax(each(scores, allowed, temperature, [&](Number s) { return s * factor; }), allowed, 1);
}

Row softmax_with_sink(const Row& scores, const Mask& allowed, Number temperature, Number logit) {
    if (count(allowed) == 0)
        return Row(scores.size(), Number(0));
    Row longer = each(scores, allowed, temperature, [](Number s) { return s; });
    Mask allowed_longer = allowed;
    longer.push_back(logit);
    allowed_longer.push_back(true);
    Row weights = softmax(longer, allowed_longer, 1);
    weights.pop_back();
    return weights;
}

Row clipped_softmax(const Row& scores, const Mask& allowed, Number temperature, Number low, Number high) {
    return each(softmax(scores, allowed, temperature), allowed, 1, [&](Number weight) {
        return std::min(std::max(weight * high + (1 - weight) * low, Number(0)), Number(1));
    });
}

Row sparsemax(const Row& scores, const Mask& allowed, Number temperature) {
    if (count(allowed) == 0)
        return Row(scores.size(), Number(0));
    const Number largest = largest_of(scores, allowed);
    const auto weights = [&](Number tau) {  // counted from the largest score, whose weight is between 0 and 1
        return each(scores, allowed, 1,
                    [&](Number s) { return std::max((s - largest) / temperature - tau, Number(0)); });
    };
    return weights(bisect(-1, 0, [&](Number tau) { return sum_of(weights(tau)) - 1; }));
}

Row entmax(const Row& scores, const Mask& allowed, Number temperature, Number alpha) {
    if (alpha == 1 || count(allowed) == 0)
        return softmax(scores, allowed, temperature);
    // [(alpha - 1) s - tau]_+^(1 / (alpha - 1)) with tau = (alpha - 1) (largest + theta) - 1
    const Number largest = largest_of(scores, allowed);
    const auto weights = [&](Number theta) {
        return each(scores, allowed, 1, [&](Number s) {
            const Number less_one = (alpha - 1) * ((s - largest) / temperature - theta);
            return less_one > -1 ? std::exp(std::log1p(less_one) / (alpha - 1)) : Number(0);
        });
    };
    const Number highest = std::log(static_cast<Number>(count(allowed)));  // where softmax has it
    return divided_by_sum(
        weights(bisect(0, highest, [&](Number theta) { return sum_of(weights(theta)) - 1; })));
}

Row budget(const Row& scores, const Mask& allowed, Number temperature, Number budget) {
    const auto keys = static_cast<Number>(count(allowed));
    if (keys <= budget)
        return each(scores, allowed, temperature, [](Number) { return Number(1); });
    // The threshold lies within 1 below one of the scores, or anywhere where all weights are 0 or 1.
    Row best;
    for (std::size_t near = 0; near < scores.size(); ++near) {
        if (!allowed[near])
            continue;
        const auto weights = [&](Number below) {
            return each(scores, allowed, 1, [&](Number s) {
                return std::min(std::max((s - scores[near]) / temperature + below, Number(0)), Number(1));
            });
        };
        if (sum_of(weights(0)) <= budget && sum_of(weights(1)) >= budget)
            best = weights(1 - bisect(0, 1, [&](Number tau) { return sum_of(weights(1 - tau)) - budget; }));
    }
    return best;
}

Row constrained_softmax(const Row& scores, const Mask& allowed, Number temperature, const Row& bounds) {
    Row weights(scores.size(), Number(0));
    Mask is_free = allowed;
    Number left = 1;
    for (bool is_held = true; is_held && count(is_free) > 0;) {
        is_held = false;
        const Row shares = softmax(scores, is_free, temperature);
        Number spent = 0;
        for (std::size_t j = 0; j < scores.size(); ++j)
            if (is_free[j] && shares[j] * left > bounds[j]) {
                weights[j] = bounds[j];
                spent += bounds[j];
                is_free[j] = false;
                is_held = true;
            }
        if (!is_held)
            for (std::size_t j = 0; j < scores.size(); ++j)
                weights[j] = is_free[j] ? shares[j] * left : weights[j];
        left -= spent;
    }
    return weights;
}

Row constrained_sparsemax(const Row& scores, const Mask& allowed, Number temperature, const Row& bounds) {
    if (count(allowed) == 0)
        return Row(scores.size(), Number(0));
    // The threshold lies within 1 below one of the scores, or below them all, where each weight is its bound.
    Row best(scores.size(), Number(0));
    for (std::size_t j = 0; j < scores.size(); ++j)
        best[j] = allowed[j] ? bounds[j] : 0;
    for (std::size_t near = 0; near < scores.size(); ++near) {
        if (!allowed[near])
            continue;
        const auto weights = [&](Number below) {
            Row row(scores.size(), Number(0));
            for (std::size_t j = 0; j < scores.size(); ++j)
                if (allowed[j])
                    row[j] =
                        std::clamp((scores[j] - scores[near]) / temperature + below, Number(0), bounds[j]);
            return row;
        };
        if (sum_of(weights(0)) <= 1 && sum_of(weights(1)) >= 1)
            best = weights(1 - bisect(0, 1, [&](Number tau) { return sum_of(weights(1 - tau)) - 1; }));
    }
    return best;
}

Row fusedmax(const Row& scores, const Mask& allowed, Number temperature, Number fusing) {
    Row given;
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j])
            given.push_back((scores[j] - largest_of(scores, allowed)) / temperature);
    const std::size_t keys = given.size();
    Row sums{0}, drawn(keys, Number(0));
    for (const Number score : given)
        sums.push_back(sums.back() + score);
    const auto bound = [&](std::size_t at, Number width) {
        return sums[at] + (at < keys ? width : Number(0));
    };
    Number height = 0;  // of the string at `start`
    for (std::size_t start = 0; start < keys;) {
        Number least = -infinity, most = infinity, slope = 0;
        std::size_t least_at = keys, most_at = keys, end = keys;
        Number end_height = sums[keys];
        for (std::size_t at = start + 1; at <= keys; ++at) {
            const auto length = static_cast<Number>(at - start);
            const Number lower = (bound(at, -fusing) - height) / length;
            const Number upper = (bound(at, fusing) - height) / length;
            if (lower > most || upper < least) {  // the string bends at the edge that it met before
                end = lower > most ? most_at : least_at;
                end_height = bound(end, lower > most ? fusing : -fusing);
                break;
            }
            if (lower >= least) {
                least = lower;
                least_at = at;
            }
            if (upper <= most) {
                most = upper;
                most_at = at;
            }
        }
        slope = (end_height - height) / static_cast<Number>(end - start);
        for (; start < end; ++start)
            drawn[start] = slope;
        height = end_height;
    }
    Row whole(scores.size(), Number(0));
    std::size_t next = 0;
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j])
            whole[j] = drawn[next++];
    return sparsemax(whole, allowed, 1);
}

Row oscarmax(const Row& scores, const Mask& allowed, Number temperature, Number fusing) {
    std::vector<std::size_t> order;
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j])
            order.push_back(j);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    struct Pool {
        Number sum;
        std::size_t size;
        Number mean() const { return sum / static_cast<Number>(size); }
    };
    std::vector<Pool> pools;
    for (std::size_t at = 0; at < order.size(); ++at) {
        const auto smaller = static_cast<Number>(order.size() - 1 - at);
        pools.push_back(
            {(scores[order[at]] - largest_of(scores, allowed)) / temperature - fusing * smaller, 1});
        while (pools.size() > 1 && pools[pools.size() - 2].mean() < pools.back().mean()) {
            const Pool last = pools.back();
            pools.pop_back();
            pools.back() = {pools.back().sum + last.sum, pools.back().size + last.size};
        }
    }
    Row whole(scores.size(), Number(0));
    std::size_t at = 0;
    for (const Pool& pool : pools)
        for (std::size_t i = 0; i < pool.size; ++i)
            whole[order[at++]] = pool.mean();
    return sparsemax(whole, allowed, 1);
}

Row normmax(const Row& scores, const Mask& allowed, Number temperature, Number alpha) {
    if (count(allowed) == 0)
        return Row(scores.size(), Number(0));
    const Number largest = largest_of(scores, allowed) / temperature;
    const auto above = [&](Number tau, Number power) {
        return each(scores, allowed, temperature, [&](Number s) {
            return s - largest > tau ? std::pow(s - largest - tau, power) : Number(0);
        });
    };
    const Number tau =
        bisect(-1, 0, [&](Number each_tau) { return sum_of(above(each_tau, alpha / (alpha - 1))) - 1; });
    return divided_by_sum(above(tau, 1 / (alpha - 1)));
}

Row sigmoid_weights(const Row& scores, const Mask& allowed, Number temperature, bool automatic, Number bias) {
    const Number b = automatic ? -std::log(static_cast<Number>(count(allowed))) : bias;
    return each(scores, allowed, temperature, [&](Number s) { return 1 / (1 + std::exp(-(s + b))); });
}

Row relu_weights(const Row& scores, const Mask& allowed, Number temperature, int power) {
    const auto n = static_cast<Number>(count(allowed));
    return each(scores, allowed, temperature,
                [&](Number s) { return s > 0 ? std::pow(s, power) / n : Number(0); });
}

Row softpick(const Row& scores, const Mask& allowed, Number temperature) {
    const Number largest = std::max(largest_of(scores, allowed) / temperature, Number(0));
    const Row differences =
        each(scores, allowed, temperature, [&](Number s) { return std::expm1(s) * std::exp(-largest); });
    // Where expm1 overflows, the difference of the shifted powers does not.
    const Row safe = each(scores, allowed, temperature,
                          [&](Number s) { return std::exp(s - largest) - std::exp(-largest); });
    Number sum = 0;
    Row weights(scores.size(), Number(0));
    for (std::size_t j = 0; j < scores.size(); ++j) {
        weights[j] = std::isfinite(differences[j]) && scores[j] < 1 ? differences[j] : safe[j];
        sum += std::abs(weights[j]);
    }
    for (Number& weight : weights)
        weight = weight > 0 ? weight / sum : 0;
    return weights;
}

Row signed_softmax(const Row& scores, const Mask& allowed, Number temperature) {
    Row sizes = scores;
    for (Number& size : sizes)
        size = std::abs(size);
    Row weights = softmax(sizes, allowed, temperature);
    for (std::size_t j = 0; j < scores.size(); ++j)
        weights[j] *= scores[j] < 0 ? -1 : 1;
    return weights;
}

Row softplus_shares(const Row& scores, const Mask& allowed, Number temperature) {
    // ln(1 + e^s) = s + ln(1 + e^-s), which does not overflow.
    return divided_by_sum(each(scores, allowed, temperature, [](Number s) {
        return s > 0 ? s + std::log1p(std::exp(-s)) : std::log1p(std::exp(s));
    }));
}

Row stablemax(const Row& scores, const Mask& allowed, Number temperature) {
    return divided_by_sum(
        each(scores, allowed, temperature, [](Number s) { return s < 0 ? 1 / (1 - s) : s + 1; }));
}

Row power_shares(const Row& scores, const Mask& allowed, Number temperature, int power) {
    Number largest = 0;
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j])
            largest = std::max(largest, std::abs(scores[j] / temperature));
    if (largest == 0)
        return Row(scores.size(), Number(0));
    // All scores are divided by one number: the shares are the same, and no product leaves the range.
    return divided_by_sum(each(scores, allowed, temperature, [&](Number s) {
        Number product = 1;
        for (int factor = 0; factor < power; ++factor)
            product *= s / largest;
        return product;
    }));
}

Row adaptive_span(const Row& scores, const Mask& allowed, Number temperature, Number z, Number R,
                  std::size_t query) {
    Row share(scores.size(), Number(0));
    Number largest = -infinity;
    for (std::size_t j = 0; j < scores.size(); ++j) {
        const Number back = j < query ? static_cast<Number>(query - j) : 0;
        if (allowed[j])
            share[j] = std::min(std::max((R + std::max(z, Number(0)) - back) / R, Number(0)), Number(1));
        if (share[j] > 0)
            largest = std::max(largest, scores[j]);
    }
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (share[j] > 0)
            share[j] *= std::exp((scores[j] - largest) / temperature);
    return divided_by_sum(share);
}

Row dropout(const Row& scores, const Mask& allowed, Number temperature, Dropped what, Number p,
            std::uint64_t seed, std::size_t head, std::size_t query) {
    Mask left = allowed;
    for (std::size_t j = 0; j < scores.size(); ++j) {
        const Number drawn = what == Dropped::keys
                                 ? static_cast<Number>(child(seed, j) >> 11) / 9007199254740992.0  // 2^53
                                 : uniform(seed, head, query, j);
        if (drawn < p && !(what == Dropped::keys && j == 0))
            left[j] = false;
    }
    if (what != Dropped::weights)
        return softmax(scores, left, temperature);
    Row weights = softmax(scores, allowed, temperature);
    for (std::size_t j = 0; j < weights.size(); ++j)
        weights[j] = left[j] ? weights[j] / (1 - p) : 0;
    return weights;
}

Row gumbel(const Row& scores, const Mask& allowed, Number temperature, bool hard, std::uint64_t seed,
           std::size_t head, std::size_t query) {
    Row noisy = scores;
    const Number largest = largest_of(scores, allowed);
    for (std::size_t j = 0; j < scores.size(); ++j) {
        noisy[j] -= largest;
        const Number u = std::max(uniform(seed, head, query, j), Number(1) / 18014398509481984.0);  // 2^-54
        noisy[j] -= std::log(-std::log(u));
    }
    return hard ? hard_argmax(noisy, allowed) : softmax(noisy, allowed, temperature);
}

Row stick_breaking(const Row& scores, const Mask& allowed, Number temperature, bool own_key,
                   std::size_t query) {
    const auto log_sigmoid = [](Number s) {
        return s > 0 ? -std::log1p(std::exp(-s)) : s - std::log1p(std::exp(s));
    };
    Row weights(scores.size(), Number(0));
    for (std::size_t j = 0; j < scores.size(); ++j) {
        const auto takes_part = [&](std::size_t key) { return allowed[key] && (own_key || key != query); };
        if (!takes_part(j))
            continue;
        Number logarithm = log_sigmoid(scores[j] / temperature);
        for (std::size_t k = j + 1; k < scores.size(); ++k)
            if (takes_part(k))
                logarithm += log_sigmoid(-scores[k] / temperature);
        weights[j] = std::exp(logarithm);
    }
    return weights;
}

}  // namespace headlight::reference

#include "tests/reference/hash_chances.h"

#include "tests/reference/learned_features.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight::reference {
namespace {

/// The share of the rounds, of tau planes each, in which all of its planes have both on one side.
Number share_of_one_hash(const Row& q, const Row& k, const Matrix& planes, std::size_t tau) {
    const std::size_t rounds = planes.rows / tau;
    std::size_t together = 0;
    for (std::size_t round = 0; round < rounds; ++round) {
        bool is_one = true;
        for (std::size_t plane = round * tau; plane < (round + 1) * tau; ++plane)
            is_one &= (product(q, planes.row(plane)) > 0) == (product(k, planes.row(plane)) > 0);
        together += is_one;
    }
    return static_cast<Number>(together) / static_cast<Number>(rounds);
}

}  // namespace

HeadResult hash_chances(const Head& head, const HashChances& hashes) {
    const std::size_t n = head.q.rows, m = head.k.rows, d = head.v.cols;
    constexpr Number half_turn = std::numbers::pi_v<Number>;
    HeadResult result{Matrix(n, m), Matrix(n, d)};
    const auto length = [](const Row& x) { return std::sqrt(product(x, x)); };
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < m; ++j) {
            if (!head.allowed[i][j])
                continue;
            const Row q = head.q.row(i), k = head.k.row(j);
            const Number lengths = length(q) * length(k);
            const Number cosine =
                lengths == 0 ? 0 : std::clamp(product(q, k) / lengths, Number(-1), Number(1));
            // Near 1 the cosine has lost the digits of the angle: that of two equal vectors is 0.
            const Number angle = q == k && lengths != 0 ? 0 : std::acos(cosine);
            result.weights(i, j) =
                hashes.planes.rows > 0
                    ? share_of_one_hash(q, k, hashes.planes, hashes.tau)
                    : std::pow(1 - angle / half_turn, static_cast<Number>(hashes.tau));
            for (std::size_t c = 0; c < d; ++c)
                result.context(i, c) += result.weights(i, j) * head.v(j, c);
        }
        const Number size = length(result.context.row(i));
        for (std::size_t c = 0; c < d && hashes.is_normalized && size != 0; ++c)
            result.context(i, c) /= size;
    }
    add_filtered_values(head, hashes.filter, result.context);
    return result;
}

}  // namespace headlight::reference

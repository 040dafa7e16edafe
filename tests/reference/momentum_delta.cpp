#include "tests/reference/momentum_delta.h"

#include "tests/reference/linear_mixers.h"

#include <algorithm>

namespace headlight::reference {
namespace {

/// What each query reads of the states of these values, [n, columns].
Matrix read_of(const Head& head, const MomentumDelta& rule, const Matrix& values) {
    const std::size_t n = head.k.rows, d = head.k.cols, columns = values.cols;
    const Matrix keys = unit_rows(head.k);
    Matrix state(d, columns), motion(d, columns);
    std::vector<Matrix> after{state};
    for (std::size_t t = 0; t < n; ++t) {
        for (std::size_t c = 0; c < columns; ++c) {
            Number error = values(t, c);
            for (std::size_t a = 0; a < d; ++a)
                error -= rule.gates[t] * keys(t, a) * after[t](a, c);
            for (std::size_t a = 0; a < d; ++a) {
                motion(a, c) = rule.momenta[t] * motion(a, c) + rule.steps[t] * keys(t, a) * error;
                state(a, c) = rule.gates[t] * state(a, c) + rule.strengths[t] * motion(a, c);
            }
        }
        after.push_back(state);
    }
    Matrix result(n, columns);
    for (std::size_t t = 0; t < n; ++t) {
        const auto seen = static_cast<std::size_t>(std::ranges::count(head.allowed[t], true));
        const Matrix& read = after[std::min(seen, t + 1)];
        for (std::size_t a = 0; a < d; ++a)
            for (std::size_t c = 0; c < columns; ++c)
                result(t, c) += rule.scale * head.q(t, a) * read(a, c);
    }
    return result;
}

}  // namespace

HeadResult momentum_delta(const Head& head, const MomentumDelta& rule) {
    Matrix units(head.k.rows, head.k.rows);
    for (std::size_t t = 0; t < units.rows; ++t)
        units(t, t) = 1;
    return {read_of(head, rule, units), read_of(head, rule, head.v)};
}

}  // namespace headlight::reference

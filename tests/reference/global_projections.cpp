#include "tests/reference/global_projections.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

Row token_times(const Row& x, const Matrix& W) {
    Row result(W.cols, Number(0));
    for (std::size_t c = 0; c < W.cols; ++c)
        for (std::size_t f = 0; f < x.size(); ++f)
            result[c] += x[f] * W(f, c);
    return result;
}

/// The part of the text that a global token stands for, or another is in.
std::size_t part_of_text(const GlobalProjections& given, std::size_t token) {
    const auto before = given.is_global.begin() + static_cast<std::ptrdiff_t>(token);
    const auto globals = static_cast<std::size_t>(std::count(given.is_global.begin(), before, true));
    if (given.is_global[token])
        return globals;
    std::size_t left = token - globals, part = 0;
    while (part < given.segments.size() && left >= given.segments[part])
        left -= given.segments[part++];
    return part;
}

std::size_t label_of(const GlobalProjections& given, std::size_t query, std::size_t key) {
    if (given.is_global[query] != given.is_global[key])
        return 2 * given.reach + (part_of_text(given, query) == part_of_text(given, key) ? 1 : 2);
    const long reach = long(given.reach);
    return std::size_t(std::clamp(long(key) - long(query), -reach, reach) + reach);
}

}  // namespace

HeadResult global_projections(const Head& head, const GlobalProjections& given) {
    const std::size_t n = head.x.rows, d = head.q.cols;
    const auto vector_of = [&](std::size_t query, std::size_t key, const Matrix& plain, const Matrix& own,
                               const Matrix& from_local, const Matrix& from_global) {
        if (given.by_question)
            return plain.row(key);
        if (given.in_pieces && given.is_global[key])
            return token_times(head.y.row(key), given.is_global[query] ? from_global : from_local);
        return given.is_global[query] ? token_times(head.y.row(key), own) : plain.row(key);
    };
    Matrix scores(n, n);
    for (std::size_t i = 0; i < n; ++i) {
        const Row usual = given.is_global[i] ? token_times(head.x.row(i), given.query) : head.q.row(i);
        for (std::size_t j = 0; j < n; ++j) {
            if (!head.allowed[i][j])
                continue;  // padding may hold anything
            const Row q = given.by_question && given.is_global[j]
                              ? token_times(head.x.row(i), given.is_global[i] ? given.query_from_global
                                                                              : given.query_from_local)
                              : usual;
            const Row k = vector_of(i, j, head.k, given.key, given.key_from_local, given.key_from_global);
            for (std::size_t c = 0; c < d; ++c)
                scores(i, j) +=
                    q[c] * (k[c] + (given.reach > 0 ? given.labels(label_of(given, i, j), c) : Number(0))) /
                    std::sqrt(Number(d));
        }
    }
    const Matrix weights = given.weigh(head, scores, head.allowed);
    Matrix context(n, head.v.cols);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            if (!head.allowed[i][j])
                continue;
            const Row v =
                vector_of(i, j, head.v, given.value, given.value_from_local, given.value_from_global);
            for (std::size_t c = 0; c < v.size(); ++c)
                context(i, c) += weights(i, j) * v[c];
        }
    return {weights, context};
}

}  // namespace headlight::reference

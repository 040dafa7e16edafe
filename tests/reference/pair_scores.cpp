#include "tests/reference/pair_scores.h"

#include "tests/reference/vector_norm.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

Row joined(const Row& q, const Row& k, const Row& more) {
    Row all = q;
    all.insert(all.end(), k.begin(), k.end());
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

Row products(const Row& q, const Row& k) {
    Row result;
    for (std::size_t c = 0; c < q.size(); ++c)
        result.push_back(q[c] * k[c]);
    return result;
}

/// act(x W + b) with the rows of W from `first_row` on.
Row layer(const Row& x, const Matrix& W, std::size_t first_row, const Row& b, Activation activation) {
    Row result;
    for (std::size_t a = 0; a < W.cols; ++a) {
        Number sum = b.empty() ? 0 : b[a];
        for (std::size_t c = 0; c < x.size(); ++c)
            sum += x[c] * W(first_row + c, a);
        result.push_back(activate(activation, sum));
    }
    return result;
}

}  // namespace

Number cosine_score(const Row& q, const Row& k) { return dot_score(direction(q), direction(k)); }

Number cosine_of_groups(const Row& q, const Row& k, std::size_t groups, bool keeps_query) {
    Number score = 0;
    const std::size_t size = q.size() / groups;
    for (std::size_t group = 0; group < groups; ++group) {
        Row own, theirs;
        for (std::size_t c = group * size; c < (group + 1) * size; ++c) {
            own.push_back(q[c]);
            theirs.push_back(k[c]);
        }
        score += dot_score(keeps_query ? own : direction(own), direction(theirs));
    }
    return score;
}

Number negative_squared_distance(const Row& q, const Row& k) {
    return 2 * dot_score(q, k) - dot_score(q, q) - dot_score(k, k);
}

Number negative_distance_of_features(const Row& q, const Row& k) {
    Number score = 0;
    for (std::size_t c = 0; c < q.size(); ++c)
        score -= q[c] > k[c] ? q[c] - k[c] : k[c] - q[c];
    return score;
}

Number rescaled_product(const Row& q, const Row& k, const Row& w) {
    Number score = 0;
    for (std::size_t c = 0; c < q.size(); ++c)
        score += q[c] * k[c] * std::log2(1 + std::exp(w[c]));
    return score;
}

Number negative_hyperbolic_distance(const Row& q, const Row& k) {
    const Row u = direction(q), v = direction(k);
    const auto radius = [](const Row& x) { return std::min(std::sqrt(product(x, x)), Number(300)); };
    const Number a = radius(q), b = radius(k);
    Number chord = 0;
    for (std::size_t c = 0; c < u.size(); ++c)
        chord += (u[c] - v[c]) * (u[c] - v[c]);
    const Number along = std::sinh((a - b) / 2);
    return -2 * std::asinh(std::sqrt(along * along + std::sinh(a) * std::sinh(b) * chord / 4));
}

Number bilinear_score(const Row& q, const Row& k, const Matrix& W_1, const Matrix& W_2, const Row& v,
                      Activation activation) {
    const Row of_query = layer(q, W_1, 0, {}, activation), of_key = layer(k, W_2, 0, {}, activation);
    Number sum = 0;
    for (std::size_t a = 0; a < v.size(); ++a)
        sum += v[a] * of_query[a] * of_key[a];
    return sum;
}

Number linear_score(const Row& q, const Row& k, const Row& w, const Row& b) {
    return dot_score(joined(q, k, {}), w) + (b.empty() ? 0 : b[0]);
}

Number leaky(Number x, Number slope) { return x > 0 ? x : slope * x; }

Number dynamic_graph_score(const Row& q, const Row& k, const Matrix& W_1, const Matrix& W_2, const Row& b,
                           const Row& v, Number slope) {
    const Row of_query = layer(q, W_1, 0, b, Activation::identity);
    const Row of_key = layer(k, W_2, 0, {}, Activation::identity);
    Number score = 0;
    for (std::size_t a = 0; a < v.size(); ++a)
        score += v[a] * leaky(of_query[a] + of_key[a], slope);
    return score;
}

Number normalized_additive_score(const Row& q, const Row& k, const Matrix& W_1, const Matrix& W_2,
                                 const Row& b, const Row& v, Activation activation) {
    return additive_score(q, k, W_1, W_2, b, direction(v), activation);
}

Number elementwise_score(const Row& q, const Row& k, Number s, const Row& v, Activation activation) {
    Number score = 0;
    for (std::size_t c = 0; c < q.size(); ++c)
        score += (v.empty() ? 1 : v[c]) * activate(activation, s * (q[c] + k[c]));
    return score;
}

Number network_score(const Row& q, const Row& k, bool compares, const Matrix& first, const Row& b,
                     const Matrix& deep, const Row& v, Activation activation) {
    Row more;
    for (std::size_t c = 0; compares && c < q.size(); ++c)
        more.push_back(q[c] - k[c]);
    if (compares)
        more = joined(more, products(q, k), {});
    Row hidden = layer(joined(q, k, more), first, 0, b, activation);
    for (std::size_t row = 0; row < deep.rows; row += first.cols)
        hidden = layer(hidden, deep, row, {}, activation);
    return dot_score(hidden, v);
}

}  // namespace headlight::reference

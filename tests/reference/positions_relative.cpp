#include "tests/reference/positions_relative.h"

#include "tests/reference/linear_mixers.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

namespace headlight::reference {
namespace {

/// x W, of one column.
Number projected_number(const Row& x, const Matrix& W, std::size_t column) {
    Number sum = 0;
    for (std::size_t f = 0; f < x.size(); ++f)
        sum += x[f] * W(f, column);
    return sum;
}

/// Feature numbers of a pair of a vector.
struct PairOfFeatures {
    std::size_t first, second;
};
PairOfFeatures features_of_pair(const PairTurning& turning, std::size_t pair, std::size_t width) {
    if (turning.interleaved)
        return {2 * pair, 2 * pair + 1};
    return {pair, pair + width / 2};
}

Number turn_of(const PairTurning& turning, std::size_t pair, std::size_t width) {
    return std::exp(-std::log(turning.base) * 2 * Number(pair) / Number(width));
}

/// q . R_(-r) k, r the distance of each pair.
Matrix scores_at(const Matrix& q, const Matrix& k, const PairTurning& turning,
                 const std::function<Number(std::size_t query, std::size_t key)>& distance) {
    Matrix scores(q.rows, k.rows);
    for (std::size_t i = 0; i < scores.rows; ++i)
        for (std::size_t j = 0; j < scores.cols; ++j)
            for (std::size_t pair = 0; pair < q.cols / 2; ++pair) {
                const auto [a, b] = features_of_pair(turning, pair, q.cols);
                const Number angle = distance(i, j) * turn_of(turning, pair, q.cols);
                scores(i, j) += (std::complex(q(i, a), q(i, b)) * std::polar(Number(1), angle) *
                                 std::conj(std::complex(k(j, a), k(j, b))))
                                    .real();
            }
    return scores;
}

}  // namespace

Matrix wall_scores(const Head& head, const Matrix& W, const Row& b) {
    const std::size_t d = head.q.cols;
    Matrix gates(head.y.rows, d);
    for (std::size_t t = 0; t < gates.rows; ++t)
        for (std::size_t c = 0; c < d; ++c)
            gates(t, c) =
                sigmoid(projected_number(head.y.row(t), W, head.number * d + c) + b[head.number * d + c]);
    Matrix scores(head.q.rows, head.k.rows);
    for (std::size_t i = 0; i < scores.rows; ++i)
        for (std::size_t j = 0; j < scores.cols; ++j)
            for (std::size_t c = 0; c < d; ++c) {
                Number left = 1;
                for (std::size_t t = std::min(i, j) + 1; t <= std::max(i, j); ++t)
                    left *= gates(t, c);
                scores(i, j) += head.q(i, c) * head.k(j, c) * left;
            }
    return scores;
}

Matrix tupe_bias(const Head& head, const TupeRule& rule) {
    const std::size_t d = head.q.cols;
    Matrix bias(head.q.rows, head.k.rows);
    for (std::size_t i = 0; i < bias.rows; ++i)
        for (std::size_t j = 0; j < bias.cols; ++j) {
            if (!rule.theta_1.empty() && (i == 0 || j == 0)) {
                bias(i, j) = i == 0 ? rule.theta_1[head.number] : rule.theta_2[head.number];
                continue;
            }
            for (std::size_t c = head.number * d; c < (head.number + 1) * d; ++c)
                bias(i, j) += projected_number(rule.P.row(i), rule.U_Q, c) *
                              projected_number(rule.P.row(j), rule.U_K, c) / std::sqrt(2 * Number(d));
        }
    return bias;
}

Matrix decomposed_terms(const Head& head, std::size_t columns, const Matrix& R_h, const Matrix& R_w) {
    const auto asked = [&](std::size_t query, std::size_t to, std::size_t from, const Matrix& table) {
        const long most = long(table.rows / 2);
        const long offset = std::clamp(long(to) - long(from), -most, most);
        return product(head.q.row(query), table.row(std::size_t(offset + most)));
    };
    Matrix terms(head.q.rows, head.k.rows);
    for (std::size_t i = 0; i < terms.rows; ++i)
        for (std::size_t j = 0; j < terms.cols; ++j)
            terms(i, j) = asked(i, i / columns, j / columns, R_h) + asked(i, i % columns, j % columns, R_w);
    return terms;
}

Matrix turned_words(const Matrix& tokens, const Matrix& W, Number base) {
    Matrix turned = tokens;
    for (std::size_t p = 0; p < tokens.rows; ++p)
        for (std::size_t pair = 0; pair < tokens.cols / 2; ++pair) {
            const Number own = std::numbers::pi_v<Number> *
                               std::tanh(projected_number(tokens.row(p), W, pair));
            const Number speed = turn_of({true, base}, pair, tokens.cols) + own;
            const std::complex<Number> word(tokens(p, 2 * pair), tokens(p, 2 * pair + 1));
            const std::complex<Number> there = word * std::polar(Number(1), speed * Number(p));
            turned(p, 2 * pair) = there.real();
            turned(p, 2 * pair + 1) = there.imag();
        }
    return turned;
}

Matrix turned_values(const Head& head, const Matrix& weights, const PairTurning& turning) {
    const std::size_t d = head.v.cols;
    Matrix more(weights.rows, d);
    for (std::size_t i = 0; i < weights.rows; ++i)
        for (std::size_t j = 0; j < weights.cols; ++j)
            for (std::size_t pair = 0; pair < d / 2 && weights(i, j) != 0; ++pair) {
                const auto [a, b] = features_of_pair(turning, pair, d);
                const std::complex value(head.v(j, a), head.v(j, b));
                const Number angle = (Number(j) - Number(i)) * turn_of(turning, pair, d);
                const auto change = weights(i, j) * (value * std::polar(Number(1), angle) - value);
                more(i, a) += change.real();
                more(i, b) += change.imag();
            }
    return more;
}

Number extended_distance(const ExtendRule& rule, std::size_t query, std::size_t key) {
    if (query < key)
        return -extended_distance(rule, key, query);
    const std::size_t r = query - key, w = rule.window, G = rule.group;
    if (r < w)
        return Number(r);
    if (rule.far == "constant")
        return Number(w);
    if (rule.far == "leaky")
        return Number(w) + Number(r - w) / Number(G);
    return Number(query / G) - Number(key / G) + Number(w - w / G);
}

Number distance_in_cache(const std::vector<bool>& seen, std::size_t query, std::size_t key) {
    Number count = 0;
    for (std::size_t j = std::min(query, key); j < std::min(std::max(query, key), seen.size()); ++j)
        count += seen[j] ? 1 : 0;
    return query < key ? -count : count;
}

Matrix extended_scores(const Matrix& q, const Matrix& k, const ExtendRule& rule, const Allowed& allowed) {
    return scores_at(q, k, rule.turning, [&](std::size_t i, std::size_t j) {
        return rule.far == "cache" ? distance_in_cache(allowed[i], i, j) : extended_distance(rule, i, j);
    });
}

Number chunk_distance(const ChunkRule& rule, std::size_t query, std::size_t key) {
    const std::size_t s = rule.chunk, w = rule.window;
    if (query / s < key / s)
        return -chunk_distance(rule, key, query);
    if (query / s == key / s)
        return Number(query) - Number(key);
    const std::size_t place = query / s == key / s + 1 ? s + std::min(query % s, w - 1) : s + w - 1;
    return Number(place) - Number(key % s);
}

Matrix chunk_scores(const Matrix& q, const Matrix& k, const ChunkRule& rule) {
    return scores_at(q, k, rule.turning,
                     [&](std::size_t i, std::size_t j) { return chunk_distance(rule, i, j); });
}

Number query_temperature(std::size_t place, std::size_t length, Number growth) {
    Number lengths = 0;
    for (std::size_t end = length; end <= place + 1; end += length)
        lengths += 1;
    return 1 + growth * std::log(1 + lengths);
}

Matrix convolved_tokens(const Matrix& x, const PlaceKernel& kernel, const std::vector<bool>& is_read) {
    const long columns = kernel.columns > 0 ? long(kernel.columns) : long(x.rows), size = long(kernel.size);
    const long before = kernel.looks_back ? size - 1 : (size - 1) / 2;
    Matrix placed = x;
    for (std::size_t i = 0; i < x.rows; ++i)
        for (std::size_t c = 0; c < x.cols; ++c) {
            placed(i, c) += kernel.b[c];
            for (long down = 0; down < (kernel.columns > 0 ? size : 1); ++down)
                for (long right = 0; right < size; ++right) {
                    const long row = long(i) / columns + (kernel.columns > 0 ? down - before : 0);
                    const long column = long(i) % columns + right - before;
                    const long other = row * columns + column;
                    if (row < 0 || column < 0 || column >= columns || other >= long(x.rows) ||
                        !is_read[std::size_t(other)])
                        continue;
                    placed(i, c) += kernel.K(std::size_t(down * size + right), c) * x(std::size_t(other), c);
                }
        }
    return placed;
}

PlaceKernel shifting(PlaceKernel kernel, std::size_t width) {
    const std::size_t size = kernel.size, places = kernel.columns > 0 ? size * size : size;
    const std::size_t before = kernel.looks_back ? size - 1 : (size - 1) / 2;
    const std::size_t own = kernel.columns > 0 ? before * size + before : before;
    kernel.K = Matrix(places, width);
    kernel.b = Row(width, Number(0));
    for (std::size_t part = 0; part < places; ++part)
        for (std::size_t c = part * (width / places); c < (part + 1) * (width / places); ++c) {
            kernel.K(own, c) -= 1;  // its own
            kernel.K(places - 1 - part, c) += 1;
        }
    return kernel;
}

Matrix graph_bias(std::size_t nodes, const GraphPaths& paths, std::size_t head) {
    const Matrix& table = paths.of_lengths;
    const std::size_t none = nodes + table.rows, longest = table.rows - 2;
    std::vector<std::vector<std::size_t>> steps(nodes, std::vector<std::size_t>(nodes, none));
    std::vector<std::vector<std::size_t>> kinds(nodes, std::vector<std::size_t>(nodes, 0));
    const auto join = [&](std::size_t a, std::size_t b, std::size_t kind) {
        if (a >= nodes || b >= nodes)
            return;
        steps[a][b] = steps[b][a] = 1;
        kinds[a][b] = kinds[b][a] = kind;
    };
    for (std::size_t node = 0; paths.graph != "none" && node + 1 < nodes; ++node)
        join(node, node + 1, 0);
    if (paths.graph == "ring")
        join(nodes - 1, 0, 0);
    for (std::size_t edge = 0; 2 * edge < paths.edges.size(); ++edge)
        join(paths.edges[2 * edge], paths.edges[2 * edge + 1],
             edge < paths.kinds.size() ? paths.kinds[edge] : 0);
    const auto are_joined = steps;
    for (std::size_t node = 0; node < nodes; ++node)
        steps[node][node] = 0;
    for (std::size_t way = 0; way < nodes; ++way)
        for (std::size_t a = 0; a < nodes; ++a)
            for (std::size_t b = 0; b < nodes; ++b)
                steps[a][b] = std::min(steps[a][b], steps[a][way] + steps[way][b]);
    Matrix bias(nodes, nodes);
    for (std::size_t a = 0; a < nodes; ++a)
        for (std::size_t b = 0; b < nodes; ++b)
            bias(a, b) = table(std::min(steps[a][b], table.rows - 1), head);
    for (std::size_t a = 0; a < nodes && paths.of_edges.rows > 0; ++a)
        for (std::size_t b = 0; b < nodes; ++b) {
            if (a == b || steps[a][b] > longest)
                continue;
            Number sum = 0;
            for (std::size_t end = b, step = steps[a][b]; step-- > 0;) {
                std::size_t before = 0;
                while (are_joined[before][end] != 1 || steps[a][before] != step)
                    ++before;
                sum += paths.of_edges(kinds[before][end] * longest + step, head);
                end = before;
            }
            bias(a, b) += sum / static_cast<Number>(steps[a][b]);
        }
    return bias;
}

}  // namespace headlight::reference

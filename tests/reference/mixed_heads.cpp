#include "tests/reference/mixed_heads.h"

#include "tests/reference/linear_mixers.h"
#include "tests/reference/softmax.h"
#include "tests/reference/splitmix.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight::reference {
namespace {

/// x_t W of one token.
Row projected_row(const Matrix& x, std::size_t t, const Matrix& W) {
    Row result(W.cols, Number(0));
    for (std::size_t c = 0; c < W.cols; ++c)
        for (std::size_t a = 0; a < W.rows; ++a)
            result[c] += x(t, a) * W(a, c);
    return result;
}

/// Vectors of head i: the sum over r of its factors times row t of the r-th of `vectors`, over R.
Matrix mixed_of_head(const Matrix& factors, std::size_t head, const std::vector<const Matrix*>& vectors) {
    const std::size_t rank = vectors.size();
    Matrix mixed(vectors.front()->rows, vectors.front()->cols);
    for (std::size_t t = 0; t < mixed.rows; ++t)
        for (std::size_t c = 0; c < mixed.cols; ++c) {
            for (std::size_t r = 0; r < rank; ++r)
                mixed(t, c) += factors(factors.rows == 1 ? 0 : t, head * rank + r) * (*vectors[r])(t, c);
            mixed(t, c) /= static_cast<Number>(rank);
        }
    return mixed;
}

/// The result with row i of the context times gates[i].
HeadResult times_rows(HeadResult result, const Row& gates) {
    for (std::size_t i = 0; i < result.context.rows; ++i)
        for (std::size_t c = 0; c < result.context.cols; ++c)
            result.context(i, c) *= gates[i];
    return result;
}

/// What number p of head i takes of the vectors of all heads, at token t; turned where there is a base.
Row pseudo_vector(const std::vector<Head>& heads, Matrix Head::*vectors, const Matrix& mixing, std::size_t i,
                  std::size_t p, std::size_t t) {
    Row result((heads.front().*vectors).cols, Number(0));
    for (const Head& other : heads)
        for (std::size_t c = 0; c < result.size(); ++c)
            result[c] += mixing(p * heads.size() + i, other.number) * (other.*vectors)(t, c);
    return result;
}
Row turned_pseudo_vector(Row vector, std::size_t place, Number base) {
    for (std::size_t c = 0; base > 0 && c + 1 < vector.size(); c += 2) {
        const Number angle = static_cast<Number>(place) /
                             std::pow(base, static_cast<Number>(c) / static_cast<Number>(vector.size()));
        const Number first = vector[c], second = vector[c + 1];
        vector[c] = first * std::cos(angle) - second * std::sin(angle);
        vector[c + 1] = first * std::sin(angle) + second * std::cos(angle);
    }
    return vector;
}

/// What token x_t lets through of each head.
Row gates_of_token(const Matrix& x, std::size_t t, const HeadMixture& setting) {
    const Row scores = projected_row(x, t, setting.routed);
    Row routed = softmax_of_all(scores);
    std::vector<std::size_t> order(routed.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    Number sum = 0;
    for (std::size_t place = 0; place < order.size(); ++place)
        if (place < setting.active)
            sum += routed[order[place]];
        else
            routed[order[place]] = 0;
    if (setting.is_renormalized)
        for (Number& gate : routed)
            gate *= static_cast<Number>(setting.active) / sum;
    if (setting.shared.cols == 0)
        return routed;
    Row gates = softmax_of_all(projected_row(x, t, setting.shared));
    const Row kinds = softmax_of_all(projected_row(x, t, setting.kinds));
    const Number all = setting.is_renormalized ? 2 : 1,
                 each = setting.is_renormalized ? static_cast<Number>(gates.size()) : 1;
    for (Number& gate : gates)
        gate *= all * kinds[0] * each;
    for (const Number gate : routed)
        gates.push_back(all * kinds[1] * gate);
    return gates;
}

}  // namespace

HeadResult softmax_attention(const Matrix& q, const Matrix& k, const Matrix& v, const Allowed& allowed) {
    HeadResult result{Matrix(q.rows, k.rows), Matrix(q.rows, v.cols)};
    for (std::size_t i = 0; i < q.rows; ++i) {
        Row scores;
        for (std::size_t j = 0; j < k.rows; ++j)
            scores.push_back(product_of_rows(q, i, k, j) / std::sqrt(static_cast<Number>(k.cols)));
        const Row weights = softmax(scores, allowed[i], 1);
        for (std::size_t j = 0; j < k.rows; ++j) {
            result.weights(i, j) = weights[j];
            for (std::size_t c = 0; c < v.cols && weights[j] != 0; ++c)  // padding may hold anything
                result.context(i, c) += weights[j] * v(j, c);
        }
    }
    return result;
}

HeadResult weighed_attention(const Head& head, const Matrix& q, const Matrix& k, const Matrix& v,
                             const WeighScores& weigh) {
    Matrix scores(q.rows, k.rows);
    for (std::size_t i = 0; i < q.rows; ++i)
        for (std::size_t j = 0; j < k.rows; ++j)
            scores(i, j) = product_of_rows(q, i, k, j) / std::sqrt(static_cast<Number>(k.cols));
    HeadResult result{weigh(head, scores, head.allowed), Matrix(q.rows, v.cols)};
    for (std::size_t i = 0; i < q.rows; ++i)
        for (std::size_t j = 0; j < k.rows; ++j)
            for (std::size_t c = 0; c < v.cols && result.weights(i, j) != 0; ++c)
                result.context(i, c) += result.weights(i, j) * v(j, c);
    return result;
}

std::vector<HeadResult> tensor_product(const std::vector<Head>& heads, const TensorProduct& setting) {
    std::vector<const Matrix*> queries, keys, values;
    for (const Head& head : heads)
        queries.push_back(&head.q);
    for (std::size_t r = 0; r < setting.kv_heads; ++r) {
        keys.push_back(&heads[r * (heads.size() / setting.kv_heads)].k);
        values.push_back(&heads[r * (heads.size() / setting.kv_heads)].v);
    }
    std::vector<HeadResult> results;
    for (const Head& head : heads)
        results.push_back(softmax_attention(
            setting.of_queries.rows > 0 ? mixed_of_head(setting.of_queries, head.number, queries) : head.q,
            mixed_of_head(setting.of_keys, head.number, keys),
            mixed_of_head(setting.of_values, head.number, values), head.allowed));
    return results;
}

HeadResult differential_2(const Head& head, const Matrix& second_query, const Row& shares,
                          const WeighScores& weigh) {
    HeadResult result = weighed_attention(head, head.q, head.k, head.v, weigh);
    Head other = head;
    other.map = 1;
    const HeadResult second = weighed_attention(other, second_query, head.k, head.v, weigh);
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        for (std::size_t j = 0; j < head.k.rows; ++j)
            result.weights(i, j) -= shares[i] * second.weights(i, j);
        for (std::size_t c = 0; c < head.v.cols; ++c)
            result.context(i, c) -= shares[i] * second.context(i, c);
    }
    return result;
}

std::vector<HeadResult> head_mixture(const std::vector<Head>& heads, const HeadMixture& setting) {
    std::vector<Row> of_tokens;
    for (std::size_t t = 0; t < heads.front().x.rows; ++t)
        of_tokens.push_back(gates_of_token(heads.front().x, t, setting));
    std::vector<HeadResult> results;
    for (const Head& head : heads) {
        Row gates;
        for (const Row& of_token : of_tokens)
            gates.push_back(of_token[head.number]);
        results.push_back(times_rows(softmax_attention(head.q, head.k, head.v, head.allowed), gates));
    }
    return results;
}

std::vector<HeadResult> head_scale(const std::vector<Head>& heads, const Row& xi, Number rate,
                                   std::uint64_t seed) {
    Row kept;
    Number count = 0;
    for (const Head& head : heads) {
        const Number drawn =
            static_cast<Number>(child(seed, head.number) >> 11) / 9007199254740992.0;  // 2^53
        kept.push_back(drawn < rate ? 0 : 1);
        count += kept.back();
    }
    std::vector<HeadResult> results;
    for (const Head& head : heads) {
        const Number factor =
            kept[head.number] > 0 ? xi[head.number] * static_cast<Number>(heads.size()) / count : 0;
        results.push_back(
            times_rows(softmax_attention(head.q, head.k, head.v, head.allowed), Row(head.q.rows, factor)));
    }
    return results;
}

std::vector<HeadResult> compositional(const std::vector<Head>& heads, const Compositional& setting) {
    std::vector<HeadResult> results;
    const std::size_t width = setting.key.cols;
    for (const Head& head : heads) {
        std::vector<HeadResult> found;
        for (std::size_t r = 0; r < setting.retrievals; ++r)
            found.push_back(softmax_attention(
                head.q, head.k, heads[r * (heads.size() / setting.retrievals)].v, head.allowed));
        HeadResult result{found.front().weights, Matrix(head.q.rows, head.v.cols)};
        for (std::size_t i = 0; i < head.q.rows; ++i) {
            const Row asked = projected_row(head.x, i, setting.query);
            Row scores;
            for (const HeadResult& each : found) {
                const Row answer = projected_row(each.context, i, setting.key);
                Number score = 0;
                for (std::size_t c = 0; c < width; ++c)
                    score += asked[head.number * width + c] * answer[c];
                scores.push_back(score / std::sqrt(static_cast<Number>(width)));
            }
            const Row choice = softmax_of_all(scores);
            for (std::size_t r = 0; r < found.size(); ++r)
                for (std::size_t c = 0; c < head.v.cols; ++c)
                    result.context(i, c) += choice[r] * found[r].context(i, c);
        }
        results.push_back(result);
    }
    return results;
}

std::vector<HeadResult> collaborative(const std::vector<Head>& heads, const Matrix& mixing) {
    std::vector<HeadResult> results;
    const std::size_t d = heads.front().q.cols;
    for (const Head& head : heads) {
        HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
        for (std::size_t i = 0; i < head.q.rows; ++i) {
            Row scores;
            for (std::size_t j = 0; j < head.k.rows; ++j) {
                Number score = 0;
                for (const Head& other : heads)
                    for (std::size_t c = 0; c < d; ++c)
                        score += mixing(head.number, other.number * d + c) * other.q(i, c) * other.k(j, c);
                scores.push_back(score / std::sqrt(static_cast<Number>(d)));
            }
            const Row weights = softmax(scores, head.allowed[i], 1);
            for (std::size_t j = 0; j < head.k.rows; ++j) {
                result.weights(i, j) = weights[j];
                for (std::size_t c = 0; c < head.v.cols && weights[j] != 0; ++c)
                    result.context(i, c) += weights[j] * head.v(j, c);
            }
        }
        results.push_back(result);
    }
    return results;
}

std::vector<HeadResult> interleaved_heads(const std::vector<Head>& heads, const InterleavedHeads& setting) {
    const std::size_t n = heads.front().q.rows, m = heads.front().k.rows, width = heads.front().q.cols,
                      pseudo = setting.of_queries.rows / heads.size();
    std::vector<HeadResult> results;
    std::vector<Matrix> found;  // of each head [n P, d_v]
    for (const Head& head : heads) {
        HeadResult result{Matrix(n, m), Matrix(n, head.v.cols)};
        Matrix contexts(n * pseudo, head.v.cols);
        for (std::size_t i = 0; i < n * pseudo; ++i) {
            const std::size_t query = i / pseudo, number = i % pseudo;
            const Row q = turned_pseudo_vector(
                pseudo_vector(heads, &Head::q, setting.of_queries, head.number, number, query), i,
                setting.base);
            Row scores;
            std::vector<bool> allowed;
            for (std::size_t j = 0; j < m * pseudo; ++j) {
                const std::size_t key = j / pseudo;
                const Row k = turned_pseudo_vector(
                    pseudo_vector(heads, &Head::k, setting.of_keys, head.number, j % pseudo, key), j,
                    setting.base);
                scores.push_back(product(q, k) / std::sqrt(static_cast<Number>(width)));
                const bool is_later = setting.is_strict && key == query && j % pseudo > number;
                allowed.push_back(head.allowed[query][key] && !is_later);
            }
            const Row shares = softmax(scores, allowed, 1);
            for (std::size_t j = 0; j < m * pseudo; ++j) {
                if (shares[j] == 0)
                    continue;
                result.weights(query, j / pseudo) += shares[j] / static_cast<Number>(pseudo);
                const Row v =
                    pseudo_vector(heads, &Head::v, setting.of_values, head.number, j % pseudo, j / pseudo);
                for (std::size_t c = 0; c < v.size(); ++c)
                    contexts(i, c) += shares[j] * v[c];
            }
        }
        results.push_back(result);
        found.push_back(contexts);
    }
    const bool takes_all = setting.collapse.cols > pseudo;
    for (const Head& head : heads)
        for (const Head& other : heads)
            for (std::size_t i = 0; i < n * pseudo && (takes_all || other.number == head.number); ++i) {
                const std::size_t column = (takes_all ? other.number * pseudo : 0) + i % pseudo;
                for (std::size_t c = 0; c < head.v.cols; ++c)
                    results[head.number].context(i / pseudo, c) +=
                        setting.collapse(head.number, column) * found[other.number](i, c);
            }
    return results;
}

HeadResult area(const Head& head, std::size_t widest, bool are_means) {
    const std::size_t m = head.k.rows;
    HeadResult result{Matrix(head.q.rows, m), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        struct Run {
            std::size_t first, size;
        };
        std::vector<Run> runs;
        Row scores;
        for (std::size_t first = 0; first < m; ++first)
            for (std::size_t size = 1; size <= widest && first + size <= m; ++size) {
                if (!head.allowed[i][first + size - 1])
                    break;
                Number score = 0;
                for (std::size_t j = first; j < first + size; ++j)
                    score += product_of_rows(head.q, i, head.k, j) / static_cast<Number>(size);
                runs.push_back({first, size});
                scores.push_back(score / std::sqrt(static_cast<Number>(head.q.cols)));
            }
        const Row given = softmax_of_all(scores);
        for (std::size_t run = 0; run < runs.size(); ++run)
            for (std::size_t j = runs[run].first; j < runs[run].first + runs[run].size; ++j) {
                const Number weight =
                    are_means ? given[run] / static_cast<Number>(runs[run].size) : given[run];
                result.weights(i, j) += weight;
                for (std::size_t c = 0; c < head.v.cols; ++c)
                    result.context(i, c) += weight * head.v(j, c);
            }
    }
    return result;
}

HeadResult simplicial(const Head& head, const Matrix& second_key, const Matrix& second_value,
                      std::size_t window) {
    const std::size_t m = head.k.rows, d = head.q.cols;
    HeadResult result{Matrix(head.q.rows, m), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        Row scores;
        std::vector<bool> may;
        for (std::size_t j = 0; j < m; ++j)
            for (std::size_t l = 0; l < m; ++l) {
                Number score = 0;
                for (std::size_t c = 0; c < d; ++c)
                    score += head.q(i, c) * head.k(j, c) * second_key(l, c);
                scores.push_back(score / std::sqrt(static_cast<Number>(d)));
                const bool is_near = window == 0 || (l <= j && j - l < window);
                may.push_back(is_near && head.allowed[i][j] && head.allowed[i][l]);
            }
        const Row weights = softmax(scores, may, 1);
        for (std::size_t j = 0; j < m; ++j)
            for (std::size_t l = 0; l < m; ++l) {
                const Number weight = weights[j * m + l];
                result.weights(i, j) += weight;
                for (std::size_t c = 0; c < head.v.cols && weight != 0; ++c)
                    result.context(i, c) += weight * head.v(j, c) * second_value(l, c);
            }
    }
    return result;
}

namespace {

Number gelu(Number x) {
    return x / 2 *
           (1 + std::tanh(std::sqrt(2 / std::numbers::pi_v<Number>) * (x + Number(0.044715) * x * x * x)));
}

/// M[t][g][h]: what head g gets of head h in the rows, or columns, of token t.
std::vector<Matrix> mixing_matrices(const Matrix& x, const MixingSide& side, std::size_t rank) {
    const std::size_t heads = side.own.cols;
    std::vector<Matrix> result;
    for (std::size_t t = 0; t < x.rows; ++t) {
        Row hidden = projected_row(x, t, side.hidden);
        for (Number& unit : hidden)
            unit = gelu(unit);
        const Row mixing = projected_row(Matrix(1, hidden.size(), hidden), 0, side.mixing);
        const Row own = projected_row(x, t, side.own);
        Matrix of_token(heads, heads);
        for (std::size_t r = 0; r < rank; ++r) {
            Number squares = 0;
            for (std::size_t h = 0; h < heads; ++h)
                squares += mixing[r * heads + h] * mixing[r * heads + h];
            const Number size = std::sqrt(squares / static_cast<Number>(heads) + Number(1e-6));
            for (std::size_t g = 0; g < heads; ++g)
                for (std::size_t h = 0; h < heads; ++h)
                    of_token(g, h) += mixing[(rank + r) * heads + g] * mixing[r * heads + h] / size;
        }
        for (std::size_t h = 0; h < heads; ++h)
            of_token(h, h) += std::tanh(own[h]);
        result.push_back(of_token);
    }
    return result;
}

std::vector<Matrix> composed_maps(const std::vector<Matrix>& maps, const std::vector<Matrix>& by_queries,
                                  const std::vector<Matrix>& by_keys) {
    std::vector<Matrix> result = maps;
    for (std::size_t g = 0; g < maps.size(); ++g)
        for (std::size_t i = 0; i < maps[g].rows; ++i)
            for (std::size_t j = 0; j < maps[g].cols; ++j)
                for (std::size_t h = 0; h < maps.size(); ++h)
                    result[g](i, j) +=
                        maps[h](i, j) * (by_queries[i](g, h) + (by_keys.empty() ? 0 : by_keys[j](g, h)));
    return result;
}

}  // namespace

std::vector<HeadResult> dynamically_composed(const std::vector<Head>& heads,
                                             const DynamicComposition& setting) {
    const auto composed = [&](const std::vector<Matrix>& maps, const MixingSide& by_queries,
                              const MixingSide& by_keys) {
        return composed_maps(maps, mixing_matrices(heads.front().x, by_queries, setting.rank),
                             setting.keys_mix ? mixing_matrices(heads.front().y, by_keys, setting.rank)
                                              : std::vector<Matrix>());
    };
    std::vector<Matrix> scores;
    for (const Head& head : heads) {
        scores.emplace_back(head.q.rows, head.k.rows);
        for (std::size_t i = 0; i < head.q.rows; ++i)
            for (std::size_t j = 0; j < head.k.rows; ++j)
                scores.back()(i, j) =
                    product_of_rows(head.q, i, head.k, j) / std::sqrt(static_cast<Number>(head.q.cols));
    }
    std::vector<Matrix> weights = composed(scores, setting.scores_by_queries, setting.scores_by_keys);
    for (Matrix& map : weights)
        for (std::size_t i = 0; i < map.rows; ++i) {
            const Row row = softmax(map.row(i), heads.front().allowed[i], 1);
            for (std::size_t j = 0; j < map.cols; ++j)
                map(i, j) = row[j];
        }
    weights = composed(weights, setting.weights_by_queries, setting.weights_by_keys);
    std::vector<HeadResult> results;
    for (const Head& head : heads) {
        const Matrix& map = weights[head.number];
        HeadResult result{map, Matrix(head.q.rows, head.v.cols)};
        for (std::size_t i = 0; i < map.rows; ++i)
            for (std::size_t j = 0; j < map.cols; ++j)
                for (std::size_t c = 0; c < head.v.cols && map(i, j) != 0; ++c)
                    result.context(i, c) += map(i, j) * head.v(j, c);
        results.push_back(result);
    }
    return results;
}

}  // namespace headlight::reference

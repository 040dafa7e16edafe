#include "tests/reference/selections.h"

#include "tests/reference/projection.h"
#include "tests/reference/scores.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace headlight::reference {
namespace {

Allowed nothing_of(const Allowed& allowed) { return both(allowed, opposite(allowed)); }

/// [key]: some query sees it.
std::vector<bool> seen_keys(const Allowed& allowed) {
    std::vector<bool> seen(allowed.front().size(), false);
    for (const auto& row : allowed)
        for (std::size_t j = 0; j < row.size(); ++j)
            seen[j] = seen[j] || row[j];
    return seen;
}

/// Keeps the allowed keys of the blocks that win, from a number for each query and each block given its keys
/// that the query sees; `own` puts the block of the query's place before all others.
template <class Number>
Allowed best_blocks(const Allowed& allowed, std::size_t size, std::size_t kept, bool own, Number number) {
    Allowed result = nothing_of(allowed);
    for (std::size_t i = 0; i < allowed.size(); ++i) {
        const std::size_t keys = allowed[i].size();
        std::vector<std::size_t> left;  // blocks to choose from
        for (std::size_t block = 0; block * size < keys; ++block)
            left.push_back(block);
        const auto members = [&](std::size_t block) {
            std::vector<std::size_t> list;
            for (std::size_t j = block * size; j < keys && j / size == block; ++j)
                if (allowed[i][j])
                    list.push_back(j);
            return list;
        };
        std::erase_if(left, [&](std::size_t block) { return members(block).empty(); });
        for (std::size_t turn = 0; turn < kept && !left.empty(); ++turn) {
            std::size_t best = left.front();
            for (const std::size_t block : left)
                if (number(i, members(block)) > number(i, members(best)))
                    best = block;
            if (own && turn == 0 && std::ranges::count(left, i / size) > 0)
                best = i / size;
            std::erase(left, best);
            for (const std::size_t j : members(best))
                result[i][j] = true;
        }
    }
    return result;
}

/// To a millionth: what differs by less counts as equal.
Number cosine(const Row& a, const Row& b) {
    const Number lengths = std::sqrt(dot_score(a, a) * dot_score(b, b));
    return lengths > 0 ? std::round(1e6 * dot_score(a, b) / lengths) / 1e6 : 0;
}

/// [cluster][token]: the tokens that count and have fewer than `members` others before them.
std::vector<std::vector<bool>> taken(const Matrix& tokens, const std::vector<bool>& counts,
                                     const Matrix& centroids, std::size_t members) {
    std::vector<std::vector<bool>> result;
    const auto real = static_cast<std::size_t>(std::ranges::count(counts, true));
    const std::size_t share = members > 0 ? members : (real + centroids.rows - 1) / centroids.rows;
    for (std::size_t c = 0; c < centroids.rows; ++c) {
        result.emplace_back(tokens.rows, false);
        for (std::size_t t = 0; t < tokens.rows; ++t) {
            const Number own = cosine(tokens.row(t), centroids.row(c));
            std::size_t before = 0;
            for (std::size_t other = 0; other < tokens.rows; ++other) {
                const Number theirs = cosine(tokens.row(other), centroids.row(c));
                before += counts[other] && (theirs > own || (theirs == own && other < t));
            }
            result.back()[t] = counts[t] && before < share;
        }
    }
    return result;
}

}  // namespace

Allowed top_k(const Matrix& scores, const Allowed& allowed, std::size_t k) {
    Allowed kept = allowed;
    for (std::size_t i = 0; i < scores.rows; ++i)
        for (std::size_t j = 0; j < scores.cols; ++j) {
            std::size_t larger = 0;
            for (std::size_t other = 0; other < scores.cols; ++other)
                larger += allowed[i][other] && scores(i, other) > scores(i, j);
            kept[i][j] = allowed[i][j] && larger < k;
        }
    return kept;
}

Allowed in_head_window(const Allowed& allowed, const HeadWindow& window) {
    Allowed near = allowed;
    for (std::size_t i = 0; i < near.size(); ++i)
        for (std::size_t j = 0; j < near[i].size(); ++j) {
            const auto away = static_cast<std::size_t>(
                std::abs(static_cast<std::ptrdiff_t>(j) - static_cast<std::ptrdiff_t>(i) - window.shift));
            const bool is_inside = away <= window.reach && away % window.stride == 0;
            near[i][j] = allowed[i][j] && (is_inside || j < window.first);
        }
    return near;
}

Allowed exactly_top_k(const Matrix& scores, const Allowed& allowed, std::size_t k) {
    Allowed kept = nothing_of(allowed);
    for (std::size_t i = 0; i < scores.rows; ++i)
        for (std::size_t j = 0; j < scores.cols; ++j) {
            std::size_t before = 0;
            for (std::size_t other = 0; other < scores.cols; ++other)
                before += allowed[i][other] && (scores(i, other) > scores(i, j) ||
                                                (scores(i, other) == scores(i, j) && other < j));
            kept[i][j] = allowed[i][j] && before < k;
        }
    return kept;
}

Allowed pages(const Matrix& q, const Matrix& k, const Allowed& allowed, std::size_t size, std::size_t kept) {
    return best_blocks(allowed, size, kept, false, [&](std::size_t i, const std::vector<std::size_t>& keys) {
        Number bound = 0;
        for (std::size_t c = 0; c < q.cols; ++c) {
            Number most = q(i, c) * k(keys.front(), c);
            for (const std::size_t j : keys)
                most = std::max(most, q(i, c) * k(j, c));
            bound += most;
        }
        return bound;
    });
}

Allowed block_means(const Matrix& q, const Matrix& k, const Allowed& allowed, std::size_t size,
                    std::size_t kept, bool own) {
    return best_blocks(allowed, size, kept, own, [&](std::size_t i, const std::vector<std::size_t>& keys) {
        Number sum = 0;  // the mean of the products is the product with the mean
        for (const std::size_t j : keys)
            sum += dot_score(q.row(i), k.row(j));
        return sum / static_cast<Number>(keys.size());
    });
}

Allowed block_indexer(const Matrix& index_q, const Matrix& index_k, const Allowed& allowed, std::size_t size,
                      std::size_t kept, bool own) {
    return best_blocks(allowed, size, kept, own, [&](std::size_t i, const std::vector<std::size_t>& keys) {
        Number best = dot_score(index_q.row(i), index_k.row(keys.front()));
        for (const std::size_t j : keys)
            best = std::max(best, dot_score(index_q.row(i), index_k.row(j)));
        return best;
    });
}

std::size_t bucket(const Row& x, const Matrix& R) {
    std::size_t best = 0;
    Row ends = Row(2 * R.cols, Number(0));
    for (std::size_t r = 0; r < R.cols; ++r)
        for (std::size_t c = 0; c < x.size(); ++c) {
            ends[r] += x[c] * R(c, r);
            ends[R.cols + r] -= x[c] * R(c, r);
        }
    for (std::size_t b = 0; b < ends.size(); ++b)
        if (ends[b] > ends[best])
            best = b;
    return best;
}

Allowed same_bucket(const Matrix& q, const Matrix& k, const Allowed& allowed, const Matrix& R,
                    std::size_t rounds) {
    Allowed kept = nothing_of(allowed);
    const std::size_t directions = R.cols / rounds;
    for (std::size_t round = 0; round < rounds; ++round) {
        Matrix of_round(R.rows, directions);
        for (std::size_t c = 0; c < R.rows; ++c)
            for (std::size_t r = 0; r < directions; ++r)
                of_round(c, r) = R(c, round * directions + r);
        for (std::size_t i = 0; i < q.rows; ++i)
            for (std::size_t j = 0; j < k.rows; ++j)
                if (allowed[i][j] && bucket(q.row(i), of_round) == bucket(k.row(j), of_round))
                    kept[i][j] = true;
    }
    return kept;
}

Allowed near_in_hash_order(const Matrix& q, const Matrix& k, const Allowed& allowed, const Matrix& R,
                           std::size_t rounds, std::size_t chunk, bool is_one_sequence) {
    Allowed kept = nothing_of(allowed);
    const std::size_t directions = R.cols / rounds;
    const std::vector<bool> is_key = seen_keys(allowed),
                            is_query = is_one_sequence ? is_key : std::vector<bool>(q.rows, true);
    for (std::size_t round = 0; round < rounds; ++round) {
        Matrix of_round(R.rows, directions);
        for (std::size_t c = 0; c < R.rows; ++c)
            for (std::size_t r = 0; r < directions; ++r)
                of_round(c, r) = R(c, round * directions + r);
        /// How many come before each token, over the length of a chunk.
        const auto chunks_of = [&](const Matrix& x, const std::vector<bool>& real) {
            std::vector<std::size_t> buckets;
            for (std::size_t i = 0; i < x.rows; ++i)
                buckets.push_back(real[i] ? bucket(x.row(i), of_round) : 2 * directions);
            std::vector<std::size_t> chunks;
            for (std::size_t i = 0; i < x.rows; ++i) {
                std::size_t before = 0;
                for (std::size_t other = 0; other < x.rows; ++other)
                    before += buckets[other] < buckets[i] || (buckets[other] == buckets[i] && other < i);
                chunks.push_back(before / chunk);
            }
            return chunks;
        };
        const auto of_queries = chunks_of(q, is_query), of_keys = chunks_of(k, is_key);
        for (std::size_t i = 0; i < q.rows; ++i)
            for (std::size_t j = 0; j < k.rows; ++j)
                if (allowed[i][j] && (of_queries[i] == of_keys[j] || of_queries[i] == of_keys[j] + 1))
                    kept[i][j] = true;
    }
    return kept;
}

Allowed own_key_last(const Allowed& allowed) {
    Allowed kept = allowed;
    for (std::size_t i = 0; i < kept.size(); ++i)
        for (std::size_t j = 0; j < kept[i].size(); ++j)
            if (j != i && allowed[i][j])
                kept[i][i] = false;
    return kept;
}

Allowed same_cluster(const Matrix& q, const Matrix& k, const Allowed& allowed, const Matrix& centroids,
                     std::size_t members) {
    const auto queries = taken(q, std::vector<bool>(q.rows, true), centroids, members);
    const auto keys = taken(k, seen_keys(allowed), centroids, members);
    Allowed kept = nothing_of(allowed);
    for (std::size_t c = 0; c < centroids.rows; ++c)
        for (std::size_t i = 0; i < q.rows; ++i)
            for (std::size_t j = 0; j < k.rows; ++j)
                if (allowed[i][j] && queries[c][i] && keys[c][j])
                    kept[i][j] = true;
    return kept;
}

Matrix index_scores(const Matrix& x, const Matrix& y, const Matrix& W_q, const Matrix& W_k,
                    const Matrix& W_w) {
    const Matrix q = project(x, {W_q, {}}), k = project(y, {W_k, {}}), w = project(x, {W_w, {}});
    Matrix scores(x.rows, y.rows);
    for (std::size_t t = 0; t < x.rows; ++t)
        for (std::size_t s = 0; s < y.rows; ++s)
            for (std::size_t head = 0; head < w.cols; ++head) {
                Number product = 0;
                for (std::size_t c = 0; c < k.cols; ++c)
                    product += q(t, head * k.cols + c) * k(s, c);
                scores(t, s) += product > 0 ? w(t, head) * product : 0;
            }
    return scores;
}

Row predicted_places(const Matrix& q, const Allowed& allowed, const Matrix& W_p, const Row& v_p) {
    const std::vector<bool> seen = seen_keys(allowed);
    Number length = 0;
    for (std::size_t j = 0; j < seen.size(); ++j)
        if (seen[j])
            length = static_cast<Number>(j + 1);
    Row places;
    for (std::size_t t = 0; t < q.rows; ++t) {
        Number energy = 0;
        for (std::size_t a = 0; a < v_p.size(); ++a) {
            Number sum = 0;
            for (std::size_t c = 0; c < q.cols; ++c)
                sum += q(t, c) * W_p(c, a);
            energy += v_p[a] * std::tanh(sum);
        }
        places.push_back(length * (1 / (1 + std::exp(-energy))));
    }
    return places;
}

Allowed around(const Row& places, const Allowed& allowed, Number radius) {
    Allowed kept = nothing_of(allowed);
    for (std::size_t t = 0; t < allowed.size(); ++t)
        for (std::size_t j = 0; j < allowed[t].size(); ++j) {
            const auto place = static_cast<Number>(j);
            kept[t][j] = allowed[t][j] && place >= places[t] - radius && place <= places[t] + radius;
        }
    return kept;
}

Matrix gaussian_weights(const Matrix& weights, const Row& places, Number sigma) {
    Matrix result = weights;
    for (std::size_t t = 0; t < weights.rows; ++t)
        for (std::size_t j = 0; j < weights.cols; ++j) {
            const Number away = static_cast<Number>(j) - places[t];
            result(t, j) *= std::exp(-(away * away) / (2 * sigma * sigma));
        }
    return result;
}

}  // namespace headlight::reference

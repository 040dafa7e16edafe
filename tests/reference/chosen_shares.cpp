#include "tests/reference/chosen_shares.h"

#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight::reference {
namespace {

Allowed none_of(const Allowed& allowed) {
    Allowed kept = allowed;
    for (auto& row : kept)
        row.assign(row.size(), false);
    return kept;
}

/// Keys that some query sees; the others are padding.
std::vector<bool> real_tokens(const Allowed& allowed) {
    std::vector<bool> real(allowed.front().size(), false);
    for (const auto& row : allowed)
        for (std::size_t j = 0; j < row.size(); ++j)
            real[j] = real[j] || row[j];
    return real;
}

/// Places from the largest number down, of equal ones the first.
std::vector<std::size_t> largest_first(const Row& numbers) {
    std::vector<std::size_t> order(numbers.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return numbers[a] > numbers[b]; });
    return order;
}

/// True for the `count` largest.
std::vector<bool> among_largest(const Row& numbers, std::size_t count) {
    std::vector<bool> chosen(numbers.size(), false);
    const auto order = largest_first(numbers);
    for (std::size_t at = 0; at < std::min(count, order.size()); ++at)
        chosen[order[at]] = true;
    return chosen;
}

/// True for the fewest of the largest numbers that come to `sum`.
std::vector<bool> largest_up_to(const Row& numbers, Number sum) {
    std::vector<bool> chosen(numbers.size(), false);
    Number so_far = 0;
    for (const std::size_t at : largest_first(numbers)) {
        if (so_far >= sum)
            break;
        chosen[at] = true;
        so_far += numbers[at];
    }
    return chosen;
}

}  // namespace

Allowed top_p(const Matrix& scores, const Allowed& allowed, Number p, Number temperature) {
    Allowed kept = allowed;
    for (std::size_t i = 0; i < scores.rows; ++i) {
        const auto chosen = largest_up_to(softmax(scores.row(i), allowed[i], temperature), p);
        for (std::size_t j = 0; j < scores.cols; ++j)
            kept[i][j] = allowed[i][j] && chosen[j];
    }
    return kept;
}

SparqKeys sparq(const Matrix& q, const Matrix& k, const Allowed& allowed, const Sparq& sparq) {
    SparqKeys result{none_of(allowed), {}};
    for (std::size_t i = 0; i < q.rows; ++i) {
        Row amounts;
        for (std::size_t c = 0; c < q.cols; ++c)
            amounts.push_back(std::abs(q(i, c)));
        const auto read = among_largest(amounts, sparq.numbers);
        Number part = 0, all = 0;
        for (std::size_t c = 0; c < q.cols; ++c) {
            part += read[c] ? amounts[c] : 0;
            all += amounts[c];
        }
        const Number square = all == 0 ? 0 : static_cast<Number>(q.cols) * part / all;
        Row guessed;
        for (std::size_t j = 0; j < k.rows; ++j) {
            Number sum = 0;
            for (std::size_t c = 0; c < q.cols; ++c)
                sum += read[c] ? q(i, c) * k(j, c) : 0;
            guessed.push_back(square == 0 ? 0 : sum / std::sqrt(square));
        }
        const Row shares = softmax(guessed, allowed[i], 1);
        const auto chosen = among_largest(shares, sparq.keys);
        result.read_share.push_back(0);
        for (std::size_t j = 0; j < k.rows; ++j) {
            result.kept[i][j] = allowed[i][j] && chosen[j];
            result.read_share[i] += result.kept[i][j] ? shares[j] : 0;
        }
    }
    return result;
}

Matrix with_mean_value(const Matrix& weights, const Allowed& allowed, const Row& read_share) {
    Matrix result = weights;
    for (std::size_t i = 0; i < weights.rows; ++i) {
        const auto count = static_cast<Number>(std::ranges::count(allowed[i], true));
        for (std::size_t j = 0; j < weights.cols; ++j)
            result(i, j) =
                read_share[i] * weights(i, j) + (allowed[i][j] ? (1 - read_share[i]) / count : Number(0));
    }
    return result;
}

Allowed a_shape(const Allowed& allowed, const PrefillPatterns& patterns) {
    Allowed kept = allowed;
    for (std::size_t i = 0; i < kept.size(); ++i)
        for (std::size_t j = 0; j < kept[i].size(); ++j)
            kept[i][j] = allowed[i][j] && (j < patterns.first || (j <= i && i - j < patterns.recent));
    return kept;
}

Allowed vertical_slash(const Matrix& scores, const Allowed& allowed, const PrefillPatterns& patterns) {
    const std::size_t n = scores.rows;
    const std::vector<bool> real = real_tokens(allowed);
    Row columns(n, 0), diagonals(n, 0);
    std::size_t asked = 0;
    for (std::size_t i = n; i-- > 0 && asked < patterns.last;) {
        if (!real[i])
            continue;
        ++asked;
        const Row looks = softmax(scores.row(i), allowed[i], patterns.temperature);
        for (std::size_t j = 0; j < n; ++j) {
            columns[j] += looks[j];
            if (j <= i)
                diagonals[i - j] += looks[j];
        }
    }
    const auto with_always = [&](Row votes, std::size_t always, std::size_t kept) {
        for (std::size_t at = 0; at < std::min(always, n); ++at)
            votes[at] += static_cast<Number>(n + 1);
        return among_largest(votes, std::max(kept, always));
    };
    const auto in_column = with_always(columns, patterns.first, patterns.columns),
               on_diagonal = with_always(diagonals, patterns.recent, patterns.diagonals);
    Allowed kept = allowed;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            kept[i][j] = allowed[i][j] && (in_column[j] || (j <= i && on_diagonal[i - j]));
    return kept;
}

Allowed pooled_blocks(const Matrix& q, const Matrix& k, const Allowed& allowed,
                      const PrefillPatterns& patterns) {
    const std::size_t n = q.rows, size = patterns.size, blocks = (n + size - 1) / size;
    const std::vector<bool> real = real_tokens(allowed);
    const auto mean = [&](const Matrix& x, std::size_t block) {
        Row sum(x.cols, 0);
        Number count = 0;
        for (std::size_t i = block * size; i < std::min((block + 1) * size, n); ++i)
            if (real[i]) {
                ++count;
                for (std::size_t c = 0; c < x.cols; ++c)
                    sum[c] += x(i, c);
            }
        for (Number& number : sum)
            number = count == 0 ? 0 : number / count;
        return sum;
    };
    const auto meet = [&](std::size_t a, std::size_t b) {
        for (std::size_t i = a * size; i < std::min((a + 1) * size, n); ++i)
            for (std::size_t j = b * size; j < std::min((b + 1) * size, n); ++j)
                if (allowed[i][j])
                    return true;
        return false;
    };
    Allowed kept = none_of(allowed);
    for (std::size_t a = 0; a < blocks; ++a) {
        Row products;
        std::vector<std::size_t> met;
        for (std::size_t b = 0; b < blocks; ++b)
            if (meet(a, b)) {
                met.push_back(b);
                products.push_back(product(mean(q, a), mean(k, b)));
            }
        const auto chosen = among_largest(products, patterns.blocks);
        for (std::size_t at = 0; at < met.size(); ++at)
            for (std::size_t i = a * size; i < std::min((a + 1) * size, n); ++i)
                for (std::size_t j = met[at] * size; j < std::min((met[at] + 1) * size, n); ++j)
                    kept[i][j] = allowed[i][j] && chosen[at];
    }
    return kept;
}

Allowed antidiagonals(const Matrix& scores, const Allowed& allowed, const Antidiagonals& setting) {
    const std::size_t n = scores.rows, m = scores.cols, stride = setting.stride;
    const std::vector<bool> real_keys = real_tokens(allowed),
                            real_queries = setting.is_one_sequence ? real_keys : std::vector<bool>(n, true);
    const auto groups_of = [&](std::size_t tokens) { return (tokens + stride - 1) / stride; };
    const auto is_query = [&](std::size_t i) { return i < n && real_queries[i]; };
    const auto is_key = [&](std::size_t j) { return j < m && real_keys[j]; };
    const std::size_t blocks = (groups_of(n) + setting.groups - 1) / setting.groups,
                      key_blocks = (groups_of(m) + setting.groups - 1) / setting.groups;
    Matrix sums(blocks, key_blocks);
    for (std::size_t a = 0; a < groups_of(n); ++a) {
        Row averages(groups_of(m), 0);
        std::vector<bool> meet(groups_of(m), false);
        for (std::size_t b = 0; b < groups_of(m); ++b) {
            for (std::size_t s = 0; s < stride; ++s) {
                const std::size_t i = a * stride + stride - 1 - s, j = b * stride + s;
                if (is_query(i) && is_key(j))
                    averages[b] += scores(i, j);
            }
            averages[b] /= static_cast<Number>(stride);
            for (std::size_t i = a * stride; i < (a + 1) * stride; ++i)
                for (std::size_t j = b * stride; j < (b + 1) * stride; ++j)
                    meet[b] = meet[b] || (is_query(i) && is_key(j) && allowed[i][j]);
        }
        const Row looks = softmax(averages, meet, setting.temperature);
        // Each group's own sums first: blocks that are alike then have the same sum to the last bit.
        Row of_blocks(key_blocks, 0);
        for (std::size_t b = 0; b < groups_of(m); ++b)
            of_blocks[b / setting.groups] += looks[b];
        for (std::size_t b = 0; b < key_blocks; ++b)
            sums(a / setting.groups, b) += of_blocks[b];
    }
    const std::size_t size = stride * setting.groups;
    Allowed kept = allowed;
    for (std::size_t a = 0; a < blocks; ++a) {
        Row others = sums.row(a);
        Number needed = setting.p * std::accumulate(others.begin(), others.end(), Number(0));
        const auto always = [&](std::size_t b) { return setting.keeps_ends && (b == 0 || b == a); };
        for (std::size_t b = 0; b < key_blocks; ++b)
            if (always(b)) {
                needed -= others[b];
                others[b] = 0;
            }
        const auto chosen = largest_up_to(others, needed);
        for (std::size_t i = a * size; i < std::min((a + 1) * size, n); ++i)
            for (std::size_t j = 0; j < m; ++j)
                kept[i][j] = allowed[i][j] && (always(j / size) || chosen[j / size]);
    }
    return kept;
}

}  // namespace headlight::reference

#include "core/attention/options.h"
#include "tests/oracle/grid_windows.h"
#include "tests/oracle/head_numbers.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/oracle/settings.h"
#include "tests/reference/pooled_rows.h"
#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

using reference::Head;
using reference::Matrix;
using reference::Row;

/// LayerNorm with gain and shift, then GELU.
Row normed_and_active(const Row& x, const Row& gain, const Row& shift) {
    const Matrix normed = reference::normed_rows(Matrix(1, x.size(), x));
    Row result;
    for (std::size_t c = 0; c < x.size(); ++c) {
        const Number scaled = normed(0, c) * gain[c] + shift[c];
        result.push_back(scaled / 2 * (1 + std::erf(scaled / std::sqrt(Number(2)))));
    }
    return result;
}

/// What looks at a window finds in it, the window's own token first: the weights of that and of all places.
Row weights_in_window(const Row& query, const Row& token_key, const Matrix& keys,
                      const std::vector<long>& window) {
    const Number root = std::sqrt(static_cast<Number>(query.size()));
    Row scores(keys.rows + 1, 0);
    std::vector<bool> seen(keys.rows + 1, false);
    scores[0] = reference::product(query, token_key) / root;
    seen[0] = true;
    for (const long place : window)
        if (place >= 0) {
            const auto at = static_cast<std::size_t>(place);
            scores[at + 1] = reference::product(query, keys.row(at)) / root;
            seen[at + 1] = true;
        }
    return reference::softmax(scores, seen, 1);
}

struct WindowToken {
    Row query, key, value;  ///< of one head
    Row gain, shift;
    Matrix to_query, to_key;
    Row query_bias, key_bias;
};

reference::HeadResult mixed_windows(const Head& head, const WindowToken& token,
                                    const GridWindowsOracle& windows) {
    const auto found = [&](const Row& weights) {
        Row sum(head.v.cols, 0);
        sum = with_added(sum, weights[0], token.value);
        for (std::size_t j = 0; j < head.v.rows; ++j)
            sum = with_added(sum, weights[j + 1], head.v.row(j));
        return sum;
    };
    std::vector<Row> asks, answers, rows;
    for (const std::vector<long>& window : windows.places) {
        const Row active = normed_and_active(found(weights_in_window(token.query, token.key, head.k, window)),
                                             token.gain, token.shift);
        asks.push_back(times(active, token.to_query, token.query_bias));
        answers.push_back(times(active, token.to_key, token.key_bias));
    }
    for (std::size_t i = 0; i < head.q.rows; ++i)
        rows.push_back(
            weights_in_window(head.q.row(i), token.key, head.k, windows.places[windows.window[i]]));

    reference::HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        Row scores;
        std::vector<bool> seen;
        for (std::size_t j = 0; j < windows.places.size(); ++j) {
            scores.push_back(reference::product(asks[windows.window[i]], answers[j]) /
                             std::sqrt(static_cast<Number>(head.q.cols)));
            seen.push_back(windows.places[j][windows.tap[i]] >= 0);
        }
        const Row shares = reference::softmax(scores, seen, 1);
        Row context(head.v.cols, 0);
        for (std::size_t j = 0; j < shares.size(); ++j) {
            if (!seen[j])
                continue;
            const Row& row = rows[static_cast<std::size_t>(windows.places[j][windows.tap[i]])];
            for (std::size_t key = 0; key < head.k.rows; ++key)
                result.weights(i, key) += shares[j] * row[key + 1];
            context = with_added(context, shares[j], found(row));
        }
        std::ranges::copy(context,
                          result.context.values.begin() + static_cast<std::ptrdiff_t>(i * head.v.cols));
    }
    return result;
}

}  // namespace

/// DSSA: attention in each window with a token of its own, then the windows mixed place by place as their
/// tokens, through a norm and GELU, look at one another (Li et al. 2022).
void oracle_algorithms_window_tokens(const OracleParts& parts, reference::Setting& setting) {
    const OracleParameters& given = parts.parameters;
    const auto projected = [](const std::optional<reference::Linear>& linear, const Matrix& token) {
        return linear ? reference::project(token, *linear) : token;
    };
    const Matrix token = given.matrix("window_token"), query = projected(setting.to_query, token),
                 key = projected(setting.to_key, token),
                 value = setting.values_are_keys ? key : projected(setting.to_value, token);
    setting.algorithm = [=, heads = setting.heads, key_heads = setting.kv_heads](const Head& head) {
        const std::size_t key_head = key_head_of(parts, head);
        const std::size_t values = head.v.cols, keys = head.q.cols;
        const auto of_side = [&](const std::string& side) {
            return std::pair(rows_of_head(given.matrix("W_window_" + side), head.number, values),
                             numbers_of_head(given.row("b_window_" + side), head.number, keys));
        };
        const auto asking = of_side("query"), asked = of_side("key");
        const WindowToken of_head{reference::columns_of_head(query, head.number, heads).row(0),
                                  reference::columns_of_head(key, key_head, key_heads).row(0),
                                  reference::columns_of_head(value, key_head, key_heads).row(0),
                                  given.row("g_window_token"),
                                  given.row("b_window_token"),
                                  asking.first,
                                  asked.first,
                                  asking.second,
                                  asked.second};
        return mixed_windows(
            head, of_head,
            GridWindowsOracle(head.q.rows, count_option(parts, "columns"), count_option(parts, "size")));
    };
}

Settings settings_algorithms_window_tokens() {
    return {
        R"({"projections": {"type": "learned", "bias": true}, "heads": {"type": "grouped_query", "heads": 4,
            "kv_heads": 2}, "algorithm": {"type": "window_tokens", "columns": 2}})"};
}

}  // namespace headlight

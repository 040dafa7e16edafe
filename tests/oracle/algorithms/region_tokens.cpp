#include "core/attention/options.h"
#include "tests/oracle/grid_windows.h"
#include "tests/oracle/head_numbers.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/oracle/settings.h"
#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headlight {
namespace {

using reference::Head;
using reference::Matrix;
using reference::Row;

using OfAllHeads = std::vector<Head>;

/// The tokens of each region side by side, 0 in the place of one that it lacks, through a matrix.
Matrix tokens_of_regions(const Matrix& tokens, const GridWindowsOracle& regions, const Matrix& weight,
                         const Row& bias) {
    Matrix made(regions.places.size(), weight.cols);
    for (std::size_t region = 0; region < made.rows; ++region) {
        Row side_by_side;
        for (const long place : regions.places[region])
            for (std::size_t c = 0; c < tokens.cols; ++c)
                side_by_side.push_back(place < 0 ? 0 : tokens(static_cast<std::size_t>(place), c));
        std::ranges::copy(times(side_by_side, weight, bias),
                          made.values.begin() + static_cast<std::ptrdiff_t>(region * made.cols));
    }
    return made;
}

struct RegionProjections {
    std::optional<reference::Linear> query, key, value, output;
    bool values_are_keys = false;
    std::size_t heads = 1, key_heads = 1;

    /// The columns of one head of what a projection makes of rows.
    Matrix of_head(const std::optional<reference::Linear>& linear, const Matrix& rows, std::size_t head,
                   std::size_t of) const {
        return reference::columns_of_head(linear ? reference::project(rows, *linear) : rows, head, of);
    }
    Matrix queries(const Matrix& rows, std::size_t head) const { return of_head(query, rows, head, heads); }
    Matrix keys(const Matrix& rows, std::size_t head) const {
        return of_head(key, rows, head / (heads / key_heads), key_heads);
    }
    Matrix values(const Matrix& rows, std::size_t head) const {
        return of_head(values_are_keys ? key : value, rows, head / (heads / key_heads), key_heads);
    }
};

/// r + Attention(r), all heads and the output's projection.
Matrix informed(const Matrix& regions, const RegionProjections& by) {
    Matrix found(regions.rows, 0);
    for (std::size_t head = 0; head < by.heads; ++head) {
        const Matrix q = by.queries(regions, head), k = by.keys(regions, head), v = by.values(regions, head);
        Matrix wider(regions.rows, found.cols + v.cols);
        for (std::size_t i = 0; i < regions.rows; ++i) {
            Row scores;
            for (std::size_t j = 0; j < regions.rows; ++j)
                scores.push_back(reference::product(q.row(i), k.row(j)) /
                                 std::sqrt(static_cast<Number>(q.cols)));
            const Row shares = reference::softmax_of_all(scores);
            for (std::size_t c = 0; c < found.cols; ++c)
                wider(i, c) = found(i, c);
            for (std::size_t j = 0; j < regions.rows; ++j)
                for (std::size_t c = 0; c < v.cols; ++c)
                    wider(i, found.cols + c) += shares[j] * v(j, c);
        }
        found = wider;
    }
    Matrix sum = by.output ? reference::project(found, *by.output) : found;
    for (std::size_t at = 0; at < sum.values.size(); ++at)
        sum.values[at] += regions.values[at];
    return sum;
}

/// Attention of each place to its region's token and to the places of the region.
reference::HeadResult inside_regions(const Head& head, const Matrix& keys, const Matrix& values,
                                     const GridWindowsOracle& regions, std::size_t side, const Row& biases) {
    reference::HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
    const Number root = std::sqrt(static_cast<Number>(head.q.cols));
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        const std::size_t region = regions.window[i];
        Row scores(head.k.rows + 1, 0);
        std::vector<bool> seen(head.k.rows + 1, false);
        scores[0] = reference::product(head.q.row(i), keys.row(region)) / root;
        seen[0] = true;
        for (std::size_t j = 0; j < head.k.rows; ++j) {
            if (regions.window[j] != region)
                continue;
            seen[j + 1] = true;
            scores[j + 1] = reference::product(head.q.row(i), head.k.row(j)) / root;
            if (biases.empty())
                continue;
            const std::size_t down = regions.tap[j] / side + side - 1 - regions.tap[i] / side,
                              right = regions.tap[j] % side + side - 1 - regions.tap[i] % side;
            scores[j + 1] += biases[down * (2 * side - 1) + right];
        }
        const Row shares = reference::softmax(scores, seen, 1);
        for (std::size_t c = 0; c < head.v.cols; ++c)
            result.context(i, c) = shares[0] * values(region, c);
        for (std::size_t j = 0; j < head.k.rows; ++j) {
            result.weights(i, j) = shares[j + 1];
            for (std::size_t c = 0; c < head.v.cols && seen[j + 1]; ++c)
                result.context(i, c) += shares[j + 1] * head.v(j, c);
        }
    }
    return result;
}

}  // namespace

/// Regional self-attention, then local self-attention with the region's token, by one set of matrices (Chen
/// et al. 2022), without their norms.
void oracle_algorithms_region_tokens(const OracleParts& parts, reference::Setting& setting) {
    const OracleParameters& given = parts.parameters;
    const RegionProjections by{setting.to_query,        setting.to_key, setting.to_value, setting.to_output,
                               setting.values_are_keys, setting.heads,  setting.kv_heads};
    setting.algorithm_of_all_heads = [=](const OfAllHeads& heads) {
        const std::size_t side = count_option(parts, "size");
        const GridWindowsOracle regions(heads.front().q.rows, count_option(parts, "columns"), side);
        const Matrix knowing = informed(
            tokens_of_regions(heads.front().y, regions, given.matrix("W_region"), given.row("b_region")), by);
        const bool has_biases = parts.spec.algorithm.options.flag("biases");
        std::vector<reference::HeadResult> results;
        for (const Head& head : heads)
            results.push_back(inside_regions(head, by.keys(knowing, head.number),
                                             by.values(knowing, head.number), regions, side,
                                             has_biases ? given.matrix("B_region").row(head.number) : Row()));
        return results;
    };
}

Settings settings_algorithms_region_tokens() {
    return {
        R"({"projections": {"type": "learned", "bias": true}, "heads": {"type": "multi_query", "heads": 4},
            "algorithm": {"type": "region_tokens", "columns": 2}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "algorithm": {"type": "region_tokens"}})",
        R"({"algorithm": {"type": "region_tokens", "biases": false, "columns": 4, "size": 3}})"};
}

}  // namespace headlight

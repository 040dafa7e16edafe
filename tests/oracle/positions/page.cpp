#include "core/attention/options.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/oracle/settings.h"
#include "tests/reference/positions.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace headlight {
namespace {

/// Places of tokens: as the list has them, or so many units from one cell of a grid to the next.
std::vector<long> page_places(std::size_t tokens, const std::vector<Index>& given, long cell,
                              const std::function<long(long)>& on_grid) {
    std::vector<long> places;
    for (std::size_t token = 0; token < tokens; ++token)
        places.push_back(given.empty() ? cell * on_grid(static_cast<long>(token)) : long(given[token]));
    return places;
}

}  // namespace

/// The sum of a number for each bucket of key minus query, in the text and of both edges of the boxes (Xu et
/// al. 2021, section 2.2, with the buckets of their code).
void oracle_positions_page(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.position.options;
    const std::size_t tokens = std::max(parts.queries, parts.keys);
    const long columns = options.count("columns"), cell = options.count("cell");
    const std::vector<long> x = page_places(tokens, options.list("lefts"), cell,
                                            [=](long token) { return token % columns; }),
                            y = page_places(tokens, options.list("bottoms"), cell,
                                            [=](long token) { return token / columns; });
    const auto count = [&](const char* name) { return static_cast<std::size_t>(options.count(name)); };
    const std::size_t buckets = count("buckets"), most = count("max_distance"),
                      page_buckets = count("page_buckets"), page_most = count("page_distance");
    setting.bias = [=, line_table = parts.parameters.matrix("line_table"),
                    x_table = parts.parameters.matrix("x_table"),
                    y_table = parts.parameters.matrix("y_table"),
                    is_scaled = options.flag("scaled")](const reference::Head& head) {
        reference::Matrix bias(head.q.rows, head.k.rows);
        for (std::size_t i = 0; i < bias.rows; ++i)
            for (std::size_t j = 0; j < bias.cols; ++j) {
                bias(i, j) =
                    line_table(reference::t5_bucket(long(j) - long(i), buckets, most, true), head.number) +
                    x_table(reference::t5_bucket(x[j] - x[i], page_buckets, page_most, true), head.number) +
                    y_table(reference::t5_bucket(y[j] - y[i], page_buckets, page_most, true), head.number);
                if (is_scaled)
                    bias(i, j) /= std::sqrt(Number(head.q.cols));
            }
        return bias;
    };
}

Settings settings_positions_page() {
    return {
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "position": {"type": "page", "lefts": [0, 90, 10, 500, 7, 80],
            "bottoms": [5, 5, 60, 61, 5, 60]}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "mask": {"type": "causal"}, "position": {"type": "page", "scaled": true}})",
        R"({"mask": {"type": "causal"}, "position": {"type": "page", "page_buckets": 8, "page_distance": 60,
            "scaled": true}})"};
}

}  // namespace headlight

#include "tests/reference/delta_correction.h"

#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

/// The softmax of one query over the keys that it may see: all, or the newest and the first.
Row row_of_query(const Head& head, std::size_t query, const DeltaCorrection* sparse) {
    std::vector<bool> seen = head.allowed[query];
    const auto count = static_cast<std::size_t>(std::ranges::count(seen, true));
    Row scores;
    for (std::size_t j = 0; j < head.k.rows; ++j) {
        scores.push_back(product(head.q.row(query), head.k.row(j)) /
                         std::sqrt(static_cast<Number>(head.k.cols)));
        if (sparse && j >= sparse->first && j + sparse->window < count)
            seen[j] = false;
    }
    return softmax(scores, seen, 1);
}

}  // namespace

HeadResult delta_correction(const Head& head, const DeltaCorrection& rows) {
    HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        const std::size_t last = i - i % rows.stride;
        const Row own = row_of_query(head, i, &rows), full = row_of_query(head, last, nullptr),
                  sparse = row_of_query(head, last, &rows);
        for (std::size_t j = 0; j < head.k.rows; ++j) {
            result.weights(i, j) = own[j] + full[j] - sparse[j];
            for (std::size_t c = 0; c < head.v.cols; ++c)
                result.context(i, c) += own[j] * head.v(j, c) + (full[j] - sparse[j]) * head.v(j, c);
        }
    }
    return result;
}

}  // namespace headlight::reference

#pragma once

#include "core/graph/graph.h"

#include <vector>

namespace headlight {

/// Steps that follow one another and are computed together, some rows of one head after others: each of them
/// needs of the others no more than the same rows. What no step behind them reads stays in the cache.
struct RowGroup {
    std::size_t first = 0, end = 0;  ///< steps [first, end)
    Index heads = 1, rows = 0;       ///< of every result; no rows: a step that is computed as a whole
    Index block = 0;                 ///< rows that are computed at once

    bool is_by_rows() const { return rows > 0; }
    Index blocks() const { return (rows + block - 1) / block; }
};

/// All steps of the graph, in their order.
std::vector<RowGroup> row_groups(const Graph& graph);

/// For each step whether only its own group reads it, and nobody after the run: it needs room for a block.
std::vector<bool> steps_within(const Graph& graph, const std::vector<RowGroup>& groups);

/// Its numbers are those of another step: what a search has found.
bool is_alias(const GraphStep& step);

/// The operand of a step whose rows are those of the result, or which is the same for all of them.
bool is_aligned(const GraphStep& step, std::size_t operand);

}  // namespace headlight

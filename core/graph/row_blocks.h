#pragma once

#include "core/graph/graph.h"

#include <vector>

namespace headlight {

/// Steps that are computed together, some rows of one head of all of them after others: each needs of the
/// others no more than the same rows. What no other group reads stays in the cache.
struct RowGroup {
    std::vector<std::size_t> steps;  ///< each behind those that it needs
    Index heads = 1, rows = 0;  ///< of every result, one head of which meets all; no rows: a step by itself
    Index block = 0;            ///< rows that are computed at once

    bool is_by_rows() const { return rows > 0; }
    Index blocks() const { return (rows + block - 1) / block; }
};

/// All steps of the graph, in an order in which they can be computed: small results that need no large ones
/// first, so that they do not come between those that are computed together.
std::vector<RowGroup> row_groups(const Graph& graph);

/// For each step whether only its own group reads it, and nobody after the run: it needs room for a block.
std::vector<bool> steps_within(const Graph& graph, const std::vector<RowGroup>& groups);

/// For each step whether it is a given tensor whose rows a block can be given alone: each step that reads it
/// goes by rows, and needs the same ones. So many numbers need not all be there.
std::vector<bool> steps_given_by_rows(const Graph& graph, const std::vector<RowGroup>& groups);

/// Its numbers are those of another step: what a search has found.
bool is_alias(const GraphStep& step);

/// The operand of a step whose rows are those of the result, or which is the same for all of them.
bool is_aligned(const GraphStep& step, std::size_t operand);

}  // namespace headlight

#include "core/graph/row_blocks.h"

#include <algorithm>

namespace headlight {
namespace {

/// Numbers of a block of the widest result: several such lie in a cache of the second level.
constexpr Index block_numbers = 1 << 16;
constexpr Index fewest_rows = 16, most_rows = 64;
/// Results that are smaller stay in the cache anyhow.
constexpr Index small_result = 1 << 15;

bool goes_by_rows(const GraphStep& step) {
    switch (step.description().family) {
    case OperationFamily::elements:
    case OperationFamily::row:
        return true;
    case OperationFamily::reduction:
        return step.description().along == AlongAxis::columns && !step.body;
    case OperationFamily::matrices:
        return step.node().operation == Operation::product ||
               step.node().operation == Operation::product_transposed;
    case OperationFamily::given:
        return step.node().operation == Operation::solution || is_alias(step);
    case OperationFamily::side:
    case OperationFamily::places:
        return false;
    }
    return false;
}

/// Numbers and given tensors are there before any step.
bool is_there(const GraphStep& step) { return step.node().operation == Operation::number || step.is_given(); }

bool joins(const Graph& graph, const RowGroup& group, const GraphStep& step) {
    if (!group.is_by_rows() || step.extent.matrices() != group.heads || step.extent.rows != group.rows)
        return false;
    for (std::size_t i = 0; i < step.operands.size(); ++i)
        if (step.operands[i] >= group.first && !is_there(graph.steps()[step.operands[i]]) &&
            !is_aligned(step, i))
            return false;
    return true;
}

}  // namespace

bool is_alias(const GraphStep& step) {
    return step.node().operation == Operation::tensor && !step.operands.empty();
}

bool is_aligned(const GraphStep& step, std::size_t operand) {
    return step.description().family != OperationFamily::matrices || operand == 0;
}

std::vector<RowGroup> row_groups(const Graph& graph) {
    std::vector<RowGroup> groups;
    for (std::size_t at = 0; at < graph.steps().size(); ++at) {
        const GraphStep& step = graph.steps()[at];
        const bool is_by_rows = goes_by_rows(step);
        if (!groups.empty() && (is_there(step) || (is_by_rows && joins(graph, groups.back(), step))))
            groups.back().end = at + 1;
        else if (is_by_rows)
            groups.push_back({at, at + 1, step.extent.matrices(), step.extent.rows});
        else
            groups.push_back({at, at + 1});
    }
    for (RowGroup& group : groups) {
        Index widest = 1, largest = 0;
        for (std::size_t at = group.first; at < group.end; ++at) {
            const GraphStep& step = graph.steps()[at];
            widest = std::max(widest, is_there(step) ? 1 : step.extent.columns);
            largest = std::max(largest, is_there(step) ? 0 : step.extent.size());
        }
        if (largest <= small_result)
            group.rows = 0;
        group.block = std::clamp(block_numbers / widest, fewest_rows, most_rows);
    }
    return groups;
}

std::vector<bool> steps_within(const Graph& graph, const std::vector<RowGroup>& groups) {
    const auto& steps = graph.steps();
    std::vector<std::size_t> group_of(steps.size());
    std::vector<bool> is_within(steps.size());
    for (std::size_t group = 0; group < groups.size(); ++group)
        for (std::size_t at = groups[group].first; at < groups[group].end; ++at) {
            group_of[at] = group;
            is_within[at] = groups[group].is_by_rows() && !steps[at].is_kept && !is_there(steps[at]);
        }
    for (std::size_t at = steps.size(); at-- > 0;)  // who reads a step is behind it
        for (const std::size_t operand : steps[at].operands)
            if (group_of[operand] != group_of[at] || (is_alias(steps[at]) && !is_within[at]))
                is_within[operand] = false;
    return is_within;
}

}  // namespace headlight

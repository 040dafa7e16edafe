#include "core/graph/row_blocks.h"

#include "core/tensor/interruption.h"

#include <algorithm>
#include <optional>
#include <utility>

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
        return step.description().goes_by_rows;
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

bool is_small(const GraphStep& step) { return step.extent.size() <= small_result; }

/// Small results that need no large ones, and then all others, each as they are in the graph.
std::vector<std::size_t> order_of(const Graph& graph) {
    const auto& steps = graph.steps();
    std::vector<bool> is_first(steps.size());
    std::vector<std::size_t> order, later;
    for (std::size_t at = 0; at < steps.size(); ++at) {
        is_first[at] = is_there(steps[at]) ||
                       (is_small(steps[at]) && std::ranges::all_of(steps[at].operands, [&](std::size_t each) {
                            return is_first[each];
                        }));
        (is_first[at] ? order : later).push_back(at);
    }
    order.insert(order.end(), later.begin(), later.end());
    return order;
}

/// Results of one head among those of several are computed for each of them, where that costs little.
bool may_be_repeated(const GraphStep& step) {
    return is_there(step) || step.description().family != OperationFamily::matrices;
}

/// Puts steps into groups, one after another.
struct Grouping {
    /// `alone`: steps whose whole result is read, of which there is one.
    Grouping(const Graph& graph, const std::vector<bool>& alone) : group_of(graph.steps().size()) {
        for (const std::size_t at : order_of(graph)) {
            Interruption::check();
            const GraphStep& step = graph.steps()[at];
            const bool is_by_rows = goes_by_rows(step);
            const bool is_of_last =
                !groups.empty() && (is_there(step) || (is_by_rows && joins_last(graph, at, alone)));
            if (!is_of_last)
                groups.push_back(is_by_rows ? RowGroup{{}, step.extent.matrices(), step.extent.rows}
                                            : RowGroup{});
            else if (!is_there(step))
                groups.back().heads = std::max(groups.back().heads, step.extent.matrices());
            groups.back().steps.push_back(at);
            group_of[at] = groups.size() - 1;
        }
    }

    bool joins_last(const Graph& graph, std::size_t at, const std::vector<bool>& alone) const {
        const auto& steps = graph.steps();
        const GraphStep& step = steps[at];
        const RowGroup& last = groups.back();
        const auto can_be_of_each = [&](std::size_t each) {
            return is_there(steps[each]) || (!alone[each] && may_be_repeated(steps[each]));
        };
        const Index heads = step.extent.matrices();
        const bool is_met = heads == last.heads || (heads == 1 && can_be_of_each(at)) ||
                            (last.heads == 1 && std::ranges::all_of(last.steps, can_be_of_each));
        if (!last.is_by_rows() || step.extent.rows != last.rows || !is_met)
            return false;
        for (std::size_t i = 0; i < step.operands.size(); ++i) {
            const std::size_t operand = step.operands[i];
            if (group_of[operand] == groups.size() - 1 && !is_there(steps[operand]) && !is_aligned(step, i))
                return false;
        }
        return true;
    }

    std::vector<RowGroup> groups;
    std::vector<std::size_t> group_of;
};

/// Steps whose numbers are wanted as a whole by whoever asks for a name.
std::vector<bool> steps_kept(const Graph& graph) {
    const auto& steps = graph.steps();
    std::vector<bool> is_kept(steps.size());
    for (std::size_t at = steps.size(); at-- > 0;) {
        is_kept[at] = is_kept[at] || (steps[at].is_kept && !is_there(steps[at]));
        if (is_alias(steps[at]) && is_kept[at])
            is_kept[steps[at].operands.front()] = true;
    }
    return is_kept;
}

}  // namespace

bool is_alias(const GraphStep& step) {
    return step.node().operation == Operation::tensor && !step.operands.empty();
}

bool is_aligned(const GraphStep& step, std::size_t operand) {
    return step.description().family != OperationFamily::matrices || operand == 0;
}

std::vector<RowGroup> row_groups(const Graph& graph) {
    const auto& steps = graph.steps();
    std::vector<bool> alone = steps_kept(graph);
    std::optional<Grouping> grouping(std::in_place, graph, alone);
    // What another group reads has to be there as a whole: it is not one of several heads.
    for (bool is_settled = false; !is_settled;) {
        is_settled = true;
        for (std::size_t at = 0; at < steps.size(); ++at)
            for (const std::size_t operand : steps[at].operands) {
                const std::size_t its_group = grouping->group_of[operand];
                if (alone[operand] || is_there(steps[operand]) || its_group == grouping->group_of[at])
                    continue;
                alone[operand] = true;
                const RowGroup& group = grouping->groups[its_group];
                is_settled &= !group.is_by_rows() || steps[operand].extent.matrices() == group.heads;
            }
        if (!is_settled)
            grouping.emplace(graph, alone);
    }
    for (RowGroup& group : grouping->groups) {
        Index widest = 1, largest = 0;
        for (const std::size_t at : group.steps) {
            widest = std::max(widest, is_there(steps[at]) ? 1 : steps[at].extent.columns);
            largest = std::max(largest, is_there(steps[at]) ? 0 : steps[at].extent.size());
        }
        if (largest <= small_result)
            group.rows = 0;
        group.block = std::clamp(block_numbers / widest, fewest_rows, most_rows);
    }
    return std::move(grouping->groups);
}

std::vector<bool> steps_within(const Graph& graph, const std::vector<RowGroup>& groups) {
    const auto& steps = graph.steps();
    const std::vector<bool> is_kept = steps_kept(graph);
    std::vector<std::size_t> group_of(steps.size());
    std::vector<bool> is_within(steps.size());
    for (std::size_t group = 0; group < groups.size(); ++group)
        for (const std::size_t at : groups[group].steps) {
            group_of[at] = group;
            is_within[at] = groups[group].is_by_rows() && !is_kept[at] && !is_there(steps[at]);
        }
    for (std::size_t at = steps.size(); at-- > 0;)  // who reads a step is behind it
        for (const std::size_t operand : steps[at].operands)
            if (group_of[operand] != group_of[at] || (is_alias(steps[at]) && !is_within[at]))
                is_within[operand] = false;
    return is_within;
}

std::vector<bool> steps_given_by_rows(const Graph& graph, const std::vector<RowGroup>& groups) {
    const auto& steps = graph.steps();
    std::vector<bool> is_given(steps.size());
    for (std::size_t at = 0; at < steps.size(); ++at)
        is_given[at] = steps[at].is_given() && steps[at].extent.size() > small_result;
    for (const RowGroup& group : groups)
        for (const std::size_t at : group.steps)
            for (std::size_t i = 0; i < steps[at].operands.size(); ++i) {
                const std::size_t operand = steps[at].operands[i];
                const Extent& extent = steps[operand].extent;
                if (!group.is_by_rows() || is_alias(steps[at]) || !is_aligned(steps[at], i) ||
                    extent.rows != group.rows || (extent.heads > 1 && extent.heads != group.heads))
                    is_given[operand] = false;
            }
    return is_given;
}

}  // namespace headlight

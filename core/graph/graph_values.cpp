#include "core/graph/graph_values.h"

#include "core/graph/graph_kernels.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"
#include "core/tensor/parallel.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace headlight {

namespace {

/// Room for the result of each step that has one; steps that are not kept leave theirs to later ones.
struct Rooms {
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    Rooms(const Graph& graph, const std::vector<RowGroup>& groups, const std::vector<bool>& is_within);

    std::vector<std::size_t> of_step;
    std::vector<Index> sizes;
};

Rooms::Rooms(const Graph& graph, const std::vector<RowGroup>& groups, const std::vector<bool>& is_within)
    : of_step(graph.steps().size(), none) {
    const auto& steps = graph.steps();
    std::vector<std::size_t> last_use(steps.size());
    for (std::size_t step = 0; step < steps.size(); ++step)
        for (const std::size_t operand : steps[step].operands)
            last_use[operand] = step;
    std::map<Index, std::vector<std::size_t>> free;  // by size
    for (const RowGroup& group : groups) {
        for (std::size_t step = group.first; step < group.end; ++step) {
            if (steps[step].node().operation == Operation::tensor || is_within[step])
                continue;
            const Index size = steps[step].extent.size();
            if (std::vector<std::size_t>& fitting = free[size]; !fitting.empty() && !steps[step].is_kept) {
                of_step[step] = fitting.back();
                fitting.pop_back();
            } else {
                of_step[step] = sizes.size();
                sizes.push_back(size);
            }
        }
        // Only now: a result never lies where an operand is, nor one of another block.
        std::set<std::size_t> done;
        for (std::size_t step = group.first; step < group.end; ++step)
            for (const std::size_t operand : steps[step].operands)
                if (last_use[operand] < group.end && !steps[operand].is_kept && of_step[operand] != none)
                    done.insert(operand);
        for (const std::size_t operand : done)
            free[steps[operand].extent.size()].push_back(of_step[operand]);
    }
}

/// Numbers of a block of each step within a group.
Index block_room(const Graph& graph, const RowGroup& group, const std::vector<bool>& is_within) {
    Index numbers = 0;
    for (std::size_t step = group.first; step < group.end; ++step)
        if (is_within[step] && graph.steps()[step].node().operation != Operation::tensor)
            numbers += group.block * graph.steps()[step].extent.columns;
    return numbers;
}

/// Some rows of one head of an operand, as an operand of its own; all of them where `is_whole`.
OperandNumbers part_of(const double* numbers, const Extent& extent, Index head, Index first, Index rows,
                       bool is_whole) {
    const Index of_head = extent.heads <= 1 ? 0 : head;
    if (is_whole || extent.rows == 1)
        return {numbers + of_head * extent.rows * extent.columns, {0, extent.rows, extent.columns}};
    return {numbers + (of_head * extent.rows + first) * extent.columns, {0, rows, extent.columns}};
}

}  // namespace

double bytes_of_numbers(const Graph& graph, int threads) {
    const std::vector<RowGroup> groups = row_groups(graph);
    const std::vector<bool> is_within = steps_within(graph, groups);
    double numbers = 0;
    Index packed = 0;  // a factor as the kernels read it
    double pairs = 0;  // the summands of one query
    Index blocks = 0;
    Index inverted = 0;  // what a matrix becomes while its inverse is made in its place
    for (const Index size : Rooms(graph, groups, is_within).sizes)
        numbers += static_cast<double>(size);
    for (const GraphStep& step : graph.steps()) {
        if (step.body)
            pairs = std::max(pairs, bytes_of_numbers(step.body->graph));
        if (step.node().operation == Operation::inverse)
            inverted = std::max(inverted, step.extent.rows * step.extent.columns);
        if (step.description().family == OperationFamily::matrices) {
            const Extent right = graph.steps()[step.operands.back()].extent;
            packed = std::max({packed, kernels::packed_size<double>(right.rows, right.columns),
                               kernels::packed_size<double>(right.columns, right.rows)});
        }
    }
    for (const RowGroup& group : groups)
        blocks = std::max(blocks, block_room(graph, group, is_within));
    return (numbers + static_cast<double>(inverted) + static_cast<double>(packed + blocks) * threads) *
               sizeof(double) +
           pairs;
}

GraphValues::GraphValues(const Graph& graph, double infinity)
    : graph_(graph), groups_(row_groups(graph)), is_within_(steps_within(graph, groups_)),
      numbers_(graph.steps().size()), results_(graph.steps().size()) {
    const Rooms rooms(graph, groups_, is_within_);
    for (const Index size : rooms.sizes)
        buffers_.emplace_back(static_cast<std::size_t>(size));
    for (std::size_t step = 0; step < results_.size(); ++step) {
        if (rooms.of_step[step] != Rooms::none)
            results_[step] = buffers_[rooms.of_step[step]].data();
        numbers_[step] = results_[step];
        const ExpressionNode& node = graph.steps()[step].node();
        if (node.operation == Operation::number)
            *results_[step] = std::isinf(node.number) ? std::copysign(infinity, node.number) : node.number;
    }
}

void GraphValues::set(std::size_t step, std::span<const double> numbers) {
    const Extent& extent = graph_.steps()[step].extent;
    if (std::ssize(numbers) != extent.size())
        throw Error({"evaluate a program", graph_.steps()[step].node().tensor,
                     std::to_string(extent.size()) + " numbers", std::to_string(numbers.size())});
    numbers_[step] = numbers.data();
}

void GraphValues::run(int threads) {
    for (std::size_t step = 0; step < results_.size(); ++step)
        if (graph_.steps()[step].is_given() && !numbers_[step])
            throw Error({"evaluate a program", graph_.steps()[step].node().tensor,
                         "numbers of a given tensor", "none"});
    for (const RowGroup& group : groups_)
        if (group.is_by_rows())
            run_by_rows(group, threads);
        else
            for (std::size_t step = group.first; step < group.end; ++step)
                run_whole(step);
}

void GraphValues::run_whole(std::size_t step) {
    Interruption::check();
    const GraphStep& at = graph_.steps()[step];
    if (is_alias(at))
        numbers_[step] = numbers_[at.operands.front()];
    if (const auto run = at.description().run)
        with_call(step, [&](const OperationCall& call) { run(call, results_[step]); });
}

void GraphValues::run_by_rows(const RowGroup& group, int threads) {
    const Index room = block_room(graph_, group, is_within_);
    std::vector<double> rooms(static_cast<std::size_t>(room * threads));
    std::vector<std::vector<const double*>> numbers(static_cast<std::size_t>(threads), numbers_);
    parallel_for(group.heads * group.blocks(), threads, [&](Index task, int thread) {
        run_block(group, task / group.blocks(), task % group.blocks() * group.block,
                  numbers[static_cast<std::size_t>(thread)], rooms.data() + thread * room);
    });
    for (std::size_t step = group.first; step < group.end; ++step)
        if (is_alias(graph_.steps()[step]))
            numbers_[step] = numbers_[graph_.steps()[step].operands.front()];
}

void GraphValues::run_block(const RowGroup& group, Index head, Index first_row,
                            std::vector<const double*>& numbers, double* room) {
    const Index rows = std::min(group.block, group.rows - first_row);
    std::vector<OperandNumbers> operands;
    for (std::size_t step = group.first; step < group.end; ++step) {
        const GraphStep& at = graph_.steps()[step];
        if (is_alias(at)) {
            numbers[step] = numbers[at.operands.front()];
            continue;
        }
        const auto run = at.description().run;
        if (!run)
            continue;
        operands.clear();
        for (std::size_t i = 0; i < at.operands.size(); ++i) {
            const std::size_t operand = at.operands[i];
            const Extent& extent = graph_.steps()[operand].extent;
            operands.push_back(
                is_within_[operand]
                    ? OperandNumbers{numbers[operand], {0, rows, extent.columns}}
                    : part_of(numbers[operand], extent, head, first_row, rows, !is_aligned(at, i)));
        }
        const Extent part{0, rows, at.extent.columns};
        double* result =
            results_[step] ? results_[step] + (head * group.rows + first_row) * at.extent.columns : room;
        if (is_within_[step]) {
            numbers[step] = room;
            room += group.block * at.extent.columns;
        }
        run({at.node(), part, operands, nullptr}, result);
    }
}

std::span<const double> GraphValues::of(std::size_t step) const {
    return {numbers_[step], static_cast<std::size_t>(graph_.steps()[step].extent.size())};
}

std::vector<double> numbers_of(const Expression& x,
                               const std::function<std::span<const double>(const std::string& tensor)>& given,
                               double infinity) {
    Graph graph;
    std::set<const ExpressionNode*> seen;
    std::set<std::string> names;
    const auto give_names = [&](const auto& self, const Expression& part) -> void {
        if (!seen.insert(&*part).second)
            return;
        if (part->operation == Operation::tensor && names.insert(part->tensor).second)
            graph.give(part->tensor, part->extent, false);
        for (const Expression& operand : part->operands)
            self(self, operand);
    };
    give_names(give_names, x);
    const std::size_t result = graph.add(x);
    GraphValues values(graph, infinity);
    for (const std::string& name : names)
        values.set(name, given(name));
    values.run();
    const std::span<const double> numbers = values.of(result);
    return {numbers.begin(), numbers.end()};
}

}  // namespace headlight

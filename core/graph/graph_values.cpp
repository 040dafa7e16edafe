#include "core/graph/graph_values.h"

#include "core/graph/graph_kernels.h"
#include "core/graph/known_moves.h"
#include "core/graph/pair_runs.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"
#include "core/tensor/parallel.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

namespace headlight {

namespace {

/// Room for the result of each step that has one; steps that are not kept leave theirs to later ones.
struct Rooms {
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    Rooms(const Graph& graph, const std::vector<RowGroup>& groups, const std::vector<bool>& is_within,
          const std::vector<bool>& lasts, AfterRun after);

    std::vector<std::size_t> of_step;
    std::vector<Index> sizes;
};

Rooms::Rooms(const Graph& graph, const std::vector<RowGroup>& groups, const std::vector<bool>& is_within,
             const std::vector<bool>& lasts, AfterRun after)
    : of_step(graph.steps().size(), none) {
    const auto& steps = graph.steps();
    std::vector<std::size_t> last_use(steps.size());  // the group that reads it last
    for (std::size_t group = 0; group < groups.size(); ++group)
        for (const std::size_t step : groups[group].steps)
            for (const std::size_t operand : steps[step].operands)
                last_use[operand] = group;
    const auto stays = [&](std::size_t step) { return steps[step].is_kept || lasts[step]; };
    std::map<Index, std::vector<std::size_t>> free;  // by size
    for (std::size_t group = 0; group < groups.size(); ++group) {
        Interruption::check();
        for (const std::size_t step : groups[group].steps) {
            if (steps[step].node().operation == Operation::tensor || is_within[step])
                continue;
            const Index size = steps[step].extent.size();
            if (std::vector<std::size_t>& fitting = free[size]; !fitting.empty() && !stays(step)) {
                of_step[step] = fitting.back();
                fitting.pop_back();
            } else {
                of_step[step] = sizes.size();
                sizes.push_back(size);
            }
        }
        if (after == AfterRun::any_rows)  // of which each may follow from any number
            continue;
        // Only now: a result never lies where an operand is, nor one of another block.
        std::set<std::size_t> done;
        for (const std::size_t step : groups[group].steps)
            for (const std::size_t operand : steps[step].operands)
                if (last_use[operand] == group && !stays(operand) && of_step[operand] != none)
                    done.insert(operand);
        for (const std::size_t operand : done)
            free[steps[operand].extent.size()].push_back(of_step[operand]);
    }
}

/// Those that follow from the given steps alone; what goes by rows is computed by each run.
std::vector<bool> steps_that_last(const Graph& graph, const std::vector<RowGroup>& groups,
                                  std::span<const std::size_t> given) {
    if (given.empty())
        return std::vector<bool>(graph.steps().size());
    std::vector<bool> lasts = graph.steps_from(given);
    for (const RowGroup& group : groups)
        for (const std::size_t step : group.steps)
            if (group.is_by_rows() && !graph.steps()[step].is_given())
                lasts[step] = false;
    for (std::size_t at = 0; at < lasts.size(); ++at)
        lasts[at] = lasts[at] && std::ranges::all_of(graph.steps()[at].operands,
                                                     [&](std::size_t operand) { return lasts[operand]; });
    return lasts;
}

/// The given tensors of which a group reads the rows of a block.
std::set<std::size_t> given_to(const Graph& graph, const RowGroup& group, const std::vector<bool>& is_given) {
    std::set<std::size_t> given;
    for (const std::size_t step : group.steps)
        for (const std::size_t operand : graph.steps()[step].operands)
            if (is_given[operand])
                given.insert(operand);
    return given;
}

/// Numbers of a block of each step within a group, and of each that is given by rows.
Index block_room(const Graph& graph, const RowGroup& group, const std::vector<bool>& is_within,
                 const std::vector<bool>& is_given) {
    Index numbers = 0;
    for (const std::size_t step : group.steps)
        if (is_within[step] && graph.steps()[step].node().operation != Operation::tensor)
            numbers += group.block * graph.steps()[step].extent.columns;
    for (const std::size_t step : given_to(graph, group, is_given))
        numbers += group.block * graph.steps()[step].extent.columns;
    return numbers;
}

std::size_t count_of_operands(const Graph& graph) {
    std::size_t count = 0;
    for (const GraphStep& step : graph.steps())
        count += step.operands.size();
    return count;
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

std::vector<std::size_t> steps_at_once(const Graph& graph, Index numbers) {
    const std::vector<RowGroup> groups = row_groups(graph);
    const std::vector<bool> is_within = steps_within(graph, groups);
    const std::vector<bool> is_by_rows = steps_given_by_rows(graph, groups);
    std::vector<std::size_t> found;
    for (const RowGroup& group : groups)
        for (const std::size_t step : group.steps) {
            if (is_alias(graph.steps()[step]))
                continue;
            const Extent& extent = graph.steps()[step].extent;
            const bool is_of_block = is_within[step] || is_by_rows[step];
            const Index at_once = is_of_block ? group.block * extent.columns : extent.size();
            if (at_once >= numbers)
                found.push_back(step);
        }
    std::ranges::sort(found);
    return found;
}

double bytes_of_steps(const Graph& graph) {
    // What a step has beside itself and its node: its name, operands and places in lists of their own.
    constexpr double beside_a_step = 336;
    double numbers = 0;
    std::unordered_set<const ExpressionNode*> nodes;  // lines that are repeated have theirs once
    for (const GraphStep& step : graph.steps()) {
        nodes.insert(&step.node());
        numbers += 3 * static_cast<double>(step.operands.size());  // the step's number, the node's expression
        for (const Places* places : {&step.node().row_places, &step.node().column_places})
            numbers += static_cast<double>(places->numbers.size());
        if (step.body)
            numbers += bytes_of_kept_run(*step.body) / sizeof(double);
        if (step.node().moves)
            numbers += step.node().moves->bytes() / sizeof(double);
    }
    return numbers * sizeof(double) + static_cast<double>(nodes.size()) * sizeof(ExpressionNode) +
           static_cast<double>(graph.steps().size()) * (sizeof(GraphStep) + beside_a_step);
}

namespace {

double bytes_of_all(const Graph& graph, int threads, AfterRun after, std::span<const std::size_t> lasting) {
    const std::vector<RowGroup> groups = row_groups(graph);
    const std::vector<bool> is_within = steps_within(graph, groups);
    const std::vector<bool> is_by_rows = after == AfterRun::any_rows
                                             ? steps_given_by_rows(graph, groups)
                                             : std::vector<bool>(graph.steps().size());
    double numbers = 0;
    Index packed = 0;  // a factor as the kernels read it
    double pairs = 0;  // the summands of one query
    Index blocks = 0;
    Index inverted = 0;  // a quarter of a triangle, while its inverse is made in its place
    const std::vector<bool> lasts = steps_that_last(graph, groups, lasting);
    for (const Index size : Rooms(graph, groups, is_within, lasts, after).sizes)
        numbers += static_cast<double>(size);
    for (const GraphStep& step : graph.steps()) {
        if (step.body)
            pairs = std::max(pairs, bytes_of_numbers(step.body->graph));
        if (step.node().operation == Operation::inverse)
            inverted = std::max(inverted, step.extent.rows * step.extent.columns / 4);
        if (step.description().family == OperationFamily::matrices) {
            const Extent right = graph.steps()[step.operands.back()].extent;
            packed = std::max({packed, kernels::packed_size<double>(right.rows, right.columns),
                               kernels::packed_size<double>(right.columns, right.rows)});
        }
    }
    for (const RowGroup& group : groups)
        blocks = std::max(blocks, block_room(graph, group, is_within, is_by_rows));
    const double calls = static_cast<double>(graph.steps().size()) * (sizeof(OperationCall) + sizeof(void*)) +
                         static_cast<double>(count_of_operands(graph)) * sizeof(OperandNumbers);
    return calls +
           (numbers + static_cast<double>(inverted) + static_cast<double>(packed + blocks) * threads) *
               sizeof(double) +
           pairs;
}

}  // namespace

double bytes_of_numbers(const Graph& graph, int threads, AfterRun after) {
    return bytes_of_all(graph, threads, after, {});
}

double bytes_of_numbers(const Graph& graph, std::span<const std::size_t> lasting) {
    return bytes_of_all(graph, 1, AfterRun::kept_steps, lasting);
}

GraphValues::GraphValues(const Graph& graph, double infinity, AfterRun after)
    : GraphValues(graph, infinity, after, {}) {}

GraphValues::GraphValues(const Graph& graph, double infinity, AfterRun after,
                         std::span<const std::size_t> lasting)
    : graph_(graph), groups_(row_groups(graph)), is_within_(steps_within(graph, groups_)),
      is_given_by_rows_(graph.steps().size()), numbers_(graph.steps().size()),
      results_(graph.steps().size()) {
    if (after == AfterRun::any_rows)
        is_given_by_rows_ = steps_given_by_rows(graph, groups_);
    const Rooms rooms(graph, groups_, is_within_, steps_that_last(graph, groups_, lasting), after);
    for (const Index size : rooms.sizes) {
        Interruption::check();
        buffers_.emplace_back(static_cast<std::size_t>(size));
    }
    for (std::size_t step = 0; step < results_.size(); ++step) {
        if (rooms.of_step[step] != Rooms::none)
            results_[step] = buffers_[rooms.of_step[step]].data();
        numbers_[step] = results_[step];
        const ExpressionNode& node = graph.steps()[step].node();
        if (node.operation == Operation::number)
            *results_[step] = std::isinf(node.number) ? std::copysign(infinity, node.number) : node.number;
    }
    make_calls();
}

void GraphValues::make_calls() {
    const auto& steps = graph_.steps();
    operands_.resize(count_of_operands(graph_));
    calls_.reserve(steps.size());
    // Those of a given tensor are not known before it is set.
    const auto read = [&](std::size_t step, const double*& numbers) {
        const std::size_t source = source_of(step);
        numbers = numbers_[source];
        if (steps[source].is_given())
            readers_.push_back({source, &numbers});
    };
    std::span<OperandNumbers> rest = operands_;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        const GraphStep& at = steps[step];
        const std::span<OperandNumbers> operands = rest.first(at.operands.size());
        rest = rest.subspan(operands.size());
        for (std::size_t i = 0; i < operands.size(); ++i) {
            operands[i].extent = steps[at.operands[i]].extent;
            read(at.operands[i], operands[i].numbers);
        }
        calls_.push_back({{at.node(), at.extent, operands, at.body.get()}, at.description().run});
        if (const auto where = read_where(at)) {
            OperandNumbers& numbers = calls_.back().call.read_where;
            numbers.extent = steps[*where].extent;
            read(*where, numbers.numbers);
        }
        if (is_alias(at))
            read(step, numbers_[step]);
    }
    std::ranges::stable_sort(readers_, {}, &Reader::given);
}

void GraphValues::set(std::size_t step, std::span<const double> numbers) {
    const Extent& extent = graph_.steps()[step].extent;
    if (std::ssize(numbers) != extent.size())
        throw Error({"evaluate a program", graph_.steps()[step].node().tensor,
                     std::to_string(extent.size()) + " numbers", std::to_string(numbers.size())});
    if (numbers_[step] == numbers.data())
        return;
    numbers_[step] = numbers.data();
    for (auto reader = std::ranges::lower_bound(readers_, step, {}, &Reader::given);
         reader != readers_.end() && reader->given == step; ++reader)
        *reader->numbers = numbers.data();
}

void GraphValues::set_places(const std::string& name, const FromPlaces<double>& numbers) {
    const std::size_t step = graph_.step_of(name);
    is_given_by_rows_[step] = is_given_by_rows_[step] && !numbers.are_there();
    if (is_given_by_rows_[step])
        places_[step] = numbers;
    else
        set(step, numbers.all());
}

void GraphValues::require_given() const {
    for (std::size_t step = 0; step < results_.size(); ++step)
        if (graph_.steps()[step].is_given() && !numbers_[step] && !places_.contains(step))
            throw Error({"evaluate a program", graph_.steps()[step].node().tensor,
                         "numbers of a given tensor", "none"});
}

void GraphValues::run(int threads, const std::function<void(double share)>& progress) {
    const GraphKernels chosen;
    require_given();
    Index blocks = 0;
    for (const RowGroup& group : groups_)
        blocks += group.is_by_rows() ? group.heads * group.blocks() : 0;
    std::atomic<Index> done = 0;
    const auto tell = [&] {
        if (progress)
            progress(static_cast<double>(++done) / static_cast<double>(blocks));
    };
    for (const RowGroup& group : groups_)
        if (group.is_by_rows())
            run_by_rows(group, threads, tell);
        else
            for (const std::size_t step : group.steps)
                run_whole(step);
}

void GraphValues::run_first_rows(Index rows) {
    const GraphKernels chosen;
    require_given();
    for (const RowGroup& group : groups_)
        if (group.is_by_rows())
            run_by_rows(group, 1, [] {});
        else
            for (const std::size_t step : group.steps)
                run_whole(step, rows);
}

GraphValues::Block GraphValues::block_for(const RowGroup& group) const {
    const Index room = block_room(graph_, group, is_within_, is_given_by_rows_);
    return {.numbers = numbers_,
            .room = std::vector<double>(static_cast<std::size_t>(room)),
            .given = given_to(graph_, group, is_given_by_rows_)};
}

void GraphValues::run_by_rows(const RowGroup& group, int threads, const std::function<void()>& done) {
    std::vector<Block> blocks;
    for (int thread = 0; thread < threads; ++thread)
        blocks.push_back(block_for(group));
    parallel_for(group.heads * group.blocks(), threads, [&](Index task, int thread) {
        Block& block = blocks[static_cast<std::size_t>(thread)];
        block.head = task / group.blocks();
        block.first_row = task % group.blocks() * group.block;
        run_block(group, std::nullopt, block);
        done();
    });
}

void GraphValues::run_block(const RowGroup& group, std::optional<std::size_t> wanted, Block& block) const {
    const Index rows = std::min(group.block, group.rows - block.first_row);
    double* room = block.room.data();
    const auto take = [&](std::size_t step) {
        block.numbers[step] = room;
        return std::exchange(room, room + group.block * graph_.steps()[step].extent.columns);
    };
    for (const std::size_t step : block.given) {
        const Extent& extent = graph_.steps()[step].extent;
        const Index start = index_of(extent, {block.head, block.first_row, 0});
        const FromPlaces<double>& places = places_.at(step);
        double* to = take(step);
        for (Index i = 0; i < rows * extent.columns; ++i)
            to[i] = places[start + i];
    }
    std::vector<OperandNumbers> operands;
    for (const std::size_t step : group.steps) {
        const GraphStep& at = graph_.steps()[step];
        if (is_alias(at)) {
            block.numbers[step] = block.numbers[at.operands.front()];
            continue;
        }
        const auto run = at.description().run;
        if (!run || (wanted && !is_within_[step]))
            continue;
        Interruption::check();  // a block goes through all steps of its group
        operands.clear();
        for (std::size_t i = 0; i < at.operands.size(); ++i) {
            const std::size_t operand = at.operands[i];
            const Extent& extent = graph_.steps()[operand].extent;
            operands.push_back(is_within_[operand] || is_given_by_rows_[operand]
                                   ? OperandNumbers{block.numbers[operand], {0, rows, extent.columns}}
                                   : part_of(block.numbers[operand], extent, block.head, block.first_row,
                                             rows, !is_aligned(at, i)));
        }
        double* result = is_within_[step] ? take(step)
                                          : results_[step] + (block.head * group.rows + block.first_row) *
                                                                 at.extent.columns;
        run({at.node(), {0, rows, at.extent.columns}, operands}, result);
        if (step == wanted)
            return;
    }
}

const RowGroup& GraphValues::group_of(std::size_t step) const {
    return *std::ranges::find_if(groups_, [&](const RowGroup& each) {
        return std::ranges::find(each.steps, step) != each.steps.end();
    });
}

std::size_t GraphValues::source_of(std::size_t step) const {
    while (is_alias(graph_.steps()[step]))
        step = graph_.steps()[step].operands.front();
    return step;
}

bool GraphValues::has_rows(std::size_t step) const {
    const std::size_t source = source_of(step);
    return numbers_[source] || is_within_[source];
}

void GraphValues::read_rows(std::size_t step, Index head, Index first, Index count,
                            std::span<double> to) const {
    const std::size_t source = source_of(step);
    const Extent& extent = graph_.steps()[source].extent;
    if (!is_within_[source]) {
        std::copy_n(numbers_[source] + index_of(extent, {head, first, 0}), count * extent.columns,
                    to.begin());
        return;
    }
    const RowGroup& group = group_of(source);
    Block block = block_for(group);
    block.head = head;
    // Blocks as the run had them: rows of a product may have other bits beside others.
    for (block.first_row = first / group.block * group.block; block.first_row < first + count;
         block.first_row += group.block) {
        Interruption::check();
        run_block(group, source, block);
        const Index from = std::max(first, block.first_row),
                    end = std::min(first + count, block.first_row + group.block);
        std::copy_n(block.numbers[source] + (from - block.first_row) * extent.columns,
                    (end - from) * extent.columns, to.begin() + (from - first) * extent.columns);
    }
}

RepeatedValues::RepeatedValues(const Graph& graph, std::span<const std::size_t> lasting)
    : GraphValues(graph, std::numeric_limits<double>::infinity(), AfterRun::kept_steps, lasting),
      graph_(graph), lasts_(steps_that_last(graph, groups(), lasting)), is_new_(graph.steps().size(), true) {}

void RepeatedValues::set(std::size_t step, std::span<const double> numbers) {
    GraphValues::set(step, numbers);
    is_new_[step] = is_any_new_ = true;
}

void RepeatedValues::run() {
    const GraphKernels chosen;
    run_lasting();
    for (const RowGroup& group : groups())
        if (group.is_by_rows())
            run_by_rows(group, 1, [] {});
        else
            for (const std::size_t step : group.steps)
                if (!lasts_[step])
                    run_whole(step);
}

void RepeatedValues::run_lasting() {
    if (!is_given_)
        require_given();
    is_given_ = true;
    if (!is_any_new_)
        return;
    for (const RowGroup& group : groups())
        for (const std::size_t step : group.steps)
            if (lasts_[step] && has_changed(step)) {
                run_whole(step);
                is_new_[step] = true;
            }
    std::fill(is_new_.begin(), is_new_.end(), false);
    is_any_new_ = false;
}

bool RepeatedValues::has_changed(std::size_t step) const {
    const GraphStep& at = graph_.steps()[step];
    const auto where = read_where(at);
    return (where && is_new_[*where]) ||
           std::ranges::any_of(at.operands, [&](std::size_t each) { return is_new_[each]; });
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

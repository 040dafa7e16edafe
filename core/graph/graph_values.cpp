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

/// Some rows of one head of an operand, as an operand of its own; all of them where `is_whole`.
OperandNumbers part_of(const double* numbers, const Extent& extent, Index head, Index first, Index rows,
                       bool is_whole) {
    const Index of_head = extent.heads <= 1 ? 0 : head;
    if (is_whole || extent.rows == 1)
        return {numbers + of_head * extent.rows * extent.columns, {0, extent.rows, extent.columns}};
    return {numbers + (of_head * extent.rows + first) * extent.columns, {0, rows, extent.columns}};
}

constexpr auto every_step = [](std::size_t /*step*/) { return true; };

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

double bytes_of_run(const GraphSchedule& schedule, int threads) {
    const Graph& graph = schedule.graph;
    double numbers = 0;
    Index packed = 0;  // a factor as the kernels read it
    double pairs = 0;  // the summands of one query
    Index blocks = 0;
    Index inverted = 0;  // a quarter of a triangle, while its inverse is made in its place
    for (const Index size : schedule.rooms)
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
    for (const RowGroup& group : schedule.groups)
        blocks = std::max(blocks, block_room(graph, group, schedule.is_within, schedule.is_given_by_rows));
    // Where the numbers of each step and operand stand, and the results.
    const auto places = static_cast<double>(2 * graph.steps().size() + schedule.operands.size());
    return places * sizeof(double*) +
           (numbers + static_cast<double>(inverted) + static_cast<double>(packed + blocks) * threads) *
               sizeof(double) +
           pairs;
}

}  // namespace

double bytes_of_numbers(const Graph& graph, int threads, AfterRun after) {
    const GraphSchedule schedule(graph, after);
    return bytes_of_schedule(schedule) + bytes_of_run(schedule, threads);
}

double bytes_of_numbers(const GraphSchedule& schedule) { return bytes_of_run(schedule, 1); }

GraphValues::GraphValues(const Graph& graph, double infinity, AfterRun after)
    : GraphValues(std::make_shared<const GraphSchedule>(graph, after), infinity) {}

GraphValues::GraphValues(std::shared_ptr<const GraphSchedule> schedule, double infinity)
    : schedule_(std::move(schedule)), graph_(schedule_->graph),
      is_given_by_rows_(schedule_->is_given_by_rows),
      numbers_(graph_.steps().size() + schedule_->operands.size()), results_(graph_.steps().size()) {
    for (const Index size : schedule_->rooms) {
        Interruption::check();
        buffers_.emplace_back(size);
    }
    for (std::size_t step = 0; step < results_.size(); ++step) {
        if (const std::uint32_t room = schedule_->calls[step].room; room != GraphSchedule::no_room)
            results_[step] = buffers_[room].data();
        const ExpressionNode& node = graph_.steps()[step].node();
        if (node.operation == Operation::number)
            *results_[step] = std::isinf(node.number) ? std::copysign(infinity, node.number) : node.number;
        // Those of a given tensor are not known before it is set.
        numbers_[step] = results_[schedule_->source_of(step)];
    }
    std::size_t place = results_.size();
    for (const GraphStep& step : graph_.steps()) {
        for (const std::size_t operand : step.operands)
            numbers_[place++] = numbers_[operand];
        if (const auto where = read_where(step))
            numbers_[place++] = numbers_[*where];
    }
}

void GraphValues::set(std::size_t step, std::span<const double> numbers) {
    const Extent& extent = graph_.steps()[step].extent;
    if (std::ssize(numbers) != extent.size())
        throw Error({"evaluate a program", graph_.steps()[step].node().tensor,
                     std::to_string(extent.size()) + " numbers", std::to_string(numbers.size())});
    if (numbers_[step] == numbers.data())
        return;
    numbers_[step] = numbers.data();
    const auto& readers = schedule_->readers;
    for (auto reader = std::ranges::lower_bound(readers, step, {}, &GraphSchedule::Reader::given);
         reader != readers.end() && reader->given == step; ++reader)
        numbers_[reader->place] = numbers.data();
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

template <class IsDue>
void GraphValues::run_groups(Index first_rows, const IsDue& is_due, int threads,
                             const std::function<void()>& done) {
    const GraphKernels chosen;
    first_rows_ = first_rows;
    for (const RowGroup& group : groups())
        if (group.is_by_rows())
            run_by_rows(group, threads, done);
        else
            for (const std::size_t step : group.steps)
                if (is_due(step))
                    run_whole(step);
}

void GraphValues::run(int threads, const std::function<void(double share)>& progress) {
    require_given();
    Index blocks = 0;
    for (const RowGroup& group : groups())
        blocks += group.is_by_rows() ? group.heads * group.blocks() : 0;
    std::atomic<Index> done = 0;
    const auto tell = [&] {
        if (progress)
            progress(static_cast<double>(++done) / static_cast<double>(blocks));
    };
    run_groups(0, every_step, threads, tell);
}

void GraphValues::run_first_rows(Index rows) {
    require_given();
    run_groups(rows, every_step);
}

GraphValues::Block GraphValues::block_for(const RowGroup& group) const {
    const Index room = block_room(graph_, group, schedule_->is_within, is_given_by_rows_);
    return {.numbers = {numbers_.begin(), numbers_.begin() + std::ssize(results_)},
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
    OperandList operands;
    for (const std::size_t step : group.steps) {
        const GraphStep& at = graph_.steps()[step];
        if (is_alias(at)) {
            block.numbers[step] = block.numbers[at.operands.front()];
            continue;
        }
        const auto run = at.description().run;
        if (!run || (wanted && !schedule_->is_within[step]))
            continue;
        Interruption::check();  // a block goes through all steps of its group
        operands.clear();
        for (std::size_t i = 0; i < at.operands.size(); ++i) {
            const std::size_t operand = at.operands[i];
            const Extent& extent = graph_.steps()[operand].extent;
            operands.add(schedule_->is_within[operand] || is_given_by_rows_[operand]
                             ? OperandNumbers{block.numbers[operand], {0, rows, extent.columns}}
                             : part_of(block.numbers[operand], extent, block.head, block.first_row, rows,
                                       !is_aligned(at, i)));
        }
        double* result =
            schedule_->is_within[step]
                ? take(step)
                : results_[step] + (block.head * group.rows + block.first_row) * at.extent.columns;
        run({at.node(), {0, rows, at.extent.columns}, operands.all()}, result);
        if (step == wanted)
            return;
    }
}

const RowGroup& GraphValues::group_of(std::size_t step) const {
    return *std::ranges::find_if(groups(), [&](const RowGroup& each) {
        return std::ranges::find(each.steps, step) != each.steps.end();
    });
}

bool GraphValues::has_rows(std::size_t step) const {
    const std::size_t source = schedule_->source_of(step);
    return numbers_[source] || schedule_->is_within[source];
}

void GraphValues::read_rows(std::size_t step, Index head, Index first, Index count,
                            std::span<double> to) const {
    const std::size_t source = schedule_->source_of(step);
    const Extent& extent = graph_.steps()[source].extent;
    if (!schedule_->is_within[source]) {
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
    : RepeatedValues(std::make_shared<const GraphSchedule>(graph, AfterRun::kept_steps, lasting)) {}

RepeatedValues::RepeatedValues(std::shared_ptr<const GraphSchedule> schedule)
    : GraphValues(std::move(schedule), std::numeric_limits<double>::infinity()),
      lasts_(this->schedule().lasts), is_new_(lasts_.size(), true) {}

void RepeatedValues::set(std::size_t step, std::span<const double> numbers) {
    GraphValues::set(step, numbers);
    is_new_[step] = is_any_new_ = true;
}

void RepeatedValues::run() {
    if (!is_given_)
        require_given();
    is_given_ = true;
    const auto is_due = [this](std::size_t step) {
        if (!lasts_[step])
            return true;
        const bool has_changed = is_any_new_ && follows_from_new(step);
        if (has_changed)
            is_new_[step] = true;
        return has_changed;
    };
    run_groups(0, is_due);
    if (is_any_new_)
        std::fill(is_new_.begin(), is_new_.end(), false);
    is_any_new_ = false;
}

bool RepeatedValues::follows_from_new(std::size_t step) const {
    const GraphStep& at = schedule().graph.steps()[step];
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

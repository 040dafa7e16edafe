#pragma once

#include "core/graph/from_places.h"
#include "core/graph/graph_schedule.h"
#include "core/tensor/interruption.h"
#include "core/tensor/storage.h"

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace headlight {

/// Returns the bytes that the graph takes by itself: steps, their nodes, and places that these read.
double bytes_of_steps(const Graph& graph);

/// Returns the bytes that a GraphValues of the graph takes, run by so many threads.
double bytes_of_numbers(const Graph& graph, int threads = 1, AfterRun after = AfterRun::kept_steps);
/// Returns those of one thread's, without the schedule.
double bytes_of_numbers(const GraphSchedule& schedule);

/// Returns the steps of which there are so many numbers at once, or more, where rows are computed again:
/// those of a whole result or of a block of it. In the order of the graph.
std::vector<std::size_t> steps_at_once(const Graph& graph, Index numbers);

/// Returns the numbers of an expression; `given` has those of each tensor that it reads, and `infinity`
/// stands for it among the numbers of the expression.
std::vector<double> numbers_of(const Expression& x,
                               const std::function<std::span<const double>(const std::string& tensor)>& given,
                               double infinity = std::numeric_limits<double>::infinity());

/// The numbers of every step of a graph, in double. The graph stays where it is, and is not added to.
class GraphValues {
public:
    /// `infinity` stands for it among the numbers of the expressions.
    explicit GraphValues(const Graph& graph, double infinity = std::numeric_limits<double>::infinity(),
                         AfterRun after = AfterRun::kept_steps);
    GraphValues(std::shared_ptr<const GraphSchedule> schedule, double infinity);
    GraphValues(const GraphValues&) = delete;  // numbers and results point into it
    GraphValues& operator=(const GraphValues&) = delete;

    /// Numbers of a given tensor, row by row, head by head; they stay where they are until they are set
    /// again.
    void set(std::size_t step, std::span<const double> numbers);
    void set(const std::string& name, std::span<const double> numbers) { set(graph_.step_of(name), numbers); }
    /// The same, made block by block where they need not all be there: with AfterRun::any_rows.
    void set_places(const std::string& name, const FromPlaces<double>& numbers);
    /// Computes every step from the given tensors, on at most so many threads; the bits do not depend on
    /// their number. `progress` is told what share of the blocks is done. Throws Error for a tensor that was
    /// not set.
    void run(int threads = 1, const std::function<void(double share)>& progress = {});
    /// Computes so many rows of each matrix at least, of a graph of operations on elements; the others have
    /// any numbers.
    void run_first_rows(Index rows);
    /// Whether read_rows() has the step.
    bool has_rows(std::size_t step) const;
    /// Writes rows of a head, [count, columns], after a run with AfterRun::any_rows: kept, or computed again
    /// with the same bits. Threads may ask at the same time.
    void read_rows(std::size_t step, Index head, Index first, Index count, std::span<double> to) const;

    /// Numbers of a step that is kept.
    std::span<const double> of(std::size_t step) const {
        return {numbers_[step], static_cast<std::size_t>(graph_.steps()[step].extent.size())};
    }
    std::span<const double> of(const std::string& name) const { return of(graph_.step_of(name)); }

    /// The operation of a step on the numbers of its operands: for all rows, or for the first ones where the
    /// last run was of those.
    OperationCall call(std::size_t step) const {
        const GraphStep& at = graph_.steps()[step];
        const std::size_t first = schedule_->calls[step].first_operand, count = at.operands.size();
        const double* const* numbers = numbers_.data() + results_.size() + first;
        OperationCall call{at.node(),
                           at.extent,
                           {std::span(schedule_->operands).subspan(first, count), numbers},
                           at.body.get()};
        call.first_rows = first_rows_;
        if (read_where(at))
            call.read_where = {numbers[count], *schedule_->operands[first + count]};
        return call;
    }

protected:
    const GraphSchedule& schedule() const { return *schedule_; }
    /// Throws Error for a tensor that was not set.
    void require_given() const;
    /// Computes so many first rows of each matrix, or all where it is 0, group by group: of what is computed
    /// as a whole the steps that `is_due` names. `done` is told of each block of rows.
    template <class IsDue>
    void run_groups(
        Index first_rows, const IsDue& is_due, int threads = 1, const std::function<void()>& done = [] {});

private:
    const std::vector<RowGroup>& groups() const { return schedule_->groups; }
    void run_whole(std::size_t step) {
        const auto run = schedule_->calls[step].run;
        if (!run)
            return;
        Interruption::check();
        run(call(step), results_[step]);
    }
    void run_by_rows(const RowGroup& group, int threads, const std::function<void()>& done);

    /// What a thread has of a group while it works on a block.
    struct Block {
        Index head = 0, first_row = 0;
        std::vector<const double*> numbers;  ///< of each step
        std::vector<double> room;            ///< a block for each step within the group or given by rows
        std::set<std::size_t> given;         ///< the steps that are given by rows
    };
    Block block_for(const RowGroup& group) const;

    /// Some rows of one head of all steps of a group; or, after a run, of those within it that `wanted`
    /// needs.
    void run_block(const RowGroup& group, std::optional<std::size_t> wanted, Block& block) const;
    const RowGroup& group_of(std::size_t step) const;

    const std::shared_ptr<const GraphSchedule> schedule_;
    const Graph& graph_;
    std::vector<bool> is_given_by_rows_;                ///< and was not set as a whole
    std::map<std::size_t, FromPlaces<double>> places_;  ///< of the steps that were set by these
    std::vector<const double*> numbers_;                ///< of each step, then of each operand
    std::vector<double*> results_;                      ///< null for a given tensor, and within a group
    std::vector<Storage<double>> buffers_;
    Index first_rows_ = 0;  ///< of each matrix, that the last run has computed; 0: all
};

/// Numbers of a graph that is run again and again, by one thread, while some of what it is given stays.
class RepeatedValues : public GraphValues {
public:
    /// `lasting` are given tensors whose numbers change only when they are set again: what follows from them
    /// alone is not computed before.
    RepeatedValues(const Graph& graph, std::span<const std::size_t> lasting);
    /// The same, of a schedule that knows them.
    explicit RepeatedValues(std::shared_ptr<const GraphSchedule> schedule);

    void set(std::size_t step, std::span<const double> numbers);
    void set_places(const std::string& name, const FromPlaces<double>& numbers) = delete;  // stays unnoticed
    void run();
    void run_first_rows(Index rows) = delete;  // what lasts would stay without its other rows

private:
    /// Whether what the step follows from has been set since, or computed anew.
    bool follows_from_new(std::size_t step) const;

    bool is_given_ = false;           ///< every tensor has been set, and stays so
    bool is_any_new_ = true;          ///< one has been set since the last run
    const std::vector<bool>& lasts_;  ///< from run to run
    std::vector<bool> is_new_;        ///< of those that last: other numbers than before
};

}  // namespace headlight

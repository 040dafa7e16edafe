#pragma once

#include "core/graph/from_places.h"
#include "core/graph/graph.h"
#include "core/graph/row_blocks.h"

#include <array>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace headlight {

/// What can be asked for after a run.
enum class AfterRun {
    kept_steps,  ///< numbers of those alone
    any_rows,    ///< and rows of any other that goes by rows: they are computed again
};

/// Returns the bytes that the graph takes by itself: steps, their nodes, and places that these read.
double bytes_of_steps(const Graph& graph);

/// Returns the bytes that a GraphValues of the graph takes, run by so many threads.
double bytes_of_numbers(const Graph& graph, int threads = 1, AfterRun after = AfterRun::kept_steps);
/// Returns those of a RepeatedValues.
double bytes_of_numbers(const Graph& graph, std::span<const std::size_t> lasting);

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
    std::span<const double> of(std::size_t step) const;
    std::span<const double> of(const std::string& name) const { return of(graph_.step_of(name)); }

    /// Calls `use(call)` with the operation of a step and the numbers of its operands, for all rows or for
    /// the first ones.
    template <class Use>
    void with_call(std::size_t step, Index first_rows, const Use& use) const {
        const GraphStep& at = graph_.steps()[step];
        constexpr std::size_t usual_count = 4;  // for which no memory is asked
        std::array<OperandNumbers, usual_count> usual;
        std::vector<OperandNumbers> more(at.operands.size() > usual_count ? at.operands.size() : 0);
        const std::span operands =
            more.empty() ? std::span(usual).first(at.operands.size()) : std::span<OperandNumbers>(more);
        for (std::size_t i = 0; i < operands.size(); ++i)
            operands[i] = {numbers_[at.operands[i]], graph_.steps()[at.operands[i]].extent};
        OperationCall call{at.node(), at.extent, operands, at.body.get(), {}, first_rows};
        if (const auto where = read_where(at))
            call.read_where = {numbers_[*where], graph_.steps()[*where].extent};
        use(call);
    }

protected:
    GraphValues(const Graph& graph, double infinity, AfterRun after, std::span<const std::size_t> lasting);

    const std::vector<RowGroup>& groups() const { return groups_; }
    /// Throws Error for a tensor that was not set.
    void require_given() const;
    void run_whole(std::size_t step, Index first_rows = 0);
    void run_by_rows(const RowGroup& group, int threads, const std::function<void()>& done);

private:
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
    /// The step whose numbers these are.
    std::size_t source_of(std::size_t step) const;

    const Graph& graph_;
    std::vector<RowGroup> groups_;
    std::vector<bool> is_within_;                       ///< a group: it has numbers of a block alone
    std::vector<bool> is_given_by_rows_;                ///< it could be set by places
    std::map<std::size_t, FromPlaces<double>> places_;  ///< of the steps that were
    std::vector<const double*> numbers_;                ///< of each step
    std::vector<double*> results_;                      ///< null for a given tensor, and within a group
    std::vector<std::vector<double>> buffers_;
};

/// Numbers of a graph that is run again and again, by one thread, while some of what it is given stays.
class RepeatedValues : public GraphValues {
public:
    /// `lasting` are given tensors whose numbers change only when they are set again: what follows from them
    /// alone is not computed before.
    RepeatedValues(const Graph& graph, std::span<const std::size_t> lasting);

    void set(std::size_t step, std::span<const double> numbers);
    void run();

private:
    /// Whether what the step follows from has been set since.
    bool has_changed(std::size_t step) const;

    const Graph& graph_;
    bool is_given_ = false;     ///< every tensor has been set, and stays so
    std::vector<bool> lasts_;   ///< from run to run
    std::vector<bool> is_new_;  ///< of those that last: other numbers than before
};

}  // namespace headlight

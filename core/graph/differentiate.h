#pragma once

#include "core/graph/graph_values.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

/// Gradients of one number that follows from a step of a graph, with respect to the tensors that the graph
/// was given: reverse mode, in double. Made once for a graph, and run with the numbers of each run of it.
class Differentiation {
public:
    /// Gradients of what follows from `lasting` alone, given tensors that are the same in several runs, are
    /// passed on for all of them at once, by pass_on_lasting().
    explicit Differentiation(const Graph& graph, std::span<const std::size_t> lasting = {});
    Differentiation(const Differentiation&) = delete;  // gradients and steps point into it
    Differentiation& operator=(const Differentiation&) = delete;

    /// `gradient` is that of the number with respect to each element of `step`; the graph's numbers are
    /// `values`.
    void run(const GraphValues& values, std::size_t step, std::span<const double> gradient);
    /// As run(), added to the gradients of given tensors from before: of the sequences of a batch, one after
    /// another. After GraphValues::run_first_rows() the gradient of the other rows is 0.
    void add(const GraphValues& values, std::size_t step, std::span<const double> gradient);
    /// Behind the last add() with the same numbers of the lasting tensors: these get their gradients.
    void pass_on_lasting(const GraphValues& values);
    /// Sets the gradient of a given tensor to zeros.
    void clear(std::size_t given);

    /// The gradient of a given tensor: zeros where none reaches it, nothing where none is asked for.
    std::span<const double> of(std::size_t given) const { return gradients_[given]; }
    std::span<const double> of(const std::string& given) const { return of(graph_.step_of(given)); }

private:
    /// A step whose gradient goes on to operands, as it is passed on again and again.
    struct PassedStep {
        std::size_t step;
        void (*backward)(const OperationCall&, const double* result, const double* gradient,
                         std::span<double* const> gradients);
        std::size_t first_operand, operand_count;  ///< in `operands_`
        std::optional<std::size_t> equation;       ///< of a solution, in `equations_`
    };
    using PassedSteps = std::vector<PassedStep>;  ///< the last first

    void know_passed_steps();
    bool is_passed(std::size_t step) const;
    /// Adds `step`, of whose operands those before `first` get no gradient. Returns false where none gets
    /// one, and nothing is added.
    bool know_passed(PassedSteps& steps, std::size_t step, std::size_t first);
    /// Passes on what has come to the steps from `last` down that last, or that do not.
    void pass_back(const GraphValues& values, std::size_t last, bool lasting);
    void pass_on(const GraphValues& values, const PassedStep& at, const double* gradient) const;
    void pass_on_solution(const GraphValues& values, const PassedStep& at);

    const Graph& graph_;
    std::vector<bool> lasts_;
    std::vector<double> room_;                   ///< of given tensors, of steps that last, of all others
    std::vector<std::span<double>> gradients_;   ///< of each step; empty where none is asked for
    std::span<double> of_lasting_, of_passing_;  ///< of all steps but the given ones
    /// Gradients of the operands of all passed steps, one after another; null where none is asked for.
    std::vector<double*> operands_;
    PassedSteps passed_, passed_lasting_;
    std::vector<PassedSteps> equations_;  ///< of each solution: from its equation back to what was searched
};

/// Returns the bytes that a Differentiation of the graph takes.
double bytes_of_gradients(const Graph& graph);

/// A given tensor that changes a step only by leaps, or not at all.
struct StoppedGradient {
    std::string tensor;
    /// "rank: a place in an order does not change with small changes"; none where nothing of it is in the
    /// step.
    std::vector<std::string> reasons;
};

/// Returns the tensors whose gradients are asked for and which get none from `step`, whatever the numbers.
std::vector<StoppedGradient> stopped_gradients(const Graph& graph, std::size_t step);

}  // namespace headlight

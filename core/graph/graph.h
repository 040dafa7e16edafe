#pragma once

#include "core/graph/operation.h"
#include "core/graph/program_part.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace headlight {

struct PairBody;
struct PairRuns;

/// One operation of a graph. Its operands are steps before it.
struct GraphStep {
    Expression expression;  ///< keeps the node
    Extent extent;
    std::vector<std::size_t> operands;
    /// A gradient that reaches this step goes on to a tensor whose gradient is asked for, or this is one.
    bool has_gradient = false;
    /// Its numbers are wanted after the run: by whoever asks for a name, or on the way back.
    bool is_kept = true;
    std::shared_ptr<const PairBody> body = nullptr;  ///< sum_of_pairs

    const ExpressionNode& node() const { return *expression; }
    const OperationDescription& description() const { return description_of(node().operation); }
    bool is_given() const { return node().operation == Operation::tensor && operands.empty(); }
};

/// The operations of expressions, one after another, each once: structure without numbers, so that the same
/// graph is evaluated (GraphValues) and differentiated (Differentiation) again and again with new ones. Loops
/// are written out.
class Graph {
public:
    Graph() = default;
    /// Every assignment of a program. Gradients are asked for inputs and parameters, not for constants, of
    /// what the names of the program stand for at its end: the turns of a search, from which none comes back,
    /// keep neither numbers nor gradients.
    Graph(std::span<const GivenTensor> given, std::span<const ProgramPart> parts);

    /// Adds a tensor whose numbers are given before each run, and returns its step.
    std::size_t give(const std::string& name, const Extent& extent, bool wants_gradient);
    /// Adds what `x` is made of and is not yet there, and returns the step of `x`. Throws Error for a name
    /// that was not given or assigned.
    std::size_t add(const Expression& x);
    /// Assigns: the name stands for `x` from now on.
    void let(const std::string& name, const Expression& x);

    /// After a run the numbers of these names are wanted, and no others, nor gradients.
    void keep_only(const std::vector<std::string>& names);

    /// To be evaluated again and again: where the elements of small results come from is asked once.
    void know_moves() const;

    const std::vector<GraphStep>& steps() const { return steps_; }
    /// For each step whether it follows from these given steps alone, or from numbers.
    std::vector<bool> steps_from(std::span<const std::size_t> given) const;
    /// A gradient of `step` goes on to its operand number `operand`.
    bool passes_gradient(std::size_t step, std::size_t operand) const;
    /// The step that a name stands for at the end.
    std::size_t step_of(const std::string& name) const;

private:
    friend struct PairBody;

    std::size_t push(GraphStep step);
    std::size_t add_solution(const Expression& x);
    std::size_t add_pairs(const Expression& x);
    void keep_what_names_need();
    void know_which_pairs_are_read();
    /// The given step that chooses what is read of a sum of pairs; nothing where all of it may be read.
    std::optional<std::size_t> chosen_by(std::size_t sum) const;

    std::vector<GraphStep> steps_;
    std::map<std::string, std::size_t> names_;
    /// Steps of nodes, as long as no name in them has been assigned again.
    std::unordered_map<const ExpressionNode*, std::size_t> known_;
};

/// What sum_of_pairs() adds up, for one query and all keys: [h, m, d] from the query's row [h, 1, d], all
/// rows of the keys, and vectors. So a sum over n m d numbers needs no more than m d of them at a time.
struct PairBody {
    enum class Side { query, key, both };

    Graph graph;                     ///< its given steps are the operands, in their order
    std::vector<Side> sides;         ///< one for each operand
    std::vector<std::size_t> given;  ///< the steps in `graph` of the operands
    std::size_t result = 0;
    /// A given step of the outer graph, 0 where nobody reads the sum of a query and a key: what a mask
    /// forbids. Nothing where all are read.
    std::optional<std::size_t> read_where = {};
    std::shared_ptr<PairRuns> runs;  ///< of the body, to be taken by whoever evaluates a sum

    /// Adds `x` to the body, and what it needs of `outer` to the operands.
    std::size_t add(const Expression& x, Graph& outer, std::vector<std::size_t>& operands);
};

/// PairBody::read_where of a sum of pairs, whose numbers decide those of the step beside its operands'.
inline std::optional<std::size_t> read_where(const GraphStep& step) {
    return step.body ? step.body->read_where : std::nullopt;
}

}  // namespace headlight

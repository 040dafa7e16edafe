#include "core/graph/graph.h"

#include "core/graph/known_moves.h"
#include "core/graph/operation.h"
#include "core/graph/pair_runs.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <utility>

namespace headlight {

Graph::Graph(std::span<const GivenTensor> given, std::span<const ProgramPart> parts) {
    for (const GivenTensor& tensor : given)
        give(tensor.name, tensor.extent, tensor.kind != GivenTensor::Kind::constant);
    for (const ProgramPart& part : parts)
        for (Index time = 0; time < part.times; ++time)
            for (const ProgramLine& line : part.assignments)
                let(line.name, line.value);
    keep_what_names_need();
    know_which_pairs_are_read();
}

void Graph::know_which_pairs_are_read() {
    for (std::size_t at = 0; at < steps_.size(); ++at) {
        if (!steps_[at].body)
            continue;
        Interruption::check();
        if (const auto where = chosen_by(at)) {
            auto body = std::make_shared<PairBody>(*steps_[at].body);
            body->read_where = where;
            steps_[at].body = std::move(body);
        }
    }
}

std::optional<std::size_t> Graph::chosen_by(std::size_t sum) const {
    const Extent& extent = steps_[sum].extent;
    std::vector<bool> follows(steps_.size());  // number by number, and from no others
    follows[sum] = true;
    std::optional<std::size_t> where;
    for (std::size_t at = sum + 1; at < steps_.size(); ++at) {
        const GraphStep& step = steps_[at];
        const auto is_of_sum = [&](std::size_t operand) { return follows[operand]; };
        if (std::ranges::none_of(step.operands, is_of_sum))
            continue;
        if (step.node().operation == Operation::choose && !is_of_sum(step.operands[0]) &&
            !is_of_sum(step.operands[2])) {
            const std::size_t condition = step.operands[0];
            const Extent& pairs = steps_[condition].extent;
            if (!steps_[condition].is_given() || pairs.rows != extent.rows ||
                pairs.columns != extent.columns || where.value_or(condition) != condition)
                return {};
            where = condition;
            continue;
        }
        if (step.description().family != OperationFamily::elements || step.extent != extent)
            return {};
        follows[at] = true;
    }
    if (std::ranges::any_of(names_, [&](const auto& named) { return follows[named.second]; }))
        return {};
    return where;
}

bool Graph::passes_gradient(std::size_t step, std::size_t operand) const {
    const GraphStep& at = steps_[step];
    if (at.node().operation == Operation::solution && operand != 1)
        return false;  // by its equation alone
    return at.description().backward && steps_[at.operands[operand]].has_gradient;
}

void Graph::keep_what_names_need() {
    std::vector<bool> is_reached(steps_.size());
    for (GraphStep& step : steps_)
        step.is_kept = step.node().operation == Operation::number;
    for (const auto& [name, step] : names_)
        is_reached[step] = steps_[step].is_kept = true;
    for (std::size_t at = steps_.size(); at-- > 0;) {
        GraphStep& step = steps_[at];
        step.has_gradient = step.has_gradient && (is_reached[at] || step.is_given());
        for (std::size_t i = 0; step.has_gradient && i < step.operands.size(); ++i) {
            is_reached[step.operands[i]] = is_reached[step.operands[i]] || passes_gradient(at, i);
            steps_[step.operands[i]].is_kept = true;
        }
        step.is_kept = step.is_kept || step.has_gradient;
    }
}

void Graph::keep_only(const std::vector<std::string>& names) {
    for (GraphStep& step : steps_) {
        step.has_gradient = false;
        step.is_kept = step.node().operation == Operation::number;
    }
    for (const std::string& name : names)
        steps_[step_of(name)].is_kept = true;
}

void Graph::know_moves() const {
    constexpr Index most_stretches = 1 << 15;
    for (const GraphStep& step : steps_) {
        const ExpressionNode& node = step.node();
        if (!node.moves || step.extent.size() / elements_together(node) > most_stretches)
            continue;
        Interruption::check();
        node.moves->know(node);
    }
}

std::vector<bool> Graph::steps_from(std::span<const std::size_t> given) const {
    std::vector<bool> follows(steps_.size());
    const auto is_one_of_them = [given](std::size_t step) {
        return std::ranges::find(given, step) != given.end();
    };
    for (std::size_t at = 0; at < steps_.size(); ++at) {
        const GraphStep& step = steps_[at];
        const auto where = read_where(step);
        follows[at] =
            step.is_given()
                ? is_one_of_them(at)
                : (!where || is_one_of_them(*where)) &&
                      std::ranges::all_of(step.operands, [&](std::size_t each) { return follows[each]; });
    }
    return follows;
}

std::size_t Graph::give(const std::string& name, const Extent& extent, bool wants_gradient) {
    const std::size_t step = push({named_tensor(name, extent, false), extent, {}, wants_gradient});
    names_[name] = step;
    return step;
}

void Graph::let(const std::string& name, const Expression& x) {
    Interruption::check();
    const std::size_t step = add(x);
    if (!names_.insert_or_assign(name, step).second)
        known_.clear();
}

std::size_t Graph::step_of(const std::string& name) const {
    const auto found = names_.find(name);
    if (found == names_.end())
        throw Error({"evaluate a program", name, "a tensor that was given or assigned", "none of this name"});
    return found->second;
}

std::size_t Graph::push(GraphStep step) {
    steps_.push_back(std::move(step));
    return steps_.size() - 1;
}

std::size_t Graph::add(const Expression& x) {
    const ExpressionNode& node = *x;
    if (node.operation == Operation::tensor)
        return step_of(node.tensor);
    if (const auto found = known_.find(&node); found != known_.end())
        return found->second;
    std::size_t added = 0;
    if (node.operation == Operation::solution) {
        added = add_solution(x);
    } else if (node.operation == Operation::sum_of_pairs) {
        added = add_pairs(x);
    } else {
        GraphStep step{x, node.extent, {}};
        for (const Expression& operand : node.operands)
            step.operands.push_back(add(operand));
        step.has_gradient =
            step.description().backward &&
            std::ranges::any_of(step.operands, [&](std::size_t each) { return steps_[each].has_gradient; });
        added = push(std::move(step));
    }
    known_[&node] = added;
    return added;
}

/// The residual sees the numbers that were found as a step of its own, with which Differentiation asks how it
/// changes: operands are what was searched, the residual, and that step.
std::size_t Graph::add_solution(const Expression& x) {
    const Expression &searched = x->operands[0], &residual = x->operands[1];
    const std::size_t found = add(searched);
    const std::size_t held = push({named_tensor("", x.extent(), false), x.extent(), {found}, true});
    const auto names = names_;
    const auto known = std::exchange(known_, {});
    if (searched->operation == Operation::tensor)
        names_[searched->tensor] = held;
    known_[&*searched] = held;
    const std::size_t equation = add(residual);
    names_ = names;
    known_ = known;
    return push({x, x.extent(), {found, equation, held}, steps_[equation].has_gradient});
}

std::size_t Graph::add_pairs(const Expression& x) {
    GraphStep step{x, x.extent(), {}};
    auto body = std::make_shared<PairBody>();
    body->runs = no_pair_runs();
    body->result = body->add(x->operands.front(), *this, step.operands);
    step.has_gradient = body->graph.steps()[body->result].has_gradient;
    step.body = std::move(body);
    return push(std::move(step));
}

std::size_t PairBody::add(const Expression& x, Graph& outer, std::vector<std::size_t>& operands) {
    const OperationDescription& description = description_of(x->operation);
    if (const auto found = graph.known_.find(&*x); found != graph.known_.end())
        return found->second;
    const auto known_as = [&](std::size_t step) { return graph.known_[&*x] = step; };
    if (x->operation == Operation::number)
        return known_as(graph.add(x));
    if (description.family == OperationFamily::elements) {
        GraphStep step{x, {}, {}};
        std::vector<Extent> extents;
        for (const Expression& operand : x->operands) {
            step.operands.push_back(add(operand, outer, operands));
            extents.push_back(graph.steps_[step.operands.back()].extent);
            step.has_gradient |= description.backward && graph.steps_[step.operands.back()].has_gradient;
        }
        step.extent = description.shape(*x, extents);
        return known_as(graph.push(std::move(step)));
    }
    const bool is_side = description.family == OperationFamily::side;
    const std::size_t operand = outer.add(is_side ? x->operands.front() : x);
    Extent extent = outer.steps_[operand].extent;
    if (x->operation == Operation::left_row)
        extent.rows = 1;
    sides.push_back(!is_side ? Side::both : x->operation == Operation::left_row ? Side::query : Side::key);
    operands.push_back(operand);
    given.push_back(
        graph.give("operand " + std::to_string(operands.size()), extent, outer.steps_[operand].has_gradient));
    return known_as(given.back());
}

}  // namespace headlight

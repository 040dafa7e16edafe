#include "core/graph/differentiate.h"

#include "core/graph/graph_kernels.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <array>
#include <functional>

namespace headlight {
namespace {

/// Those that follow from the given steps alone, but for what an equation is made of: what comes back to it
/// is cleared for each of its solutions.
std::vector<bool> lasting_steps(const Graph& graph, std::span<const std::size_t> given) {
    const auto& steps = graph.steps();
    if (given.empty())
        return std::vector<bool>(steps.size());
    std::vector<bool> lasts = graph.steps_from(given);
    for (const GraphStep& step : steps)
        if (step.node().operation == Operation::solution)
            for (std::size_t at = step.operands[2]; at <= step.operands[1]; ++at)
                lasts[at] = lasts[at] && !steps[at].has_gradient;
    for (std::size_t at = 0; at < steps.size(); ++at)
        lasts[at] = lasts[at] && std::ranges::all_of(steps[at].operands,
                                                     [&](std::size_t operand) { return lasts[operand]; });
    return lasts;
}

}  // namespace

Differentiation::Differentiation(const Graph& graph, std::span<const std::size_t> lasting)
    : graph_(graph), lasts_(lasting_steps(graph, lasting)), gradients_(graph.steps().size()) {
    const auto& steps = graph.steps();
    std::array<std::vector<std::size_t>, 3> parts;  // given, those that last, all others
    std::array<std::size_t, 3> sizes{};
    for (std::size_t step = 0; step < steps.size(); ++step) {
        if (!steps[step].has_gradient)
            continue;
        const std::size_t part = steps[step].is_given() ? 0 : lasts_[step] ? 1 : 2;
        parts[part].push_back(step);
        sizes[part] += static_cast<std::size_t>(steps[step].extent.size());
    }
    room_.resize(sizes[0] + sizes[1] + sizes[2]);
    std::span<double> rest = room_;
    for (const auto& part : parts)
        for (const std::size_t step : part) {
            const auto size = static_cast<std::size_t>(steps[step].extent.size());
            gradients_[step] = rest.first(size);
            rest = rest.subspan(size);
        }
    of_lasting_ = std::span(room_).subspan(sizes[0], sizes[1]);
    of_passing_ = std::span(room_).last(sizes[2]);
    know_passed_steps();
}

bool Differentiation::is_passed(std::size_t step) const {
    const GraphStep& at = graph_.steps()[step];
    return at.has_gradient && at.description().backward;
}

bool Differentiation::know_passed(PassedSteps& steps, std::size_t step, std::size_t first) {
    const GraphStep& at = graph_.steps()[step];
    const std::size_t first_operand = operands_.size();
    bool is_any_asked = false;
    for (const std::size_t operand : at.operands) {
        operands_.push_back(operand < first ? nullptr : gradients_[operand].data());
        is_any_asked = is_any_asked || operands_.back();
    }
    if (is_any_asked)
        steps.push_back({step, at.description().backward, first_operand, at.operands.size(), {}});
    else
        operands_.resize(first_operand);
    return is_any_asked;
}

void Differentiation::know_passed_steps() {
    const auto& steps = graph_.steps();
    for (std::size_t step = steps.size(); step-- > 0;) {
        PassedSteps& passed = lasts_[step] ? passed_lasting_ : passed_;
        if (!is_passed(step) || !know_passed(passed, step, 0) ||
            steps[step].node().operation != Operation::solution)
            continue;
        passed.back().equation = equations_.size();
        PassedSteps& equation = equations_.emplace_back();
        const std::size_t held = steps[step].operands[2];
        for (std::size_t at = steps[step].operands[1]; at > held; --at)
            if (is_passed(at))
                know_passed(equation, at, held);
    }
    operands_.shrink_to_fit();
}

double bytes_of_gradients(const Graph& graph) {
    constexpr double beside_a_gradient = 80;  // how it is passed on
    double bytes = 0;
    for (const GraphStep& step : graph.steps())
        if (step.has_gradient)
            bytes += static_cast<double>(step.extent.size()) * sizeof(double) + beside_a_gradient;
    return bytes;
}

void Differentiation::clear(std::size_t given) { std::ranges::fill(gradients_[given], 0.0); }

void Differentiation::run(const GraphValues& values, std::size_t step, std::span<const double> gradient) {
    std::ranges::fill(room_, 0.0);
    add(values, step, gradient);
    pass_on_lasting(values);
}

void Differentiation::add(const GraphValues& values, std::size_t step, std::span<const double> gradient) {
    if (std::ssize(gradient) != graph_.steps()[step].extent.size())
        throw Error({"differentiate a program", "", "a gradient " + to_string(graph_.steps()[step].extent),
                     std::to_string(gradient.size()) + " numbers"});
    std::ranges::fill(of_passing_, 0.0);
    if (!graph_.steps()[step].has_gradient)
        return;
    std::ranges::transform(gradient, gradients_[step], gradients_[step].begin(), std::plus());
    pass_back(values, step, false);
}

void Differentiation::pass_on_lasting(const GraphValues& values) {
    if (of_lasting_.empty())
        return;
    pass_back(values, gradients_.size() - 1, true);
    std::ranges::fill(of_lasting_, 0.0);
}

void Differentiation::pass_back(const GraphValues& values, std::size_t last, bool lasting) {
    const GraphKernels chosen;
    for (const PassedStep& at : lasting ? passed_lasting_ : passed_) {
        if (at.step > last)
            continue;
        Interruption::check();
        if (at.equation)
            pass_on_solution(values, at);
        else
            pass_on(values, at, gradients_[at.step].data());
    }
}

void Differentiation::pass_on(const GraphValues& values, const PassedStep& at, const double* gradient) const {
    at.backward(values.call(at.step), values.of(at.step).data(), gradient,
                std::span(operands_).subspan(at.first_operand, at.operand_count));
}

/// At a solution t of f(t, x) = 0, dt = -(∂f/∂x) dx / (∂f/∂t). First asks for ∂f/∂t, by going back from f to
/// t alone; then f gets the gradient over it. Where f does not change with t, t does not count, and passes
/// none.
void Differentiation::pass_on_solution(const GraphValues& values, const PassedStep& at) {
    const GraphStep& step = graph_.steps()[at.step];
    const std::size_t equation = step.operands[1], held = step.operands[2];
    std::ranges::fill(gradients_[equation], 1.0);
    for (const PassedStep& of_equation : equations_[*at.equation])
        pass_on(values, of_equation, gradients_[of_equation.step].data());
    std::vector<double> quotients(gradients_[at.step].begin(), gradients_[at.step].end());
    for (std::size_t i = 0; i < quotients.size(); ++i)
        quotients[i] = gradients_[held][i] == 0 ? 0 : quotients[i] / gradients_[held][i];
    for (std::size_t each = held; each <= equation; ++each)
        std::ranges::fill(gradients_[each], 0.0);
    pass_on(values, at, quotients.data());
}

namespace {

/// Steps from which `to` can be reached; over `is_passed(step, operand)` only.
template <class IsPassed>
std::vector<bool> reaching(const Graph& graph, std::size_t to, const IsPassed& is_passed) {
    std::vector<bool> reaches(graph.steps().size());
    reaches[to] = true;
    for (std::size_t step = to + 1; step-- > 0;)
        for (std::size_t i = 0; reaches[step] && i < graph.steps()[step].operands.size(); ++i)
            if (is_passed(step, i))
                reaches[graph.steps()[step].operands[i]] = true;
    return reaches;
}

}  // namespace

std::vector<StoppedGradient> stopped_gradients(const Graph& graph, std::size_t step) {
    const auto& steps = graph.steps();
    const std::vector<bool> counts = reaching(graph, step, [](std::size_t, std::size_t) { return true; });
    const std::vector<bool> passes = reaching(
        graph, step, [&](std::size_t at, std::size_t operand) { return graph.passes_gradient(at, operand); });
    const auto smooth = [&](std::size_t at) { return steps[at].description().backward != nullptr; };
    std::vector<StoppedGradient> stopped;
    for (std::size_t given = 0; given < steps.size(); ++given) {
        const bool is_given =
            steps[given].node().operation == Operation::tensor && steps[given].operands.empty();
        if (!is_given || !steps[given].has_gradient || passes[given])
            continue;
        StoppedGradient found{steps[given].node().tensor, {}};
        std::vector<bool> follows(steps.size());
        follows[given] = true;
        for (std::size_t at = given + 1; at <= step; ++at) {
            follows[at] = std::ranges::any_of(steps[at].operands,
                                              [&](std::size_t operand) { return follows[operand]; });
            if (!follows[at] || !counts[at] || smooth(at))
                continue;
            follows[at] = false;  // what comes after it is not asked
            const OperationDescription& description = steps[at].description();
            const std::string reason =
                std::string(description.name) + ": " + std::string(description.no_derivative);
            if (std::ranges::find(found.reasons, reason) == found.reasons.end())
                found.reasons.push_back(reason);
        }
        stopped.push_back(std::move(found));
    }
    return stopped;
}

}  // namespace headlight

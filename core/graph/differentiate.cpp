#include "core/graph/differentiate.h"

#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <functional>

namespace headlight {

Differentiation::Differentiation(const Graph& graph) : graph_(graph), gradients_(graph.steps().size()) {
    for (std::size_t step = 0; step < gradients_.size(); ++step)
        if (graph.steps()[step].has_gradient)
            gradients_[step].resize(static_cast<std::size_t>(graph.steps()[step].extent.size()));
}

double bytes_of_gradients(const Graph& graph) {
    double numbers = 0;
    for (const GraphStep& step : graph.steps())
        numbers += step.has_gradient ? static_cast<double>(step.extent.size()) : 0.0;
    return numbers * sizeof(double);
}

void Differentiation::clear(std::size_t given) { std::ranges::fill(gradients_[given], 0.0); }

void Differentiation::run(const GraphValues& values, std::size_t step, std::span<const double> gradient) {
    for (std::size_t given = 0; given < gradients_.size(); ++given)
        if (graph_.steps()[given].is_given())
            clear(given);
    add(values, step, gradient);
}

void Differentiation::add(const GraphValues& values, std::size_t step, std::span<const double> gradient) {
    if (std::ssize(gradient) != graph_.steps()[step].extent.size())
        throw Error({"differentiate a program", "", "a gradient " + to_string(graph_.steps()[step].extent),
                     std::to_string(gradient.size()) + " numbers"});
    for (std::size_t passed = 0; passed < gradients_.size(); ++passed)
        if (!graph_.steps()[passed].is_given())
            clear(passed);
    if (!graph_.steps()[step].has_gradient)
        return;
    std::ranges::transform(gradient, gradients_[step], gradients_[step].begin(), std::plus());
    for (std::size_t at = step + 1; at-- > 0;) {
        Interruption::check();
        const GraphStep& passed = graph_.steps()[at];
        if (!passed.has_gradient || !passed.description().backward)
            continue;
        if (passed.node().operation == Operation::solution)
            pass_on_solution(values, at);
        else
            pass_on(values, at, gradients_[at].data(), 0);
    }
}

void Differentiation::pass_on(const GraphValues& values, std::size_t step, const double* gradient,
                              std::size_t first) {
    const GraphStep& at = graph_.steps()[step];
    std::vector<double*> gradients;
    gradients.reserve(at.operands.size());
    for (const std::size_t operand : at.operands) {
        const bool is_asked = operand >= first && graph_.steps()[operand].has_gradient;
        gradients.push_back(is_asked ? gradients_[operand].data() : nullptr);
    }
    if (std::ranges::all_of(gradients, [](const double* each) { return each == nullptr; }))
        return;
    values.with_call(step, [&](const OperationCall& call) {
        at.description().backward(call, values.of(step).data(), gradient, gradients);
    });
}

/// At a solution t of f(t, x) = 0, dt = -(∂f/∂x) dx / (∂f/∂t). First asks for ∂f/∂t, by going back from f to
/// t alone; then f gets the gradient over it. Where f does not change with t, t does not count, and passes
/// none.
void Differentiation::pass_on_solution(const GraphValues& values, std::size_t step) {
    const std::size_t equation = graph_.steps()[step].operands[1], held = graph_.steps()[step].operands[2];
    std::ranges::fill(gradients_[equation], 1.0);
    for (std::size_t at = equation; at > held; --at)
        if (graph_.steps()[at].has_gradient && graph_.steps()[at].description().backward)
            pass_on(values, at, gradients_[at].data(), held);
    std::vector<double> quotients = gradients_[step];
    for (std::size_t i = 0; i < quotients.size(); ++i)
        quotients[i] = gradients_[held][i] == 0 ? 0 : quotients[i] / gradients_[held][i];
    for (std::size_t at = held; at <= equation; ++at)
        std::ranges::fill(gradients_[at], 0.0);
    pass_on(values, step, quotients.data(), equation);
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

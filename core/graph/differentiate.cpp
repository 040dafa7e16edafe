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

void Differentiation::know_passed_steps() {
    const auto& steps = graph_.steps();
    const auto is_passed = [&](std::size_t step) {
        return steps[step].has_gradient && steps[step].description().backward;
    };
    std::size_t count = 0;
    for (std::size_t step = 0; step < steps.size(); ++step)
        count += is_passed(step) ? steps[step].operands.size() : 0;
    operands_.resize(count);
    std::span<double*> rest = operands_;
    for (std::size_t step = steps.size(); step-- > 0;) {
        if (!is_passed(step))
            continue;
        const std::vector<std::size_t>& operands = steps[step].operands;
        const std::span<double*> gradients = rest.first(operands.size());
        rest = rest.subspan(operands.size());
        std::ranges::transform(operands, gradients.begin(),
                               [&](std::size_t operand) { return gradients_[operand].data(); });
        const bool is_solution = steps[step].node().operation == Operation::solution;
        if (std::ranges::any_of(gradients, [](const double* each) { return each != nullptr; }))
            (lasts_[step] ? passed_lasting_ : passed_)
                .push_back({step, is_solution ? nullptr : steps[step].description().backward,
                            gradients_[step].data(), gradients});
    }
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
        if (at.backward)
            at.backward(values.call(at.step), values.of(at.step).data(), at.gradient, at.operands);
        else
            pass_on_solution(values, at.step);
    }
}

void Differentiation::pass_on(const GraphValues& values, std::size_t step, const double* gradient,
                              std::size_t first) {
    const GraphStep& at = graph_.steps()[step];
    constexpr std::size_t usual_count = 4;  // for which no memory is asked
    std::array<double*, usual_count> usual{};
    std::vector<double*> more(at.operands.size() > usual_count ? at.operands.size() : 0);
    const std::span<double*> gradients =
        more.empty() ? std::span(usual).first(at.operands.size()) : std::span(more);
    bool is_any_asked = false;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        const std::size_t operand = at.operands[i];
        if (operand >= first && graph_.steps()[operand].has_gradient)
            gradients[i] = gradients_[operand].data();
        is_any_asked = is_any_asked || gradients[i];
    }
    if (!is_any_asked)
        return;
    at.description().backward(values.call(step), values.of(step).data(), gradient, gradients);
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
    std::vector<double> quotients(gradients_[step].begin(), gradients_[step].end());
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

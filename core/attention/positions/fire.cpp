#include "core/attention/component.h"
#include "core/attention/explained_cell.h"
#include "core/attention/position_bias.h"

#include <cmath>
#include <vector>

namespace headlight {
namespace {

Index hidden(const Plan& plan) { return option<Index>(plan.spec.position.options, "hidden"); }

/// psi(x) = ln(c x + 1)
double squeezed(const Plan& plan, double x) {
    return std::log1p(option<double>(plan.spec.position.options, "c") * x);
}

/// psi(|i - j|) / psi(max(i, L)), between 0 and 1 for keys before the query: how far back, as a share of how
/// far back there is.
double share(const Plan& plan, Index query, Index distance) {
    const double reach =
        std::max(static_cast<double>(query), option<double>(plan.spec.position.options, "L"));
    return squeezed(plan, static_cast<double>(std::abs(distance))) / squeezed(plan, reach);
}

template <class Real>
void add_fire_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const Index distances = std::max(plan.queries, plan.keys), units = hidden(plan), heads = plan.heads;
    Real* logarithms = pipeline.operands.allocate(distances);
    for (Index distance = 0; distance < distances; ++distance)
        logarithms[distance] = static_cast<Real>(squeezed(plan, static_cast<double>(distance)));
    const Real* W_1 = pipeline.operands.vector("W_fire_1");
    const Real* b_1 = pipeline.operands.vector("b_fire_1");
    const Real* W_2 = pipeline.operands.vector("W_fire_2");
    const Real* b_2 = pipeline.operands.vector("b_fire_2");
    add_position_bias(plan, pipeline, [=, &plan](const ScoreRow<Real>& row, Real* numbers) {
        thread_local std::vector<Real> shares;
        shares.resize(static_cast<std::size_t>(row.size));
        const double reach =
            std::max(static_cast<double>(row.query), option<double>(plan.spec.position.options, "L"));
        const Real whole = static_cast<Real>(squeezed(plan, reach));
        for (Index key = 0; key < row.size; ++key) {
            shares[static_cast<std::size_t>(key)] = logarithms[std::abs(row.query - key)] / whole;
            numbers[key] = b_2[row.head];
        }
        for (Index unit = 0; unit < units; ++unit)
            for (Index key = 0; key < row.size; ++key)
                numbers[key] +=
                    W_2[unit * heads + row.head] *
                    std::max(W_1[unit] * shares[static_cast<std::size_t>(key)] + b_1[unit], Real(0));
    });
}

Arithmetic explain_fire(const ExplainedCell& cell, std::string_view stage) {
    if (stage == "position_bias")
        return "the learned curve at " + written(share(cell.plan, cell.row, cell.row - cell.column)) +
               ", the logarithm of the distance over that of the longest";
    return {};
}

}  // namespace

PositionComponent declare_positions_fire() {
    PositionComponent component;
    component.type = PositionType::fire;
    component.word = "fire";
    component.meaning =
        "s + f(ψ(i − j) / ψ(max(i, L))), ψ(x) = ln(c x + 1), f a small network: the distance as a share "
        "of the longest one (Li et al. 2024)";
    component.options = {
        {.name = "hidden",
         .label = "Hidden units",
         .standard = Index(32),
         .minimum = 1,
         .maximum = 512,
         .logarithmic = true,
         .help = "Width of the network f: one number in, these, one number for each head out."},
        {.name = "c",
         .label = "Curvature",
         .standard = 0.1,
         .minimum = 0.001,
         .maximum = 100,
         .logarithmic = true,
         .help = "c of ψ(x) = ln(c x + 1): the larger, the more of the curve is spent on near keys."},
        {.name = "L",
         .label = "Threshold",
         .standard = 512.0,
         .minimum = 1,
         .maximum = 65536,
         .logarithmic = true,
         .help = "Queries before this place divide by ψ(L), later ones by ψ of their own place."},
    };
    component.known_parameters = {
        {"W_fire_1", {}, "[1, hidden]: first layer of the curve of distances (fire)"},
        {"b_fire_1", {}, "[hidden]: is added before its ReLU"},
        {"W_fire_2", {}, "[hidden, h]: second layer, one bias for each head"},
        {"b_fire_2", {}, "[h]: is added to that"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_fire_1", {1, hidden(plan)}, "first layer of the curve of distances");
        list.add("b_fire_1", {hidden(plan)}, "is added before its ReLU");
        list.add("W_fire_2", {hidden(plan), plan.heads}, "second layer, one bias for each head");
        list.add("b_fire_2", {plan.heads}, "is added to that", 0.0);
    };
    component.has_bias = true;
    component.steps = [](const Plan& plan, auto& pipeline) { add_fire_steps(plan, pipeline); };
    component.explain = explain_fire;
    return component;
}

}  // namespace headlight

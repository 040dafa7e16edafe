#include "core/attention/position_bias.h"
#include "core/attention/positions/pair_places.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

Index hidden(const Plan& plan) { return plan.position().count("hidden"); }

/// psi(x) = ln(c x + 1)
double squeezed(const Plan& plan, double x) { return std::log1p(plan.position().number("c") * x); }

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
        const double reach = std::max(static_cast<double>(row.query), plan.position().number("L"));
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

Expression define_fire(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    const Options& options = plan.position();
    const Index n = plan.queries, m = plan.keys;
    const double c = options.number("c"), L = options.number("L");
    const Expression near =
        composer.of_places("pair_distances", {0, n * m, 1}, "|i − j| of each pair, one below another",
                           [m](Place at) { return static_cast<double>(std::abs(at.row / m - at.row % m)); });
    const Expression far =
        composer.of_places("pair_lengths", {0, n * m, 1}, "max(i, L) of each pair",
                           [m, L](Place at) { return std::max(static_cast<double>(at.row / m), L); });
    const Expression shares =
        composer.let("pair_shares", log_of(c * near + 1) / log_of(c * far + 1), "ψ(|i − j|) / ψ(max(i, L))");
    const Expression units = composer.let(
        "pair_hidden", relu_of(shares * composer.parameter("W_fire_1") + composer.parameter("b_fire_1")),
        "the hidden layer of each pair");
    const Expression biases = composer.let("pair_biases", composer.projected(units, "W_fire_2", "b_fire_2"),
                                           "a number for each head");
    const Expression by_head = composer.let("bias_of_pairs", split_rows(transposed(biases), composer.heads));
    return from_row(by_head, n, m, [=](Index query, Index key) { return query * m + key; });
}

}  // namespace

PositionComponent declare_positions_fire() {
    PositionComponent component;
    component.meaning =
        "s + f(ψ(i − j) / ψ(max(i, L))), ψ(x) = ln(c x + 1), f a small network: the distance as a share "
        "of the longest one (Li et al. 2024)";
    component.options = {
        count_option("hidden", "Hidden units", 32, logarithmic_range(1, 512),
                     "Width of the network f: one number in, these, one number for each head out."),
        number_option("c", "Curvature", 0.1, logarithmic_range(0.001, 100),
                      "c of ψ(x) = ln(c x + 1): the larger, the more of the curve is spent on near keys."),
        number_option("L", "Threshold", 512.0, token_counts,
                      "Queries before this place divide by ψ(L), later ones by ψ of their own place."),
    };
    component.known_parameters = {{"W_fire_1", "[1, hidden]", "first layer of the curve of distances"},
                                  {"b_fire_1", "[hidden]", "is added before its ReLU"},
                                  {"W_fire_2", "[hidden, h]", "second layer, one bias for each head"},
                                  {"b_fire_2", "[h]", "is added to that"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_fire_1", {1, hidden(plan)});
        list.add("b_fire_1", {hidden(plan)});
        list.add_with_bias("W_fire_2", {hidden(plan), plan.heads});
    };
    component.has_bias = true;
    component.steps = [](const Plan& plan, auto& pipeline) { add_fire_steps(plan, pipeline); };
    component.define_bias = define_fire;
    return component;
}

}  // namespace headlight

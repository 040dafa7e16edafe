#include "core/attention/component.h"
#include "core/attention/composer.h"
#include "core/attention/pipeline.h"
#include "core/attention/refusals.h"
#include "core/attention/softmax_rows.h"
#include "core/attention/spec_words.h"
#include "core/attention/stage_list.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {
namespace {

double strength_of(const Plan& plan) { return plan.algorithm().number("strength"); }

/// Numbers of r in one head: as many as of a key.
Index probe_width(const Plan& plan) { return plan.head_key_width(); }

/// r . k of one row, [m]: 0 for a key that the query may not see, whatever it holds.
template <class Real>
void probe_keys(const Plan& plan, const Operands<Real>& operands, MatrixView<const Real> probes,
                const ScoreRow<Real>& row, Real* products) {
    const Index width = probe_width(plan);
    const MatrixView<const Real> keys = operands.compared_key(plan.kv_head(row.head));
    const Real* r = probes.row(row.query) + row.head * width;
    const Real strength = static_cast<Real>(strength_of(plan));
    const auto is_allowed = plan.allowed.row(row.query);
    std::fill_n(products, row.size, Real(0));
    for_each_stretch(
        row.size,
        [&](Index key) { return plan.spec.mask_value || is_allowed[static_cast<std::size_t>(key)] != 0; },
        [&](Index first, Index count) {
            operands.arithmetic().inner_products(r, keys.row_range(first, count), strength, products + first);
        });
}

/// p_j (1 + E_p[s] - s_j) in place of p_j, s = r . k without a scale: sum_j of it times v_j is
/// E_p[v] - Cov_p(s, v) (Zuo et al. 2026, algorithm 1).
template <class Real>
void add_parallax_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    Operands<Real>& operands = pipeline.operands;
    const MatrixView<const Real> probes = operands.projected(operands.query_tokens(), "W_r");
    pipeline.prepare.push_back([&plan, probes](Index head, const Recorder& record) {
        const Index width = probe_width(plan);
        for (Index query = 0; query < plan.queries; ++query)
            record.write("probe", (head * plan.queries + query) * width, probes.row(query) + head * width,
                         width);
    });
    pipeline.after_normalize.push_back(
        [&plan, &operands, probes](const ScoreRow<Real>& row, const Recorder& record) {
            if (row.size == 0)
                return;
            thread_local std::vector<Real> products;
            products.resize(static_cast<std::size_t>(row.size));
            Real* s = products.data();
            probe_keys(plan, operands, probes, row, s);
            // Counted from the heaviest key's s: next to a large one neither the 1 nor what the others add
            // would be left.
            const Real heaviest = s[std::max_element(row.values, row.values + row.size) - row.values];
            Real above = 0;
            for (Index key = 0; key < row.size; ++key)
                above += row.values[key] * (s[key] - heaviest);
            const Real mean = heaviest + above;
            for (Index key = 0; key < row.size; ++key) {
                const Real weight = row.values[key];  // 0 would become a negative zero
                row.values[key] = weight != 0 ? weight * ((above - (s[key] - heaviest)) + 1) : weight;
            }
            const Index at = row.head * plan.queries + row.query;
            record.write("probe_products", at * plan.keys, s, row.size);
            record.write("probe_means", at, &mean, 1);
        });
}

/// The mean is one of rows that sum to 1, and of one head.
void check_parallax(const Plan& plan) {
    const std::string what = "parallax algorithm";
    require_softmax(plan, what, "what is corrected is the mean of the values under its weights");
    if (plan.spec.selection.type == SelectionType::predicted_window)
        throw Error(
            {what, "selection", "one that leaves the sum of a row at 1", to_word(plan.spec.selection.type)});
    refuse_mixed_heads(plan, what);
}

Expression define_parallax(Composer& composer, const Expression& weights) {
    const Expression probe =
        composer.let("probe", composer.projected_by_heads(composer.query_tokens, "W_r"), "x W_r");
    const Expression s = composer.let(
        "probe_products",
        composer.where_open(strength_of(composer.plan) * product_transposed(probe, composer.key), 0),
        "strength × r · k");
    const Expression mean =
        composer.let("probe_means", sum_of_columns(weights * s), "their mean under the weights");
    return composer.let("weights", weights * (1 + mean - s), "weights with their first-order change");
}

}  // namespace

AlgorithmComponent declare_algorithms_parallax() {
    AlgorithmComponent component;
    component.meaning =
        "o = E_p[v] − Cov_p(r · k, v) with p what the other parts of the spec give and r = x W_r, a second "
        "query: each weight is multiplied by 1 + E_p[s] − s, s = r · k (Zuo et al. 2026)";
    component.options = {number_option("strength", "Strength", 1.0, {-10, 10},
                                       "What r · k is multiplied by: at 0 attention is the softmax alone.")};
    component.known_parameters = {
        {"W_r", "[d_q, h d_k]", "projects a token vector to the probe r of each head"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_r", {plan.tokens.query_width, plan.heads * probe_width(plan)});
    };
    component.is_composed = true;
    component.changes_weights = true;
    component.takes_any_mask = true;
    component.check = check_parallax;
    component.stages = [](const Plan& plan, StageList& list) {
        list.add_vectors("probe", Axis::query, probe_width(plan));
        list.add_map("probe_products");
        list.add_column("probe_means");
    };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        return StepMemory{.kept = elements(plan.queries, plan.heads, probe_width(plan)) * needs.real,
                          .working = elements(plan.keys) * needs.real};
    };
    component.declared_stages = {
        made_stage("probe", "Probe", {"", token_operands(), "× Wᵣ\n="}),
        made_stage("probe_products", "Probe on the keys",
                   {"", {{"probe"}, times_keys_of("key")}, "× strength,\nmask\n→"}),
        {"probe_means", "Mean of the probe"},
        made_stage("weights", "Weights",
                   {"", {{"soft_weights"}, optional_stage("probe_products", "and")}, "correct\n→"})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_parallax_steps(plan, pipeline); };
    component.cost = [](const Plan& plan) -> AlgorithmCost {
        const auto probes = static_cast<double>(plan.queries * plan.tokens.query_width);
        const auto pairs = static_cast<double>(plan.allowed.count());
        return {.multiply_adds = (probes + pairs) * static_cast<double>(plan.heads * probe_width(plan))};
    };
    component.define_weights = define_parallax;
    return component;
}

}  // namespace headlight

#include "core/attention/component.h"
#include "core/attention/composer.h"
#include "core/attention/pipeline.h"
#include "core/attention/positions/pair_places.h"
#include "core/attention/sigmoid.h"

#include <cmath>

namespace headlight {
namespace {

Index most_cope_places(const Plan& plan) { return plan.position().count("positions"); }

/// The place of every key as the query counts it, p_j = sum of the gates from j to the last key that it sees:
/// sigmoid of each scaled score, 0 for keys that the mask forbids it to see.
template <class Real>
void count_places(const Plan& plan, const ScoreRow<Real>& row, Real* gates, Real* places) {
    double count = 0;
    const auto last = static_cast<double>(most_cope_places(plan) - 1);
    const AllowedRow is_allowed = plan.allowed.row(row.query);
    const bool are_all_seen = plan.spec.mask_value.has_value();
    for (Index key = row.size - 1; key >= 0; --key) {
        const double score = static_cast<double>(row.values[key]);
        const double gate = are_all_seen || is_allowed[static_cast<std::size_t>(key)] ? sigmoid(score) : 0;
        count += gate;
        gates[key] = static_cast<Real>(gate);
        places[key] = static_cast<Real>(std::min(count, last));
    }
}

template <class Real>
void add_cope_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const MatrixView<const Real> table =
        row_major(pipeline.operands.vector("e_p"), plan.head_query_width(), most_cope_places(plan));
    pipeline.bias.push_back([=, &plan, &pipeline](const ScoreRow<Real>& row, const Recorder& record) {
        thread_local std::vector<Real> products, gates, places, terms;
        products.resize(static_cast<std::size_t>(table.columns));
        for (auto* each : {&gates, &places, &terms})
            each->resize(static_cast<std::size_t>(row.size));
        pipeline.operands.multiply_columns(pipeline.operands.compared_query(row.head).row(row.query), table,
                                           products.data());
        count_places(plan, row, gates.data(), places.data());
        for (Index key = 0; key < row.size; ++key) {
            const auto at = static_cast<std::size_t>(key);
            const Real below = std::floor(places[at]);
            const auto lower = static_cast<std::size_t>(below);
            const std::size_t upper = std::min(lower + 1, products.size() - 1);
            const Real share = places[at] - below;
            terms[at] = (1 - share) * products[lower] + share * products[upper];
            row.values[key] += terms[at];
        }
        const Index place = (row.head * plan.queries + row.query) * plan.keys;
        record.write("gates", place, gates.data(), row.size);
        record.write("counted_positions", place, places.data(), row.size);
        record.write("position_bias", place, terms.data(), row.size);
    });
}

/// Places that the scores count, between two of the table's.
Expression define_cope(Composer& composer, const Expression& scaled_scores) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries, m = plan.keys;
    const Expression e = composer.parameter("e_p");
    const Index positions = e.extent().columns;
    const Expression gates = composer.let("gates", composer.where_open(sigmoid_of(scaled_scores), 0),
                                          "whether a key counts as a place");
    const Expression later = composer.of_places("from_here", {0, m, m}, "1 for each key from this one on",
                                                [](Place at) { return at.row >= at.column ? 1.0 : 0.0; });
    const Expression counts = composer.let(
        "counted_positions", smaller_of(product(gates, later), static_cast<double>(positions - 1)),
        "places from the key to the query");
    const Expression asked =
        composer.let("place_scores", product(composer.query, e), "what each query asks of each place");
    const Places query_of_pair = places_of(n * m, 1, [m](Index pair, Index) { return pair / m; });
    const Places key_of_pair = places_of(n * m, 1, [m](Index pair, Index) { return pair % m; });
    const Expression of_pair =
        composer.let("place_of_pair", pick(counts, query_of_pair, key_of_pair), "one pair below another");
    const Expression answers =
        composer.let("scores_of_pair", pick(asked, query_of_pair, {1, positions, counted(0, positions)}));
    const Expression numbers =
        composer.constant("place_numbers", {0, 1, positions}, "0, 1, 2, ...",
                          [](Index, Index, Index column) { return static_cast<double>(column); });
    const Expression between =
        composer.let("bias_of_pair", sum_of_columns(relu_of(1 - absolute_of(of_pair - numbers)) * answers),
                     "between the two nearest places");
    return from_column(between, n, m, [m](Index query, Index key) { return query * m + key; });
}

}  // namespace

PositionComponent declare_positions_cope() {
    PositionComponent component;
    component.meaning =
        "s + q · e[p], p = Σ sigmoid(s) from the key to the query, s the scaled score: each query counts the "
        "keys that it cares for (Golovneva et al. 2024). The sum goes to the last key that the query may "
        "see: without a causal mask to the end of the text";
    component.options = {count_option("positions", "Positions", 16, logarithmic_range(1, 4096),
                                      "Vectors in the table; a count beyond the last one stays there.")};
    component.known_parameters = {
        {"e_p", "[d_k, positions], shared by the heads", "column p is the vector of count p"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("e_p", {plan.head_query_width(), most_cope_places(plan)});
    };
    component.has_bias = true;
    component.stages = [](const Plan&, StageList& list) {
        list.add_map("gates");
        list.add_map("counted_positions");
    };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        return StepMemory{.working = elements(most_cope_places(plan) + 3 * plan.keys) * needs.real};
    };
    component.declared_stages = {made_stage("gates", "Gates", {}, {.is_share = true}),
                                 {"counted_positions", "Counted positions"}};
    component.steps = [](const Plan& plan, auto& pipeline) { add_cope_steps(plan, pipeline); };
    component.define_bias = define_cope;
    return component;
}

}  // namespace headlight

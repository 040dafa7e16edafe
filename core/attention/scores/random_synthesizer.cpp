#include "core/attention/component.h"
#include "core/attention/composer.h"
#include "core/attention/pipeline.h"
#include "core/tensor/interruption.h"

namespace headlight {
namespace {

Index factor_rank(const Plan& plan) { return plan.score().count("rank"); }

/// A score of one head's pair: R itself, or its two factors multiplied.
double score_of(const Plan& plan, Index head, Index query, Index key) {
    if (factor_rank(plan) == 0)
        return plan.parameter("R")(head * plan.queries + query, key);
    double sum = 0;
    for (Index r = 0; r < factor_rank(plan); ++r)
        sum += plan.parameter("R_1")(head * plan.queries + query, r) *
               plan.parameter("R_2")(head * plan.keys + key, r);
    return sum;
}

/// The scores depend on nothing that a run brings: they are made once.
template <class Real>
void add_random_synthesizer_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const Index n = plan.queries, m = plan.keys;
    Real* scores = pipeline.operands.allocate(plan.heads * n * m);
    for (Index head = 0; head < plan.heads; ++head)
        for (Index query = 0; query < n; ++query) {
            Interruption::check();
            for (Index key = 0; key < m; ++key)
                scores[(head * n + query) * m + key] = static_cast<Real>(score_of(plan, head, query, key));
        }
    pipeline.score = [scores, n, m](const ScoreRow<Real>& row, const Recorder&) {
        std::copy_n(scores + (row.head * n + row.query) * m, row.size, row.values);
    };
}

Expression define_random_synthesizer_scores(Composer& composer) {
    if (factor_rank(composer.plan) == 0)
        return composer.matrices_of_heads("R");
    return product_transposed(composer.let("R_queries", composer.matrices_of_heads("R_1")),
                              composer.let("R_keys", composer.matrices_of_heads("R_2")));
}

}  // namespace

ScoreComponent declare_scores_random_synthesizer() {
    ScoreComponent component;
    component.meaning = "R, a matrix of scores that is learned, or left random, and the same for every input "
                        "(Tay et al. 2021, section 3)";
    component.compares_widths = false;
    component.options = {
        count_option(
            "rank", "Rank", 0, {0, 512},
            "Makes R a product of two thin matrices with this many columns: fewer numbers, R_1 R_2ᵀ.",
            "full"),
    };
    component.known_parameters = {{"R", "[h n, m]", "the scores of every head, one below another"},
                                  {"R_1", "[h n, rank]", "the queries’ factor of R, head by head"},
                                  {"R_2", "[h m, rank]", "the keys’ factor of R, head by head"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        if (factor_rank(plan) == 0) {
            list.add("R", {plan.heads * plan.queries, plan.keys});
            return;
        }
        list.add("R_1", {plan.heads * plan.queries, factor_rank(plan)});
        list.add("R_2", {plan.heads * plan.keys, factor_rank(plan)});
    };
    component.multiply_adds = [](const Plan&) { return 0.0; };  // nothing is multiplied for a pair
    component.copies_parameters = false;
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        return StepMemory{.kept = elements(plan.heads, plan.queries, plan.keys) * needs.real};
    };
    component.steps = [](const Plan& plan, auto& pipeline) { add_random_synthesizer_steps(plan, pipeline); };
    component.define = define_random_synthesizer_scores;
    return component;
}

}  // namespace headlight

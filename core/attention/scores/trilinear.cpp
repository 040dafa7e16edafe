#include "core/attention/scores/defined_scores.h"
#include "core/attention/scores/key_columns.h"
#include "core/attention/scores/linear_parts.h"
#include "core/attention/work.h"

namespace headlight {
namespace {

template <class Real>
void add_trilinear_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const auto parts = std::make_shared<LinearParts<Real>>(plan, pipeline.operands);
    const auto keys = std::make_shared<KeyColumns<Real>>(plan, pipeline.operands);
    const Index width = plan.head_key_width();
    const Real* of_product = pipeline.operands.vector("w") + 2 * width;
    pipeline.prepare.push_back([parts, keys](Index head, const Recorder&) {
        parts->fill(head);
        keys->fill(head);
    });
    pipeline.score = [parts, keys, width, of_product,
                      &by = pipeline.operands.arithmetic()](const ScoreRow<Real>& row, const Recorder&) {
        const Real of_query = parts->of_query(row);
        const Real* of_keys = parts->of_keys(row);
        const Real* query = keys->query(row.head, row.query);
        for (Index key = 0; key < row.size; ++key)
            row.values[key] = of_query + of_keys[key];
        thread_local std::vector<Real> factors;
        factors.assign(query, query + width);
        for (Index c = 0; c < width; ++c)
            factors[static_cast<std::size_t>(c)] *= of_product[c];
        by.add_scaled_rows(factors.data(), keys->features(row.head).column_range(0, row.size), row.values);
    };
}

Expression define_trilinear_scores(Composer& composer) {
    const Index width = composer.plan.head_query_width();
    const Expression of_product =
        composer.let("w_product", some_columns(composer.parameter("w"), counted(2 * width, width)),
                     "the part of w that meets q ∘ k");
    const Expression weighted = composer.let("weighted_query", composer.query * of_product);
    return define_linear_sum(composer) + product_transposed(weighted, composer.key);
}

}  // namespace

ScoreComponent declare_scores_trilinear() {
    ScoreComponent component;
    component.meaning = "w · [q; k; q ∘ k] + b: what query and key add on their own, and a weighted dot "
                        "product (Seo et al. 2017; b with \"bias\")";
    component.known_parameters = {
        {"w", "[3 d_k] per head", "weighs the features of a query, then of a key, then of their product"},
        score_bias_name()};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        add_linear_parameters(plan, list, 3 * plan.head_key_width());
    };
    component.multiply_adds = [](const Plan& plan) {
        return work_of_pairs(plan, plan.head_query_width()) + work_of_tokens(plan, plan.head_query_width()) +
               work({plan.heads, plan.queries, plan.head_query_width()});
    };
    component.memory = key_columns_memory;
    component.steps = [](const Plan& plan, auto& pipeline) { add_trilinear_steps(plan, pipeline); };
    component.define = define_trilinear_scores;
    return component;
}

}  // namespace headlight

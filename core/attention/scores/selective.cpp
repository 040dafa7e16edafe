#include "core/attention/scores/defined_scores.h"
#include "core/attention/scores/product_map.h"
#include "core/tensor/interruption.h"

#include <algorithm>

namespace headlight {
namespace {

bool may_erase(const Plan& plan, Index query, Index key) {
    return key != 0 && key != query && (plan.spec.mask_value || plan.allowed.allowed(query, key));
}

template <class Real>
void add_selective_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const auto products = std::make_shared<ProductMap<Real>>(plan, pipeline.operands);
    const Index n = plan.queries, m = plan.keys;
    Real* erasures = pipeline.operands.allocate(n * m);  // what query t takes from key j
    Real* sums = pipeline.operands.allocate(n * m);      // what the queries before t have taken
    pipeline.prepare.push_back([=, &plan](Index head, const Recorder& record) {
        products->fill(head);
        record.write("token_scores", head * n * m, products->row(head, 0), n * m);
        if (head != 0)
            return;
        for (Index query = 0; query < n; ++query) {
            Interruption::check();
            for (Index key = 0; key < m; ++key) {
                const Index cell = query * m + key;
                erasures[cell] =
                    may_erase(plan, query, key) ? std::max(products->row(0, query)[key], Real(0)) : Real(0);
                sums[cell] = query == 0 ? Real(0) : sums[cell - m] + erasures[cell - m];
            }
        }
        for (Index each = 0; each < plan.heads; ++each) {
            Interruption::check();
            record.write("erasures", each * n * m, erasures, n * m);
            record.write("erased", each * n * m, sums, n * m);
        }
    });
    pipeline.score = [=](const ScoreRow<Real>& row, const Recorder&) {
        const Real* product = products->row(row.head, row.query);
        const Real* erased = sums + row.query * m;
        for (Index key = 0; key < row.size; ++key)
            row.values[key] = product[key] - erased[key];
    };
}

/// Scores less what the queries before erased.
Expression define_selective_scores(Composer& composer) {
    const Plan& plan = composer.plan;
    const Expression content = composer.let("token_scores", define_scaled_products(composer), "q · k / √d");
    const Expression erases = composer.of_places(
        "erases", {0, plan.queries, plan.keys}, "1 where a query may erase a key for those after it",
        [excludes = composer.mask_excludes(), may_meet = composer.may_meet](Place at) {
            const bool is_between = at.column != 0 && at.column != at.row;
            return is_between && (!excludes || may_meet(at.row, at.column)) ? 1.0 : 0.0;
        });
    const Expression of_first_head =
        take_heads(content, std::vector<Index>(static_cast<std::size_t>(plan.heads), 0));
    const Expression first = composer.let("erasures", relu_of(of_first_head) * erases,
                                          "what each query erases: positive scores of the first head");
    const Expression before = composer.of_places("queries_before", {0, plan.queries, plan.queries},
                                                 "1 for each query before this one",
                                                 [](Place at) { return at.column < at.row ? 1.0 : 0.0; });
    const Expression lost = composer.let("erased", product(before, first));
    return content - lost;
}

}  // namespace

ScoreComponent declare_scores_selective() {
    ScoreComponent component;
    component.meaning =
        "q · k / √d − F: F sums what the queries before erased, max(0, score of head 1), never "
        "the first key nor a query’s own (Leviathan, Kalman and Matias 2025, section 3)";
    component.stages = [](const Plan&, StageList& list) {
        list.add_map("token_scores");
        list.add_map("erasures");
        list.add_map("erased");
    };
    component.is_product = true;
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        StepMemory memory = product_map_memory(plan, needs);
        memory.kept += elements(2, plan.queries, plan.keys) * needs.real;  // erasures and their sums
        return memory;
    };
    component.declared_stages = {
        {"token_scores", "Scores of single tokens"},
        {"erasures", "Erasures"},
        {"erased", "Erased so far"},
        made_stage("scores", "Scores", {"", {{"token_scores"}, {"erased", "−"}}, "="})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_selective_steps(plan, pipeline); };
    component.define = define_selective_scores;
    return component;
}

}  // namespace headlight

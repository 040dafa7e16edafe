#include "core/attention/scores/defined_scores.h"
#include "core/attention/scores/product_map.h"
#include "core/attention/work.h"
#include "core/tensor/interruption.h"

#include <algorithm>

namespace headlight {
namespace {

Index query_width(const Plan& plan) { return plan.score().count("query_width"); }
Index key_width(const Plan& plan) { return plan.score().count("key_width"); }

/// Where the kernel's column b reads, seen from the key that it writes.
Index shift(const Plan& plan, Index b) { return key_width(plan) / 2 - b; }

template <class Real>
void add_multi_token_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const auto products = std::make_shared<ProductMap<Real>>(plan, pipeline.operands);
    const Index n = plan.queries, m = plan.keys;
    pipeline.prepare.push_back([&plan, products, n, m](Index head, const Recorder& record) {
        products->fill(head);
        Real* map = products->row(head, 0);
        for (Index query = 0; query < n && !plan.spec.mask_value; ++query) {
            Interruption::check();
            for (Index key = 0; key < m; ++key)
                if (!plan.allowed.allowed(query, key))
                    map[query * m + key] = 0;
        }
        record.write("token_scores", head * n * m, map, n * m);
    });
    pipeline.score = [&plan, products, m, &arithmetic = pipeline.operands.arithmetic(),
                      theta = pipeline.operands.vector("theta")](const ScoreRow<Real>& row, const Recorder&) {
        const Index rows = query_width(plan), columns = key_width(plan);
        std::fill_n(row.values, row.size, Real(0));
        for (Index a = 0; a < rows && a <= row.query; ++a) {
            const Real* from = products->row(row.head, row.query - a);
            for (Index b = 0; b < columns; ++b) {
                const Real factor = theta[(row.head * rows + a) * columns + b];
                const Index by = shift(plan, b), first = std::max<Index>(0, -by);
                const Index count = std::min(row.size, m - by) - first;
                if (count > 0)
                    arithmetic.add_scaled(factor, from + first + by, count, row.values + first);
            }
        }
    };
}

/// Kernels theta over the scores of neighbouring queries and keys.
Expression define_multi_token_scores(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries, m = plan.keys;
    const Index rows = query_width(plan);
    const Expression raw = define_scaled_products(composer);
    const Expression alone = composer.let("token_scores", composer.where_open(raw, 0),
                                          "q · k / √d, 0 where the mask forbids the pair");
    const Expression theta = composer.let("kernel", composer.matrices_of_heads("theta"), "θ of each head");
    const Index width = theta.extent().columns, half = width / 2;
    std::optional<Expression> sum;
    for (Index back = 0; back < std::min(rows, n); ++back) {
        const std::string number = std::to_string(back);
        std::optional<Expression> kernel;
        for (Index at = 0; at < width; ++at) {
            const Expression shifted_key = composer.of_places(
                numbered("shift_", at), {0, m, m}, "1 where a key is read for another",
                [=](Place pair) { return pair.row == pair.column + half - at ? 1.0 : 0.0; });
            const Expression term = pick(theta, {1, 1, {back}}, {1, 1, {at}}) * shifted_key;
            kernel = kernel ? *kernel + term : term;
        }
        const Expression across = composer.let("kernel_" + number, *kernel, "θ as a matrix of keys");
        const Expression down = composer.of_places(
            "queries_back_" + number, {0, n, n}, "1 where a query reads one " + number + " places back",
            [=](Place pair) { return pair.row - pair.column == back ? 1.0 : 0.0; });
        const Expression shifted = composer.let("scores_back_" + number, product(down, alone));
        const Expression term = product(shifted, across);
        sum = sum ? *sum + term : term;
    }
    return *sum;
}

}  // namespace

ScoreComponent declare_scores_multi_token() {
    ScoreComponent component;
    component.meaning = "a kernel θ over q · k / √d of neighbouring queries and keys, so that several tokens "
                        "find together; forbidden pairs count as 0 (Golovneva et al. 2025, section 3.1)";
    component.options = {
        count_option("query_width", "Queries in the kernel", 2, {1, 64},
                     "How many queries, the present one and those before it, each score is made of."),
        count_option("key_width", "Keys in the kernel", 3, {1, 64},
                     "How many neighbouring keys each score is made of; of an even number one more to the "
                     "right of the key."),
    };
    component.known_parameters = {{"theta", "[h query_width, key_width]",
                                   "the kernel of each head, one below another; row a is for the query a "
                                   "places back, column b for the key key_width / 2 − b places ahead"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index size = query_width(plan) * key_width(plan);
        list.add("theta", {plan.heads * query_width(plan), key_width(plan)}, 1 / static_cast<double>(size));
    };
    component.stages = [](const Plan&, StageList& list) { list.add_map("token_scores"); };
    component.is_product = true;
    component.multiply_adds = [](const Plan& plan) {
        return work_of_pairs(plan, plan.head_query_width() + query_width(plan) * key_width(plan));
    };
    component.memory = product_map_memory;
    component.declared_stages = {{"token_scores", "Scores of single tokens"}};
    component.steps = [](const Plan& plan, auto& pipeline) { add_multi_token_steps(plan, pipeline); };
    component.define = define_multi_token_scores;
    return component;
}

}  // namespace headlight

#include "core/attention/component.h"
#include "core/attention/pipeline.h"
#include "core/attention/positions/pair_places.h"

namespace headlight {
namespace {

Index most_shaw_places(const Plan& plan) { return plan.position().count("distance"); }
bool adds_to_values(const AttentionSpec& spec) { return spec.position.options.flag("values"); }
bool has_values(const Plan& plan) { return adds_to_values(plan.spec); }

/// Row of the tables for j - i.
Index row_of(const Plan& plan, Index query, Index key) {
    return std::clamp(key - query, -most_shaw_places(plan), most_shaw_places(plan)) + most_shaw_places(plan);
}

/// a^K with a column for each distance.
template <class Real>
MatrixView<const Real> key_table(const Plan& plan, Operands<Real>& operands) {
    const Tensor& given = plan.parameter("a_K");
    const MatrixView<Real> table = operands.allocate(given.cols(), given.rows());
    for (Index distance = 0; distance < given.rows(); ++distance)
        for (Index feature = 0; feature < given.cols(); ++feature)
            table.row(feature)[distance] = static_cast<Real>(given(distance, feature));
    return table;
}

/// S_ij = q_i . (k_j + a^K_(j-i)) = q_i . k_j + q_i . a^K_(j-i): a query meets each vector of the table once.
template <class Real>
void add_to_scores(const Plan& plan, Pipeline<Real>& pipeline) {
    const MatrixView<const Real> table = key_table(plan, pipeline.operands);
    pipeline.after_score.push_back([=, &plan, &pipeline](const ScoreRow<Real>& row, const Recorder& record) {
        thread_local std::vector<Real> products, terms;
        products.resize(static_cast<std::size_t>(table.columns));
        terms.resize(static_cast<std::size_t>(row.size));
        pipeline.operands.multiply_columns(pipeline.operands.compared_query(row.head).row(row.query), table,
                                           products.data());
        for (Index key = 0; key < row.size; ++key) {
            terms[static_cast<std::size_t>(key)] =
                products[static_cast<std::size_t>(row_of(plan, row.query, key))];
            row.values[key] += terms[static_cast<std::size_t>(key)];
        }
        record.write("relative_scores", (row.head * plan.queries + row.query) * plan.keys, terms.data(),
                     row.size);
    });
}

/// O_i = sum_j A_ij (v_j + a^V_(j-i)): the weights of equal distance are added up before they meet the table.
template <class Real>
void add_to_context(const Plan& plan, Pipeline<Real>& pipeline) {
    const Real* table = pipeline.operands.vector("a_V");
    pipeline.after_context.push_back([=, &plan, &by = pipeline.operands.arithmetic()](
                                         Index, Index query, const Real* weights, Real* context) {
        thread_local std::vector<Real> sums;  // of the weights at each distance
        sums.assign(static_cast<std::size_t>(2 * most_shaw_places(plan) + 1), Real(0));
        const Index end = plan.spec.mask_value ? plan.keys : plan.allowed.end(query);
        const Index distance = most_shaw_places(plan);
        for (Index key = 0; key < end; ++key)
            sums[static_cast<std::size_t>(std::clamp(key - query, -distance, distance) + distance)] +=
                weights[key];
        by.add_scaled_rows(sums.data(), row_major(table, std::ssize(sums), plan.head_value_width()), context);
    });
}

void add_shaw_steps(const Plan& plan, auto& pipeline) {
    add_to_scores(plan, pipeline);
    if (has_values(plan))
        add_to_context(plan, pipeline);
}

Expression define_scores_of_shaw(Composer& composer, const Expression& scores) {
    const Expression a = composer.parameter("a_K");
    const Expression relative = composer.let("distance_scores", product_transposed(composer.query, a),
                                             "what each query asks of each distance");
    return scores +
           composer.let("relative_scores",
                        by_distance(composer, relative, [&plan = composer.plan](Index query, Index key) {
                            return row_of(plan, query, key);
                        }));
}

Expression define_context_of_shaw(Composer& composer, const Expression& weights, const Expression& context) {
    const Plan& plan = composer.plan;
    if (!has_values(plan))
        return context;
    const Expression a = composer.parameter("a_V");
    std::vector<Expression> rows;
    for (Index query = 0; query < plan.queries; ++query) {
        const std::string number = std::to_string(query + 1);
        std::vector<Index> distances;
        for (Index key = 0; key < plan.keys; ++key)
            distances.push_back(row_of(plan, query, key));
        const Expression own = composer.let("weights_of_query_" + number, some_rows(weights, {query}));
        const Expression vectors = composer.let("distances_of_query_" + number, some_rows(a, distances));
        rows.push_back(composer.let("distance_context_" + number, product(own, vectors)));
    }
    return context + join_rows(rows);
}

}  // namespace

PositionComponent declare_positions_shaw() {
    PositionComponent component;
    component.meaning =
        "q · (k + a_K[j − i]) and A (v + a_V[j − i]): a learned vector for each clipped distance, with keys "
        "and with values (Shaw, Uszkoreit and Vaswani 2018). Beside scores that bring their own 1 / √d "
        "(multi_token, selective) the product with a_K is added as it is";
    component.options = {
        count_option("distance", "Largest distance", 4, logarithmic_range(1, 512),
                     "Keys farther away than this share the vector of this distance."),
        flag_option("values", "With values", true,
                    "Whether the values get a vector for the distance too, or the scores alone."),
    };
    component.known_parameters = {
        {"a_K", "[2 distance + 1, d_k], shared by the heads",
         "is added to a key, by j − i from −distance on"},
        {"a_V", "[2 distance + 1, d_v], shared by the heads", "is added to a value, by j − i"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("a_K", {2 * most_shaw_places(plan) + 1, plan.head_query_width()});
        if (has_values(plan))
            list.add("a_V", {2 * most_shaw_places(plan) + 1, plan.head_value_width()});
    };
    component.acts_on_scores = true;
    component.stages = [](const Plan&, StageList& list) { list.add_map("relative_scores"); };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        return StepMemory{.working = elements(4 * most_shaw_places(plan) + 2) * needs.real};
    };
    component.declared_stages = {
        {"relative_scores", "Scores of the distance"},
        made_stage("scores", "Scores",
                   {"", {{"query"}, times_keys_of("key"), {"relative_scores", "+"}}, "="}),
        made_stage("context", "Context", {"", {{"weights"}, keys_of("value", "×")}, "and places\n→"})};
    component.changes_context = adds_to_values;
    component.steps = [](const Plan& plan, auto& pipeline) { add_shaw_steps(plan, pipeline); };
    component.define_scores = define_scores_of_shaw;
    component.define_context = define_context_of_shaw;
    return component;
}

}  // namespace headlight

#include "core/attention/algorithms/low_rank.h"
#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {
namespace {

bool linformer_is_learned(const Plan& plan) { return plan.algorithm().word("pooling") == "learned"; }

/// k, no more than there are keys.
Index rank(const Plan& plan) { return std::min(plan.algorithm().count("rank"), plan.keys); }

/// E or F [k, m] without the columns of padding.
template <class Real>
Tensor pooling(const Plan& plan, const Real* given, Index end) {
    if (!given)
        return segment_means(std::min(rank(plan), end), end);
    return copy_of(row_major(given, rank(plan), plan.keys).column_range(0, end));
}

template <class Real>
void run_linformer(const Plan& plan, const Real* for_keys, const Real* for_values, const HeadTask<Real>& task,
                   const Recorder& record) {
    const Index end = plan.allowed.end(0);
    const Tensor key_pooling = pooling(plan, for_keys, end), value_pooling = pooling(plan, for_values, end);
    const Tensor pooled_keys = product(key_pooling, task.key.row_range(0, end));
    const Tensor pooled_values = product(value_pooling, task.value.row_range(0, end));
    const Tensor shares = soft_similarities(task.query, pooled_keys);
    write_context(task, product(shares, pooled_values));
    record_matrix(record, "pooled_keys", task.head, pooled_keys);
    record_matrix(record, "pooled_values", task.head, pooled_values);
    record_matrix(record, "pooled_weights", task.head, shares);
    if (task.wants_weights())
        write_weights(task, product(shares, value_pooling));
}

Expression define_linformer(Composer& composer) {
    const Plan& plan = composer.plan;
    const auto real = static_cast<double>(plan.allowed.end(0));
    Expression for_keys = 0, for_values = 0;
    if (linformer_is_learned(plan)) {
        for_keys = composer.parameter("E");
        for_values = composer.parameter("F");
    } else {
        const Index keys = plan.allowed.end(0), count = std::min(rank(plan), keys);
        for_keys = for_values = means_of_segments(composer, "segment_means", count, keys, plan.keys);
    }
    const Expression is_real = composer.constant(
        "real_keys", {0, 1, plan.keys}, "1 for keys that are no padding",
        [=](Index, Index, Index column) { return static_cast<double>(column) < real ? 1.0 : 0.0; });
    const Expression pooled =
        composer.let("pooled_key", product(for_keys * is_real, composer.key), "keys summed up");
    const Expression map =
        softmax_of(composer, "pooled_weights", scaled_products(composer, composer.query, pooled));
    return write_attended_values(
        composer, composer.let("weights", product(map, for_values) * is_real, "weights of the keys"));
}

}  // namespace

AlgorithmComponent declare_algorithms_linformer() {
    AlgorithmComponent component;
    component.meaning =
        "softmax(Q (E K)ᵀ / √d) F V: the m keys and values are pooled to k rows first, so that the map "
        "has k columns (Wang et al. 2020); the weights shown are softmax(…) F";
    component.options = {
        count_option("rank", "Rows after pooling k", 4, logarithmic_range(1, 4096),
                     "How many rows the keys and the values are pooled to; no more than there are keys."),
        word_option("pooling", "Pooling", {"learned", "mean"},
                    "Whether E and F are parameters or take the mean of consecutive keys.")};
    component.known_parameters = {{"E", "[k, m]", "pools the keys"}, {"F", "[k, m]", "pools the values"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        if (!linformer_is_learned(plan))
            return;
        list.add("E", {rank(plan), plan.keys});
        list.add("F", {rank(plan), plan.keys});
    };
    component.needs_one_end = true;
    component.stages = [](const Plan& plan, StageList& list) {
        using enum Axis;
        const Index k = linformer_is_learned(plan) ? rank(plan) : std::min(rank(plan), plan.allowed.end(0));
        if (k == 0)
            return;
        list.add("pooled_keys", {head, feature, feature}, {plan.heads, k, plan.head_key_width()});
        list.add("pooled_values", {head, feature, feature}, {plan.heads, k, plan.head_value_width()});
        list.add_vectors("pooled_weights", query, k);
    };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        const Index n = plan.queries, m = plan.keys, k = rank(plan);
        const Index d = plan.head_key_width(), d_v = plan.head_value_width();
        const double factors = elements(k, n + 2 * m + d + d_v) + elements(n, d_v);
        const double weights = needs.forms_weights ? elements(n, m) + most_product_room(k, m) : 0;
        const double packed = std::max({product_room(m, d), product_room(m, d_v), similarities_room(k, d)});
        return StepMemory{.working = (factors + weights + packed) * sizeof(double)};
    };
    component.declared_stages = {made_stage("pooled_keys", "Pooled keys", {}, {.row = "pooled key"}),
                                 made_stage("pooled_values", "Pooled values", {}, {.row = "pooled value"}),
                                 made_stage("pooled_weights", "Weights of the pooled keys", {},
                                            {.column = "pooled key", .is_share = true})};
    component.steps = [](const Plan& plan, auto& pipeline) {
        const auto* for_keys = pipeline.operands.vector("E", linformer_is_learned(plan));
        const auto* for_values = pipeline.operands.vector("F", linformer_is_learned(plan));
        pipeline.algorithm = [&plan, for_keys, for_values](const auto& task, const Recorder& record) {
            run_linformer(plan, for_keys, for_values, task, record);
        };
    };
    component.cost = [](const Plan& plan) {
        const auto both = static_cast<double>(plan.head_key_width() + plan.head_value_width());
        const auto factor = static_cast<double>(plan.heads * rank(plan));
        return AlgorithmCost{.multiply_adds = factor * both * static_cast<double>(plan.queries + plan.keys),
                             .map_numbers = factor * static_cast<double>(plan.queries)};
    };
    component.define = define_linformer;
    return component;
}

}  // namespace headlight

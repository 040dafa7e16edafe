#include "core/attention/algorithms/pointwise.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/recurrence.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {
namespace {

enum class ThroughSilu { nothing, queries_and_keys, values_too };

ThroughSilu passed_through_silu(const AttentionSpec& spec) {
    const std::string& of = spec.algorithm.options.word("silu");
    return of == "none"           ? ThroughSilu::nothing
           : of == "queries_keys" ? ThroughSilu::queries_and_keys
                                  : ThroughSilu::values_too;
}

RecurrenceKind retention_kind(const Plan& plan) {
    const bool normalizes = plan.algorithm().flag("normalize");
    return {.features = plan.head_query_width(),
            .gates = 1,
            .divisor = normalizes ? Divisor::sum_above_one : Divisor::none,
            .shows_features = passed_through_silu(plan.spec) != ThroughSilu::nothing,
            .chunk = chunk_of(plan)};
}

/// gamma_h = 1 - 2^(-5-h) (Sun et al. 2023, eq. 8), the one that was given, or that of a layer: exp(-s), s =
/// 2^(-8 (h+1) / heads) (1 - l / (layers - 1) + 10^-5), l from 0 on (MiniMax 2025).
double decay(const Plan& plan, Index head) {
    const Options& options = plan.algorithm();
    const double given = options.number("gamma");
    if (given > 0)
        return given;
    if (options.word("decays") == "heads")
        return 1 - std::exp2(-5 - static_cast<double>(head));
    constexpr double least = 1e-5;  // as the authors’ code has it
    const auto layer = static_cast<double>(options.count("layer") - 1),
               last = static_cast<double>(std::max<Index>(options.count("layers") - 1, 1));
    const double slope = std::exp2(-8 * static_cast<double>(head + 1) / static_cast<double>(plan.heads));
    return std::exp(-slope * (1 - layer / last + least));
}

/// The features that are silu of the vector times a factor.
template <class Number, class Real>
auto silu_features(MatrixView<const Real> rows, double factor = 1) {
    return [=](Index token, Number* out) {
        const Real* from = rows.row(token);
        for (Index c = 0; c < rows.columns; ++c)
            out[c] = static_cast<Number>(from[c]) * sigmoid(static_cast<Number>(from[c])) *
                     static_cast<Number>(factor);
    };
}

template <class Real>
void run_retention(const Plan& plan, const HeadTask<Real>& task, const Recorder& record) {
    Recurrence<Real> mixer{retention_kind(plan)};
    const ThroughSilu silu = passed_through_silu(plan.spec);
    if (silu == ThroughSilu::nothing) {
        mixer.query = plain_features<Real>(task.query, query_scale(plan));
        mixer.key = plain_features<Real>(task.key);
    } else {
        mixer.query = silu_features<Real>(task.query, query_scale(plan));
        mixer.key = silu_features<Real>(task.key);
    }
    mixer.log_gate = [log_gamma = static_cast<Real>(std::log(decay(plan, task.head)))](Index, Real* out) {
        *out = log_gamma;
    };
    if (silu != ThroughSilu::values_too) {
        run_recurrence(plan, task, mixer, record);
        return;
    }
    const Index width = task.value.columns;
    std::vector<Real> values(static_cast<std::size_t>(task.value.rows * width));
    const auto activated = silu_features<Real>(task.value);
    for (Index key = 0; key < task.value.rows; ++key)
        activated(key, values.data() + key * width);
    HeadTask<Real> with_values = task;
    with_values.value = {values.data(), task.value.rows, width, width};
    run_recurrence(plan, with_values, mixer, record);
}

Expression define_retention(Composer& composer) {
    const Plan& plan = composer.plan;
    const Expression decays = composer.constant(
        "decay_mask", {composer.heads, plan.queries, plan.keys}, "γ to the power of the steps since the key",
        [&plan](Index head, Index row, Index column) {
            return plan.allowed.allowed(row, column)
                       ? std::pow(decay(plan, head), static_cast<double>(newest_key(plan, row) - column))
                       : 0;
        });
    const ThroughSilu silu = passed_through_silu(plan.spec);
    Expression query = composer.query, key = composer.key;
    if (silu != ThroughSilu::nothing) {
        query = composer.let(recorded_as(composer, "query_features", "query_feature"),
                             through_silu(query) * scale_of_queries(composer), "silu(q)");
        key =
            composer.let(recorded_as(composer, "key_features", "key_feature"), through_silu(key), "silu(k)");
    }
    const Expression values = silu == ThroughSilu::values_too
                                  ? composer.let("activated_value", through_silu(composer.value), "silu(v)")
                                  : composer.value;
    const auto attended = [&](const Expression& weights) {
        return composer.let("context", product(weights, values), "the values that each query gets");
    };
    const Expression products = product_transposed(query, key);
    const Expression similarities =
        composer.let("similarities",
                     composer.where_open(
                         silu == ThroughSilu::nothing ? products * scale_of_queries(composer) : products, 0),
                     "products of queries and keys");
    const Expression kept = similarities * decays;
    if (!composer.plan.algorithm().flag("normalize"))
        return attended(composer.let("weights", kept, "products that fade"));
    const Expression raw = composer.let("faded_products", kept, "products that fade");
    const Expression sum =
        larger_of(absolute_of(composer.let("row_sum", sum_of_columns(raw), "the sum of each row")), 1);
    return attended(composer.let("weights", raw / sum, "what each query gives to each key"));
}

}  // namespace

AlgorithmComponent declare_algorithms_retention() {
    AlgorithmComponent component;
    component.meaning = "A_ij = γ^(i−j) q_i · k_j / √d with a γ for each head and no softmax: S ← γ S + kᵀ v "
                        "(Sun et al. 2023)";
    component.options = {
        number_option("gamma", "Decay γ", 0.0, {0, 1},
                      "What is left of a key after one more token; 1 forgets nothing.", "one per head"),
        word_option(
            "decays", "Decays of the heads", {"heads", "layer"},
            "Which decay each head has where no other is given: 1 − 2^(−5−h) as in retention, or exp(−s), s "
            "= 2^(−8 (h + 1) / heads) times a factor of the layer, as in Lightning attention."),
        count_option("layer", "Layer", 1, {1, 256},
                     "Which layer the decays are those of: in the first one nearly all is forgotten soon, in "
                     "the last nothing. Only of decays of a layer."),
        count_option("layers", "Layers", 8, {1, 256},
                     "How many layers there are. Only of decays of a layer."),
        word_option("silu", "Through SiLU", {"none", "queries_keys", "all"},
                    "Which vectors pass through SiLU first: queries and keys in TransNormer, values too in "
                    "Lightning attention as MiniMax has it."),
        flag_option("normalize", "Normalise rows", false,
                    "Divides each row by the absolute value of its sum where that is above 1."),
        scaled_option(true)};
    append(component.options, form_options());
    component.check = [](const Plan& plan) {
        const Options& options = plan.algorithm();
        const Index layer = options.count("layer"), layers = options.count("layers");
        if (layer > layers)
            throw Error({"retention algorithm", "algorithm/layer",
                         "one of the " + std::to_string(layers) + " layers", std::to_string(layer)});
        if (passed_through_silu(plan.spec) != ThroughSilu::nothing)
            refuse_turned_vectors(plan, "retention algorithm", "SiLU changes vectors after they were turned");
    };
    declare_recurrence<retention_kind>(component);
    component.takes_any_mask = true;
    component.stages_of = [](const AttentionSpec& spec) {
        static const auto of_values = shared_stages(declared_recurrence_stages());
        static const auto through_silu = [] {
            std::vector<DeclaredStage> stages = declared_recurrence_stages();
            stages.push_back(declared_context_stage("value", "of values that have passed through SiLU",
                                                    "by the map,\nthrough SiLU\n→"));
            return shared_stages(std::move(stages));
        }();
        return passed_through_silu(spec) == ThroughSilu::values_too ? through_silu : of_values;
    };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        StepMemory memory = recurrence_memory(plan, retention_kind(plan), needs, needs.real);
        if (passed_through_silu(plan.spec) == ThroughSilu::values_too)
            memory.working += elements(plan.keys, plan.head_value_width()) * needs.real;
        return memory;
    };
    component.changes_context = [](const AttentionSpec& spec) {
        return passed_through_silu(spec) == ThroughSilu::values_too;
    };
    component.steps = [](const Plan& plan, auto& pipeline) {
        pipeline.algorithm = [&plan](const auto& task, const Recorder& record) {
            run_retention(plan, task, record);
        };
    };
    component.define = define_retention;
    component.explain = explain_recurrence;
    return component;
}

}  // namespace headlight

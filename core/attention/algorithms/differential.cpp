#include "core/attention/algorithms/head_context_norm.h"
#include "core/attention/algorithms/row_norms.h"
#include "core/attention/algorithms/subtracted_maps.h"
#include "core/attention/arithmetic_text.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/explained_cell.h"
#include "core/attention/selected_keys.h"
#include "core/attention/softmax_rows.h"
#include "core/attention/vector_length.h"
#include "core/tensor/dot.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cstdint>
#include <variant>

namespace headlight {
namespace {

double initial_lambda(const Plan& plan) { return lambda_of_layer(plan.algorithm()); }

double lambda_product(const Plan& plan, const std::string& left, const std::string& right) {
    const Tensor &a = plan.parameter(left), &b = plan.parameter(right);
    return dot(a.data(), b.data(), a.size());
}

/// exp(lambda_q1 . lambda_k1) - exp(lambda_q2 . lambda_k2) + lambda_init (Ye et al. 2025, equation 2).
double differential_lambda(const Plan& plan) {
    return std::exp(lambda_product(plan, "lambda_q1", "lambda_k1")) -
           std::exp(lambda_product(plan, "lambda_q2", "lambda_k2")) + initial_lambda(plan);
}

bool normalizes_contexts(const AttentionSpec& spec) { return spec.algorithm.options.flag("norm"); }
bool has_norm(const Plan& plan) { return normalizes_contexts(plan.spec); }
/// DINT (Cang et al. 2025): what keys get of the first map on average is added as often as the second map is
/// taken off.
bool adds_integral(const AttentionSpec& spec) { return spec.algorithm.options.flag("integral"); }
Index half_width(const Plan& plan) { return plan.head_query_width() / 2; }

/// One softmax map of a half of q and k.
template <class Real>
void map_of_half(const SoftmaxRows<Real>& rows, const Plan& plan, const HeadTask<Real>& task,
                 const Recorder& record, Index half, Index i, Real* row) {
    const Index width = half_width(plan), m = plan.keys, at = (task.head * plan.queries + i) * m;
    const Real scale = static_cast<Real>(1 / std::sqrt(static_cast<double>(width)));
    rows.score_allowed(plan.allowed, i, task.query.row(i) + half * width,
                       task.key.column_range(half * width, width), scale, row);
    record.write(half == 0 ? "first_scores" : "second_scores", at, row, m);
    rows.softmax(row, m);
    record.write(half == 0 ? "first_weights" : "second_weights", at, row, m);
}

/// Each head's context alone, divided by its root mean square, times (1 - lambda_init) (equation 3).
template <class Real>
void normalize(const Plan& plan, const Real* gain, Real* context) {
    const Index width = plan.head_value_width();
    const auto number = [context](Index c) { return static_cast<double>(context[c]); };
    const Length length = root_mean_square(width, number, smallest_context_variance);
    for (Index c = 0; c < width; ++c)
        context[c] = static_cast<Real>((1 - initial_lambda(plan)) * length.divide(number(c))) * gain[c];
}

template <class Real>
void add_differential_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const double lambda = differential_lambda(plan);
    const Real* gain = pipeline.operands.vector("g_head", has_norm(plan));
    pipeline.algorithm = [&plan, lambda, gain](const HeadTask<Real>& task, const Recorder& record) {
        const Index m = plan.keys, width = plan.head_value_width();
        const SoftmaxRows<Real> rows;
        std::vector<Real> scratch, second(static_cast<std::size_t>(m));
        for (Index i = 0; i < plan.queries; ++i) {
            Real* row = weights_row(task, i, scratch);
            map_of_half(rows, plan, task, record, 0, i, row);
            map_of_half(rows, plan, task, record, 1, i, second.data());
            for (Index key = 0; key < m; ++key)
                row[key] -= static_cast<Real>(lambda) * second[static_cast<std::size_t>(key)];
            Real* context = task.context.row(i);
            rows.mix(row, task.value, context);
            record.write("difference_context", (task.head * plan.queries + i) * width, context, width);
            if (gain)
                normalize(plan, gain, context);
            if (task.head == 0)
                record.write("lambda", i, &lambda, 1);
        }
    };
}

Arithmetic explain_differential(const ExplainedCell& cell, std::string_view stage) {
    const Plan& plan = cell.plan;
    if (stage == "lambda")
        return "exp(λ_q1 · λ_k1) − exp(λ_q2 · λ_k2) + λ_init = exp(" +
               written(lambda_product(plan, "lambda_q1", "lambda_k1")) + ") − exp(" +
               written(lambda_product(plan, "lambda_q2", "lambda_k2")) + ") + " +
               written(initial_lambda(plan));
    return {};
}

void check_differential(const Plan& plan) {
    const auto& rule = plan.spec.mask.rule;
    if (adds_integral(plan.spec) && !std::holds_alternative<NoMask>(rule) &&
        !std::holds_alternative<PaddingMask>(rule))
        throw Error(
            {"differential algorithm", "mask",
             "none or padding: what keys get on average, over all queries, follows from later ones too",
             "another"});
}

void list_differential_parameters(const Plan& plan, ParameterList& list) {
    for (const char* name : {"lambda_q1", "lambda_k1", "lambda_q2", "lambda_k2"})
        list.add(name, {half_width(plan)});
    if (has_norm(plan))
        list.add("g_head", {plan.head_value_width()}, 1.0);
}

/// What each key gets of a map on average over the queries, [h, 1, m]; those of padding count nowhere.
Expression write_importance(Composer& composer, const Expression& map) {
    const Plan& plan = composer.plan;
    const std::vector<std::uint8_t> real =
        plan.spec.source.type == SourceType::self
            ? real_keys(plan)
            : std::vector<std::uint8_t>(static_cast<std::size_t>(plan.queries), 1);
    const auto count = std::ranges::count(real, 1);
    Expression of_real = map;
    if (count < plan.queries)
        of_real = choose(
            composer.truth("is_real_query", {0, plan.queries, 1}, "queries that are no padding",
                           [real](Index row, Index) { return real[static_cast<std::size_t>(row)] != 0; }),
            map, 0);
    return composer.let("importance",
                        sum_of_rows(of_real) / static_cast<double>(std::max<std::ptrdiff_t>(count, 1)),
                        "what each key gets of the first map on average");
}

Expression define_differential(Composer& composer) {
    const Index half = half_width(composer.plan);
    const double initial = initial_lambda(composer.plan);
    const auto map = [&](const std::string& which, Index first) {
        const Expression q =
            composer.let("query_of_" + which + "_map", some_columns(composer.query, counted(first, half)));
        const Expression k =
            composer.let("key_of_" + which + "_map", some_columns(composer.key, counted(first, half)));
        const Expression scores = product_transposed(q, k) / root_of(static_cast<double>(half));
        return normalized_of(
            composer, which + "_weights",
            composer.let(which + "_scores", composer.open_or_forbidden(scores), "q · k / √d"),
            "_of_" + which + "_map", false, first / half);
    };
    const auto strength = [&](const char* q, const char* k) {
        return exp_of(sum_of_columns(composer.parameter(q) * composer.parameter(k)));
    };
    const Expression lambda = composer.let(
        "strength", strength("lambda_q1", "lambda_k1") - strength("lambda_q2", "lambda_k2") + initial, "λ");
    const Expression first = map("first", 0), second = map("second", half);
    Expression difference = first - lambda * second;
    if (adds_integral(composer.plan.spec))
        difference = difference + lambda * write_importance(composer, first);
    const Expression weights = composer.let("weights", difference, "one map less the other");
    Expression context = composer.let("difference_context", product(weights, composer.value),
                                      "the values that each query gets");
    if (has_norm(composer.plan)) {
        const Expression normed =
            over_root_mean_square(composer, "normed_difference", context, smallest_context_variance,
                                  "over the root of its mean square");
        context = normed * composer.parameter("g_head") * (1 - initial);
    }
    return composer.let("context", context, "what the head gives");
}

/// The definition has λ as one number, which no stage is.
std::vector<DeclaredStage> differential_stages(bool records_lambda) {
    std::vector<DeclaredStage> stages{
        {"first_scores", "First scores"},
        declared_softmax_stage("first_scores", "first_weights", "First weights", "",
                               {.leaves_out_masked = true}),
        {"second_scores", "Second scores"},
        declared_softmax_stage("second_scores", "second_weights", "Second weights", "",
                               {.leaves_out_masked = true}),
        made_stage(
            "importance", "Importance",
            {"what each key gets of the first map on average", {{"first_weights"}}, "mean of\ncolumns\n→"},
            {.lights = "weights", .is_of_features = true, .is_share = true}),
        // An arrow: λ is recorded as a column, which times a map is no product of the two matrices.
        made_stage("weights", "Weights", {"", {{"first_weights"}, {"second_weights", "− λ ×"}}}),
        made_stage("difference_context", "Context before its norm",
                   {"", {{"weights"}, keys_of("value", "×")}, "="}),
        made_stage("context", "Context", {"", {{"difference_context"}}, "norm\n→"})};
    if (records_lambda) {
        stages.push_back({"lambda", "λ"});
        std::ranges::find(stages, "weights", &DeclaredStage::name)->operands = {
            {"first_weights"}, {"lambda", "−"}, {"second_weights", "×"}};
    } else {
        std::ranges::find(stages, "weights", &DeclaredStage::name)
            ->operands.push_back(optional_stage("importance", "+ λ ×"));
    }
    return stages;
}

}  // namespace

AlgorithmComponent declare_algorithms_differential() {
    AlgorithmComponent component;
    component.meaning =
        "softmax(Q₁K₁ᵀ/√d) − λ softmax(Q₂K₂ᵀ/√d): what both halves of a head agree on cancels; each head’s "
        "context is then normalised (Ye et al. 2025); with λ times the mean row of the first map, rows sum "
        "to 1 (DINT, Cang et al. 2025)";
    component.options = {
        declared_layer(
            "Number of the layer, from 0: λ starts from 0.8 − 0.6 exp(−0.3 layer), more in deeper layers."),
        flag_option("norm", "Norm of each head", true,
                    "Divides each head’s context by its root mean square and multiplies it by 1 − λ_init."),
        flag_option("integral", "Global part", false,
                    "Adds λ times what each key gets of the first map on average over the queries, so that "
                    "rows sum to 1 (DINT)."),
    };
    component.known_parameters = {
        {"lambda_q1", "[d / 2] per head, shared by the heads",
         "makes λ = exp(λ_q1 · λ_k1) − exp(λ_q2 · λ_k2) + λ_init, how much of the second map is taken off"},
        {"lambda_k1", "[d / 2] per head, shared by the heads",
         "makes λ, how much of the second map is taken off"},
        {"lambda_q2", "[d / 2] per head, shared by the heads",
         "makes λ, how much of the second map is taken off"},
        {"lambda_k2", "[d / 2] per head, shared by the heads",
         "makes λ, how much of the second map is taken off"},
        {"g_head", "[d_v] per head, shared by the heads",
         "scales each feature of a head’s normalised context"},
    };
    component.parameters = list_differential_parameters;
    component.check = check_differential;
    component.paired = {{.of = "features of a head’s queries",
                         .why = "each query and key is split into two halves",
                         .count = [](const Plan& plan) { return plan.head_query_width(); },
                         .way_out = "change the dimension of the vectors or set projections.dimension, so "
                                    "that heads have an even width"}};
    component.takes_any_mask = true;
    component.takes_normalizer = true;
    component.why_no_selection = why_subtracted_maps_take_no_selection;
    component.stages = [](const Plan& plan, StageList& list) {
        for (const char* name : {"first_scores", "first_weights", "second_scores", "second_weights"})
            list.add_map(name);
        list.add_rows("lambda", Axis::query, 1);
        list.add_map("weights");
        list.add_vectors("difference_context", Axis::query, plan.head_value_width());
    };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        return StepMemory{.working = elements(2, plan.keys) * needs.real};
    };
    component.declared_stages = differential_stages(true);
    component.stages_of = [](const AttentionSpec& spec) {
        static const auto of_kernel = shared_stages(differential_stages(true));
        static const auto of_program = shared_stages(differential_stages(false));
        return runs_by_program(spec) ? of_program : of_kernel;
    };
    component.changes_context = normalizes_contexts;
    component.passes_to_definition = adds_integral;
    component.steps = [](const Plan& plan, auto& pipeline) { add_differential_steps(plan, pipeline); };
    component.cost = [](const Plan& plan) -> AlgorithmCost {
        const double pairs = static_cast<double>(plan.allowed.count() * plan.heads);
        return {.multiply_adds = pairs * static_cast<double>(plan.head_key_width() + plan.head_value_width()),
                .map_numbers = static_cast<double>(2 * plan.heads * plan.queries * plan.keys),
                .cache_numbers = static_cast<double>(plan.key_width + plan.value_width)};
    };
    component.define = define_differential;
    component.explain = explain_differential;
    return component;
}

}  // namespace headlight

#include "core/attention/algorithms/channel_maps.h"
#include "core/attention/algorithms/pointwise.h"
#include "core/attention/positions/pair_places.h"
#include "core/attention/selected_keys.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace headlight {
namespace {

Index averages_of_feature(const Plan& plan) { return plan.algorithm().count("averages"); }

bool takes_step(const AttentionSpec& spec) { return spec.algorithm.options.word("weigh") == "laplace"; }

/// A parameter [d, averages] as [feature, average, 1].
Expression of_averages(Composer& composer, const std::string& name) {
    return transposed(split_rows(composer.parameter(name), composer.plan.head_query_width()));
}

/// What a token gives to the average of a feature so many places later, [feature, lag]: Σ p β η (1 − p a)ᵗ
/// over √averages, p and a between 0 and 1.
Expression write_fading_averages(Composer& composer) {
    const Index n = composer.plan.queries;
    const Expression taken = composer.let("average_takes", sigmoid_of(of_averages(composer, "ema_alpha")),
                                          "α: how much each average takes of a new token");
    const Expression lost =
        composer.let("average_loses", taken * sigmoid_of(of_averages(composer, "ema_delta")),
                     "α δ: how much it loses of what it was");
    const Expression logs =
        composer.let("average_log_keeps", larger_of(log_of_more(-lost), log_of_nothing), "ln(1 − α δ)");
    const Expression lags =
        composer.constant("places_later", {0, 1, n}, "0, 1, 2, ... places later",
                          [](Index, Index, Index lag) { return static_cast<double>(lag); });
    const double root = std::sqrt(static_cast<double>(averages_of_feature(composer.plan)));
    const Expression written =
        composer.let("average_factors",
                     taken * of_averages(composer, "ema_beta") * of_averages(composer, "ema_eta") / root,
                     "what each average has of a new token, and how much of it is read");
    const Expression given = sum_of_rows(written * exp_of(logs * lags));
    return composer.let("fading_averages", transposed(join_heads(transposed(given))),
                        "[feature, places later]: what a token gives to the average");
}

/// silu(averages of the tokens so far + ω x) [h, n, d].
Expression write_moving_average(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries, width = plan.head_query_width();
    const Index heads = std::max<Index>(composer.heads, 1);
    const Expression is_averaged =
        composer.truth("is_averaged", {0, n, n}, "this token and those before that are no padding",
                       [real = real_keys(plan)](Index row, Index column) {
                           return column <= row && real[static_cast<std::size_t>(column)] != 0;
                       });
    Expression maps =
        composer.let("average_maps",
                     choose(is_averaged,
                            from_row(split_rows(write_fading_averages(composer), width), n, n,
                                     [](Index i, Index j) { return std::max<Index>(i - j, 0); }),
                            0),
                     "[feature, token, token that it averages]");
    std::vector<Index> feature;
    for (Index channel = 0; channel < heads * width; ++channel)
        feature.push_back(channel % width);
    if (heads > 1)
        maps = take_heads(maps, feature);
    const Expression averages = composer.let(
        "averages", heads_of_channels(composer, product(maps, as_channels(composer, composer.query))),
        "feature by feature");
    return composer.let("moving_average",
                        through_silu(averages + composer.parameter("ema_omega") * composer.query),
                        "silu of the averages and a part of the token itself");
}

/// How many keys each query may look at, 1 at least.
Expression write_key_counts(Composer& composer) {
    if (!composer.is_forbidden_anywhere())
        return static_cast<double>(composer.plan.keys);
    return composer.let("key_counts", larger_of(sum_of_columns(as_number(composer.allowed())), 1),
                        "keys that each query may look at");
}

/// The share of a bell around √½ that lies below each score: at √½ value and slope are those of relu² (Ma et
/// al. 2023).
Expression write_smooth_step(Composer& composer, const Expression& scores) {
    const double mean = std::sqrt(0.5), deviation = std::sqrt(1 / (4 * std::numbers::pi));
    const Expression share = 0.5 * (1 + erf_of((scores - mean) / (deviation * std::numbers::sqrt2)));
    return composer.let("weights", composer.where_open(share, 0), "each pair by itself: no sum over the row");
}

/// q · k / √d, or over how many keys there are, plus a number for each distance.
Expression write_unit_scores(Composer& composer, const Expression& shared) {
    const Index n = composer.plan.queries;
    const auto offset = [&](const std::string& name, const std::string& suffix) {
        return composer.let("offset_" + name,
                            composer.parameter("gamma_" + suffix) * shared +
                                composer.parameter("beta_" + suffix),
                            "γ z + β, feature by feature");
    };
    const Expression query = offset("query", "q"), key = offset("key", "k");
    // A row for keys up to the token and one for those behind it, so that a shorter text has the first
    // columns.
    const Expression biases =
        pick(composer.parameter("distance_bias"),
             places_of(n, n, [](Index i, Index j) { return j > i ? Index(1) : Index(0); }),
             places_of(n, n, [](Index i, Index j) { return std::abs(j - i); }));
    if (takes_step(composer.plan.spec))
        return composer.let("scores", product_transposed(query, key) / write_key_counts(composer) + biases,
                            "q · k / keys + b of the distance");
    return composer.let("scores", scaled_products(composer, query, key) + biases,
                        "q · k / √d + b of the distance");
}

Expression define_mega(Composer& composer) {
    const Expression x = composer.query;
    const Expression average = write_moving_average(composer);
    const auto of_average = [&](const std::string& name) {
        return composer.projected(average, "W_" + name, "b_" + name);
    };
    const Expression shared = composer.let("shared_vectors", through_silu(of_average("average")), "z");
    const Expression scores = write_unit_scores(composer, shared);
    const Expression weights = takes_step(composer.plan.spec) ? write_smooth_step(composer, scores)
                                                              : softmax_of_open(composer, "weights", scores);
    const Expression values =
        composer.let("unit_values", through_silu(composer.projected(x, "W_unit_value", "b_unit_value")),
                     "silu(x W_unit_value + b_unit_value), of the tokens themselves");
    const Expression attended =
        composer.let("attended", product(weights, values), "the values that each query gets");
    const Expression reset = composer.let("reset_gate", through_silu(of_average("unit_reset")),
                                          "what attention’s answer is multiplied by");
    const Expression candidate = composer.let(
        "candidate",
        through_silu(of_average("unit_candidate") + product(attended * reset, composer.parameter("U_unit"))),
        "what the token may become");
    const Expression update = composer.let("update_gate", sigmoid_of(of_average("unit_update")),
                                           "how much of it the token becomes");
    return composer.let("context", x + update * (candidate - x), "between the token and the candidate");
}

/// Declared stages with what a step has in the place of a softmax of q · k / √d.
std::vector<DeclaredStage> with_step(std::vector<DeclaredStage> stages) {
    for (DeclaredStage& stage : stages) {
        if (stage.name == "scores") {
            stage.subtitle = "q · k over the number of keys, and a number for the distance";
            stage.operation = "÷ keys, + b\n→";
        }
        if (stage.name == "weights") {
            stage.subtitle = "the share of a bell that lies below the score";
            stage.operation = "smooth step\n→";
        }
    }
    return stages;
}

DeclaredStage declared_unit_gate(const std::string& name, const std::string& title,
                                 const std::string& subtitle, const std::string& operation, bool is_share) {
    return made_stage(name, title, {subtitle, {{"moving_average"}}, operation},
                      {.lights = "context", .is_share = is_share});
}

}  // namespace

AlgorithmComponent declare_algorithms_mega() {
    AlgorithmComponent component;
    component.meaning =
        "m = silu(EMA(x) + ω x), A = softmax(q · k / √d + b_{j−i}), q and k = γ silu(m W) + β, o = x + u (h "
        "− x), h = silu(m W_h + (A silu(x W_v) ∘ silu(m W_r)) U_h), u = σ(m W_u): one gated head behind a "
        "moving average of the tokens so far; or A = ½ (1 + erf((q · k / n + b_{j−i} − √½) √(2 π))) in the "
        "place of the softmax (Ma et al. 2023)";
    component.options = {count_option("averages", "Averages", 2, logarithmic_range(1, 64),
                                      "How many averages each feature has, which fade at different rates and "
                                      "are added. The paper has 16."),
                         word_option("weigh", "Weights", {"softmax", "laplace"},
                                     "Shares of a row; or a smooth step of each score by itself, which has "
                                     "the shape of relu² and never passes 1.")};
    const auto of_head = [](const std::string& name, const std::string& shape, const std::string& meaning) {
        return KnownParameter{name, shape + " per head, shared by the heads", meaning};
    };
    component.known_parameters = {
        of_head("ema_alpha", "[d_k, averages]", "before its sigmoid, how much each average takes of a token"),
        of_head("ema_delta", "[d_k, averages]",
                "before its sigmoid, how much of what is taken was lost before"),
        of_head("ema_beta", "[d_k, averages]", "multiplies what each average takes"),
        of_head("ema_eta", "[d_k, averages]", "what of each average is read"),
        of_head("ema_omega", "[d_k]", "how much of the token itself is added to its average"),
        {"distance_bias", "[2, n]",
         "is added to the score of a pair by its distance, the second row where the key comes later"},
        {"gamma_q", "[d_k] per head, shared by the heads", "scales each feature of a query after SiLU"},
        {"beta_q", "[d_k] per head, shared by the heads", "is added to each feature of a query after that"},
        {"gamma_k", "[d_k] per head, shared by the heads", "scales each feature of a key after SiLU"},
        {"beta_k", "[d_k] per head, shared by the heads", "is added to each feature of a key after that"},
        of_head("U_unit", "[d_k, d_k]", "what attention’s answer adds to the candidate")};
    for (const auto& [name, what] : std::initializer_list<std::pair<std::string, std::string>>{
             {"average", "makes what queries and keys are made of"},
             {"unit_value", "makes the values of a token"},
             {"unit_reset", "makes the gate of what attention gives"},
             {"unit_candidate", "makes the candidate"},
             {"unit_update", "makes the gate between token and candidate"}}) {
        append(component.known_parameters, {of_head("W_" + name, "[d_k, d_k]", what),
                                            of_head("b_" + name, "[d_k]", "is added where W " + what)});
    }
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.head_query_width(), averages = averages_of_feature(plan);
        list.add("ema_alpha", {width, averages});
        list.add("ema_delta", {width, averages});
        list.add("ema_beta", {width, averages}, 1.0);
        list.add("ema_eta", {width, averages});
        list.add("ema_omega", {width});
        for (const char* name : {"average", "unit_value", "unit_reset", "unit_candidate", "unit_update"})
            list.add_with_bias(std::string("W_") + name, {width, width});
        list.add("gamma_q", {width}, 1.0);
        list.add("beta_q", {width}, 0.0);
        list.add("gamma_k", {width}, 1.0);
        list.add("beta_k", {width}, 0.0);
        list.add("distance_bias", {2, plan.queries}, 0.0);
        list.add("U_unit", {width, width});
    };
    component.makes_keys_and_values = true;
    component.takes_any_mask = true;
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "mega", "the moving average goes along one sequence");
        refuse_turned_vectors(plan, "mega", "queries and keys are made behind the moving average");
        refuse_shared_heads(plan, "mega", "queries, keys and values are made of one vector");
        require_value_width(plan, "mega", "the averaged vectors", plan.head_query_width());
    };
    component.changes_context = always;
    component.stages = [](const Plan& plan, StageList& list) {
        list.add("fading_averages", {Axis::feature, Axis::key}, {plan.head_query_width(), plan.queries});
    };
    component.declared_stages = {
        made_stage("fading_averages", "Averages that fade",
                   {"of each feature: what a token gives to one so many places later"},
                   {.lights = "moving_average", .is_of_features = true, .has_features = true}),
        made_stage("moving_average", "Moving average",
                   {"of the tokens so far, feature by feature",
                    {{"query"}, {"fading_averages", "and"}},
                    "fades with\nevery token,\n+ ω x, silu\n→"},
                   {.lights = "scores"}),
        made_stage("offset_query", "Queries of the unit",
                   {"γ z + β", {{"moving_average"}}, "× W, silu,\n× γ, + β\n→"}, {.lights = "scores"}),
        made_stage("offset_key", "Keys of the unit",
                   {"γ z + β", {{"moving_average"}}, "× W, silu,\n× γ, + β\n→"},
                   {.colours_of = "offset_query", .lights = "scores", .is_of_keys = true}),
        declared_scores_stage({"q · k / √d, and a number for the distance",
                               {{"offset_query"}, times_keys_of("offset_key")},
                               "÷ √d, + b\n→"}),
        declared_weights_stage(),
        made_stage("unit_values", "Values of the unit",
                   {"silu of what a layer makes of the token", {{"query"}}, "× W_unit_value,\nsilu\n→"},
                   {.lights = "context", .is_of_keys = true}),
        made_stage(
            "attended", "Weighted values",
            {"the sum of each weight times its value", {{"weights"}, keys_of("unit_values", "×")}, "="},
            {.colours_of = "unit_values", .lights = "context"}),
        declared_unit_gate("reset_gate", "Gate of the answer", "silu of what a layer makes of the average",
                           "× W_unit_reset,\nsilu\n→", false),
        made_stage("candidate", "Candidate",
                   {"what the token may become",
                    {{"attended"}, {"reset_gate", "∘"}, {"moving_average", "and"}},
                    "layers,\nsilu\n→"},
                   {.lights = "context"}),
        declared_unit_gate("update_gate", "Update gate", "how much of the candidate the token becomes",
                           "× W_unit_update,\nsigmoid\n→", true),
        made_stage("context", "Context",
                   {"between the token and the candidate",
                    {{"query"}, {"candidate", "and"}, {"update_gate", "and"}},
                    "x + u (h − x)\n→"},
                   {.colours_of = "query", .lights = "output"})};
    component.stages_of = [](const AttentionSpec& spec) {
        static const auto of_softmax = shared_stages(component_of(AlgorithmType::mega)->declared_stages);
        static const auto of_step = shared_stages(with_step(*of_softmax));
        return takes_step(spec) ? of_step : of_softmax;
    };
    component.define = define_mega;
    return component;
}

}  // namespace headlight

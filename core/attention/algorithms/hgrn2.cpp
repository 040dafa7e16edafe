#include "core/attention/algorithms/faded_columns.h"
#include "core/attention/recurrence.h"

namespace headlight {
namespace {

FadedColumns write_keys_of_gates(Composer& composer) {
    const Options& options = composer.plan.algorithm();
    if (options.word("writing") == "shares")
        return write_column_shares(composer, composer.key);
    const double least = options.number("lower_bound");
    const Expression log_gates = composer.let(
        "feature_log_gates",
        least > 0 ? log_of(least + (1 - least) * sigmoid_of(composer.key)) : log_sigmoid_of(composer.key),
        "ln of what each feature of the state keeps");
    composer.let("gates", exp_of(log_gates), "what each feature of the state keeps");
    return write_gated_columns(composer, log_gates,
                               composer.let("written_keys", (1 - least) * sigmoid_of(-composer.key),
                                            "1 − f: the key that is written"));
}

Expression define_hgrn2(Composer& composer) {
    return write_read_columns(composer, write_keys_of_gates(composer));
}

}  // namespace

AlgorithmComponent declare_algorithms_hgrn2() {
    AlgorithmComponent component;
    component.meaning =
        "S ← diag(f) S + (1 − f)ᵀ v, o = q S, f = γ + (1 − γ) σ(k): gated linear attention whose keys are "
        "what the gates let go (Qin et al. 2024a); with shares exp(k) / Σ exp(k) of the keys so far in the "
        "place of gates, LightNet (Qin et al. 2024b)";
    component.options = {
        word_option("writing", "Writing", {"gates", "shares"},
                    "Whether a feature keeps f of what it holds and takes 1 − f of the new value, or each "
                    "token has a share in it, by a softmax over the tokens so far."),
        number_option("lower_bound", "Lower bound γ", 0.0, {0, 0.999},
                      "What every gate keeps at least: in a model more in the upper layers than in the "
                      "lower. Shares have none."),
        scaled_option(false)};
    component.check = [](const Plan& plan) {
        refuse_turned_vectors(plan, "hgrn2", "what would be turned as a key are numbers of gates");
    };
    component.declared_stages = {
        made_stage("gates", "Gates",
                   {"what each feature of the state keeps when this token is written",
                    {keys_of("key")},
                    "sigmoid\n→"},
                   {.is_of_keys = true, .has_features = true, .is_share = true}),
        made_stage("written_keys", "Written keys", {"what the gates let go", {{"gates"}}, "1 −\n→"},
                   {.lights = "gates", .is_of_keys = true, .has_features = true, .is_share = true}),
        declared_weights_stage(
            {"products of queries and written keys, each feature faded by the gates in between",
             {{"query"},
              {.stage = "written_keys",
               .operator_before = "×",
               .transposed = true,
               .as_keys = true,
               .is_optional = true},
              keys_of("key", "and")},
             "feature by\nfeature\n→"}),
    };
    component.define = define_hgrn2;
    return component;
}

}  // namespace headlight

#include "core/attention/defined_algorithms.h"
#include "core/attention/recurrence.h"

#include <algorithm>

namespace headlight {
namespace {

bool has_constant_decay(const Plan& plan) { return plan.algorithm().word("decay") == "constant"; }

/// ln w, [h, n, d_k]; one row for all tokens where the decay is constant.
Expression log_decay_of_features(Composer& composer) {
    // exp(-exp(7)) is 0 for a double, and sums of larger numbers would lose the digits of small ones.
    constexpr double most = 7;
    const Expression raw =
        split_heads(has_constant_decay(composer.plan) ? composer.parameter("b_w")
                                                      : composer.projected(composer.key_tokens, "W_w", "b_w"),
                    composer.heads);
    return composer.let("log_decay", -exp_of(smaller_of(raw, most)),
                        "ln w: what each feature of the state loses with each token");
}

Expression define_rwkv6(Composer& composer) {
    const Index n = composer.plan.queries;
    const Expression scale = scale_of_queries(composer);
    const Expression decay = log_decay_of_features(composer);
    const Expression so_far = composer.let(
        "cumulative_gates",
        has_constant_decay(composer.plan) ? decay * (composer.query_places() + 1) : summed_so_far(decay),
        "ln w of all tokens up to each, added up");
    // A token reads the state before it fades and is written to: the last decay that a key has met is that of
    // the token before. The first token reads nothing.
    std::vector<Index> before;
    for (Index query = 0; query < n; ++query)
        before.push_back(std::max<Index>(query - 1, 0));
    const Expression reached = composer.let("decay_until_query", some_rows(so_far, before));
    const Expression faded = sum_of_pairs(left_row(composer.query) * right_row(composer.key) *
                                          left_between(left_row(reached), right_row(so_far)));
    const Expression past =
        composer.let("faded_products", choose(pairs_with_earlier(composer), faded * scale, 0),
                     "r · k, each feature faded by its decays in between");
    const Expression bonus = split_heads(composer.parameter("u"), composer.heads);
    const Expression own =
        composer.let("own_products", sum_of_columns(composer.query * bonus * composer.key) * scale,
                     "r · (u ∘ k) of each token with itself");
    return write_attended_values(
        composer,
        composer.let("weights", composer.where_open(choose(pairs_with_itself(composer), own, past), 0),
                     "what each query gives to each key"));
}

}  // namespace

AlgorithmComponent declare_algorithms_rwkv6() {
    AlgorithmComponent component;
    component.meaning =
        "o_t = r_t (S_{t−1} + diag(u) k_tᵀ v_t), S_t = diag(w_t) S_{t−1} + k_tᵀ v_t, w_t = exp(−exp(y_t W_w "
        "+ b_w)): a matrix for each head whose features fade by the token, with a bonus u for the newest key "
        "(Peng et al. 2024); with a constant w, RWKV-5; causal whatever the mask";
    component.options = {word_option("decay", "Decay w", {"token", "constant"},
                                     "Whether each token sets the decay of every feature, as in RWKV-6, or a "
                                     "feature has one decay for good, as in RWKV-5."),
                         scaled_option(false)};
    component.known_parameters = {
        {"W_w", "[d, h d_k]", "projects token vectors to a decay for each feature of each head"},
        {"b_w", "[h d_k]", "is added to the decays before w = exp(−exp(…))"},
        {"u", "[h d_k]", "what each feature of the newest key counts by"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.heads * plan.head_query_width();
        constexpr double slow = -2;  // w = 0.87: the authors begin between 0.69 and 0.998
        if (!has_constant_decay(plan))
            list.add("W_w", {plan.tokens.key_width, width});
        list.add("b_w", {width}, slow);
        list.add("u", {width}, 1.0);
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "rwkv6", "the newest key, which has the bonus, is the query’s own");
    };
    component.takes_any_mask = true;
    component.declared_stages = {
        made_stage("log_decay", "Log decays",
                   {"ln w: what each feature loses when this token is written", token_operands(),
                    "× W_w + b_w,\n−exp\n→"},
                   {.lights = "faded_products", .is_of_keys = true}),
        declared_cumulative_gates_stage(optional_stage("log_decay"), "faded_products"),
        made_stage("faded_products", "Faded products",
                   {"r · k of earlier keys, each feature faded by the decays in between",
                    {{"query"}, times_keys_of("key"), {"cumulative_gates", "and"}},
                    "feature by\nfeature\n→"},
                   {.lights = "weights", .role = StageRole::scores, .leaves_out_masked = true}),
        made_stage("own_products", "Own products", {"r · (u ∘ k) of each token with itself"},
                   {.lights = "weights", .role = StageRole::row}),
        declared_weights_stage(
            {"faded products, and on the diagonal the own ones", {{"faded_products"}}, "+ own\n→"}),
    };
    component.define = define_rwkv6;
    return component;
}

}  // namespace headlight

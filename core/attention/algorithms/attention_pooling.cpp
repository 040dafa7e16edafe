#include "core/attention/algorithms/pooled_rows.h"
#include "core/attention/algorithms/row_norms.h"

namespace headlight {
namespace {

std::string pooling_query_of(const Plan& plan) { return plan.algorithm().word("query"); }
bool has_seeds(const Plan& plan) { return pooling_query_of(plan) == "learned"; }
Index pooling_seeds(const Plan& plan) { return plan.algorithm().count("seeds"); }
bool is_pooling_block(const AttentionSpec& spec) { return spec.algorithm.options.flag("block"); }
bool has_pooling_norms(const AttentionSpec& spec) { return spec.algorithm.options.flag("norms"); }

/// Means over the first rows of a sequence, those of the keys without padding, [1, rows].
Expression means_of_sequence(Composer& composer, bool is_of_keys) {
    const Plan& plan = composer.plan;
    const bool has_padding = is_of_keys || plan.spec.source.type == SourceType::self;
    return means_of_segments(composer, "token_means", 1, has_padding ? plan.allowed.end(0) : plan.queries,
                             is_of_keys ? plan.keys : plan.queries);
}

/// What asks, [h, s, d_k].
Expression write_pooling_queries(Composer& composer) {
    if (has_seeds(composer.plan))
        return composer.let("pooling_queries", queries_of_rows(composer, composer.parameter("seeds")),
                            "the seeds as queries");
    return composer.let("pooling_queries", product(means_of_sequence(composer, false), composer.query),
                        "the mean of the queries");
}

/// The weights [h, s, m] that a state [h, s, d_k] gives the keys, as NAME_scores and NAME_weights.
Expression write_pooling_weights(Composer& composer, const Expression& state, const std::string& suffix) {
    const double beta = composer.plan.algorithm().number("beta");
    const auto scaled = [&](const Expression& products) {
        return beta > 0 ? products * beta : products / root_of_head_width(composer);
    };
    const Expression scores =
        composer.let("pooling_scores" + suffix, scaled(product_transposed(state, composer.key)),
                     "what each row asks of each key");
    const Expression open = scores_of_real_keys(composer, scores);
    if (pooling_query_of(composer.plan) != "mean_token")
        return softmax_of(composer, "pooling_weights" + suffix, open);
    // The mean stands among the keys; what it gets, all tokens get in equal parts.
    const Expression means = means_of_sequence(composer, true);
    const Expression key = composer.let("mean_key" + suffix, product(means, composer.key));
    const Expression score =
        composer.let("mean_score" + suffix, scaled(product_transposed(state, key)), "of the mean itself");
    const Expression joined = softmax_of(composer, "joined_weights" + suffix, join_columns({score, open}));
    return composer.let("pooling_weights" + suffix,
                        some_columns(joined, counted(1, composer.plan.keys)) +
                            some_columns(joined, {0}) * means,
                        "with its part of what the mean gets");
}

Expression define_attention_pooling(Composer& composer) {
    const Index steps = composer.plan.algorithm().count("steps");
    const Expression queries = write_pooling_queries(composer);
    Expression state = queries;
    for (Index step = 1; step < steps; ++step)
        state =
            composer.let(numbered("pooling_state_", step),
                         product(write_pooling_weights(composer, state, numbered("_", step)), composer.key),
                         "what was retrieved asks again");
    const Expression weights = write_pooling_weights(composer, state, "");
    const Expression found =
        composer.let("pooled_values", product(weights, composer.value), "what each row finds");
    if (!is_pooling_block(composer.plan.spec))
        return write_rows_for_all(composer, weights, found);
    const Expression sum = composer.let("residual_rows", queries + found, "what asked, and what it found");
    if (!has_pooling_norms(composer.plan.spec)) {
        const Expression layer = relu_of(composer.projected(join_heads(sum), "W_pooled", "b_pooled"));
        return write_rows_for_all(
            composer, weights,
            composer.let("pooled_rows", sum + split_heads(layer, composer.heads), "beside a layer of both"));
    }
    // A norm is of all heads of a row together.
    const Expression first = layer_normalized(composer, "first_norm", join_heads(sum));
    const Expression layered =
        composer.let("layered_rows", first + relu_of(composer.projected(first, "W_pooled", "b_pooled")),
                     "beside a layer of both");
    return write_rows_for_all(
        composer, weights,
        composer.let("pooled_rows",
                     split_heads(layer_normalized(composer, "second_norm", layered), composer.heads),
                     "normalised once more"));
}

void check_attention_pooling(const Plan& plan) {
    refuse_turned_vectors(plan, "attention_pooling", "what asks has no place, and is never turned");
    if (!has_seeds(plan) && pooling_seeds(plan) != 1)
        throw Error(
            {"attention_pooling", "seeds", "1: there is one mean", std::to_string(pooling_seeds(plan))});
    if (pooling_query_of(plan) == "mean_token")
        require_one_sequence(plan, "attention_pooling", "the mean that asks stands among the keys");
    if (has_pooling_norms(plan.spec) && !is_pooling_block(plan.spec))
        throw Error({"attention_pooling", "norms", "block as well: norms stand behind what it adds",
                     "norms without a block"});
    if (is_pooling_block(plan.spec) && plan.head_key_width() != plan.head_value_width())
        throw Error({"attention_pooling", "values",
                     "vectors of " + std::to_string(plan.head_key_width()) +
                         " features, which are added to what asks",
                     std::to_string(plan.head_value_width())});
}

}  // namespace

AlgorithmComponent declare_algorithms_attention_pooling() {
    AlgorithmComponent component;
    component.meaning =
        "O = softmax(P Kᵀ / √d) V: s learned queries P in the place of those of tokens (PMA, Lee et al. "
        "2019), or with the mean of the tokens; every token gets the mean of the rows of O";
    component.options = {
        word_option("query", "What asks", {"learned", "mean", "mean_token"},
                    "Learned seeds; the mean of the queries; or the same, with the mean among the keys too, "
                    "as in CLIP."),
        count_option("seeds", "Seeds s", 1, logarithmic_range(1, 512),
                     "How many learned vectors ask: so many rows are made of the text."),
        count_option("steps", "Steps", 1, {1, 50},
                     "How often a seed asks, each time but the first as the mean of the keys that it has "
                     "found: Hopfield pooling."),
        number_option("beta", "Inverse temperature β", 0.0, {0, 100},
                      "What the products are multiplied by. 0: 1/√d.", "automatic"),
        flag_option("block", "Residual and layer", false,
                    "Adds to each row what asked, H = P + O, and a layer of both, H + relu(H W + b), as in "
                    "the Set Transformer."),
        flag_option("norms", "Norms", false,
                    "With residual and layer: normalises each row by its mean and deviation behind both.")};
    component.known_parameters = {{"seeds", "[s, d_q]", "learned vectors that ask in the place of tokens"},
                                  {"W_pooled", "[h d_v, h d_v]", "the layer of each pooled row"},
                                  {"b_pooled", "[h d_v]", "is added before its relu"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        if (has_seeds(plan))
            list.add("seeds", {pooling_seeds(plan), plan.tokens.query_width});
        if (is_pooling_block(plan.spec)) {
            list.add("W_pooled", {plan.context_width(), plan.context_width()});
            list.add("b_pooled", {plan.context_width()});
        }
    };
    component.needs_one_end = true;
    component.check = check_attention_pooling;
    component.changes_context = is_pooling_block;
    component.declared_stages = {
        made_stage("pooling_queries", "Pooling queries", {"what asks in the place of tokens"},
                   {.colours_of = "query",
                    .lights = "pooling_scores",
                    .is_of_features = true,
                    .row = "pooling query"}),
        declared_pooling_scores("pooling query", {{"pooling_queries"}, times_keys_of("key")}, "÷ √d\n→"),
        declared_pooling_weights("pooling query"),
        declared_pooled_values("pooling query", keys_of("value", "×")),
        made_stage(
            "pooled_rows", "Pooled rows",
            {"what asked and what it found, and a layer of both",
             {{"pooling_queries"}, {"pooled_values", "+"}},
             "+ layer\n→"},
            {.colours_of = "value", .lights = "output", .is_of_features = true, .row = "pooling query"}),
        declared_mean_weights(),
        declared_mean_of_rows("pooled_rows")};  // without a layer it is weights times values, as usual
    component.define = define_attention_pooling;
    return component;
}

}  // namespace headlight

#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

const std::string& kind_of_co_attention(const Plan& plan) { return plan.algorithm().word("kind"); }

/// The scores that the weights are made of.
Expression scores_of_weights(const Composer& composer) {
    std::vector<const char*> names{"selected_scores", "scores_with_mask", "biased_scores", "scaled_scores"};
    const bool is_masked_first = composer.plan.spec.mask_order == MaskOrder::before_scale;
    names.insert(is_masked_first ? names.end() : names.begin(), "masked_scores");
    for (const char* name : names)
        if (composer.program.has(name))
            return composer.program.tensor(name);
    return composer.program.tensor("scores");
}

/// What the second sequence is most interested in: the queries, each by its largest score, in one vector.
Expression write_most_asked(Composer& composer) {
    const Expression largest = composer.let("largest_scores", maximum_of_columns(scores_of_weights(composer)),
                                            "the largest score of each query");
    const Expression shares = composer.let(
        "most_asked_shares", transposed(softmax_of(composer, "shares_of_queries", transposed(largest))),
        "what each query has for all keys together");
    return composer.let("most_asked", product(transposed(shares), composer.query_tokens),
                        "the same vector for all queries");
}

/// What each query finds among the keys of what those found among the queries.
Expression write_found_twice(Composer& composer) {
    const Expression shares = composer.let(
        "column_shares",
        transposed(softmax_of(composer, "shares_of_columns", transposed(scores_of_weights(composer)))),
        "what each key gives to each query");
    const Expression found = composer.let("found_by_keys", product(transposed(shares), composer.query_tokens),
                                          "what each key finds among the queries");
    return composer.let("found_twice", product(composer.program.tensor("weights"), found),
                        "what each query finds of that");
}

/// Both directions of one map, side by side with the token, through a matrix (Seo et al. 2017; Xiong et al.
/// 2017; Chen et al. 2017).
Expression define_co_attention(Composer& composer, const Expression& output) {
    const Expression own = composer.query_tokens;
    const bool has_name = output->operation == Operation::tensor;
    const Expression found =
        has_name ? output : composer.let("found", output, "what each query finds among the keys");
    const std::string& kind = kind_of_co_attention(composer.plan);
    std::vector<Expression> parts{own, found};
    if (kind == "bidaf") {
        parts.push_back(own * found);
        parts.push_back(own * write_most_asked(composer));
    } else if (kind == "esim") {
        parts.push_back(own - found);
        parts.push_back(own * found);
    } else {
        parts.push_back(write_found_twice(composer));
    }
    const Expression merged =
        composer.let("merged", join_columns(parts), "the token and what was found, side by side");
    const Expression projected = composer.projected(merged, "W_merged", "b_merged");
    return kind == "esim" ? relu_of(projected) : projected;
}

void check_co_attention(const Plan& plan) {
    const auto refuse = [](const std::string& where, const std::string& expected, const std::string& got) {
        throw Error({"co_attention", where, expected, got});
    };
    if (plan.heads != 1)
        refuse("heads", "a single one: both directions read one map", std::to_string(plan.heads));
    if (const ScoreComponent* score = component_of(plan.spec.score.type); score && score->is_ordered)
        refuse("score", "one that is there for all queries at once: keys look back at them", score->word);
    if (plan.tokens.query_width != plan.output_width)
        refuse("value",
               "as many features as the queries’ tokens have, " + std::to_string(plan.tokens.query_width) +
                   ": both are compared",
               std::to_string(plan.output_width));
}

}  // namespace

AlgorithmComponent declare_algorithms_co_attention() {
    AlgorithmComponent component;
    component.meaning =
        "[x; o; x ∘ o; x ∘ h] W + b, o what each query finds and h = Σ_i softmax_i(max_j s_ij) x_i what the "
        "keys ask for most (Seo et al. 2017, BiDAF); or [x; o; A C] W + b, C what each key finds among the "
        "queries by a softmax of its column (Xiong et al. 2017, DCN); or relu([x; o; x − o; x ∘ o] W + b) "
        "(Chen et al. 2017, ESIM): both directions of one map";
    component.options = {word_option(
        "kind", "Both directions are", {"bidaf", "dcn", "esim"},
        "What stands beside the token and what it finds: their product, and that with what is asked for "
        "most; what each key found, found once more; or their difference and their product.")};
    component.known_parameters = {{"W_merged", "[4 d_o, d_o], of dcn [3 d_o, d_o]",
                                   "projects the token and what was found, side by side"},
                                  {"b_merged", "[d_o]", "is added to that"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.output_width;
        list.add_with_bias("W_merged", {(kind_of_co_attention(plan) == "dcn" ? 3 : 4) * width, width});
    };
    component.check = check_co_attention;
    component.is_composed = true;
    component.takes_any_mask = true;
    component.declared_stages = {
        made_stage("most_asked_shares", "What the keys ask for most",
                   {"softmax of the largest score of each query", {{"scores"}}, "largest,\nsoftmax\n→"},
                   {.lights = "merged", .has_features = true, .is_share = true, .is_of_all_heads = true}),
        made_stage("column_shares", "Shares of the columns", {"softmax of each column"},
                   {.colours_of = "weights",
                    .lights = "found_by_keys",
                    .role = StageRole::weights,
                    .is_share = true,
                    .leaves_out_masked = true,
                    .is_of_all_heads = true}),
        made_stage("found_by_keys", "What each key finds",
                   {"among the queries", {{.stage = "column_shares", .transposed = true}, {"tokens", "×"}}},
                   {.lights = "merged", .is_of_keys = true, .has_features = true, .is_of_all_heads = true}),
        made_stage("merged", "Side by side",
                   {"the token and what was found", {{"tokens"}, {"context", "and"}}, "side by\nside\n→"},
                   {.lights = "output", .has_features = true, .is_of_all_heads = true}),
        made_stage("output", "Output", {"", {{"merged"}}, "× W, +\n→"})};
    component.define_output = define_co_attention;
    return component;
}

}  // namespace headlight

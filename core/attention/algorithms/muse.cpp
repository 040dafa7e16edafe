#include "core/attention/algorithms/channel_maps.h"
#include "core/attention/component.h"
#include "core/attention/positions/pair_places.h"

#include <algorithm>

namespace headlight {
namespace {

Index kernels_of_muse(const Plan& plan) { return plan.algorithm().count("kernels"); }

/// 3, 5, 7 ...
Index size_of_muse_kernel(Index kernel) { return 2 * kernel + 3; }

bool has_own_output(const AttentionSpec& spec) { return spec.algorithm.options.word("output") == "own"; }

bool has_plain_kernels(const AttentionSpec& spec) { return spec.algorithm.options.word("kernel") == "plain"; }

/// The numbers that a softmax makes a kernel of, [h, n or 1, places]: of the token's values of all heads, or
/// the same for all tokens.
Expression numbers_of_muse_kernel(Composer& composer, const std::optional<Expression>& values, Index kernel) {
    if (!values)
        return composer.matrices_of_heads(numbered("k_muse_", kernel + 1));
    return split_heads(product(*values, composer.parameter(numbered("W_muse_", kernel + 1))), composer.heads);
}

/// A row of weights that slides with each token: [h, n, n].
Expression write_muse_kernel(Composer& composer, const std::optional<Expression>& values, Index kernel) {
    const Index size = size_of_muse_kernel(kernel);
    const bool is_past = composer.plan.algorithm().word("window") == "past";
    const Index reach = is_past ? size - 1 : size / 2;
    const std::string name = numbered("kernel_", kernel + 1);
    const Expression of_window = softmax_of(composer, name, numbers_of_muse_kernel(composer, values, kernel));
    const Expression is_seen = composer.pairs_where(name + "_sees", "pairs within the window that may meet",
                                                    [=](Index query, Index key) {
                                                        const Index at = key - query + reach;
                                                        return at >= 0 && at < size;
                                                    });
    const Index n = composer.plan.queries, m = composer.plan.keys;
    const Places rows = of_window.extent().rows == 1 ? Places{1, 1, {0}} : Places{n, 1, counted(0, n)};
    return choose(is_seen,
                  pick(of_window, rows,
                       places_of(n, m,
                                 [=](Index query, Index key) {
                                     return std::clamp<Index>(key - query + reach, 0, size - 1);
                                 })),
                  0);
}

/// What each branch gives, added, that of the kernels through a matrix of its own: [h, n, d_v].
Expression write_both_branches(Composer& composer, const Expression& attention,
                               const Expression& convolution) {
    const Expression found = composer.let("convolved_values", product(convolution, composer.value),
                                          "what the kernels make of the values");
    const Expression projected = composer.let(
        "convolution_output",
        split_heads(product(join_heads(of_all_heads(composer, found)), composer.parameter("W_convolution")),
                    composer.heads),
        "through the matrix of this branch");
    return composer.let("context", product(attention, composer.value) + projected, "both branches, added");
}

/// Attention and convolutions of several sizes side by side, over the same values (Zhao et al. 2019).
Expression define_muse(Composer& composer) {
    const Expression attention =
        softmax_of_open(composer, "attention_weights", write_scaled_products(composer));
    std::optional<Expression> values;
    if (!has_plain_kernels(composer.plan.spec))
        values = composer.let("values_of_all_heads", join_heads(of_all_heads(composer, composer.value)),
                              "the values of all heads side by side");
    const Expression shares = softmax_of(composer, "size_shares", composer.parameter("g_sizes"));
    std::optional<Expression> mixed;
    for (Index kernel = 0; kernel < kernels_of_muse(composer.plan); ++kernel) {
        const Expression map = some_columns(shares, {kernel}) * write_muse_kernel(composer, values, kernel);
        mixed = mixed ? *mixed + map : map;
    }
    const Expression convolution = composer.let("convolution_weights", *mixed,
                                                "the kernels, moved to each token’s place, by their shares");
    const Expression weights = composer.let("weights", attention + convolution, "both maps, added");
    return has_own_output(composer.plan.spec) ? write_both_branches(composer, attention, convolution)
                                              : write_attended_values(composer, weights);
}

}  // namespace

AlgorithmComponent declare_algorithms_muse() {
    AlgorithmComponent component;
    component.meaning =
        "o = softmax(q kᵀ / √d) v + Σ_s softmax(g)_s K_s v, K_s a kernel of s places around each token that "
        "it makes of its own values by a softmax: attention and convolutions side by side on the same "
        "values (Zhao et al. 2019, MUSE)";
    component.options = {
        count_option("kernels", "Kernels", 2, {1, 4},
                     "How many sizes of kernels there are: 3, 5, 7 and 9 places."),
        word_option("window", "Window", {"centred", "past"},
                    "Whether a kernel has the token in its middle or ends at it, as in a decoder."),
        word_option("kernel", "Kernels are", {"dynamic", "plain"},
                    "Whether each token makes its kernels of its own values, or each head has one of each "
                    "size for all tokens."),
        word_option("output", "Output matrix", {"shared", "own"},
                    "Whether both branches go through W_o alone, or the kernels’ through a matrix of its own "
                    "before it.")};
    component.known_parameters = {
        {"g_sizes", "[kernels]", "how much each size of kernels counts, before a softmax"},
        {"W_muse_1", "[h d_v, 3 h]", "makes the kernel of 3 places of each head"},
        {"W_muse_2", "[h d_v, 5 h]", "makes the kernel of 5 places of each head"},
        {"W_muse_3", "[h d_v, 7 h]", "makes the kernel of 7 places of each head"},
        {"W_muse_4", "[h d_v, 9 h]", "makes the kernel of 9 places of each head"},
        {"k_muse_1", "[h, 3]", "the kernel of 3 places of each head, before a softmax"},
        {"k_muse_2", "[h, 5]", "the kernel of 5 places of each head, before a softmax"},
        {"k_muse_3", "[h, 7]", "the kernel of 7 places of each head, before a softmax"},
        {"k_muse_4", "[h, 9]", "the kernel of 9 places of each head, before a softmax"},
        {"W_convolution", "[h d_v, h d_v]", "projects what the kernels give, before W_o"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("g_sizes", {kernels_of_muse(plan)}, 0.0);
        for (Index kernel = 0; kernel < kernels_of_muse(plan); ++kernel)
            if (has_plain_kernels(plan.spec))
                list.add(numbered("k_muse_", kernel + 1), {plan.heads, size_of_muse_kernel(kernel)});
            else
                list.add(numbered("W_muse_", kernel + 1),
                         {plan.context_width(), plan.heads * size_of_muse_kernel(kernel)});
        if (has_own_output(plan.spec))
            list.add("W_convolution", {plan.context_width(), plan.context_width()});
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "muse", "the kernels lie around the token’s own place");
    };
    component.takes_any_mask = true;
    component.changes_context = has_own_output;
    component.declared_stages = {
        declared_scores_stage(),
        declared_softmax_stage("scores", "attention_weights", "Weights of the attention", "",
                               {.lights = "weights", .role = StageRole::weights, .leaves_out_masked = true}),
        made_stage("size_shares", "Shares of the sizes", {"what each size of kernels has, for all tokens"},
                   {.lights = "convolution_weights",
                    .is_of_features = true,
                    .has_features = true,
                    .is_share = true}),
        made_stage("convolution_weights", "Weights of the kernels",
                   {"moved to each token’s place, by their shares",
                    {keys_of("value"), {"size_shares", "and"}},
                    "× W,\nsoftmax\n→"},
                   {.colours_of = "attention_weights",
                    .lights = "weights",
                    .role = StageRole::weights,
                    .is_share = true,
                    .leaves_out_masked = true}),
        declared_weights_stage(
            {"both maps, added", {{"attention_weights"}, {"convolution_weights", "+"}}, "="}),
        made_stage("convolved_values", "What the kernels find",
                   {"", {{"convolution_weights"}, keys_of("value", "×")}, "="},
                   {.colours_of = "value", .lights = "output"}),
        made_stage("convolution_output", "Output of the kernels",
                   {"through the matrix of this branch", {{"convolved_values"}}, "× W\n→"},
                   {.lights = "output"}),
        made_stage("context", "Context",
                   {"", {{"weights"}, keys_of("value", "×"), optional_stage("convolution_output", "and")}})};
    component.define = define_muse;
    return component;
}

}  // namespace headlight

#include "core/attention/algorithms/channel_maps.h"
#include "core/attention/component.h"
#include "core/attention/positions/pair_places.h"

#include <algorithm>
#include <optional>

namespace headlight {
namespace {

Index kernels_of_muse(const Plan& plan) { return option<Index>(plan.spec.algorithm.options, "kernels"); }

/// 3, 5, 7 ...
Index size_of_muse_kernel(Index kernel) { return 2 * kernel + 3; }

/// A row of weights that slides with each token, made of its values of all heads: [h, n, n].
Expression write_muse_kernel(Composer& composer, const Expression& values, Index kernel) {
    const Index size = size_of_muse_kernel(kernel);
    const bool is_past = option<std::string>(algorithm_options(composer), "window") == "past";
    const Index reach = is_past ? size - 1 : size / 2;
    const std::string name = numbered("kernel_", kernel + 1);
    const Expression of_window = softmax_of(
        composer, name,
        split_heads(product(values, composer.parameter(numbered("W_muse_", kernel + 1))), composer.heads));
    const Expression is_seen =
        composer.truth(name + "_sees", {0, composer.plan.queries, composer.plan.keys},
                       "pairs within the window that may meet", [&](Index query, Index key) {
                           const Index at = key - query + reach;
                           return at >= 0 && at < size && composer.may_meet(query, key);
                       });
    return choose(is_seen,
                  by_distance(composer, of_window,
                              [=](Index query, Index key) {
                                  return std::clamp<Index>(key - query + reach, 0, size - 1);
                              }),
                  0);
}

/// Attention and convolutions of several sizes side by side, over the same values (Zhao et al. 2019).
Expression define_muse(Composer& composer) {
    const Expression attention =
        softmax_of(composer, "attention_weights",
                   composer.where_open(write_scaled_products(composer), minus_infinity()));
    const Expression values =
        composer.let("values_of_all_heads", join_heads(of_all_heads(composer, composer.value)),
                     "the values of all heads side by side");
    const Expression shares = softmax_of(composer, "size_shares", composer.parameter("g_sizes"));
    std::optional<Expression> mixed;
    for (Index kernel = 0; kernel < kernels_of_muse(composer.plan); ++kernel) {
        const Expression map = some_columns(shares, {kernel}) * write_muse_kernel(composer, values, kernel);
        mixed = mixed ? *mixed + map : map;
    }
    const Expression convolution = composer.let("convolution_weights", *mixed,
                                                "the kernels, moved to each token’s place, by their shares");
    return write_attended_values(composer,
                                 composer.let("weights", attention + convolution, "both maps, added"));
}

}  // namespace

AlgorithmComponent declare_algorithms_muse() {
    AlgorithmComponent component;
    component.type = AlgorithmType::muse;
    component.word = "muse";
    component.meaning = "o = softmax(q kᵀ / √d) v + Σ_s softmax(g)_s K_s v, K_s a kernel of s places around "
                        "each token that it "
                        "makes of its own values by a softmax: attention and convolutions side by side on "
                        "the same values (Zhao "
                        "et al. 2019, MUSE)";
    component.options = {
        {.name = "kernels",
         .label = "Kernels",
         .standard = Index(2),
         .minimum = 1,
         .maximum = 4,
         .help = "How many sizes of kernels there are: 3, 5, 7 and 9 places."},
        {.name = "window",
         .label = "Window",
         .standard = std::string("centred"),
         .choices = {"centred", "past"},
         .help = "Whether a kernel has the token in its middle or ends at it, as in a decoder."}};
    component.known_parameters = {
        {"g_sizes", {}, "[kernels]: how much each size of kernels counts, before a softmax (muse)"},
        {"W_muse_1", {}, "[h d_v, 3 h]: makes the kernel of 3 places of each head (muse)"},
        {"W_muse_2", {}, "[h d_v, 5 h]: that of 5 places (muse)"},
        {"W_muse_3", {}, "[h d_v, 7 h]: that of 7 places (muse)"},
        {"W_muse_4", {}, "[h d_v, 9 h]: that of 9 places (muse)"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("g_sizes", {kernels_of_muse(plan)}, "how much each size of kernels counts, before a softmax",
                 0);
        for (Index kernel = 0; kernel < kernels_of_muse(plan); ++kernel)
            list.add(numbered("W_muse_", kernel + 1),
                     {plan.context_width(), plan.heads * size_of_muse_kernel(kernel)},
                     "makes a kernel of each head");
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "muse", "the kernels lie around the token’s own place");
    };
    component.takes_any_mask = true;
    component.declared_stages = {declared_scores_stage(),
                                 declared_softmax_stage("scores", {.name = "attention_weights",
                                                                   .title = "Weights of the attention",
                                                                   .lights = "weights",
                                                                   .role = StageRole::weights,
                                                                   .leaves_out_masked = true}),
                                 {.name = "size_shares",
                                  .title = "Shares of the sizes",
                                  .subtitle = "what each size of kernels has, for all tokens",
                                  .lights = "convolution_weights",
                                  .is_of_features = true,
                                  .has_features = true,
                                  .is_share = true},
                                 {.name = "convolution_weights",
                                  .title = "Weights of the kernels",
                                  .subtitle = "moved to each token’s place, by their shares",
                                  .operands = {{.stage = "value", .as_keys = true}, {"size_shares", "and"}},
                                  .operation = "× W,\nsoftmax\n→",
                                  .colours_of = "attention_weights",
                                  .lights = "weights",
                                  .role = StageRole::weights,
                                  .is_share = true,
                                  .leaves_out_masked = true},
                                 {.name = "weights",
                                  .title = "Weights",
                                  .subtitle = "both maps, added",
                                  .operands = {{"attention_weights"}, {"convolution_weights", "+"}},
                                  .operation = "=",
                                  .lights = "output",
                                  .role = StageRole::weights,
                                  .leaves_out_masked = true}};
    component.define = define_muse;
    return component;
}

}  // namespace headlight

#include "core/attention/kernel_scores.h"

#include "core/attention/scores/defined_scores.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headlight {
namespace {

Expression define_dot_scores(Composer& composer) { return product_transposed(composer.query, composer.key); }

Expression define_general_scores(Composer& composer) {
    return product_transposed(composer.let("transformed_query",
                                           product(composer.query, composer.parameter("W")),
                                           "queries times W"),
                              composer.key);
}

Expression define_concat_scores(Composer& composer) {
    const Plan& plan = composer.plan;
    const Score& score = plan.spec.score;
    const Expression W = composer.parameter("W");
    const Expression upper =
        composer.let("W_upper", some_rows(W, counted(0, plan.head_query_width())), "the rows that meet q");
    const Expression lower =
        composer.let("W_lower", some_rows(W, counted(plan.head_query_width(), plan.head_key_width())),
                     "the rows that meet k");
    return sum_of_pairs(
        composer.parameter("v") *
        activated(score.activation, sum_of_halves(energy_halves(composer, upper, lower, score.bias))));
}

Expression define_additive_scores(Composer& composer) {
    const Score& score = composer.plan.spec.score;
    return sum_of_pairs(composer.parameter("v") *
                        activated(score.activation, sum_of_halves(energy_halves(composer, score.bias))));
}

}  // namespace

std::span<const KernelScore> kernel_scores() {
    using enum ScoreType;
    static const std::vector<KernelScore> scores{
        {.type = dot,
         .word = "dot",
         .meaning = "q · k",
         .title = "dot-product",
         .subtitle = "query × keyᵀ",
         .compares_widths = true,
         .takes_vector_norm = true,
         .define = define_dot_scores},
        {.type = scaled_dot,
         .word = "scaled_dot",
         .meaning = "q · k / √d_k, d_k the width of one head's key",
         .title = "scaled dot-product",
         .subtitle = "query × keyᵀ",
         .scale = "÷ √d",
         .compares_widths = true,
         .takes_vector_norm = true,
         .define = define_dot_scores,
         .define_scale = define_root_scale},
        {.type = learned_scale,
         .word = "learned_scale",
         .meaning = "g (q · k), g a learned number",
         .title = "learned-scale dot-product",
         .subtitle = "query × keyᵀ",
         .scale = "× g",
         .compares_widths = true,
         .takes_vector_norm = true,
         .define = define_dot_scores,
         .define_scale = define_learned_scale},
        {.type = general,
         .word = "general",
         .meaning = "q W kᵀ",
         .title = "general",
         .subtitle = "query × W × keyᵀ",
         .between = "× W ×",
         .define = define_general_scores},
        {.type = concat,
         .word = "concat",
         .meaning = "v · act([q; k] W + b)",
         .title = "concat",
         .subtitle = "v · energy",
         .has_energy = true,
         .define = define_concat_scores},
        {.type = additive,
         .word = "additive",
         .meaning = "v · act(q W_1 + k W_2 + b)",
         .title = "additive",
         .subtitle = "v · energy",
         .has_energy = true,
         .define = define_additive_scores},
        {.type = self_similarity,
         .word = "self_similarity",
         .meaning = "x · y of the token vectors themselves",
         .title = "parameter-free",
         .subtitle = "tokens × tokensᵀ",
         .compares_widths = true,
         .define = define_dot_scores},
    };
    return scores;
}

const KernelScore* kernel_score(ScoreType type) {
    const auto found = std::ranges::find(kernel_scores(), type, &KernelScore::type);
    return found == kernel_scores().end() ? nullptr : &*found;
}

double kernel_scale(ScoreType type, Index width) {
    return type == ScoreType::scaled_dot ? 1 / std::sqrt(static_cast<double>(width)) : 1;
}

}  // namespace headlight

#include "core/attention/kernel_scores.h"

#include <algorithm>
#include <vector>

namespace headlight {

std::span<const KernelScore> kernel_scores() {
    using enum ScoreType;
    static const std::vector<KernelScore> scores{
        {.type = dot,
         .word = "dot",
         .meaning = "q · k",
         .title = "dot-product",
         .subtitle = "query × keyᵀ",
         .compares_widths = true,
         .takes_vector_norm = true},
        {.type = scaled_dot,
         .word = "scaled_dot",
         .meaning = "q · k / √d_k, d_k the width of one head's key",
         .title = "scaled dot-product",
         .subtitle = "query × keyᵀ",
         .scale = "÷ √d",
         .compares_widths = true,
         .takes_vector_norm = true},
        {.type = learned_scale,
         .word = "learned_scale",
         .meaning = "g (q · k), g a learned number",
         .title = "learned-scale dot-product",
         .subtitle = "query × keyᵀ",
         .scale = "× g",
         .compares_widths = true,
         .takes_vector_norm = true},
        {.type = general,
         .word = "general",
         .meaning = "q W kᵀ",
         .title = "general",
         .subtitle = "query × W × keyᵀ",
         .between = "× W ×"},
        {.type = concat,
         .word = "concat",
         .meaning = "v · act([q; k] W + b)",
         .title = "concat",
         .subtitle = "v · energy",
         .has_energy = true},
        {.type = additive,
         .word = "additive",
         .meaning = "v · act(q W_1 + k W_2 + b)",
         .title = "additive",
         .subtitle = "v · energy",
         .has_energy = true},
        {.type = self_similarity,
         .word = "self_similarity",
         .meaning = "x · y of the token vectors themselves",
         .title = "parameter-free",
         .subtitle = "tokens × tokensᵀ",
         .compares_widths = true},
    };
    return scores;
}

const KernelScore* kernel_score(ScoreType type) {
    const auto found = std::ranges::find(kernel_scores(), type, &KernelScore::type);
    return found == kernel_scores().end() ? nullptr : &*found;
}

}  // namespace headlight

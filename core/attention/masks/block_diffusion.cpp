#include "core/attention/component.h"

#include <algorithm>

namespace headlight {

MaskComponent declare_masks_block_diffusion() {
    MaskComponent component;
    component.meaning =
        "A noised copy of a text and the clean text behind it, both cut into blocks: noised tokens see their "
        "own noised block and the clean blocks before it, clean ones the clean blocks up to their own "
        "(BD3-LM, Arriola et al. 2025)";
    component.options = {
        count_option(
            "size", "Block", 2, token_counts,
            "Length of a block, whose tokens are denoised together; 1: one by one, from left to right."),
        count_option(
            "noised", "Noised tokens", 0, {0, 65536},
            "How many tokens at the beginning are the noised copy; the clean text begins behind them.",
            "half of all")};
    component.allows = [](const Options& options, Index queries, Index keys) -> MaskPredicate {
        const Index given = options.count("noised");
        const Index noised = given > 0 ? given : (std::max(queries, keys) + 1) / 2;
        const auto block = [=, size = options.count("size")](Index token) {
            return (token < noised ? token : token - noised) / size;
        };
        return [=](Index query, Index key) {
            if (key < noised)
                return query < noised && block(key) == block(query);
            return query < noised ? block(key) < block(query) : block(key) <= block(query);
        };
    };
    return component;
}

}  // namespace headlight

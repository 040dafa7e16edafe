#include "core/attention/component.h"

namespace headlight {

MaskComponent declare_masks_shifted_blocks() {
    MaskComponent component;
    component.meaning = "Blocks whose borders are moved by shift keys: the first one has as many, every "
                        "other one size (Swin’s shifted window in one dimension, Liu et al. 2021, with "
                        "forbidden pairs at −∞ and not at −100)";
    component.options = {
        count_option(
            "size", "Block", 4, token_counts,
            "Length of a block: the number of keys that a query sees, fewer at the ends of the sequence."),
        count_option("shift", "Shift", 0, {0, 65536},
                     "By how many keys the borders are moved to the right; a whole block is no shift.",
                     "half a block")};
    component.allows = [](const Options& options, Index, Index) -> MaskPredicate {
        const Index size = options.count("size"), given = options.count("shift");
        const Index into_block = size - (given > 0 ? given % size : size / 2);
        return
            [=](Index query, Index key) { return (query + into_block) / size == (key + into_block) / size; };
    };
    return component;
}

}  // namespace headlight

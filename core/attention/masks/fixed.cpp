#include "core/attention/component.h"

namespace headlight {

MaskComponent declare_masks_fixed() {
    MaskComponent component;
    component.meaning = "A: j ≤ i in the same block of stride keys; B: j ≤ i among the summary keys at the "
                        "end of any block, which carry what their block has to say (Child et al. 2019)";
    component.options = {
        count_option("stride", "Stride", 3, {1, 65536},
                     "Length of a block: part A sees the 1 to stride keys of the query’s own block so far."),
        count_option("summary", "Summary keys", 1, {1, 65536},
                     "How many keys at the end of every block all later queries see; as many as the stride, "
                     "or more, makes the mask causal."),
        word_option("part", "Part", {"both", "A", "B"},
                    "A is the query’s own block, B the summary keys of every block; the paper gives them to "
                    "different heads or joins them.")};
    component.allows = [](const Options& options, Index, Index) -> MaskPredicate {
        return [stride = options.count("stride"), summary = options.count("summary"),
                part = options.word("part")](Index query, Index key) {
            const bool same_block = query / stride == key / stride,
                       is_summary = key % stride >= stride - summary;
            return key <= query && ((part != "B" && same_block) || (part != "A" && is_summary));
        };
    };
    return component;
}

}  // namespace headlight

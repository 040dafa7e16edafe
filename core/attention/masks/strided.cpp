#include "core/attention/component.h"

namespace headlight {

MaskComponent declare_masks_strided() {
    MaskComponent component;
    component.meaning = "A: 0 ≤ i − j < stride; B: j ≤ i and i − j a multiple of stride. Some heads use A, "
                        "some B, or one head both (Child et al. 2019)";
    component.options = {count_option("stride", "Stride", 3, {1, 65536},
                                      "Length of the window of part A, and the step of part B: A sees stride "
                                      "keys, B sees ⌊i / stride⌋ + 1 of them for query i counted from 0."),
                         word_option("part", "Part", {"both", "A", "B"},
                                     "A is the window of the latest keys, B every stride-th key before the "
                                     "query; the paper gives them to different heads or joins them.")};
    component.allows = [](const Options& options, Index, Index) -> MaskPredicate {
        return [stride = options.count("stride"), part = options.word("part")](Index query, Index key) {
            const Index distance = query - key;
            return distance >= 0 &&
                   ((part != "B" && distance < stride) || (part != "A" && distance % stride == 0));
        };
    };
    return component;
}

}  // namespace headlight

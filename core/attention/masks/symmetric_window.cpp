#include "core/attention/component.h"

namespace headlight {

MaskComponent declare_masks_symmetric_window() {
    MaskComponent component;
    component.meaning = "|i − j| ≤ reach: the query itself and reach keys on each side, 2 reach + 1 in all "
                        "(Longformer’s own code counts so; Hugging Face’s attention_window is the total)";
    component.options = {count_option(
        "reach", "Reach", 1, {0, 65536},
        "How many keys a query sees on each side of itself: 2 reach + 1 keys, fewer at the ends.")};
    component.allows = [](const Options& options, Index, Index) -> MaskPredicate {
        return [reach = options.count("reach")](Index query, Index key) {
            return query - key <= reach && key - query <= reach;
        };
    };
    return component;
}

}  // namespace headlight

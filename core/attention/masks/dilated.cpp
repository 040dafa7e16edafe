#include "core/attention/component.h"

#include <cstdlib>

namespace headlight {

MaskComponent declare_masks_dilated() {
    MaskComponent component;
    component.meaning = "|i − j| ≤ reach and i − j a multiple of step: a window with gaps, 2 ⌊reach / step⌋ "
                        "+ 1 keys (Beltagy et al. 2020)";
    component.options = {
        count_option(
            "reach", "Reach", 4, {0, 65536},
            "How far a query sees on each side, gaps counted: 2 ⌊reach / step⌋ + 1 keys, fewer at the ends."),
        count_option("step", "Step", 2, {1, 65536}, "Every how many keys one is seen; 1 leaves no gaps.")};
    component.allows = [](const Options& options, Index, Index) -> MaskPredicate {
        return [reach = options.count("reach"), step = options.count("step")](Index query, Index key) {
            return std::abs(query - key) <= reach && (query - key) % step == 0;
        };
    };
    return component;
}

}  // namespace headlight

#include "core/attention/component.h"

#include <cstdlib>

namespace headlight {

MaskComponent declare_masks_dilated() {
    MaskComponent component;
    component.meaning = "|i − j| ≤ reach and i − j a multiple of step: a window with gaps, 2 ⌊reach / step⌋ "
                        "+ 1 keys (Beltagy et al. 2020)";
    component.options = {{.name = "reach",
                          .label = "Reach",
                          .standard = Index(4),
                          .minimum = 0,
                          .maximum = 65536,
                          .help = "How far a query sees on each side, gaps counted: 2 ⌊reach / step⌋ + 1 "
                                  "keys, fewer at the ends."},
                         {.name = "step",
                          .label = "Step",
                          .standard = Index(2),
                          .minimum = 1,
                          .maximum = 65536,
                          .help = "Every how many keys one is seen; 1 leaves no gaps."}};
    component.allows = [](const Options& options, Index, Index) -> std::function<bool(Index, Index)> {
        return [reach = option<Index>(options, "reach"), step = option<Index>(options, "step")](Index query,
                                                                                                Index key) {
            return std::abs(query - key) <= reach && (query - key) % step == 0;
        };
    };
    return component;
}

}  // namespace headlight

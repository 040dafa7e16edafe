#include "core/attention/component.h"

namespace headlight {

MaskComponent declare_masks_logarithmic() {
    MaskComponent component;
    component.meaning = "j = i, or i − j a power of two: ⌊log₂ i⌋ + 2 keys for query i counted from 0, and "
                        "one for the first (LogSparse, Li et al. 2019)";
    component.options = {};
    component.allows = [](const Options&, Index, Index) -> MaskPredicate {
        return [](Index query, Index key) {
            const Index distance = query - key;
            return distance >= 0 && (distance & (distance - 1)) == 0;
        };
    };
    return component;
}

}  // namespace headlight

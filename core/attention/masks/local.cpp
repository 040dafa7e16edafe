#include "core/attention/component.h"

#include <algorithm>
#include <cstdlib>

namespace headlight {

MaskComponent declare_masks_local() {
    MaskComponent component;
    component.meaning = "|j − p| ≤ radius around p = min(i, last key): source and target are taken to run in "
                        "step; 2 radius + 1 keys, fewer at the ends (local-m, Luong et al. 2015)";
    component.options = {count_option("radius", "Radius", 2, {0, 65536},
                                      "How many keys a query sees on each side of the key at its own place: "
                                      "2 radius + 1 keys. The paper has 10.")};
    component.allows = [](const Options& options, Index, Index keys) -> MaskPredicate {
        return [radius = options.count("radius"), last = keys - 1](Index query, Index key) {
            return std::abs(std::min(query, last) - key) <= radius;
        };
    };
    return component;
}

}  // namespace headlight

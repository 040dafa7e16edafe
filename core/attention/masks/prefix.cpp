#include "core/attention/component.h"

namespace headlight {

MaskComponent declare_masks_prefix() {
    MaskComponent component;
    component.meaning =
        "j < length or j ≤ i: everybody sees the prefix, and beyond it the mask is causal; max(length, i + "
        "1) keys for query i counted from 0 (Raffel et al. 2020, Dong et al. 2019)";
    component.options = {count_option(
        "length", "Prefix", 3, {0, 65536},
        "How many keys at the beginning every query sees. 0: causal; the whole length: no mask.")};
    component.gives_prefixes = true;
    component.allows = [](const Options& options, Index, Index) -> MaskPredicate {
        return [length = options.count("length")](Index query, Index key) {
            return key < length || key <= query;
        };
    };
    return component;
}

}  // namespace headlight

#include "core/attention/component.h"

namespace headlight {

MaskComponent declare_masks_every_nth() {
    MaskComponent component;
    component.meaning = "j ≤ i and i − j a multiple of n: ⌊i / n⌋ + 1 keys";
    component.options = {{.name = "n",
                          .label = "Every n-th",
                          .standard = Index(3),
                          .minimum = 1,
                          .maximum = 65536,
                          .help = "Every how many keys before it a query sees one."}};
    component.allows = [](const Options& options, Index, Index) -> MaskPredicate {
        return [n = options.count("n")](Index query, Index key) {
            return key <= query && (query - key) % n == 0;
        };
    };
    return component;
}

}  // namespace headlight

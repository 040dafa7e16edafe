#include "core/attention/component.h"

namespace headlight {

MaskComponent declare_masks_wait_k() {
    MaskComponent component;
    component.meaning = "j ≤ i + k − 1: the source arrives word by word, and a translation that is always k "
                        "words behind sees k + i keys at query i counted from 0 (Ma et al. 2019)";
    component.options = {count_option("k", "Words ahead", 2, token_counts,
                                      "How many source words are read before the first word is said; then "
                                      "one more for each word. 1: causal; as many as there are: no mask.")};
    component.gives_prefixes = true;
    component.allows = [](const Options& options, Index, Index) -> MaskPredicate {
        return [k = options.count("k")](Index query, Index key) { return key < query + k; };
    };
    return component;
}

}  // namespace headlight

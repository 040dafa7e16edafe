#include "core/attention/component.h"

namespace headlight {

MaskComponent declare_masks_blocks() {
    MaskComponent component;
    component.meaning = "⌊i / size⌋ = ⌊j / size⌋: the sequence is cut into blocks that know nothing of one "
                        "another, size keys for each query (with a causal mask Llama 4’s chunks)";
    component.options = {count_option(
        "size", "Block", 3, token_counts,
        "Length of a block: the number of keys that a query sees; the last block may be shorter.")};
    component.allows = [](const Options& options, Index, Index) -> MaskPredicate {
        return [size = options.count("size")](Index query, Index key) { return query / size == key / size; };
    };
    return component;
}

}  // namespace headlight

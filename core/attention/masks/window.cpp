#include "core/attention/component.h"

namespace headlight {

MaskComponent declare_masks_window() {
    MaskComponent component;
    component.meaning =
        "0 ≤ i − j < size: the query itself and the size − 1 keys before it (Mistral's convention; "
        "counting i − j ≤ size instead gives one key more)";
    component.options = {
        count_option("size", "Window", 4, token_counts, "How many keys a query sees, itself included.")};
    component.allows = [](const Options& options, Index, Index) -> MaskPredicate {
        return [size = options.count("size")](Index query, Index key) {
            return key <= query && query - key < size;
        };
    };
    return component;
}

}  // namespace headlight

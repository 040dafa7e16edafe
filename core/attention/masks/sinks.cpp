#include "core/attention/component.h"

namespace headlight {

MaskComponent declare_masks_sinks() {
    MaskComponent component;
    component.meaning = "j < sinks: the first keys, whoever asks. Joined with a window and a causal mask, "
                        "StreamingLLM (Xiao et al. 2024)";
    component.options = {count_option(
        "sinks", "Sinks", 1, {0, 65536},
        "How many keys at the beginning every query sees beside those of its window; the paper keeps 4.")};
    component.gives_prefixes = true;
    component.allows = [](const Options& options, Index, Index) -> MaskPredicate {
        return [sinks = options.count("sinks")](Index, Index key) { return key < sinks; };
    };
    return component;
}

}  // namespace headlight

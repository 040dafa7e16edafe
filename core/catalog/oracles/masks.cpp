#include "core/attention/component.h"
#include "core/attention/options.h"
#include "core/catalog/oracles/oracle_parts.h"

namespace headlight {

reference::Allowed pattern_oracle(const PatternMask& pattern, std::size_t queries, std::size_t keys) {
    const Options options =
        complete_options(component_of(pattern.type)->options, pattern.options, "mask", "mask");
    switch (pattern.type) {
    case MaskPattern::window:
        return reference::causal_window(queries, keys,
                                        static_cast<std::size_t>(option<Index>(options, "size")));
    default:
        return reference::everything(queries, keys);
    }
}

}  // namespace headlight

#include "core/attention/component.h"

#include <algorithm>

namespace headlight {

MaskComponent declare_masks_global() {
    MaskComponent component;
    component.meaning = "i or j is a global token: it sees every key and is seen by every query (Longformer, "
                        "Beltagy et al. 2020)";
    component.options = {list_option(
        "tokens", "Global tokens", {0}, {0, 65535},
        "Numbers of the global tokens, counted from 0; every other query sees these keys and no more.")};
    component.allows = [](const Options& options, Index queries, Index keys) -> MaskPredicate {
        std::vector<char> is_global(static_cast<std::size_t>(std::max(queries, keys)), 0);
        for (const Index token : options.list("tokens"))
            if (token < std::ssize(is_global))
                is_global[static_cast<std::size_t>(token)] = 1;
        return [is_global = std::move(is_global)](Index query, Index key) {
            return is_global[static_cast<std::size_t>(query)] || is_global[static_cast<std::size_t>(key)];
        };
    };
    return component;
}

}  // namespace headlight

#include "core/attention/component.h"

#include <algorithm>

namespace headlight {

MaskComponent declare_masks_documents() {
    MaskComponent component;
    component.meaning = "Query and key belong to the same document of a packed sequence: as many keys as the "
                        "document is long";
    component.options = {list_option(
        "lengths", "Lengths", {3, 4}, {1, 65536},
        "How many tokens each document has, one after another; what is left is one more document.")};
    component.allows = [](const Options& options, Index queries, Index keys) -> MaskPredicate {
        const Index tokens = std::max(queries, keys);
        std::vector<Index> document(static_cast<std::size_t>(tokens), 0);
        Index first = 0, number = 0;
        for (const Index length : options.list("lengths")) {
            first = std::min(first + length, tokens);
            std::fill(document.begin() + first, document.end(), ++number);
        }
        return [document = std::move(document)](Index query, Index key) {
            return document[static_cast<std::size_t>(query)] == document[static_cast<std::size_t>(key)];
        };
    };
    return component;
}

}  // namespace headlight

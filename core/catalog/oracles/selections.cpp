#include "core/reference/selections.h"
#include "core/attention/options.h"
#include "core/catalog/oracles/oracle_parts.h"

namespace headlight {

void add_selection_oracle(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.selection.options;
    switch (parts.spec.selection.type) {
    case SelectionType::top_k: {
        const auto k = static_cast<std::size_t>(option<Index>(options, "k"));
        setting.select = [=](const reference::Head& head, const reference::Matrix& scores) {
            return reference::top_k(scores, head.allowed, k);
        };
        return;
    }
    default:
        return;
    }
}

}  // namespace headlight

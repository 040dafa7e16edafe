#include "tests/oracle/oracle_parts.h"
#include "tests/oracle/settings.h"

#include <memory>

namespace headlight {

void oracle_algorithms_louder(const OracleParts& parts, reference::Setting& setting) {
    // The heads come one after another.
    setting.change_context = [s = parts.parameters.row("s_louder"),
                              head = std::make_shared<std::size_t>(0)](reference::Matrix context) {
        for (Number& number : context.values)
            number *= 1 + s[*head];
        ++*head;
        return context;
    };
}

Settings settings_algorithms_louder() {
    return {
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "algorithm": {"type": "louder"}})"};
}

}  // namespace headlight

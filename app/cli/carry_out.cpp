#include "app/cli/carry_out.h"

#include "app/cli/output.h"

namespace headlight {

int carry_out(const Command& command, const std::vector<std::string>& given, int (*work)(const Arguments&)) {
    const Arguments arguments(command, given);
    if (arguments.has("--help")) {
        print(help_text(command));
        return 0;
    }
    const MemoryLimit limit(arguments.memory());
    return work(arguments);
}

}  // namespace headlight

#include "app/cli/carry_out.h"

#include "app/cli/output.h"
#include "app/cli/standard_streams.h"

namespace headlight {

int carry_out(const Command& command, const std::vector<std::string>& given, int (*work)(const Arguments&)) {
    Arguments arguments(command, given);
    if (arguments.has("--help")) {
        print(help_text(command));
        return 0;
    }
    const MemoryLimit limit(arguments.memory());
    try {
        take_piped_inputs(arguments);
        return work(arguments);
    } catch (const UsageError& error) {
        throw with_stream_names(error);
    } catch (const Error& error) {
        throw with_stream_names(error);
    }
}

}  // namespace headlight

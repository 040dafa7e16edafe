#include "app/cli/render_command.h"

#include "app/cli/arguments.h"

namespace headlight {

int render_command(const std::vector<std::string>&) {
    throw UsageError({"render", "", "another command: drawing is not built in yet", "render"});
}

}  // namespace headlight

#include "app/cli/capture_options.h"

namespace headlight {

SessionCapture capture_asked_for(const Arguments& arguments) {
    return {.file = arguments.operands().front(),
            .other = arguments.value("--with"),
            .unit = arguments.word("--units", TokenUnit::token)};
}

bool is_plain(const SessionCapture& capture) { return !capture.other && capture.unit == TokenUnit::token; }

}  // namespace headlight

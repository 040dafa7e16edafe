#include "core/tensor/version.h"

namespace headlight {

std::string_view program_version() { return HEADLIGHT_VERSION; }
std::string_view program_year() { return HEADLIGHT_YEAR; }

}  // namespace headlight

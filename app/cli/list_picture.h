#pragma once

#include "app/cli/arguments.h"
#include "core/catalog/mechanism.h"

#include <span>

namespace headlight {

/// Whether `headlight list` is asked for a picture of the catalogue. Throws UsageError for what does not go
/// with one, or without one.
bool asks_for_picture(const Arguments& arguments);

/// Writes the picture of those mechanisms.
void write_list_picture(const Arguments& arguments, std::span<const Mechanism> mechanisms);

}  // namespace headlight

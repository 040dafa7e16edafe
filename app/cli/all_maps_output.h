#pragma once

#include "app/cli/arguments.h"

#include <filesystem>

namespace headlight {

inline constexpr Flag all_maps_option{
    "--all-maps", "",
    "in place of a picture every number of every map of FILE, [layer, head, query, key]; .npz or .csv"};

/// Writes what the option asks for. Throws UsageError for another format, and for options beside it that
/// would change a picture and nothing here.
void write_all_maps(const Arguments& arguments, const std::filesystem::path& output);

}  // namespace headlight

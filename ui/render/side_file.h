#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace headlight {

// A format without room for a session keeps it beside the file: numbers.csv in numbers.csv.headlight.json,
// the whole name, so that numbers.csv and numbers.npz may show different views.

/// Returns the side file of an exported figure; nothing where its own file carries the session, or where the
/// name is of no format.
std::optional<std::filesystem::path> side_file(const std::filesystem::path& exported);
bool is_side_file(const std::filesystem::path& path);

/// The session beside an exported figure; nothing where there is none. Throws Error that begins with the side
/// file where that cannot be read.
std::optional<std::string> session_beside(const std::filesystem::path& exported);

/// Writes the session of an exported figure beside it, atomically. Where it is empty, a side file that was
/// left by an earlier export of that name goes, for it would tell of another figure.
void write_side_file(const std::string& session, const std::filesystem::path& exported);

}  // namespace headlight

#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace headlight {

/// Larger files are neither read nor worth writing.
inline constexpr std::size_t largest_file = std::size_t(1) << 30;

/// The whole file. Throws Error when it cannot be read or is larger than `limit` bytes (checked before
/// allocating); the message then ends with `advice`, what else would do.
std::string read_file(const std::filesystem::path& path, std::size_t limit = largest_file,
                      std::string_view advice = {});

/// Writes beside `path`, flushes to the disk, then renames: readers see the old file or the new one, never
/// half of it, and nothing is left behind on failure.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

/// A name beside the file or the folder that is being written, for as long as it is. Attempt 0, 1, ... as names
/// are taken.
std::string temporary_name(int attempt);
/// Whether temporary_name() can have given it: what a program that was killed left behind.
bool is_temporary_name(std::string_view name);

/// ".json" for "a/B.JSON"; empty when there is none.
std::string extension_of(const std::filesystem::path& path);

}  // namespace headlight

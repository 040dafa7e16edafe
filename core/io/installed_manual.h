#pragma once

#include <filesystem>
#include <string>

namespace headlight {

/// The folder of the manual's pages that was installed with the program in this file, by default the running
/// one. Empty where none was.
std::filesystem::path installed_manual(const std::filesystem::path& program = "/proc/self/exe");

/// The folder of the manual's pages: those that were installed, else those of the source that the program was
/// built in. Empty where there are none.
std::filesystem::path manual_folder(const std::filesystem::path& program = "/proc/self/exe");

/// Where a reader finds a page of the manual, such as "files.md": the installed file, else its place in the
/// source.
std::string place_in_manual(const std::string& page);

}  // namespace headlight

#pragma once

#include "app/cli/arguments.h"
#include "core/tensor/error.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace headlight {

// The one place where "-" on a command line becomes standard input or output. Readers look into a file more
// than once and at what lies beside it, which no stream allows: what is piped in is kept in a temporary file
// as long as the command works, and what is piped out is written to one first.

/// What stands for standard input, where a file or a text is read, and for standard output.
inline constexpr std::string_view standard_stream = "-";

inline bool is_standard_stream(std::string_view word) { return word == standard_stream; }

/// Puts what "-", /dev/stdin and the pipes of a shell (/dev/fd/63) hold in the place of the files and texts
/// that the arguments read: of a file the path of a copy, of a text the text itself. Throws UsageError where
/// standard input is asked for twice, Error where it is larger than memory_limit().
void take_piped_inputs(Arguments& arguments);

/// Whether this file is such a copy, which nobody finds again.
bool is_piped_copy(const std::filesystem::path& file);

/// The file as a person calls it: "standard input" for such a copy.
std::filesystem::path shown_file(const std::filesystem::path& file);

/// The refusal with "standard input" in place of the path of a copy.
Error with_stream_names(const Error& error);
UsageError with_stream_names(const UsageError& error);

/// Where to write a file with this ending, ".png", whose bytes print_piped_output() then prints.
std::filesystem::path piped_output(const std::string& ending);
/// Prints what was written to a path of piped_output(); does nothing for any other path.
void print_piped_output(const std::filesystem::path& output);

}  // namespace headlight

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

class Arguments;

/// Writes to standard output and makes sure that it arrived: throws Error for a full disk or a closed pipe.
void print(std::string_view text);

/// Throws UsageError when the output is one of the files that the command reads, by whatever name.
void refuse_overwriting(const Arguments& arguments, const std::filesystem::path& output,
                        const std::vector<std::filesystem::path>& inputs);

/// One line on standard error, whatever a file name or a file's content brought into the text.
void remark(const std::string& text);

}  // namespace headlight

#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// Writes to standard output and makes sure that it arrived: throws Error for a full disk or a closed pipe.
void print(std::string_view text);

/// One line on standard error, whatever a file name or a file's content brought into the text.
void remark(const std::string& text);

}  // namespace headlight

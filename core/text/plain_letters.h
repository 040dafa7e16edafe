#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// A word in lower case, composed, and with one apostrophe for all that are typed.
std::string plain_case(std::string_view word);

/// "cafe" for "café": what is left when the marks on Latin letters are taken away. Marks of other scripts
/// stay: they make other letters.
std::string without_marks(std::string_view word);

}  // namespace headlight

#pragma once

#include <string>

namespace headlight {

/// A field of a table as text, quoted where RFC 4180 asks for it, and where it begins or ends with a space,
/// which readers take away.
std::string csv_field(const std::string& text);

/// The shortest digits that bring back the same number; "nan", "inf", "-inf".
std::string csv_number(double value);

}  // namespace headlight

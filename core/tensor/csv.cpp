#include "core/tensor/csv.h"

#include "core/tensor/number_text.h"

#include <cmath>

namespace headlight {

std::string csv_field(const std::string& text) {
    const bool has_outer_space = text.starts_with(' ') || text.ends_with(' ');
    if (text.find_first_of(",\"\r\n") == std::string::npos && !has_outer_space)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string csv_number(double value) {
    if (!std::isfinite(value))
        return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    return number_text(value);
}

}  // namespace headlight

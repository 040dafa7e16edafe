#pragma once

#include <string>

namespace headlight {

/// The shortest text that reads back as the same number, the same in every locale: "0.1", "1e-09". Not for
/// infinity and NaN, which each format writes in its own way.
std::string number_text(double value);

}  // namespace headlight

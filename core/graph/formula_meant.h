#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headlight {

/// What a line of mathematics, as papers and TeX write it, was probably meant to be: of "softmax(Q K^T /
/// sqrt(d_k)) V" it is "context = softmax(q @ k.T / sqrt(d)) @ v". A guess, which parse_formula() may refuse;
/// nothing where the line has no sign of mathematics.
std::optional<std::string> meant_formula(std::string_view line);

/// What a formula calls what papers and code call so: "q" of "Q", "d" of "d_k", "q @ k.T" of "QK"; else the
/// name itself.
std::string own_spelling(const std::string& name);

}  // namespace headlight

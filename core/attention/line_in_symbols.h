#pragma once

#include "core/graph/expression.h"

#include <string>

namespace headlight {

/// "normalized_query" as a person reads it; a line for each token has its number as an index, "query₂".
std::string in_words(std::string name);

/// A line of a program with the names of what it is made of: "exp(scores − row maximum) / row sum". Of a
/// choice the side that is a formula. Empty where that is no more than a name, or too long to be read beside
/// the numbers.
std::string in_symbols(const Expression& x);

}  // namespace headlight

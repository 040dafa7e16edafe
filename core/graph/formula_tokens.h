#pragma once

#include "core/graph/formula_syntax.h"

#include <string>
#include <vector>

namespace headlight {

/// A word, number or sign of a formula.
struct FormulaToken {
    enum class Kind { number, name, sign, line_end, end };
    Kind kind = Kind::end;
    std::string text;
    double number = 0;
    FormulaPlace place;
    std::size_t begin = 0, end = 0;  ///< bytes
};

/// The tokens of a text, with the end of each line, and of the text. Within brackets a line has no end. Signs
/// of papers are those that they stand for.
std::vector<FormulaToken> formula_tokens(const std::string& text);

/// "the end of the line", or the token in quotation marks.
std::string shown(const FormulaToken& token);

}  // namespace headlight

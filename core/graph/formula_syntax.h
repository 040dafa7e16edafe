#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// A formula as a person types it: one line a stage, in the words of the exported Python,
//     scores = q @ k.T / sqrt(d) - abs(i - j) / 4
//     weights = softmax(where(j <= i, scores, -inf))
// Its syntax alone: what the names stand for is known to whoever builds it (formula_builder.h).

/// Where something stands in a text, both from 1; columns count characters.
struct FormulaPlace {
    int line = 1, column = 1;
};

/// "line 2, column 15"
std::string to_string(const FormulaPlace& place);

/// Throws Error{"formula", "line 2, column 15", expected, got}.
[[noreturn]] void refuse_formula(const FormulaPlace& place, const std::string& expected,
                                 const std::string& got);

/// A part of a line, a tree.
struct FormulaNode {
    enum class Kind {
        number,
        name,
        call,       ///< text(parts), a method x.text(parts) with x as the first part
        sign,       ///< parts joined by the sign `text`: "+", "@", "<=", "and"; one part of "-" and "not"
        transpose,  ///< x.T
        index,      ///< parts[0][parts[1], ...]
        slice,      ///< a:b in an index; an end that is left out is `nothing`
        nothing,    ///< what an index leaves out: the ends of ":", "..." and None
        list,       ///< [parts]
    };
    Kind kind = Kind::nothing;
    FormulaPlace place;
    std::string text;  ///< a name, the word of a call, a sign, "None" and "..." of nothing
    double number = 0;
    std::vector<FormulaNode> parts;
    std::vector<std::string> keywords;  ///< call: of each part, "axis" in axis=-1; empty for those by place

    bool is_name(std::string_view word) const { return kind == Kind::name && text == word; }
    /// Where this name stands in it; null where it does not.
    const FormulaNode* find(std::string_view word) const {
        if (is_name(word))
            return this;
        for (const FormulaNode& part : parts)
            if (const FormulaNode* found = part.find(word))
                return found;
        return nullptr;
    }
};

/// name = value; or lines that are repeated.
struct FormulaLine {
    FormulaPlace place;
    std::string name;
    FormulaNode value;
    std::string text;                  ///< of the value, as it was typed
    std::optional<FormulaNode> times;  ///< repeat TIMES: of `body`
    std::vector<FormulaLine> body;
};

/// Throws Error{"formula", "line 2, column 15", expected, got}.
std::vector<FormulaLine> parse_formula(const std::string& text);

/// A text as long as this is no formula.
inline constexpr std::size_t most_formula_bytes = 1 << 16;

}  // namespace headlight

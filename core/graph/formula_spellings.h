#pragma once

#include "core/graph/formula_syntax.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace headlight {

// What NumPy and PyTorch call things: formulas are copied from their code.

/// Whether functions stand behind this name and a dot: np.exp(x), F.softmax(x), math.sqrt(d).
bool is_library(std::string_view name);

/// What stands before a function's name: nothing, a library as in torch.max(x, -1), a value as in x.max(-1).
enum class CalledOf { nothing, library, value };

/// The call as it is said here: matmul(a, b) is a @ b, x.transpose(-2, -1) is x.T, softmax(x, -1) has an
/// axis, masked_fill(x, mask, y) is where(mask, y, x). max(x, 0) alone is of two, torch.max(x, 0) along an
/// axis.
FormulaNode own_call(FormulaNode call, CalledOf of);

/// concat, cat and concatenate, whose values stand in a list or, elsewhere, in round brackets.
bool joins_values(std::string_view function);

/// Methods that are told a type of numbers, or where to keep them: x.to(q.dtype), x.astype(np.float32).
bool changes_type(std::string_view method);
/// Such a type, or a place: float32, dtype as in q.dtype, device. Whole numbers are another one.
bool is_type_of_numbers(std::string_view word);

/// What is written here for a function that there is not, "where(rank(x) < 2, x, -inf) ..." for topk; empty
/// where nobody could say.
std::string_view said_here(std::string_view function);

/// The same for a function of other libraries that nobody calls a parameter: of rsqrt, not of mask.
std::string_view function_said_here(std::string_view name);

/// The same for what stands before a "=" in a call, of p in normalize(x, p=2).
std::string_view keyword_said_here(std::string_view keyword);

/// The same for a name that no line gave a value, "where(allowed, scores, -inf) ..." for mask.
std::string_view name_said_here(std::string_view name);

/// The same for a word of Python that stands between two values, "where(condition, a, b) ..." for if.
std::string_view between_said_here(std::string_view word);

/// The same for a command of TeX, without its backslash: "(a) / (b)" for frac, the name alone for alpha.
std::string tex_said_here(const std::string& command);

/// A text that libraries take for an infinite number, "'-inf'" or "\"Infinity\"", at the beginning of a text.
struct QuotedInfinity {
    std::size_t bytes = 0;  ///< with its quotation marks; 0 where there is none
    bool is_negative = false;
};
QuotedInfinity quoted_infinity(std::string_view text);

/// The distances of all pairs of queries and keys, which norm(q - k) does not have.
std::string_view distances_said_here();
/// What scores all pairs by weights of their features, as additive attention does.
std::string_view weighted_pairs_said_here();

/// Why a line of Python that begins with this word is none of a formula; empty where it could be one.
std::string_view line_said_here(std::string_view first_word);

/// Whether Python keeps the word for itself: a line that has it is no mathematics.
bool is_of_python(std::string_view word);

}  // namespace headlight

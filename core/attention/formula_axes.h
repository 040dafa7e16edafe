#pragma once

#include "core/graph/formula_syntax.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace headlight {

/// What the rows or the columns of a value stand for, as far as its line says before there are tokens.
enum class FormulaAxis { unknown, one, queries, keys, features };
struct AxesOfValue {
    FormulaAxis rows = FormulaAxis::unknown, columns = FormulaAxis::unknown;
};

/// axis=0 of a matrix, or -2: along its rows, so that each column is taken together.
bool is_along_rows(const FormulaNode& axis);

/// The axes of the values of a formula, read line after line. What meets by its extents where a text looks at
/// itself, and yet is of the wrong tokens, no later check would find: it is refused here, by
/// Error{"formula", place, expected, got}.
class FormulaAxes {
public:
    AxesOfValue of(const FormulaNode& node) const;
    /// Lines behind this one may name it.
    void add(const FormulaLine& line);
    /// Throws Error for a line `weights` whose rows are keys and whose columns are queries.
    void require_rows_of_queries(const FormulaLine& line) const;

private:
    using Kind = FormulaNode::Kind;

    AxesOfValue of_name(const std::string& name) const;
    AxesOfValue of_call(const FormulaNode& node) const;
    AxesOfValue of_index(const FormulaNode& node) const;
    /// What a parameter counts, W[d, 16], b[16] or W[heads, d, 16].
    static AxesOfValue of_parameter(const FormulaNode& node);
    /// The axes of what a sign makes of values that meet number by number.
    AxesOfValue of_meeting(const FormulaNode& node) const;
    std::vector<AxesOfValue> of_each(const std::vector<FormulaNode>& parts) const;
    /// One meets any other, and what counts features may be as wide as there are tokens by chance alone.
    static AxesOfValue together(const std::vector<AxesOfValue>& parts);

    /// A column of keys meets rows of queries where there are as many of both, as in a text that looks at
    /// itself, and then each query has the number of the wrong key.
    static void require_row_of_keys(const FormulaNode& one, const AxesOfValue& of_one,
                                    const FormulaNode& other, const AxesOfValue& of_other);
    /// ALiBi's paper calls m what its distances are multiplied by; here it counts the keys.
    static void require_slope(const FormulaNode& one, const FormulaNode& other, const AxesOfValue& of_other);
    /// How far each query is from the key of its own row is the same for every key that it meets: added to
    /// scores, it changes no softmax.
    void require_distances_of_pairs(const FormulaNode& one, const AxesOfValue& of_one,
                                    const AxesOfValue& of_other) const;
    /// norm(q - k), or a sum or mean along the rows of what is made of q - k, here or in a line that is
    /// named.
    bool is_distance_in_row(const FormulaNode& node) const;
    static bool has_difference(const FormulaNode& node);
    static bool has_none(const FormulaNode& node);

    std::map<std::string, AxesOfValue> lines_;
    std::set<std::string> distances_in_rows_;  ///< lines with a number for each row of q - k
};

}  // namespace headlight

#pragma once

#include "core/graph/formula_builder.h"

#include <map>
#include <string_view>

namespace headlight {

/// The largest whole number in a formula, and the most numbers in a constant of it.
inline constexpr Index most_formula_numbers = 1 << 20;

inline bool is_plain_number(const Expression& x) { return x->operation == Operation::number; }

/// What a formula knows of numbers before any tensor is there: extents, places, how often.
class FormulaNumbers {
public:
    explicit FormulaNumbers(const FormulaNames& names) : names_(names) {}

    void set(const std::string& name, double number) { own_[name] = number; }
    void forget(const std::string& name) { own_.erase(name); }

    /// The value of the node; nothing where it depends on a tensor.
    std::optional<double> of(const FormulaNode& node) const;
    /// Refuses other numbers; `what` goes on after "a whole number, ".
    Index whole(const FormulaNode& node, Index least, const std::string& what) const;

    // Places of an axis of `extent` places, from 0; `what` names them: "rows".
    Index place(const FormulaNode& node, Index extent, const char* what) const;
    /// Those of a:b, of a list, or of one number.
    std::vector<Index> range(const FormulaNode& node, Index extent, const char* what) const;
    /// Rows [r, 1] or columns [1, c], or one for each place [r, c].
    Places places(const FormulaNode& node, Index extent, const char* what, bool is_of_rows) const;

private:
    std::optional<double> of_name(const std::string& name) const;

    const FormulaNames& names_;
    std::map<std::string, double> own_;
};

/// " (\"//\" divides without a remainder)" for a place or an extent that a quotient has left between two
/// whole numbers; else empty.
std::string whole_quotient_said_here(const FormulaNode& node, double number);

/// Numbers that are written out: [1, 2], [[1, 2], [3, 4]], or a matrix for each head.
struct WrittenNumbers {
    static constexpr std::string_view note = "numbers of the formula";  ///< of the tensor that has them
    Extent extent;
    std::vector<double> numbers;
    bool is_truth = false;
};
WrittenNumbers written_numbers(const FormulaNode& list, const FormulaNumbers& numbers);

/// Whether the node is W[d, 16], if W is no other name.
bool declares_parameter(const FormulaNode& node);
std::vector<Index> declared_extents(const FormulaNode& node, const FormulaNumbers& numbers);

}  // namespace headlight

#pragma once

#include "core/graph/formula_syntax.h"
#include "core/graph/program.h"
#include "core/graph/spelling.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// What a formula begins with. Numbers, such as the width of a head, are expressions of a number.
struct FormulaNames {
    Index heads = 0;   ///< Extent::heads of whatever each head has
    Index tokens = 0;  ///< that scan() goes through; 0 where queries and keys are not the same
    /// What a name stands for; nothing where it is not known.
    std::function<std::optional<Expression>(const std::string& name)> find;
    /// A parameter of these extents, declared where it is used, W[d, 16]; null: there are none to declare.
    std::function<Expression(const std::string& name, const std::vector<Index>& extents)> declare;
    /// Told of each line, or of all that it repeats, once it is in the program; null: nobody asks.
    std::function<void(const FormulaLine& line)> after_line;
    std::vector<std::string> known;     ///< every name that find() knows
    std::vector<std::string> reserved;  ///< what no line may be called
};

/// Adds the lines to the program, each as the tensor of its name. Throws Error{"formula", "line 2, column
/// 15", expected, got} for a name that is not known, extents that do not meet, a truth in the place of a
/// number.
void build_formula(std::span<const FormulaLine> lines, const FormulaNames& names, Program& program);

/// A parameter that a formula declares.
struct DeclaredParameter {
    std::string name;
    FormulaPlace place;
    std::vector<Index> extents;
};
/// The parameters that the lines declare, each once; extents by what `names` knows of numbers.
std::vector<DeclaredParameter> parameters_of(std::span<const FormulaLine> lines, const FormulaNames& names);

/// What lines may call.
std::span<const FormulaFunction> formula_functions();
bool is_formula_function(std::string_view name);

}  // namespace headlight

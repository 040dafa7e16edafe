#pragma once

#include "core/attention/declared_stage.h"
#include "core/attention/spec.h"
#include "core/graph/formula_builder.h"

#include <memory>
#include <string>
#include <vector>

namespace headlight {

class Composer;
struct Plan;

/// A formula that a person typed, which the algorithm "formula" runs.
struct TypedFormula {
    std::vector<FormulaLine> lines;
    std::vector<DeclaredStage> stages;  ///< one for each line that is not repeated
};

/// Null where the spec's algorithm is another. Throws Error{"formula", "line 2, column 15", expected, got}.
std::shared_ptr<const TypedFormula> typed_formula(const AttentionSpec& spec);
/// The same of a text. The last ones are remembered, since a text is asked about many times while it is
/// typed.
std::shared_ptr<const TypedFormula> typed_formula(const std::string& text);

/// What a formula can name, with what it is: "k", "the keys of a head, [m, d]".
struct FormulaWord {
    std::string name, meaning;
};
std::vector<FormulaWord> formula_words();
bool is_formula_word(const std::string& name);

/// The parameters that the formula of this plan declares.
std::vector<DeclaredParameter> formula_parameters(const Plan& plan);

/// Their names alone, as far as a text says them; none where it is no formula. Of one that is half typed
/// every name before a bracket, so that its parameters keep their numbers while it is.
std::vector<std::string> formula_parameter_names(const AttentionSpec& spec);

/// Throws Error as typed_formula() does, for what has no number, no place or other extents in runs of this
/// plan, whose extents are known, and for a mask or a gate that the formula does not ask for.
void check_formula(const Plan& plan);

/// Whether the spec's algorithm is a formula with a line `output`, which is not half typed.
bool formula_says_output(const AttentionSpec& spec);

/// The columns of that line in runs of this plan, whose other extents are known; where there is none, or
/// check_formula() refuses it, the width that the plan has.
Index formula_output_width(const Plan& plan);

/// Throws Error as typed_formula() does for a line with a map that a run of this plan would have as a whole,
/// and not row by row, as texts need whose maps are not kept.
void require_rows_of_formula(const Plan& plan);

/// Adds the lines, and `weights` where the formula has none, and returns the contexts [h, n, d_v]. Those that
/// say the output find them joined, and add it as well.
Expression define_formula(Composer& composer);

}  // namespace headlight

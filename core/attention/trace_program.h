#pragma once

#include "core/attention/plan.h"
#include "core/graph/program.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace headlight {

/// The arithmetic of a run of this plan, from its token vectors and parameters to its output. Tensors that
/// are stages of the run's trace have their names and numbers. Throws Error for weights that were set by
/// hand, for a stage of more than `most_program_numbers`, and where a score that needs the rows before meets
/// what looks at all rows.
/// The plan stays where it is as long as the program: constants of many pairs are made when they are read.
Program trace_program(const Plan& plan, std::string title = {});
/// The same of a run of any size; throws TooMuch for one of more lines.
Program program_of(const Plan& plan, std::size_t most_lines = std::numeric_limits<std::size_t>::max());
/// The same where rows were given, with the weights that would follow from the scores in their place.
Program program_without_given_rows(const Plan& plan, std::size_t most_lines);
/// Its lines and the extents of what it is given, where constants are zeros, and so are parameters that the
/// plan has not drawn. Throws TooMuch as well.
Program outline_of(const Plan& plan, std::size_t most_lines = std::numeric_limits<std::size_t>::max());
/// The same of what ran at a site of a trace, for the sake of what its lines read: of fewer tokens where the
/// trace has many, and of weights that follow from scores where they were set by hand. Nothing where the
/// trace does not say what ran there, and where nothing like it runs on few tokens.
std::optional<Program> outline_of(const Trace& trace, std::string_view site);

/// Numbers of one tensor of a program: more is neither read nor recalculated.
inline constexpr Index most_program_numbers = 1'000'000;

}  // namespace headlight

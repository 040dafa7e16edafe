#pragma once

#include "core/attention/plan.h"
#include "core/program/program.h"

#include <optional>
#include <string>

namespace headlight {

/// The arithmetic of a run of this plan, from its token vectors and parameters to its output. Tensors that
/// are stages of the run's trace have their names and numbers. Throws Error in words for an algorithm that
/// has no program, for weights that were set by hand, and for more than `most_program_numbers`.
Program trace_program(const Plan& plan, std::string title = {});

/// Whether trace_program() refuses the algorithm whatever its inputs; says why.
std::optional<std::string> reason_without_program(const AttentionSpec& spec);

/// Numbers of one tensor of a program: more is neither read nor recalculated.
inline constexpr Index most_program_numbers = 1'000'000;

}  // namespace headlight

#pragma once

#include "core/attention/pipeline.h"

namespace headlight {

/// All steps that the spec asks for: those of its components, and those of the parts that every score or
/// every kind of heads can have: norms, soft cap, talking heads.
template <class Real>
void add_steps(const Plan& plan, Pipeline<Real>& pipeline);

}  // namespace headlight

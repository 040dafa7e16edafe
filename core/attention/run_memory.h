#pragma once

#include "core/attention/executor.h"
#include "core/attention/plan.h"

namespace headlight {

/// Bytes that a plan and its run allocate at most, worked out from the extents alone. Close to the truth
/// where they are large: a contract test holds every mechanism to it.
struct RunMemory {
    double plan = 0;      ///< its copy of the inputs, the parameters, the mask
    double operands = 0;  ///< tokens, queries, keys, values and matrices as the kernels read them
    double maps = 0;      ///< weights, or what of them exists at once; context and output
    double steps = 0;     ///< of the components
    double trace = 0;     ///< every stage that is recorded

    double total() const { return plan + operands + maps + steps + trace; }
};

/// For a run in double precision that keeps so much. Of the plan, its parameters' shapes have to be known,
/// their numbers and the mask's pairs need not.
RunMemory run_memory(const Plan& plan, Keeps keeps, const TraceOptions& options = {});

}  // namespace headlight

#pragma once

#include "core/attention/plan.h"

namespace headlight {

/// What a run costs, counted and not measured (catalogue 0.6).
struct RunCost {
    double multiply_adds = 0;  ///< of projections, scores and weighted sums
    double map_bytes = 0;    ///< of weights that are formed, in float; 0 for those that keep a state instead
    double cache_bytes = 0;  ///< per token and layer, in float: what decoding step by step keeps
    double state_bytes = 0;  ///< ... and once, in float, whatever the number of tokens
};

RunCost run_cost(const Plan& plan);

}  // namespace headlight

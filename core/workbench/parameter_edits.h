#pragma once

#include "core/workbench/edit.h"

namespace headlight {

// What a person does with the parameters of projections and scores.

/// `called` is what the control calls the origin.
Edit choose_origin(Session session, ParameterOrigin origin, std::string_view called);
Edit seed_parameters(Session session, std::uint64_t seed);
/// With the next seed.
Edit draw_parameters_again(Session session);
/// `parameter` with one number changed, at `row` and `column` of the table that shows it, counted from 0.
Edit edit_parameter(Session session, const std::string& name, Tensor parameter, Index row, Index column);
/// The parameter is drawn again as its origin says, whatever was edited or set for a comparison.
Edit forget_edits_of(Session session, const std::string& name);

}  // namespace headlight

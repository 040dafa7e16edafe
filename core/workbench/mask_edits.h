#pragma once

#include "core/workbench/edit.h"

namespace headlight {

// What a person does with the mask beside what the mechanism says of it.

/// Where forbidding with a number begins: a value at which both orders differ visibly, for whoever wants to
/// see why it matters.
inline constexpr double teaching_mask_value = -4;

Edit draw_mask(Session session, std::shared_ptr<const MatrixMask> mask);
Edit forget_drawn_mask(Session session);
/// `called` is what the control calls the order.
Edit choose_mask_order(Session session, MaskOrder order, std::string_view called);
Edit forbid_with_infinity(Session session, bool on);
Edit set_mask_value(Session session, double value);

}  // namespace headlight

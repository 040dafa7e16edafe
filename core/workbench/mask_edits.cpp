#include "core/workbench/mask_edits.h"

#include <utility>

namespace headlight {

Edit draw_mask(Session session, std::shared_ptr<const MatrixMask> mask) {
    session.drawn_mask = std::move(mask);
    return {"Draw the mask", std::move(session)};
}

Edit forget_drawn_mask(Session session) {
    session.drawn_mask = nullptr;
    return {"Forget the drawn mask", std::move(session)};
}

Edit choose_mask_order(Session session, MaskOrder order, std::string_view called) {
    session.mask_order = order;
    return {"Mask " + std::string(called), std::move(session)};
}

Edit forbid_with_infinity(Session session, bool on) {
    session.mask_value = on ? std::nullopt : std::optional(teaching_mask_value);
    return {on ? "Forbid with −∞" : "Forbid with a number", std::move(session)};
}

Edit set_mask_value(Session session, double value) {
    session.mask_value = value;
    return {"Mask value", std::move(session), "mask_value"};
}

}  // namespace headlight

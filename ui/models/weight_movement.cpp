#include "ui/models/weight_movement.h"

#include "core/workbench/intervention_edits.h"
#include "ui/models/document.h"

#include <algorithm>

namespace headlight {

WeightMovement::WeightMovement(Document& document, Intervention at, QObject* parent)
    : QObject(parent), document_(document), at_(std::move(at)) {
    static int movements = 0;
    merge_ = gesture_key("weight", ++movements);
    connect(&document_, &Document::run_changed, this, [this] {
        if (is_waiting_ && can_follow())
            carry_out();
    });
}

void WeightMovement::move_to(double weight) {
    weight = std::clamp(weight, 0.0, 1.0);
    if (weight == at_.weight)
        return;
    at_.weight = weight;
    is_waiting_ = true;
    if (can_follow())
        carry_out();
}

void WeightMovement::rest() {
    if (is_waiting_)
        carry_out();
}

/// A run that is under way is left to end: one that is given up for the next, and that for the one after it,
/// would show nothing until the hand rests.
bool WeightMovement::can_follow() const {
    return !document_.is_running() && document_.run() && document_.run()->milliseconds < longest_followed_;
}

void WeightMovement::carry_out() {
    is_waiting_ = false;
    document_.edit(set_weight(document_.session(), at_, merge_));
}

}  // namespace headlight

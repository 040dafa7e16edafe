#include "core/workbench/view_history.h"

namespace headlight {

void ViewHistory::leave(const ViewState& from, const ViewState& to, Move move, Time now) {
    if (same_place(from, to))
        return;
    const auto long_enough = move == Move::jump ? stay_before_jump : stay_before_walk;
    if (now - arrived_ >= long_enough && (back_.empty() || !same_place(back_.back(), from)))
        back_.push_back(from);
    if (!back_.empty() && same_place(back_.back(), to))  // there and back again: nowhere to go back to
        back_.pop_back();
    if (back_.size() > most_places)
        back_.erase(back_.begin());
    forward_.clear();
    arrived_ = now;
}

void ViewHistory::clear() {
    back_.clear();
    forward_.clear();
    arrived_ = {};
}

ViewState ViewHistory::back(const ViewState& from, Time now) { return go(back_, forward_, from, now); }

ViewState ViewHistory::forward(const ViewState& from, Time now) { return go(forward_, back_, from, now); }

ViewState ViewHistory::go(std::vector<ViewState>& places, std::vector<ViewState>& opposite,
                          const ViewState& from, Time now) {
    if (places.empty())
        return from;
    ViewState to = places.back();
    places.pop_back();
    opposite.push_back(from);
    to.theme = from.theme;
    arrived_ = now;
    return to;
}

}  // namespace headlight

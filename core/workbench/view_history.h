#pragma once

#include "core/figure/view_settings.h"

#include <chrono>
#include <vector>

namespace headlight {

/// The places that Back and Forward lead to: those where one stayed, not all that one passed. Plain logic;
/// the time of each move is an argument.
class ViewHistory {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// What took one from a place to the next.
    enum class Move {
        jump,  ///< a click, a tab, a choice in a list
        walk,  ///< a step of the player or of an arrow key: one of many
    };
    /// The shortest stay that makes a place one to come back to. The slowest player waits 2.4 s at a step.
    static constexpr std::chrono::milliseconds stay_before_jump{1000}, stay_before_walk{4000};
    static constexpr std::size_t most_places = 100;

    /// `from` was left for `to`, which is shown since `now`. A change of the light alone is no move.
    void leave(const ViewState& from, const ViewState& to, Move move, Time now);
    void clear();

    bool can_go_back() const { return !back_.empty(); }
    bool can_go_forward() const { return !forward_.empty(); }
    /// The last place before `from`, in the light of `from`; `from` itself where there is none.
    ViewState back(const ViewState& from, Time now);
    /// The place that back() left, likewise.
    ViewState forward(const ViewState& from, Time now);

private:
    ViewState go(std::vector<ViewState>& places, std::vector<ViewState>& opposite, const ViewState& from,
                 Time now);

    std::vector<ViewState> back_, forward_;  ///< the nearest last
    Time arrived_{};
};

}  // namespace headlight

#pragma once

#include "core/attention/trace.h"
#include "core/figure/view.h"

#include <chrono>
#include <string>
#include <vector>

namespace headlight {

/// The positions that the player walks through in one mode, and where the view stands among them. Made afresh
/// from the trace and the view whenever either changes: the player has no position of its own that could
/// disagree.
struct PlayTrack {
    PlayMode mode = PlayMode::stage;
    std::vector<std::string>
        names;  ///< per position: a stage's id, or the token that arrives; empty for heads
    Index length = 0;
    Index position = 0;

    bool at_start() const { return position == 0; }
    bool at_end() const { return position + 1 >= length; }
};

/// `stages` are those worth a picture, in formula order (visible_stages).
PlayTrack play_track(PlayMode mode, const Trace& trace, const std::vector<std::string>& stages,
                     const ViewState& view);

/// The view at `position`, clamped: the stage, the decoding step with its query (on an image the query
/// alone), or the head. Switches to a view that can show the mode where the present one cannot.
ViewState view_at(const PlayTrack& track, Index position, ViewState view);

/// The mode that fits what a view shows; `heads` of the trace decide whether walking over heads makes sense.
PlayMode natural_mode(ViewKind kind, Index heads, bool is_model = false);

/// Number of heads and of queries that a trace's weights have; 0 without weights.
Index head_count(const Trace& trace, const std::string& site = {});
Index step_count(const Trace& trace, const std::string& site = {});

/// When the next position is due. Due times are whole intervals after the start, so that the delays of single
/// ticks do not add up; after a pause longer than an interval (a sleeping laptop) it starts over instead of
/// rushing.
class PlayClock {
public:
    using Milliseconds = std::chrono::milliseconds;

    explicit PlayClock(Milliseconds interval) : interval_(interval) {}

    void start(Milliseconds now);
    /// Changes the pace from the next tick on.
    void set_interval(Milliseconds interval, Milliseconds now);
    /// How long to wait until the next tick; never negative.
    Milliseconds wait(Milliseconds now) const;
    /// A tick has happened.
    void tick(Milliseconds now);

private:
    Milliseconds interval_;
    Milliseconds due_{0};
};

}  // namespace headlight

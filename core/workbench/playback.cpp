#include "core/workbench/playback.h"

#include <algorithm>

namespace headlight {
namespace {

Index weights_extent(const Trace& trace, const std::string& site, Axis axis) {
    const Stage* weights = trace.find("weights", site);
    if (!weights)
        return 0;
    return weights->has_axis(axis) ? weights->extent(axis) : 1;
}

/// Query after query looks at an image, or at the parts of a model; none arrives.
bool walks_over_queries(ViewKind kind) {
    const View& shown = view(kind);
    return (shown.plays == PlayMode::step || shown.plays_of_model == PlayMode::step) && !shown.rows_arrive;
}

}  // namespace

Index head_count(const Trace& trace, const std::string& site) {
    return weights_extent(trace, site, Axis::head);
}

Index step_count(const Trace& trace, const std::string& site) {
    return weights_extent(trace, site, Axis::query);
}

PlayTrack play_track(PlayMode mode, const Trace& trace, const std::vector<std::string>& stages,
                     const ViewState& view) {
    PlayTrack track{mode, {}, 0, 0};
    switch (mode) {
    case PlayMode::stage: {
        track.names = stages;
        track.length = static_cast<Index>(stages.size());
        const auto current = std::find(stages.begin(), stages.end(), view.selection.stage);
        // A stage without a picture of its own stands where the walk would end.
        track.position = current == stages.end() ? track.length - 1 : current - stages.begin();
        break;
    }
    case PlayMode::step:
    case PlayMode::row:
        track.names = trace.tokens_at(view.selection.site).query;
        track.length = step_count(trace, view.selection.site);
        // Where no row arrives, the step is that of the chosen row, whatever step another view stands at; so
        // it is as long as nobody goes by steps, and all rows are there.
        track.position = mode == PlayMode::row || !headlight::view(view.view).rows_arrive
                             ? view.selection.query
                             : view.decoding_step.value_or(view.selection.query);
        break;
    case PlayMode::head:
        track.length = head_count(trace, view.selection.site);
        track.position = view.selection.head;
        break;
    }
    track.position = std::clamp<Index>(track.position, 0, std::max<Index>(track.length - 1, 0));
    return track;
}

ViewState view_at(const PlayTrack& track, Index position, ViewState view) {
    if (track.length == 0)
        return view;
    position = std::clamp<Index>(position, 0, track.length - 1);
    switch (track.mode) {
    case PlayMode::stage:
        view.selection.stage = track.names[static_cast<std::size_t>(position)];
        if (headlight::view(view.view).stages != View::Stages::all)
            view = in_view(view, ViewKind::stages);
        break;
    case PlayMode::step:
        view.selection.query = position;
        if (walks_over_queries(view.view))
            break;
        view.decoding_step = position;
        view = in_view(view, ViewKind::steps);
        break;
    case PlayMode::row:
        view.selection.query = position;
        break;
    case PlayMode::head:
        view.selection.head = position;
        break;
    }
    return view;
}

PlayMode natural_mode(ViewKind kind, Index heads, bool is_model) {
    const View& shown = view(kind);
    const std::optional<PlayMode> declared =
        is_model && shown.plays_of_model ? shown.plays_of_model : shown.plays;
    const PlayMode mode = declared.value_or(is_model ? PlayMode::step : PlayMode::head);
    return mode == PlayMode::head && heads <= 1 ? PlayMode::stage : mode;
}

void PlayClock::start(Milliseconds now) { due_ = now + interval_; }

void PlayClock::set_interval(Milliseconds interval, Milliseconds now) {
    due_ = std::max(now, due_ - interval_ + interval);
    interval_ = interval;
}

PlayClock::Milliseconds PlayClock::wait(Milliseconds now) const {
    return std::max(due_ - now, Milliseconds(0));
}

void PlayClock::tick(Milliseconds now) {
    due_ += interval_;
    if (due_ < now)
        due_ = now + interval_;
}

}  // namespace headlight

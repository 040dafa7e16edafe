#include "core/figure/motion.h"

#include "core/figure/flow_waves.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr double share_of_slow_row = 0.6;  ///< of the time
constexpr double beside_a_stop = 1e-9;     ///< a moment that is a stop, as far as a slider tells them apart

Index chosen_along(Axis axis, const Selection& selection) {
    return axis == Axis::query ? selection.query : axis == Axis::key ? selection.key : selection.feature;
}

/// The selected line among `count`, of which `first` is the number of the first one.
Index chosen_line(Axis axis, const Selection& selection, Index first, Index count) {
    return std::clamp<Index>(chosen_along(axis, selection) - first, 0, count - 1);
}

}  // namespace

Motion::Motion(std::shared_ptr<const Figure> still, const Trace& trace, const Selection& selection)
    : still_(std::move(still)) {
    if (!still_)
        return;
    step_ = motion_step(*still_);
    if (step_.work == MotionWork::none)
        plan_flow();
    if (step_.work == MotionWork::none || step_.work == MotionWork::unchanged ||
        step_.work == MotionWork::flow)
        return;
    const Panel& made = result();
    if (const Stage* stage = trace.find(made.stage, made.site); stage && stage->axes.size() >= 2) {
        const std::size_t last = stage->axes.size() - 1;
        slow_row_ = chosen_line(stage->axes[last - 1], selection, made.row_axis.first, made.rows);
        slow_column_ = chosen_line(stage->axes[last], selection, made.column_axis.first, made.columns);
    }
    plan();
}

bool Motion::is_of_step(const Motion& other) const {
    if (step_.work != other.step_.work || !still_ || !other.still_)
        return false;
    if (step_.work == MotionWork::flow)
        return waves_ == other.waves_;
    if (step_.operands != other.step_.operands || step_.result != other.step_.result ||
        step_.operation != other.step_.operation || result().rows != other.result().rows ||
        result().columns != other.result().columns)
        return false;
    return result().stage == other.result().stage && result().site == other.result().site;
}

// When what happens

int Motion::phases() const {
    return 1 + (adds_up(step_.work) ? 1 : 0) + (looks_for_largest(step_.work) ? 1 : 0);
}

bool Motion::writes_rows() const {
    return step_.work == MotionWork::mixture || step_.work == MotionWork::projection;
}

Index Motion::beats_of(int phase) const {
    if (phase + 1 < phases())
        return looks_for_largest(step_.work) && phase == 0 ? 1 : operand(0).columns;
    if (step_.work == MotionWork::projection)
        return 1;
    return step_.work == MotionWork::mixture ? operand(0).columns : result().columns;
}

bool Motion::is_chosen(const Beat& beat) const {
    return beat.is_slow && !writes_rows() && beat.phase + 1 == phases() && beat.at == slow_column_;
}

double Motion::weight_of(int phase, Index at) const {
    constexpr double largest = 2, adding = 0.6;
    if (phase + 1 < phases())
        return beats_of(phase) == 1 ? largest : adding;
    const auto others = static_cast<double>(result().columns - 1);
    if (writes_rows() || at != slow_column_)
        return 1;
    return step_.work == MotionWork::product ? std::max(1.0, others) : std::max(1.0, others / 4);
}

void Motion::plan_row(Index row) {
    const double before = beats_.empty() ? 0 : beats_.back().end;
    const bool is_slow = row == slow_row_;
    const auto others = static_cast<double>(result().rows - 1);
    const double share = others == 0 ? 1 : is_slow ? share_of_slow_row : (1 - share_of_slow_row) / others;
    double all = 0;
    for (int phase = 0; phase < phases(); ++phase)
        for (Index at = 0; at < beats_of(phase); ++at)
            all += is_slow ? weight_of(phase, at) : 1;
    double done = 0;
    for (int phase = 0; phase < phases(); ++phase)
        for (Index at = 0; at < beats_of(phase); ++at) {
            done += is_slow ? weight_of(phase, at) : 1;
            const bool is_last = phase + 1 == phases() && at + 1 == beats_of(phase);
            beats_.push_back({before + share * done / all, row, at, phase, is_slow, is_slow || is_last});
        }
}

void Motion::plan() {
    for (Index row = 0; row < result().rows; ++row)
        plan_row(row);
    beats_.back().end = 1;
    constexpr double shortest = 4, longest = 14, of_a_beat = 0.3, of_a_term = 0.5, of_a_row = 0.4;
    const auto slow = std::ranges::count(beats_, true, &Beat::is_slow);
    const Index terms = step_.work == MotionWork::product ? operand(0).columns : 0;
    seconds_ = std::clamp(of_a_beat * static_cast<double>(slow) + of_a_term * static_cast<double>(terms) +
                              of_a_row * static_cast<double>(result().rows - 1),
                          shortest, longest);
}

void Motion::plan_flow() {
    const auto map = std::ranges::find_if(
        still_->panels, [](const Panel& each) { return each.kind == Panel::Kind::flow && each.flow; });
    if (map == still_->panels.end())
        return;
    waves_ = flow_waves(*map->flow);
    if (waves_.empty())
        return;
    step_.work = MotionWork::flow;
    map_ = map - still_->panels.begin();
    constexpr double of_weights = 2.4, of_the_context = 1.2;  // seconds
    seconds_ = of_weights + of_the_context * static_cast<double>(waves_.size() - 1);
    for (std::size_t wave = 0; wave < waves_.size(); ++wave)
        beats_.push_back({(of_weights + of_the_context * static_cast<double>(wave)) / seconds_, 0,
                          static_cast<Index>(wave), 0, true, true});
    beats_.back().end = 1;
}

std::size_t Motion::beat_at(double moment) const {
    const auto found = std::ranges::lower_bound(beats_, moment - beside_a_stop, {}, &Beat::end);
    return std::min(static_cast<std::size_t>(found - beats_.begin()), beats_.size() - 1);
}

Motion::Now Motion::now(double moment) const {
    const std::size_t at = beat_at(moment);
    const double begin = at == 0 ? 0 : beats_[at - 1].end, end = beats_[at].end;
    const bool is_done = moment >= end - beside_a_stop;
    return {beats_[at], is_done ? 1 : std::clamp((moment - begin) / (end - begin), 0.0, 1.0)};
}

Index Motion::written_at(double moment) const {
    if (is_empty() || !(moment > 0))
        return 0;
    const Now here = now(moment);
    if (step_.work == MotionWork::flow)
        return here.beat.at + (here.share >= 1 ? 1 : 0);
    if (moment >= 1)
        return static_cast<Index>(result().values.size());
    const Index columns = result().columns, before = here.beat.row * columns;
    if (here.beat.phase + 1 < phases())
        return before;
    const bool is_done = here.share >= 1;
    if (step_.work == MotionWork::projection)
        return before + static_cast<Index>(here.share * static_cast<double>(columns));
    if (writes_rows())
        return before + (is_done && here.beat.at + 1 == beats_of(here.beat.phase) ? columns : 0);
    return before + here.beat.at + (is_done ? 1 : 0);
}

double Motion::stop_after(double moment) const {
    for (std::size_t at = is_empty() ? 0 : beat_at(moment); at < beats_.size(); ++at)
        if (beats_[at].is_stop && beats_[at].end > moment + beside_a_stop)
            return beats_[at].end;
    return 1;
}

double Motion::stop_before(double moment) const {
    for (std::size_t at = is_empty() ? 0 : beat_at(moment) + 1; at-- > 0;)
        if (beats_[at].is_stop && beats_[at].end < moment - beside_a_stop)
            return beats_[at].end;
    return 0;
}

double Motion::nearest_stop(double moment) const {
    const double after = stop_after(moment), before = stop_before(after);
    return after - moment < moment - before ? after : before;
}

double Motion::chosen_moment() const {
    if (step_.work == MotionWork::flow)
        return 0;
    double before = 0;
    for (const Beat& beat : beats_) {
        if (is_chosen(beat) || (writes_rows() && beat.is_slow))
            return before;
        before = beat.end;
    }
    return 0;
}

}  // namespace headlight

#include "core/figure/motion.h"

#include "core/attention/arithmetic_text.h"
#include "core/figure/flow_waves.h"
#include "core/figure/motion_words.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr double share_of_slow_row = 0.6;  ///< of the time
constexpr double share_of_terms = 0.75;    ///< of a cell's time; then its number goes to its place
constexpr double beside_a_stop = 1e-9;     ///< a moment that is a stop, as far as a slider tells them apart

Index chosen_along(Axis axis, const Selection& selection) {
    return axis == Axis::query ? selection.query : axis == Axis::key ? selection.key : selection.feature;
}

/// The selected line among `count`, of which `first` is the number of the first one.
Index chosen_line(Axis axis, const Selection& selection, Index first, Index count) {
    return std::clamp<Index>(chosen_along(axis, selection) - first, 0, count - 1);
}

bool adds_up(MotionWork work) { return work == MotionWork::share || work == MotionWork::softmax; }
bool looks_for_largest(MotionWork work) {
    return work == MotionWork::exponential || work == MotionWork::softmax;
}

std::string short_number(double number) { return format_number(number, 3); }

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

// What is drawn

namespace {

MotionMark mark_on(const Panel& panel, MotionMark::Kind kind, Index at, Index row, Index column, Index rows,
                   Index columns) {
    return {kind, at, panel.row_axis.first + row, panel.column_axis.first + column, rows, columns};
}

MotionCell cell_on(const Panel& panel, Index at, Index row, Index column) {
    return {.panel = at, .row = panel.row_axis.first + row, .column = panel.column_axis.first + column};
}

}  // namespace

void Motion::mark_unwritten(Index written, MotionMoment& moment) const {
    const Index columns = result().columns, row = written / columns, column = written % columns;
    const auto add = [&](Index first_row, Index first_column, Index rows, Index across) {
        if (rows > 0)
            moment.marks.push_back(mark_on(result(), MotionMark::Kind::unwritten, step_.result, first_row,
                                           first_column, rows, across));
    };
    if (column > 0)
        add(row, column, 1, columns - column);
    const Index whole = column > 0 ? row + 1 : row;
    add(whole, 0, result().rows - whole, columns);
}

void Motion::mark_unsummed(double at, MotionMoment& moment) const {
    const auto add = [&](Index number, Index first_row) {
        const Panel& of = panel(number);
        if (!of.row_sums.empty() && first_row < of.rows)
            moment.marks.push_back(mark_on(of, MotionMark::Kind::unsummed, number, first_row, 0,
                                           of.rows - first_row, of.columns));
    };
    add(step_.result, written_at(at) / result().columns);
    if (!adds_up(step_.work) || at >= 1)
        return;
    const Beat here = now(at).beat;
    add(step_.operands[0], at > 0 ? here.row + (here.phase + 1 == phases() ? 1 : 0) : 0);
}

MotionNumber Motion::sum_number(Index row, double sum) const {
    MotionCell place = cell_on(operand(0), step_.operands[0], row, operand(0).columns - 1);
    place.is_sum = !operand(0).row_sums.empty();
    return {place, place, 1, (place.is_sum ? "" : "Σ ") + short_number(sum)};
}

void Motion::add_product(const Now& now, MotionMoment& moment) const {
    using enum MotionMark::Kind;
    const Index row = now.beat.row, column = now.beat.at, count = operand(0).columns;
    moment.marks.push_back(mark_on(operand(0), read, step_.operands[0], row, 0, 1, count));
    moment.marks.push_back(mark_on(operand(1), read, step_.operands[1], 0, column, count, 1));
    moment.marks.push_back(mark_on(result(), MotionMark::Kind::written, step_.result, row, column, 1, 1));
    const MotionCell place = cell_on(result(), step_.result, row, column);
    if (!is_chosen(now.beat) || now.share >= 1) {
        moment.words = product_words(*still_, step_, row, column, count);
        return;
    }
    const double way = now.share / share_of_terms * static_cast<double>(count);
    const Index term = std::min(static_cast<Index>(way), count - 1);
    double sum = 0;
    for (Index at = 0; at <= term; ++at)
        sum += drawn_number(operand(0), row, at) * drawn_number(operand(1), at, column);
    moment.words = product_words(*still_, step_, row, column, term + 1);
    if (now.share < share_of_terms) {
        moment.marks.push_back(mark_on(operand(0), taken, step_.operands[0], row, term, 1, 1));
        moment.marks.push_back(mark_on(operand(1), taken, step_.operands[1], term, column, 1, 1));
        const double product = drawn_number(operand(0), row, term) * drawn_number(operand(1), term, column);
        moment.numbers.push_back({cell_on(operand(1), step_.operands[1], term, column), place,
                                  way - static_cast<double>(term), short_number(product)});
    }
    moment.numbers.push_back({place, place, 1, short_number(sum)});
}

void Motion::add_mixture(const Now& now, MotionMoment& moment) const {
    using enum MotionMark::Kind;
    const Panel &weights = operand(0), &values = operand(1);
    const Index row = now.beat.row, key = now.beat.at;
    moment.marks.push_back(mark_on(weights, read, step_.operands[0], row, 0, 1, weights.columns));
    moment.marks.push_back(mark_on(weights, taken, step_.operands[0], row, key, 1, 1));
    moment.marks.push_back(mark_on(values, taken, step_.operands[1], key, 0, 1, values.columns));
    moment.marks.push_back(
        mark_on(result(), MotionMark::Kind::written, step_.result, row, 0, 1, result().columns));
    moment.words = mixture_words(*still_, step_, row, key + 1);
    if (now.share >= 1 && key + 1 == weights.columns)
        return;  // the row has its own numbers
    PartialRow partial{step_.result, result().row_axis.first + row, {}};
    for (Index column = 0; column < result().columns; ++column) {
        double sum = 0;
        for (Index at = 0; at <= key; ++at)
            sum += (at < key ? 1 : now.share) * drawn_number(weights, row, at) *
                   drawn_number(values, at, column);
        partial.values.push_back(sum);
    }
    moment.partial.push_back(std::move(partial));
    if (now.beat.is_slow)
        moment.numbers.push_back({cell_on(weights, step_.operands[0], row, key),
                                  cell_on(values, step_.operands[1], key, 0), std::min(1.0, 2 * now.share),
                                  "× " + short_number(drawn_number(weights, row, key))});
}

void Motion::add_row_number(const Now& now, MotionMoment& moment) const {
    using enum MotionMark::Kind;
    const Panel& from = operand(0);
    const Index row = now.beat.row;
    moment.marks.push_back(mark_on(from, read, step_.operands[0], row, 0, 1, from.columns));
    const double largest = largest_of_row(from, row);
    if (looks_for_largest(step_.work) && now.beat.phase == 0) {
        for (Index column = 0; column < from.columns; ++column)
            if (drawn_number(from, row, column) == largest)
                moment.marks.push_back(mark_on(from, taken, step_.operands[0], row, column, 1, 1));
        moment.words = largest_words(*still_, step_, row);
        return;
    }
    const bool is_softmax = step_.work == MotionWork::softmax;
    double sum = 0;
    for (Index column = 0; column <= now.beat.at; ++column) {
        const double number = drawn_number(from, row, column);
        sum += is_softmax ? exponential_below(number, largest) : number;
    }
    moment.marks.push_back(mark_on(from, taken, step_.operands[0], row, now.beat.at, 1, 1));
    moment.numbers.push_back(sum_number(row, sum));
    moment.words = divisor_words(*still_, step_, row, now.beat.at + 1);
}

void Motion::add_cell(const Now& now, MotionMoment& moment) const {
    using enum MotionMark::Kind;
    const Index row = now.beat.row, column = now.beat.at;
    for (std::size_t each = 0; each < step_.operands.size(); ++each)
        moment.marks.push_back(mark_on(operand(each), taken, step_.operands[each], row, column, 1, 1));
    moment.marks.push_back(mark_on(result(), MotionMark::Kind::written, step_.result, row, column, 1, 1));
    if (adds_up(step_.work)) {
        const double sum = step_.work == MotionWork::softmax ? sum_of_exponentials(operand(0), row)
                                                             : sum_of_row(operand(0), row);
        moment.marks.push_back(mark_on(operand(0), read, step_.operands[0], row, 0, 1, operand(0).columns));
        moment.numbers.push_back(sum_number(row, sum));
    }
    if (now.beat.is_slow && now.share < 1) {
        const Panel& shown = now.share < 0.5 ? operand(0) : result();
        moment.numbers.push_back({cell_on(operand(0), step_.operands[0], row, column),
                                  cell_on(result(), step_.result, row, column), now.share,
                                  short_number(drawn_number(shown, row, column))});
    }
    moment.words = cell_words(*still_, step_, row, column);
}

void Motion::add_dots(const Now& now, MotionMoment& moment) const {
    const Flow& flow = *panel(map_).flow;
    const std::vector<Index>& wave = waves_[static_cast<std::size_t>(now.beat.at)];
    for (const Index arrow : wave) {
        const Flow::Edge& edge = flow.edges[static_cast<std::size_t>(arrow)];
        moment.dots.push_back({map_, arrow, now.share, edge.weight ? edge.share : 1});
    }
    moment.words = wave_in_words(flow, wave);
}

void Motion::add_marks(const Now& now, MotionMoment& moment) const {
    using enum MotionMark::Kind;
    if (now.beat.phase + 1 < phases())
        return add_row_number(now, moment);
    switch (step_.work) {
    case MotionWork::product:
        return add_product(now, moment);
    case MotionWork::mixture:
        return add_mixture(now, moment);
    case MotionWork::projection:
        for (std::size_t each = 0; each < step_.operands.size(); ++each)
            moment.marks.push_back(mark_on(operand(each), read, step_.operands[each], now.beat.row, 0, 1,
                                           operand(each).columns));
        moment.marks.push_back(
            mark_on(result(), MotionMark::Kind::written, step_.result, now.beat.row, 0, 1, result().columns));
        moment.words = projection_words(*still_, step_, now.beat.row);
        return;
    default:
        return add_cell(now, moment);
    }
}

MotionMoment Motion::at(double moment) const {
    MotionMoment here;
    if (is_empty()) {
        here.words = still_ ? beginning_words(*still_, step_) : std::string();
        return here;
    }
    if (step_.work == MotionWork::flow) {
        add_dots(now(moment > 0 ? moment : 0), here);
        return here;
    }
    mark_unwritten(written_at(moment), here);
    mark_unsummed(moment, here);
    if (moment >= 1)
        here.words = ending_words(*still_, step_);
    else if (moment > 0)
        add_marks(now(moment), here);
    else
        here.words = beginning_words(*still_, step_);
    return here;
}

}  // namespace headlight

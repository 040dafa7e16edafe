// What is drawn at a moment of a motion.
#include "core/attention/arithmetic_text.h"
#include "core/figure/flow_waves.h"
#include "core/figure/motion.h"
#include "core/figure/motion_words.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace headlight {
namespace {

constexpr double share_of_terms = 0.75;  ///< of a cell's time; then its number goes to its place

std::string short_number(double number) { return format_number(number, 3); }

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

MotionCell Motion::sum_cell(Index row) const {
    MotionCell place = cell_on(operand(0), step_.operands[0], row, operand(0).columns - 1);
    place.is_sum = !operand(0).row_sums.empty();
    return place;
}

MotionNumber Motion::sum_number(Index row, double sum) const {
    const MotionCell place = sum_cell(row);
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
    if (looks_for_largest(step_.work) && now.beat.phase == 0) {
        const double largest = largest_of_row(from, row);
        for (Index column = 0; column < from.columns; ++column)
            if (drawn_number(from, row, column) == largest)
                moment.marks.push_back(mark_on(from, taken, step_.operands[0], row, column, 1, 1));
        moment.words = largest_words(*still_, step_, row);
        return;
    }
    const std::vector<double> parts = parts_of_sum(from, step_.work, row, now.beat.at + 1);
    const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
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
    if (now.beat.is_slow && now.share < 1)
        moment.numbers.push_back(number_on_its_way(now));
    moment.words = cell_words(*still_, step_, row, column);
}

std::optional<MotionCell> Motion::meeting(Index row, Index column) const {
    if (step_.work == MotionWork::sum)
        return cell_on(operand(1), step_.operands[1], row, column);
    if (adds_up(step_.work) && !operand(0).row_sums.empty())
        return sum_cell(row);
    return std::nullopt;
}

MotionNumber Motion::number_on_its_way(const Now& now) const {
    const Index row = now.beat.row, column = now.beat.at;
    const bool is_changed = now.share >= 0.5;
    const MotionCell from = cell_on(operand(0), step_.operands[0], row, column),
                     to = cell_on(result(), step_.result, row, column);
    const std::string text = short_number(drawn_number(is_changed ? result() : operand(0), row, column));
    if (const std::optional<MotionCell> other = meeting(row, column))
        return is_changed ? MotionNumber{*other, to, 2 * now.share - 1, text}
                          : MotionNumber{from, *other, 2 * now.share, text};
    return {from, to, now.share, text};
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

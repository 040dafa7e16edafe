#pragma once

#include "core/attention/trace.h"
#include "core/figure/motion_moment.h"
#include "core/figure/motion_step.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// How the stage in focus of a figure of *Stages* comes about, moment by moment: rows meet columns, a row is
/// divided by its sum, values are weighted and added; of a *Map* of a model, what flows into the part in view
/// and on. A plain value, and any moment can be asked for; window
/// and films ask the same. Rows follow one another; the selected one takes most of the time, and in it the
/// selected cell, term by term.
class Motion {
public:
    /// Without a figure nothing moves.
    Motion() = default;
    /// `still` is of the trace under the same selection; what no work gives does not move: motion_step().
    Motion(std::shared_ptr<const Figure> still, const Trace& trace, const Selection& selection);

    bool is_empty() const { return beats_.empty(); }
    MotionWork work() const { return step_.work; }
    /// Whether the same step is shown as in `other`, whatever is selected in it: places on the time line mean
    /// the same in both where what is shown term by term is the same, too.
    bool is_of_step(const Motion& other) const;
    /// How long it takes at speed 1.
    double seconds() const { return seconds_; }
    /// What is drawn at a moment from 0, where the result has no number yet, to 1, where it has all. Words
    /// without marks where nothing moves.
    MotionMoment at(double moment) const;
    /// How many numbers the result has by then, or of a map how many waves have arrived: it never falls.
    Index written_at(double moment) const;
    /// The moments at which something is done: the ends, the end of each row, and of the selected row that
    /// of each cell. What reduced motion and the keys go through.
    double stop_after(double moment) const;
    double stop_before(double moment) const;
    double nearest_stop(double moment) const;
    /// When the selected cell begins to come about, in a step that writes rows the selected row.
    double chosen_moment() const;

private:
    /// A part of the way: one cell, one number that is added, one row.
    struct Beat {
        double end = 0;  ///< its moment; it begins where the one before ends
        Index row = 0, at = 0;
        int phase = 0;
        bool is_slow = false;  ///< in the selected row
        bool is_stop = false;
    };
    struct Now {
        Beat beat;
        double share;  ///< of the beat that is done, above 0
    };

    const Panel& panel(Index at) const { return still_->panels[static_cast<std::size_t>(at)]; }
    const Panel& result() const { return panel(step_.result); }
    const Panel& operand(std::size_t number) const { return panel(step_.operands[number]); }
    void plan();
    void plan_row(Index row);
    /// How many phases a row has; the last one writes.
    int phases() const;
    /// How many beats a phase has.
    Index beats_of(int phase) const;
    double weight_of(int phase, Index at) const;
    bool writes_rows() const;
    Now now(double moment) const;
    std::size_t beat_at(double moment) const;
    /// Whether the cell of the beat is the one that is shown term by term.
    bool is_chosen(const Beat& beat) const;

    void plan_flow();
    void add_dots(const Now& now, MotionMoment& moment) const;
    void mark_unwritten(Index written, MotionMoment& moment) const;
    void mark_unsummed(double at, MotionMoment& moment) const;
    /// Where a row is summed up: in the column of sums where one is drawn, else at the row's end.
    MotionCell sum_cell(Index row) const;
    MotionNumber sum_number(Index row, double sum) const;
    void add_marks(const Now& now, MotionMoment& moment) const;
    void add_product(const Now& now, MotionMoment& moment) const;
    void add_mixture(const Now& now, MotionMoment& moment) const;
    void add_row_number(const Now& now, MotionMoment& moment) const;
    void add_cell(const Now& now, MotionMoment& moment) const;
    /// What changes a number on its way: the other one that is added, or the sum that it is divided by.
    std::optional<MotionCell> meeting(Index row, Index column) const;
    MotionNumber number_on_its_way(const Now& now) const;

    std::shared_ptr<const Figure> still_;
    MotionStep step_;
    Index slow_row_ = 0, slow_column_ = 0;
    double seconds_ = 0;
    std::vector<Beat> beats_;
    Index map_ = 0;                          ///< the panel of a flow
    std::vector<std::vector<Index>> waves_;  ///< [beat] of a flow
};

}  // namespace headlight

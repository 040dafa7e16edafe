#pragma once

#include "core/model/film.h"
#include "core/model/loss_curve.h"
#include "core/model/trained_model.h"

#include <string>
#include <vector>

namespace headlight {

/// The share of held-out examples that were all right after so many steps.
struct Measurement {
    Index step = 0;
    double share = 0;  ///< in [0, 1]
    bool operator==(const Measurement&) const = default;
};

/// What there is to see of a training run so far. Copying it copies no weights: frames are shared.
struct TrainingRecord {
    FilmedText text;
    std::string film_problem;  ///< why the text is not filmed; empty when it is
    LossCurve loss;
    std::vector<Measurement> exact_match;
    Film film;

    /// Whether so large a share of the held-out examples was ever all right. No goal, 0, is never reached.
    bool has_reached(double goal) const;
    /// Drops what was seen after `step`: of a training that goes on from there.
    void cut_after(Index step);
};

/// Adds to a record what has been seen of a training: the loss of its last step, and what is due after it.
class TrainingWatch {
public:
    static constexpr Index measured_examples = 256;

    /// A film of so many frames as a training of that length is to have.
    static Film film_for(Index steps);

    explicit TrainingWatch(Index steps) : steps_(steps) {}

    /// `loss` is that of the step that was done last.
    void after_step(const Training& training, double loss, TrainingRecord& record) const;
    /// What the model does with the text of the record now; what is wrong with the text is said there.
    void take_frame(const Training& training, TrainingRecord& record) const;

private:
    Index steps_;
};

/// A model learning under the eyes of somebody: the loss of every batch, now and then the exact match of
/// held-out examples, and a film of where it looks. Watching changes nothing of what it learns.
class WatchedTraining {
public:
    static constexpr Index measured_examples = TrainingWatch::measured_examples;

    WatchedTraining(const TrainingSettings& settings, FilmedText text);
    /// Goes on from a checkpoint and what was seen until then. Throws Error when the state is not of such a
    /// model.
    WatchedTraining(const TrainingSettings& settings, TrainingState state, TrainingRecord record);

    const Training& training() const { return training_; }
    const TrainingRecord& record() const { return record_; }
    bool is_over() const { return training_.steps() >= training_.settings().steps; }

    /// One batch, and what is due after it. Throws Error when the loss is no number any more.
    void step();
    /// Gives back the memory that steps work in; the next step takes it again.
    void rest() { training_.rest(); }
    /// From now on; a text that the model cannot read is said in the record.
    void film(FilmedText text);

private:
    Training training_;
    TrainingRecord record_;
    TrainingWatch watch_;
};

}  // namespace headlight

#pragma once

#include "ui/models/training_run.h"

#include <chrono>
#include <deque>

namespace headlight {

/// The worker's side of a training run: the training itself, and its folder.
struct TrainingRun::Lesson {
    using Clock = std::chrono::steady_clock;

    std::filesystem::path folder;
    TrainingSummary summary;
    std::optional<TrainingPlan> plan;           ///< of a new one, until it begins
    std::unique_ptr<WatchedTraining> training;  ///< made when it is first needed

    /// What was seen of the run in the folder. Of a damaged file nothing but why: the training goes on
    /// without.
    static TrainingRecord record_in(const std::filesystem::path& folder);

    /// Begins the plan, or reads what the folder has. Throws Error when that is damaged.
    void prepare();
    /// Takes steps until the orders, the goal or the last step end that, says how it goes, and returns how it
    /// ended. Throws Error when the training diverges. A folder that cannot be written ends nothing: the
    /// reports say so.
    Report learn(Orders& orders, const std::function<void(Report)>& say);
    /// On so many held-out examples that a list may show it. Throws Interrupted when the run is abandoned.
    void measure(const Orders& orders);
    /// Lets go of weights that the folder has: prepare() reads them again, and every run of a list would keep
    /// its own.
    void put_away();
    Report report() const;
    /// Throws Error when the folder cannot be written.
    void write();
    /// write(), or tells the next reports why not.
    void try_to_write();

private:
    std::optional<Error> unsaved_;  ///< why the last try to write failed
    /// Steps per second in the last seconds.
    double pace();
    std::deque<std::pair<Clock::time_point, Index>> marks_;
};

}  // namespace headlight

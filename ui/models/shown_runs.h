#pragma once

#include "core/figure/film_figure.h"
#include "ui/models/training_run.h"

#include <optional>
#include <vector>

namespace headlight {

/// Training runs that are looked at together, the chosen one first, at one moment.
struct ShownRuns {
    std::vector<const TrainingRun*> runs;
    std::optional<Index> cursor;  ///< the step that is looked at; nothing: the newest of each

    Index newest() const;  ///< the last step that any of them has done
    Index step() const { return cursor.value_or(newest()); }
    /// Returns, for each run, what tells it from the others: "additive" beside "dot", "without copying"
    /// beside "copying". One alone has its title.
    std::vector<std::string> names() const;
    /// The loss of one of them is more than its cross-entropy.
    bool has_coverage_loss() const;
    /// As any thread may look at them.
    std::vector<LearningRun> filmed() const;
};

/// The newest step of their frames, which the figure's title names too; `step` where there is none.
Index step_in_view(const std::vector<FilmShot>& shots, Index step);

/// The step of the last frame up to `step`; `step` where there is none.
Index snapped_to_frame(const std::vector<Index>& steps, Index step);

/// Steps at which any of them has a frame.
std::vector<Index> film_steps(const std::vector<LearningRun>& runs);

}  // namespace headlight

#pragma once

#include "ui/models/training_run.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace headlight {

class ChartPlot;

/// Training runs that are looked at together, the chosen one first, at one moment.
struct ShownRuns {
    std::vector<const TrainingRun*> runs;
    std::optional<Index> cursor;  ///< the step that is looked at; nothing: the newest of each

    Index newest() const;  ///< the last step that any of them has done
    Index step() const { return cursor.value_or(newest()); }
    /// Of each run what tells it from the others: "additive" beside "dot".
    std::vector<std::string> names() const;
};

/// Loss and exact match against steps, a line for each run, with the cursor of the film.
class TrainingCurves : public QWidget {
    Q_OBJECT
public:
    explicit TrainingCurves(QWidget* parent = nullptr);

    void show_runs(const ShownRuns& shown);
    const ChartPlot& loss() const { return *loss_; }
    const ChartPlot& exact_match() const { return *exact_match_; }

signals:
    /// The cursor was put there.
    void step_asked(headlight::Index step);

private:
    ChartPlot *loss_, *exact_match_;
};

}  // namespace headlight

#pragma once

#include "ui/models/shown_runs.h"

#include <QWidget>

namespace headlight {

class ChartPlot;

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

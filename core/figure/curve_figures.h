#pragma once

#include "core/analysis/cost_curve.h"
#include "core/figure/figure.h"
#include "core/figure/panel_choice.h"
#include "core/model/watched_training.h"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace headlight {

/// A training run and what was seen of it.
struct LearningRun {
    std::string name;
    std::shared_ptr<const TrainingRecord> record;
};

/// Loss and exact match against steps, a panel each, a line for each run; drawn up to the step `last`, on
/// axes that have room for all. Throws Error where no run has a point.
Figure learning_figure(std::span<const LearningRun> runs, LearningCurves which,
                       std::optional<Index> last = std::nullopt);

/// A mechanism and what its runs take, by length.
struct CostLine {
    std::string name;
    std::vector<CostPoint> points;
    std::string refusal;  ///< why there is no longer run; empty where nothing was refused
};

/// One number of the points against tokens, both axes logarithmic, with the power that each line grows as.
/// Notes below say where a line ends early. Throws Error where no line has a point above zero.
Figure cost_figure(std::span<const CostLine> lines, CostNumber number);

}  // namespace headlight

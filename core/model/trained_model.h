#pragma once

#include "core/model/training.h"

#include <memory>
#include <vector>

namespace headlight {

/// How often a model was all right.
struct ExactMatch {
    double share = 0;    ///< in [0, 1]
    Index examples = 0;  ///< held-out ones that it was measured on; 0: not measured
    bool operator==(const ExactMatch&) const = default;
};

/// Held-out ones that a model is measured on once it has learned.
inline constexpr Index final_examples = 2000;

/// A model that has learned: words, host, weights, and how they came about. Once made it is shared and never
/// changed. It says nothing of the time and the machine, so that the same training gives the same bytes.
struct TrainedModel {
    std::shared_ptr<const TaskModel> model;
    std::vector<float> weights;  ///< by model->host->layout()
    TrainingSettings settings;
    Index steps = 0;  ///< done, of settings.steps
    ExactMatch exact_match;
};

/// What a training run has come to.
TrainedModel trained_model(const Training& training, const ExactMatch& exact_match);

}  // namespace headlight

#include "core/model/trained_model.h"

namespace headlight {

TrainedModel trained_model(const Training& training, const ExactMatch& exact_match) {
    const TrainingSettings& settings = training.settings();
    return {.model = std::make_shared<const TaskModel>(training.model().task, settings.model),
            .weights = {training.weights().begin(), training.weights().end()},
            .settings = settings,
            .steps = training.steps(),
            .exact_match = exact_match};
}

}  // namespace headlight

#pragma once

#include "core/model/recipe.h"
#include "core/model/trained_model.h"

namespace headlight::test {

/// A GRU that learns to copy letters, for a second: enough to have found out, where it may copy words of the
/// source, that this is the way.
inline TrainedModel small_copier(bool copies = true, Index steps = 300) {
    Recipe recipe;
    recipe.task = "copy";
    recipe.host = HostType::gru;
    recipe.attention = "additive";
    recipe.copies = copies;
    recipe.width = 24;
    recipe.steps = steps;
    recipe.seed = 2;
    TrainingSettings settings = prepare(recipe).settings;
    settings.batch = 32;
    settings.schedule.peak = 0.01;
    Training training(settings);
    while (training.steps() < settings.steps)
        training.step();
    return trained_model(training, {0.5, 8});
}

}  // namespace headlight::test

#pragma once

#include "core/io/model_folder.h"

#include <memory>

namespace headlight::test {

/// Has seen the task for a moment: it speaks, quickly, and not well. Good for everything that does not ask
/// how well.
inline TrainedModel small_model(const TrainingSettings& settings) {
    Training training(settings);
    for (Index step = 0; step < settings.steps; ++step)
        training.step();
    return trained_model(training, {});
}

/// A recurrent model of 16 units with additive attention that copies letters.
inline TrainedModel small_copier() {
    RecurrentConfiguration configuration;
    configuration.embedding = 16;
    configuration.width = 16;
    configuration.score.type = ScoreType::additive;
    configuration.score.attention_dimension = 16;
    TrainingSettings settings;
    settings.task = "copy";
    settings.model = configuration;
    settings.batch = 16;
    settings.parts = 1;
    settings.steps = 40;
    return small_model(settings);
}

/// A Transformer of two heads and one layer on each side, or a decoder alone, or an encoder alone.
inline TrainedModel small_transformer(const char* task, TransformerKind kind) {
    TransformerConfiguration configuration;
    configuration.kind = kind;
    configuration.width = 16;
    configuration.heads = 2;
    configuration.feed_forward = 16;
    configuration.encoder_layers = 1;
    configuration.decoder_layers = 1;
    TrainingSettings settings;
    settings.task = task;
    settings.model = configuration;
    settings.batch = 8;
    settings.parts = 1;
    settings.steps = 4;
    return small_model(settings);
}

}  // namespace headlight::test

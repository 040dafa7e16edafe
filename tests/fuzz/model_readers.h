#pragma once

// Readers of models and of their trainings, for tests/fuzz/readers.h.

#include "core/figure/film_figure.h"
#include "core/io/checkpoint_file.h"
#include "core/io/model_folder.h"
#include "core/io/tokenizer_file.h"
#include "core/io/training_folder.h"
#include "core/model/generator.h"
#include "tests/fuzz/refused.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace headlight::test {

/// A model of as few numbers as there can be: every byte of its files is tried.
inline TrainingSettings smallest_settings() {
    RecurrentConfiguration configuration;
    configuration.embedding = 1;
    configuration.width = 1;
    configuration.cell = nn::CellType::rnn;
    configuration.bidirectional = false;
    configuration.style = DecoderStyle::luong;
    configuration.input_feeding = false;
    configuration.score.type = ScoreType::dot;
    TrainingSettings settings;
    settings.task = "addition";
    settings.model = configuration;
    settings.batch = 4;
    settings.steps = 3;
    return settings;
}

inline const ModelFiles& smallest_model() {
    static const ModelFiles files = write_model(trained_model(Training(smallest_settings()), {0.5, 4}));
    return files;
}

/// Its own words, then some that search and draw, seen through by the engine.
inline void generate(const TrainedModel& model) {
    Generator generator(std::make_shared<const TrainedModel>(model));
    GenerationRequest request;
    request.source = "1+2";
    for (const auto way : {WordChoice::Way::greedy, WordChoice::Way::beam, WordChoice::Way::sample}) {
        request.choice.way = way;
        request.choice.beam_width = 2;
        generator.generate(request);
    }
}

inline void use_model(const TrainedModel& model) {
    const ModelFiles written = write_model(model);
    require(write_model(parse_model(written.config, written.weights, written.tokenizer,
                                    written.target_tokenizer)) == written,
            "a model comes back");
    unless_refused([&] { generate(model); });
}

inline bool read_model_config(std::string_view bytes) {
    return unless_refused([&] {
        const ModelFiles& right = smallest_model();
        use_model(parse_model(bytes, right.weights, right.tokenizer, right.target_tokenizer));
    });
}

inline bool read_model_weights(std::string_view bytes) {
    return unless_refused([&] {
        const ModelFiles& right = smallest_model();
        use_model(parse_model(right.config, bytes, right.tokenizer, right.target_tokenizer));
    });
}

inline bool read_tokenizer(std::string_view bytes) {
    return unless_refused([&] {
        const Vocabulary words = parse_tokenizer(bytes);
        const std::string written = write_tokenizer(words, Writing::characters);
        require(parse_tokenizer(written).words() == words.words(), "a tokenizer comes back");
    });
}

inline bool read_checkpoint(std::string_view bytes) {
    return unless_refused([&] {
        const Checkpoint checkpoint = parse_checkpoint(bytes);
        const std::string written = write_checkpoint(checkpoint);
        require(write_checkpoint(parse_checkpoint(written)) == written, "a checkpoint comes back");
        Training(checkpoint.settings).resume(checkpoint.state);
    });
}

inline bool read_training_record(std::string_view bytes) {
    return unless_refused([&] {
        const TrainingRecord record = parse_training_record(bytes);
        const std::string written = write_training_record(record);
        require(write_training_record(parse_training_record(written)) == written,
                "a training record comes back");
        for (const auto& frame : record.film.frames()) {
            const FilmShot shot{"run", frame, {}};
            unless_refused([&] { film_figure(std::span(&shot, 1), "decoder.cross", {}); });
        }
    });
}

inline bool read_training_summary(std::string_view bytes) {
    return unless_refused([&] {
        const TrainingSummary summary = parse_training_summary(bytes);
        require(parse_training_summary(write_training_summary(summary)) == summary,
                "a training summary comes back");
    });
}

inline TrainingRecord small_record() {
    TrainingRecord record;
    record.text = {"ab", "ba"};
    record.loss = LossCurve({{1, 2.5}, {2, 1.25}}, 1);
    record.exact_match = {{2, 0.5}};
    for (const Index step : {0, 2})
        record.film.add(std::make_shared<const FilmFrame>(
            FilmFrame{step,
                      {{"a", "b"}, {"<s>", "b", "a"}, {"b", "a", "</s>"}},
                      {{"decoder.cross", 1, 3, 2, {0.5, 0.5, 0, 1, 1, 0}}}}));
    return record;
}

}  // namespace headlight::test

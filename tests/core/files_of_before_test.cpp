// What an earlier program has written is opened by this one and shows the same numbers: traces with their
// sessions, models, what was seen of a training, and a training that goes on. tests/cli/drawn_before_test.cpp
// draws them.

#include "core/io/checkpoint_file.h"
#include "core/io/files.h"
#include "core/io/model_folder.h"
#include "core/io/safetensors.h"
#include "core/io/session_place.h"
#include "core/io/session_run.h"
#include "core/io/trace_file.h"
#include "core/io/training_record_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace headlight::files_of_before_test { namespace {

const std::string kept = HEADLIGHT_SOURCE_DIR "/tests/support/written_by_0.1.0/";  // by generate.sh there

constexpr double in_double = 1e-12;  // of the largest number
constexpr double in_float = 1e-5;    // processors of other levels add floats in another order

double largest_of(std::span<const double> numbers) {
    double largest = 0;
    for (const double number : numbers)
        if (std::isfinite(number))
            largest = std::max(largest, std::abs(number));
    return largest;
}

void expect_same_numbers(const Trace& before, const Trace& now, double tolerance) {
    EXPECT_FALSE(before.stages().empty());
    for (const Stage& stage : before.stages()) {
        if (stage.site == says_in_decoder)
            continue;  // expect_same_words()
        const std::string place = stage.site + "/" + stage.name;
        const Stage* same = now.find(stage.name, stage.site);
        ASSERT_TRUE(same) << place;
        EXPECT_EQ(same->axes, stage.axes) << place;
        ASSERT_EQ(same->shape, stage.shape) << place;
        const std::span<const double> expected = before.values(stage), found = now.values(*same);
        const double slack = tolerance * largest_of(expected);
        for (std::size_t i = 0; i < expected.size(); ++i)
            EXPECT_TRUE(found[i] == expected[i] || std::abs(found[i] - expected[i]) <= slack)
                << place << " " << i << ": " << expected[i] << ", now " << found[i];
    }
}

/// The logits of a model's trace give what it said the probability that it has now.
void expect_same_words(const Trace& before, const Transcript& now) {
    const Stage* logits = before.find("logits", says_in_decoder);
    ASSERT_TRUE(logits);
    const TokenLabels& tokens = before.joined_tokens.at(says_in_decoder);
    ASSERT_EQ(tokens.query.size(), now.steps.size());
    for (std::size_t step = 0; step < now.steps.size(); ++step) {
        EXPECT_EQ(now.steps[step].said, tokens.query[step]);
        const std::span<const double> row =
            before.values(*logits).subspan(step * tokens.key.size(), tokens.key.size());
        double said = 0, sum = 0;
        for (std::size_t word = 0; word < row.size(); ++word) {
            sum += std::exp(row[word]);
            if (tokens.key[word] == now.steps[step].said)
                said = std::exp(row[word]);
        }
        EXPECT_NEAR(now.steps[step].probability, said / sum, in_float) << now.steps[step].said;
    }
}

struct KeptTrace {
    const char* file;
    double tolerance;
};
void PrintTo(const KeptTrace& row, std::ostream* out) { *out << row.file; }

class TracesOfBefore : public testing::TestWithParam<KeptTrace> {};

TEST_P(TracesOfBefore, ShowWhatTheirSessionsShowNow) {
    const Trace before = read_trace(kept + GetParam().file);
    ASSERT_FALSE(before.session.empty());
    const SessionRun now = run_session(read_session_of(kept + GetParam().file, before.session).session);
    EXPECT_EQ(now.trace.spec, before.spec);
    EXPECT_EQ(now.trace.seed, before.seed);
    expect_same_numbers(before, now.trace, GetParam().tolerance);
    if (now.said)
        expect_same_words(before, *now.said);
}

INSTANTIATE_TEST_SUITE_P(
    Kept, TracesOfBefore,
    testing::Values(KeptTrace{"scaled_dot_product.json", in_double},
                    KeptTrace{"multi_head.safetensors", in_double}, KeptTrace{"cross.json", in_double},
                    KeptTrace{"sparsemax.json", in_double}, KeptTrace{"linear.safetensors", in_double},
                    KeptTrace{"gru.safetensors", in_float}, KeptTrace{"luong.safetensors", in_float},
                    KeptTrace{"transformer.safetensors", in_float}));

class ModelsOfBefore : public testing::TestWithParam<const char*> {
protected:
    std::string folder() const { return kept + GetParam(); }
};

TEST_P(ModelsOfBefore, AreWrittenAgainWithTheirWeights) {
    const TrainedModel model = read_model_folder(folder());
    EXPECT_EQ(model.steps, 4);
    EXPECT_EQ(model.exact_match.examples, final_examples);
    const ModelFiles files = write_model(model);
    EXPECT_EQ(files.weights, read_file(folder() + "/model.safetensors"));
    EXPECT_EQ(files.tokenizer, read_file(folder() + "/tokenizer.json"));
    EXPECT_EQ(files.target_tokenizer, read_file(folder() + "/target_tokenizer.json"));
    const TrainedModel again =
        parse_model(files.config, files.weights, files.tokenizer, files.target_tokenizer);
    EXPECT_FALSE(difference(again.settings, model.settings));
}

TEST_P(ModelsOfBefore, LookInTheLastFrameOfTheirFilmsWhereTheyLookNow) {
    const TrainedModel model = read_model_folder(folder());
    const TrainingRecord record = parse_training_record(read_file(folder() + "/" + training_record_name));
    EXPECT_EQ(record.film_problem, "");
    EXPECT_EQ(record.loss.points().size(), 4u);
    ASSERT_FALSE(record.exact_match.empty());
    EXPECT_EQ(record.exact_match.back().step, 4);
    ASSERT_GE(record.film.frames().size(), 2u);

    const FilmFrame& last = *record.film.frames().back();
    EXPECT_EQ(last.step, 4);
    const FilmFrame now = film_frame(*model.model, model.weights, record.text, last.step);
    EXPECT_EQ(now.words.source, last.words.source);
    EXPECT_EQ(now.words.read, last.words.read);
    EXPECT_EQ(now.words.said, last.words.said);
    ASSERT_EQ(now.maps.size(), last.maps.size());
    for (std::size_t i = 0; i < now.maps.size(); ++i) {
        const FilmedMap &found = now.maps[i], &expected = last.maps[i];
        EXPECT_EQ(found.site, expected.site);
        EXPECT_EQ(found.heads, expected.heads);
        ASSERT_EQ(found.weights.size(), expected.weights.size());
        for (std::size_t k = 0; k < found.weights.size(); ++k)
            EXPECT_NEAR(found.weights[k], expected.weights[k], 5e-4) << found.site << ", in 16-bit floats";
    }
}

INSTANTIATE_TEST_SUITE_P(Kept, ModelsOfBefore, testing::Values("gru", "luong", "transformer"));

TEST(TrainingsOfBefore, GoOnToTheModelThatTheyWouldHaveBecome) {
    const Checkpoint checkpoint = parse_checkpoint(read_file(kept + "interrupted/" + checkpoint_name));
    ASSERT_LT(checkpoint.state.steps, checkpoint.settings.steps);
    Training training(checkpoint.settings);
    training.resume(checkpoint.state);
    while (training.steps() < checkpoint.settings.steps)
        training.step();

    const ModelFiles now = write_model(trained_model(training, {}));
    const SafetensorsFile found = parse_safetensors(now.weights),
                          expected = parse_safetensors(read_file(kept + "interrupted/whole.safetensors"));
    ASSERT_EQ(found.tensors.size(), expected.tensors.size());
    for (const auto& [name, tensor] : expected.tensors) {
        const std::span<const double> now_there = found.tensors.at(name).values(), before = tensor.values();
        ASSERT_EQ(now_there.size(), before.size()) << name;
        for (std::size_t i = 0; i < before.size(); ++i)
            EXPECT_NEAR(now_there[i], before[i], 1e-3) << name << ": so many steps multiply what in_float is";
    }
}

}}  // namespace headlight::files_of_before_test

// Learning: schedules, Adam, and training runs that come out the same.

#include "core/model/prompt.h"
#include "core/model/training.h"
#include "core/tensor/error.h"
#include "tests/support/hosts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace headlight::model_training_test {

using namespace nn;

namespace {

struct RateCase {
    std::string name;
    Schedule schedule;
    Index step;
    double expected;
};
void PrintTo(const RateCase& each, std::ostream* out) { *out << each.name; }

class Rates : public testing::TestWithParam<RateCase> {};

TEST_P(Rates, AreThoseOfTheFormula) {
    EXPECT_NEAR(GetParam().schedule.rate(GetParam().step), GetParam().expected, 1e-15);
}

constexpr auto rate_of = [](Schedule::Shape shape) { return Schedule{shape, 0.4, 4, 12}; };

INSTANTIATE_TEST_SUITE_P(
    All, Rates,
    testing::Values(RateCase{"warm_up_first", rate_of(Schedule::Shape::cosine), 1, 0.1},
                    RateCase{"warm_up_third", rate_of(Schedule::Shape::linear), 3, 0.3},
                    RateCase{"peak", rate_of(Schedule::Shape::linear), 4, 0.4},
                    RateCase{"constant", rate_of(Schedule::Shape::constant), 100, 0.4},
                    RateCase{"constant_at_once", Schedule{Schedule::Shape::constant, 0.4, 0, 0}, 1, 0.4},
                    RateCase{"linear_halfway", rate_of(Schedule::Shape::linear), 8, 0.2},
                    RateCase{"linear_end", rate_of(Schedule::Shape::linear), 12, 0},
                    RateCase{"linear_after", rate_of(Schedule::Shape::linear), 20, 0},
                    RateCase{"cosine_quarter", rate_of(Schedule::Shape::cosine), 6,
                             0.2 * (1 + std::sqrt(0.5))},
                    RateCase{"cosine_halfway", rate_of(Schedule::Shape::cosine), 8, 0.2},
                    RateCase{"inverse_root", rate_of(Schedule::Shape::inverse_root), 16, 0.2}),
    [](const auto& row) { return row.param.name; });

// By hand: the first step moves every weight by the rate against the sign of its gradient, whatever its size.
TEST(AdamSteps, MoveByTheRateAtFirst) {
    Adam<double> adam(3, {.epsilon = 0});
    std::vector<double> weights{1, -2, 0.5};
    const std::vector<double> gradient{0.3, -40, 1e-6};
    adam.step(weights, gradient, 0.01);
    EXPECT_NEAR(weights[0], 0.99, 1e-15);
    EXPECT_NEAR(weights[1], -1.99, 1e-15);
    EXPECT_NEAR(weights[2], 0.49, 1e-15);
    // The second: m = 0.9 * 0.1 g + 0.1 g', v alike, each divided by 1 - decay^2.
    const double g = 0.3, then = -0.1;
    adam.step(weights, std::vector<double>{then, 0, 0}, 0.01);
    const double m = (0.09 * g + 0.1 * then) / 0.19,
                 v = (0.999 * 0.001 * g * g + 0.001 * then * then) / (1 - 0.999 * 0.999);
    EXPECT_NEAR(weights[0], 0.99 - 0.01 * m / std::sqrt(v), 1e-12);
}

TEST(AdamSteps, ClipByTheLengthOfTheWholeGradient) {
    Adam<double> clipped(2, {.clip = 1}), given(2);
    std::vector<double> a{1, 1}, b{1, 1};
    for (int i = 0; i < 3; ++i) {
        clipped.step(a, std::vector<double>{3, 4}, 0.1);
        given.step(b, std::vector<double>{0.6, 0.8}, 0.1);
        for (const std::size_t at : {0, 1})  // a step alone says little of a gradient's length
            EXPECT_DOUBLE_EQ(clipped.moments().first[at], given.moments().first[at]);
    }
    EXPECT_EQ(a, b);
}

TEST(AdamSteps, DecayWeightsBesideTheGradient) {
    Adam<double> adam(1, {.weight_decay = 0.5});
    std::vector<double> weights{2};
    adam.step(weights, std::vector<double>{0}, 0.1);
    EXPECT_DOUBLE_EQ(weights[0], 2 * (1 - 0.1 * 0.5));
}

TEST(AdamSteps, GoOnFromTheirMoments) {
    Adam<double> whole(1), first(1), second(1);
    std::vector<double> a{1}, b{1};
    for (int i = 0; i < 4; ++i)
        whole.step(a, std::vector<double>{std::sin(i)}, 0.1);
    for (int i = 0; i < 2; ++i)
        first.step(b, std::vector<double>{std::sin(i)}, 0.1);
    second.set_moments(first.moments());
    for (int i = 2; i < 4; ++i)
        second.step(b, std::vector<double>{std::sin(i)}, 0.1);
    EXPECT_EQ(a, b);
    EXPECT_EQ(second.moments(), whole.moments());
}

struct RunCase {
    std::string name;
    TrainingSettings settings;
};
void PrintTo(const RunCase& each, std::ostream* out) { *out << each.name; }

std::vector<RunCase> runs() {
    TrainingSettings settings;
    settings.task = "copy";
    settings.batch = 12;
    settings.adam.clip = 1;
    RecurrentConfiguration recurrent;
    recurrent.embedding = 6;
    recurrent.width = 8;
    recurrent.score.type = ScoreType::additive;
    std::vector<RunCase> all;
    const auto add = [&](const std::string& name, const auto& configuration) {
        settings.model = configuration;
        all.push_back({name, settings});
    };
    add("additive_gru", recurrent);
    RecurrentConfiguration hard = recurrent;
    hard.normalizer.type = NormalizerType::hard;
    add("hard", hard);
    RecurrentConfiguration pointer = recurrent;
    pointer.copies = true;
    add("pointer", pointer);
    settings.task = "speech";
    RecurrentConfiguration listener = recurrent;
    listener.score.type = ScoreType::location_aware;
    add("listener", listener);
    settings.task = "copy";
    TransformerConfiguration transformer;
    transformer.width = 8;
    transformer.heads = 2;
    transformer.feed_forward = 12;
    transformer.dropout = 0.1;
    add("transformer", transformer);
    transformer.kind = TransformerKind::decoder;
    add("language_model", transformer);
    return all;
}

class Runs : public testing::TestWithParam<RunCase> {
protected:
    static std::pair<std::vector<float>, std::vector<double>> run(const TrainingSettings& settings) {
        Training training(settings);
        std::vector<double> losses;
        losses.reserve(20);
        for (int i = 0; i < 20; ++i)
            losses.push_back(training.step());
        return {{training.weights().begin(), training.weights().end()}, losses};
    }
};

TEST_P(Runs, EndWithTheSameBytesForTheSameSeed) {
    TrainingSettings settings = GetParam().settings;
    const auto [weights, losses] = run(settings);
    const auto again = run(settings);
    EXPECT_EQ(weights, again.first);
    EXPECT_EQ(losses, again.second);
    for (const double loss : losses)
        EXPECT_TRUE(std::isfinite(loss));
    settings.seed = 2;
    EXPECT_NE(run(settings).first, weights);
}

TEST_P(Runs, LearnSomething) {
    TrainingSettings settings = GetParam().settings;
    settings.schedule.peak = 3e-2;
    const std::vector<double> losses = run(settings).second;
    double last = 0;
    for (std::size_t i = 15; i < 20; ++i)
        last += losses[i] / 5;
    EXPECT_LT(last, 0.97 * losses.front());
}

INSTANTIATE_TEST_SUITE_P(All, Runs, testing::ValuesIn(runs()),
                         [](const auto& row) { return row.param.name; });

TEST(ListeningModel, IsGivenFramesWhoseColumnsAreTimes) {
    RecurrentConfiguration configuration;
    configuration.embedding = configuration.width = 4;
    configuration.score.type = ScoreType::additive;
    const TaskModel model(task("speech"), configuration);
    const auto& entries = model.host->layout().entries();
    const auto embedding = std::ranges::find(entries, "source_embedding", &nn::ParameterLayout::Entry::name);
    ASSERT_NE(embedding, entries.end());
    EXPECT_EQ(embedding->weight.rows, 12) << "a row for each band, none for a letter";
    const Prompt read = prompt(model, "AA-B");
    const std::vector<float> weights = test::lively_weights(model.host->layout());
    Generation generation(*model.host, weights, read.source);
    begin(generation, read);
    const std::vector<Index> said = generate(model, generation, 2, {}, 0);
    const GeneratedWords words = generated_words(model, generation, said);
    EXPECT_EQ(words.source, (Tokens{"0 ms", "20 ms", "40 ms", "60 ms"}));
    const std::vector<SiteRecord> sites = site_records(*model.host, weights, generation, words);
    EXPECT_EQ(sites.front().trace->tokens.key, words.source);
}

// The second A of two sounds other than the first: a model cannot look letters up.
TEST(ListeningModel, HearsTheSameLetterOtherwiseElsewhere) {
    RecurrentConfiguration configuration;
    configuration.embedding = configuration.width = 4;
    configuration.score.type = ScoreType::additive;
    const TaskModel model(task("speech"), configuration);
    const SourceFrames& frames = std::get<RecurrentConfiguration>(model.configuration).frames;
    const std::vector<Index> source = model.source.numbers(Tokens{"A", "-", "A"});
    const FloatTensor heard = frames.of(source);
    EXPECT_TRUE(heard == task("speech").sound.of(Tokens{"A", "-", "A"}));
    EXPECT_NE(heard(0, 0), heard(2, 0));
}

TEST(ListeningModel, NeitherReadsNorQuotesWords) {
    TransformerConfiguration reader;
    reader.kind = TransformerKind::decoder;
    EXPECT_THROW(TaskModel(task("speech"), reader), Error);
    RecurrentConfiguration quoting;
    quoting.copies = true;
    EXPECT_THROW(TaskModel(task("speech"), quoting), Error);
}

// Whatever is set: a score by place has numbers for all of them.
TEST(ModelOfATask, HasRoomForItsLongestTexts) {
    RecurrentConfiguration configuration;
    configuration.embedding = configuration.width = 4;
    configuration.score.type = ScoreType::location;
    configuration.longest = 1;
    TrainingSettings settings;
    settings.model = configuration;
    settings.batch = 8;
    Training training(settings);
    EXPECT_TRUE(std::isfinite(training.step()));
    EXPECT_GE(std::get<RecurrentConfiguration>(training.model().configuration).longest,
              training.model().task.longest_source);
}

TEST(CopyingModel, KnowsWhichSourceWordsItCanSay) {
    RecurrentConfiguration configuration;
    configuration.embedding = 4;
    configuration.width = 4;
    configuration.score.type = ScoreType::additive;
    configuration.copies = true;
    const TaskModel model(task("dates"), configuration);
    const auto& made = std::get<RecurrentConfiguration>(model.configuration);
    ASSERT_EQ(std::ssize(made.copied_as), model.source.size());
    Index known = 0;
    for (Index number = 0; number < model.source.size(); ++number) {
        const Index as = made.copied_as[static_cast<std::size_t>(number)];
        if (as != Sequences::none) {
            EXPECT_EQ(model.target.word(as), model.source.word(number));
            ++known;
        }
    }
    EXPECT_GE(known, 10) << "digits, at least";
}

}  // namespace

}  // namespace headlight::model_training_test

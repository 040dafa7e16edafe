// Hard attention of a decoder: what it draws, and what it learns from its draws.

#include "core/model/recurrent_model.h"
#include "core/nn/entropy.h"
#include "core/nn/operations.h"
#include "core/tensor/random.h"
#include "tests/support/gradients.h"

#include <cmath>

namespace headlight::model_hard_attention_test {

using namespace nn;
using namespace test;

namespace {

constexpr Index keys = 3, steps = 2;

/// One text of two words from a source of three: nine ways to draw.
Batch one_text() {
    const std::vector<std::vector<Index>> sources{{1, 2, 0}}, inputs{{0, 2}}, labels{{2, 1}};
    return {side_by_side(sources), side_by_side(inputs), side_by_side(labels)};
}

RecurrentConfiguration small_model(DecoderStyle style, Reinforcement::Baseline baseline) {
    RecurrentConfiguration c;
    c.source_vocabulary = 3;
    c.target_vocabulary = 3;
    c.embedding = 2;
    c.width = 2;
    c.bidirectional = false;
    c.style = style;
    c.score.type = ScoreType::additive;
    c.normalizer.type = NormalizerType::hard;
    c.normalizer.temperature = 0.7;
    c.reinforcement.baseline = baseline;
    c.reinforcement.entropy = 0;
    return c;
}

/// Numbers large enough that where the model looks makes a difference.
std::vector<double> lively_weights(const ParameterLayout& layout) {
    std::vector<double> weights(static_cast<std::size_t>(layout.size()));
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = 4 * uniform(substream(8, i)) - 2;
    return weights;
}

/// Makes the model look at given keys, and knows how probable it was that it would.
class Path : public Hook<double> {
public:
    Path(std::vector<Index> path, double temperature) : path_(std::move(path)), temperature_(temperature) {}

    void scores(const SiteCall&, Variable<double>, Variable<double> scores) override {
        double sum = 0;
        for (Index j = 0; j < scores.columns; ++j)
            sum += std::exp(scores.value[j] / temperature_);
        probability_ *= std::exp(scores.value[path_[step_]] / temperature_) / sum;
    }
    void weights(const SiteCall&, Variable<double> weights) override {
        std::fill_n(weights.value, weights.size(), 0.0);
        weights.value[path_[step_++]] = 1;
    }
    double probability() const { return probability_; }

private:
    std::vector<Index> path_;
    double temperature_;
    double probability_ = 1;
    std::size_t step_ = 0;
};

/// The loss over all ways to draw, each by its probability.
double expected_loss(const RecurrentModel& model, const std::vector<double>& weights) {
    const Batch batch = one_text();
    double expected = 0;
    for (Index first = 0; first < keys; ++first)
        for (Index second = 0; second < keys; ++second) {
            Tape<double> tape(weights);
            Path path({first, second}, model.configuration().normalizer.temperature);
            const auto encoded = model.encode(tape, batch.source);
            auto carried = model.start(tape, encoded);
            double loss = 0;
            for (Index t = 0; t < steps; ++t) {
                const auto decoded = model.step<double>(tape, encoded, carried, batch.inputs.at(t), &path);
                loss +=
                    *cross_entropy(tape, model.logits(tape, encoded, decoded), batch.labels.at(t), 1.0).value;
                carried = decoded.next;
            }
            expected += path.probability() * loss;
        }
    return expected;
}

struct ReinforceCase {
    std::string name;
    DecoderStyle style;
    Reinforcement::Baseline baseline;
    Index draws;
};
void PrintTo(const ReinforceCase& each, std::ostream* out) { *out << each.name; }

class HardAttention : public testing::TestWithParam<ReinforceCase> {};

// Each number's mean over many draws lies within 5 standard errors of the derivative of the expected loss.
TEST_P(HardAttention, EstimatesTheGradientOfTheExpectedLoss) {
    RecurrentConfiguration configuration = small_model(GetParam().style, GetParam().baseline);
    configuration.reinforcement.draws = GetParam().draws;
    const RecurrentModel model(configuration);
    std::vector<double> weights = lively_weights(model.layout());
    const Batch batch = one_text();
    const Index samples = 3000 / GetParam().draws;
    std::vector<double> sums(weights.size()), squares(weights.size());
    double losses = 0, loss_squares = 0;
    for (Index i = 0; i < samples; ++i) {
        const std::uint64_t stream = substream(77, static_cast<std::uint64_t>(i));
        const std::vector<double> gradient = gradient_at(weights, [&](Tape<double>& tape) {
            const auto loss = model.loss(tape, batch, 1.0, stream);
            losses += *loss.value;
            loss_squares += *loss.value * *loss.value;
            return loss;
        });
        for (std::size_t j = 0; j < sums.size(); ++j) {
            sums[j] += gradient[j];
            squares[j] += gradient[j] * gradient[j];
        }
    }
    const auto count = static_cast<double>(samples);
    const auto expect_mean = [&](double sum, double square_sum, double expected, const std::string& what) {
        const double mean = sum / count, variance = std::max(square_sum / count - mean * mean, 0.0);
        EXPECT_NEAR(mean, expected, 5 * std::sqrt(variance / count) + 1e-6) << what;
    };
    expect_mean(losses, loss_squares, expected_loss(model, weights), "loss");
    int moved = 0;
    for (const auto& entry : model.layout().entries()) {
        if (entry.name.starts_with("attention.baseline"))
            continue;
        for (Index i = 0; i < entry.weight.size(); ++i) {
            const auto place = static_cast<std::size_t>(entry.weight.offset + i);
            const double at = weights[place], step = 1e-4;
            weights[place] = at + step;
            const double above = expected_loss(model, weights);
            weights[place] = at - step;
            const double below = expected_loss(model, weights);
            weights[place] = at;
            const double expected = (above - below) / (2 * step);
            expect_mean(sums[place], squares[place], expected, entry.name + " " + std::to_string(i));
            moved += entry.name.starts_with("attention.") && std::abs(expected) > 0.01;
        }
    }
    EXPECT_GE(moved, 4) << "the case shows nothing of the attention";
}

INSTANTIATE_TEST_SUITE_P(
    All, HardAttention,
    testing::Values(
        ReinforceCase{"bahdanau_without_baseline", DecoderStyle::bahdanau, Reinforcement::Baseline::none, 1},
        ReinforceCase{"bahdanau_average", DecoderStyle::bahdanau, Reinforcement::Baseline::average, 1},
        ReinforceCase{"bahdanau_state", DecoderStyle::bahdanau, Reinforcement::Baseline::state, 1},
        ReinforceCase{"luong_state_of_three_draws", DecoderStyle::luong, Reinforcement::Baseline::state, 3}),
    [](const auto& row) { return row.param.name; });

double spread_of(Reinforcement::Baseline baseline, double constant) {
    const RecurrentModel model(small_model(DecoderStyle::bahdanau, baseline));
    std::vector<double> weights = lively_weights(model.layout());
    if (baseline == Reinforcement::Baseline::average)
        weights[static_cast<std::size_t>(model.layout().find("attention.baseline.b").offset)] = constant;
    const auto v = static_cast<std::size_t>(model.layout().find("attention.v").offset);
    double sum = 0, squares = 0;
    constexpr int samples = 1000;
    for (int i = 0; i < samples; ++i) {
        const double each = gradient_at(weights, [&](Tape<double>& tape) {
            return model.loss(tape, one_text(), 1.0, substream(5, static_cast<std::uint64_t>(i)));
        })[v];
        sum += each;
        squares += each * each;
    }
    return squares / samples - sum * sum / samples / samples;
}

TEST(HardAttention, VariesLessAgainstAGoodBaseline) {
    const RecurrentModel model(small_model(DecoderStyle::bahdanau, Reinforcement::Baseline::none));
    // The same numbers follow from the same streams whatever the layout has behind them.
    const double per_step = expected_loss(model, lively_weights(model.layout())) / steps;
    EXPECT_LT(spread_of(Reinforcement::Baseline::average, per_step),
              spread_of(Reinforcement::Baseline::average, 0));
}

TEST(HardAttention, LearnsWhatToExpect) {
    const RecurrentModel model(small_model(DecoderStyle::luong, Reinforcement::Baseline::average));
    std::vector<double> weights = lively_weights(model.layout());
    const auto place = static_cast<std::size_t>(model.layout().find("attention.baseline.b").offset);
    const auto slope_at = [&](double constant) {
        weights[place] = constant;
        return gradient_at(weights,
                           [&](Tape<double>& tape) { return model.loss(tape, one_text(), 1.0, 3); })[place];
    };
    // These are slopes of the sum over two steps of (b - loss per step)^2.
    EXPECT_LT(slope_at(0), 0);
    EXPECT_NEAR(slope_at(1) - slope_at(0), 2 * steps, 1e-9);
}

// The loss that is told is that of the text, whatever else is learned from it.
TEST(HardAttention, RewardsAttentionThatIsUndecided) {
    RecurrentConfiguration configuration = small_model(DecoderStyle::luong, Reinforcement::Baseline::none);
    const RecurrentModel without(configuration);
    configuration.reinforcement.entropy = 0.5;
    const RecurrentModel with(configuration);
    const std::vector<double> weights = lively_weights(with.layout());
    const Batch batch = one_text();
    Tape<double> tape(weights);
    EXPECT_DOUBLE_EQ(*with.loss(tape, batch, 1.0, 3).value, *without.loss(tape, batch, 1.0, 3).value);
    const auto gradient = [&](const RecurrentModel& model) {
        return gradient_at(weights, [&](Tape<double>& t) { return model.loss(t, batch, 1.0, 3); });
    };
    // Minus lambda times the gradient of both entropies, with the drawn keys held fast.
    const std::vector<double> expected = gradient_at(weights, [&](Tape<double>& t) {
        Draws<double> draws;
        RecurrentConfiguration drawing = configuration;
        drawing.normalizer.mode = HardMode::sample;
        const RecurrentModel model(drawing);
        const auto encoded = model.encode(t, batch.source);
        auto carried = model.start(t, encoded, substream(3, std::uint64_t(0)));
        for (Index step = 0; step < steps; ++step)
            carried = model.step<double>(t, encoded, carried, batch.inputs.at(step), &draws).next;
        const auto scores =
            scale(t, join_rows(t, std::span<const Variable<double>>(draws.scores())), 1 / 0.7);
        return entropy(t, scores, std::span<const double>(std::vector<double>(steps, -0.5)));
    });
    const std::vector<double> a = gradient(with), b = gradient(without);
    for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_NEAR(a[i] - b[i], expected[i], 1e-12) << i;
}

TEST(Entropy, HasTheGradientOfDifferences) {
    ParameterLayout layout;
    const Weight scores = layout.add("scores", 3, 4);
    expect_gradient(layout, layout.initial_values<double>(2), [&](Tape<double>& tape) {
        const auto masked = mask_scores(tape, {.batch = 3, .heads = 1, .queries = 1, .keys = 4},
                                        tape.weight(scores), {std::vector<Index>{4, 2, 3}, false});
        return entropy(tape, masked, std::span<const double>(std::vector<double>{0.5, -2, 0}));
    });
}

// With as many draws as it takes the mean context is that of soft attention, within 5 standard errors.
TEST(HardAttention, OfManyDrawsApproachesSoft) {
    RecurrentConfiguration configuration = small_model(DecoderStyle::luong, Reinforcement::Baseline::none);
    configuration.normalizer.mode = HardMode::sample;
    const RecurrentModel hard(configuration);
    configuration.normalizer.type = NormalizerType::softmax;
    const RecurrentModel soft(configuration);
    const std::vector<double> weights = lively_weights(hard.layout());
    const Batch batch = one_text();
    const auto first_weights = [&](const RecurrentModel& model, std::uint64_t stream) {
        Tape<double> tape(weights);
        const auto encoded = model.encode(tape, batch.source);
        const auto decoded =
            model.step(tape, encoded, model.start(tape, encoded, stream), batch.inputs.at(0));
        return std::vector<double>(decoded.weights.values().begin(), decoded.weights.values().end());
    };
    constexpr int draws = 4000;
    std::vector<double> mean(keys);
    for (int i = 0; i < draws; ++i) {
        const std::vector<double> one = first_weights(hard, substream(9, static_cast<std::uint64_t>(i)));
        EXPECT_EQ(std::ranges::count(one, 1.0), 1);
        for (std::size_t j = 0; j < one.size(); ++j)
            mean[j] += one[j] / draws;
    }
    const std::vector<double> expected = first_weights(soft, 0);
    for (std::size_t j = 0; j < mean.size(); ++j)
        EXPECT_NEAR(mean[j], expected[j], 5 * std::sqrt(expected[j] * (1 - expected[j]) / draws)) << j;
}

}  // namespace

}  // namespace headlight::model_hard_attention_test

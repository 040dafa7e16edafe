// What features that heads learn, bands beside linear maps, averages, states of other kinds and learners
// promise.

#include "core/tensor/error.h"
#include "tests/support/causal_runs.h"

#include <algorithm>
#include <cmath>

namespace headlight::invariants_states_test {

using namespace test;

namespace {

constexpr double exact = 1e-12, shut = -1000;

struct States : CausalRuns {
    States() : CausalRuns(151) {}
};

double silu(double x) { return x / (1 + std::exp(-x)); }

TEST_F(States, LayersThatMakeNothingGiveEveryKeyTheSame) {
    const AttentionSpec its = of({{"type", "learned_features"}});
    Inputs given = inputs;
    for (const char* name : {"W_map_q", "W_map_k"})
        given.parameters[name] = Tensor({width, width});
    const auto weights = run(its, given).weights;
    for (Index i = 0; i < tokens; ++i)
        for (Index j = 0; j < tokens; ++j)
            EXPECT_NEAR(at(weights, i, j), j <= i ? 1 / static_cast<double>(i + 1) : 0, exact);
}

TEST_F(States, FeaturesOfAUnitLayerAboveZeroAreThoseOfFocusWithPowerOne) {
    const AttentionSpec layered = of({{"type", "learned_features"}, {"map", "relu"}}),
                        focused = of({{"type", "learned_features"}, {"map", "focused"}, {"power", 1}});
    Inputs given = inputs;
    for (const char* name : {"W_map_q", "W_map_k"})
        given.parameters[name] = identity(width);
    EXPECT_TRUE(near(run(layered, given), run(focused, inputs), exact));
    Inputs longer = inputs;
    for (double& number : longer.query.values())
        number *= 1e100;
    EXPECT_TRUE(near(run(focused, longer).weights, run(focused, inputs).weights, exact));
}

TEST_F(States, AFilterOfTheValuesAddsWhatItReaches) {
    for (const Json& algorithm : {Json{{"type", "learned_features"}}, Json{{"type", "yoso"}}}) {
        Json filtered = algorithm;
        filtered["convolution"] = 3;
        Inputs given = with_drawn(of(algorithm), inputs);
        given.parameters["value_filter"] = Tensor({1, 3}, {2.0, 0.5, 7.0});
        const auto plain = run(of(algorithm), given).output, more = run(of(filtered), given).output;
        for (Index i = 0; i < tokens; ++i)
            for (Index c = 0; c < width; ++c) {
                const auto cell = static_cast<std::size_t>(i * width + c);
                const double before = i > 0 ? inputs.query(i - 1, c) : 0;
                EXPECT_NEAR(more[cell] - plain[cell], 2 * before + 0.5 * inputs.query(i, c), exact)
                    << "what comes later is hidden by the mask";
            }
    }
}

TEST_F(States, ABandAloneIsAWindowAndTheRestAloneIsLinear) {
    const Json map{{"type", "near_and_far"}, {"reach", 2}};
    Inputs given = inputs;
    given.parameters["near_share"] = Tensor({1}, 1);
    given.parameters["far_share"] = Tensor({1, 1});
    const AttentionSpec window = spec(R"({"mask": {"type": "symmetric_window", "reach": 2}})");
    EXPECT_TRUE(near(run(of(map, Json::object()), given), run(window, inputs), exact));
    given.parameters["near_share"] = Tensor({1});
    given.parameters["far_share"] = Tensor({1, 1}, 1);
    EXPECT_TRUE(near(run(of(map), given), run(of({{"type", "linear"}}), inputs), exact));
}

// Willette et al. 2025: every stride-th row is one of full attention, and those after it have its difference.
TEST_F(States, WhatSparseRowsLackIsAddedUntilTheNextFullOne) {
    const AttentionSpec sinks = spec(R"({"mask": {"all": [{"type": "causal"},
        {"any": [{"type": "window", "size": 2}, {"type": "sinks", "sinks": 1}]}]}})");
    const auto sparse = run(sinks, inputs).weights,
               full = run(spec(R"({"mask": {"type": "causal"}})"), inputs).weights;
    for (const Index stride : {1, 2, 3, 8}) {
        const auto weights =
            run(of({{"type", "delta_correction"}, {"stride", stride}, {"window", 2}}), inputs).weights;
        for (Index i = 0; i < tokens; ++i)
            for (Index j = 0; j < tokens; ++j) {
                const Index last = i / stride * stride;
                EXPECT_NEAR(at(weights, i, j), at(sparse, i, j) + at(full, last, j) - at(sparse, last, j),
                            exact)
                    << stride << ": " << i << ", " << j;
                if (i == last) {
                    EXPECT_NEAR(at(weights, i, j), at(full, i, j), exact) << stride << ": " << i << ", " << j;
                }
            }
    }
}

TEST_F(States, WithoutWhatIsNewMamba3IsMamba2) {
    const Json plain{{"type", "mamba3"}, {"trapezoid", false}, {"norm", false}, {"turned_share", 0}};
    Inputs given = with_drawn(of(plain), inputs);
    set_number(given, "rate", std::log(std::exp(1.0) - 1));  // rates of 1
    given.parameters["A_log"] = Tensor({1});
    EXPECT_TRUE(near(run(of(plain), given), run(of({{"type", "state_space"}}), given), exact));
    Json trapezoids = plain;
    trapezoids["trapezoid"] = true;
    set_number(given, "trapezoid", -shut);  // all of the step is its own
    EXPECT_TRUE(near(run(of(trapezoids), given), run(of(plain), given), exact));
    set_number(given, "trapezoid", 0);
    EXPECT_FALSE(near(run(of(trapezoids), given), run(of(plain), given), 1e-3));
}

TEST_F(States, TurnsChangeNothingOfATokenAndItself) {
    const AttentionSpec turned = of({{"type", "mamba3"}, {"turned_share", 1}}),
                        still = of({{"type", "mamba3"}, {"turned_share", 0}});
    const Inputs given = with_drawn(turned, inputs);
    const auto with = run(turned, given).weights, without = run(still, given).weights;
    double largest = 0;
    for (Index i = 0; i < tokens; ++i) {
        EXPECT_NEAR(at(with, i, i), at(without, i, i), exact);
        largest = std::max(largest, std::abs(at(with, i, 0) - at(without, i, 0)));
    }
    EXPECT_GT(largest, 1e-3);
}

// Half a turn with each token and nothing that fades: the sign says whether the tokens in between are even.
TEST_F(States, StatesThatTurnCountEvenAndOdd) {
    const AttentionSpec its =
        of({{"type", "mamba3"}, {"trapezoid", false}, {"norm", false}, {"turned_share", 1}});
    Inputs given = inputs;
    for (Index token = 0; token < tokens; ++token)
        for (Index c = 0; c < width; ++c)
            given.query(token, c) = 1;
    set_number(given, "dt", std::log(std::exp(1.0) - 1));  // steps of 1
    set_number(given, "rate", shut);                       // 10⁻⁴ is the slowest that there is
    given.parameters["W_turn"] = Tensor({width, width / 2}, 10);
    const auto weights = run(its, given).weights;
    for (Index i = 0; i < tokens; ++i)
        for (Index j = 0; j <= i; ++j)
            EXPECT_NEAR(at(weights, i, j), (i - j) % 2 == 0 ? 6 : -6, 0.01);
}

TEST_F(States, RanksThatGiveNothingAreNone) {
    // The second keys take nothing in, and nothing of the second queries comes out.
    const AttentionSpec one = of({{"type", "mamba3"}}), two = of({{"type", "mamba3"}, {"ranks", 2}});
    Inputs given = with_drawn(two, inputs);
    Tensor first({2, width});
    std::ranges::fill(first.row(0), 1.0);
    given.parameters["rank_in"] = given.parameters["rank_out"] = first;
    Inputs alone = given;
    for (const char* name :
         {"W_rank_q", "W_rank_k", "C_bias_of_ranks", "B_bias_of_ranks", "rank_in", "rank_out"})
        alone.parameters.erase(name);
    EXPECT_TRUE(near(run(two, given), run(one, alone), exact));
}

TEST_F(States, AMemoryOfOneCellIsWrittenOverOrAddedTo) {
    const AttentionSpec its = of({{"type", "turing"}, {"memory", "written"}, {"cells", 1}});
    for (const bool erases : {true, false}) {
        Inputs given = with_drawn(its, inputs);
        given.parameters["W_erase"] = Tensor({width, width});
        given.parameters["b_erase"] = Tensor({width}, erases ? -shut : shut);
        const auto weights = run(its, given).weights;
        for (Index i = 0; i < tokens; ++i)
            for (Index j = 0; j < tokens; ++j)
                EXPECT_NEAR(at(weights, i, j), j == i || (j < i && !erases) ? 1 : 0, exact) << i << " " << j;
    }
}

TEST_F(States, AShutUpdateGateLeavesTokensAsTheyAre) {
    const AttentionSpec its = of({{"type", "mega"}});
    Inputs given = with_drawn(its, inputs);
    given.parameters["W_unit_update"] = Tensor({width, width});
    given.parameters["b_unit_update"] = Tensor({width}, shut);
    const auto output = run(its, given).output;
    EXPECT_TRUE(std::ranges::equal(output, inputs.query.values()));
    Inputs shifted = given;
    for (double& bias : shifted.parameters["distance_bias"].values())
        bias += 3;
    EXPECT_TRUE(near(run(its, shifted).weights, run(its, given).weights, exact));
}

TEST_F(States, ASmoothStepWeighsEachKeyByItself) {
    const AttentionSpec its = of({{"type", "mega"}, {"weigh", "laplace"}});
    Inputs given = with_drawn(its, inputs);
    given.parameters["gamma_q"] = given.parameters["beta_q"] = Tensor({width});  // scores are the biases
    for (Index at = 0; at < tokens; ++at)
        given.parameters["distance_bias"](0, at) = at == 0 ? std::sqrt(0.5) : at == 1 ? 10 : -10;
    const auto weights = run(its, given).weights;
    for (Index i = 0; i < tokens; ++i)
        for (Index j = 0; j <= i; ++j)
            EXPECT_NEAR(at(weights, i, j), j == i ? 0.5 : j + 1 == i ? 1 : 0, exact) << i << " " << j;
}

TEST_F(States, AnAverageThatLosesNothingIsASum) {
    const AttentionSpec its = of({{"type", "mega"}, {"averages", 1}});
    Inputs given = with_drawn(its, inputs);
    given.parameters["ema_alpha"] = Tensor({width, 1}, -shut);
    given.parameters["ema_delta"] = Tensor({width, 1}, shut);
    given.parameters["ema_beta"] = given.parameters["ema_eta"] = Tensor({width, 1}, 1);
    given.parameters["ema_omega"] = Tensor({width});
    const auto average = stage(record(planned(its, given)), "moving_average");
    for (Index c = 0; c < width; ++c) {
        double sum = 0;
        for (Index i = 0; i < tokens; ++i) {
            sum += inputs.query(i, c);
            EXPECT_NEAR(average[static_cast<std::size_t>(i * width + c)], silu(sum), exact);
        }
    }
}

TEST_F(States, NumbersForStatesShareOutWhatIsNotKept) {
    for (const double least : {0.0, 0.4}) {
        const Trace trace = record(planned(of({{"type", "hgrn"}, {"lower_bound", least}}), inputs));
        const auto gates = stage(trace, "gates"), weights = stage(trace, "weights");
        std::vector<double> kept(static_cast<std::size_t>(width), 1.0);
        for (Index i = 0; i < tokens; ++i) {
            double sum = 0, left = 0;
            for (std::size_t c = 0; c < kept.size(); ++c) {
                const double gate = gates[static_cast<std::size_t>(i * width) + c];
                EXPECT_GE(gate, least);
                kept[c] *= gate;
                left += kept[c] / static_cast<double>(width);
            }
            for (Index j = 0; j < tokens; ++j)
                sum += at(weights, i, j);
            EXPECT_NEAR(sum, 1 - left, exact);
        }
    }
}

TEST_F(States, DrawnHashesAreCountedAndTheirMeanIsNear) {
    const AttentionSpec mean = of({{"type", "yoso"}, {"hashes", 2}}, Json::object());
    const auto expected = run(mean, inputs).weights;
    for (const int rounds : {1, 4, 64}) {
        const AttentionSpec drawn = of({{"type", "yoso"}, {"hashes", 2}, {"rounds", rounds}}, Json::object());
        const auto weights = run(drawn, inputs).weights;
        for (std::size_t cell = 0; cell < weights.size(); ++cell) {
            EXPECT_NEAR(weights[cell] * rounds, std::round(weights[cell] * rounds), exact);
            if (rounds == 64) {
                EXPECT_NEAR(weights[cell], expected[cell], 0.3);
            }
        }
        for (Index i = 0; i < tokens; ++i)
            EXPECT_EQ(at(weights, i, i), 1);
    }
}

TEST_F(States, ConvolutionalBiasesAreFullOnesByDistance) {
    Inputs given = inputs;
    given.parameters["distance_biases"] = Tensor({1, 5}, {0.3, -1.0, 2.0, 0.7, -0.2});
    Tensor full({tokens, tokens});
    for (Index i = 0; i < tokens; ++i)
        for (Index j = std::max<Index>(i - 2, 0); j <= std::min(i + 2, tokens - 1); ++j)
            full(i, j) = given.parameters["distance_biases"].values()[static_cast<std::size_t>(j - i + 2)];
    given.parameters["position_biases"] = full;
    for (const Json& rest : {Json::object(), Json{{"mask", {{"type", "causal"}}}}})
        EXPECT_TRUE(
            near(run(of({{"type", "attention_free"}, {"biases", "conv"}, {"window", 3}}, rest), given),
                 run(of({{"type", "attention_free"}, {"biases", "full"}}, rest), given), exact));
}

TEST_F(States, LightningIsRetentionOfVectorsThroughSilu) {
    const Json decays{{"type", "retention"}, {"decays", "layer"}, {"layer", 2}, {"layers", 3}};
    Json through = decays;
    through["silu"] = "all";
    Inputs activated = inputs;
    for (double& number : activated.query.values())
        number = silu(number);
    EXPECT_TRUE(near(run(of(through), inputs), run(of(decays), activated), exact));
    through["silu"] = "queries_keys";
    EXPECT_TRUE(near(run(of(through), inputs).weights, run(of(decays), activated).weights, exact));
    Json last = decays;
    last["layer"] = 3;
    EXPECT_TRUE(near(run(of(last), inputs), run(of({{"type", "retention"}, {"gamma", 1}}), inputs), 1e-4))
        << "the last layer forgets nothing";
    EXPECT_FALSE(near(run(of(decays), inputs), run(of(last), inputs), 1e-4));
}

// A step of no size: the learner stays what it began with.
TEST_F(States, ALearnerThatTakesNoStepsAnswersAsItBegan) {
    const AttentionSpec its = of({{"type", "ttt"}, {"norm", true}, {"scaled", false}});
    Inputs given = with_drawn(its, inputs);
    set_number(given, "beta", shut);
    given.parameters["W_learner"] = identity(width);
    const Numbers numbers = run(its, given);
    EXPECT_EQ(*std::ranges::max_element(numbers.weights), 0);
    for (Index i = 0; i < tokens; ++i) {
        double mean = 0, variance = 0;
        for (Index c = 0; c < width; ++c)
            mean += inputs.query(i, c) / width;
        for (Index c = 0; c < width; ++c)
            variance += std::pow(inputs.query(i, c) - mean, 2) / width;
        for (Index c = 0; c < width; ++c)
            EXPECT_NEAR(numbers.output[static_cast<std::size_t>(i * width + c)],
                        inputs.query(i, c) + (inputs.query(i, c) - mean) / std::sqrt(variance + 1e-6), exact);
    }
}

TEST_F(States, LearnersReadNothingOfLaterTokens) {
    for (const Json& algorithm :
         {Json{{"type", "ttt"}, {"norm", true}, {"batch", 3}},
          Json{{"type", "ttt"}, {"learner", "mlp"}, {"units", 3}, {"batch", 2}, {"mean", true}},
          Json{{"type", "ttt"}, {"learner", "mlp"}, {"norm", true}, {"batch", 1}}}) {
        const AttentionSpec its = of(algorithm);
        const Inputs given = with_drawn(its, inputs);
        Inputs changed = given;
        for (Index c = 0; c < width; ++c)
            changed.query(tokens - 1, c) = 5;
        const auto before = run(its, given).output, after = run(its, changed).output;
        const auto same = static_cast<std::ptrdiff_t>((tokens - 1) * width);
        EXPECT_TRUE(std::equal(before.begin(), before.begin() + same, after.begin()));
        EXPECT_NE(before.back(), after.back());
    }
}

// A = −1 and B = 1: each place keeps (1 − Δ/2) / (1 + Δ/2) of what came before.
TEST_F(States, AMatrixOfOneStateIsADecay) {
    const AttentionSpec its =
        of({{"type", "long_convolution"}, {"filter", "matrix"}, {"states", 1}, {"gates", false}});
    Inputs given = with_drawn(its, inputs);
    given.parameters["filter_step"] = Tensor({width}, std::log(0.5));
    given.parameters["C_real"] = Tensor({width, 1}, 2);
    const auto weights = run(its, given).weights;
    for (Index i = 0; i < tokens; ++i)
        for (Index j = 0; j <= i; ++j)
            EXPECT_NEAR(at(weights, i, j), 2 * 0.5 / 1.25 * std::pow(0.75 / 1.25, i - j), exact);
}

TEST_F(States, AShutGateBetweenFiltersShutsAll) {
    const AttentionSpec its = of({{"type", "long_convolution"}, {"filter", "network"}, {"order", 3}});
    Inputs given = with_drawn(its, inputs);
    EXPECT_NE(run(its, given).output.back(), 0);
    given.parameters["W_between_2"] = Tensor({width, width});
    const auto output = run(its, given).output;
    EXPECT_TRUE(std::ranges::all_of(output, [](double number) { return number == 0; }));
}

TEST_F(States, APreconditionerOfRange1ByFeatureIsKimiDelta) {
    const AttentionSpec its = of({{"type", "precond_delta"}, {"range", 1}, {"gates", "feature"}});
    const Inputs given = with_drawn(its, inputs);
    EXPECT_TRUE(near(run(its, given), run(of({{"type", "kimi_delta"}, {"scaled", true}}), given), exact));
}

}  // namespace

}  // namespace headlight::invariants_states_test

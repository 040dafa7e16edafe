// Invariants 1, 3, 4, 14, 15, 16, 17, 18, 19, 32, 44 and 45 of the normalisers (41, their gradients, is a
// file of its own).

#include "core/tensor/error.h"
#include "tests/support/normalizer_rows.h"

#include <numbers>
#include <numeric>

namespace headlight::invariants_normalizers_test {

using namespace test;

namespace {

const std::vector<double> some_scores{0.3, -1.2, 2.1, 0.8, -0.4, 1.9, 0};

double sum(std::span<const double> row) { return std::accumulate(row.begin(), row.end(), 0.0); }

std::vector<double> shifted(std::vector<double> scores, double by) {
    for (double& score : scores)
        score += by;
    return scores;
}

double log_sum_exp(const std::vector<double>& scores) {
    double total = 0;
    for (const double score : scores)
        total += std::exp(score);
    return std::log(total);
}

TEST(Invariant1, RowsSumToOneWhereTheySayTheyDo) {
    for (const char* type : {"softmax", "hard", "length_scaled", "sparsemax", "entmax", "gumbel", "sinkhorn",
                             "slot", "taylor", "normmax", "function_shares", "adaptive_span", "forward"}) {
        const Numbers numbers = run(normalized_by(type), random_map(5, 7));
        for (std::size_t row = 0; row < 5; ++row)
            EXPECT_NEAR(sum(std::span(numbers.weights).subspan(row * 7, 7)), 1, 1e-12) << type;
    }
}

TEST(Invariant1, OtherRowsSumToWhatTheirFormulaSays) {
    EXPECT_NEAR(sum(normalized("off_by_one", some_scores)), 1 / (1 + std::exp(-log_sum_exp(some_scores))),
                1e-12);
    EXPECT_NEAR(sum(normalized("budget", some_scores, R"("budget": 3.5)")), 3.5, 1e-12);
    EXPECT_NEAR(sum(normalized("budget", some_scores, R"("budget": 20)")), 7, 1e-12);
    double absolute = 0;
    for (const double weight : normalized("signed_softmax", some_scores))
        absolute += std::abs(weight);
    EXPECT_NEAR(absolute, 1, 1e-12);
    EXPECT_LE(sum(normalized("softpick", some_scores)), 1);
    EXPECT_LE(sum(normalized("monotonic", some_scores)), 1);
    EXPECT_NEAR(sum(normalized("none", some_scores)), sum(some_scores), 1e-12);
}

TEST(Invariant3, NothingAllowedGivesZeros) {
    for (const std::string& type : every_normalizer()) {
        AttentionSpec spec = normalized_by(type);
        spec.mask = mask_from_json(
            Json::parse(R"({"type": "matrix", "allowed": [[1, 1, 0], [0, 0, 0], [0, 1, 1]]})"), "mask");
        const auto plan = planned(spec, random_map(3, 3));
        for (const Numbers& numbers : {run<double>(plan), run<float>(plan)}) {
            for (const std::size_t cell : {2u, 3u, 4u, 5u, 6u})
                EXPECT_EQ(numbers.weights[cell], 0) << type << ", cell " << cell;
            for (const double number : numbers.output)
                EXPECT_TRUE(std::isfinite(number)) << type;
        }
        EXPECT_EQ(record(plan).fully_masked_queries, std::vector<Index>{1}) << type;
    }
}

TEST(Invariant4, AddingANumberToARowChangesNothing) {
    for (const char* type :
         {"softmax", "hard", "sparsemax", "entmax", "budget", "normmax", "clipped", "adaptive_span"})
        for (const double by : {5.0, -40.0, 1000.0})
            EXPECT_TRUE(
                within(normalized(type, shifted(some_scores, by)), normalized(type, some_scores), 1e-11))
                << type << " + " << by;
    for (const char* type :
         {"off_by_one", "sigmoid", "relu", "softpick", "signed_softmax", "taylor", "function_shares"})
        EXPECT_FALSE(within(normalized(type, shifted(some_scores, 5)), normalized(type, some_scores), 1e-3))
            << type;
}

TEST(Invariant1, SharesOfEveryFunctionSumToOne) {
    for (const std::string options : {R"("function": "softplus")", R"("function": "stablemax")",
                                      R"("function": "power")", R"("function": "power", "power": "6")"}) {
        const std::vector<double> weights = normalized("function_shares", some_scores, options);
        EXPECT_NEAR(sum(weights), 1, 1e-14) << options;
        EXPECT_GE(std::ranges::min(weights), 0) << options;
    }
}

TEST(SharesOfAFunction, AreThoseOfTheFormula) {
    const std::vector<double> scores{1.7, -1.7, 0.4, -0.4, 0};
    const std::vector<double> soft = normalized("function_shares", scores);
    const std::vector<double> stable = normalized("function_shares", scores, R"("function": "stablemax")");
    for (const std::size_t above : {0u, 2u}) {
        // softplus(s) - softplus(-s) = s, softplus(0) = ln 2
        EXPECT_NEAR((soft[above] - soft[above + 1]) / soft[4], scores[above] / std::numbers::ln2, 1e-13);
        // f(s) f(-s) = 1, f(0) = 1
        EXPECT_NEAR(stable[above] * stable[above + 1], stable[4] * stable[4], 1e-15);
        EXPECT_NEAR(stable[above] / stable[4], scores[above] + 1, 1e-13);
    }
}

TEST(SharesOfAFunction, OfPowersKnowNeitherSignsNorSizes) {
    std::vector<double> other = some_scores;
    for (double& score : other)
        score *= -3;
    for (const std::string power : {"2", "4"}) {
        const std::string options = R"("function": "power", "power": ")" + power + '"';
        EXPECT_TRUE(within(normalized("function_shares", other, options),
                           normalized("function_shares", some_scores, options), 1e-14));
    }
    EXPECT_EQ(normalized("function_shares", {0, 2, 0}, R"("function": "power")"),
              (std::vector<double>{0, 1, 0}));
    EXPECT_THROW(normalized("function_shares", some_scores, R"("function": "power", "power": "3")"), Error);
}

TEST(RowNorm, OfDeviationsIsTheSameForScoresThatAreAllLarger) {
    const std::vector<double> weights = normalized("row_norm", some_scores);
    EXPECT_NEAR(sum(weights), 0, 1e-12);
    double squares = 0;
    for (const double weight : weights)
        squares += weight * weight;
    EXPECT_NEAR(squares / 7, 1, 1e-4);  // a small number is added to the variance
    EXPECT_TRUE(within(normalized("row_norm", shifted(some_scores, 5)), weights, 1e-11));
    for (const double weight : normalized("row_norm", std::vector<double>(6, 2.5)))
        EXPECT_NEAR(weight, 0, 1e-12) << "equal scores";
    EXPECT_EQ(normalized("row_norm", {3}), std::vector<double>{0});
}

TEST(RowNorm, OfLengthsCountsAndSumsHasScoresInTheirRatio) {
    const auto of = [](const std::string& by) {
        return normalized("row_norm", some_scores, R"("by": ")" + by + '"');
    };
    double squares = 0;
    for (const double weight : of("length"))
        squares += weight * weight;
    EXPECT_NEAR(squares, 1, 1e-13);
    EXPECT_NEAR(sum(of("sum")), 1, 1e-12);
    EXPECT_NEAR(sum(of("count")), sum(some_scores) / std::sqrt(7.0), 1e-12);
    for (const std::string by : {"length", "count", "sum"}) {
        const std::vector<double> weights = of(by);
        for (std::size_t key = 0; key < weights.size(); ++key)
            EXPECT_NEAR(weights[key] * some_scores[0], weights[0] * some_scores[key], 1e-12) << by;
    }
    EXPECT_EQ(normalized("row_norm", {1, -1}, R"("by": "sum")"), (std::vector<double>{0, 0}));
    EXPECT_EQ(normalized("row_norm", {0, 0, 0}, R"("by": "length")"), (std::vector<double>{0, 0, 0}));
}

AttentionSpec with_mask(AttentionSpec spec, const std::string& mask) {
    spec.mask = mask_from_json(Json::parse(mask), "mask");
    return spec;
}

const std::string causal_mask = R"({"type": "causal"})";

TEST(AdaptiveSpan, AsLongAsTheTextIsTheSoftmax) {
    const AttentionSpec spanned = normalized_by("adaptive_span", R"("span": 6.0, "ramp": 2)"),
                        soft = normalized_by("softmax");
    const Inputs inputs = random_map(6, 6);
    EXPECT_TRUE(near(run(spanned, inputs), run(soft, inputs), 1e-13));
    EXPECT_TRUE(
        near(run(with_mask(spanned, causal_mask), inputs), run(with_mask(soft, causal_mask), inputs), 1e-13));
}

TEST(AdaptiveSpan, OfAWholeNumberAndTheShortestRampIsAWindow) {
    const Inputs inputs = random_map(6, 6);
    for (const int span : {0, 1, 3}) {
        const AttentionSpec spanned = with_mask(
            normalized_by("adaptive_span", R"("ramp": 1, "span": )" + std::to_string(span)), causal_mask);
        const AttentionSpec window = with_mask(normalized_by("softmax"), R"({"type": "window", "size": )" +
                                                                             std::to_string(span + 1) + "}");
        EXPECT_TRUE(near(run(spanned, inputs), run(window, inputs), 1e-13)) << span;
    }
}

TEST(AdaptiveSpan, FadesAlongALineAndOnlyBackwards) {
    const Inputs alike{.query = Tensor({5, 1}), .key = Tensor({5, 1}), .value = identity(5)};
    const auto weights = run(normalized_by("adaptive_span", R"("span": 1.0, "ramp": 2)"), alike).weights;
    for (std::size_t key = 0; key < 5; ++key) {
        EXPECT_NEAR(weights[key], 1.0 / 5, 1e-14) << "keys after the query count as the query itself";
        const double expected[] = {0, 0, 0.2, 0.4, 0.4};  // of the last query
        EXPECT_NEAR(weights[20 + key], expected[key], 1e-14);
    }
}

TEST(AdaptiveSpan, IsThatOfEachHead) {
    RandomEngine random(34);
    Inputs inputs{.query = random_tensor({5, 4}, random)};
    inputs.parameters["z_span"] = Tensor({2}, std::vector<double>{0, 3});
    const auto weights =
        run(spec(R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
                     "mask": {"type": "causal"}, "normalizer": {"type": "adaptive_span", "ramp": 1}})"),
            inputs)
            .weights;
    for (std::size_t key = 0; key < 5; ++key) {
        EXPECT_EQ(weights[20 + key] > 0, key == 4);
        EXPECT_EQ(weights[45 + key] > 0, key >= 1);
    }
}

TEST(AdaptiveSpan, IsNotDrownedByAScoreBeyondIt) {
    const Inputs inputs{
        .query = Tensor({3, 1}, 1.0), .key = Tensor({3, 1}, {1e4, 0, 0}), .value = identity(3)};
    const auto weights = run(normalized_by("adaptive_span", R"("span": 1.0, "ramp": 1)"), inputs).weights;
    EXPECT_EQ(weights[6], 0);
    EXPECT_NEAR(weights[7], 0.5, 1e-15);
    EXPECT_NEAR(weights[8], 0.5, 1e-15);
}

TEST(Invariant14, OffByOneIsOneMoreKeyOfScoreZero) {
    std::vector<double> longer = some_scores;
    longer.push_back(0);
    std::vector<double> weights = normalized("softmax", longer);
    weights.pop_back();
    EXPECT_TRUE(within(normalized("off_by_one", some_scores), weights, 1e-14));
    EXPECT_TRUE(within(normalized("sink", some_scores, R"("logit": 0)"), weights, 1e-14));
    EXPECT_TRUE(within(normalized("off_by_one", shifted(some_scores, 60)), normalized("softmax", some_scores),
                       1e-12));
}

TEST(Invariant14, MassOfASinkIsTheSigmoidOfTheRest) {
    for (const double logit : {-3.0, 0.0, 2.5}) {
        const std::string options = R"("logit": )" + std::to_string(logit);
        const double expected = 1 / (1 + std::exp(logit - log_sum_exp(some_scores)));
        EXPECT_NEAR(sum(normalized("sink", some_scores, options)), expected, 1e-12);
        const Trace trace = record(planned(normalized_by("sink", options), scores_as_keys(some_scores)));
        EXPECT_NEAR(stage(trace, "unassigned")[0], 1 - expected, 1e-12);
    }
}

TEST(Invariant15, EntmaxHasSoftmaxAndSparsemaxAtItsEnds) {
    EXPECT_TRUE(within(normalized("entmax", some_scores, R"("alpha": 2)"),
                       normalized("sparsemax", some_scores), 1e-12));
    EXPECT_EQ(normalized("entmax", some_scores, R"("alpha": 1)"), normalized("softmax", some_scores));
    // The gap closes in proportion to alpha - 1.
    double before = 0;
    for (const auto& [alpha, size] : {std::pair{"1.1", 0.1}, {"1.01", 0.01}, {"1.001", 0.001}}) {
        double gap = 0;
        const std::vector<double> close =
            normalized("entmax", some_scores, R"("alpha": )" + std::string(alpha));
        const std::vector<double> soft = normalized("softmax", some_scores);
        for (std::size_t key = 0; key < soft.size(); ++key)
            gap = std::max(gap, std::abs(close[key] - soft[key]));
        if (before > 0) {
            EXPECT_NEAR(before / gap, 10, 1.5) << alpha;
        }
        EXPECT_LT(gap, size);
        before = gap;
    }
}

TEST(Invariant15, ExactThresholdIsTheOneOfTheSearch) {
    RandomEngine random(15);
    for (const Index keys : {1, 2, 3, 17, 300}) {
        const Tensor drawn = random_tensor({keys}, random, 2);
        const std::vector<double> scores(drawn.values().begin(), drawn.values().end());
        EXPECT_TRUE(within(normalized("entmax", scores, R"("alpha": 1.5)"),
                           normalized("entmax", scores, R"("alpha": 1.5000000001)"), 1e-8))
            << keys;
    }
}

TEST(Invariant15, OneKeyTakesAllFromAGapOfOneOrTwoOn) {
    EXPECT_EQ(normalized("sparsemax", {1, 0}), (std::vector<double>{1, 0}));
    EXPECT_GT(normalized("sparsemax", {0.99, 0})[1], 0);
    EXPECT_TRUE(within(normalized("sparsemax", {0.4, 0}), std::vector{0.7, 0.3}, 1e-15));  // (1 + gap) / 2
    EXPECT_EQ(normalized("entmax", {2, 0}), (std::vector<double>{1, 0}));
    EXPECT_GT(normalized("entmax", {1.99, 0})[1], 0);
}

TEST(Invariant16, MonotonicEqualsItsParallelForm) {
    const Inputs inputs = random_map(6, 5);
    const Trace trace = record(planned(normalized_by("monotonic"), inputs));
    const std::vector<double> p = stage(trace, "stopping_probabilities"), weights = stage(trace, "weights");
    std::vector<double> before{1, 0, 0, 0, 0};
    for (std::size_t i = 0; i < 6; ++i) {
        double passes = 1, arrived = 0;  // exclusive cumulative product of 1 - p; sum of before / passes
        for (std::size_t j = 0; j < 5; ++j) {
            arrived += before[j] / passes;
            EXPECT_NEAR(weights[i * 5 + j], p[i * 5 + j] * passes * arrived, 1e-12) << i << ", " << j;
            passes *= 1 - p[i * 5 + j];
        }
        before.assign(weights.begin() + static_cast<std::ptrdiff_t>(i * 5),
                      weights.begin() + static_cast<std::ptrdiff_t>(i * 5 + 5));
    }
}

TEST(Invariant16, HardMonotonicIsTheLimitOfTheExpectedOne) {
    Inputs inputs = random_map(6, 5);
    for (const char* type : {"monotonic", "chunkwise"}) {
        AttentionSpec cold = normalized_by(type);
        cold.normalizer.temperature = 1e-9;
        AttentionSpec hard = cold;
        hard.normalizer.options["alignment"] = std::string("hard");
        EXPECT_TRUE(near(run(cold, inputs), run(hard, inputs), 1e-6)) << type;
    }
}

TEST(Invariant16, HardMonotonicNeverGoesBack) {
    AttentionSpec hard = normalized_by("monotonic", R"("alignment": "hard")");
    const Numbers numbers = run(hard, random_map(8, 9));
    std::ptrdiff_t last = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        const auto row = std::span(numbers.weights).subspan(i * 9, 9);
        if (sum(row) == 0)
            continue;
        const auto stop = std::ranges::max_element(row) - row.begin();
        EXPECT_GE(stop, last);
        last = stop;
    }
}

TEST(Invariant16, ChunksShareWhatMonotonicStops) {
    const Inputs inputs = random_map(6, 7);
    const Numbers stops = run(normalized_by("monotonic"), inputs);
    EXPECT_TRUE(near(run(normalized_by("chunkwise", R"("width": 1)"), inputs), stops, 1e-12));
    for (const char* width : {"0", "2", "3", "7"}) {
        const std::string option = std::string(R"("width": )") + width;
        const Numbers chunks = run(normalized_by("chunkwise", option), inputs);
        for (std::size_t i = 0; i < 6; ++i)
            EXPECT_NEAR(sum(std::span(chunks.weights).subspan(i * 7, 7)),
                        sum(std::span(stops.weights).subspan(i * 7, 7)), 1e-12)
                << width;
    }
    // A chunk as wide as the row is the one without a limit.
    EXPECT_TRUE(near(run(normalized_by("chunkwise", R"("width": 7)"), inputs),
                     run(normalized_by("chunkwise", R"("width": 0)"), inputs), 1e-12));
}

TEST(Invariant17, TheStickAndItsRestAreOne) {
    for (const bool own_key : {true, false}) {
        AttentionSpec spec =
            normalized_by("stick_breaking", std::string(R"("own_key": )") + (own_key ? "true" : "false"));
        spec.mask.rule = CausalMask{};
        const Trace trace = record(planned(spec, random_map(6, 6)));
        const std::vector<double> weights = stage(trace, "weights"), rest = stage(trace, "unassigned");
        for (std::size_t i = 0; i < 6; ++i) {
            EXPECT_NEAR(sum(std::span(weights).subspan(i * 6, 6)) + rest[i], 1, 1e-14);
            if (!own_key) {
                EXPECT_EQ(weights[i * 6 + i], 0);
            }
        }
    }
}

TEST(Invariant18, SinkhornMeetsBothMargins) {
    for (const Index keys : {6, 4}) {
        const Numbers numbers = run(normalized_by("sinkhorn", R"("iterations": 500)"), random_map(6, keys));
        const auto m = static_cast<std::size_t>(keys);
        for (std::size_t j = 0; j < m; ++j) {
            double column = 0;
            for (std::size_t i = 0; i < 6; ++i)
                column += numbers.weights[i * m + j];
            EXPECT_NEAR(column, 6.0 / static_cast<double>(keys), 1e-10);
        }
        for (std::size_t i = 0; i < 6; ++i)
            EXPECT_NEAR(sum(std::span(numbers.weights).subspan(i * m, m)), 1, 1e-12);
    }
}

std::string dustbin(double score, Index iterations) {
    return R"("dustbin": true, "bin_score": )" + std::to_string(score) + R"(, "iterations": )" +
           std::to_string(iterations);
}

TEST(Invariant18, ADustbinTakesWhatNobodyGets) {
    for (const Index keys : {6, 4}) {
        const Trace trace = record(planned(normalized_by("sinkhorn", dustbin(1, 500)), random_map(6, keys)));
        const auto weights = stage(trace, "weights"), rest = stage(trace, "unassigned");
        const auto m = static_cast<std::size_t>(keys);
        for (std::size_t j = 0; j < m; ++j) {
            double column = 0;
            for (std::size_t i = 0; i < 6; ++i)
                column += weights[i * m + j];
            EXPECT_LT(column, 1);
        }
        for (std::size_t i = 0; i < 6; ++i)
            EXPECT_NEAR(sum(std::span(weights).subspan(i * m, m)) + rest[i], 1, 1e-12);
        const Numbers none = run(normalized_by("sinkhorn", dustbin(60, 500)), random_map(6, keys));
        EXPECT_LT(std::ranges::max(none.weights), 1e-20) << "everybody prefers the bin";
    }
}

TEST(Invariant18, ADustbinIsTurnedByExchangingTheSequences) {
    const Inputs inputs = random_map(4, 6);
    Inputs exchanged = inputs;
    exchanged.query = *inputs.key;
    exchanged.key = inputs.query;
    exchanged.value = inputs.query;
    const AttentionSpec with_bin = normalized_by("sinkhorn", dustbin(0.5, 500));
    const auto there = run(with_bin, inputs).weights, back = run(with_bin, exchanged).weights;
    for (std::size_t query = 0; query < 4; ++query)
        for (std::size_t key = 0; key < 6; ++key)
            EXPECT_NEAR(there[query * 6 + key], back[key * 4 + query], 1e-10);
}

// The bin’s row and column are then for each other, which the iterations find slowly.
TEST(Invariant18, AWorthlessDustbinLeavesSinkhorn) {
    const Inputs inputs = random_map(6, 6);
    EXPECT_TRUE(near(run(normalized_by("sinkhorn", dustbin(-19, 1000)), inputs).weights,
                     run(normalized_by("sinkhorn", R"("iterations": 1000)"), inputs).weights, 1e-3));
}

// Over many seeds the largest of scores plus noise is a draw from the softmax.
TEST(Invariant19, HardGumbelDrawsFromTheSoftmax) {
    constexpr Index seeds = 4000;
    const Inputs inputs = random_map(2, 4);
    const std::vector<double> soft = run(normalized_by("softmax"), inputs).weights;
    std::vector<double> mean(soft.size(), 0.0);
    for (Index seed = 0; seed < seeds; ++seed) {
        const Numbers draw =
            run(normalized_by("gumbel", R"("hard": true)"), inputs, static_cast<std::uint64_t>(seed));
        for (std::size_t cell = 0; cell < mean.size(); ++cell)
            mean[cell] += draw.weights[cell] / seeds;
    }
    for (std::size_t cell = 0; cell < soft.size(); ++cell)
        EXPECT_NEAR(mean[cell], soft[cell], 5 * std::sqrt(soft[cell] * (1 - soft[cell]) / seeds)) << cell;
}

TEST(Invariant19, GumbelNoiseHasItsMeanAndVariance) {
    const auto noise = stage(record(planned(normalized_by("gumbel"), random_map(150, 150))), "noise");
    const auto count = static_cast<double>(noise.size());
    const double mean = sum(noise) / count;
    double variance = 0;
    for (const double g : noise)
        variance += (g - mean) * (g - mean) / count;
    constexpr double expected_variance = std::numbers::pi * std::numbers::pi / 6;
    EXPECT_NEAR(mean, std::numbers::egamma, 5 * std::sqrt(expected_variance / count));
    EXPECT_NEAR(variance, expected_variance, 0.1);
}

TEST(Dropout, KeepsTheMeanOfEachWeight) {
    constexpr Index seeds = 3000;
    const Inputs inputs = random_map(2, 4);
    const std::vector<double> soft = run(normalized_by("softmax"), inputs).weights;
    std::vector<double> mean(soft.size(), 0.0);
    for (Index seed = 0; seed < seeds; ++seed) {
        const Numbers draw =
            run(normalized_by("dropout", R"("rate": 0.4)"), inputs, static_cast<std::uint64_t>(seed));
        for (std::size_t cell = 0; cell < mean.size(); ++cell) {
            EXPECT_TRUE(draw.weights[cell] == 0 || std::abs(draw.weights[cell] - soft[cell] / 0.6) < 1e-12);
            mean[cell] += draw.weights[cell] / seeds;
        }
    }
    for (std::size_t cell = 0; cell < soft.size(); ++cell)
        EXPECT_NEAR(mean[cell], soft[cell], 5 * soft[cell] * std::sqrt(0.4 / 0.6 / seeds)) << cell;
}

TEST(Dropout, OfPairsSharesAllWeightAmongWhatIsLeft) {
    const Inputs inputs = random_map(40, 5);
    const auto soft = run(normalized_by("softmax"), inputs).weights,
               left = run(normalized_by("dropout", R"("what": "pairs", "rate": 0.7)"), inputs).weights;
    Index empty = 0;
    for (std::size_t row = 0; row < 40; ++row) {
        double open = 0;
        for (std::size_t at = row * 5; at < row * 5 + 5; ++at)
            open += left[at] > 0 ? soft[at] : 0;
        for (std::size_t at = row * 5; at < row * 5 + 5; ++at)
            EXPECT_NEAR(left[at], left[at] > 0 ? soft[at] / open : 0, 1e-12);
        empty += open == 0;
    }
    EXPECT_GT(empty, 0) << "a row of which all is dropped gives nothing";
}

TEST(Dropout, OfKeysTakesColumnsAndNeverTheFirst) {
    const auto weights =
        run(normalized_by("dropout", R"("what": "keys", "rate": 0.5)"), random_map(6, 30)).weights;
    Index dropped = 0;
    for (std::size_t key = 0; key < 30; ++key) {
        for (std::size_t query = 1; query < 6; ++query)
            EXPECT_EQ(weights[query * 30 + key] == 0, weights[key] == 0);
        dropped += weights[key] == 0;
    }
    EXPECT_GT(weights[0], 0);
    EXPECT_GT(dropped, 7);
    EXPECT_LT(dropped, 23);
}

TEST(Invariant32, QueriesShareEachKey) {
    const Trace trace = record(planned(normalized_by("slot"), random_map(4, 6)));
    const std::vector<double> shares = stage(trace, "shares");
    for (std::size_t j = 0; j < 6; ++j) {
        double column = 0;
        for (std::size_t i = 0; i < 4; ++i)
            column += shares[i * 6 + j];
        EXPECT_NEAR(column, 1, 1e-12);
    }
}

TEST(Invariant44, ColdSparseRowsAreHardAndHotOnesUniform) {
    const std::vector<double> hard = normalized("hard", some_scores);
    for (const char* type : {"softmax", "length_scaled", "sparsemax", "entmax", "normmax", "off_by_one"}) {
        const std::string cold = R"("temperature": 0.001)", hot = R"("temperature": 1e9)";
        EXPECT_TRUE(within(normalized(type, some_scores, cold), hard, 1e-9)) << type;
        const double share = std::string(type) == "off_by_one" ? 1.0 / 8 : 1.0 / 7;
        EXPECT_TRUE(within(normalized(type, some_scores, hot), std::vector(7, share), 1e-6)) << type;
    }
}

TEST(Invariant45, EqualKeysShareEqually) {
    for (const std::string& type : every_normalizer()) {
        if (type == "hard" || type == "gumbel" || type == "dropout" || type == "monotonic" ||
            type == "chunkwise" || type == "stick_breaking" || type == "forward" || type == "chain")
            continue;  // these have a first, a last, or noise
        const std::vector<double> weights = normalized(type, {0.7, 0.7, 0.7, 0.7});
        for (const double weight : weights)
            EXPECT_NEAR(weight, weights[0], 1e-15) << type;
    }
}

TEST(Invariant45, ZeroScoresAreNoNaN) {
    for (const std::string& type : every_normalizer())
        for (const double weight : normalized(type, {0, 0, 0}))
            EXPECT_TRUE(std::isfinite(weight)) << type;
    EXPECT_EQ(normalized("softpick", {0, 0, 0}), (std::vector<double>{0, 0, 0}));
}

TEST(Invariant45, HugeScoresDoNotOverflow) {
    for (const std::string& type : every_normalizer()) {
        const auto plan = planned(normalized_by(type), scores_as_keys({1e4, -1e4, 9.999e3, 0, -1e4}));
        for (const Numbers& numbers : {run<double>(plan), run<float>(plan)})
            for (const double weight : numbers.weights) {
                EXPECT_TRUE(std::isfinite(weight)) << type;
                if (type != "none" && type != "relu" && type != "gumbel" && type != "dropout" &&
                    type != "row_norm") {
                    EXPECT_LE(std::abs(weight), 1) << type;
                }
            }
    }
}

}  // namespace

}  // namespace headlight::invariants_normalizers_test

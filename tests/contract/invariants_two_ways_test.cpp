// What maps promise that are read in both directions, texts that are shifted against themselves, points that
// all queries share, and attention beside a convolution of the same projection.

#include "tests/support/attention_runs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight::invariants_two_ways_test {

using namespace test;

namespace {

constexpr double exact = 1e-12;
constexpr Index queries = 5, keys = 7, width = 4;

struct BothDirections : testing::Test {
    RandomEngine random{131};
    Inputs inputs{.query = random_tensor({queries, width}, random),
                  .key = random_tensor({keys, width}, random),
                  .value = random_tensor({keys, width}, random)};

    static AttentionSpec of(const std::string& kind) {
        return spec(R"({"source": {"type": "cross"}, "score": {"type": "dot"},
                        "algorithm": {"type": "co_attention", "kind": ")" +
                    kind + R"("}})");
    }
    /// The matrix that takes part `part` of what stands side by side.
    void take(Index part, Index parts) {
        Tensor W({parts * width, width});
        for (Index c = 0; c < width; ++c)
            W(part * width + c, c) = 1;
        inputs.parameters["W_merged"] = W;
    }
    std::vector<double> stage_of(const std::string& kind, const char* name) const {
        return stage(record(planned(of(kind), inputs)), name);
    }
    static double at(const std::vector<double>& rows, Index row, Index column) {
        return rows[static_cast<std::size_t>(row * width + column)];
    }
};

TEST_F(BothDirections, StandSideBySide) {
    take(0, 4);
    const Numbers own = run(of("bidaf"), inputs);
    EXPECT_TRUE(near(own.output, inputs.query.values(), exact));
    take(1, 4);
    const Numbers found = run(of("bidaf"), inputs);
    const Numbers plain = run(spec(R"({"source": {"type": "cross"}, "score": {"type": "dot"}})"), inputs);
    EXPECT_TRUE(near(found, plain, exact));
    take(2, 4);
    const auto product = run(of("bidaf"), inputs).output;
    for (std::size_t i = 0; i < product.size(); ++i)
        EXPECT_NEAR(product[i], inputs.query.values()[i] * plain.output[i], exact);
    take(3, 4);
    const auto most = run(of("bidaf"), inputs).output, shares = stage_of("bidaf", "most_asked_shares");
    EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, exact);
    for (Index c = 0; c < width; ++c) {
        double asked = 0;
        for (Index i = 0; i < queries; ++i)
            asked += shares[static_cast<std::size_t>(i)] * inputs.query(i, c);
        for (Index i = 0; i < queries; ++i)
            EXPECT_NEAR(at(most, i, c), inputs.query(i, c) * asked, exact) << "one vector for all queries";
    }
}

// Scores that say nothing give each query and each key the mean of the other side.
TEST_F(BothDirections, AreMeansWhereNothingIsAlike) {
    inputs.key = Tensor({keys, width});
    for (const double share : stage_of("bidaf", "most_asked_shares"))
        EXPECT_NEAR(share, 1.0 / queries, exact);
    for (const double share : stage_of("dcn", "column_shares"))
        EXPECT_NEAR(share, 1.0 / queries, exact);
}

// Where the map is looked at from the other sequence, its columns are rows.
TEST_F(BothDirections, AreExchangedWithTheSequences) {
    const auto columns = stage_of("dcn", "column_shares");
    const Inputs other{.query = *inputs.key, .key = inputs.query, .value = inputs.query};
    const auto rows = run(of("dcn"), other).weights;
    for (Index i = 0; i < queries; ++i)
        for (Index j = 0; j < keys; ++j)
            EXPECT_NEAR(columns[static_cast<std::size_t>(i * keys + j)],
                        rows[static_cast<std::size_t>(j * queries + i)], exact);
}

TEST_F(BothDirections, CompareWhatIsTheSameToNothing) {
    take(2, 4);
    inputs.value = inputs.key = Tensor({1, width}, 0.5);
    inputs.query = Tensor({1, width}, 0.5);
    for (const double number : run(of("esim"), inputs).output)
        EXPECT_NEAR(number, 0, exact);
}

struct Shifted : testing::Test {
    static constexpr Index tokens = 12;
    RandomEngine random{132};
    Inputs inputs{.query = random_tensor({tokens, width}, random)};

    static AttentionSpec of(double factor) {
        Json algorithm{{"type", "autocorrelation"}, {"factor", factor}};
        return spec(Json{{"algorithm", algorithm}}.dump());
    }
};

TEST_F(Shifted, HaveOneNumberForEachDistance) {
    for (const double factor : {0.0, 1.0, 2.0, 100.0}) {
        const auto weights = run(of(factor), inputs).weights;
        const auto kept =
            std::clamp<Index>(static_cast<Index>(std::floor(factor * std::log(12.0))), 1, tokens);
        EXPECT_EQ(std::ranges::count_if(std::span(weights).first(tokens), [](double w) { return w > 0; }),
                  kept);
        for (Index i = 0; i < tokens; ++i)
            for (Index lag = 0; lag < tokens; ++lag)
                EXPECT_EQ(weights[static_cast<std::size_t>(i * tokens + (i + lag) % tokens)],
                          weights[static_cast<std::size_t>(lag)]);
    }
}

// A text that repeats itself finds its period, and gives each token what stands there in every period.
TEST_F(Shifted, FindThePeriod) {
    for (Index token = 4; token < tokens; ++token)
        std::ranges::copy(inputs.query.row(token % 4), inputs.query.row(token).begin());
    const Numbers numbers = run(of(1.3), inputs);  // three lags are kept: 0, 4, 8
    EXPECT_TRUE(near(numbers.output, inputs.query.values(), exact));
    for (Index lag = 0; lag < tokens; ++lag)
        EXPECT_NEAR(numbers.weights[static_cast<std::size_t>(lag)], lag % 4 == 0 ? 1.0 / 3 : 0, exact);
}

// Shifted as a whole, a text gives the same, shifted.
TEST_F(Shifted, GoAroundTheEnd) {
    const auto before = run(of(2), inputs).output;
    Inputs moved{.query = Tensor({tokens, width})};
    for (Index token = 0; token < tokens; ++token)
        std::ranges::copy(inputs.query.row(token), moved.query.row((token + 5) % tokens).begin());
    const auto after = run(of(2), moved).output;
    for (Index token = 0; token < tokens; ++token)
        for (Index c = 0; c < width; ++c)
            EXPECT_NEAR(after[static_cast<std::size_t>((token + 5) % tokens * width + c)],
                        before[static_cast<std::size_t>(token * width + c)], exact);
}

// Products of numbers so small are 0 in a double; which lags are largest is not lost with them.
TEST_F(Shifted, KeepTheSameLagsOfTinyNumbers) {
    const auto before = run(of(1), inputs).weights;
    for (double& number : inputs.query.values())
        number *= 1e-200;
    const auto after = run(of(1), inputs).weights;
    for (std::size_t cell = 0; cell < before.size(); ++cell)
        EXPECT_EQ(after[cell] > 0, before[cell] > 0) << cell;
}

struct SharedPoints : testing::Test {
    static constexpr Index columns = 4, places = 12;
    RandomEngine random{133};
    Inputs inputs{.query = random_tensor({places, width}, random)};

    static AttentionSpec of(Index stride, double reach, bool has_bias) {
        const Json algorithm{{"type", "shared_points"},
                             {"columns", columns},
                             {"stride", stride},
                             {"reach", reach},
                             {"bias", has_bias}};
        return spec(Json{{"algorithm", algorithm}}.dump());
    }
};

TEST_F(SharedPoints, ThatStayAtEveryPlaceAreAttention) {
    EXPECT_TRUE(near(run(of(1, 0, false), inputs), run(spec("{}"), inputs), exact));
}

TEST_F(SharedPoints, AreTheMeansOfTheirPatchesWhereTheyStay) {
    const auto shares = stage(record(planned(of(2, 0, false), inputs)), "point_shares");
    ASSERT_EQ(shares.size(), 4u * 12u);
    for (Index place = 0; place < places; ++place) {
        const bool is_first = place / columns < 2 && place % columns < 2;
        EXPECT_NEAR(shares[static_cast<std::size_t>(place)], is_first ? 0.25 : 0, exact);
        EXPECT_NEAR(shares[static_cast<std::size_t>(2 * places + place)], place == 8 || place == 9 ? 0.5 : 0,
                    exact)
            << "the last row is half a patch";
    }
}

TEST_F(SharedPoints, MoveNoFartherThanTheyReach) {
    for (const double reach : {0.5, 3.0})
        for (const double step : stage(record(planned(of(2, reach, true), inputs)), "point_steps"))
            EXPECT_LE(std::abs(step), reach);
}

// A table with the number of its own cell in each gives whole distances as they are.
TEST_F(SharedPoints, HaveTheBiasOfTheirDistance) {
    Tensor table({1, 5 * 7});
    for (Index cell = 0; cell < 35; ++cell)
        table(0, cell) = static_cast<double>(cell);
    inputs.parameters["place_bias"] = table;
    const auto biases = stage(record(planned(of(1, 0, true), inputs)), "place_biases");
    for (Index i = 0; i < places; ++i)
        for (Index p = 0; p < places; ++p)
            EXPECT_NEAR(
                biases[static_cast<std::size_t>(i * places + p)],
                static_cast<double>((i / columns - p / columns + 2) * 7 + i % columns - p % columns + 3),
                exact);
}

struct Mixed : testing::Test {
    static constexpr Index columns = 4, places = 12;
    RandomEngine random{134};
    Inputs inputs{.query = random_tensor({places, width}, random)};
    const AttentionSpec mix =
        spec(R"({"algorithm": {"type": "convolution_mix", "columns": 4, "kernel": "7x7"}})");

    void count(double attention, double convolution) {
        inputs.parameters["rate_attention"] = Tensor({1}, attention);
        inputs.parameters["rate_convolution"] = Tensor({1}, convolution);
    }
};

TEST_F(Mixed, WithoutTheConvolutionIsAttentionOfTheWindow) {
    count(1, 0);
    inputs.parameters["W_grid"] = Tensor({2, width});
    EXPECT_TRUE(near(run(mix, inputs), run(spec("{}"), inputs), exact)) << "a window over the whole image";
}

TEST_F(Mixed, WithoutTheAttentionIsAConvolution) {
    count(0, 1);
    Tensor pieces({9, 3});
    pieces(5, 2) = 1;  // the value of the place to the right
    inputs.parameters["W_pieces"] = pieces;
    const auto output = run(mix, inputs).output;
    for (Index place = 0; place < places; ++place)
        for (Index c = 0; c < width; ++c)
            EXPECT_EQ(output[static_cast<std::size_t>(place * width + c)],
                      place % columns + 1 < columns ? inputs.query(place + 1, c) : 0);
}

}  // namespace

}  // namespace headlight::invariants_two_ways_test

// What texts in segments promise, with a memory, wider patterns or landmarks for what lies outside, and
// states with momentum or a map for each channel.

#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"
#include "tests/support/map_rows.h"
#include "tests/support/self_attention.h"

namespace headlight::invariants_segments_test {

using namespace test;

namespace {

constexpr Index n = 11, width = 6;
constexpr double exact = 1e-12;

Inputs tokens(std::uint64_t seed, Index count = n) { return self_attention::tokens(count, width, seed); }

/// exp(x_i · x_j / √d) where `counts(i, j)` is 1, twice that where it is 2, each row over its sum.
template <class Counts>
std::vector<double> counted_softmax(const Tensor& x, const Counts& counts) {
    const Tensor products = product(x, transposed(x));
    std::vector<double> weights;
    for (Index i = 0; i < x.rows(); ++i) {
        std::vector<double> row;
        for (Index j = 0; j < x.rows(); ++j)
            row.push_back(counts(i, j) * std::exp(products(i, j) / std::sqrt(static_cast<double>(width))));
        const double sum = total_of(row);
        for (const double number : row)
            weights.push_back(sum > 0 ? number / sum : 0);
    }
    return weights;
}

// A memory of earlier segments.

TEST(SegmentMemory, ThatDoesNotCountLeavesAttentionWithinSegments) {
    for (const std::string update : {"delta", "linear"}) {
        Inputs inputs = tokens(1);
        inputs.parameters["memory_gate"] = Tensor({1}, -800.0);
        const auto weights =
            run(causal(R"({"type": "infini", "update": ")" + update + "\"}"), inputs).weights;
        EXPECT_TRUE(near(
            weights,
            counted_softmax(inputs.query, [](Index i, Index j) { return j <= i && i / 4 == j / 4 ? 1 : 0; }),
            exact))
            << update;
    }
}

TEST(SegmentMemory, OfOneSegmentIsEmpty) {
    Inputs inputs = tokens(2);
    inputs.parameters["memory_gate"] = Tensor({1}, 0.3);
    const auto weights = run(causal(R"({"type": "infini", "segment": 16})"), inputs).weights;
    std::vector<double> expected =
        counted_softmax(inputs.query, [](Index i, Index j) { return j <= i ? 1 : 0; });
    for (double& weight : expected)
        weight *= 1 - 1 / (1 + std::exp(-0.3));
    EXPECT_TRUE(near(weights, expected, exact));
}

// M <- M + Σ φ(k)ᵀ (v − φ(k) M / φ(k) z), z <- z + Σ φ(k) after each segment (Munkhdalai et al. 2024).
TEST(SegmentMemory, FollowsItsRecurrence) {
    for (const bool is_delta : {true, false}) {
        Inputs inputs = tokens(3);
        inputs.parameters["memory_gate"] = Tensor({1}, 800.0);
        const Numbers numbers =
            run(causal(is_delta ? R"({"type": "infini", "segment": 3})"
                                : R"({"type": "infini", "segment": 3, "update": "linear"})"),
                inputs);
        const Tensor& x = inputs.query;
        const auto feature = [&](Index t, Index a) { return x(t, a) > 0 ? x(t, a) + 1 : std::exp(x(t, a)); };
        Tensor memory({width, width}), norm({width});
        const auto answer = [&](Index t, Index c) {
            double product = 0, divisor = 0;
            for (Index a = 0; a < width; ++a) {
                product += feature(t, a) * memory(a, c);
                divisor += feature(t, a) * norm[a];
            }
            return divisor > 0 ? product / divisor : 0;
        };
        for (Index first = 0; first < n; first += 3) {
            const Index end = std::min<Index>(first + 3, n);
            std::vector<double> stored;
            for (Index t = first; t < end; ++t)
                for (Index c = 0; c < width; ++c) {
                    EXPECT_NEAR(numbers.output[static_cast<std::size_t>(t * width + c)], answer(t, c), exact);
                    stored.push_back(x(t, c) - (is_delta ? answer(t, c) : 0));
                }
            for (Index t = first; t < end; ++t)
                for (Index a = 0; a < width; ++a) {
                    norm[a] += feature(t, a);
                    for (Index c = 0; c < width; ++c)
                        memory(a, c) +=
                            feature(t, a) * stored[static_cast<std::size_t>((t - first) * width + c)];
                }
        }
    }
}

TEST(SegmentMemory, AnswersWithMeansUntilItKnowsWhatItIsTold) {
    Inputs inputs = tokens(4);
    inputs.parameters["memory_gate"] = Tensor({1}, 800.0);
    const auto delta = run(causal(R"({"type": "infini", "segment": 3})"), inputs).weights,
               linear =
                   run(causal(R"({"type": "infini", "segment": 3, "update": "linear"})"), inputs).weights;
    for (Index i = 0; i < n; ++i) {
        EXPECT_NEAR(total_of(row_of(linear, i, n)), i < 3 ? 0 : 1, exact) << i;
        if (i < 6)
            EXPECT_TRUE(near(row_of(delta, i, n), row_of(linear, i, n), exact)) << i;
        else
            EXPECT_LT(total_of(row_of(delta, i, n)), 1 - 1e-3) << i;
    }
}

TEST(SegmentMemory, HoldsNoPadding) {
    Inputs inputs = tokens(5), others = inputs;
    RandomEngine random(55);
    for (Index c = 0; c < width; ++c)
        others.query(9, c) = others.query(8, c) = random_tensor({1}, random)[0];
    const AttentionSpec padded = spec(R"({"algorithm": {"type": "infini"},
                                          "mask": {"type": "padding", "key_lengths": 8}})");
    const auto weights = run(padded, inputs).weights, same = run(padded, others).weights;
    for (Index i = 0; i < n; ++i) {
        for (Index j = 8; j < n; ++j)
            EXPECT_EQ(row_of(weights, i, n)[static_cast<std::size_t>(j)], 0) << i << ", " << j;
        if (i < 8 || i == 10) {
            EXPECT_TRUE(within(row_of(weights, i, n), row_of(same, i, n), exact)) << i;
        }
    }
}

TEST(SegmentMemory, IsAskedByNoTurnedVectors) {
    EXPECT_THROW(
        planned(spec(R"({"algorithm": {"type": "infini"}, "position": {"type": "rope"}})"), tokens(6)),
        Error);
}

// Neighbours in earlier segments (Wu et al. 2022).

TEST(FoundKeys, ThatDoNotCountLeaveTheSegment) {
    Inputs inputs = tokens(7);
    inputs.parameters["memory_gate"] = Tensor({1}, -800.0);
    EXPECT_TRUE(
        near(run(causal(R"({"type": "memorizing"})"), inputs).weights,
             counted_softmax(inputs.query, [](Index i, Index j) { return j <= i && i / 4 == j / 4 ? 1 : 0; }),
             exact));
}

TEST(FoundKeys, OfAllAreAllEarlierSegments) {
    Inputs inputs = tokens(8);
    inputs.parameters["memory_gate"] = Tensor({1}, 800.0);
    EXPECT_TRUE(near(run(causal(R"({"type": "memorizing", "neighbours": 64})"), inputs).weights,
                     counted_softmax(inputs.query, [](Index i, Index j) { return j / 4 < i / 4 ? 1 : 0; }),
                     exact));
}

TEST(FoundKeys, AreTheBestOfThem) {
    const auto plan = planned(causal(R"({"type": "memorizing", "segment": 3})"), tokens(9));
    const Trace trace = record(plan);
    const auto found = stage(trace, "found_weights"), scores = stage(trace, "scores");
    for (Index i = 0; i < n; ++i) {
        const auto row = row_of(found, i, n), of_row = row_of(scores, i, n);
        const Index first = i / 3 * 3;
        EXPECT_EQ(std::ranges::count_if(row, [](double weight) { return weight > 0; }), first > 0 ? 2 : 0)
            << i;
        for (Index j = 0; j < n; ++j)
            for (Index other = 0; other < first; ++other)
                if (row[static_cast<std::size_t>(j)] > 0 && row[static_cast<std::size_t>(other)] == 0) {
                    EXPECT_GT(of_row[static_cast<std::size_t>(j)], of_row[static_cast<std::size_t>(other)])
                        << i;
                }
    }
}

// Patterns of segments.

TEST(DilatedSegments, AreOneSoftmaxOverAllThatTheyHoldAsOftenAsTheyDo) {
    const Inputs inputs = tokens(10);
    const auto holds = [](Index size, Index step, Index i, Index j) {
        return i / size == j / size && i % size % step == 0 && j % size % step == 0 ? 1 : 0;
    };
    for (const bool is_causal : {false, true}) {
        const std::string algorithm = R"({"type": "dilated_segments", "segment": 2, "patterns": 3})";
        const auto weights = run(is_causal ? causal(algorithm) : unmasked(algorithm), inputs).weights;
        EXPECT_TRUE(near(weights,
                         counted_softmax(inputs.query,
                                         [&](Index i, Index j) {
                                             return is_causal && j > i
                                                        ? 0
                                                        : holds(2, 1, i, j) + holds(4, 2, i, j) +
                                                              holds(8, 4, i, j);
                                         }),
                         exact));
    }
}

TEST(DilatedSegments, OfAllTokensAreSoftmaxAttention) {
    const Inputs inputs = tokens(11);
    EXPECT_TRUE(near(run(unmasked(R"({"type": "dilated_segments", "segment": 11, "patterns": 1})"), inputs),
                     run(spec("{}"), inputs), exact));
}

// o = Σ_p z_p / Σ z softmax_p V (Ding et al. 2023).
TEST(DilatedSegments, AreMixedByTheirDenominators) {
    const Inputs inputs = tokens(12);
    const Trace trace = record(planned(unmasked(R"({"type": "dilated_segments"})"), inputs));
    const auto shares = stage(trace, "pattern_shares"), weights = stage(trace, "weights");
    const auto near_ones =
        counted_softmax(inputs.query, [](Index i, Index j) { return i / 4 == j / 4 ? 1 : 0; });
    const auto far_ones = counted_softmax(
        inputs.query, [](Index i, Index j) { return i / 8 == j / 8 && i % 2 == 0 && j % 2 == 0 ? 1 : 0; });
    for (Index i = 0; i < n; ++i) {
        const auto of_row = row_of(shares, i, 2);
        EXPECT_NEAR(total_of(of_row), 1, exact);
        if (i % 2 == 1) {
            EXPECT_EQ(of_row[1], 0) << i;
        }
        std::vector<double> expected;
        for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j)
            expected.push_back(of_row[0] * row_of(near_ones, i, n)[j] +
                               of_row[1] * row_of(far_ones, i, n)[j]);
        EXPECT_TRUE(near(row_of(weights, i, n), expected, exact)) << i;
    }
}

TEST(DilatedSegments, BeginAtAnotherPlaceInEachHead) {
    const Trace trace =
        record(planned(spec(R"({"algorithm": {"type": "dilated_segments", "segment": 1, "patterns": 2},
                 "heads": {"type": "multi", "heads": 2}})"),
                       tokens(13)));
    const auto counts = stage(trace, "pattern_counts");
    for (Index head = 0; head < 2; ++head)
        for (Index i = 0; i < n; ++i)
            EXPECT_EQ(counts[static_cast<std::size_t>((head * n + i) * n + i)], i % 2 == head ? 2 : 1)
                << head << ", " << i;
}

// A pattern that a row has no pair of is no reason for numbers that are none.
TEST(DilatedSegments, ThatSeeNothingGiveNothing) {
    const Numbers numbers = run(spec(R"({"algorithm": {"type": "dilated_segments", "segment": 2},
                                         "mask": {"type": "padding", "key_lengths": 3}})"),
                                tokens(14));
    for (Index i = 0; i < n; ++i) {
        const double sum = total_of(row_of(numbers.weights, i, n));
        EXPECT_NEAR(sum, i < 4 ? 1 : 0, exact) << i;
    }
}

// Landmarks.

TEST(Landmarks, OpenTheirBlocks) {
    for (const bool is_causal : {true, false}) {
        const std::string algorithm = R"({"type": "landmark", "block": 3})";
        const Trace trace = record(planned(is_causal ? causal(algorithm) : unmasked(algorithm), tokens(20)));
        const auto weights = stage(trace, "weights"), group = stage(trace, "group_weights");
        for (Index i = 0; i < n; ++i) {
            const auto row = row_of(weights, i, n), choice = row_of(group, i, n);
            EXPECT_NEAR(total_of(row), 1, exact) << i;
            for (Index block = 0; block < 3; ++block) {  // the last two words have no landmark
                const auto landmark = static_cast<std::size_t>(3 * block + 2);
                EXPECT_EQ(row[landmark], 0) << i << ", " << landmark;
                if (block != i / 3) {
                    EXPECT_NEAR(row[landmark - 2] + row[landmark - 1], choice[landmark], exact) << i;
                }
            }
            if (i < 9) {
                EXPECT_EQ(row[9] + row[10], 0) << i;
            }
        }
    }
}

TEST(Landmarks, PassOnByASoftmaxOfTheirBlock) {
    const Inputs inputs = tokens(21);
    const auto weights = run(causal(R"({"type": "landmark", "block": 3})"), inputs).weights;
    const Tensor products = product(inputs.query, transposed(inputs.query));
    const auto row = row_of(weights, n - 1, n);
    EXPECT_NEAR(row[0] / row[1],
                std::exp((products(n - 1, 0) - products(n - 1, 1)) / std::sqrt(static_cast<double>(width))),
                1e-10);
}

TEST(Landmarks, FarBelowTheOthersLeaveTheirBlockItsShares) {
    Inputs inputs{.query = Tensor({7, 1}, 1.0)};
    for (const Index token : {0, 1, 2})
        inputs.query(token, 0) = -1000 + static_cast<double>(token);
    const Trace trace = record(planned(causal(R"({"type": "landmark", "block": 3})"), inputs));
    const auto shares = stage(trace, "block_shares"), weights = stage(trace, "weights");
    EXPECT_NEAR(row_of(shares, 6, 7)[1] / row_of(shares, 6, 7)[0], std::exp(1), 1e-9);
    EXPECT_EQ(row_of(weights, 6, 7)[0], 0);
}

TEST(Landmarks, ThatAreMissingLeaveCausalAttention) {
    const Inputs inputs = tokens(22);
    EXPECT_TRUE(near(run(causal(R"({"type": "landmark", "block": 12})"), inputs),
                     run(spec(R"({"mask": {"type": "causal"}})"), inputs), exact));
}

}  // namespace
}  // namespace headlight::invariants_segments_test

// What states of a few slots promise: gates or shares write them, or a clock says which is written.

#include "tests/support/causal_runs.h"
#include "tests/support/map_rows.h"
#include "tests/support/self_attention.h"

namespace headlight::invariants_gated_slots_test {

using namespace test;

namespace {

constexpr Index n = 9, width = 6;
constexpr double exact = 1e-12;

Inputs tokens(std::uint64_t seed) { return self_attention::tokens(n, width, seed); }

/// The tokens, with numbers of the slots that each token's place decides: features are added by which a token
/// says where it stands.
Inputs with_own_slots(std::uint64_t seed, Index count, double own, double others) {
    RandomEngine random(seed);
    Inputs inputs{.query = random_tensor({count, count + 2}, random)};
    inputs.parameters["W_slots"] = Tensor({count + 2, count}, 0.0);
    for (Index token = 0; token < count; ++token) {
        for (Index slot = 0; slot < count; ++slot)
            inputs.query(token, slot) = token == slot ? 1 : 0;
        inputs.parameters["W_slots"](token, token) = own - others;
    }
    inputs.parameters["b_slots"] = Tensor({count}, others);
    return inputs;
}

// A slot for each token, which keeps it for good, and empty slots that have the score 0: softmax attention
// beside n - 1 - i further keys of score and value 0.
TEST(Slots, OneForEachTokenAreSoftmaxAttentionBesideEmptyOnes) {
    const Inputs inputs = with_own_slots(61, n, -800, 800);
    const Numbers slots = run(causal(R"({"type": "gated_slots", "slots": 9, "temperature": 1})"), inputs);
    const Tensor products = product(inputs.query, transposed(inputs.query));
    for (Index i = 0; i < n; ++i) {
        std::vector<double> powers;
        for (Index j = 0; j <= i; ++j)
            powers.push_back(std::exp(products(i, j) / std::sqrt(static_cast<double>(n + 2))));
        const double sum = total_of(powers) + static_cast<double>(n - 1 - i);
        for (Index j = 0; j < n; ++j)
            EXPECT_NEAR(row_of(slots.weights, i, n)[static_cast<std::size_t>(j)],
                        j <= i ? powers[static_cast<std::size_t>(j)] / sum : 0, exact)
                << i << ", " << j;
    }
}

// With shares there is no empty slot: the largest number of a slot, far above the others, has it all.
TEST(Slots, OneForEachTokenByItsShareAreSoftmaxAttention) {
    const Inputs inputs = with_own_slots(62, n, 800, 0);
    const AttentionSpec shares = spec(R"({"algorithm": {"type": "gated_slots", "slots": 9,
                                                        "writing": "shares"}})");
    EXPECT_TRUE(near(run(shares, inputs), run(spec("{}"), inputs), exact));
}

TEST(Slots, ThatKeepEverythingTakeNothing) {
    Inputs inputs = tokens(63);
    inputs.parameters["W_slots"] = Tensor({width, 8});
    inputs.parameters["b_slots"] = Tensor({8}, 800.0);
    for (const double weight : run(causal(R"({"type": "gated_slots"})"), inputs).weights)
        EXPECT_EQ(weight, 0);
    // ... and those that keep nothing hold the newest token.
    inputs.parameters["b_slots"] = Tensor({8}, -8000.0);
    const Numbers newest = run(causal(R"({"type": "gated_slots"})"), inputs);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
            EXPECT_NEAR(row_of(newest.weights, i, n)[static_cast<std::size_t>(j)], i == j ? 1 : 0, exact);
}

TEST(Slots, ByGatesHoldWhatTheGatesHaveLetIn) {
    const Trace trace = record(planned(causal(R"({"type": "gated_slots", "slots": 3})"), tokens(64)));
    const auto weights = stage(trace, "weights"), gates = stage(trace, "gates"),
               taken = stage(trace, "slot_weights");
    std::vector<double> empty(3, 1.0);
    for (Index i = 0; i < n; ++i) {
        double held = 0;
        for (std::size_t slot = 0; slot < 3; ++slot) {
            empty[slot] *= row_of(gates, i, 3)[slot];
            held += row_of(taken, i, 3)[slot] * (1 - empty[slot]);
        }
        EXPECT_NEAR(total_of(row_of(weights, i, n)), held, exact);
        EXPECT_LT(held, 1);
    }
}

// Peng et al. 2022: each slot's key and value is a mean by a softmax over the tokens so far.
TEST(Slots, BySharesSumToOneHoweverLargeTheirNumbers) {
    for (const double size : {1.0, 1e4, 1e300}) {
        Inputs inputs = tokens(65);
        RandomEngine random(66);
        inputs.parameters["W_slots"] = random_tensor({width, 8}, random, size);
        const Numbers numbers = run(causal(R"({"type": "gated_slots", "writing": "shares"})"), inputs);
        for (Index i = 0; i < n; ++i) {
            EXPECT_NEAR(total_of(row_of(numbers.weights, i, n)), 1, exact) << size;
            for (const double weight : row_of(numbers.weights, i, n))
                EXPECT_GE(weight, 0);
        }
    }
}

TEST(Slots, AsOneSlotLeaveNoChoiceToTheQuery) {
    const auto plan =
        planned(causal(R"({"type": "gated_slots", "slots": 1, "writing": "shares"})"), tokens(67));
    const auto weights = run(plan).weights;
    const Tensor raw = product(plan->inputs.query, plan->parameter("W_slots"));
    for (Index i = 0; i < n; ++i)
        for (Index j = 1; j <= i; ++j) {
            const auto row = row_of(weights, i, n);
            EXPECT_NEAR(row[static_cast<std::size_t>(j)] / row[0], std::exp(raw(j, 0) - raw(0, 0)), 1e-10);
        }
}

// Du et al. 2026: keys that stand beside slots, in one softmax.
TEST(Slots, ThatAreEmptyBesideAllKeysAreKeysOfZeros) {
    const Inputs inputs = tokens(75);
    for (const char* writing : {"gates", "shares", "routed"}) {
        const auto beside = [&](Index slots) {
            return run(causal(R"({"type": "gated_slots", "window": 9, "writing": ")" + std::string(writing) +
                              R"(", "slots": )" + std::to_string(slots) + "}"),
                       inputs);
        };
        EXPECT_TRUE(near(beside(1),
                         run(spec(R"({"mask": {"type": "causal"},
                                                 "normalizer": {"type": "off_by_one"}})"),
                             inputs),
                         exact))
            << writing;
        EXPECT_LT(total_of(row_of(beside(8).weights, n - 1, n)),
                  total_of(row_of(beside(1).weights, n - 1, n)));
    }
}

TEST(Slots, TakeATokenWhenItLeavesTheWindow) {
    const AttentionSpec hybrid = causal(R"({"type": "gated_slots", "slots": 3, "window": 4})");
    const Inputs inputs = tokens(76);
    const Trace trace = record(planned(hybrid, inputs));
    const auto weights = stage(trace, "weights"), of_window = stage(trace, "window_shares"),
               of_slots = stage(trace, "slot_weights"), gates = stage(trace, "gates"),
               scores = stage(trace, "scores");
    for (Index i = 0; i < n; ++i) {
        EXPECT_NEAR(total_of(row_of(of_window, i, n)) + total_of(row_of(of_slots, i, 3)), 1, exact);
        for (Index j = 0; j < n; ++j) {
            const auto at = static_cast<std::size_t>(i * n + j);
            double expected = 0;
            for (std::size_t slot = 0; slot < 3 && j + 4 <= i; ++slot) {
                double left = 1 - row_of(gates, j, 3)[slot];
                for (Index after = j + 1; after + 4 <= i; ++after)
                    left *= row_of(gates, after, 3)[slot];
                expected += row_of(of_slots, i, 3)[slot] * left;
            }
            EXPECT_NEAR(weights[at], of_window[at] + expected, exact) << i << ", " << j;
            if (j <= i && j + 4 > i) {
                const auto newest = static_cast<std::size_t>(i * n + i);
                EXPECT_NEAR(weights[at] / weights[newest], std::exp(scores[at] - scores[newest]), 1e-10);
            } else {
                EXPECT_EQ(of_window[at], 0) << i << ", " << j;
            }
        }
    }
}

// A slot that forgets all with one token still knows what came after it.
TEST(Slots, BehindAClosedGateKeepTheirDigits) {
    Inputs inputs = tokens(68);
    inputs.parameters["W_slots"] = Tensor({width, 1});
    inputs.parameters["b_slots"] = Tensor({1}, 2.0);
    for (Index token = 0; token < n; ++token)
        inputs.query(token, 0) = token == 4 ? -1e6 : 0;
    inputs.parameters["W_slots"](0, 0) = 1;
    const AttentionSpec one = causal(R"({"type": "gated_slots", "slots": 1, "temperature": 1})");
    const auto weights = run(one, inputs).weights;
    const double gate = 1 / (1 + std::exp(-2.0));
    for (Index j = 0; j < n; ++j) {
        const double expected = j < 4    ? 0
                                : j == 4 ? std::pow(gate, 4)
                                         : (1 - gate) * std::pow(gate, static_cast<double>(n - 1 - j));
        EXPECT_NEAR(row_of(weights, n - 1, n)[static_cast<std::size_t>(j)], expected, 1e-12) << j;
    }
}

// Slots on a clock (Chen et al. 2026).

/// Tokens that are written in full at each whole time.
Inputs at_whole_times(std::uint64_t seed) {
    Inputs inputs = tokens(seed);
    set_number(inputs, "clock", 800);
    set_number(inputs, "beta", 800);
    return inputs;
}

TEST(ClockSlots, OfWholeTimesHoldOneTokenEach) {
    const Inputs inputs = at_whole_times(71);
    const Numbers slots = run(causal(R"({"type": "cyclic_slots", "waves": 4, "forgets": false})"), inputs);
    const Tensor products = product(inputs.query, transposed(inputs.query));
    for (Index i = 0; i < n; ++i) {
        std::vector<double> powers;
        for (Index j = 0; j <= i; ++j)
            powers.push_back(std::exp(products(i, j) / std::sqrt(static_cast<double>(width))));
        const double sum = total_of(powers) + static_cast<double>(n - 1 - i);  // and empty ones
        for (Index j = 0; j <= i; ++j)
            EXPECT_NEAR(row_of(slots.weights, i, n)[static_cast<std::size_t>(j)],
                        powers[static_cast<std::size_t>(j)] / sum, exact)
                << i << ", " << j;
    }
}

TEST(ClockSlots, HoldTogetherWhatIsAWholeCircleApart) {
    const auto weights =
        run(causal(R"({"type": "cyclic_slots", "waves": 1, "forgets": false})"), at_whole_times(72)).weights;
    for (Index i = 0; i < n; ++i)
        for (Index j = 3; j <= i; ++j)
            EXPECT_NEAR(row_of(weights, i, n)[static_cast<std::size_t>(j)],
                        row_of(weights, i, n)[static_cast<std::size_t>(j - 3)], exact)
                << i << ", " << j;
}

// A clock that stands leaves all in one slot, which fades as one of gated slots beside empty ones.
TEST(ClockSlots, OfAClockThatStandsAreOneGatedSlot) {
    Inputs inputs = tokens(73);
    set_number(inputs, "clock", -800);
    set_number(inputs, "beta", -std::log(3.0));  // a quarter is written,
    set_number(inputs, "dt", -std::log(3.0));    // three are kept
    inputs.parameters["A_log"] = Tensor({1});
    inputs.parameters["W_slots"] = Tensor({width, 5});
    inputs.parameters["b_slots"] = Tensor({5}, {std::log(3.0), 800.0, 800.0, 800.0, 800.0});
    EXPECT_TRUE(near(run(causal(R"({"type": "cyclic_slots", "waves": 2})"), inputs),
                     run(causal(R"({"type": "gated_slots", "slots": 5, "temperature": 1})"), inputs), exact));
}

// Shares of a token in all slots add up to 1 at any time: a query of zeros takes as much of each slot.
TEST(ClockSlots, HaveEachTokenOnce) {
    RandomEngine random(74);
    const Inputs inputs{.query = Tensor({2, width}), .key = random_tensor({n, width}, random)};
    const AttentionSpec cross = spec(R"({"source": {"type": "cross"},
                                         "algorithm": {"type": "cyclic_slots", "waves": 2}})");
    const Trace trace = record(planned(cross, inputs));
    const auto weights = stage(trace, "weights"), left = stage(trace, "left_of_tokens");
    for (std::size_t pair = 0; pair < weights.size(); ++pair)
        EXPECT_NEAR(weights[pair], left[pair] / 5, exact);
}

}  // namespace

}  // namespace headlight::invariants_gated_slots_test

// Invariants 26 and 45 of states with delta-like writes: what each becomes where its own part is closed.

#include "core/tensor/error.h"
#include "tests/support/causal_runs.h"

namespace headlight::invariants_delta_test {

using namespace test;

namespace {

constexpr Index n = 11, width = 6;

AttentionSpec writing(const std::string& json, const std::string& more = R"(, "mask": {"type": "causal"})") {
    return spec(R"({"algorithm": )" + json + more + "}");
}

/// Tokens of length 1, of which keys of length 1 follow without a norm.
Tensor unit_tokens(RandomEngine& random) {
    Tensor tokens = random_tensor({n, width}, random);
    for (Index t = 0; t < n; ++t) {
        double square = 0;
        for (const double number : tokens.row(t))
            square += number * number;
        for (double& number : tokens.row(t))
            number /= std::sqrt(square);
    }
    return tokens;
}

double sigmoid_of_number(double x) { return 1 / (1 + std::exp(-x)); }

/// What Rwkv7 adds beside the state is left out.
Inputs without_bonus(const Tensor& tokens, double learning_rate, double key_share) {
    Inputs inputs{.query = tokens};
    set_number(inputs, "a", learning_rate, width);
    inputs.parameters["k_a"] = Tensor({width}, key_share);
    return inputs;
}

// w = 1, a = β, k̃ = β κ̂.
TEST(Invariant26, Rwkv7ThatForgetsNothingAtOneRateIsDeltaNet) {
    RandomEngine random(26);
    const Tensor x = unit_tokens(random);
    Inputs inputs = without_bonus(x, 0.4, 1);
    set_number(inputs, "w", -60, width);
    Inputs delta{.query = x};
    set_number(delta, "beta", 0.4);
    EXPECT_TRUE(near(run(writing(R"({"type": "rwkv7", "bonus": false})"), inputs),
                     run(writing(R"({"type": "delta", "scaled": false})"), delta), 1e-12));
}

TEST(Invariant26, Rwkv7ThatTakesNothingOutIsGatedLinearAttention) {
    RandomEngine random(26);
    Inputs inputs = without_bonus(random_tensor({n, width}, random), -60, 0);
    set_number(inputs, "w", 0, width);
    inputs.parameters["b_w"] = random_tensor({width}, random, 2);
    Inputs gated{.query = inputs.query};
    set_number(gated, "alpha", 0, width);
    for (Index c = 0; c < width; ++c) {
        const double kept = std::exp(-std::exp(-0.5) * sigmoid_of_number(inputs.parameters["b_w"][c]));
        gated.parameters["b_alpha"][c] = std::log(kept / (1 - kept));
    }
    EXPECT_TRUE(near(run(writing(R"({"type": "rwkv7", "bonus": false})"), inputs),
                     run(writing(R"({"type": "gated_linear", "temperature": 1, "scaled": false})"), gated),
                     1e-12));
}

TEST(Invariant26, TheBonusOfRwkv7IsOfTheOwnTokenAlone) {
    RandomEngine random(26);
    const AttentionSpec with = writing(R"({"type": "rwkv7"})");
    Inputs inputs{.query = random_tensor({n, width}, random)};
    inputs.parameters["r_k"] = random_tensor({width}, random);
    const auto plan = planned(with, inputs);
    const auto written = stage(record(plan), "replacement_key");
    inputs.parameters = plan->inputs.parameters;
    const Numbers all = run(with, inputs),
                  state = run(writing(R"({"type": "rwkv7", "bonus": false})"), inputs);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) {
            double bonus = 0;
            for (Index c = 0; c < width && i == j; ++c)
                bonus += inputs.query(i, c) * plan->parameter("r_k")[c] *
                         written[static_cast<std::size_t>(i * width + c)];
            const auto at = static_cast<std::size_t>(i * n + j);
            EXPECT_NEAR(all.weights[at] - state.weights[at], bonus, 1e-13);
        }
}

TEST(Invariant26, OneWriteATokenIsTheGatedDeltaRule) {
    RandomEngine random(26);
    for (const char* surrounding :
         {R"(, "mask": {"type": "causal"})", R"(, "projections": {"type": "learned"},
             "heads": {"type": "multi_query", "heads": 2}, "mask": {"type": "causal"})"}) {
        const AttentionSpec product = writing(R"({"type": "delta_product", "writes": 1})", surrounding);
        const Inputs inputs = with_drawn(product, {.query = random_tensor({n, width}, random)});
        EXPECT_TRUE(near(run(product, inputs),
                         run(writing(R"({"type": "gated_delta", "overshoot": true})", surrounding), inputs),
                         1e-12));
    }
}

TEST(Invariant26, AWriteOfNoStrengthIsNone) {
    RandomEngine random(26);
    Inputs inputs{.query = random_tensor({n, width}, random)};
    set_number(inputs, "beta", 0.3, 2);
    inputs.parameters["b_beta"][1] = -800;
    const AttentionSpec two = writing(R"({"type": "delta_product"})");
    inputs = with_drawn(two, inputs);
    Inputs once = inputs;
    set_number(once, "beta", 0.3);
    EXPECT_TRUE(
        near(run(two, inputs), run(writing(R"({"type": "gated_delta", "overshoot": true})"), once), 1e-12));
}

// What has been written lies at the angle of its key, and each token turns it by twice the angle between its
// two keys.
TEST(Invariant26, TwoReflectionsAreARotation) {
    const double angle = 0.3;
    Inputs inputs{.query = Tensor({6, 2})};
    for (Index t = 0; t < 6; ++t)
        inputs.query(t, 0) = 1;
    inputs.parameters["W_beta"] = Tensor({2, 2});
    inputs.parameters["b_beta"] = Tensor({2}, 60.0);
    inputs.parameters["W_k_writes"] = Tensor({2, 2}, {std::cos(angle), std::sin(angle), 0, 1});
    const auto weights = stage(record(planned(writing(R"({"type": "delta_product", "forgets": false,
                                                          "scaled": false})"),
                                              inputs)),
                               "weights_of_writes");
    for (Index t = 0; t < 6; ++t)
        for (Index j = 0; j <= t; ++j)
            EXPECT_NEAR(weights[static_cast<std::size_t>(t * 12 + 2 * j + 1)],
                        2 * std::cos(angle + 2 * angle * static_cast<double>(t - j)), 1e-12);
}

TEST(Invariant26, TheWeightOfATokenIsThatOfItsWrites) {
    RandomEngine random(26);
    const AttentionSpec three = writing(R"({"type": "delta_product", "writes": 3})");
    const auto plan = planned(three, {.query = random_tensor({n, width}, random)});
    const Trace trace = record(plan);
    const auto weights = stage(trace, "weights"), of_writes = stage(trace, "weights_of_writes");
    for (std::size_t pair = 0; pair < weights.size(); ++pair)
        EXPECT_NEAR(weights[pair], of_writes[3 * pair] + of_writes[3 * pair + 1] + of_writes[3 * pair + 2],
                    1e-13);
    // Where all writes of a token have its own value, the weights of the tokens say everything.
    Inputs inputs{.query = plan->inputs.query, .parameters = plan->inputs.parameters};
    inputs.parameters["W_v_writes"] = side_by_side(identity(width), identity(width));
    const Numbers numbers = run(three, inputs);
    for (Index t = 0; t < n; ++t)
        for (Index c = 0; c < width; ++c) {
            double got = 0;
            for (Index j = 0; j < n; ++j)
                got += numbers.weights[static_cast<std::size_t>(t * n + j)] * inputs.query(j, c);
            EXPECT_NEAR(numbers.output[static_cast<std::size_t>(t * width + c)], got, 1e-12);
        }
}

TEST(Invariant26, FurtherWritesAreNeitherTurnedNorShared) {
    RandomEngine random(26);
    const Inputs inputs{.query = random_tensor({n, width}, random)};
    const std::string turned = R"(, "position": {"type": "rope"}, "mask": {"type": "causal"})";
    const std::string shared = R"(, "projections": {"type": "learned"},
        "heads": {"type": "multi_query", "heads": 2}, "mask": {"type": "causal"})";
    for (const std::string& more : {turned, shared}) {
        EXPECT_THROW(planned(writing(R"({"type": "delta_product"})", more), inputs), Error);
        EXPECT_NO_THROW(planned(writing(R"({"type": "delta_product", "writes": 1})", more), inputs));
    }
}

// b = w = β.
TEST(Invariant26, EraseAndWriteGatesOfOneNumberAreKimiDeltaAttention) {
    RandomEngine random(26);
    for (const std::string forgets : {"true", "false"}) {
        const AttentionSpec kimi = writing(R"({"type": "kimi_delta", "forgets": )" + forgets + "}");
        Inputs inputs{.query = random_tensor({n, width}, random)};
        set_number(inputs, "beta", -0.4);
        inputs = with_drawn(kimi, inputs);
        const Numbers expected = run(kimi, inputs);
        set_number(inputs, "erase", -0.4, width);
        set_number(inputs, "write", -0.4, width);
        const Numbers numbers =
            run(writing(R"({"type": "gated_delta_2", "forgets": )" + forgets + "}"), inputs);
        EXPECT_TRUE(near(numbers.output, expected.output, 1e-12)) << forgets;
        std::vector<double> weights = numbers.weights;  // of w v
        for (double& weight : weights)
            weight *= sigmoid_of_number(-0.4);
        EXPECT_TRUE(near(weights, expected.weights, 1e-12)) << forgets;
    }
}

TEST(Invariant26, ErasingAndWritingAreAskedApart) {
    RandomEngine random(26);
    const AttentionSpec apart = writing(R"({"type": "gated_delta_2", "forgets": false})");
    Inputs inputs{.query = unit_tokens(random)};
    // Nothing is taken out, and all is written: the sum of all products.
    set_number(inputs, "erase", -60, width);
    set_number(inputs, "write", 60, width);
    EXPECT_TRUE(near(run(apart, inputs),
                     run(writing(R"({"type": "retention", "gamma": 1})"), {.query = inputs.query}), 1e-12));
    // Nothing is written, whatever is taken out.
    set_number(inputs, "erase", 60, width);
    set_number(inputs, "write", -800, width);
    const Numbers nothing = run(apart, inputs);
    EXPECT_TRUE(std::ranges::all_of(nothing.output, [](double number) { return number == 0; }));
    EXPECT_TRUE(std::ranges::any_of(nothing.weights, [](double number) { return number != 0; }));
}

/// A closed loop whose feedback and correction are set, with gates and strengths as they are drawn.
Inputs with_loop(double feedback, double correction, const Tensor& tokens) {
    Inputs inputs{.query = tokens};
    inputs.parameters["feedback"] = Tensor({1}, feedback);
    inputs.parameters["correction"] = Tensor({1}, correction);
    return with_drawn(writing(R"({"type": "comba"})"), inputs);
}

TEST(Invariant26, CombaOfFullFeedbackIsTheGatedDeltaRule) {
    RandomEngine random(26);
    const Inputs inputs = with_loop(60, 0, random_tensor({n, width}, random));
    EXPECT_TRUE(near(run(writing(R"({"type": "comba", "asks": "after"})"), inputs),
                     run(writing(R"({"type": "gated_delta"})"), inputs), 1e-12));
    const Numbers before = run(writing(R"({"type": "comba"})"), inputs);
    EXPECT_FALSE(near(before, run(writing(R"({"type": "gated_delta"})"), inputs), 1e-3));
    // Where nothing fades it is all one when the state is asked.
    for (const std::string asks : {"before", "after"})
        EXPECT_TRUE(
            near(run(writing(R"({"type": "comba", "forgets": false, "asks": ")" + asks + "\"}"), inputs),
                 run(writing(R"({"type": "delta"})"), inputs), 1e-12))
            << asks;
}

TEST(Invariant26, CombaWithoutFeedbackOnlyAdds) {
    RandomEngine random(26);
    const Tensor x = unit_tokens(random);
    Inputs inputs = with_loop(-800, 0, x);
    set_number(inputs, "beta", 60);
    for (const std::string asks : {"before", "after"})
        EXPECT_TRUE(
            near(run(writing(R"({"type": "comba", "forgets": false, "asks": ")" + asks + "\"}"), inputs),
                 run(writing(R"({"type": "retention", "gamma": 1})"), {.query = x}), 1e-12))
            << asks;
}

// Where queries are keys of length 1, q − d k is (1 − d) q.
TEST(Invariant26, TheCorrectionOfCombaTakesTheKeyOffTheQuery) {
    RandomEngine random(26);
    const Tensor x = unit_tokens(random);
    const AttentionSpec comba = writing(R"({"type": "comba"})");
    const Numbers plain = run(comba, with_loop(1, 0, x)), corrected = run(comba, with_loop(1, 0.25, x));
    for (std::size_t pair = 0; pair < plain.weights.size(); ++pair)
        EXPECT_NEAR(corrected.weights[pair], 0.75 * plain.weights[pair], 1e-13);
}

TEST(Invariant26, TheImplicitStepForUnitKeysIsDeltaNetOfASmallerStrength) {
    RandomEngine random(26);
    Inputs inputs{.query = unit_tokens(random)};
    for (const double raw : {-20.0, -1.0, 0.7}) {
        set_number(inputs, "beta", raw);
        const Numbers implicit = run(writing(R"({"type": "longhorn"})"), inputs);
        const double beta = sigmoid_of_number(raw);  // of which β / (1 + β) is the sigmoid of ln β
        set_number(inputs, "beta", std::log(beta));
        EXPECT_TRUE(near(implicit, run(writing(R"({"type": "delta", "scaled": false})"), inputs), 1e-12));
    }
}

// However long a key is, what is corrected is less than the error, and of a long one nearly all of it.
TEST(Invariant26, AStateAnswersALongKeyWithItsValue) {
    RandomEngine random(26);
    for (const double length : {1e6, 1e100}) {
        Tensor x = random_tensor({n, width}, random);
        for (double& number : x.values())
            number *= length;
        Inputs inputs{.query = x};
        set_number(inputs, "beta", 0.3);  // made of such tokens it would be 0 or 1
        const Numbers numbers = run(writing(R"({"type": "longhorn"})"), inputs);
        for (std::size_t at = 0; at < numbers.output.size(); ++at)
            EXPECT_NEAR(numbers.output[at] / length, x.values()[at] / length, 1e-9);
        for (Index t = 0; t < n; ++t)
            EXPECT_LE(numbers.weights[static_cast<std::size_t>(t * n + t)], 1 + 1e-12);
    }
}

// S <- (1 − ε k²) S + ε k v, as the authors' model has it.
TEST(Invariant26, LonghornByFeaturesFollowsItsRecurrence) {
    RandomEngine random(26);
    const Tensor x = random_tensor({n, width}, random);
    const auto plan = planned(writing(R"({"type": "longhorn", "erasure": "diagonal"})"), {.query = x});
    const Numbers numbers = run(plan);
    const Tensor raw = product(x, plan->parameter("W_beta"));
    Tensor S({width, width});
    for (Index t = 0; t < n; ++t) {
        const double beta = sigmoid_of_number(raw(t, 0) + plan->parameter("b_beta")[0]);
        double square = 0;
        for (Index a = 0; a < width; ++a)
            square += x(t, a) * x(t, a);
        const double step = beta / (1 + beta * square);
        for (Index c = 0; c < width; ++c) {
            double read = 0;
            for (Index a = 0; a < width; ++a) {
                S(a, c) = (1 - step * x(t, a) * x(t, a)) * S(a, c) + step * x(t, a) * x(t, c);
                read += x(t, a) * S(a, c);
            }
            EXPECT_NEAR(numbers.output[static_cast<std::size_t>(t * width + c)], read, 1e-12);
        }
    }
}

// Memories that tokens are sent to (Du et al. 2026).

/// Two memories, of which one takes the tokens of odd places and the other one the rest.
Inputs taken_in_turns(RandomEngine& random) {
    Inputs inputs{.query = random_tensor({n, width}, random)};
    for (Index t = 0; t < n; ++t)
        inputs.query(t, 0) = t % 2 == 0 ? 3 : -3;
    inputs.parameters["W_memory_route"] = Tensor({width, 2});
    inputs.parameters["W_memory_route"](0, 0) = 1;
    inputs.parameters["W_memory_route"](0, 1) = -1;
    return inputs;
}

const std::string two_memories = R"({"type": "memory_mixture", "memories": 2, "own_keys": false)";

TEST(Invariant26, MemoryMixtureLeavesTokensOfOtherMemoriesOut) {
    RandomEngine random(26);
    const Inputs inputs = taken_in_turns(random);
    const auto weights = run(writing(two_memories + R"(, "active": 1, "shared": false})"), inputs).weights;
    for (const Index first : {Index(0), Index(1)}) {
        std::vector<Index> taken;
        for (Index t = first; t < n; t += 2)
            taken.push_back(t);
        const Index count = std::ssize(taken);
        const auto alone =
            run(writing(R"({"type": "gated_delta"})"), {.query = rows_of(inputs.query, taken)}).weights;
        for (Index i = 0; i < count; ++i)
            for (Index j = 0; j < n; ++j) {
                const double expected =
                    j % 2 == first ? alone[static_cast<std::size_t>(i * count + j / 2)] : 0;
                EXPECT_NEAR(weights[static_cast<std::size_t>(taken[static_cast<std::size_t>(i)] * n + j)],
                            expected, 1e-12);
            }
    }
}

// Where all memories take every token they are alike, and their shares sum to 1.
TEST(Invariant26, MemoryMixtureOfMemoriesThatAreAlikeIsGatedDeltaNet) {
    RandomEngine random(27);
    const Inputs inputs{.query = random_tensor({n, width}, random)};
    const Numbers one = run(writing(R"({"type": "gated_delta"})"), inputs);
    EXPECT_TRUE(near(run(writing(two_memories + R"(, "active": 2, "shared": false})"), inputs), one, 1e-12));
    Numbers twice = run(writing(two_memories + R"(, "active": 2})"), inputs);
    for (auto* numbers : {&twice.weights, &twice.output})
        for (double& number : *numbers)
            number /= 2;
    EXPECT_TRUE(near(twice, one, 1e-12));
}

TEST(Invariant26, MemoryMixtureThatProjectsTurnsNoKeys) {
    RandomEngine random(28);
    const Inputs inputs{.query = random_tensor({n, width}, random)};
    const std::string rope = R"(, "position": {"type": "rope"}, "mask": {"type": "causal"})";
    EXPECT_THROW(planned(writing(R"({"type": "memory_mixture"})", rope), inputs), Error);
    EXPECT_NO_THROW(planned(writing(two_memories + "}", rope), inputs));
}

class EveryWrite : public testing::TestWithParam<const char*> {
protected:
    std::string algorithm() const { return R"({"type": ")" + std::string(GetParam()) + "\"}"; }
};

TEST_P(EveryWrite, Invariant45SurvivesHugeAndMissingTokens) {
    RandomEngine random(45);
    const Tensor x = random_tensor({n, width}, random);
    Tensor huge = x;
    for (double& number : huge.values())
        number *= 1e4;
    const auto is_finite = [](double number) { return std::isfinite(number); };
    for (const Tensor& tokens : {huge, Tensor({n, width}), Tensor({n, width}, 0.5), rows_of(x, {0})}) {
        const Numbers numbers = run(writing(algorithm()), {.query = tokens});
        EXPECT_TRUE(std::ranges::all_of(numbers.weights, is_finite));
        EXPECT_TRUE(std::ranges::all_of(numbers.output, is_finite));
    }
    const Numbers nothing =
        run(writing(algorithm(), R"(, "mask": {"type": "padding", "key_lengths": 0})"), {.query = x});
    for (const auto* numbers : {&nothing.weights, &nothing.output})
        EXPECT_TRUE(std::ranges::all_of(*numbers, [](double number) { return number == 0; }));
}

TEST_P(EveryWrite, Invariant26IsCausalWhateverTheMask) {
    RandomEngine random(26);
    const Inputs inputs{.query = random_tensor({n, width}, random)};
    const Numbers numbers = run(writing(algorithm()), inputs);
    EXPECT_EQ(run(writing(algorithm(), ""), inputs).weights, numbers.weights);
    for (Index i = 0; i < n; ++i)
        for (Index j = i + 1; j < n; ++j)
            EXPECT_EQ(numbers.weights[static_cast<std::size_t>(i * n + j)], 0);
    AttentionSpec crossed = writing(algorithm());
    crossed.source.type = SourceType::cross;
    EXPECT_THROW(planned(crossed, {.query = inputs.query, .key = inputs.query, .value = inputs.query}),
                 Error);
}

// Padding is not written for those who read, and what they read has not faded by it.
TEST_P(EveryWrite, Invariant26ReadsNothingOfPadding) {
    RandomEngine random(26);
    const Tensor x = random_tensor({n, width}, random);
    const AttentionSpec padded = writing(algorithm(), R"(, "mask": {"type": "padding", "key_lengths": 7})");
    const auto plan = planned(padded, {.query = x});
    const Numbers numbers = run(plan);
    Inputs alone{.query = rows_of(x, {0, 1, 2, 3, 4, 5, 6})};
    alone.parameters = plan->inputs.parameters;
    const Numbers expected = run(writing(algorithm()), alone);
    for (Index t = 0; t < n; ++t)
        for (Index j = 0; j < n; ++j) {
            const double weight = numbers.weights[static_cast<std::size_t>(t * n + j)];
            if (j >= 7) {
                EXPECT_EQ(weight, 0);
            } else if (t < 7) {
                EXPECT_NEAR(weight, expected.weights[static_cast<std::size_t>(t * 7 + j)], 1e-12);
            }
        }
    // The last token again, as a query behind the padding: it reads the state that the last real one has
    // left. Queries of comba are corrected by a key of their own, and there is one more of them then.
    if (std::string(GetParam()) == "comba")
        return;
    Tensor repeated = x;
    std::ranges::copy(x.row(6), repeated.row(9).begin());
    Inputs again{.query = repeated, .parameters = plan->inputs.parameters};
    if (std::string(GetParam()) == "rwkv7")  // whose own token counts more where it is no padding
        again.parameters["r_k"] = Tensor({width});
    const Numbers read = run(padded, again);
    for (Index j = 0; j < 7; ++j)
        EXPECT_NEAR(read.weights[static_cast<std::size_t>(9 * n + j)],
                    read.weights[static_cast<std::size_t>(6 * n + j)], 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, EveryWrite,
                         testing::Values("rwkv7", "delta_product", "gated_delta_2", "comba", "longhorn",
                                         "titans", "ttt", "momentum_delta", "precond_delta", "gated_oja",
                                         "gated_kalma", "memory_mixture"),
                         [](const auto& row) { return std::string(row.param); });

}  // namespace

}  // namespace headlight::invariants_delta_test

// Invariants 26 to 30: mixers that keep a state in place of a map, maps of low rank, and maps of features.

#include "core/attention/overflow.h"
#include "core/tensor/error.h"
#include "tests/reference/linear_mixers.h"
#include "tests/support/attention_runs.h"

#include <numeric>

namespace headlight::invariants_recurrent_test {

using namespace test;

namespace {

constexpr Index n = 11, width = 6;

Tensor as_tensor(const std::vector<double>& numbers, Index rows) {
    return Tensor({rows, std::ssize(numbers) / rows}, numbers);
}

AttentionSpec mixer(const std::string& json, const std::string& more = R"(, "mask": {"type": "causal"})") {
    return spec(R"({"algorithm": )" + json + more + "}");
}

Inputs three_sequences(RandomEngine& random, Index queries = n, Index keys = n) {
    return {.query = random_tensor({queries, width}, random),
            .key = random_tensor({keys, width}, random),
            .value = random_tensor({keys, width}, random)};
}

AttentionSpec crossed(AttentionSpec made) {
    made.source.type = SourceType::cross;
    return made;
}

/// A mixer whose state is a matrix that keys are written to, in one word of its form.
class EveryForm : public testing::TestWithParam<const char*> {};

TEST_P(EveryForm, Invariant26And27RecurrentIsParallelIsChunkwise) {
    RandomEngine random(26);
    for (const char* surrounding :
         {R"(, "mask": {"type": "causal"})", R"(, "projections": {"type": "learned"},
             "heads": {"type": "multi", "heads": 2}, "mask": {"type": "causal"})",
          R"(, "mask": {"type": "padding", "key_lengths": 7})"}) {
        const Inputs inputs{.query = random_tensor({n, width}, random)};
        const auto of_form = [&](const std::string& form) {
            return run(
                mixer(R"({"type": ")" + std::string(GetParam()) + R"(", "form": )" + form + "}", surrounding),
                inputs);
        };
        const Numbers recurrent = of_form(R"("recurrent")");
        EXPECT_TRUE(near(of_form(R"("parallel")"), recurrent, 1e-12));
        for (const char* chunk : {"1", "3", "4", "64"})
            EXPECT_TRUE(near(of_form(R"("chunkwise", "chunk": )" + std::string(chunk)), recurrent, 1e-12));
    }
}

INSTANTIATE_TEST_SUITE_P(Mixers, EveryForm,
                         testing::Values("linear", "retention", "gated_linear", "state_space", "delta",
                                         "gated_delta", "kimi_delta"),
                         [](const auto& row) { return std::string(row.param); });

class EveryMixer : public testing::TestWithParam<const char*> {};

const auto all_mixers = testing::Values("linear", "performer", "cosformer", "based", "rebased", "power",
                                        "efficient", "retention", "gated_linear", "state_space", "delta",
                                        "gated_delta", "kimi_delta", "mesa", "linformer", "nystrom", "agent",
                                        "gated_slots", "hgrn2");
const auto name_of = [](const auto& info) { return std::string(info.param); };

std::string mask_for(const std::string& type) {
    const bool is_of_all_tokens = type == "linformer" || type == "nystrom" || type == "agent";
    return is_of_all_tokens ? "" : R"(, "mask": {"type": "causal"})";
}

// Catalogue 0.5: with the unit matrix for values the output is the map itself.
TEST_P(EveryMixer, Invariant28UnitValuesGiveTheMap) {
    RandomEngine random(28);
    Inputs inputs = three_sequences(random);
    const auto type = std::string(GetParam());
    const AttentionSpec made = crossed(mixer(R"({"type": ")" + type + R"("})", mask_for(type)));
    const Numbers numbers = run(made, inputs);
    EXPECT_TRUE(near(product(as_tensor(numbers.weights, n), *inputs.value).values(), numbers.output, 1e-12));
    inputs.value = identity(n);
    EXPECT_TRUE(near(run(made, inputs).output, numbers.weights, 1e-12));
}

TEST_P(EveryMixer, Invariant45SurvivesHugeAndEqualAndMissingKeys) {
    RandomEngine random(45);
    const auto type = std::string(GetParam());
    const AttentionSpec made = crossed(mixer(R"({"type": ")" + type + R"("})", mask_for(type)));
    const auto are_finite = [](const Numbers& numbers) {
        const auto is_finite = [](double number) { return std::isfinite(number); };
        return std::ranges::all_of(numbers.weights, is_finite) &&
               std::ranges::all_of(numbers.output, is_finite);
    };
    const auto expect_finite = [&](const Inputs& inputs, const std::string& what) {
        EXPECT_TRUE(are_finite(run(made, inputs))) << what;
        EXPECT_TRUE(are_finite(run<float>(made, inputs))) << what;
    };
    // Positive features of numbers so far below 0 are no numbers of the processor's any more. Then the row is
    // NaN, which a recorded run refuses; it is never 0 in silence.
    const auto expect_finite_or_refused = [&](const Inputs& inputs) {
        if (!are_finite(run(made, inputs))) {
            const auto plan = planned(made, inputs);
            EXPECT_THROW(require_no_overflow(*plan, record(plan)), Error);
        }
        const Numbers rounded = run<float>(made, inputs);
        const auto is_infinite = [](double number) { return std::isinf(number); };
        EXPECT_TRUE(std::ranges::none_of(rounded.weights, is_infinite));
        EXPECT_TRUE(std::ranges::none_of(rounded.output, is_infinite));
    };
    Inputs huge = three_sequences(random);
    for (Tensor* tensor : {&huge.query, &*huge.key})
        for (double& value : tensor->values())
            value *= 1e4;
    expect_finite_or_refused(huge);
    Inputs equal = three_sequences(random);
    equal.key = Tensor({n, width}, 0.5);
    expect_finite(equal, "equal");
    equal.key = Tensor({n, width});
    expect_finite(equal, "zero");

    const Numbers nothing = run(crossed(mixer(R"({"type": ")" + type + R"("})",
                                              R"(, "mask": {"type": "padding", "key_lengths": 0})")),
                                three_sequences(random));
    EXPECT_TRUE(std::ranges::all_of(nothing.weights, [](double weight) { return weight == 0; }));
    EXPECT_TRUE(std::ranges::all_of(nothing.output, [](double number) { return number == 0; }));
}

INSTANTIATE_TEST_SUITE_P(Mixers, EveryMixer, all_mixers, name_of);

TEST(Invariant26, ChannelsFollowTheirRecurrence) {
    RandomEngine random(26);
    const Inputs inputs = three_sequences(random);
    const auto plan = planned(crossed(mixer(R"({"type": "rwkv4"})")), inputs);
    const Numbers numbers = run(plan);
    for (Index c = 0; c < width; ++c) {
        const double decay = std::exp(-std::exp(plan->parameter("time_decay")[c]));
        const double bonus = std::exp(plan->parameter("time_first")[c]);
        double above = 0, below = 0;
        for (Index t = 0; t < n; ++t) {
            const double e = std::exp((*inputs.key)(t, c)), v = (*inputs.value)(t, c);
            const double open = 1 / (1 + std::exp(-inputs.query(t, c)));
            EXPECT_NEAR(numbers.output[static_cast<std::size_t>(t * width + c)],
                        open * (above + bonus * e * v) / (below + bonus * e), 1e-12);
            above = decay * above + e * v;
            below = decay * below + e;
        }
    }
}

// C <- f C + i k v, n <- f n + i k, o = q C / max(|q . n|, 1): the memory as the paper has it.
TEST(Invariant26, TheMatrixMemoryFollowsItsRecurrence) {
    RandomEngine random(26);
    const Tensor x = random_tensor({n, width}, random);
    const auto plan = planned(mixer(R"({"type": "mlstm"})"), {.query = x});
    const Numbers numbers = run(plan);
    const Tensor raw_forgets = product(x, plan->parameter("W_f")),
                 raw_inputs = product(x, plan->parameter("W_i"));
    Tensor C({width, width});
    std::vector<double> normaliser(static_cast<std::size_t>(width), 0.0);
    for (Index t = 0; t < n; ++t) {
        const double forget = 1 / (1 + std::exp(-raw_forgets(t, 0) - plan->parameter("b_f")[0]));
        const double input = std::exp(raw_inputs(t, 0) + plan->parameter("b_i")[0]);
        double read = 0;
        for (Index a = 0; a < width; ++a) {
            double& sum = normaliser[static_cast<std::size_t>(a)];
            sum = forget * sum + input * x(t, a);
            read += x(t, a) * sum / std::sqrt(static_cast<double>(width));
            for (Index c = 0; c < width; ++c)
                C(a, c) = forget * C(a, c) + input * x(t, a) * x(t, c);
        }
        for (Index c = 0; c < width; ++c) {
            double found = 0;
            for (Index a = 0; a < width; ++a)
                found += x(t, a) * C(a, c) / std::sqrt(static_cast<double>(width));
            EXPECT_NEAR(numbers.output[static_cast<std::size_t>(t * width + c)],
                        found / std::max(std::abs(read), 1.0), 1e-12);
        }
    }
}

/// The tokens with gates of the matrix memory that none of them changes.
Inputs with_equal_gates(const Tensor& tokens, double forget, double input) {
    Inputs inputs{.query = tokens};
    inputs.parameters["W_f"] = inputs.parameters["W_i"] = Tensor({width, 1});
    inputs.parameters["b_f"] = Tensor({1}, forget);
    inputs.parameters["b_i"] = Tensor({1}, input);
    return inputs;
}

TEST(Invariant26, AMatrixMemoryThatIsOpenIsRetentionWithoutDecay) {
    RandomEngine random(26);
    const Tensor x = random_tensor({n, width}, random);
    EXPECT_TRUE(near(run(mixer(R"({"type": "mlstm"})"), with_equal_gates(x, 60, 0)),
                     run(mixer(R"({"type": "retention", "gamma": 1, "normalize": true})"), {.query = x}),
                     1e-12));
}

TEST(Invariant26, LargeInputGatesOfAMatrixMemoryLeaveTheSumAlone) {
    RandomEngine random(26);
    const Tensor x = random_tensor({n, width}, random);
    const Numbers numbers = run(mixer(R"({"type": "mlstm"})"), with_equal_gates(x, 60, 300));
    const Tensor products = product(x, transposed(x));
    for (Index i = 0; i < n; ++i) {
        double sum = 0;
        for (Index j = 0; j <= i; ++j)
            sum += products(i, j);
        for (Index j = 0; j < n; ++j)
            EXPECT_NEAR(numbers.weights[static_cast<std::size_t>(i * n + j)],
                        j <= i ? products(i, j) / std::abs(sum) : 0, 1e-10);
    }
    // However large they are, what they have in common falls out. What was not written is not found.
    EXPECT_TRUE(near(run(mixer(R"({"type": "mlstm"})"), with_equal_gates(x, 60, 1e4)), numbers, 1e-10));
    for (const double weight : run(mixer(R"({"type": "mlstm"})"), with_equal_gates(x, 60, -1e4)).weights)
        EXPECT_EQ(weight, 0);
}

// o = r (S + diag(u) k v), then S <- diag(w) S + k v (Peng et al. 2024, equations 8 and 9).
TEST(Invariant26, Rwkv6FollowsItsRecurrence) {
    RandomEngine random(26);
    Inputs inputs{.query = random_tensor({n, width}, random)};
    inputs.parameters["u"] = random_tensor({width}, random);
    inputs.parameters["b_w"] = random_tensor({width}, random);
    const Tensor& x = inputs.query;
    for (const std::string decay : {"token", "constant"}) {
        const auto plan = planned(mixer(R"({"type": "rwkv6", "decay": ")" + decay + "\"}"), inputs);
        const Numbers numbers = run(plan);
        const Tensor raw = decay == "token" ? product(x, plan->parameter("W_w")) : Tensor({n, width});
        const Tensor &b = plan->parameter("b_w"), &u = plan->parameter("u");
        Tensor S({width, width});
        for (Index t = 0; t < n; ++t)
            for (Index c = 0; c < width; ++c) {
                double read = 0;
                for (Index a = 0; a < width; ++a) {
                    const double written = x(t, a) * x(t, c);
                    read += x(t, a) * (S(a, c) + u[a] * written);
                    S(a, c) = std::exp(-std::exp(raw(t, a) + b[a])) * S(a, c) + written;
                }
                EXPECT_NEAR(numbers.output[static_cast<std::size_t>(t * width + c)], read, 1e-12) << decay;
            }
    }
}

TEST(Invariant26, Rwkv6ThatForgetsNothingIsRetentionWithoutDecay) {
    RandomEngine random(26);
    Inputs inputs{.query = random_tensor({n, width}, random)};
    const Numbers retention =
        run(mixer(R"({"type": "retention", "gamma": 1, "scaled": false})"), {.query = inputs.query});
    inputs.parameters["W_w"] = Tensor({width, width});
    inputs.parameters["b_w"] = Tensor({width}, -60.0);
    const AttentionSpec rwkv6 = mixer(R"({"type": "rwkv6"})");
    EXPECT_TRUE(near(run(rwkv6, inputs), retention, 1e-12));
    // Without the bonus a token does not see itself, and what it sees of the others stays.
    inputs.parameters["u"] = Tensor({width});
    const Numbers others = run(rwkv6, inputs);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) {
            const auto at = static_cast<std::size_t>(i * n + j);
            EXPECT_NEAR(others.weights[at], i == j ? 0 : retention.weights[at], 1e-12);
        }
}

TEST(Invariant26, ADecayThatNoTokenChangesIsThatOfTheFifthRwkv) {
    RandomEngine random(26);
    Inputs inputs{.query = random_tensor({n, width}, random)};
    inputs.parameters["b_w"] = random_tensor({width}, random);
    const Numbers constant = run(mixer(R"({"type": "rwkv6", "decay": "constant"})"), inputs);
    inputs.parameters["W_w"] = Tensor({width, width});
    EXPECT_TRUE(near(run(mixer(R"({"type": "rwkv6"})"), inputs), constant, 1e-12));
}

TEST(Invariant26, EveryPairHasOneLevel) {
    RandomEngine random(26);
    const auto levels = stage(
        record(planned(mixer(R"({"type": "log_linear"})"), {.query = random_tensor({n, width}, random)})),
        "levels");
    for (Index i = 0; i < n; ++i) {
        std::vector<Index> count(5, 0);
        for (Index j = 0; j < n; ++j) {
            const double level = levels[static_cast<std::size_t>(i * n + j)];
            if (j > i) {
                EXPECT_EQ(level, -1);
                continue;
            }
            ASSERT_GE(level, 0);
            ASSERT_LE(level, 4);
            ++count[static_cast<std::size_t>(level)];
            if (j > 0) {
                EXPECT_LE(level, levels[static_cast<std::size_t>(i * n + j - 1)]) << "nearer, never coarser";
            }
        }
        EXPECT_EQ(count[0], 1);
        for (Index level = 1; level < 5; ++level) {  // a block for each digit of the place that is 1
            const Index size = Index(1) << (level - 1);
            EXPECT_EQ(count[static_cast<std::size_t>(level)], (i / size) % 2 == 1 ? size : 0);
        }
    }
    EXPECT_THROW(planned(mixer(R"({"type": "log_linear", "levels": 4})"), {.query = Tensor({9, 2})}), Error);
    EXPECT_NO_THROW(planned(mixer(R"({"type": "log_linear", "levels": 4})"), {.query = Tensor({8, 2})}));
}

// Where all levels count alike they are one state, that of a state space.
TEST(Invariant26, EqualLevelsAreAStateSpace) {
    RandomEngine random(26);
    Inputs inputs{.query = random_tensor({n, width}, random)};
    inputs.parameters["W_dt"] = random_tensor({width, 1}, random);
    inputs.parameters["W_lambda"] = Tensor({width, 15});
    for (const std::string write : {"true", "false"}) {
        const std::string options = R"(", "discretize": )" + write + "}";
        EXPECT_TRUE(near(run(mixer(R"({"type": "log_linear)" + options), inputs),
                         run(mixer(R"({"type": "state_space)" + options), inputs), 1e-12));
    }
}

// As many states as the place has digits: full blocks go up as a counter carries (Guo et al. 2025).
TEST(Invariant26, StatesOfFullBlocksMerge) {
    RandomEngine random(26);
    const Tensor x = random_tensor({n, width}, random);
    const auto plan = planned(mixer(R"({"type": "log_linear"})"), {.query = x});
    const Trace trace = record(plan);
    const auto output = stage(trace, "output"), log_gates = stage(trace, "log_gates"),
               of_levels = stage(trace, "level_weights");
    const Index levels = std::ssize(of_levels) / n;
    ASSERT_EQ(levels, 5);
    std::vector<Tensor> states(static_cast<std::size_t>(levels), Tensor({width, width}));
    std::vector<bool> holds(static_cast<std::size_t>(levels), false);
    const auto move_up = [&](std::size_t from, std::size_t to) {
        for (Index each = 0; each < width * width; ++each) {
            states[to][each] += states[from][each];
            states[from][each] = 0;
        }
        holds[from] = false;
    };
    for (Index t = 0; t < n; ++t) {
        if (t > 0) {
            std::size_t next = 1;  // the first level that holds nothing
            while (holds[next])
                ++next;
            for (std::size_t level = 0; level < next; ++level)
                move_up(level, next);
            holds[next] = true;
        }
        for (Tensor& state : states)
            for (double& number : state.values())
                number *= std::exp(log_gates[static_cast<std::size_t>(t)]);
        for (Index a = 0; a < width; ++a)
            for (Index c = 0; c < width; ++c)
                states[0](a, c) = x(t, a) * x(t, c);
        holds[0] = true;
        for (Index c = 0; c < width; ++c) {
            double read = 0;
            for (Index level = 0; level < levels; ++level)
                for (Index a = 0; a < width; ++a)
                    read += of_levels[static_cast<std::size_t>(t * levels + level)] * x(t, a) *
                            states[static_cast<std::size_t>(level)](a, c);
            EXPECT_NEAR(output[static_cast<std::size_t>(t * width + c)], read, 1e-12);
        }
    }
}

// They are causal whatever the mask, take their own tokens alone, and bear what the others bear.
TEST(Invariant45, StatesWithGatesOfTheTokensSurviveHugeAndMissingTokens) {
    RandomEngine random(45);
    const Tensor x = random_tensor({n, width}, random);
    Tensor huge = x;
    for (double& number : huge.values())
        number *= 1e4;
    const auto is_finite = [](double number) { return std::isfinite(number); };
    const auto is_zero = [](double number) { return number == 0; };
    for (const std::string type : {"mlstm", "rwkv6", "log_linear"}) {
        SCOPED_TRACE(type);
        const std::string algorithm = R"({"type": ")" + type + "\"}";
        EXPECT_EQ(run(mixer(algorithm, ""), {.query = x}).weights,
                  run(mixer(algorithm), {.query = x}).weights);
        EXPECT_THROW(planned(crossed(mixer(algorithm)), three_sequences(random)), Error);
        for (const Tensor& tokens : {huge, Tensor({n, width}), Tensor({n, width}, 0.5), rows_of(x, {0})}) {
            const Numbers numbers = run(mixer(algorithm), {.query = tokens});
            EXPECT_TRUE(std::ranges::all_of(numbers.weights, is_finite));
            EXPECT_TRUE(std::ranges::all_of(numbers.output, is_finite));
        }
        const Numbers nothing =
            run(mixer(algorithm, R"(, "mask": {"type": "padding", "key_lengths": 0})"), {.query = x});
        EXPECT_TRUE(std::ranges::all_of(nothing.weights, is_zero));
        EXPECT_TRUE(std::ranges::all_of(nothing.output, is_zero));
    }
}

TEST(Invariant26, RetentionWithoutDecayIsTheSumOfAllProducts) {
    RandomEngine random(26);
    const Inputs inputs = three_sequences(random);
    const Numbers numbers =
        run(crossed(mixer(R"({"type": "retention", "gamma": 1, "scaled": false})")), inputs);
    const Tensor products = product(inputs.query, transposed(*inputs.key));
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
            EXPECT_NEAR(numbers.weights[static_cast<std::size_t>(i * n + j)], j <= i ? products(i, j) : 0,
                        1e-12);
}

// A = tril(Q K^T) (I + tril(diag(beta) K K^T, -1))^-1 diag(beta), by forward substitution (Yang et al. 2024).
TEST(Invariant27, DeltaRuleIsItsClosedForm) {
    RandomEngine random(27);
    const Inputs inputs = three_sequences(random);
    const Trace trace = record(planned(crossed(mixer(R"({"type": "delta"})")), inputs));
    const Tensor k = as_tensor(stage(trace, "key_features"), n),
                 q = as_tensor(stage(trace, "query_features"), n);
    const auto beta = stage(trace, "write_strengths");
    const Tensor overlaps = product(k, transposed(k));
    Tensor solved({n, n});  // (I + L)^-1 diag(beta)
    for (Index i = 0; i < n; ++i)
        for (Index c = 0; c < n; ++c) {
            const double strength = beta[static_cast<std::size_t>(i)];
            solved(i, c) = i == c ? strength : 0;
            for (Index j = 0; j < i; ++j)
                solved(i, c) -= strength * overlaps(i, j) * solved(j, c);
        }
    Tensor scores = product(q, transposed(k));
    for (Index i = 0; i < n; ++i)
        for (Index j = i + 1; j < n; ++j)
            scores(i, j) = 0;
    EXPECT_TRUE(near(stage(trace, "weights"), product(scores, solved).values(), 1e-12));
}

// With strength 1 and orthonormal keys the state is a dictionary: what was written last is what is read.
TEST(Invariant27, LastWriteWins) {
    RandomEngine random(27);
    Inputs inputs;
    inputs.key = rows_of(identity(4), {0, 1, 2, 3, 1});
    inputs.query = *inputs.key;
    inputs.value = random_tensor({5, 3}, random);
    inputs.parameters["W_beta"] = Tensor({4, 1});
    inputs.parameters["b_beta"] = Tensor({1}, 60.0);
    const Numbers numbers = run(crossed(mixer(R"({"type": "delta", "scaled": false})")), inputs);
    EXPECT_TRUE(near(numbers.output, inputs.value->values(), 1e-12));
    EXPECT_NEAR(numbers.weights[4 * 5 + 1], 0, 1e-12) << "the first write of the key that came twice";
}

TEST(Invariant27, ErrorsAreWhatTheStateDoesNotAnswer) {
    RandomEngine random(27);
    const Inputs inputs = three_sequences(random);
    const Trace trace = record(planned(crossed(mixer(R"({"type": "gated_delta"})")), inputs));
    const auto predictions = stage(trace, "predictions"), errors = stage(trace, "errors");
    for (std::size_t i = 0; i < errors.size(); ++i)
        EXPECT_NEAR(errors[i] + predictions[i], inputs.value->values()[i], 1e-12);
}

// o = q (K^T K + lambda I)^-1 K^T V of the keys so far: the normal equations hold.
TEST(Invariant29, MesaIsRidgeRegression) {
    RandomEngine random(29);
    const Inputs inputs = three_sequences(random);
    const Trace trace = record(planned(crossed(mixer(R"({"type": "mesa", "lambda": 0.5})")), inputs));
    const Tensor solutions = as_tensor(stage(trace, "solutions"), n);
    for (Index i = 0; i < n; ++i)
        for (Index a = 0; a < width; ++a) {
            double left = 0.5 * solutions(i, a);
            for (Index j = 0; j <= i; ++j)
                for (Index b = 0; b < width; ++b)
                    left += (*inputs.key)(j, a) * (*inputs.key)(j, b) * solutions(i, b);
            EXPECT_NEAR(left, inputs.query(i, a), 1e-10);
        }
}

TEST(Invariant29, MesaWithMuchRidgeIsLinearAttention) {
    RandomEngine random(29);
    const Inputs inputs = three_sequences(random);
    Numbers mesa = run(crossed(mixer(R"({"type": "mesa", "lambda": 1e6})")), inputs);
    for (double& weight : mesa.weights)
        weight *= 1e6;
    const Numbers linear =
        run(crossed(mixer(R"({"type": "retention", "gamma": 1, "scaled": false})")), inputs);
    EXPECT_TRUE(near(mesa.weights, linear.weights, 1e-4));
}

/// Products of recorded features, of all pairs that are allowed.
std::vector<double> feature_products(const Trace& trace) {
    const Tensor q = as_tensor(stage(trace, "query_features"), n),
                 k = as_tensor(stage(trace, "key_features"), n);
    Tensor products = product(q, transposed(k));
    for (Index i = 0; i < n; ++i)
        for (Index j = i + 1; j < n; ++j)
            products(i, j) = 0;
    return {products.values().begin(), products.values().end()};
}

TEST(Invariant30, BasedFeaturesAreTheTaylorPolynomial) {
    RandomEngine random(30);
    const Inputs inputs = three_sequences(random);
    const Trace trace = record(planned(crossed(mixer(R"({"type": "based"})")), inputs));
    Tensor expected = product(inputs.query, transposed(*inputs.key));
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) {
            const double s = expected(i, j) / std::sqrt(static_cast<double>(width));
            expected(i, j) = j <= i ? 1 + s + s * s / 2 : 0;
        }
    EXPECT_TRUE(near(feature_products(trace), expected.values(), 1e-12));
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j <= i; ++j)
            EXPECT_GE(expected(i, j), 0.5);
}

TEST(Invariant30, ThePowerOfTwoIsTheSquareOfReBased) {
    RandomEngine random(30);
    Inputs inputs = three_sequences(random);
    for (const std::string name : {"gamma_q", "gamma_k", "beta_q", "beta_k"})
        inputs.parameters[name] = Tensor({width}, name.starts_with("gamma") ? 1.0 : 0.0);
    const Numbers squares = run(crossed(mixer(R"({"type": "rebased"})")), inputs);
    inputs.parameters.clear();
    EXPECT_TRUE(near(run(crossed(mixer(R"({"type": "power"})")), inputs), squares, 1e-11));
}

TEST(Invariant30, NoWeightOfAPowerIsNegativeAndLargerPowersAreSharper) {
    RandomEngine random(30);
    const Inputs inputs = three_sequences(random);
    std::vector<double> before(static_cast<std::size_t>(n), 0.0);
    for (const std::string power : {"2", "4", "6", "8"}) {
        const auto weights =
            run(crossed(mixer(R"({"type": "power", "power": ")" + power + "\"}")), inputs).weights;
        EXPECT_GE(*std::ranges::min_element(weights), 0);
        for (Index i = 0; i < n; ++i) {
            const auto row = std::span(weights).subspan(static_cast<std::size_t>(i * n), n);
            const double largest = *std::ranges::max_element(row);
            EXPECT_GE(largest, before[static_cast<std::size_t>(i)] - 1e-12);
            before[static_cast<std::size_t>(i)] = largest;
        }
    }
    EXPECT_THROW(planned(crossed(mixer(R"({"type": "power", "power": "3"})")), inputs), Error);
}

// With K^T K = I the metric of the keys is none, and queries are compared as linear attention compares them
// with keys.
TEST(Invariant30, InTheUnitMetricTheSecondOrderIsLinearAttentionOfQueries) {
    RandomEngine random(30);
    Inputs inputs{.query = identity(width)};
    inputs.parameters["W_q"] = random_tensor({width, width}, random);
    inputs.parameters["W_k"] = identity(width);
    inputs.parameters["W_v"] = random_tensor({width, width}, random);
    const Numbers second = run(spec(R"({"projections": {"type": "learned"},
                                        "algorithm": {"type": "higher_order", "scaled": false}})"),
                               inputs);
    Inputs queries{.query = inputs.parameters["W_q"]};
    queries.key = queries.query;
    queries.value = inputs.parameters["W_v"];
    EXPECT_TRUE(near(
        second, run(crossed(mixer(R"({"type": "retention", "gamma": 1, "scaled": false})", "")), queries),
        1e-12));
}

// What S, C and G say of it: o = q (S C - G) / d of what was read so far.
TEST(Invariant30, TheSecondOrderFollowsItsRecurrence) {
    RandomEngine random(30);
    const Tensor x = random_tensor({n, width}, random);
    const Numbers numbers = run(mixer(R"({"type": "higher_order"})"), {.query = x});
    Tensor S({width, width}), C({width, width}), G({width, width});
    for (Index t = 0; t < n; ++t) {
        const Tensor row = rows_of(x, {t}), outer = product(transposed(row), row);
        const Tensor added = product(outer, C);
        for (Index c = 0; c < width * width; ++c) {
            G[c] += added[c];
            S[c] += outer[c];
            C[c] += outer[c];  // queries, keys and values are the tokens
        }
        Tensor state = product(S, C);
        for (Index c = 0; c < width * width; ++c)
            state[c] = (state[c] - G[c]) / width;
        const Tensor output = product(row, state);
        for (Index c = 0; c < width; ++c)
            EXPECT_NEAR(numbers.output[static_cast<std::size_t>(t * width + c)], output[c], 1e-11);
    }
}

TEST(Invariant30, CosformerSplitsItsCosine) {
    RandomEngine random(30);
    const Inputs inputs = three_sequences(random);
    const Trace trace = record(planned(crossed(mixer(R"({"type": "cosformer"})")), inputs));
    Tensor expected({n, n});
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j <= i; ++j)
            for (Index c = 0; c < width; ++c)
                expected(i, j) += std::max(inputs.query(i, c), 0.0) * std::max((*inputs.key)(j, c), 0.0) *
                                  std::cos(std::acos(-1.0) / 2 * static_cast<double>(i - j) / n);
    EXPECT_TRUE(near(feature_products(trace), expected.values(), 1e-12));
}

TEST(Invariant30, RandomDirectionsAreOrthogonalInBlocks) {
    const reference::Matrix directions = reference::random_directions(8, 4, 5);
    for (std::size_t a = 0; a < 8; ++a)
        for (std::size_t b = 0; b < a; ++b)
            if (a / 4 == b / 4) {
                EXPECT_NEAR(static_cast<double>(reference::product_of_rows(directions, a, directions, b)), 0,
                            1e-12);
            }
}

// The mean of phi(q) . phi(k) / r over many draws is exp(q . k).
TEST(Invariant30, RandomFeaturesAreUnbiased) {
    const reference::Row q{0.3, -0.5, 0.4, 0.1}, k{0.2, 0.1, 0.6, -0.3};
    reference::Number dot = 0, squares = 0, mean = 0;
    for (std::size_t c = 0; c < 4; ++c) {
        dot += q[c] * k[c];
        squares += (q[c] * q[c] + k[c] * k[c]) / 2;
    }
    constexpr std::size_t draws = 4000, features = 4;
    for (std::size_t seed = 0; seed < draws; ++seed) {
        const reference::Matrix w = reference::random_directions(features, 4, seed);
        for (std::size_t r = 0; r < features; ++r) {
            reference::Number exponent = -squares;
            for (std::size_t c = 0; c < 4; ++c)
                exponent += w(r, c) * (q[c] + k[c]);
            mean += std::exp(exponent) / (draws * features);
        }
    }
    EXPECT_NEAR(static_cast<double>(mean), static_cast<double>(std::exp(dot)), 0.03);
}

TEST(Invariant30, MoreRandomFeaturesComeNearerToSoftmax) {
    RandomEngine random(30);
    const Inputs inputs = three_sequences(random);
    const auto exact =
        run(spec(R"({"source": {"type": "cross"}, "mask": {"type": "causal"}})"), inputs).weights;
    const auto error = [&](const std::string& features) {
        double sum = 0;
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const auto got =
                run(crossed(mixer(R"({"type": "performer", "features": )" + features + "}")), inputs, seed)
                    .weights;
            for (std::size_t i = 0; i < got.size(); ++i)
                sum += (got[i] - exact[i]) * (got[i] - exact[i]);
        }
        return std::sqrt(sum);
    };
    const double few = error("32"), many = error("512");  // sixteen times as many: a quarter of the error
    EXPECT_GT(few / many, 2.5);
    EXPECT_LT(few / many, 6.5);
}

TEST(Invariant30, NystromWithEveryTokenAndLinformerWithTheUnitMatrixAreExact) {
    RandomEngine random(30);
    Inputs inputs = three_sequences(random);
    const Numbers exact = run(spec(R"({"source": {"type": "cross"}})"), inputs);
    EXPECT_TRUE(
        near(run(crossed(mixer(R"({"type": "nystrom", "landmarks": 11, "iterations": 80})", "")), inputs),
             exact, 1e-6));
    inputs.parameters["E"] = inputs.parameters["F"] = identity(n);
    EXPECT_TRUE(near(run(crossed(mixer(R"({"type": "linformer", "rank": 11})", "")), inputs), exact, 1e-12));
}

TEST(Invariant30, ThePseudoInverseNeedsMoreThanSixSteps) {
    RandomEngine random(30);
    const Inputs inputs = three_sequences(random);
    const Trace trace = record(
        planned(crossed(mixer(R"({"type": "nystrom", "landmarks": 4, "iterations": 40})", "")), inputs));
    const auto residuals = stage(trace, "residuals");
    ASSERT_EQ(residuals.size(), 41u);
    EXPECT_GT(residuals[6], 1e-3);
    EXPECT_LT(residuals[40], 1e-12);
}

/// What is left of a matrix when `steps` rows and columns have been eliminated, each time those of its
/// largest number: nothing where its rank is no larger.
double left_after_elimination(Tensor matrix, Index steps) {
    for (Index step = 0;; ++step) {
        Index row = 0, column = 0;
        for (Index r = 0; r < matrix.rows(); ++r)
            for (Index c = 0; c < matrix.cols(); ++c)
                if (std::abs(matrix(r, c)) > std::abs(matrix(row, column))) {
                    row = r;
                    column = c;
                }
        const double pivot = matrix(row, column);
        if (step == steps || pivot == 0)
            return std::abs(pivot);
        const Tensor before = matrix;
        for (Index r = 0; r < matrix.rows(); ++r)
            for (Index c = 0; c < matrix.cols(); ++c)
                matrix(r, c) -= before(r, column) * before(row, c) / pivot;
    }
}

AttentionSpec through_points(const std::string& type, Index points, const std::string& more = "") {
    const std::string count = type == "agent" ? "agents" : "points";
    return crossed(
        mixer(R"({"type": ")" + type + R"(", ")" + count + "\": " + std::to_string(points) + "}", more));
}

TEST(Invariant30, PointsPassOnSharesAndNoMoreThanTheirNumber) {
    constexpr Index points = 3;
    for (const std::string type : {"inducing_points", "agent"}) {
        RandomEngine random(30);
        const Trace trace = record(planned(through_points(type, points), three_sequences(random)));
        const auto expect_shares = [&](const std::string& name, Index rows) {
            const Tensor map = as_tensor(stage(trace, name), rows);
            for (Index r = 0; r < rows; ++r)
                EXPECT_NEAR(std::accumulate(map.row(r).begin(), map.row(r).end(), 0.0), 1, 1e-13) << name;
            return map;
        };
        const Tensor packs = expect_shares("pack_weights", points);
        const Tensor unpacks = expect_shares("unpack_weights", n);
        const Tensor weights = expect_shares("weights", n);
        EXPECT_TRUE(near(weights.values(), product(unpacks, packs).values(), 1e-13)) << type;
        EXPECT_GT(left_after_elimination(weights, 1), 1e-7) << type;
        EXPECT_LT(left_after_elimination(weights, points), 1e-15) << type;
        EXPECT_EQ(trace.find("pack_weights")->axes,
                  (std::vector<Axis>{Axis::head, Axis::feature, Axis::key}));
        EXPECT_EQ(trace.find("unpack_weights")->axes,
                  (std::vector<Axis>{Axis::head, Axis::query, Axis::feature}));
    }
}

TEST(Invariant30, ThroughOnePointEveryQueryGetsTheSame) {
    for (const std::string type : {"inducing_points", "agent"}) {
        RandomEngine random(30);
        const auto plan = planned(through_points(type, 1), three_sequences(random));
        const Numbers numbers = run(plan);
        for (Index i = 1; i < n; ++i) {
            const auto row = [&](const std::vector<double>& of, Index at, Index columns) {
                return std::span(of).subspan(static_cast<std::size_t>(at * columns),
                                             static_cast<std::size_t>(columns));
            };
            EXPECT_TRUE(near(row(numbers.weights, i, n), row(numbers.weights, 0, n), 1e-15)) << type;
            EXPECT_TRUE(near(row(numbers.output, i, width), row(numbers.output, 0, width), 1e-15)) << type;
        }
        // One column is a column, and no number for each row.
        EXPECT_EQ(record(plan).find("unpack_weights")->shape, (Shape{1, n, 1})) << type;
    }
}

// As the paper says it: the points attend to the tokens, then the tokens to what the points have found.
TEST(Invariant30, InducingPointsAreTwoAttentionsOneAfterAnother) {
    RandomEngine random(30);
    Inputs inputs = three_sequences(random);
    const Tensor points = random_tensor({3, width}, random), W = random_tensor({width, width}, random);
    inputs.parameters = {{"points", points}, {"W_point", W}};
    const AttentionSpec plain = spec(R"({"source": {"type": "cross"}})");
    const Tensor found =
        as_tensor(run(plain, {.query = points, .key = inputs.key, .value = inputs.value}).output, 3);
    const Numbers expected = run(plain, {.query = inputs.query, .key = product(found, W), .value = found});
    EXPECT_TRUE(near(run(through_points("inducing_points", 3), inputs).output, expected.output, 1e-12));
}

// Each query is its own agent: softmax attention of queries with queries, over what softmax attention gives.
TEST(Invariant30, AsManyAgentsAsQueriesAreTwoAttentionsAndNotOne) {
    RandomEngine random(30);
    const Inputs inputs = three_sequences(random);
    const AttentionSpec plain = spec(R"({"source": {"type": "cross"}})");
    const Numbers once = run(plain, inputs);
    const Numbers twice =
        run(plain, {.query = inputs.query, .key = inputs.query, .value = as_tensor(once.output, n)});
    const Numbers agents = run(through_points("agent", 64), inputs);
    EXPECT_TRUE(near(agents.output, twice.output, 1e-12));
    EXPECT_FALSE(near(agents.output, once.output, 1e-3));
}

TEST(Invariant30, PointsTakeNothingFromPadding) {
    for (const std::string type : {"inducing_points", "agent"}) {
        RandomEngine random(30);
        Inputs inputs = three_sequences(random);
        const auto padded =
            planned(through_points(type, 2, R"(, "mask": {"type": "padding", "key_lengths": 7})"), inputs);
        inputs.parameters = padded->inputs.parameters;
        inputs.key = rows_of(*inputs.key, {0, 1, 2, 3, 4, 5, 6});
        inputs.value = rows_of(*inputs.value, {0, 1, 2, 3, 4, 5, 6});
        const Numbers with_padding = run(padded);
        EXPECT_TRUE(near(with_padding.output, run(through_points(type, 2), inputs).output, 1e-13)) << type;
        for (Index i = 0; i < n; ++i)
            for (Index j = 7; j < n; ++j)
                EXPECT_EQ(with_padding.weights[static_cast<std::size_t>(i * n + j)], 0) << type;
        EXPECT_THROW(planned(through_points(type, 2, R"(, "mask": {"type": "causal"})"), inputs), Error);
    }
}

/// A sequence with a sharpness of its own, and how features look at features in it.
Inputs with_sharpness(const Tensor& x, double sharpness) {
    Inputs inputs{.query = x};
    inputs.parameters["sharpness"] = Tensor({1}, sharpness);
    return inputs;
}
Trace of_features(const Inputs& inputs) {
    return record(planned(mixer(R"({"type": "cross_covariance"})", ""), inputs));
}

// Tokens and features exchanged, it is attention by cosines with a temperature of 1 / τ.
TEST(Invariant30, CrossCovarianceIsAttentionOfTransposedSequences) {
    RandomEngine random(30);
    const Tensor x = random_tensor({n, width}, random);
    const Trace trace = of_features(with_sharpness(x, 2.5));
    const Numbers turned = run(spec(R"({"score": {"type": "dot", "vector_norm": "l2"},
                                        "normalizer": {"type": "softmax", "temperature": 0.4}})"),
                               {.query = transposed(x)});
    EXPECT_TRUE(near(stage(trace, "feature_weights"), turned.weights, 1e-12));
    EXPECT_TRUE(near(transposed(as_tensor(stage(trace, "output"), n)).values(), turned.output, 1e-12));
    EXPECT_EQ(trace.find("feature_weights")->shape, (Shape{1, width, width}));
    EXPECT_TRUE(within(stage(trace, "weights"), identity(n).values(), 0));
}

TEST(Invariant30, TheMapOfFeaturesKnowsNeitherOrderNorSize) {
    RandomEngine random(30);
    const Tensor x = random_tensor({n, width}, random);
    const std::vector<double> map = stage(of_features(with_sharpness(x, 3)), "feature_weights");
    const Tensor shuffled = rows_of(x, {7, 3, 5, 1, 0, 2, 6, 4, 10, 8, 9});
    EXPECT_TRUE(near(stage(of_features(with_sharpness(shuffled, 3)), "feature_weights"), map, 1e-13));
    Tensor longer = x;
    for (Index i = 0; i < n; ++i)
        longer(i, 2) *= 1e3;
    EXPECT_TRUE(near(stage(of_features(with_sharpness(longer, 3)), "feature_weights"), map, 1e-13));
    for (Index a = 0; a < width; ++a)
        EXPECT_NEAR(std::accumulate(map.begin() + a * width, map.begin() + (a + 1) * width, 0.0), 1, 1e-13);
}

TEST(Invariant30, WithoutSharpnessEveryFeatureIsTheirMean) {
    RandomEngine random(30);
    const Tensor x = random_tensor({n, width}, random);
    const auto output = stage(of_features(with_sharpness(x, 0)), "output");
    for (Index i = 0; i < n; ++i)
        for (Index c = 0; c < width; ++c)
            EXPECT_NEAR(output[static_cast<std::size_t>(i * width + c)],
                        std::accumulate(x.row(i).begin(), x.row(i).end(), 0.0) / width, 1e-13);
}

TEST(Invariant30, FeaturesAreComparedOverAllTokensOfOneSequence) {
    RandomEngine random(30);
    const Inputs inputs = three_sequences(random);
    EXPECT_THROW(planned(crossed(mixer(R"({"type": "cross_covariance"})", "")), inputs), Error);
    EXPECT_THROW(planned(mixer(R"({"type": "cross_covariance"})"), inputs), Error);
    Inputs zeros{.query = Tensor({n, width})};
    for (const double number : stage(of_features(zeros), "feature_weights"))
        EXPECT_NEAR(number, 1.0 / width, 1e-15);
}

}  // namespace

}  // namespace headlight::invariants_recurrent_test

// Invariants 26 to 29, 45 and of 30 the second order: mixers that keep a state in place of a map.

#include "core/attention/overflow.h"
#include "core/tensor/error.h"
#include "tests/support/mixer_runs.h"

namespace headlight::invariants_recurrent_test {

using namespace test;
using namespace test::mixers;

namespace {

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

const auto all_mixers =
    testing::Values("linear", "performer", "cosformer", "based", "rebased", "power", "efficient", "retention",
                    "gated_linear", "state_space", "delta", "gated_delta", "kimi_delta", "mesa", "linformer",
                    "nystrom", "agent", "gated_slots", "hgrn2", "rodimus");
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

}  // namespace

}  // namespace headlight::invariants_recurrent_test

// What keys made of gates, memories that are trained while they read, and vectors that all tokens look at
// promise.

#include "core/tensor/error.h"
#include "tests/support/map_rows.h"
#include "tests/support/self_attention.h"

#include <numeric>

namespace headlight::invariants_memories_test {

using namespace test;

namespace {

constexpr Index n = 9, width = 6;
constexpr double exact = 1e-12;

Inputs tokens(std::uint64_t seed, Index count = n) { return self_attention::tokens(count, width, seed); }

// Keys of gates.

TEST(KeysOfGates, OfOpenGatesAreZero) {
    Inputs inputs = tokens(70);
    inputs.parameters["W_k"] = inputs.parameters["W_v"] = inputs.parameters["W_q"] = identity(width);
    inputs.parameters["W_o"] = identity(width);
    const AttentionSpec hgrn2 = spec(R"({"algorithm": {"type": "hgrn2"}, "mask": {"type": "causal"},
                                         "projections": {"type": "learned", "bias": true}})");
    inputs.parameters["b_k"] = Tensor({width}, 800.0);
    for (const double weight : run(hgrn2, inputs).weights)
        EXPECT_EQ(weight, 0);
    // Where gates are closed, all of the newest token is written and nothing else is left.
    inputs.parameters["b_k"] = Tensor({width}, -800.0);
    const auto plan = planned(hgrn2, inputs);
    const auto queries = stage(record(plan), "query");
    const auto weights = run(plan).weights;
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
            EXPECT_NEAR(row_of(weights, i, n)[static_cast<std::size_t>(j)],
                        i == j ? total_of(row_of(queries, i, width)) : 0, exact);
}

// S <- f S + (1 - f) v, o = q S (Qin et al. 2024).
TEST(KeysOfGates, FollowTheirRecurrence) {
    const Inputs inputs = tokens(71);
    const Tensor& x = inputs.query;
    for (const double least : {0.0, 0.6}) {
        const Numbers numbers =
            run(causal(R"({"type": "hgrn2", "lower_bound": )" + std::to_string(least) + "}"), inputs);
        Tensor state({width, width});
        for (Index t = 0; t < n; ++t) {
            std::vector<double> read(static_cast<std::size_t>(width), 0.0);
            for (Index a = 0; a < width; ++a) {
                const double f = least + (1 - least) / (1 + std::exp(-x(t, a)));
                for (Index c = 0; c < width; ++c) {
                    state(a, c) = f * state(a, c) + (1 - f) * x(t, c);
                    read[static_cast<std::size_t>(c)] += x(t, a) * state(a, c);
                }
            }
            EXPECT_TRUE(near(row_of(numbers.output, t, width), read, exact)) << least;
        }
    }
}

TEST(KeysOfGates, AsSharesMakeEachRowTheSumOfItsQuery) {
    for (const double size : {1.0, 1e3}) {
        Inputs inputs = tokens(72);
        for (double& number : inputs.query.values())
            number *= size;
        const auto weights = run(causal(R"({"type": "hgrn2", "writing": "shares"})"), inputs).weights;
        for (Index i = 0; i < n; ++i) {
            double sum = 0;
            for (Index c = 0; c < width; ++c)
                sum += inputs.query(i, c);
            EXPECT_NEAR(total_of(row_of(weights, i, n)), sum, exact * size);
        }
    }
}

// Efficient attention has the same shares of the keys, and shares of the features for a query.
TEST(KeysOfGates, AsSharesAreThoseOfEfficientAttention) {
    Inputs inputs = tokens(73);
    inputs.key = inputs.value = tokens(74).query;
    Inputs shares = inputs;
    for (Index i = 0; i < n; ++i) {
        double sum = 0;
        for (Index c = 0; c < width; ++c)
            sum += std::exp(inputs.query(i, c));
        for (Index c = 0; c < width; ++c)
            shares.query(i, c) = std::exp(inputs.query(i, c)) / sum;
    }
    const auto crossed = [](const std::string& algorithm) {
        return spec(R"({"source": {"type": "cross"}, "algorithm": )" + algorithm +
                    R"(, "mask": {"type": "causal"}})");
    };
    EXPECT_TRUE(near(run(crossed(R"({"type": "hgrn2", "writing": "shares"})"), shares),
                     run(crossed(R"({"type": "efficient"})"), inputs), exact));
}

// Keys that all heads share are one matrix in the program, and those of two heads that are alike are two.
TEST(KeysOfGates, OfOneHeadForAllAreThoseOfTwoAlike) {
    RandomEngine random(76);
    const auto with_heads = [](const std::string& heads, const std::string& writing) {
        return spec(R"({"algorithm": {"type": "hgrn2", "writing": ")" + writing +
                    R"("}, "mask": {"type": "causal"}, "projections": {"type": "learned"},
                       "heads": {"type": ")" +
                    heads + R"(", "heads": 2}})");
    };
    Inputs one = tokens(76);
    for (const char* name : {"W_q", "W_o"})
        one.parameters[name] = random_tensor({width, width}, random);
    Inputs two = one;
    for (const char* name : {"W_k", "W_v"}) {
        one.parameters[name] = random_tensor({width, width / 2}, random);
        two.parameters[name] = side_by_side(one.parameters[name], one.parameters[name]);
    }
    for (const std::string writing : {"gates", "shares"})
        EXPECT_TRUE(
            near(run(with_heads("multi_query", writing), one), run(with_heads("multi", writing), two), exact))
            << writing;
}

TEST(KeysOfGates, AreNotTurned) {
    EXPECT_THROW(
        planned(spec(R"({"algorithm": {"type": "hgrn2"}, "position": {"type": "rope"}})"), tokens(75)),
        Error);
}

// Keys and gates of one number that a temperature tempers (He et al. 2025).

/// Tokens whose numbers g of all features are those of softplus(y W_selection + selection), and whose
/// temperatures are all σ(temperature).
Inputs with_temperature(std::uint64_t seed, double selection, double temperature) {
    RandomEngine random(seed);
    Inputs inputs = tokens(seed);
    inputs.key = inputs.value = random_tensor({n, width}, random);
    inputs.parameters["W_selection"] = random_tensor({width, width}, random);
    inputs.parameters["b_selection"] = Tensor({width}, selection);
    inputs.parameters["W_temperature"] = Tensor({width, width}, 0.0);
    inputs.parameters["b_temperature"] = Tensor({width}, temperature);
    return inputs;
}

AttentionSpec tempered(const std::string& algorithm = R"({"type": "rodimus"})") {
    return spec(R"({"source": {"type": "cross"}, "algorithm": )" + algorithm +
                R"(, "mask": {"type": "causal"}})");
}

double length_of(const Tensor& vectors, Index row) {
    double squares = 0;
    for (Index c = 0; c < width; ++c)
        squares += vectors(row, c) * vectors(row, c);
    return std::sqrt(squares);
}

TEST(TemperedKeys, AtTemperatureZeroAreWrittenWholeAndNothingFades) {
    const Inputs inputs = with_temperature(77, 0, -800);
    const auto weights = run(tempered(), inputs).weights;
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) {
            double product = 0;
            for (Index c = 0; c < width; ++c)
                product += inputs.query(i, c) * (*inputs.key)(j, c);
            EXPECT_NEAR(row_of(weights, i, n)[static_cast<std::size_t>(j)],
                        j <= i ? product / length_of(*inputs.key, j) : 0, exact);
        }
}

TEST(TemperedKeys, OfTokensThatSelectNothingAreNotWritten) {
    for (const double weight : run(tempered(), with_temperature(78, -800, 0)).weights)
        EXPECT_NEAR(weight, 0, 1e-100);
}

// At τ = 1 what is kept is e^-g and what is written g times the key: the step of a state space.
TEST(TemperedKeys, AtTemperatureOneAreThoseOfAStep) {
    Inputs inputs = with_temperature(79, 0.5, 800);
    for (Index j = 0; j < n; ++j) {
        const double length = length_of(*inputs.key, j);
        for (Index c = 0; c < width; ++c)
            (*inputs.key)(j, c) /= length;
    }
    Inputs steps = inputs;
    steps.parameters.clear();
    steps.parameters["W_dt"] = Tensor({width, 1});
    for (Index c = 0; c < width; ++c) {
        steps.parameters["W_dt"](c, 0) = inputs.parameters["W_selection"](c, 0);
        for (Index other = 1; other < width; ++other)
            inputs.parameters["W_selection"](c, other) = inputs.parameters["W_selection"](c, 0);
    }
    steps.parameters["b_dt"] = Tensor({1}, 0.5);
    steps.parameters["A_log"] = Tensor({1}, 0.0);
    EXPECT_TRUE(near(run(tempered(), inputs),
                     run(tempered(R"({"type": "state_space", "discretize": true, "scaled": false})"), steps),
                     exact));
}

// S <- e^(-g τ) S + (g^τ k)ᵀ v, o = q S.
TEST(TemperedKeys, FollowTheirRecurrence) {
    Inputs inputs = with_temperature(80, 0.3, 0.7);
    RandomEngine random(81);
    inputs.parameters["W_temperature"] = random_tensor({width, width}, random);
    const Tensor &key = *inputs.key, selection = product(key, inputs.parameters["W_selection"]),
                 temperature = product(key, inputs.parameters["W_temperature"]);
    const Numbers numbers = run(tempered(), inputs);
    Tensor state({width, width});
    for (Index t = 0; t < n; ++t) {
        std::vector<double> read(static_cast<std::size_t>(width), 0.0);
        for (Index a = 0; a < width; ++a) {
            const double g = std::log1p(std::exp(selection(t, a) + 0.3)),
                         tau = 1 / (1 + std::exp(-temperature(t, a) - 0.7));
            for (Index c = 0; c < width; ++c) {
                state(a, c) = std::exp(-g * tau) * state(a, c) +
                              std::pow(g, tau) * key(t, a) / length_of(key, t) * (*inputs.value)(t, c);
                read[static_cast<std::size_t>(c)] += inputs.query(t, a) * state(a, c);
            }
        }
        EXPECT_TRUE(near(row_of(numbers.output, t, width), read, exact)) << t;
    }
}

// Memories.

const std::string titans_alone = R"({"type": "titans", "momentum": false, "forgets": false})";

TEST(Memories, WithoutMomentumThatForgetNothingAreTheDeltaRule) {
    const auto plan = planned(causal(titans_alone), tokens(80));
    Inputs inputs = tokens(80);
    inputs.parameters = plan->inputs.parameters;
    const Numbers delta = run(causal(R"({"type": "delta"})"), inputs);
    EXPECT_TRUE(near(run(plan), delta, exact));
    EXPECT_TRUE(near(run(causal(R"({"type": "ttt", "batch": 1})"), inputs), delta, exact));
    EXPECT_FALSE(near(run(causal(R"({"type": "ttt", "batch": 2})"), inputs), delta, 1e-3));
    // ... and so are those whose gates say so.
    inputs.parameters["W_eta"] = inputs.parameters["W_forget"] = Tensor({width, 1});
    inputs.parameters["b_eta"] = inputs.parameters["b_forget"] = Tensor({1}, -900.0);
    EXPECT_TRUE(near(run(causal(R"({"type": "titans"})"), inputs), delta, exact));
}

// Z <- eta Z - beta k^T (k M - v), M <- (1 - alpha) M + Z (Behrouz et al. 2025, equations 13 and 14).
TEST(Memories, FollowTheirRecurrence) {
    const auto plan = planned(causal(R"({"type": "titans"})"), tokens(81));
    const Numbers numbers = run(plan);
    const Tensor& x = plan->inputs.query;
    const auto gate = [&](const std::string& name, Index t) {
        double raw = plan->parameter("b_" + name)[0];
        for (Index a = 0; a < width; ++a)
            raw += x(t, a) * plan->parameter("W_" + name)(a, 0);
        return 1 / (1 + std::exp(-raw));
    };
    Tensor memory({width, width}), motion({width, width});
    for (Index t = 0; t < n; ++t) {
        double length = 0;
        for (Index a = 0; a < width; ++a)
            length += x(t, a) * x(t, a);
        length = std::sqrt(length);
        std::vector<double> errors, read(static_cast<std::size_t>(width), 0.0);
        for (Index c = 0; c < width; ++c) {
            double answer = 0;
            for (Index a = 0; a < width; ++a)
                answer += x(t, a) / length * memory(a, c);
            errors.push_back(answer - x(t, c));
        }
        for (Index a = 0; a < width; ++a)
            for (Index c = 0; c < width; ++c) {
                motion(a, c) = gate("eta", t) * motion(a, c) -
                               gate("beta", t) * x(t, a) / length * errors[static_cast<std::size_t>(c)];
                memory(a, c) = (1 - gate("forget", t)) * memory(a, c) + motion(a, c);
                read[static_cast<std::size_t>(c)] +=
                    x(t, a) / std::sqrt(static_cast<double>(width)) * memory(a, c);
            }
        EXPECT_TRUE(near(row_of(numbers.output, t, width), read, exact)) << t;
    }
}

// Linear in the values: with the unit matrix for values the output is the map.
TEST(Memories, OfUnitValuesAreTheirMaps) {
    for (const std::string algorithm : {R"({"type": "titans"})", R"({"type": "ttt", "batch": 3})"}) {
        Inputs inputs{.query = identity(width)};
        const AttentionSpec learned =
            spec(R"({"algorithm": )" + algorithm + R"(, "projections": {"type": "learned"}})");
        RandomEngine random(83);
        inputs.parameters["W_q"] = random_tensor({width, width}, random);
        inputs.parameters["W_k"] = random_tensor({width, width}, random);
        inputs.parameters["W_v"] = inputs.parameters["W_o"] = identity(width);
        const Numbers numbers = run(learned, inputs);
        EXPECT_TRUE(near(numbers.output, numbers.weights, exact)) << algorithm;
    }
}

TEST(Memories, AddWhatAWriteHasSetInMotion) {
    const Trace trace = record(planned(causal(R"({"type": "titans"})"), tokens(84)));
    const auto left = stage(trace, "left_of_writes"), lost = stage(trace, "forgetting"),
               momenta = stage(trace, "momentum_gates");
    for (Index j = 0; j < n; ++j) {
        double held = 0, motion = 1;
        for (Index i = 0; i < n; ++i) {
            const auto at = static_cast<std::size_t>(i);
            if (i > j)
                motion *= momenta[at];
            held = i < j ? 0 : (1 - lost[at]) * held + motion;
            EXPECT_NEAR(row_of(left, i, n)[static_cast<std::size_t>(j)], held, exact) << i << ", " << j;
        }
    }
}

// Sun et al. 2025, theorem 1: with one batch for the whole text it is linear attention.
TEST(Memories, OfOneBatchAreLinearAttention) {
    const auto plan = planned(causal(R"({"type": "ttt", "batch": 64})"), tokens(85));
    const Trace trace = record(plan);
    const auto weights = stage(trace, "weights"), keys = stage(trace, "unit_key_direction"),
               strengths = stage(trace, "write_strengths");
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) {
            double product = 0;
            for (Index a = 0; a < width; ++a)
                product += plan->inputs.query(i, a) * row_of(keys, j, width)[static_cast<std::size_t>(a)];
            const double expected =
                strengths[static_cast<std::size_t>(j)] * product / std::sqrt(static_cast<double>(width));
            EXPECT_NEAR(row_of(weights, i, n)[static_cast<std::size_t>(j)], j <= i ? expected : 0, exact);
        }
}

// All tokens have one key, whose answer is 1: steps of 1 that are added up shoot over it by the batch.
TEST(Memories, OfMeansDoNotOvershoot) {
    Inputs inputs{.query = Tensor({8, 1}, 1.0)};
    inputs.parameters["W_beta"] = Tensor({1, 1});
    inputs.parameters["b_beta"] = Tensor({1}, 1000.0);
    const auto last = [&](const std::string& more) {
        return run(causal(R"({"type": "ttt", "batch": 4)" + more + "}"), inputs).output.back();
    };
    EXPECT_NEAR(last(R"(, "mean": true)"), 1, exact);
    EXPECT_NEAR(last(""), 4 + 4 * (1 - 4), exact);
    EXPECT_TRUE(near(run(causal(R"({"type": "ttt", "batch": 1, "mean": true})"), inputs),
                     run(causal(R"({"type": "ttt", "batch": 1})"), inputs), 0));
}

// Vectors that all look at.

TEST(GlobalVectors, AreMeansWhereNothingAsks) {
    Inputs fast = tokens(90), separable = tokens(90);
    fast.parameters["w_query"] = fast.parameters["w_key"] = separable.parameters["w_context"] =
        Tensor({width});
    for (const double weight : run(spec(R"({"algorithm": {"type": "fastformer"}})"), fast).weights)
        EXPECT_NEAR(weight, 1.0 / n, exact);
    for (const double weight : run(spec(R"({"algorithm": {"type": "separable"}})"), separable).weights)
        EXPECT_NEAR(weight, 1.0 / n, exact);
}

TEST(GlobalVectors, OfOneTokenAreItsOwn) {
    const Inputs inputs = tokens(91, 1);
    Inputs with_values = inputs;
    with_values.parameters["W_values"] = identity(width);
    const Numbers fast = run(spec(R"({"algorithm": {"type": "fastformer"}})"), with_values);
    const Numbers separable = run(spec(R"({"algorithm": {"type": "separable"}})"), inputs);
    EXPECT_EQ(fast.weights.front(), 1);
    EXPECT_EQ(separable.weights.front(), 1);
    for (std::size_t c = 0; c < static_cast<std::size_t>(width); ++c) {
        const double x = inputs.query[static_cast<Index>(c)];
        EXPECT_NEAR(fast.output[c], x * x * x + x, exact);
        EXPECT_NEAR(separable.output[c], std::max(x, 0.0) * x, exact);
    }
}

// Signed numbers of length 1; the global query lies on the side of w, whose length says nothing, and neither
// do those of queries and values.
TEST(GlobalVectors, OfSignedNumbersLieOnTheSideOfWhatAsks) {
    const AttentionSpec additive = spec(R"({"algorithm": {"type": "efficient_additive"}})");
    const auto plan = planned(additive, tokens(97));
    const Trace trace = record(plan);
    double squares = 0, along = 0;
    for (const double number : stage(trace, "query_numbers_direction"))
        squares += number * number;
    EXPECT_NEAR(squares, 1, exact);
    const auto global = stage(trace, "global_query");
    for (Index c = 0; c < width; ++c)
        along += global[static_cast<std::size_t>(c)] * plan->inputs.parameters.at("w_global")[c];
    EXPECT_GT(along, 0);
    Inputs longer = plan->inputs, opposed = plan->inputs;
    for (Index token = 0; token < n; ++token)
        for (double& number : longer.query.row(token))
            number *= static_cast<double>(token + 1);
    for (double& number : longer.parameters.at("w_global").values())
        number *= 3;
    EXPECT_TRUE(near(run(additive, longer), run(plan), exact));
    for (double& number : opposed.parameters.at("w_global").values())
        number *= -1;
    const auto other = stage(record(planned(additive, opposed)), "global_query");
    for (std::size_t c = 0; c < other.size(); ++c)
        EXPECT_NEAR(other[c], -global[c], exact);
}

TEST(GlobalVectors, LeavePaddingOut) {
    const Inputs whole = tokens(92);
    Inputs other = whole;
    for (Index token = 6; token < n; ++token)
        std::ranges::fill(other.query.row(token), 50.0);
    for (const std::string algorithm : {"fastformer", "separable", "efficient_additive"}) {
        const AttentionSpec padded = spec(R"({"algorithm": {"type": ")" + algorithm +
                                          R"("}, "mask": {"type": "padding", "key_lengths": 6}})");
        const Numbers first = run(padded, whole), second = run(padded, other);
        const auto real = static_cast<std::size_t>(6 * width);
        EXPECT_TRUE(near(std::span(first.output).first(real), std::span(second.output).first(real), exact));
        for (Index i = 0; i < n; ++i) {
            const auto row = row_of(first.weights, i, n);
            EXPECT_NEAR(algorithm == "efficient_additive"
                            ? std::inner_product(row.begin(), row.end(), row.begin(), 0.0)
                            : total_of(row),
                        1, exact);
            for (std::size_t j = 6; j < static_cast<std::size_t>(n); ++j)
                EXPECT_EQ(row_of(first.weights, i, n)[j], 0);
        }
    }
}

// The mean of no token is 0: fastformer leaves each token its query, separable attention nothing.
TEST(GlobalVectors, OfPaddingAloneAreZero) {
    const Inputs inputs = tokens(96);
    for (const std::string algorithm : {"fastformer", "separable"}) {
        const Numbers numbers = run(spec(R"({"algorithm": {"type": ")" + algorithm +
                                         R"("}, "mask": {"type": "padding", "key_lengths": 0}})"),
                                    inputs);
        for (const double weight : numbers.weights)
            EXPECT_EQ(weight, 0);
        for (std::size_t at = 0; at < numbers.output.size(); ++at)
            EXPECT_EQ(numbers.output[at],
                      algorithm == "fastformer" ? inputs.query[static_cast<Index>(at)] : 0);
    }
}

TEST(GlobalVectors, AreRefusedWhereEachQuerySeesOtherKeys) {
    for (const std::string algorithm : {"fastformer", "separable", "efficient_additive"}) {
        EXPECT_THROW(planned(causal(R"({"type": ")" + algorithm + "\"}"), tokens(93)), Error);
        Inputs inputs = tokens(94);
        inputs.key = inputs.value = tokens(95).query;
        EXPECT_THROW(
            planned(spec(R"({"source": {"type": "cross"}, "algorithm": {"type": ")" + algorithm + "\"}}"),
                    inputs),
            Error);
    }
}

}  // namespace

}  // namespace headlight::invariants_memories_test

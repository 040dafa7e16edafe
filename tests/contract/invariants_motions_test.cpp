// What states with momentum or a fading for each channel promise, and maps of squares and of lengths.

#include "tests/support/causal_runs.h"
#include "tests/support/map_rows.h"
#include "tests/support/self_attention.h"

namespace headlight::invariants_motions_test {

using namespace test;

namespace {

constexpr Index n = 11, width = 6;
constexpr double exact = 1e-12;

Inputs tokens(std::uint64_t seed, Index count = n) { return self_attention::tokens(count, width, seed); }

// Momentum.

TEST(MomentumDelta, WithoutMotionIsTheGatedDeltaRule) {
    Inputs inputs = tokens(30);
    set_number(inputs, "step", 0);
    const AttentionSpec gated = causal(R"({"type": "gated_delta"})");
    inputs.parameters =
        planned(causal(R"({"type": "momentum_delta", "balanced": false})"), inputs)->inputs.parameters;
    inputs.parameters["b_mu"] = Tensor({1}, 900.0);
    const Numbers expected = run(gated, inputs);
    EXPECT_TRUE(
        near(run(causal(R"({"type": "momentum_delta", "balanced": false})"), inputs), expected, exact));
    EXPECT_TRUE(
        near(run(causal(R"({"type": "momentum_delta", "balanced": false, "momentum": false})"), inputs),
             expected, exact));
    inputs.parameters["b_mu"] = Tensor({1}, 0.0);
    EXPECT_FALSE(
        near(run(causal(R"({"type": "momentum_delta", "balanced": false})"), inputs), expected, 1e-3));
}

// M <- μ M + η k (v − α Sᵀ k)ᵀ, S <- α S + β M (Huang et al. 2026).
TEST(MomentumDelta, FollowsItsRecurrence) {
    Inputs inputs = tokens(31);
    inputs.parameters["balance"] = Tensor({1}, 0.4);
    const auto plan = planned(causal(R"({"type": "momentum_delta"})"), inputs);
    const Trace trace = record(plan);
    const auto output = run(plan).output, beta = stage(trace, "write_strengths"),
               eta = stage(trace, "momentum_steps"), mu = stage(trace, "momentum_gates"),
               logs = stage(trace, "log_gates");
    const Tensor& x = plan->inputs.query;
    Tensor state({width, width}), motion({width, width});
    for (Index t = 0; t < n; ++t) {
        const auto at = static_cast<std::size_t>(t);
        const double alpha = std::exp(logs[at]);
        EXPECT_LT(alpha + beta[at], 1) << "cos² and sin² bound them";
        double length = 0;
        for (Index a = 0; a < width; ++a)
            length += x(t, a) * x(t, a);
        length = std::sqrt(length);
        for (Index c = 0; c < width; ++c) {
            double error = x(t, c), read = 0;
            for (Index a = 0; a < width; ++a)
                error -= alpha * x(t, a) / length * state(a, c);
            for (Index a = 0; a < width; ++a) {
                motion(a, c) = mu[at] * motion(a, c) + eta[at] * x(t, a) / length * error;
                state(a, c) = alpha * state(a, c) + beta[at] * motion(a, c);
                read += x(t, a) / std::sqrt(static_cast<double>(width)) * state(a, c);
            }
            EXPECT_NEAR(output[static_cast<std::size_t>(t * width + c)], read, exact) << t;
        }
    }
}

TEST(MomentumDelta, BoundsItsGatesByTheAngleOfItsStep) {
    for (const double balance : {-3.0, 0.0, 2.0})
        for (const double step : {-0.8, 0.0, 0.8}) {
            Inputs inputs = tokens(32);
            inputs.parameters["balance"] = Tensor({1}, balance);
            set_number(inputs, "step", step);
            set_number(inputs, "beta", 60);
            set_number(inputs, "dt", -60);
            const Trace trace = record(planned(causal(R"({"type": "momentum_delta"})"), inputs));
            const double theta = std::atan((1 + std::tanh(step)) * std::exp(balance));
            EXPECT_NEAR(stage(trace, "write_strengths")[0], std::pow(std::sin(theta), 2), exact);
            EXPECT_NEAR(std::exp(stage(trace, "log_gates")[0]), std::pow(std::cos(theta), 2), exact);
        }
}

// Channels.

TEST(SelectiveScan, WhoseChannelsAndStatesFadeAlikeIsMamba2) {
    for (const std::string mask : {"causal", "none"}) {
        Inputs inputs = tokens(40);
        set_number(inputs, "dt", 0.3);
        inputs.parameters["A_log"] = Tensor({1}, -0.7);
        const auto with_mask = [&](const std::string& algorithm) {
            return spec(R"({"algorithm": {"type": ")" + algorithm + "\"}" +
                        (mask == "none" ? "}" : R"(, "mask": {"type": "causal"}})"));
        };
        const Numbers expected = run(with_mask("state_space"), inputs);
        inputs.parameters["W_dt"] = Tensor({width, width});
        inputs.parameters["b_dt"] = Tensor({width}, 0.3);
        inputs.parameters["A_log"] = Tensor({width, width}, -0.7);
        EXPECT_TRUE(near(run(with_mask("selective_scan"), inputs), expected, exact)) << mask;
    }
}

// s <- e^(−Δ a) s + Δ k v_c, o_c = q · s (Gu and Dao 2024).
TEST(SelectiveScan, FollowsItsRecurrence) {
    const auto plan = planned(causal(R"({"type": "selective_scan"})"), tokens(41));
    const auto output = run(plan).output, steps = stage(record(plan), "channel_steps");
    const Tensor &x = plan->inputs.query, &logs = plan->parameter("A_log");
    Tensor states({width, width});
    for (Index t = 0; t < n; ++t)
        for (Index c = 0; c < width; ++c) {
            const double step = steps[static_cast<std::size_t>(t * width + c)];
            double read = 0;
            for (Index s = 0; s < width; ++s) {
                states(c, s) =
                    std::exp(-step * std::exp(logs(c, s))) * states(c, s) + step * x(t, s) * x(t, c);
                read += x(t, s) * states(c, s);
            }
            EXPECT_NEAR(output[static_cast<std::size_t>(t * width + c)], read, exact) << t << ", " << c;
        }
}

// The mean of the channels' maps is the map where all channels of the values are one.
TEST(SelectiveScan, ShowsTheMeanOfItsMaps) {
    Inputs inputs = tokens(42);
    RandomEngine random(43);
    inputs.key = random_tensor({n, width}, random);
    const Tensor value = random_tensor({n, 1}, random);
    inputs.value = Tensor({n, width});
    for (Index t = 0; t < n; ++t)
        for (Index c = 0; c < width; ++c)
            (*inputs.value)(t, c) = value(t, 0);
    const Numbers numbers = run(spec(R"({"source": {"type": "cross"}, "algorithm": {"type": "selective_scan"},
                                         "mask": {"type": "causal"}})"),
                                inputs);
    for (Index i = 0; i < n; ++i) {
        double expected = 0;
        for (Index j = 0; j < n; ++j)
            expected += row_of(numbers.weights, i, n)[static_cast<std::size_t>(j)] * value(j, 0);
        EXPECT_NEAR(total_of(row_of(numbers.output, i, width)) / static_cast<double>(width), expected, exact)
            << i;
    }
}

TEST(SelectiveScan, BehindAClosedGateKeepsItsDigits) {
    Inputs inputs = tokens(44);
    inputs.parameters["W_dt"] = Tensor({width, width});
    inputs.parameters["b_dt"] = Tensor({width}, 0.0);
    for (Index c = 0; c < width; ++c)
        inputs.parameters["W_dt"](0, c) = 1;
    for (Index t = 0; t < n; ++t)
        inputs.query(t, 0) = t == 4 ? 1e6 : 0;
    inputs.parameters["A_log"] = Tensor({width, width});
    const auto weights = run(causal(R"({"type": "selective_scan"})"), inputs).weights;
    const Tensor products = product(inputs.query, transposed(inputs.query));
    const double step = std::log(2.0);
    for (Index j = 5; j < n; ++j) {
        const double expected = products(n - 1, j) * step * std::exp(-step * static_cast<double>(n - 1 - j));
        EXPECT_NEAR(row_of(weights, n - 1, n)[static_cast<std::size_t>(j)], expected, exact) << j;
    }
    for (Index j = 0; j < 4; ++j)
        EXPECT_EQ(row_of(weights, n - 1, n)[static_cast<std::size_t>(j)], 0) << j;
}

// Squares and lengths in the place of a softmax.

double silu(double x) { return x / (1 + std::exp(-x)); }

TEST(GatedUnit, WeighsEachPairByItselfAndOpensWhatComesOut) {
    Inputs inputs = tokens(50);
    inputs.parameters["gamma_q"] = Tensor({width}, 1.5);
    inputs.parameters["beta_k"] = Tensor({width}, -0.2);
    const auto plan = planned(causal(R"({"type": "gau"})"), inputs);
    const Numbers numbers = run(plan);
    const Tensor &x = plan->inputs.query, &to_gate = plan->parameter("W_u");
    for (Index i = 0; i < n; ++i) {
        std::vector<double> attended(static_cast<std::size_t>(width), 0.0);
        for (Index j = 0; j < n; ++j) {
            double score = 0;
            for (Index c = 0; c < width; ++c)
                score += 1.5 * silu(x(i, c)) * (silu(x(j, c)) - 0.2) / static_cast<double>(n);
            const double weight = j <= i ? std::pow(std::max(score, 0.0), 2) : 0;
            EXPECT_NEAR(row_of(numbers.weights, i, n)[static_cast<std::size_t>(j)], weight, exact)
                << i << ", " << j;
            for (Index c = 0; c < width; ++c)
                attended[static_cast<std::size_t>(c)] += weight * silu(x(j, c));
        }
        for (Index c = 0; c < width; ++c) {
            double gate = 0;
            for (Index a = 0; a < width; ++a)
                gate += x(i, a) * to_gate(a, c);
            EXPECT_NEAR(row_of(numbers.output, i, width)[static_cast<std::size_t>(c)],
                        attended[static_cast<std::size_t>(c)] * silu(gate), exact);
        }
    }
}

TEST(GatedUnit, DividesBeforeTheSquare) {
    Inputs inputs = tokens(51);
    const auto by_keys = run(causal(R"({"type": "gau"})"), inputs).weights,
               by_one = run(causal(R"({"type": "gau", "length": 1})"), inputs).weights;
    for (std::size_t i = 0; i < by_keys.size(); ++i)
        EXPECT_NEAR(by_one[i], static_cast<double>(n * n) * by_keys[i], 1e-10);
}

TEST(UnitLengths, KnowNoSizesOfValuesAndNoCopiesOfTheText) {
    const Inputs inputs = tokens(52);
    const AttentionSpec ufo = unmasked(R"({"type": "ufo"})");
    const Numbers once = run(ufo, inputs);
    const Numbers twice = run(ufo, {.query = stacked(inputs.query, inputs.query)});
    EXPECT_TRUE(near(std::span(twice.output).first(once.output.size()), once.output, exact));
    const AttentionSpec crossed = spec(R"({"source": {"type": "cross"}, "algorithm": {"type": "ufo"}})");
    for (const double size : {1e-200, 1e-3, 1e200}) {
        Inputs other{.query = inputs.query, .key = inputs.query, .value = inputs.query};
        for (double& number : other.value->values())
            number *= size;
        EXPECT_TRUE(near(run(crossed, other).output, once.output, exact)) << size;
    }
}

TEST(UnitLengths, GiveRowsOfLengthGammaAndAMapOfTheValues) {
    Inputs inputs = tokens(53);
    inputs.parameters["gamma_x"] = Tensor({1}, 1.7);
    const auto plan = planned(unmasked(R"({"type": "ufo"})"), inputs);
    const Trace trace = record(plan);
    for (const std::string name : {"unit_key_values", "xnorm_query"}) {
        const auto rows = stage(trace, name);
        for (Index row = 0; row < std::ssize(rows) / width; ++row) {
            double square = 0;
            for (const double number : row_of(rows, row, width))
                square += number * number;
            EXPECT_NEAR(square, 1.7 * 1.7, exact) << name << ", " << row;
        }
    }
    const auto weights = stage(trace, "weights");
    const Tensor map({n, n}, {weights.begin(), weights.end()});
    EXPECT_TRUE(near(run(plan).output, product(map, inputs.query).values(), exact));
}

TEST(UnitLengths, OfZerosGiveNothing) {
    Inputs inputs = tokens(54);
    for (Index t = 0; t < n; ++t)
        inputs.query(t, 2) = 0;
    for (Index c = 0; c < width; ++c)
        inputs.query(3, c) = 0;
    const Numbers numbers = run(unmasked(R"({"type": "ufo"})"), inputs);
    for (const double number : numbers.output)
        EXPECT_TRUE(std::isfinite(number));
    for (const double weight : row_of(numbers.weights, 3, n))
        EXPECT_EQ(weight, 0);
}

// A Gaussian kernel.

Numbers with_landmarks(const Inputs& inputs, Index landmarks, double ridge) {
    return run(unmasked(R"({"type": "kernel_landmarks", "landmarks": )" + std::to_string(landmarks) +
                        R"(, "lambda": )" + std::to_string(ridge) + "}"),
               inputs);
}

TEST(KernelLandmarks, OfAllTokensAreTheKernel) {
    const Inputs inputs = tokens(60);
    const auto weights = with_landmarks(inputs, n, 1e-4).weights;
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) {
            double square = 0;
            for (Index c = 0; c < width; ++c)
                square += std::pow(inputs.query(i, c) - inputs.query(j, c), 2);
            EXPECT_NEAR(row_of(weights, i, n)[static_cast<std::size_t>(j)],
                        std::exp(-square / (2 * std::sqrt(static_cast<double>(width)))), 1e-4);
        }
}

TEST(KernelLandmarks, MakeAMapThatIsItsOwnTransposeWhereQueriesAreKeys) {
    const auto weights = with_landmarks(tokens(61), 3, 0.01).weights;
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < i; ++j)
            EXPECT_NEAR(row_of(weights, i, n)[static_cast<std::size_t>(j)],
                        row_of(weights, j, n)[static_cast<std::size_t>(i)], 1e-10);
}

TEST(KernelLandmarks, FarFromAllKeysGiveNothing) {
    RandomEngine random(62);
    Inputs inputs{.query = random_tensor({n, width}, random),
                  .key = random_tensor({n, width}, random),
                  .value = random_tensor({n, width}, random)};
    for (double& number : inputs.key->values())
        number += 1e3;
    const Numbers numbers =
        run(spec(R"({"source": {"type": "cross"}, "algorithm": {"type": "kernel_landmarks"}})"), inputs);
    for (const double weight : numbers.weights)
        EXPECT_EQ(weight, 0);
}

TEST(KernelLandmarks, LookAtNoPadding) {
    Inputs inputs = tokens(63), others = inputs;
    const AttentionSpec crossed =
        spec(R"({"source": {"type": "cross"}, "algorithm": {"type": "kernel_landmarks"},
                                           "mask": {"type": "padding", "key_lengths": 5}})");
    inputs.key = inputs.value = inputs.query;
    others = inputs;
    for (Index t = 5; t < n; ++t)
        (*others.key)(t, 1) = (*others.value)(t, 1) = 40;
    const Numbers numbers = run(crossed, inputs);
    EXPECT_TRUE(near(run(crossed, others), numbers, exact));
    for (Index i = 0; i < n; ++i)
        for (Index j = 5; j < n; ++j)
            EXPECT_EQ(row_of(numbers.weights, i, n)[static_cast<std::size_t>(j)], 0);
}

}  // namespace
}  // namespace headlight::invariants_motions_test

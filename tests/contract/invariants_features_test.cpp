// Invariant 30: features of queries and keys, maps of low rank, and maps of features.

#include "core/tensor/error.h"
#include "tests/reference/linear_mixers.h"
#include "tests/support/mixer_runs.h"

#include <numeric>

namespace headlight::invariants_features_test {

using namespace test;
using namespace test::mixers;

namespace {

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

/// The causal softmax of the cosines of queries and keys over τ².
std::vector<double> softmax_of_cosines(const Inputs& inputs, double tau) {
    std::vector<double> weights(static_cast<std::size_t>(n * n), 0.0);
    const auto product_of = [](std::span<const double> x, std::span<const double> y) {
        return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
    };
    for (Index i = 0; i < n; ++i) {
        const auto query = inputs.query.row(i);
        double sum = 0;
        for (Index j = 0; j <= i; ++j) {
            const auto key = inputs.key->row(j);
            const double cosine =
                product_of(query, key) / std::sqrt(product_of(query, query) * product_of(key, key));
            sum += weights[static_cast<std::size_t>(i * n + j)] = std::exp(cosine / (tau * tau));
        }
        for (Index j = 0; j <= i; ++j)
            weights[static_cast<std::size_t>(i * n + j)] /= sum;
    }
    return weights;
}

// Peng et al. 2021: sixteen times as many directions have a quarter of the error.
TEST(Invariant30, MoreWavesComeNearerToTheSoftmaxOfCosines) {
    RandomEngine random(31);
    const Inputs inputs = three_sequences(random);
    const auto exact = softmax_of_cosines(inputs, 1.5);
    const auto error = [&](const std::string& features) {
        double sum = 0;
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const auto got =
                run(crossed(mixer(R"({"type": "fourier_features", "temperature": 1.5, "features": )" +
                                  features + "}")),
                    inputs, seed)
                    .weights;
            for (std::size_t i = 0; i < got.size(); ++i)
                sum += (got[i] - exact[i]) * (got[i] - exact[i]);
        }
        return std::sqrt(sum / 20);
    };
    const double few = error("64"), many = error("1024");
    EXPECT_GT(few / many, 2.5);
    EXPECT_LT(few / many, 6.5);
    EXPECT_LT(many, 0.1);
}

// The gate by itself: (1 − g) g^(i − j) of a gate that all tokens have.
TEST(Invariant30, RecencyOfRandomFeaturesIsThatOfTheGate) {
    RandomEngine random(32);
    Inputs inputs = three_sequences(random);
    const auto plain = run(crossed(mixer(R"({"type": "fourier_features"})")), inputs).weights;
    const auto gated = [&](double raw) {
        inputs.parameters["W_recency"] = Tensor({width, 1});
        inputs.parameters["b_recency"] = Tensor({1}, raw);
        return run(crossed(mixer(R"({"type": "fourier_features", "gated": true})")), inputs).weights;
    };
    const double gate = 1 / (1 + std::exp(-0.4));
    std::vector<double> expected = plain;
    for (Index i = 0; i < n; ++i) {
        double sum = 0;
        for (Index j = 0; j <= i; ++j)
            sum += expected[static_cast<std::size_t>(i * n + j)] *= std::pow(gate, i - j);
        for (Index j = 0; j <= i; ++j)
            expected[static_cast<std::size_t>(i * n + j)] /= sum;
    }
    EXPECT_TRUE(near(gated(0.4), expected, 1e-11));
    EXPECT_TRUE(near(gated(800), plain, 1e-11)) << "a mean that never fades";
    EXPECT_TRUE(near(gated(-800), identity(n).values(), 1e-11)) << "only the newest token";
}

TEST(Invariant30, FeaturesOfWavesHaveTheLengthOne) {
    RandomEngine random(33);
    const Trace trace = record(
        planned(crossed(mixer(R"({"type": "fourier_features", "features": 7})")), three_sequences(random)));
    const auto features = stage(trace, "query_features");
    for (Index i = 0; i < n; ++i) {
        const auto row = std::span(features).subspan(static_cast<std::size_t>(i * 14), 14);
        EXPECT_NEAR(std::inner_product(row.begin(), row.end(), row.begin(), 0.0), 1, 1e-12);
    }
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

AttentionSpec through_chosen(Index points, const std::string& more = "") {
    return mixer(R"({"type": "agent", "points": "orthogonal", "agents": )" + std::to_string(points) + "}",
                 more);
}

// Patrick et al. 2021: of queries along six axes those of six different ones.
TEST(Invariant30, ChosenQueriesAreAtRightAnglesWhereThereAreSuch) {
    Inputs inputs{.query = Tensor({n, width}, 0.0)};
    for (Index i = 0; i < n; ++i)
        inputs.query(i, i * 5 % width) = i % 2 == 0 ? 1 + static_cast<double>(i) : -0.5;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto plan = planned(through_chosen(width), inputs, seed);
        const auto points = as_tensor(stage(record(plan), "agents"), width);
        for (Index r = 0; r < width; ++r)
            for (Index other = 0; other < width; ++other)
                EXPECT_EQ(product(points, transposed(points))(r, other) != 0, r == other) << seed;
    }
}

TEST(Invariant30, AllQueriesChosenAreAsManyAgents) {
    RandomEngine random(30);
    const Inputs inputs = three_sequences(random);
    EXPECT_TRUE(
        near(run(crossed(through_chosen(64)), inputs), run(through_points("agent", 64), inputs), 1e-12));
}

TEST(Invariant30, NoPaddingIsChosen) {
    RandomEngine random(30);
    Inputs inputs{.query = random_tensor({n, width}, random)};
    const std::string padding = R"(, "mask": {"type": "padding", "key_lengths": 7})";
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto chosen =
            stage(record(planned(through_chosen(7, padding), inputs, seed)), "chosen_queries");
        for (Index query = 0; query < n; ++query) {
            double times = 0;
            for (Index point = 0; point < 7; ++point)
                times += chosen[static_cast<std::size_t>(point * n + query)];
            EXPECT_EQ(times, query < 7 ? 1 : 0) << seed;
        }
    }
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

}  // namespace headlight::invariants_features_test

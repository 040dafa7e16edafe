// Invariant 8, and what the formulas of those scores promise that are components: beside
// invariants_scores_test.cpp.

#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"

#include <numeric>

namespace headlight::invariants_score_formulas_test {

using namespace test;

namespace {

constexpr double exact = 1e-12;

std::string type(const std::string& word, const std::string& more = "") {
    return R"("score": {"type": ")" + word + "\"" + (more.empty() ? "" : ", " + more) + "}";
}

AttentionSpec cross(const std::string& rest) {
    return spec(R"({"source": {"type": "cross"}, )" + rest + "}");
}

struct ScoreComponents : testing::Test {
    RandomEngine random{43};
    Inputs inputs{.query = random_tensor({4, 6}, random),
                  .key = random_tensor({5, 6}, random),
                  .value = random_tensor({5, 3}, random)};

    Trace recorded(const std::string& rest, const Inputs& given) const {
        return record(planned(cross(rest), given));
    }
    Numbers attend(const std::string& rest, const Inputs& given) const { return run(cross(rest), given); }
    Numbers attend(const std::string& rest) const { return attend(rest, inputs); }
    Inputs with(std::map<std::string, Tensor> parameters) const {
        Inputs given = inputs;
        given.parameters = std::move(parameters);
        return given;
    }
    std::map<std::string, Tensor> additive_parameters() {
        return {{"W_1", random_tensor({6, 7}, random)},
                {"W_2", random_tensor({6, 7}, random)},
                {"b", random_tensor({7}, random)},
                {"v", random_tensor({7}, random)}};
    }
};

Tensor scaled(Tensor tensor, double factor) {
    for (double& x : tensor.values())
        x *= factor;
    return tensor;
}

Tensor with_length(Tensor rows, double length) {
    for (Index r = 0; r < rows.rows(); ++r) {
        double squares = 0;
        for (const double x : rows.row(r))
            squares += x * x;
        for (double& x : rows.row(r))
            x *= length / std::sqrt(squares);
    }
    return rows;
}

// |q - k|^2 = |q|^2 - 2 q . k + |k|^2, and |q|^2 is the same for the whole row.
TEST_F(ScoreComponents, Invariant08_GaussianEqualsDotWithAPenaltyOnLongKeys) {
    const double sigma = 0.8;
    Inputs dot = inputs;
    Tensor penalty({5, 1});
    for (Index key = 0; key < 5; ++key)
        for (const double x : inputs.key->row(key))
            penalty(key, 0) -= x * x / (2 * sigma * sigma);
    dot.query = side_by_side(scaled(inputs.query, 1 / (sigma * sigma)), Tensor({4, 1}, 1.0));
    dot.key = side_by_side(*inputs.key, penalty);
    EXPECT_TRUE(near(attend(type("gaussian", R"("sigma": 0.8)")), attend(type("dot"), dot), exact));
}

TEST_F(ScoreComponents, Invariant08_OnKeysOfOneLengthGaussianIsDot) {
    inputs.key = with_length(*inputs.key, 1.5);
    Inputs dot = inputs;
    dot.query = scaled(inputs.query, 1 / 4.0);
    EXPECT_TRUE(near(attend(type("gaussian", R"("sigma": 2)")), attend(type("dot"), dot), exact));
}

TEST_F(ScoreComponents, EuclideanIsAGaussianOfAWidthThatGrowsWithTheVectors) {
    const double sigma = std::sqrt(std::sqrt(6.0) / 2);
    EXPECT_TRUE(near(attend(type("euclidean")), attend(type("gaussian", R"("sigma": )" + Json(sigma).dump())),
                     exact));
}

// As flash kernels compute it: [2q, -1, -|q|^2] . [k, |k|^2, 1].
TEST_F(ScoreComponents, EuclideanIsAProductOfLongerVectors) {
    const auto squares = [](const Tensor& rows) {
        Tensor result({rows.rows(), 1});
        for (Index r = 0; r < rows.rows(); ++r)
            for (const double x : rows.row(r))
                result(r, 0) += x * x;
        return result;
    };
    Inputs longer = inputs;
    longer.query = scaled(side_by_side(side_by_side(scaled(inputs.query, 2), Tensor({4, 1}, -1.0)),
                                       scaled(squares(inputs.query), -1)),
                          1 / std::sqrt(6.0));
    longer.key = side_by_side(side_by_side(*inputs.key, squares(*inputs.key)), Tensor({5, 1}, 1.0));
    EXPECT_TRUE(near(attend(type("euclidean")), attend(type("dot"), longer), exact));
}

TEST_F(ScoreComponents, AFeatureOfNoScaleDoesNotCount) {
    Inputs fewer = inputs;
    for (Index key = 0; key < 5; ++key)
        for (const Index feature : {2, 4})
            (*fewer.key)(key, feature) = 0;
    const Tensor w({6}, std::vector<double>{0, 0, -800, 0, -800, 0});
    EXPECT_TRUE(near(attend(type("dimension_scale"), with({{"w_dimension", w}})).weights,
                     attend(type("scaled_dot"), fewer).weights, exact));
}

TEST_F(ScoreComponents, ManhattanIsZeroForEqualVectorsAndOtherwiseBelow) {
    inputs.key = rows_of(inputs.query, {0, 1, 2, 3, 0});
    const auto scores = stage(recorded(type("manhattan"), inputs), "scores");
    for (std::size_t query = 0; query < 4; ++query)
        for (std::size_t key = 0; key < 5; ++key) {
            if (key % 4 == query) {
                EXPECT_EQ(scores[query * 5 + key], 0);
            } else {
                EXPECT_LT(scores[query * 5 + key], 0);
            }
        }
}

TEST_F(ScoreComponents, ManhattanOfOneFeatureIsTheRootOfTheSquaredDistance) {
    inputs.query = random_tensor({4, 1}, random);
    inputs.key = random_tensor({5, 1}, random);
    const auto amounts = stage(recorded(type("manhattan"), inputs), "scores");
    const auto squares = stage(recorded(type("euclidean"), inputs), "scores");
    for (std::size_t pair = 0; pair < amounts.size(); ++pair)
        EXPECT_NEAR(amounts[pair] * amounts[pair], -squares[pair], exact);
}

TEST_F(ScoreComponents, ManhattanDoesNotSeeWhatAllVectorsShare) {
    Inputs moved = inputs;
    for (Index feature = 0; feature < 6; ++feature) {
        for (Index query = 0; query < 4; ++query)
            moved.query(query, feature) += static_cast<double>(feature) - 2.5;
        for (Index key = 0; key < 5; ++key)
            (*moved.key)(key, feature) += static_cast<double>(feature) - 2.5;
    }
    EXPECT_TRUE(near(attend(type("manhattan"), moved), attend(type("manhattan")), exact));
}

// cosh d = −⟨q, k⟩, the points (sinh a u, cosh a) being those of radius a and direction u.
TEST_F(ScoreComponents, HyperbolicIsTheDistanceOfTwoPointsOfTheHyperboloid) {
    const auto scores = stage(recorded(type("hyperbolic"), inputs), "scores");
    const auto point = [](std::span<const double> x) {
        const double radius = std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
        std::vector<double> place{std::cosh(radius)};
        for (const double each : x)
            place.push_back(std::sinh(radius) * each / radius);
        return place;
    };
    for (Index query = 0; query < 4; ++query)
        for (Index key = 0; key < 5; ++key) {
            const auto q = point(inputs.query.row(query)), k = point(inputs.key->row(key));
            const double product = std::inner_product(q.begin() + 1, q.end(), k.begin() + 1, -q[0] * k[0]);
            EXPECT_NEAR(scores[static_cast<std::size_t>(query * 5 + key)], -std::acosh(-product), 1e-10);
        }
}

TEST_F(ScoreComponents, HyperbolicIsAMetric) {
    inputs.key = stacked(inputs.query, inputs.query);
    inputs.value = *inputs.key;
    const auto scores = stage(recorded(type("hyperbolic"), inputs), "scores");
    const auto distance = [&](std::size_t i, std::size_t j) { return -scores[i * 8 + j]; };
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) {
            EXPECT_EQ(distance(i, i), 0);
            EXPECT_NEAR(distance(i, j), distance(j, i), exact);
            for (std::size_t k = 0; k < 4; ++k)
                EXPECT_LE(distance(i, j), distance(i, k) + distance(k, j) + exact);
        }
}

TEST_F(ScoreComponents, HyperbolicAlongOneRayIsTheDifferenceOfLengthsAndOppositeTheirSum) {
    inputs.query = Tensor({1, 6}, 0.0);
    inputs.query(0, 2) = 3;
    inputs.key = Tensor({5, 6}, 0.0);
    const std::vector<double> places{7, 3, 0, -2, -1000};
    for (Index key = 0; key < 5; ++key)
        (*inputs.key)(key, 2) = places[static_cast<std::size_t>(key)];
    const auto scores = stage(recorded(type("hyperbolic"), inputs), "scores");
    EXPECT_TRUE(near(scores, std::vector<double>{-4, 0, -3, -5, -303}, exact)) << "no radius is above 300";
}

TEST_F(ScoreComponents, HyperbolicOfShortVectorsIsTheFlatDistance) {
    inputs.query = scaled(inputs.query, 1e-4);
    inputs.key = scaled(*inputs.key, 1e-4);
    const auto curved = stage(recorded(type("hyperbolic"), inputs), "scores");
    const auto squares = stage(recorded(type("euclidean"), inputs), "scores");
    for (std::size_t pair = 0; pair < curved.size(); ++pair)
        EXPECT_NEAR(curved[pair], -std::sqrt(-squares[pair]), 1e-10);
}

TEST_F(ScoreComponents, BilinearPoolingWithoutAnActivationIsTheGeneralScoreOfLowRank) {
    const Tensor W_1 = random_tensor({6, 2}, random), W_2 = random_tensor({6, 2}, random),
                 v = random_tensor({2}, random);
    Tensor W({6, 6});
    for (Index i = 0; i < 6; ++i)
        for (Index j = 0; j < 6; ++j)
            for (Index a = 0; a < 2; ++a)
                W(i, j) += W_1(i, a) * v[a] * W_2(j, a);
    EXPECT_TRUE(near(attend(type("bilinear_pooling", R"("activation": "identity")"),
                            with({{"W_1", W_1}, {"W_2", W_2}, {"v", v}})),
                     attend(type("general"), with({{"W", W}})), exact));
}

/// Numbers of one bell that every query says: height, width and step before their functions.
std::map<std::string, Tensor> one_bell(double height, double width, double step) {
    return {{"W_window", Tensor({6, 3})},
            {"b_window", Tensor({3}, std::vector<double>{height, width, step})}};
}

TEST_F(ScoreComponents, AGaussianWindowWalksAndKnowsNoContent) {
    const std::string window = type("gaussian_window", R"("bells": 1)");
    const auto steady = stage(recorded(window, with(one_bell(std::log(2.0), std::log(0.5), 0))), "scores");
    for (std::size_t query = 0; query < 4; ++query)
        for (std::size_t key = 0; key < 5; ++key) {
            const double away = static_cast<double>(query) - static_cast<double>(key);
            EXPECT_NEAR(steady[query * 5 + key], 2 * std::exp(-0.5 * away * away), exact);
        }
    const auto still = stage(recorded(window, with(one_bell(0, 0, -800))), "window_centres");
    EXPECT_EQ(still, std::vector<double>(4, 0.0)) << "a step of next to nothing";
    const std::string drawn = type("gaussian_window");
    Inputs other = inputs;
    other.key = random_tensor({5, 6}, random);
    const auto scores = stage(recorded(drawn, inputs), "scores");
    EXPECT_EQ(stage(recorded(drawn, other), "scores"), scores);
    const auto centres = stage(recorded(drawn, inputs), "window_centres");
    for (std::size_t at = 3; at < centres.size(); ++at)
        EXPECT_GE(centres[at], centres[at - 3]) << "no bell goes back";
}

TEST_F(ScoreComponents, DensitiesOfAWindowSumToOneOverALongText) {
    inputs.key = random_tensor({400, 6}, random);
    inputs.value = random_tensor({400, 3}, random);
    inputs.parameters = {{"W_window", scaled(random_tensor({6, 6}, random), 0.1)},
                         {"b_window", Tensor({6}, std::vector<double>{0, 0, 6, 6, 50, 50})}};
    const auto scores =
        stage(recorded(type("gaussian_window", R"("bells": 2, "form": "density")"), inputs), "scores");
    for (std::size_t query = 0; query < 4; ++query)
        EXPECT_NEAR(std::accumulate(scores.begin() + static_cast<std::ptrdiff_t>(query * 400),
                                    scores.begin() + static_cast<std::ptrdiff_t>((query + 1) * 400), 0.0),
                    1, 1e-6);
}

TEST_F(ScoreComponents, CosineHasNoEyeForLengthAndAStrengthOfZeroIsUniform) {
    Inputs longer = inputs;
    longer.query = scaled(inputs.query, 7);
    longer.key = scaled(*inputs.key, 0.01);
    EXPECT_TRUE(near(attend(type("cosine"), longer).weights, attend(type("cosine")).weights, exact));
    EXPECT_TRUE(near(attend(type("cosine", R"("beta": 0)")).weights, std::vector<double>(20, 0.2), exact));
    EXPECT_TRUE(
        near(attend(type("scaled_cosine")).weights, attend(type("cosine", R"("beta": 10)")).weights, exact));
    const Inputs sharp = with({{"log_tau", Tensor({1}, 9.0)}});
    EXPECT_TRUE(near(attend(type("scaled_cosine"), sharp).weights,
                     attend(type("cosine", R"("beta": 100)")).weights, exact));
}

TEST_F(ScoreComponents, QueryAndKeyNormsAreCosines) {
    const std::string root = Json(std::sqrt(6.0)).dump();
    EXPECT_TRUE(near(attend(type("scaled_dot", R"("vector_norm": "rms")")),
                     attend(type("cosine", R"("beta": )" + root)), 1e-5));
    EXPECT_TRUE(
        near(attend(type("dot", R"("vector_norm": "l2")")), attend(type("cosine", R"("beta": 1)")), exact));
    Inputs longer = inputs;
    longer.query = scaled(inputs.query, 50);
    for (const std::string norm : {"l2", "layer", "rms"})
        EXPECT_TRUE(near(attend(type("scaled_dot", R"("vector_norm": ")" + norm + "\""), longer).weights,
                         attend(type("scaled_dot", R"("vector_norm": ")" + norm + "\"")).weights, 1e-4))
            << norm;
}

TEST_F(ScoreComponents, GainsScaleTheFeaturesOfNormalisedVectors) {
    const Inputs given = with({{"g_q", Tensor({6}, 3.0)}, {"g_k", Tensor({6}, 0.5)}});
    const Trace plain = recorded(type("dot", R"("vector_norm": "layer")"), inputs);
    const Trace gained = recorded(type("dot", R"("vector_norm": "layer")"), given);
    std::vector<double> expected = stage(plain, "scores");
    for (double& score : expected)
        score *= 1.5;
    EXPECT_TRUE(near(stage(gained, "scores"), expected, exact));
}

TEST_F(ScoreComponents, SoftcapKeepsTheOrderBoundsTheScoresAndSparesTheMask) {
    inputs.query = scaled(inputs.query, 30);
    const std::string mask = R"("mask": {"type": "causal"}, )";
    const Trace plain = recorded(mask + type("scaled_dot"), inputs);
    const Trace capped = recorded(mask + type("scaled_dot", R"("softcap": 3)"), inputs);
    const auto before = stage(plain, "scaled_scores"), after = stage(capped, "scaled_scores");
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_LE(std::abs(after[i]), 3);
        EXPECT_NEAR(after[i], 3 * std::tanh(before[i] / 3), exact);
    }
    const auto weights = stage(capped, "weights");
    for (Index query = 0; query < 4; ++query)
        for (Index key = query + 1; key < 5; ++key)
            EXPECT_EQ(weights[static_cast<std::size_t>(query * 5 + key)], 0);
    EXPECT_TRUE(near(attend(type("scaled_dot", R"("softcap": 1e9)")), attend(type("scaled_dot")), 1e-9));
}

TEST_F(ScoreComponents, NormalisedAdditiveKnowsTheDirectionOfVAlone) {
    auto parameters = additive_parameters();
    const Numbers before = attend(type("normalized_additive"), with(parameters));
    double squares = 0;
    for (const double x : parameters["v"].values())
        squares += x * x;
    auto longer = parameters;
    longer["v"] = scaled(parameters["v"], 10);
    EXPECT_TRUE(near(attend(type("normalized_additive"), with(longer)), before, exact));
    parameters["g"] = Tensor({1}, std::sqrt(squares));
    EXPECT_TRUE(near(attend(type("normalized_additive"), with(parameters)),
                     attend(type("additive", R"("bias": true)"), with(parameters)), exact));
}

TEST_F(ScoreComponents, KerasAddsWhereAdditiveProjects) {
    const Tensor v = random_tensor({6}, random);
    EXPECT_TRUE(near(attend(type("elementwise_additive"), with({{"v", v}})),
                     attend(type("additive"), with({{"W_1", identity(6)}, {"W_2", identity(6)}, {"v", v}})),
                     exact));
    const Inputs scaled_sum = with({{"s", Tensor({1}, 0.3)}, {"g", Tensor({1}, 2.0)}});
    const Inputs matrices =
        with({{"W_1", scaled(identity(6), 0.3)}, {"W_2", scaled(identity(6), 0.3)}, {"v", Tensor({6}, 2.0)}});
    EXPECT_TRUE(
        near(attend(type("elementwise_concat"), scaled_sum), attend(type("additive"), matrices), exact));
}

TEST_F(ScoreComponents, NetworkOfOneLayerIsConcatAndOfDifferencesToo) {
    const Tensor W = random_tensor({24, 7}, random), v = random_tensor({7}, random);
    const std::string one = R"("layers": 1, "attention_dimension": 7)";
    EXPECT_TRUE(near(
        attend(type("mlp", one + R"(, "features": "pair")"),
               with({{"W", rows_of(W, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})}, {"v", v}})),
        attend(type("concat"), with({{"W", rows_of(W, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})}, {"v", v}})),
        exact));
    // Without the rows of q ∘ k the difference is a query's and a key's part once more.
    Tensor no_product = W, of_query({6, 7}), of_key({6, 7});
    for (Index r = 0; r < 6; ++r)
        for (Index a = 0; a < 7; ++a) {
            no_product(18 + r, a) = 0;
            of_query(r, a) = W(r, a) + W(12 + r, a);
            of_key(r, a) = W(6 + r, a) - W(12 + r, a);
        }
    EXPECT_TRUE(near(attend(type("mlp", one), with({{"W", no_product}, {"v", v}})),
                     attend(type("additive"), with({{"W_1", of_query}, {"W_2", of_key}, {"v", v}})), exact));
}

TEST_F(ScoreComponents, TrilinearOfTheProductAloneIsDot) {
    Tensor w({18});
    std::fill(w.values().begin() + 12, w.values().end(), 1.0);
    EXPECT_TRUE(near(attend(type("trilinear"), with({{"w", w}})), attend(type("dot")), exact));
}

// Veličković's score ranks the keys alike for every query, Brody's need not.
TEST_F(ScoreComponents, GraphScoresAreStaticAndDynamic) {
    const auto favourites = [&](const Numbers& numbers) {
        std::vector<Index> list;
        for (auto row = numbers.weights.begin(); row != numbers.weights.end(); row += 5)
            list.push_back(std::max_element(row, row + 5) - row);
        return list;
    };
    const auto same = [](const std::vector<Index>& list) {
        return std::ranges::count(list, list.front()) == std::ssize(list);
    };
    inputs.query = scaled(inputs.query, 3);
    EXPECT_TRUE(same(favourites(attend(type("graph")))));
    EXPECT_TRUE(same(favourites(attend(type("linear")))));
    // Keys e_1 and e_2, and queries that switch one hidden unit or the other off.
    const Inputs given{.query = tensor(Json::parse("[[-9, 0], [0, -9]]")),
                       .key = tensor(Json::parse("[[1, 0], [0, 1]]")),
                       .value = tensor(Json::parse("[[1, 0], [0, 1]]")),
                       .parameters = {{"W_1", identity(2)}, {"W_2", identity(2)}, {"v", Tensor({2}, 1.0)}}};
    const std::vector<double> weights = run(cross(type("dynamic_graph")), given).weights;
    EXPECT_GT(weights[1], weights[0]);
    EXPECT_GT(weights[2], weights[3]);
}

TEST_F(ScoreComponents, LocationAndSynthesizersDoNotLookAtKeys) {
    Inputs permuted = inputs;
    permuted.key = rows_of(*inputs.key, {3, 1, 4, 0, 2});
    for (const std::string word : {"location", "dense_synthesizer", "random_synthesizer"})
        EXPECT_EQ(attend(type(word), permuted).weights, attend(type(word)).weights) << word;
    Inputs other = inputs;
    other.query = scaled(inputs.query, -1);
    EXPECT_EQ(attend(type("random_synthesizer"), other).weights, attend(type("random_synthesizer")).weights);
    EXPECT_NE(attend(type("dense_synthesizer"), other).weights, attend(type("dense_synthesizer")).weights);
}

TEST_F(ScoreComponents, FactorsMakeTheMatrixOfARandomSynthesizer) {
    const Tensor R_1 = random_tensor({4, 2}, random), R_2 = random_tensor({5, 2}, random);
    EXPECT_TRUE(near(attend(type("random_synthesizer", R"("rank": 2)"), with({{"R_1", R_1}, {"R_2", R_2}})),
                     attend(type("random_synthesizer"), with({{"R", product(R_1, transposed(R_2))}})),
                     exact));
}

TEST_F(ScoreComponents, HistoriesThatNobodyListensToAreAdditive) {
    auto parameters = additive_parameters();
    parameters["w_c"] = Tensor({7}, 0.0);
    parameters["U"] = Tensor({4, 7}, 0.0);
    const Numbers additive = attend(type("additive"), with(parameters));
    EXPECT_TRUE(near(attend(type("coverage"), with(parameters)), additive, exact));
    EXPECT_TRUE(near(attend(type("location_aware"), with(parameters)), additive, exact));
}

TEST_F(ScoreComponents, CoverageIsWhatTheRowsBeforeGaveAndItsLossTheOverlap) {
    const Trace trace = recorded(type("coverage"), inputs);
    const auto weights = stage(trace, "weights"), coverage = stage(trace, "coverage");
    const auto loss = stage(trace, "coverage_loss");
    std::vector<double> sum(5, 0.0);
    for (std::size_t query = 0; query < 4; ++query) {
        double overlap = 0;
        for (std::size_t key = 0; key < 5; ++key) {
            EXPECT_NEAR(coverage[query * 5 + key], sum[key], exact);
            overlap += std::min(weights[query * 5 + key], sum[key]);
            sum[key] += weights[query * 5 + key];
        }
        EXPECT_NEAR(loss[query], overlap, exact);
    }
    EXPECT_NEAR(std::accumulate(sum.begin(), sum.end(), 0.0), 4, exact);
}

TEST_F(ScoreComponents, LocationAwareSeesTheRowBefore) {
    const Trace trace = recorded(type("location_aware", R"("filters": 1, "width": 3)"),
                                 with({{"F", tensor(Json::parse("[[0, 0, 1]]"))}}));
    const auto weights = stage(trace, "weights"), previous = stage(trace, "previous_weights");
    const auto features = stage(trace, "location_features");
    for (std::size_t query = 0; query < 4; ++query)
        for (std::size_t key = 0; key < 5; ++key) {
            const std::size_t cell = query * 5 + key;
            EXPECT_NEAR(previous[cell], query == 0 ? 0.2 : weights[cell - 5], exact);
            // This filter sees the key on the right: a shifted row gives shifted features.
            EXPECT_NEAR(features[cell], key == 4 ? 0 : previous[cell + 1], exact);
        }
}

TEST_F(ScoreComponents, HistoriesNeedFinishedRows) {
    for (const std::string word : {"coverage", "location_aware"})
        EXPECT_THROW(planned(spec(R"({"heads": {"type": "talking", "heads": 2}, )" + type(word) + "}"),
                             {.query = inputs.query}),
                     Error);
}

TEST_F(ScoreComponents, SelectiveErasesMoreAndMoreButNeverTheFirstNorItself) {
    const Inputs sequence{.query = random_tensor({7, 6}, random)};
    const AttentionSpec selective = spec(
        R"({"mask": {"type": "causal"}, "heads": {"type": "multi", "heads": 2}, )" + type("selective") + "}");
    const Trace trace = record(planned(selective, sequence));
    const auto erased = stage(trace, "erased"), erasures = stage(trace, "erasures");
    for (std::size_t query = 0; query < 7; ++query)
        for (std::size_t key = 0; key < 7; ++key) {
            const std::size_t cell = query * 7 + key;
            EXPECT_GE(erased[cell], query == 0 ? 0 : erased[cell - 7]);
            EXPECT_EQ(erased[49 + cell], erased[cell]) << "one gate for all heads";
            if (key == 0 || key >= query) {
                EXPECT_EQ(erasures[cell], 0);
            }
        }
}

TEST_F(ScoreComponents, SelectiveWithoutPositiveScoresIsScaledDot) {
    const auto positive = [](Tensor tensor) {
        for (double& x : tensor.values())
            x = std::abs(x);
        return tensor;
    };
    inputs.query = scaled(positive(inputs.query), -1);
    inputs.key = positive(*inputs.key);
    EXPECT_TRUE(near(attend(type("selective")), attend(type("scaled_dot")), exact));
}

TEST_F(ScoreComponents, MultiTokenWithADeltaIsScaledDot) {
    const Inputs delta = with({{"theta", tensor(Json::parse("[[0, 1, 0], [0, 0, 0]]"))}});
    EXPECT_TRUE(near(attend(type("multi_token"), delta), attend(type("scaled_dot")), exact));
}

}  // namespace

}  // namespace headlight::invariants_score_formulas_test

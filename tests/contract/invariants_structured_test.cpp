// What normalisers promise whose weights are chances of parts of a structure: a chain of choices, a tree of
// heads, a walk along the keys.

#include "tests/support/map_rows.h"
#include "tests/support/normalizer_rows.h"

#include <numeric>

namespace headlight::invariants_structured_test {

using namespace test;

namespace {

constexpr double exact = 1e-12;

/// Scores [n, m] of one's own choice.
Inputs scores_as_queries(const Tensor& scores) {
    return {.query = scores, .key = identity(scores.cols()), .value = identity(scores.cols())};
}

/// Calls visit(choices, how often each) for every way to choose one of `count` things `times` times.
void for_each_choice(std::size_t times, Index count, const auto& visit) {
    std::vector<Index> chosen(times, 0);
    while (true) {
        visit(chosen);
        std::size_t at = 0;
        while (at < times && ++chosen[at] == count)
            chosen[at++] = 0;
        if (at == times)
            return;
    }
}

const std::vector<double> row{0.3, -1.2, 2.1, 0.8, -0.4, 1.9};

/// Marginals by the sum over all choices; pairs[2 z + z'] counts neighbours.
std::vector<double> enumerated_chain(const std::vector<double>& scores, const std::vector<double>& pairs) {
    std::vector<double> chances(scores.size(), 0.0);
    double all = 0;
    for_each_choice(scores.size(), 2, [&](const std::vector<Index>& z) {
        double count = 0;
        for (std::size_t j = 0; j < z.size(); ++j) {
            count += static_cast<double>(z[j]) * scores[j];
            if (j + 1 < z.size())
                count += pairs[static_cast<std::size_t>(2 * z[j] + z[j + 1])];
        }
        all += std::exp(count);
        for (std::size_t j = 0; j < z.size(); ++j)
            chances[j] += z[j] == 1 ? std::exp(count) : 0;
    });
    for (double& chance : chances)
        chance /= all;
    return chances;
}

TEST(ChainOfChoices, IsTheSumOverAllChoices) {
    for (const double coupling : {-3.0, -0.5, 0.0, 1.0, 4.0})
        EXPECT_TRUE(near(normalized("chain", row, R"("coupling": )" + Json(coupling).dump()),
                         enumerated_chain(row, {0, 0, 0, coupling}), exact))
            << coupling;
}

TEST(ChainOfChoices, HasFourLearnedNumbersForTwoNeighbours) {
    Inputs inputs = scores_as_keys(row);
    const std::vector<double> pairs{0.4, -1.1, 0.9, 1.6};
    inputs.parameters["T_chain"] = Tensor({2, 2}, pairs);
    EXPECT_TRUE(near(run(normalized_by("chain", R"("coupling": -20)"), inputs).weights,
                     enumerated_chain(row, pairs), exact));
}

TEST(ChainOfChoices, WithoutACouplingIsTheSigmoid) {
    EXPECT_TRUE(near(normalized("chain", row, R"("coupling": 0)"), normalized("sigmoid", row, R"("bias": 0)"),
                     exact));
}

TEST(ChainOfChoices, IsPartedByAKeyThatMayNotBeSeen) {
    AttentionSpec spec = normalized_by("chain", R"("coupling": 2)");
    spec.mask = mask_from_json(Json::parse(R"({"type": "matrix", "allowed": [[1, 1, 0, 1, 1, 1]]})"), "mask");
    const std::vector<double> weights = run(spec, scores_as_keys(row)).weights;
    const auto left = normalized("chain", {row[0], row[1]}, R"("coupling": 2)"),
               right = normalized("chain", {row[3], row[4], row[5]}, R"("coupling": 2)");
    EXPECT_TRUE(near(std::span(weights).first(2), left, exact));
    EXPECT_EQ(weights[2], 0);
    EXPECT_TRUE(near(std::span(weights).subspan(3), right, exact));
}

TEST(ChainOfChoices, KeepsItsCouplingBesideHugeScores) {
    for (const double size : {1e6, 1e12, 1e300}) {
        const std::vector<double> weights = normalized("chain", {size, 0.3, -size}, R"("coupling": 1.5)");
        EXPECT_NEAR(weights[1], 1 / (1 + std::exp(-1.8)), exact) << size;
    }
}

/// The chances [n, n + 1] that each token hangs on each other one or the root, by the sum over all trees.
std::vector<double> enumerated_trees(const Tensor& scores, double root) {
    const Index n = scores.rows();
    std::vector<double> chances(static_cast<std::size_t>(n * (n + 1)), 0.0);
    double all = 0;
    for_each_choice(static_cast<std::size_t>(n), n + 1, [&](const std::vector<Index>& heads) {
        double count = 0;
        for (Index i = 0; i < n; ++i) {
            const Index head = heads[static_cast<std::size_t>(i)];
            count += head == n ? root : scores(i, head);
            Index at = i, steps = 0;
            while (at != n && steps++ <= n)
                at = heads[static_cast<std::size_t>(at)];
            if (at != n)
                return;
        }
        all += std::exp(count);
        for (Index i = 0; i < n; ++i)
            chances[static_cast<std::size_t>(i * (n + 1) + heads[static_cast<std::size_t>(i)])] +=
                std::exp(count);
    });
    for (double& chance : chances)
        chance /= all;
    return chances;
}

AttentionSpec trees(const std::string& more = "", const std::string& root = "0.5") {
    return spec(R"({"score": {"type": "dot"}, "normalizer": {"type": "tree", "root": )" + root + "}" + more +
                "}");
}

struct DependencyTrees : testing::Test {
    RandomEngine random{71};
    Inputs tokens(Index count) { return {.query = random_tensor({count, 3}, random)}; }
    /// x · y of all tokens.
    static Tensor products(const Tensor& x) {
        Tensor result({x.rows(), x.rows()});
        for (Index i = 0; i < x.rows(); ++i)
            for (Index j = 0; j < x.rows(); ++j)
                result(i, j) = std::inner_product(x.row(i).begin(), x.row(i).end(), x.row(j).begin(), 0.0);
        return result;
    }
};

TEST_F(DependencyTrees, AreTheSumOverAllTrees) {
    for (const Index n : {1, 2, 3, 5}) {
        const Inputs inputs = tokens(n);
        const Trace trace = record(planned(trees(), inputs));
        const auto weights = stage(trace, "weights"), of_root = stage(trace, "root_weights");
        const auto expected = enumerated_trees(products(inputs.query), 0.5);
        for (Index i = 0; i < n; ++i) {
            const auto all = row_of(expected, i, n + 1);
            EXPECT_TRUE(near(row_of(weights, i, n), all.first(static_cast<std::size_t>(n)), exact)) << n;
            EXPECT_NEAR(of_root[static_cast<std::size_t>(i)], all.back(), exact) << n;
        }
    }
}

TEST_F(DependencyTrees, RowsAndTheirRootSumToOneAndNobodyIsItsOwnHead) {
    const Trace trace = record(planned(trees(), tokens(7)));
    const auto weights = stage(trace, "weights"), of_root = stage(trace, "root_weights");
    double roots = 0;
    for (Index i = 0; i < 7; ++i) {
        EXPECT_NEAR(total_of(row_of(weights, i, 7)) + of_root[static_cast<std::size_t>(i)], 1, exact);
        EXPECT_EQ(weights[static_cast<std::size_t>(8 * i)], 0);
        roots += of_root[static_cast<std::size_t>(i)];
    }
    EXPECT_GE(roots, 1 - exact) << "every tree has a root";
}

TEST_F(DependencyTrees, OfACausalMapAreTheSoftmaxAndTheRoot) {
    const Inputs inputs = tokens(6);
    AttentionSpec sink = spec(R"({"score": {"type": "dot"}, "normalizer": {"type": "sink", "logit": 0.5}})");
    // Each token sees those before it and not itself.
    Json allowed = Json::array();
    for (Index i = 0; i < 6; ++i) {
        Json each = Json::array();
        for (Index j = 0; j < 6; ++j)
            each.push_back(j < i ? 1 : 0);
        allowed.push_back(each);
    }
    sink.mask = mask_from_json(Json{{"type", "matrix"}, {"allowed", allowed}}, "mask");
    EXPECT_TRUE(near(run(trees(R"(, "mask": {"type": "causal"})"), inputs), run(sink, inputs), exact));
}

TEST_F(DependencyTrees, OfAnotherSequenceAreTheSoftmaxAndTheRoot) {
    EXPECT_TRUE(near(run(normalized_by("tree", R"("root": 0.5)"), random_map(5, 5)),
                     run(normalized_by("sink", R"("logit": 0.5)"), random_map(5, 5)), exact));
}

TEST_F(DependencyTrees, TwoThatChooseEachOtherLeaveTheRootOne) {
    const Inputs inputs{.query = Tensor({2, 1}, 4.0)};  // each would take the other with 1 - 1e-7
    const Trace trace = record(planned(trees("", "0"), inputs));
    EXPECT_TRUE(near(stage(trace, "weights"), std::vector<double>{0, 0.5, 0.5, 0}, 1e-5));
    EXPECT_TRUE(near(stage(trace, "root_weights"), std::vector<double>{0.5, 0.5}, 1e-5));
}

TEST_F(DependencyTrees, AreFiniteWhateverTheScores) {
    for (const double size : {1e2, 1e10, 1e150}) {
        Inputs inputs = tokens(5);
        for (double& number : inputs.query.values())
            number *= size;
        for (const double weight : run(trees(), inputs).weights) {
            EXPECT_GE(weight, 0) << size;
            EXPECT_LE(weight, 1 + 1e-9) << size;
        }
    }
}

/// The forward attention of scores, by the sum over all walks that stay or go a key on.
std::vector<double> enumerated_walks(const Tensor& scores, Index query) {
    const Index m = scores.cols();
    std::vector<double> ends(static_cast<std::size_t>(m), 0.0);
    for_each_choice(static_cast<std::size_t>(query + 1), 2, [&](const std::vector<Index>& steps) {
        Index at = 0;
        double count = 0;
        for (Index t = 0; t <= query; ++t) {
            at += steps[static_cast<std::size_t>(t)];
            if (at >= m)
                return;
            count += scores(t, at);
        }
        ends[static_cast<std::size_t>(at)] += std::exp(count);
    });
    const double all = total_of(ends);
    for (double& each : ends)
        each /= all;
    return ends;
}

AttentionSpec walks(const std::string& rule) {
    return normalized_by("forward", R"("rule": ")" + rule + "\"");
}

TEST(ForwardAttention, IsTheSumOverAllWalks) {
    RandomEngine random(72);
    for (const Index keys : {1, 3, 9}) {
        const Tensor scores = random_tensor({6, keys}, random);
        const auto weights = run(walks("forward"), scores_as_queries(scores)).weights;
        for (Index query = 0; query < 6; ++query)
            EXPECT_TRUE(near(row_of(weights, query, keys), enumerated_walks(scores, query), exact));
    }
}

TEST(ForwardAttention, SeesNoKeyThatItHasNotReached) {
    RandomEngine random(73);
    const Tensor scores = random_tensor({5, 8}, random);
    for (const std::string rule : {"forward", "stepwise"}) {
        const auto weights = run(walks(rule), scores_as_queries(scores)).weights;
        for (Index query = 0; query < 5; ++query)
            for (Index key = 0; key < 8; ++key) {
                const double weight = weights[static_cast<std::size_t>(query * 8 + key)];
                if (key <= query + 1) {
                    EXPECT_GT(weight, 0) << rule;
                } else {
                    EXPECT_EQ(weight, 0) << rule;
                }
            }
    }
}

// Every score 0: staying and going on count alike, and where a query is spreads as a binomial does.
TEST(ForwardAttention, OfEqualScoresIsABinomial) {
    for (const std::string rule : {"forward", "stepwise"}) {
        const auto weights = run(walks(rule), scores_as_queries(Tensor({4, 7}))).weights;
        const std::vector<std::vector<double>> binomial{{1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};
        for (Index query = 0; query < 4; ++query)
            for (std::size_t key = 0; key < binomial[static_cast<std::size_t>(query)].size(); ++key)
                EXPECT_NEAR(weights[static_cast<std::size_t>(query * 7) + key],
                            binomial[static_cast<std::size_t>(query)][key] / std::pow(2.0, query + 1), exact)
                    << rule;
    }
}

TEST(ForwardAttention, FindsAgainWhatNearlyVanished) {
    // Key 2 has e^-2000 of the first row, and e^2000 more than key 1 in the second.
    const Tensor scores({2, 3}, std::vector<double>{2000, 0, 0, -2000, 0, 0});
    const auto weights = run(walks("forward"), scores_as_queries(scores)).weights;
    // Row 2: key 1 e^-2000, key 2 1 + e^-2000, key 3 e^-2000.
    EXPECT_NEAR(weights[4], 1, exact);
    const Tensor steep({2, 3}, std::vector<double>{2000, 0, 0, -2000, -2000, 2000});
    // Key 1 e^0 e^-2000, key 2 e^-2000, key 3 e^-2000 e^2000 = 1.
    EXPECT_NEAR(run(walks("forward"), scores_as_queries(steep)).weights[5], 1, exact);
}

TEST(StepwiseAttention, StaysAndGoesByTheSigmoid) {
    RandomEngine random(74);
    const Tensor scores = random_tensor({5, 4}, random);
    const Trace trace = record(planned(walks("stepwise"), scores_as_queries(scores)));
    const auto weights = stage(trace, "weights"), stays = stage(trace, "staying_probabilities");
    std::vector<double> before{1, 0, 0, 0};
    for (std::size_t query = 0; query < 5; ++query) {
        std::vector<double> now(4);
        for (std::size_t key = 0; key < 4; ++key) {
            EXPECT_NEAR(stays[query * 4 + key],
                        1 / (1 + std::exp(-scores(static_cast<Index>(query), static_cast<Index>(key)))),
                        exact);
            now[key] = before[key] * stays[query * 4 + key] +
                       (key > 0 ? before[key - 1] * (1 - stays[query * 4 + key - 1]) : 0);
        }
        EXPECT_TRUE(near(row_of(weights, static_cast<Index>(query), 4), now, exact));
        before = now;
    }
    EXPECT_LT(total_of(row_of(weights, 4, 4)), 1) << "what goes on from the last key is lost";
}

TEST(ForwardAttention, PassesOverAQueryThatMayLookAtNothing) {
    RandomEngine random(75);
    const Tensor scores = random_tensor({4, 5}, random);
    const auto rows_but_the_second = rows_of(scores, {0, 2, 3});
    for (const std::string rule : {"forward", "stepwise"}) {
        AttentionSpec masked = walks(rule);
        masked.mask = mask_from_json(Json::parse(R"({"type": "matrix", "allowed": [[1, 1, 1, 1, 1],
            [0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [1, 1, 1, 1, 1]]})"),
                                     "mask");
        const auto weights = run(masked, scores_as_queries(scores)).weights;
        const auto expected = run(walks(rule), scores_as_queries(rows_but_the_second)).weights;
        EXPECT_TRUE(near(row_of(weights, 0, 5), row_of(expected, 0, 5), exact)) << rule;
        EXPECT_TRUE(near(std::span(weights).subspan(10), std::span(expected).subspan(5), exact)) << rule;
    }
}

}  // namespace

}  // namespace headlight::invariants_structured_test

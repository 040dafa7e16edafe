// What the examples of the normalisers promise to show (see examples_test.cpp).

#include "tests/support/example.h"

#include <numeric>

namespace headlight::examples_normalizers_test {

using namespace test;

namespace {

double sum(std::span<const double> row) { return std::accumulate(row.begin(), row.end(), 0.0); }

Index zeros(const Example& example) {
    Index count = 0;
    for (Index query = 0; query < example.plan().queries; ++query)
        count += std::ranges::count(example.row(query), 0.0);
    return count;
}

/// The recorded number of each row.
std::vector<double> column(const Example& example, const std::string& name) {
    return stage(record(std::make_shared<const Plan>(example.plan())), name);
}

TEST(NormalizerExamples, LengthScaledSharpensWithTheLength) {
    const std::vector<double> factors = column(Example("length_scaled"), "length_factor");
    EXPECT_EQ(factors[0], 0);
    EXPECT_TRUE(std::ranges::is_sorted(factors));
    EXPECT_NEAR(factors.back(), 1, 0.05);
}

TEST(NormalizerExamples, SparsemaxKeepsAFewWords) {
    const Example example("sparsemax");
    EXPECT_EQ(example.weight("ball", "ball"), 1);
    EXPECT_GT(example.weight("cat", "dog"), 0.3);
    EXPECT_NEAR(example.weight("cat", "cat") + example.weight("cat", "dog"), 1, 1e-12);
    EXPECT_EQ(zeros(Example("sparsemax", {{"temperature", 20.0}})), 0);
}

TEST(NormalizerExamples, EntmaxGainsZerosWithAlpha) {
    Index before = -1;
    for (const double alpha : {1.0, 1.25, 1.5, 2.0, 4.0}) {
        const Index count = zeros(Example("entmax", {{"alpha", alpha}}));
        EXPECT_GE(count, before) << alpha;
        before = count;
    }
    EXPECT_EQ(zeros(Example("entmax", {{"alpha", 1.0}})), 0);
    EXPECT_GT(before, 40);
}

TEST(NormalizerExamples, OffByOneLeavesMostOfTheLonelyWords) {
    const Example example("off_by_one");
    const std::vector<double> rest = column(example, "unassigned");
    EXPECT_EQ(example.words()[7], "kitten");
    EXPECT_EQ(std::ranges::max_element(rest) - rest.begin(), 7);
    const std::vector<double> hot = column(Example("off_by_one", {{"temperature", 100.0}}), "unassigned");
    for (const double share : hot)
        EXPECT_NEAR(share, 0.1, 0.005);
}

TEST(NormalizerExamples, SinkTakesMostOfTheKitten) {
    const std::vector<double> rest = column(Example("sink_logit"), "unassigned");
    EXPECT_GT(rest[7], 0.5);
    EXPECT_LT(rest[6], 0.15);
}

TEST(NormalizerExamples, SigmoidLetsBothStand) {
    const Example example("sigmoid");
    EXPECT_GT(sum(example.row("my")), 6.5);
    EXPECT_LT(sum(example.row("sister")), 5.5);
}

TEST(NormalizerExamples, ScoresBelowZeroGetNothing) {
    for (const char* id : {"relu", "softpick"}) {
        const Example example(id);
        EXPECT_EQ(example.weight("kitten", "government"), 0) << id;
        EXPECT_EQ(example.weight("kitten", "tax"), 0) << id;
        EXPECT_GT(example.weight("kitten", "kitten"), 0) << id;
    }
    EXPECT_EQ(Example("softpick").weight("kitten", "the"), 0);
    EXPECT_LT(sum(Example("softpick").row("kitten")), 1);
}

TEST(NormalizerExamples, CogTakesAway) {
    const Example example("cog");
    EXPECT_LT(example.weight("kitten", "government"), -0.05);
    EXPECT_LT(example.weight("kitten", "tax"), -0.05);
    EXPECT_GT(example.weight("kitten", "kitten"), 0.3);
}

TEST(NormalizerExamples, GumbelTellsEqualRowsApart) {
    const Example example("gumbel");
    EXPECT_FALSE(near(example.row(0), example.row(3), 0.01));
    const Example hard("gumbel", {{"hard", true}});
    for (Index query = 0; query < hard.plan().queries; ++query)
        EXPECT_EQ(std::ranges::count(hard.row(query), 1.0), 1);
}

// the dog chased the cat and the cat ran: "the" at 0, 3 and 6
TEST(NormalizerExamples, DropoutMakesHolesOfItsOwnInEqualRows) {
    const Example drops("dropout"), soft("dropout", {{"rate", 0.0}});
    Index holes = 0;
    for (const Index the : {0, 3, 6})
        for (std::size_t key = 0; key < 9; ++key) {
            const double weight = drops.row(the)[key];
            holes += weight == 0;
            EXPECT_TRUE(weight == 0 || std::abs(weight - soft.row(the)[key] / 0.7) < 1e-12);
        }
    EXPECT_GT(holes, 0);
    EXPECT_FALSE(near(drops.row(0), drops.row(3), 0.01));
    const Example columns("dropout", {{"what", std::string("keys")}});
    for (Index query = 1; query < 9; ++query)
        for (std::size_t key = 0; key < 9; ++key)
            EXPECT_EQ(columns.row(query)[key] == 0, columns.row(0)[key] == 0);
}

TEST(NormalizerExamples, MonotonicClimbsAStaircase) {
    const Example hard("monotonic", {{"alignment", std::string("hard")}});
    const std::vector<Index> stops{0, 1, 2, 3, 3, 5};
    for (Index query = 0; query < 6; ++query)
        EXPECT_EQ(hard.row(query)[static_cast<std::size_t>(stops[static_cast<std::size_t>(query)])], 1)
            << query;
    const Example expected("monotonic");
    for (Index query = 0; query < 6; ++query)
        EXPECT_EQ(std::ranges::max_element(expected.row(query)) - expected.row(query).begin(),
                  stops[static_cast<std::size_t>(query)]);
}

TEST(NormalizerExamples, StickBreaksInHalvesWhenHot) {
    const Example hot("stick_breaking", {{"temperature", 100.0}});
    const auto last = hot.row(8);
    EXPECT_NEAR(last[7], 0.5, 0.02);
    EXPECT_NEAR(last[6], 0.25, 0.02);
    EXPECT_NEAR(last[5], 0.125, 0.02);
    EXPECT_EQ(last[8], 0);
}

TEST(NormalizerExamples, SharesOfAFunctionArePale) {
    const Example soft("function_shares");
    EXPECT_NEAR(soft.weight("tax", "tax"), 0.25, 0.02);
    EXPECT_NEAR(soft.weight("tax", "kitten"), 0.02, 0.005);
    const Example power("function_shares", {{"function", std::string("power")}});
    EXPECT_NEAR(power.weight("tax", "kitten"), 0.001, 0.0005);
    EXPECT_GT(power.weight("kitten", "kitten"), 0.6);
    EXPECT_GT(power.weight("sleeps", "sleeps"), 0.6);
}

TEST(NormalizerExamples, RectifiedScoresBelowZeroAreZero) {
    const Example example("rela");
    for (const char* word : {"government", "tax"})
        EXPECT_EQ(example.weight("kitten", word), 0) << word;
    EXPECT_GT(example.weight("kitten", "kitten"), 0);
    const Trace trace = record(std::make_shared<const Plan>(example.plan()));
    const auto values = stage(trace, "normalized_values");
    const std::size_t words = 9, width = values.size() / words;
    for (std::size_t word = 0; word < words; ++word) {
        double squares = 0;
        for (std::size_t feature = 0; feature < width; ++feature)
            squares += values[word * width + feature] * values[word * width + feature];
        EXPECT_NEAR(squares / static_cast<double>(width), 1, 1e-6) << word;
    }
}

TEST(NormalizerExamples, NormalisedRowsTakeOffWhatTheyAdd) {
    const Example example("row_norm"), lengths("row_norm", {{"by", std::string("length")}});
    for (Index query = 0; query < example.plan().queries; ++query) {
        const auto row = example.row(query), of_length = lengths.row(query);
        EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 0, 1e-12);
        EXPECT_LT(std::ranges::min(row), 0);
        EXPECT_GT(std::ranges::max(row), 0);
        EXPECT_NEAR(std::inner_product(of_length.begin(), of_length.end(), of_length.begin(), 0.0), 1, 1e-12);
    }
}

// coffee tea coffee bread coffee milk coffee tea: "coffee" at 0, 2, 4 and 6
TEST(NormalizerExamples, PointwiseWeightsAddUpWhatHasHappenedOften) {
    const Example example("hstu");
    const auto row = example.row(Index(6));
    double sum = 0;
    for (const std::size_t coffee : {0u, 2u, 4u, 6u}) {
        EXPECT_NEAR(row[coffee], 1.35, 0.01);
        sum += row[coffee];
    }
    EXPECT_NEAR(sum, 5.4, 0.05);
}

TEST(NormalizerExamples, SinkhornEvensTheColumns) {
    const auto of_the = [](const Example& example) {
        double total = 0;
        for (Index query = 0; query < example.plan().queries; ++query)
            total += example.row(query)[0];
        return total;
    };
    EXPECT_GT(of_the(Example("sinkhorn", {{"iterations", Index(1)}})), 1.1);
    EXPECT_NEAR(of_the(Example("sinkhorn", {{"iterations", Index(100)}})), 1, 1e-6);
}

TEST(NormalizerExamples, SlotsWinTheirWords) {
    const Example example("slot");
    const auto winner = [&](const std::string& key) {
        std::string best;
        double most = -1;
        const std::vector<double> shares = column(example, "shares");
        const std::vector<std::string> keys{"the",    "dog",    "ate", "bread", "while",
                                            "london", "played", "a",   "song"};
        const auto j = static_cast<std::size_t>(std::ranges::find(keys, key) - keys.begin());
        for (std::size_t i = 0; i < example.words().size(); ++i)
            if (shares[i * keys.size() + j] > most) {
                most = shares[i * keys.size() + j];
                best = example.words()[i];
            }
        return best;
    };
    EXPECT_EQ(winner("dog"), "animal");
    EXPECT_EQ(winner("bread"), "food");
    EXPECT_EQ(winner("london"), "city");
    EXPECT_EQ(winner("song"), "music");
}

TEST(NormalizerExamples, LazyQueriesGiveAllTheSame) {
    const auto active = [](const Example& example) {
        Index count = 0;
        for (Index query = 0; query < example.plan().queries; ++query)
            count += std::ranges::max(example.row(query)) > 1.001 * std::ranges::min(example.row(query));
        return count;
    };
    EXPECT_EQ(active(Example("informer")), 3);
    EXPECT_EQ(active(Example("informer", {{"active", Index(5)}})), 5);
}

TEST(NormalizerExamples, ADualSoftmaxLeavesWhatIsMutual) {
    const Example dual("dual_softmax"), cross("cross");
    EXPECT_NEAR(cross.weight("cat", "a"), 0.19, 0.005);
    EXPECT_NEAR(dual.weight("cat", "a"), 0.002, 0.001);
    EXPECT_NEAR(dual.weight("cat", "kitten"), 0.13, 0.005);
    EXPECT_NEAR(dual.weight("sofa", "couch"), 0.13, 0.005);
    EXPECT_NEAR(dual.weight("on", "on"), 0.46, 0.005);
    EXPECT_NEAR(sum(dual.row("sleeps")), 0.12, 0.005);
}

TEST(NormalizerExamples, AMatchabilityTakesOffWhatHasNoPartner) {
    const Example matched("matchability"), dual("dual_softmax");
    const std::vector<double> asking = column(matched, "query_matchability"),
                              asked = column(matched, "key_matchability");
    EXPECT_NEAR(dual.weight("cat", "kitten"), 0.13, 0.005);
    EXPECT_NEAR(asking[1], 0.39, 0.005);
    EXPECT_NEAR(asked[1], 0.30, 0.005);
    EXPECT_NEAR(matched.weight("cat", "kitten"), 0.016, 0.0005);
    EXPECT_NEAR(asking[3], 0.67, 0.005);
    EXPECT_NEAR(asked[3], 0.67, 0.005);
    EXPECT_NEAR(matched.weight("on", "on"), 0.21, 0.005);
    EXPECT_NEAR(dual.weight("on", "on"), 0.46, 0.005);
}

TEST(NormalizerExamples, ADustbinTakesWordsWithoutAPartner) {
    const auto to_bin = [](const Example& example) {
        return stage(record(std::make_shared<const Plan>(example.plan())), "unassigned");
    };
    const Example one("dustbin"), strict("dustbin", {{"bin_score", 3.0}});
    EXPECT_NEAR(one.weight("on", "on"), 0.48, 0.005);
    EXPECT_NEAR(one.weight("cat", "kitten"), 0.23, 0.005);
    EXPECT_NEAR(one.weight("sofa", "couch"), 0.25, 0.005);
    EXPECT_NEAR(to_bin(one)[2], 0.58, 0.005);
    EXPECT_NEAR(to_bin(one)[3], 0.11, 0.005);
    for (const std::size_t query : {1u, 2u, 5u})
        EXPECT_GT(to_bin(strict)[query], 0.75);
    for (const std::size_t query : {0u, 3u, 4u})
        EXPECT_LT(to_bin(strict)[query], 0.75);
}

// the kitten sleeps on the couch: "the" at 0 and 4
TEST(NormalizerExamples, AChainOfChoicesTakesNeighboursAlong) {
    const Example coupled("linear_chain", mechanism("linear_chain").example.values),
        alone("linear_chain", {{"coupling", 0.0}});
    EXPECT_NEAR(alone.row("on")[0], 0.154, 0.005);
    EXPECT_NEAR(alone.row("on")[4], 0.154, 0.005);
    EXPECT_NEAR(coupled.row("on")[0], 0.155, 0.005);
    EXPECT_NEAR(coupled.row("on")[4], 0.85, 0.005);
    EXPECT_NEAR(alone.weight("sleeps", "kitten"), 0.037, 0.005);
    EXPECT_NEAR(coupled.weight("sleeps", "kitten"), 0.52, 0.005);
}

TEST(NormalizerExamples, TreesLeaveNoTwoThatChooseEachOther) {
    const Example example("dependency_trees");
    const Trace trace = record(std::make_shared<const Plan>(example.plan()));
    const auto alone = stage(trace, "head_shares"), of_root = stage(trace, "root_weights");
    EXPECT_NEAR(alone[1 * 10 + 8], 0.58, 0.005);  // the cat sleeps on the sofa while the dog eats
    EXPECT_NEAR(alone[8 * 10 + 1], 0.54, 0.005);
    EXPECT_NEAR(example.weight("cat", "dog"), 0.38, 0.005);
    EXPECT_NEAR(example.weight("dog", "cat"), 0.34, 0.005);
    for (const std::size_t word : {1u, 8u})
        EXPECT_NEAR(of_root[word], 0.11, 0.005);
    for (const std::string& word : example.words())
        EXPECT_EQ(example.weight(word, word), 0);
}

TEST(NormalizerExamples, ForwardAttentionClimbsAStaircase) {
    const Example example("forward_attention");
    EXPECT_NEAR(example.weight("cat", "kitten"), 0.68, 0.005);
    EXPECT_NEAR(example.row(Index(4))[4], 0.57, 0.005);
    EXPECT_LT(example.row(Index(4))[0], 0.005);
    for (Index query = 0; query < example.plan().queries; ++query)
        for (Index key = query + 2; key < example.plan().keys; ++key)
            EXPECT_EQ(example.row(query)[static_cast<std::size_t>(key)], 0);
    const auto soft = run(spec(R"({"source": {"type": "cross"}})"), example.plan().inputs).weights;
    EXPECT_NEAR(soft[1 * 6 + 1], 0.26, 0.005);
    EXPECT_NEAR(soft[4 * 6 + 0], 0.36, 0.005);
    EXPECT_NEAR(soft[4 * 6 + 4], 0.36, 0.005);
}

// the king and the queen drink tea: "the" at 0 and 3
TEST(NormalizerExamples, QuasiAttentionGivesCopiesAllOfEachOther) {
    const Example example("coda");
    EXPECT_NEAR(example.row(Index(0))[0], 1, 0.005);
    EXPECT_NEAR(example.row(Index(0))[3], 1, 0.005);
    EXPECT_NEAR(example.weight("king", "queen"), 0.08, 0.005);
}

TEST(NormalizerExamples, BudgetFillsTwoCells) {
    const Example example("budget");
    EXPECT_EQ(example.weight("cat", "cat"), 1);
    EXPECT_EQ(example.weight("cat", "dog"), 1);
}

TEST(NormalizerExamples, NoWeightPassesItsBound) {
    const Example example("constrained");
    EXPECT_NEAR(example.weight("cat", "cat"), 0.3, 1e-12);
    for (const std::string& query : example.words()) {
        double sum = 0;
        for (const double weight : example.row(query)) {
            EXPECT_LE(weight, 0.3 + 1e-12);
            sum += weight;
        }
        EXPECT_NEAR(sum, 1, 1e-12);
    }
}

TEST(NormalizerExamples, FusedmaxHasStretchesOfOneWeight) {
    const Example example("fusedmax");
    const auto of_with = example.row("with"), of_and = example.row("and");
    EXPECT_NEAR(of_with[6], of_with[7], 1e-12);
    EXPECT_NEAR(of_with[6], 0.49, 0.005);
    EXPECT_NEAR(of_and[2], of_and[3], 1e-12);
    EXPECT_NEAR(of_and[6], of_and[7], 1e-12);
    EXPECT_NEAR(of_and[7], of_and[8], 1e-12);
    EXPECT_NEAR(of_and[8], 0.17, 0.005);
    // Oscarmax draws together what stands apart.
    const Example of_ranks("fusedmax", {{"which", std::string("all")}, {"fusing", 0.2}});
    EXPECT_NEAR(of_ranks.weight("cat", "cat"), 0.5, 1e-12);
    EXPECT_NEAR(of_ranks.weight("cat", "dog"), 0.5, 1e-12);
}

TEST(NormalizerExamples, NormmaxEvensOut) {
    const auto unevenness = [](double alpha) {
        const Example example("normmax", {{"alpha", alpha}});
        return std::abs(example.weight("cat", "dog") - example.weight("cat", "cat"));
    };
    EXPECT_LT(unevenness(10), unevenness(2));
}

}  // namespace

}  // namespace headlight::examples_normalizers_test

// What the examples of the scores promise to show is there to see.

#include "tests/support/example.h"

namespace headlight::examples_scores_test {

using namespace test;

namespace {

Index favourite_key(std::span<const double> row) { return std::ranges::max_element(row) - row.begin(); }

/// The keys of a row from the largest weight down.
std::vector<Index> ranking(std::span<const double> row) {
    std::vector<Index> order(row.size());
    for (std::size_t key = 0; key < order.size(); ++key)
        order[key] = static_cast<Index>(key);
    std::ranges::stable_sort(order, std::ranges::greater(),
                             [&](Index key) { return row[static_cast<std::size_t>(key)]; });
    return order;
}

TEST(ScoreExamples, LikeWordsFindEachOtherByDistanceAndAngle) {
    for (const std::string id :
         {"gaussian_kernel", "cosine", "scaled_cosine", "euclidean", "manhattan", "qk_norm"}) {
        const Example example(id);
        EXPECT_EQ(example.favourite("king"), "queen") << id;
        EXPECT_EQ(example.favourite("queen"), "king") << id;
        for (const std::string& word : example.words())
            EXPECT_GE(example.weight(word, word), example.weight(word, example.favourite(word))) << id;
    }
}

TEST(ScoreExamples, GaussianWidensToUniform) {
    const Example wide("gaussian_kernel", {{"sigma", 100.0}});
    for (const double weight : wide.row(0))
        EXPECT_NEAR(weight, 1.0 / static_cast<double>(wide.words().size()), 1e-3);
    EXPECT_GT(Example("gaussian_kernel", {{"sigma", 1.0}}).weight("king", "king"), 0.99);
}

TEST(ScoreExamples, ManhattanHoldsNearWordsApart) {
    const Example amounts("manhattan", {{"temperature", 8.0}}), squares("euclidean");
    EXPECT_LT(3 * amounts.weight("king", "queen"), squares.weight("king", "queen"));
    EXPECT_GT(amounts.weight("king", "king"), squares.weight("king", "king"));
}

TEST(ScoreExamples, CosineSharpensFromUniform) {
    const Example flat("cosine", {{"beta", 0.0}});
    for (const double weight : flat.row(0))
        EXPECT_NEAR(weight, 1.0 / static_cast<double>(flat.words().size()), 1e-12);
    EXPECT_GT(Example("cosine", {{"beta", 50.0}}).weight("king", "king"), 0.99);
}

TEST(ScoreExamples, SoftcapLeavesNoWordToItself) {
    EXPECT_GT(Example("scaled_dot_product").weight("king", "king"), 0.4);
    EXPECT_LT(Example("softcap").weight("king", "king"), 0.2);
}

TEST(ScoreExamples, LearnedScaleStartsSaturated) {
    EXPECT_GT(Example("learned_scale").weight("king", "king"), 0.95);
}

TEST(ScoreExamples, SumsOfAQueryAndAKeyHaveOneRow) {
    for (const std::string id : {"linear_score", "activations"}) {
        const Example example(id);
        for (Index query = 1; query < example.plan().queries; ++query)
            EXPECT_TRUE(near(example.row(query), example.row(0), 1e-12)) << id;
    }
    for (const Example& example :
         {Example("trilinear"), Example("activations", {{"activation", std::string("tanh")}})})
        EXPECT_FALSE(near(example.row(1), example.row(0), 1e-3));
}

TEST(ScoreExamples, GraphAttentionHasOneFavouriteAndItsSuccessorNoCommonOrder) {
    const Example fixed("gat"), dynamic("gatv2"), straight("gatv2", {{"slope", 1.0}});
    bool differs = false;
    for (Index query = 1; query < fixed.plan().queries; ++query) {
        EXPECT_EQ(favourite_key(fixed.row(query)), favourite_key(fixed.row(0)));
        EXPECT_TRUE(near(straight.row(query), straight.row(0), 1e-12));
        differs = differs || ranking(dynamic.row(query)) != ranking(dynamic.row(0));
    }
    EXPECT_TRUE(differs);
}

TEST(ScoreExamples, BothDirectionsReadOneMap) {
    const Example example("co_attention"), back("co_attention", {{"kind", std::string("dcn")}});
    const auto shares = stage(record(std::make_shared<const Plan>(example.plan())), "most_asked_shares");
    double sum = 0;
    for (const double share : shares)
        sum += share;
    EXPECT_NEAR(sum, 1, 1e-12);
    const auto columns = stage(record(std::make_shared<const Plan>(back.plan())), "column_shares");
    for (std::size_t key = 0; key < 6; ++key) {
        double of_column = 0;
        for (std::size_t query = 0; query < 6; ++query)
            of_column += columns[query * 6 + key];
        EXPECT_NEAR(of_column, 1, 1e-12);
    }
}

TEST(ScoreExamples, AKernelIsABandOnTheMapOfAttention) {
    const Example example("muse");
    for (Index query = 0; query < 9; ++query) {
        double sum = 0;
        for (const double weight : example.row(query))
            sum += weight;
        if (query >= 2 && query < 7)
            EXPECT_NEAR(sum, 2, 1e-12) << query;
        else
            EXPECT_LT(sum, 2 - 1e-6) << query;
    }
    const auto band = stage(record(std::make_shared<const Plan>(example.plan())), "convolution_weights");
    for (Index query = 0; query < 9; ++query)
        for (Index key = 0; key < 9; ++key)
            EXPECT_EQ(band[static_cast<std::size_t>(query * 9 + key)] != 0, std::abs(query - key) <= 2);
}

TEST(ScoreExamples, KerasScoresAreNoLikeness) {
    for (const std::string id : {"keras_additive", "keras_concat"}) {
        const Example example(id);
        Index own = 0;
        for (Index query = 0; query < example.plan().queries; ++query)
            own += favourite_key(example.row(query)) == query ? 1 : 0;
        EXPECT_LT(own, example.plan().queries / 2) << id;
    }
}

TEST(ScoreExamples, PlacesAreScoredByTheQueryAlone) {
    const Example location("location"), dense("dense_synthesizer");
    EXPECT_TRUE(near(location.row(0), location.row(4), 1e-12));
    EXPECT_TRUE(near(dense.row(1), dense.row(7), 1e-12));
    EXPECT_TRUE(near(dense.row(0), dense.row(3), 1e-12));
}

TEST(ScoreExamples, WindowsWalkOnWhateverTheSourceSays) {
    const Example example("gaussian_window");
    const Trace trace = record(std::make_shared<const Plan>(example.plan()));
    const auto centres = stage(trace, "window_centres");
    const std::size_t bells = centres.size() / static_cast<std::size_t>(example.plan().queries);
    for (std::size_t at = bells; at < centres.size(); ++at)
        EXPECT_GT(centres[at], centres[at - bells]);
    Inputs other = example.plan().inputs;
    other.key = rows_of(*other.key, {5, 4, 3, 2, 1, 0});
    EXPECT_EQ(run(planned(example.plan().spec, other)).weights, stage(trace, "weights"));
}

TEST(ScoreExamples, InHyperbolicSpaceWaysLeadOverTheMiddle) {
    const Example example("hyperbolic", mechanism("hyperbolic").example.values);
    const Trace trace = record(std::make_shared<const Plan>(example.plan()));
    const auto scores = stage(trace, "scores");
    EXPECT_NEAR(scores[1 * 11 + 4], -10.5, 0.05);  // a king and a queen
    EXPECT_NEAR(scores[1 * 11 + 0], -12.4, 0.05);
    EXPECT_NEAR(example.weight("king", "met"), 0.049, 0.001);
    EXPECT_NEAR(example.weight("king", "queen"), 0.046, 0.001);
    EXPECT_EQ(example.favourite("king"), "met");
}

// a kitten rests on the couch in the sun: "the" at 4 and 7
TEST(ScoreExamples, ARankOfOneRanksTheKeysOneWay) {
    const Example drawn("bilinear_pooling"),
        flat("bilinear_pooling",
             {{"activation", std::string("identity")}, {"attention_dimension", Index(1)}});
    for (Index query = 0; query < drawn.plan().queries; ++query) {
        EXPECT_EQ(drawn.row(query)[4], drawn.row(query)[7]);
        std::vector<double> row(flat.row(query).begin(), flat.row(query).end());
        row.erase(row.begin() + 7);  // of equal words either may come first
        const auto order = ranking(row);
        std::vector<double> first(flat.row(0).begin(), flat.row(0).end());
        first.erase(first.begin() + 7);
        auto other = ranking(first);
        const bool is_same = order == other;
        std::ranges::reverse(other);
        EXPECT_TRUE(is_same || order == other) << query;
    }
}

TEST(ScoreExamples, HistoriesTellEqualWordsApart) {
    for (const std::string id : {"location_aware", "coverage"}) {
        const Example example(id);
        EXPECT_FALSE(near(example.row(0), example.row(4), 1e-6)) << id;
    }
}

TEST(ScoreExamples, MultiTokenSpreadsEachRow) {
    const Example example("multi_token");
    for (Index query = 3; query < example.plan().queries; ++query)
        EXPECT_LT(std::ranges::max(example.row(query)), 0.45);
}

// the old man the boat while the young rest ashore: "the" at 0, 3 and 6
TEST(ScoreExamples, LookaheadKeysTellCopiesApart) {
    const Example castle("castle");
    const auto row = castle.row(Index(6));
    EXPECT_NEAR(row[0], 0.242, 0.001);
    EXPECT_NEAR(row[3], 0.279, 0.001);
    EXPECT_NEAR(row[6], 0.285, 0.001);
    const Trace trace = record(planned(spec(R"({"mask": {"type": "causal"}})"), castle.plan().inputs));
    const auto causal = stage(trace, "weights");
    for (const std::size_t key : {0u, 3u, 6u})
        EXPECT_NEAR(causal[6 * row.size() + key], 0.27, 0.005);
}

// the king met the queen and the man met the woman: "the" at 0, 3, 6 and 9, "met" at 2 and 8
TEST(ScoreExamples, AWordHasOneKernelWhereverItStands) {
    const Example example("dynamic_convolution");
    const auto window = [&](Index query) {
        return example.row(query).subspan(static_cast<std::size_t>(query - 2), 3);
    };
    EXPECT_TRUE(near(window(6), window(3), 1e-12));
    EXPECT_TRUE(near(window(9), window(3), 1e-12));
    EXPECT_TRUE(near(window(8), window(2), 1e-12));
    EXPECT_FALSE(near(window(8), window(9), 1e-3));
    EXPECT_EQ(std::ranges::count(example.row(Index(9)), 0.0), 8);
}

// the old king met the young queen and the old: "old" at 1 and 9, "king" at 2, "young" at 5
TEST(ScoreExamples, AShiftedKeyFindsWhatFollowed) {
    const Example example("key_value_shift", mechanism("key_value_shift").example.values);
    const auto old = example.row(Index(9)), the = example.row(Index(8));
    EXPECT_NEAR(old[2], 0.69, 0.005);
    EXPECT_LT(old[1] + old[9], 0.15);
    EXPECT_NEAR(the[1], 0.37, 0.005);
    EXPECT_NEAR(the[5], 0.37, 0.005);
}

TEST(ScoreExamples, SelectiveNeverErasesTheFirstWord) {
    const Example example("selective");
    for (Index query = 0; query < example.plan().queries; ++query)
        EXPECT_GT(example.row(query).front(), 0.01);
    EXPECT_LT(example.weight("queen", "upon"), 1e-6);
}

}  // namespace

}  // namespace headlight::examples_scores_test

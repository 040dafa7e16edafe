// How tokens are chosen: candidates, sampling, the tree of beams.

#include "core/model/decoding.h"
#include "core/model/generation.h"
#include "tests/support/hosts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace headlight::model_generation_test {

using namespace test;

namespace {

/// Logarithms of 0.1, 0.4, 0.2 and 0.3, and of something that hardly ever comes.
const std::vector<float> five{std::log(0.1f), std::log(0.4f), std::log(0.2f), std::log(0.3f), -80.0f};

TEST(Candidates, AreTheMostProbableFirst) {
    const std::vector<Candidate> best = candidates(five, 3);
    ASSERT_EQ(best.size(), 3u);
    const std::vector<std::pair<Index, double>> expected{{1, 0.4}, {3, 0.3}, {2, 0.2}};
    for (std::size_t i = 0; i < best.size(); ++i) {
        EXPECT_EQ(best[i].token, expected[i].first);
        EXPECT_NEAR(best[i].probability, expected[i].second, 1e-7);
    }
    EXPECT_EQ(candidates(five, 9).size(), 5u);
    EXPECT_EQ(candidates(std::vector<float>{1, 2, 2}, 1).front().token, 1)
        << "the lower number of equal ones";
}

TEST(RankedTokens, AreThoseOfAStableSort) {
    std::vector<float> logits(5000);
    for (std::size_t i = 0; i < logits.size(); ++i)
        logits[i] = static_cast<float>(uniform(substream(5, i)) < 0.5 ? i % 7 : i % 501);  // many are equal
    std::vector<Index> expected(logits.size());
    std::iota(expected.begin(), expected.end(), Index(0));
    std::ranges::stable_sort(expected, std::greater(),
                             [&](Index i) { return logits[static_cast<std::size_t>(i)]; });
    RankedTokens ranked(logits);
    for (std::size_t rank = 0; rank < expected.size(); ++rank)
        ASSERT_EQ(ranked[rank], expected[rank]) << rank;
    for (const Index token : {Index(0), Index(17), Index(4999)})
        EXPECT_EQ(expected[static_cast<std::size_t>(rank_of(logits, token) - 1)], token);
}

TEST(RankedTokens, AreSortedOnlyAsFarAsAskedFor) {
    const std::vector<float> logits(50000, 1.5f);
    RankedTokens ranked(logits);
    EXPECT_EQ(ranked.sorted(), 0u);
    EXPECT_EQ(ranked[7], 7);
    EXPECT_LE(ranked.sorted(), 16u);
    EXPECT_EQ(ranked[999], 999);
    EXPECT_LE(ranked.sorted(), 2000u);
}

TEST(Ranking, IsThatOfTheCandidates) {
    const Ranking ranking(five);
    EXPECT_EQ(ranking.best(), candidates(five, Ranking::most));
    for (const Candidate& each : candidates(five, 5)) {
        EXPECT_EQ(ranking.probability(five, each.token), each.probability);
        EXPECT_NEAR(ranking.log_probability(five, each.token), std::log(each.probability), 1e-12);
    }
    const std::vector<float> apart{0, -2000};
    EXPECT_EQ(Ranking(apart).log_probability(apart, 1), -2000) << "whose probability is 0";
}

TEST(Ranking, IsMadeWhenAStepIsRead) {
    const std::unique_ptr<Host> host = make_host(small_recurrent(DecoderStyle::luong, ScoreType::additive));
    const std::vector<float> weights = lively_weights(host->layout(), 1);
    Generation generation(*host, weights, {2, 4, 3});
    const GenerationStep& step = generation.read(0);
    EXPECT_EQ(step.ranking.best(), candidates(step.logits, Ranking::most));
}

struct ChoiceCase {
    std::string name;
    Sampling sampling;
    double chance;
    Index expected;
};
void PrintTo(const ChoiceCase& each, std::ostream* out) { *out << each.name; }

class Choices : public testing::TestWithParam<ChoiceCase> {};

TEST_P(Choices, FollowFromChance) {
    EXPECT_EQ(choose(five, GetParam().sampling, GetParam().chance), GetParam().expected);
}

// Tokens by falling probability: 1 (0.4), 3 (0.3), 2 (0.2), 0 (0.1), 4.
INSTANTIATE_TEST_SUITE_P(
    All, Choices,
    testing::Values(ChoiceCase{"cold", {}, 0.99, 1}, ChoiceCase{"first", {.temperature = 1}, 0.39, 1},
                    ChoiceCase{"second", {.temperature = 1}, 0.41, 3},
                    ChoiceCase{"third", {.temperature = 1}, 0.71, 2},
                    ChoiceCase{"last_that_comes", {.temperature = 1}, 0.9999, 0},
                    ChoiceCase{"hot_is_nearly_even", {.temperature = 50}, 0.6, 2},
                    ChoiceCase{"top_two_share_0_7", {.temperature = 1, .top_k = 2}, 0.58, 3},
                    ChoiceCase{"top_two_below", {.temperature = 1, .top_k = 2}, 0.56, 1},
                    ChoiceCase{"top_one", {.temperature = 1, .top_k = 1}, 0.99, 1},
                    ChoiceCase{"nucleus_of_two", {.temperature = 1, .top_p = 0.6}, 0.99, 3},
                    ChoiceCase{"nucleus_of_three", {.temperature = 1, .top_p = 0.75}, 0.99, 2},
                    ChoiceCase{"nucleus_of_one", {.temperature = 1, .top_p = 0.0}, 0.99, 1}),
    [](const auto& row) { return row.param.name; });

TEST(Choices, ComeAsOftenAsTheyAreProbable) {
    constexpr int draws = 20000;
    std::vector<double> share(five.size());
    for (int i = 0; i < draws; ++i)
        share[static_cast<std::size_t>(choose(
            five, {.temperature = 1}, uniform(substream(3, static_cast<std::uint64_t>(i)))))] += 1.0 / draws;
    for (const auto& [token, p] : {std::pair{0, 0.1}, {1, 0.4}, {2, 0.2}, {3, 0.3}})
        EXPECT_NEAR(share[static_cast<std::size_t>(token)], p, 5 * std::sqrt(p * (1 - p) / draws));
}

class Beams : public testing::TestWithParam<std::uint64_t> {
protected:
    static constexpr Index longest = 3, end = 1;
    const std::unique_ptr<Host> host = make_host(small_recurrent(DecoderStyle::luong, ScoreType::additive));
    const std::vector<float> weights = lively_weights(host->layout(), GetParam());
    const std::vector<Index> source{2, 4, 3}, begin{0};

    BeamTree search(Index width, double penalty = 0) const {
        return search_beam(*host, weights, source, begin, end,
                           {.width = width, .longest = longest, .length_penalty = penalty});
    }

    /// Adds up the text after the beginning, word by word.
    double log_probability(const std::vector<Index>& text) const {
        Generation generation(*host, weights, source);
        double sum = 0;
        Index read = begin.front();
        for (const Index token : text) {
            for (const Candidate& each : candidates(generation.read(read).logits, target_words))
                sum += each.token == token ? std::log(each.probability) : 0;
            read = token;
        }
        return sum;
    }

    /// The best of all texts that end, or are as long as may be.
    double best_of_all(std::vector<Index>& text) const {
        if (!text.empty() && (text.back() == end || std::ssize(text) == longest))
            return log_probability(text);
        double best = -1e9;
        for (Index token = 0; token < target_words; ++token) {
            text.push_back(token);
            best = std::max(best, best_of_all(text));
            text.pop_back();
        }
        return best;
    }
};

TEST_P(Beams, GrowATreeOfTextsAndTheirProbabilities) {
    const BeamTree tree = search(3);
    ASSERT_FALSE(tree.nodes.empty());
    EXPECT_EQ(tree.nodes.front().parent, -1);
    EXPECT_EQ(tree.nodes.front().log_probability, 0);
    std::vector<double> children(tree.nodes.size());
    std::vector<Index> kept_of_length(longest + 1);
    for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
        const BeamNode& node = tree.nodes[i];
        ASSERT_LT(node.parent, static_cast<Index>(i)) << "parents come before children";
        const BeamNode& parent = tree.nodes[static_cast<std::size_t>(node.parent)];
        EXPECT_TRUE(parent.is_kept && !parent.is_over);
        EXPECT_LE(node.log_probability, parent.log_probability);
        EXPECT_EQ(node.length, parent.length + 1);
        EXPECT_EQ(node.is_over, node.token == end);
        children[static_cast<std::size_t>(node.parent)] += std::exp(node.log_probability);
        kept_of_length[static_cast<std::size_t>(node.length)] += node.is_kept;
        EXPECT_NEAR(node.log_probability, log_probability(tree.text(static_cast<Index>(i))), 1e-5);
    }
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
        EXPECT_LE(children[i], std::exp(tree.nodes[i].log_probability) + 1e-6) << "children share it";
    for (const Index kept : kept_of_length)
        EXPECT_LE(kept, 3);
    const BeamNode& best = tree.nodes[static_cast<std::size_t>(tree.best)];
    EXPECT_TRUE(best.is_over || best.length == longest);
    for (const BeamNode& node : tree.nodes)
        if (node.is_kept && (node.is_over || node.length == longest)) {
            EXPECT_LE(node.log_probability, best.log_probability);
        }
}

TEST_P(Beams, OfEveryWidthFindNothingBetterThanThereIs) {
    std::vector<Index> text;
    const double best = best_of_all(text);
    const auto found = [&](Index width) {
        const BeamTree tree = search(width);
        return tree.nodes[static_cast<std::size_t>(tree.best)].log_probability;
    };
    EXPECT_NEAR(found(target_words * target_words), best, 1e-5) << "wide enough for all";
    EXPECT_LE(found(3), best + 1e-5);
    EXPECT_GE(found(3), found(1)) << "of these models; beams promise it of none";
}

TEST_P(Beams, PreferLongerTextsWhenLengthIsDividedBy) {
    const BeamTree tree = search(5, 1);
    const auto score = [&](const BeamNode& node) {
        return node.log_probability / static_cast<double>(std::max<Index>(node.length, 1));
    };
    const double best = score(tree.nodes[static_cast<std::size_t>(tree.best)]);
    for (const BeamNode& node : tree.nodes)
        if (node.is_kept && (node.is_over || node.length == longest)) {
            EXPECT_LE(score(node), best);
        }
}

INSTANTIATE_TEST_SUITE_P(All, Beams, testing::Range(std::uint64_t(1), std::uint64_t(7)));

}  // namespace

}  // namespace headlight::model_generation_test

// Two texts side by side: which tokens stand for each other, and the maps on these.

#include "core/analysis/head_statistics.h"
#include "core/map/aligned_maps.h"
#include "core/tensor/error.h"
#include "tests/support/generated_maps.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <sstream>

namespace headlight::aligned_maps_test {

using namespace test;

namespace {

using Extents = MapSource::Extents;

std::vector<std::string> tokens_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> tokens;
    for (std::string token; stream >> token;)
        tokens.push_back(token);
    return tokens;
}

/// "the cat/dog sat": the pairs of two texts, those of different tokens with both.
std::string pairing(const std::string& first, const std::string& second) {
    const auto a = tokens_of(first), b = tokens_of(second);
    std::string text;
    for (const TokenPair& pair : aligned_tokens(a, b)) {
        const std::string &one = a[static_cast<std::size_t>(pair.first)],
                          &other = b[static_cast<std::size_t>(pair.second)];
        text += (text.empty() ? "" : " ") + (one == other ? one : one + "/" + other);
    }
    return text;
}

TEST(AlignedTokens, PairsWhatIsEqualAndWhatTookItsPlace) {
    EXPECT_EQ(pairing("the cat sat", "the cat sat"), "the cat sat");
    EXPECT_EQ(pairing("the cat sat", "the dog sat"), "the cat/dog sat");
    EXPECT_EQ(pairing("the cat sat", "the big cat sat"), "the cat sat");
    EXPECT_EQ(pairing("a b c", "x y z"), "a/x b/y c/z");
    EXPECT_EQ(pairing("it was too tired .", "it was too wide to walk ."), "it was too tired/wide .");
    EXPECT_EQ(pairing("a a b", "a b"), "a b");
    EXPECT_EQ(pairing("a", "b c"), "a/b");
    EXPECT_EQ(pairing("", "a"), "");
}

TEST(AlignedTokens, AreTheMostThatAreEqual) {
    // Against a search through all common subsequences.
    std::mt19937 random(3);
    for (int round = 0; round < 200; ++round) {
        std::vector<std::string> texts[2];
        for (auto& text : texts)
            for (std::size_t i = random() % 9; i > 0; --i)
                text.emplace_back(1, static_cast<char>('a' + random() % 3));
        std::size_t most = 0;
        for (unsigned chosen = 0; chosen < 1U << texts[0].size(); ++chosen) {
            std::size_t next = 0, length = 0;
            bool is_common = true;
            for (std::size_t i = 0; i < texts[0].size() && is_common; ++i)
                if (chosen >> i & 1U) {
                    while (next < texts[1].size() && texts[1][next] != texts[0][i])
                        ++next;
                    is_common = next++ < texts[1].size();
                    ++length;
                }
            most = is_common ? std::max(most, length) : most;
        }
        std::size_t equal = 0;
        TokenPair before{-1, -1};
        for (const TokenPair& pair : aligned_tokens(texts[0], texts[1])) {
            EXPECT_TRUE(pair.first > before.first && pair.second > before.second);
            before = pair;
            equal += texts[0][static_cast<std::size_t>(pair.first)] ==
                     texts[1][static_cast<std::size_t>(pair.second)];
        }
        EXPECT_GE(equal, most);
    }
}

TEST(AlignedTokens, OfLongTextsThatDifferEverywhereArePairedByPlace) {
    std::vector<std::string> first, second;
    for (int i = 0; i < 3'000; ++i) {
        first.push_back("a" + std::to_string(i));
        second.push_back("b" + std::to_string(i));
    }
    second.emplace_back("more");
    const auto pairs = aligned_tokens(first, second);
    ASSERT_EQ(pairs.size(), first.size());
    EXPECT_EQ(pairs[2'999], (TokenPair{2'999, 2'999}));
}

LabelledMaps labelled(const std::string& name, const std::string& text, Index shift) {
    const auto tokens = tokens_of(text);
    const Index n = std::ssize(tokens);
    return {name,
            std::make_shared<GeneratedMaps>(Extents{2, 3, n, n},
                                            [shift](MapPlace place, Index query, Index key) {
                                                return scattered(place, query + shift, key);
                                            }),
            {tokens, {}, {}, {}}};
}

TEST(AlignedMaps, HaveTheNumbersOfTheTokensThatBothHave) {
    const std::vector<LabelledMaps> first{labelled("", "the big cat sat", 0)},
        second{labelled("", "the dog sat down", 100)};
    const AlignedMaps maps = aligned(first, second);
    // big/dog sat: the cat has no partner, nor what he did.
    EXPECT_EQ(maps.first[0].tokens.query, tokens_of("the big sat"));
    EXPECT_EQ(maps.second[0].tokens.query, tokens_of("the dog sat"));
    EXPECT_EQ(maps.left_out,
              "1 token of the first text and 1 token of the second text have no partner and are left out.");
    const Index of_first[] = {0, 1, 3}, of_second[] = {0, 1, 2};
    for (const MapPlace place : {MapPlace{0, 0}, MapPlace{1, 2}}) {
        const auto a = map_of(*maps.first[0].maps, place), b = map_of(*maps.second[0].maps, place);
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t column = 0; column < 3; ++column) {
                EXPECT_EQ(a[row * 3 + column], scattered(place, of_first[row], of_first[column]));
                EXPECT_EQ(b[row * 3 + column], scattered(place, of_second[row] + 100, of_second[column]));
            }
    }
}

TEST(AlignedMaps, OfTextsWithoutNamesArePairedByPlace) {
    LabelledMaps first = labelled("", "a b c", 0), second = labelled("", "a b c d", 1);
    first.tokens = {};
    const AlignedMaps maps = aligned({first}, {second});
    EXPECT_EQ(maps.first[0].maps->extents(), (Extents{2, 3, 3, 3}));
    EXPECT_EQ(maps.left_out, "1 token of the second text has no partner and is left out.");
}

TEST(AlignedMaps, RefuseWhatCannotBeCompared) {
    LabelledMaps few = labelled("", "a b", 0);
    few.maps = std::make_shared<GeneratedMaps>(Extents{1, 3, 2, 2}, scattered);
    EXPECT_EQ(refusal([&] { aligned({labelled("", "a b", 0)}, {few}); }),
              "compare maps: expected 2 layers of 3 heads, as the first has, got 1 layers of 3");
    EXPECT_EQ(refusal([&] {
                  aligned({labelled("x", "a b", 0), labelled("y", "a b", 0)}, {labelled("z", "a b", 0)});
              }),
              "compare maps: expected maps of the same name in both, got none");
}

TEST(AlignedMaps, OfTextsWithoutATokenInCommonArePairedByPlace) {
    const AlignedMaps maps = aligned({labelled("", "the cat sat", 0)}, {labelled("", "un chat", 0)});
    EXPECT_EQ(maps.first[0].tokens.query, tokens_of("the cat"));
    EXPECT_EQ(maps.second[0].tokens.query, tokens_of("un chat"));
    EXPECT_EQ(maps.left_out, "The two texts have no token in common: tokens are paired by their places.  1 "
                             "token of the first text has no partner and is left out.");
}

TEST(SpreadMaps, StandInTheFirstTextsPlaces) {
    const std::vector<LabelledMaps> first{labelled("", "the big cat sat", 0)},
        second{labelled("", "the dog sat down", 100)};
    const SpreadMaps maps = spread(first, second);
    EXPECT_FALSE(maps.is_whole);
    EXPECT_EQ(maps.without_partner,
              "1 token of the first text and 1 token of the second text have no partner.");
    ASSERT_EQ(maps.maps.size(), 1u);
    EXPECT_EQ(maps.maps[0].maps->extents(), first[0].maps->extents());
    EXPECT_EQ(maps.maps[0].tokens.query, tokens_of("the dog – sat"));
    const Index of_second[] = {0, 1, -1, 2};
    const MapPlace place{1, 2};
    const auto numbers = map_of(*maps.maps[0].maps, place);
    for (std::size_t row = 0; row < 4; ++row)
        for (std::size_t column = 0; column < 4; ++column) {
            const Index query = of_second[row], key = of_second[column];
            if (query < 0 || key < 0)
                EXPECT_TRUE(std::isnan(numbers[row * 4 + column])) << row << ' ' << column;
            else
                EXPECT_EQ(numbers[row * 4 + column], scattered(place, query + 100, key));
        }
    EXPECT_TRUE(spread(first, {labelled("", "the big dog ran", 3)}).is_whole);
    EXPECT_TRUE(spread(first, first).without_partner.empty());
    EXPECT_FALSE(
        spread(first, {labelled("x", "the big cat sat", 0), labelled("", "the big cat sat", 0)}).is_whole);
}

TEST(Change, OfSpreadMapsIsThatOfAlignedOnes) {
    const std::vector<LabelledMaps> first{labelled("", "the big cat sat", 0)},
        second{labelled("", "the dog sat down", 100)};
    const AlignedMaps both = aligned(first, second);
    LabelledMaps parts = both.first[0], whole = first[0];
    parts.other = both.second[0].maps;
    const SpreadMaps others = spread(first, second);
    whole.other = others.maps[0].maps;
    const std::size_t change = *find_statistic("change");
    for (const MapPlace place : {MapPlace{0, 0}, MapPlace{1, 2}})
        EXPECT_NEAR(statistics_of(whole, place)[change].value(), statistics_of(parts, place)[change].value(),
                    1e-12);
    EXPECT_EQ(statistics_of(whole, {0, 0})[0], statistics_of(first[0], {0, 0})[0]);  // the others stay
}

TEST(Change, OfOneCommonTokenIsNoNumber) {
    const std::vector<LabelledMaps> first{labelled("", "a b c d", 0)}, second{labelled("", "x y a", 100)};
    LabelledMaps whole = first[0];
    whole.other = spread(first, second).maps[0].maps;
    const std::size_t change = *find_statistic("change");
    ASSERT_EQ(pairing("a b c d", "x y a"), "a");
    EXPECT_FALSE(statistics_of(whole, {0, 0})[change]);
    const AlignedMaps both = aligned(first, second);
    LabelledMaps parts = both.first[0];
    parts.other = both.second[0].maps;
    EXPECT_FALSE(statistics_of(parts, {0, 0})[change]);
    // One of the two tokens that both have is hidden: what is left has all of the row in both.
    LabelledMaps two = labelled("", "a b", 0);
    two.other = labelled("", "a b", 7).maps;
    EXPECT_TRUE(statistics_of(two, {0, 0})[change]);
    two.lens.hidden_keys = {0};
    EXPECT_FALSE(statistics_of(two, {0, 0})[change]);
}

TEST(Change, IsTheMassThatMoved) {
    LabelledMaps maps = labelled("", "a b c d", 0);
    EXPECT_FALSE(statistics_of(maps, {0, 0})[*find_statistic("change")]);
    maps.other = labelled("", "a b c d", 7).maps;
    for (const MapPlace place : {MapPlace{0, 0}, MapPlace{1, 1}}) {
        double mean = 0;
        const auto a = map_of(*maps.maps, place), b = map_of(*maps.other, place);
        for (std::size_t row = 0; row < 4; ++row) {
            double of_a = 0, of_b = 0, kept = 0;
            for (std::size_t key = 0; key < 4; ++key) {
                of_a += a[row * 4 + key];
                of_b += b[row * 4 + key];
            }
            for (std::size_t key = 0; key < 4; ++key)
                kept += std::min(a[row * 4 + key] / of_a, b[row * 4 + key] / of_b);
            mean += (1 - kept) / 4;
        }
        EXPECT_NEAR(statistics_of(maps, place)[*find_statistic("change")].value(), mean, 1e-12);
    }
}

}  // namespace

}  // namespace headlight::aligned_maps_test

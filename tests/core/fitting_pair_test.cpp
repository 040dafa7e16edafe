// Which pair of query and key is looked at after a step to another part of a model.

#include "core/workbench/fitting_pair.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace headlight::fitting_pair_test { namespace {

const std::string encoder = "encoder.0.self", own = "decoder.0.self", cross = "decoder.0.cross";

/// Three source words, two written; the decoder's own text is masked, and looks at its newest word most.
Trace translation() {
    const auto map = [](const std::string& site, const char* stage, Index queries, Index keys) {
        return Stage{site, stage, {Axis::head, Axis::query, Axis::key}, {1, queries, keys}};
    };
    Trace trace({map(encoder, "weights", 3, 3), map(own, "masked_scores", 2, 2), map(own, "weights", 2, 2),
                 map(cross, "weights", 2, 3)});
    const double never = -std::numeric_limits<double>::infinity();
    const auto fill = [&trace](std::size_t stage, const std::vector<double>& numbers) {
        std::ranges::copy(numbers, trace.values(trace.stages()[stage]).begin());
    };
    fill(0, {0.1, 0.2, 0.7, 0.8, 0.1, 0.1, 0.3, 0.4, 0.3});
    fill(1, {1, never, 1, 2});
    fill(2, {1, 0, 0.3, 0.7});
    fill(3, {0.2, 0.1, 0.7, 0.1, 0.8, 0.1});
    const auto name = [&trace](const std::string& site, std::vector<std::string> queries,
                               std::vector<std::string> keys) {
        trace.joined_tokens[site].query = std::move(queries);
        trace.joined_tokens[site].key = std::move(keys);
    };
    name(encoder, {"the", "black", "cat"}, {"the", "black", "cat"});
    name(own, {"<s>", "chat"}, {"<s>", "chat"});
    name(cross, {"chat", "noir"}, {"the", "black", "cat"});
    return trace;
}

struct Move {
    const char* name;
    std::string from;
    Index query, key;
    std::string to;
    ChosenPair chosen;
    Index to_query, to_key;
};

class FittingPairs : public testing::TestWithParam<Move> {};

TEST_P(FittingPairs, MeanSomethingThere) {
    const Move& row = GetParam();
    Selection here;
    here.site = row.from;
    here.query = row.query;
    here.key = row.key;
    Selection there = here;
    there.site = row.to;
    if (row.chosen.query)
        there.query = *row.chosen.query;
    const Selection fitting = with_fitting_pair(translation(), here, there, row.chosen);
    EXPECT_EQ(fitting.site, row.to);
    EXPECT_EQ(fitting.query, row.to_query);
    EXPECT_EQ(fitting.key, row.to_key);
}

INSTANTIATE_TEST_SUITE_P(All, FittingPairs,
                         testing::Values(Move{"the_same_site", cross, 1, 2, cross, {}, 1, 2},
                                         Move{"source_words_stay", cross, 1, 2, encoder, {}, 2, 2},
                                         Move{"steps_of_a_decoder_stay", cross, 1, 2, own, {}, 1, 1},
                                         Move{"never_a_masked_key", cross, 0, 2, own, {}, 0, 0},
                                         Move{"a_word_of_neither_text", encoder, 1, 0, cross, {}, 1, 0},
                                         Move{"what_was_chosen_stays", encoder, 2, 1, cross, {0, {}}, 0, 1},
                                         Move{"a_key_too", encoder, 2, 1, cross, {0, 2}, 0, 2},
                                         Move{"beyond_the_last_query", encoder, 2, 2, own, {}, 1, 1}),
                         [](const auto& row) { return row.param.name; });

TEST(FittingPair, StayWhereThereIsNoMap) {
    Selection here;
    here.site = cross;
    here.query = 1;
    Selection there = here;
    there.site = "said";
    EXPECT_TRUE(with_fitting_pair(translation(), here, there) == there);
}

}}  // namespace headlight::fitting_pair_test

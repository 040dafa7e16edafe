// Lists of words, and which of them a person who slipped probably meant.

#include "core/attention/spec_words.h"

#include <gtest/gtest.h>

namespace headlight::words_test { namespace {

struct Typed {
    const char* text;
    const char* meant;  ///< "" when nothing is suggested
};
void PrintTo(const Typed& row, std::ostream* out) { *out << row.text; }

class Nearest : public testing::TestWithParam<Typed> {};

TEST_P(Nearest, IsWhatWasMeantOrNothing) {
    std::vector<std::string> known = spellings<Activation>();
    for (const char* word : {"dot", "general", "W_q", "--seed", "causal"})
        known.emplace_back(word);
    EXPECT_EQ(nearest(GetParam().text, known), GetParam().meant);
}

TEST(ListsInWords, AreTakenApartByCommasAndBeforeTheLastByAWord) {
    EXPECT_EQ(list_in_words({}, "or"), "");
    EXPECT_EQ(list_in_words({"dot"}, "or"), "dot");
    EXPECT_EQ(list_in_words({"dot", "general"}, "and"), "dot and general");
    EXPECT_EQ(list_in_words({"dot", "general", "concat"}, "or"), "dot, general or concat");
    EXPECT_EQ(list_of({"dot", "general", "concat"}), R"("dot", "general" or "concat")");
}

TEST(ListsInWords, OfManyNameTheFirstAndCountTheOthers) {
    EXPECT_EQ(list_with_others({"a", "b", "c"}, 2), "a, b, c and 2 others");
    EXPECT_EQ(list_with_others({"a"}, 1), "a and 1 other");
    EXPECT_EQ(list_with_others({"a", "b"}, 0), "a, b");
    EXPECT_EQ(list_with_others({}, 0), "");
}

TEST(NearestNumber, IsMeantWhereOnlyTheNumberDiffers) {
    const std::vector<std::string> sites{"decoder.0.cross", "decoder.1.cross", "decoder.5.cross",
                                         "decoder.0.self", "encoder.6.self"};
    EXPECT_EQ(nearest("decoder.6.cross", sites), "decoder.5.cross");
    EXPECT_EQ(nearest("decoder.10.cross", sites), "decoder.5.cross");
    EXPECT_EQ(nearest("decoder.2.cross", sites), "decoder.1.cross");
    EXPECT_EQ(nearest("decoder.3.self", sites), "decoder.0.self");
    EXPECT_EQ(nearest("4", {"3", "5"}), "") << "nothing else is there to compare";
}

TEST(DidYouMean, SaysWhatWasMeantOrNothing) {
    EXPECT_EQ(did_you_mean("tanh"), " (did you mean \"tanh\"?)");
    EXPECT_EQ(did_you_mean(""), "");
    EXPECT_EQ(quoted_with_hint("tahn", {"relu", "tanh"}), "\"tahn\" (did you mean \"tanh\"?)");
    EXPECT_EQ(quoted_with_hint("gelu", {"relu", "tanh"}), "\"gelu\"");
}

INSTANTIATE_TEST_SUITE_P(Words, Nearest,
                         testing::Values(Typed{"tahn", "tanh"}, Typed{"atnh", "tanh"}, Typed{"tanhh", "tanh"},
                                         Typed{"rleu", "relu"}, Typed{"Relu", "relu"}, Typed{"dott", "dot"},
                                         Typed{"W_Q", "W_q"}, Typed{"--sedd", "--seed"},
                                         Typed{"kausal", "causal"}, Typed{"gemeral", "general"},
                                         // other functions, not slips
                                         Typed{"gelu", ""}, Typed{"silu", ""}, Typed{"selu", ""},
                                         Typed{"celu", ""}, Typed{"elu", ""}, Typed{"hot", ""},
                                         Typed{"x", ""}, Typed{"", ""}));

}}  // namespace headlight::words_test

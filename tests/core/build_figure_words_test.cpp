#include "core/attention/component.h"
#include "core/figure/words.h"

#include <gtest/gtest.h>

namespace headlight::build_figure_words_test { namespace {

struct Token {
    std::string token, shown;
};

class VisibleToken : public testing::TestWithParam<Token> {};

TEST_P(VisibleToken, HasNothingInvisibleAtItsEnds) {
    EXPECT_EQ(visible_token(GetParam().token), GetParam().shown);
}

INSTANTIATE_TEST_SUITE_P(Words, VisibleToken,
                         testing::Values(Token{"cat", "cat"}, Token{" ", "␣"}, Token{" the", "␣the"},
                                         Token{"New York", "New York"}, Token{"  ", "␣␣"}, Token{"\n", "↵"},
                                         Token{"a\tb", "a⇥b"}, Token{"\r\n", "↵↵"}, Token{"\x01", "�"},
                                         Token{"\u3000", "␣"}, Token{"注意", "注意"},
                                         Token{"انتباه", "انتباه"}, Token{"", "∅"}, Token{"\xff", "\\xff"},
                                         Token{"e\u0301", "e\u0301"}, Token{"\u0301", "◌\u0301"},
                                         Token{"\u200d", "◌\u200d"}, Token{"\u202e", "\\u202e"},
                                         Token{"a\u200bb", "a\\u200bb"}, Token{"👩‍🔬", "👩‍🔬"},
                                         Token{"🏴\U000e0067\U000e007f", "🏴\U000e0067\U000e007f"}));

TEST(Words, MechanismTitleSaysWhatTheSpecIs) {
    AttentionSpec spec;
    EXPECT_EQ(mechanism_title(spec), "Scaled dot-product self-attention");
    spec.source.type = SourceType::cross;
    spec.score.type = ScoreType::additive;
    spec.mask.rule = PaddingMask{3};
    EXPECT_EQ(mechanism_title(spec), "Additive cross-attention, masked");
    spec.mask.rule = AllOf{{Mask{PaddingMask{3}}, Mask{CausalMask{}}}};
    spec.heads.type = HeadsType::multi;
    spec.normalizer.type = NormalizerType::hard;
    EXPECT_EQ(mechanism_title(spec), "Multi-head hard additive cross-attention, causal");
}

TEST(Words, SubtitleOfWeightsSaysWhatANormaliserDoes) {
    AttentionSpec spec;
    EXPECT_EQ(stage_subtitle(spec, "weights"), "softmax of each row");
    for (const NormalizerComponent& normalizer : normalizer_components()) {
        spec.normalizer.type = normalizer.type;
        EXPECT_EQ(stage_subtitle(spec, "weights"), normalizer.phrase) << normalizer.word;
        EXPECT_NE(normalizer.phrase.find(' '), std::string::npos) << normalizer.word;
        EXPECT_LE(normalizer.phrase.size(), 45u) << normalizer.word;
    }
}

TEST(Words, KeysWithoutNamesAreTheQueriesOfSelfAttention) {
    Trace trace;
    trace.tokens.query = {"a", "b"};
    trace.tokens.query_unknown = {false, true};
    EXPECT_EQ(axis_labels(trace.tokens, Axis::key, 2), trace.tokens.query);
    EXPECT_EQ(axis_marks(trace.tokens, Axis::key, 2), trace.tokens.query_unknown);
    EXPECT_TRUE(axis_labels(trace.tokens, Axis::key, 3).empty()) << "another sequence";
    EXPECT_TRUE(axis_labels(trace.tokens, Axis::feature, 2).empty());
    trace.tokens.key = {"x", "y"};
    EXPECT_EQ(axis_labels(trace.tokens, Axis::key, 2), trace.tokens.key);
    EXPECT_TRUE(axis_marks(trace.tokens, Axis::key, 2).empty()) << "every key is known";
}

TEST(Words, PeopleCountHeadsFromOne) {
    EXPECT_EQ(head_title(0, 8), "head 1 of 8");
    EXPECT_EQ(head_title(0, 1), "");
}

}}  // namespace headlight::build_figure_words_test

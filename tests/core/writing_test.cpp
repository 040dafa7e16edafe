// Which way words run, and that they do not turn what stands around them.

#include "core/text/writing.h"

#include "core/tensor/visible_text.h"

#include <gtest/gtest.h>

namespace headlight::writing_test { namespace {

struct Text {
    std::vector<std::string> words;
    bool from_right;
    std::vector<std::size_t> from_left;  ///< its words as they stand, from the left
};
void PrintTo(const Text& text, std::ostream* out) {
    for (const std::string& word : text.words)
        *out << word << " ";
}

class WritingOf : public testing::TestWithParam<Text> {};

TEST_P(WritingOf, RunsAsItsWordsDo) {
    const WritingDirection direction = writing_direction(GetParam().words);
    EXPECT_EQ(direction.from_right, GetParam().from_right);
    EXPECT_EQ(order_from_left(direction.levels), GetParam().from_left);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, WritingOf,
    testing::Values(Text{{}, false, {}}, Text{{""}, false, {0}}, Text{{".", "!"}, false, {0, 1}},
                    Text{{"a", "b"}, false, {0, 1}}, Text{{"א", "ב"}, true, {1, 0}},
                    Text{{"א", "12", "34", "ב"}, true, {3, 1, 2, 0}},
                    Text{{"א", "b", "c", "ד"}, true, {3, 1, 2, 0}},
                    Text{{"a", "ב", "ג", "d"}, false, {0, 2, 1, 3}}, Text{{"a", "b", "ג"}, false, {0, 1, 2}},
                    Text{{"[CLS]", "<s>", "ג", "[SEP]"}, true, {3, 2, 0, 1}},
                    Text{{"(", "א", ")"}, true, {2, 1, 0}}, Text{{"مرحبا", "٤٢"}, true, {1, 0}}));

TEST(Marks, NeedALetter) {
    for (const char* mark : {"\u0301", "\u200d", "\u200c", "\ufe0f", "\u064e", "\u093e"})
        EXPECT_TRUE(begins_with_mark(mark)) << mark;
    for (const char* other : {"", "e\u0301", "a", "注", "🙂", "\xff"})
        EXPECT_FALSE(begins_with_mark(other)) << other;
}

TEST(Emoji, AreToldFromTextAndSigns) {
    for (const char* emoji :
         {"🙂", "👩‍🔬", "🇩🇪", "👍🏽", "❤️", "☀️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "😀😀"})
        EXPECT_TRUE(is_of_emoji(emoji)) << emoji;
    for (const char* text : {"", "a", "1", "→", "☀", "a🙂", "中", "\u200d", "#️"})
        EXPECT_FALSE(is_of_emoji(text)) << text;
}

TEST(TurnedParts, LeaveEachEmojiUpright) {
    using Parts = std::vector<std::string>;
    EXPECT_EQ(turned_parts("␣😀"), (Parts{"␣", "😀"}));
    EXPECT_EQ(turned_parts("so 👩‍🔬🇩🇪, yes"), (Parts{"so ", "👩‍🔬", "🇩🇪", ", yes"}));
    EXPECT_EQ(turned_parts("😀"), Parts{"😀"});
    for (const char* whole : {"", "plain", "naïve", "注意", "é", "1 → 2", "א😀"})
        EXPECT_EQ(turned_parts(whole), Parts{whole}) << whole;
}

TEST(WithArrow, PointsFromTheFirstToTheSecondInAnyDirection) {
    EXPECT_EQ(with_arrow("“a”", "“b”"), "“a” → “b”");
    EXPECT_EQ(with_arrow(in_quotes("א"), "“b”"), "\u2066“\u2068א\u2069” → “b”\u2069");
}

TEST(Isolated, IsOnlyWhatTurnsASentence) {
    for (const char* plain : {"", "cat", "注意", "नमस्ते", "🙂", "42", "\xff", "\u00e9"}) {
        EXPECT_EQ(isolated(plain), plain);
        EXPECT_EQ(in_quotes(plain), std::string("“") + plain + "”");
    }
    for (const char* turning : {"שלום", "مرحبا", "a א", "٤٢", "\u200f", "𞤀", "ﷺ"})
        EXPECT_EQ(in_quotes(turning), std::string("“\u2068") + turning + "\u2069”");
}

}}  // namespace headlight::writing_test

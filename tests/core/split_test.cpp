#include "core/text/split.h"

#include "core/tensor/error.h"

#include <gtest/gtest.h>

#include <ostream>
#include <random>

namespace headlight::split_test { namespace {

using Tokens = std::vector<std::string>;

struct Row {
    const char* what;
    std::string text;
    Tokens tokens;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.what; }

class SplitText : public testing::TestWithParam<Row> {};
TEST_P(SplitText, HasTheseWords) {
    EXPECT_EQ(split_text(GetParam().text, TokenSplit::words), GetParam().tokens);
}

INSTANTIATE_TEST_SUITE_P(
    Split, SplitText,
    testing::Values(
        Row{"words and punctuation",
            "The cat sat, then slept.",
            {"The", "cat", "sat", ",", "then", "slept", "."}},
        Row{"contraction", "It didn't; it's OK", {"It", "didn't", ";", "it's", "OK"}},
        Row{"curly apostrophe", "don’t l’homme", {"don’t", "l’homme"}},
        Row{"quotation", "“Yes”, 'no'", {"“", "Yes", "”", ",", "'", "no", "'"}},
        Row{"numbers", "3.14 1,000 50% $5", {"3.14", "1,000", "50", "%", "$", "5"}},
        Row{"hyphen", "well-known", {"well", "-", "known"}},
        Row{"any white space", " a\t b\r\nc\u00A0d\u3000e ", {"a", "b", "c", "d", "e"}},
        Row{"BERT", "[CLS] Hi.[SEP] [MASK]", {"[CLS]", "Hi", ".", "[SEP]", "[MASK]"}},
        Row{"end of text", "<s>go</s><eos><|endoftext|>", {"<s>", "go", "</s>", "<eos>", "<|endoftext|>"}},
        Row{"not special",
            "[see] a[1] x<3 <>",
            {"[", "see", "]", "a", "[", "1", "]", "x", "<", "3", "<", ">"}},
        Row{"unclosed", "[SEP <eos <|x>", {"[", "SEP", "<", "eos", "<", "|", "x", ">"}},
        Row{"special token with a combining mark", "[SEP]\u0301", {"[", "SEP", "]\u0301"}},
        Row{"overlong special token",
            "<aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa>",
            {"<", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", ">"}},
        Row{"accents, composed and combining", "Ünï cafe\u0301s", {"Ünï", "cafe\u0301s"}},
        Row{"Greek and Cyrillic", "Καλημέρα, мир!", {"Καλημέρα", ",", "мир", "!"}},
        Row{"Chinese", "我喜欢学习。", {"我", "喜欢", "学习", "。"}},
        Row{"Japanese", "これはペンです", {"これ", "は", "ペン", "です"}},
        Row{"Korean", "안녕하세요 세계", {"안녕하세요", "세계"}},
        Row{"Thai", "สวัสดีชาวโลก", {"สวัสดี", "ชาว", "โลก"}},
        Row{"Hebrew keeps logical order", "שלום עולם.", {"שלום", "עולם", "."}},
        Row{"Arabic", "مرحبا بالعالم، كيف؟", {"مرحبا", "بالعالم", "،", "كيف", "؟"}},
        Row{"Devanagari", "नमस्ते दुनिया", {"नमस्ते", "दुनिया"}},
        Row{"emoji",
            "hi 👍🏽👨‍👩‍👧‍👦🇩🇰!",
            {"hi", "👍🏽", "👨‍👩‍👧‍👦", "🇩🇰", "!"}},
        Row{"keycap", "1️⃣", {"1️⃣"}}, Row{"zero-width space separates", "a\u200Bb", {"a", "b"}},
        Row{"direction marks stay invisible", "\u200Fשלום \u200E a", {"שלום", "a"}},
        Row{"byte order mark", "\uFEFFhi", {"hi"}},
        Row{"control characters vanish", "a\x01 \x07 b", {"a", "b"}}));

class Characters : public testing::TestWithParam<Row> {};
TEST_P(Characters, AreSplit) {
    EXPECT_EQ(split_text(GetParam().text, TokenSplit::characters), GetParam().tokens);
    EXPECT_EQ(graphemes(GetParam().text).size(), GetParam().tokens.size());
}

INSTANTIATE_TEST_SUITE_P(
    Split, Characters,
    testing::Values(
        Row{"white space is kept", "a b\n", {"a", " ", "b", "\n"}},
        Row{"line end", "a\r\nb", {"a", "\r\n", "b"}},
        Row{"combining marks", "e\u0301o\u0302\u0323", {"e\u0301", "o\u0302\u0323"}},
        Row{"Hangul syllables of jamo", "\u1112\u1161\u11AB", {"\u1112\u1161\u11AB"}},
        Row{"Devanagari", "नि", {"नि"}},
        Row{"family", "👨‍👩‍👧‍👦👍🏽", {"👨‍👩‍👧‍👦", "👍🏽"}},
        Row{"flags", "🇩🇰🇳🇴", {"🇩🇰", "🇳🇴"}}));

struct Refusal {
    const char* what;
    std::string text;
    const char* message;
};
void PrintTo(const Refusal& row, std::ostream* out) { *out << row.what; }

class RefusedSplit : public testing::TestWithParam<Refusal> {};
TEST_P(RefusedSplit, WithPlaceExpectedAndGot) {
    for (const TokenSplit split : {TokenSplit::words, TokenSplit::characters}) {
        try {
            split_text(GetParam().text, split);
            FAIL() << "accepted";
        } catch (const Error& error) {
            EXPECT_STREQ(error.what(), GetParam().message);
        }
    }
}

constexpr const char* empty_message = "split text into tokens: expected text, got empty text";
INSTANTIATE_TEST_SUITE_P(
    Split, RefusedSplit,
    testing::Values(
        Refusal{"empty", "", empty_message}, Refusal{"white space", " \t\n\u3000", empty_message},
        Refusal{"only a byte order mark", "\uFEFF", empty_message},
        Refusal{"stray continuation", "ab\x80", "byte 2: read text: expected UTF-8, got byte 0x80"},
        Refusal{"cut sequence", "a\xE2\x82", "byte 1: read text: expected UTF-8, got byte 0xE2"},
        Refusal{"overlong", "\xC0\xAF", "byte 0: read text: expected UTF-8, got byte 0xC0"},
        Refusal{"surrogate", "xy\xED\xA0\x80", "byte 2: read text: expected UTF-8, got byte 0xED"},
        Refusal{"Latin-1", "caf\xE9 noir", "byte 3: read text: expected UTF-8, got byte 0xE9"},
        Refusal{"binary file", std::string("PNG\0x", 5),
                "byte 3: read text: expected text, got a zero byte"}));

TEST(Split, RefusesOrSplitsAnyBytes) {
    std::mt19937 random(1);
    const std::string pieces[] = {
        "a", " ",    "[SEP]", "<",        "|",      ">", "e\u0301", "👨‍👩‍👧",
        "ก", "\xE2", "\x82",  "\xF0\x9F", "\u200D", "م"};
    for (int round = 0; round < 3000; ++round) {
        std::string text;
        for (int length = static_cast<int>(random() % 12); length > 0; --length)
            text += pieces[random() % std::size(pieces)];
        for (const TokenSplit split : {TokenSplit::words, TokenSplit::characters}) {
            try {
                std::string joined;
                for (const std::string& token : split_text(text, split)) {
                    EXPECT_FALSE(token.empty());
                    joined += token;
                }
                EXPECT_LE(joined.size(), text.size());
                if (split == TokenSplit::characters) {
                    EXPECT_EQ(joined, text);
                }
            } catch (const Error&) {  // a refusal is as good
            }
        }
    }
}

TEST(Split, NeverSplitsAGraphemeCluster) {
    const std::string text = "👨‍👩‍👧‍👦 e\u0301\u0600\u0661 [SEP]\u0301<s>\u200D "
                             "नि\u1112\u1161\u11AB🇩🇰🇳🇴ก็ชาว";
    std::size_t clusters = 0;
    for (const std::string& token : split_text(text, TokenSplit::words))
        clusters += graphemes(token).size();
    std::size_t visible = 0;
    for (const std::string& cluster : split_text(text, TokenSplit::characters))
        visible += cluster != " ";
    EXPECT_EQ(clusters, visible);
}

}}  // namespace headlight::split_test

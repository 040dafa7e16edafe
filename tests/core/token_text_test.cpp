// What the tokens of a tokenizer mean.

#include "core/text/bare_token.h"
#include "core/text/delimiter.h"
#include "core/text/token_text.h"

#include <gtest/gtest.h>

namespace headlight::token_text_test { namespace {

using Tokens = std::vector<std::string>;

struct Row {
    const char* name;
    Tokens stored, texts;
};

std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

class TokenTexts : public testing::TestWithParam<Row> {};

TEST_P(TokenTexts, AreWhatTheTokensMean) {
    const Row& row = GetParam();
    EXPECT_EQ(token_texts(row.stored), row.texts);
    EXPECT_EQ(token_texts(row.texts), row.texts) << "a text is read as itself";
}

INSTANTIATE_TEST_SUITE_P(
    , TokenTexts,
    testing::Values(
        Row{"bytes", {"The", "Ġcat", ",", "Ċ", "ĉ", "Ġ", "ĠĠ"}, {"The", " cat", ",", "\n", "\t", " ", "  "}},
        Row{"bytes_of_letters",
            {"ä½łå¥½", "ĠÐŁÑĢÐ¸Ð²ÐµÑĤ", "ĠnaÃ¯ve", "ĠðŁĺĢ", "âĢ¦"},
            {"你好", " Привет", " naïve", " 😀", "…"}},
        Row{"a_character_in_two_tokens", {"Ġso", "ðŁĺ", "Ģ"}, {" so", "<0xF09F98>", "<0x80>"}},
        Row{"a_text_that_is_cut_off", {"Ġso", "ðŁĺ"}, {" so", "<0xF09F98>"}},
        Row{"a_letter_that_is_written_out", {"Ġit", "Ġnaï", "ve"}, {" it", " naï", "ve"}},
        Row{"specials",
            {"<|endoftext|>", "Ġthe", "[SEP]", "</s>"},
            {"<|endoftext|>", " the", "[SEP]", "</s>"}},
        Row{"sentence_pieces", {"▁The", "▁▁", "def"}, {" The", "  ", "def"}},
        Row{"fallback_bytes",
            {"▁a", "<0xE4>", "<0xBD>", "<0xA0>", "<0x0A>"},
            {" a", "<0xE4>", "<0xBD>", "<0xA0>", "\n"}},
        Row{"ends_of_words", {"lo", "w</w>", "</w>"}, {"lo", "w ", "</w>"}},
        Row{"word_pieces", {"[CLS]", "un", "##known"}, {"[CLS]", "un", "##known"}},
        Row{"words", {"Ã", "naïve", "Łódź", "ĝis", "café"}, {"Ã", "naïve", "Łódź", "ĝis", "café"}},
        Row{"a_byte_that_somebody_wrote", {"->", "<0x0A>", "0x1F"}, {"->", "<0x0A>", "0x1F"}},
        Row{"other_scripts", {"שלום", "مرحبا", "Ġx", "中文"}, {"שלום", "مرحبا", "Ġx", "中文"}}),
    [](const auto& row) { return std::string(row.param.name); });

/// GPT-2's bytes_to_unicode, as its encoder.py has it.
std::string spelt(std::string_view bytes) {
    std::string text;
    for (const char c : bytes) {
        const int byte = static_cast<unsigned char>(c);
        const auto prints = [](int b) {
            return (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || (b >= 174 && b <= 255);
        };
        int code = byte;
        if (!prints(byte)) {
            code = 256;
            for (int before = 0; before < byte; ++before)
                code += prints(before) ? 0 : 1;
        }
        if (code < 0x80)
            text += static_cast<char>(code);
        else
            (text += static_cast<char>(0xC0 | code >> 6)) += static_cast<char>(0x80 | (code & 0x3F));
    }
    return text;
}

std::string utf8(char32_t code) {
    const auto tail = [&](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3F)); };
    if (code < 0x80)
        return {static_cast<char>(code)};
    if (code < 0x800)
        return {static_cast<char>(0xC0 | code >> 6), tail(0)};
    if (code < 0x10000)
        return {static_cast<char>(0xE0 | code >> 12), tail(6), tail(0)};
    return {static_cast<char>(0xF0 | code >> 18), tail(12), tail(6), tail(0)};
}

TEST(TokenText, KnowsEveryByteOfTheAlphabet) {
    Tokens stored, texts;
    const auto add = [&](char32_t code) {
        texts.push_back(' ' + utf8(code));
        stored.push_back(spelt(texts.back()));
    };
    for (char32_t code = 0x20; code < 0x7F; ++code)
        add(code);
    for (char32_t code = 0x80; code < 0x800; ++code)
        add(code);
    for (char32_t code = 0x800; code < 0x110000; code += 61)
        if (code < 0xD800 || code > 0xDFFF)
            add(code);
    const Tokens read = token_texts(stored);
    for (std::size_t at = 0; at < texts.size(); ++at)
        ASSERT_EQ(read[at], texts[at]) << stored[at];
}

TEST(TokenText, BytesOfNoCharacterAreNoDelimiter) {
    const Tokens texts = token_texts(Tokens{"▁a", "<0xE4>", "<0x2E>", "<0x0A>", "</s>"});
    std::vector<bool> delimiters;
    for (const std::string& text : texts)
        delimiters.push_back(is_delimiter(text));
    EXPECT_EQ(delimiters, (std::vector<bool>{false, false, true, true, true}));
}

TEST(BareToken, HasNoSpaceAndNoMark) {
    EXPECT_EQ(bare_token(" the"), "the");
    EXPECT_EQ(bare_token("w "), "w");
    EXPECT_EQ(bare_token("##ing"), "ing");
    EXPECT_EQ(bare_token("##"), "##");
    EXPECT_EQ(bare_token(" "), "");
}

}}  // namespace headlight::token_text_test

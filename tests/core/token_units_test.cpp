// Tokens put together: words, sentences, lines and turns, as tokenizers mark them.

#include "core/analysis/token_units.h"
#include "core/figure/called_tokens.h"
#include "core/map/site_name.h"
#include "core/tensor/error.h"
#include "tests/support/generated_maps.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <numeric>

namespace headlight::token_units_test {

using namespace test;

namespace {

using Tokens = std::vector<std::string>;

struct Row {
    const char* name;
    TokenUnit unit;
    Tokens tokens, labels;
};

std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

/// The maps of a text that looks at itself with 1 everywhere, in such units.
LabelledMaps ones_in_units(const Tokens& tokens, TokenUnit unit) {
    const Index count = std::ssize(tokens);
    const auto ones = std::make_shared<GeneratedMaps>(MapSource::Extents{1, 1, count, count},
                                                      [](MapPlace, Index, Index) { return 1.0; });
    return in_units(LabelledMaps{"", ones, {tokens, {}, {}, {}}}, unit);
}

class TokenUnits : public testing::TestWithParam<Row> {};

TEST_P(TokenUnits, CutAndNameAText) {
    const Row& row = GetParam();
    const LabelledMaps maps = ones_in_units(row.tokens, row.unit);
    EXPECT_EQ(maps.tokens.query, row.labels);
    const Index units = maps.maps->extents().keys;
    ASSERT_EQ(units, std::ssize(row.labels));
    const auto map = map_of(*maps.maps, {0, 0});
    EXPECT_NEAR(std::accumulate(map.begin(), map.begin() + units, 0.0),
                static_cast<double>(row.tokens.size()), 1e-12)
        << "every token is in one unit";
}

INSTANTIATE_TEST_SUITE_P(
    , TokenUnits,
    testing::Values(
        Row{"word_pieces",
            TokenUnit::word,
            {"[CLS]", "un", "##know", "##n", "animal", ".", "[SEP]"},
            {"[CLS]", "unknown", "animal", ".", "[SEP]"}},
        Row{"bytes", TokenUnit::word, {"Hel", "lo", ",", "Ġwor", "ld", "!"}, {"Hello", ",", "world", "!"}},
        Row{"spaces", TokenUnit::word, {"Data", " em", "powers", " users"}, {"Data", "empowers", "users"}},
        Row{"pieces",
            TokenUnit::word,
            {"▁in", "form", "ation", "▁is", "</s>"},
            {"information", "is", "</s>"}},
        Row{"bytes_of_letters",
            TokenUnit::word,
            {"ä½łå¥½", "ï¼Įä¸ĸçķĮ", "ĠÐŁÑĢÐ¸Ð²ÐµÑĤ", "Ġna", "Ã¯ve", "Ġcaf", "Ã", "©", "ĠðŁĺ", "Ģ"},
            {"你好，世界", "Привет", "naïve", "café", "😀"}},
        Row{"fallback_bytes",
            TokenUnit::word,
            {"<s>", "▁The", "▁", "<0xF0>", "<0x9F>", "<0x98>", "<0x80>", "▁cat", "s", "<0x0A>", "</s>"},
            {"<s>", "The", "😀", "cats", "\n", "</s>"}},
        Row{"ends", TokenUnit::word, {"lo", "w</w>", "est</w>"}, {"low", "est"}},
        Row{"apostrophes",
            TokenUnit::word,
            {"ĠI", "Ġdon", "'t", "Ġwell", "-", "known"},
            {"I", "don't", "well-known"}},
        Row{"words_already", TokenUnit::word, {"the", "cat"}, {"the", "cat"}},
        Row{"chinese", TokenUnit::word, {"▁我", "们", "。"}, {"我们", "。"}},
        Row{"sentences",
            TokenUnit::sentence,
            {"The", " cat", " sat", ".", "”", " It", " slept", "!"},
            {"The cat sat.”", "It slept!"}},
        Row{"of_two_texts",
            TokenUnit::sentence,
            {"[CLS]", "a", "b", "[SEP]", "c", "[SEP]"},
            {"[CLS]", "a b [SEP]", "c [SEP]"}},
        Row{"lines", TokenUnit::line, {"a", " b", "\n", "c", "\n", "d"}, {"a b", "c", "d"}},
        Row{"lines_of_bytes", TokenUnit::line, {"a", "Ġb", "Ċ", "c", ".Ċ", "d"}, {"a b", "c.", "d"}},
        Row{"turns",
            TokenUnit::turn,
            {"<|im_start|>", "user", "Ċ", "Hi", "<|im_end|>", "<|im_start|>", "assistant", "Ċ", "Hello"},
            {"<|im_start|> user Hi <|im_end|>", "<|im_start|> assistant Hello"}},
        Row{"speakers",
            TokenUnit::turn,
            {"User", ":", " hi", "\n", "Bot", ":", " at", " 5", ":", " pm"},
            {"User: hi", "Bot: at 5: pm"}}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(UnitLabel, IsCutOffBetweenCharacters) {
    Tokens tokens;
    for (int i = 0; i < 30; ++i)
        tokens.emplace_back("▁é" + std::to_string(i));
    const Tokens labels = ones_in_units(tokens, TokenUnit::sentence).tokens.query;
    ASSERT_EQ(labels.size(), 1u);
    const std::string& label = labels.front();
    EXPECT_TRUE(label.ends_with("…"));
    EXPECT_TRUE(label.starts_with("é0 é1 "));
    EXPECT_LE(label.size(), 36u);
}

TEST(MapsInUnits, SumWhatIsLookedAtAndAverageWhoLooks) {
    const Tokens tokens{"▁un", "known", "▁cat"};
    const auto source = std::make_shared<GeneratedMaps>(MapSource::Extents{1, 1, 3, 3}, scattered);
    const LabelledMaps words = in_units(LabelledMaps{"", source, {tokens, {}, {}, {}}}, TokenUnit::word);
    EXPECT_EQ(words.tokens.query, (Tokens{"unknown", "cat"}));
    EXPECT_TRUE(words.tokens.key.empty());
    const auto map = map_of(*words.maps, {0, 0});
    const auto cell = [](Index query, Index key) { return scattered({0, 0}, query, key); };
    EXPECT_NEAR(map[0], (cell(0, 0) + cell(0, 1) + cell(1, 0) + cell(1, 1)) / 2, 1e-15);
    EXPECT_NEAR(map[1], (cell(0, 2) + cell(1, 2)) / 2, 1e-15);
    EXPECT_NEAR(map[2], cell(2, 0) + cell(2, 1), 1e-15);
}

TEST(MapsInUnits, LeaveAnAxisWithoutNamesAsItIs) {
    const auto source = std::make_shared<GeneratedMaps>(MapSource::Extents{1, 1, 3, 2}, scattered);
    const LabelledMaps words =
        in_units(LabelledMaps{"", source, {{"▁un", "known", "▁cat"}, {}, {}, {}}}, TokenUnit::word);
    EXPECT_EQ(words.maps->extents(), (MapSource::Extents{1, 1, 2, 2}));
    EXPECT_EQ(refusal([&] {
                  in_units(LabelledMaps{"", source, {}}, TokenUnit::word);
              }),
              "units: join tokens: expected tokens with names, as the JSON beside a capture has them, got "
              "numbered ones");
}

// A query of two streams stands one token behind its row: in the next word, but in the same sentence.
TEST(MapsInUnits, KnowWhereTheFirstQueryStands) {
    const auto source = std::make_shared<GeneratedMaps>(MapSource::Extents{1, 1, 4, 4}, scattered);
    LabelledMaps maps{"", source, {{"a", ".", "b", "."}, {"<s>", "a", ".", "b"}, {}, {}}};
    const auto first = [&](TokenUnit unit) { return first_query_place(in_units(maps, unit), 0); };
    EXPECT_EQ(first(TokenUnit::word), 0);
    maps.sites = {"decoder.0.query"};
    EXPECT_EQ(first(TokenUnit::token), 1);
    EXPECT_EQ(first(TokenUnit::word), 1);
    EXPECT_EQ(first(TokenUnit::sentence), 1) << "a sign of the text's own is none of the sentence behind it";
    maps.tokens.key[0] = "c";
    EXPECT_EQ(first(TokenUnit::sentence), 0);
}

TEST(MapsInUnits, WriteSingleTokensAsTheyAreAskedFor) {
    const auto source = std::make_shared<GeneratedMaps>(MapSource::Extents{1, 1, 3, 3}, scattered);
    const LabelledMaps stored{"", source, {{"The", "Ġcaf", "Ã©"}, {"un", "##known", "▁"}, {}, {}}};
    const auto written = [&](TokenSpelling spelling) {
        return in_units(stored, TokenUnit::token, spelling).tokens;
    };
    EXPECT_EQ(written(TokenSpelling::text).query, (Tokens{"The", " caf", "é"}));
    EXPECT_EQ(written(TokenSpelling::text).key, (Tokens{"un", "##known", " "}));
    EXPECT_EQ(written(TokenSpelling::plain).query, (Tokens{"The", "caf", "é"}));
    EXPECT_EQ(written(TokenSpelling::plain).key, (Tokens{"un", "known", " "}));
    EXPECT_EQ(written(TokenSpelling::stored), stored.tokens);
}

const std::vector<std::string> gpt2{"It", "Ġis", "Ġwhat", "Ġit", "Ġis", "Ġ4", "."};

TEST(CalledTokens, AreMeantWithoutTheMarkOfTheirTokenizer) {
    EXPECT_EQ(token_called("it", gpt2, 7), 3);
    EXPECT_EQ(token_called("Ġit", gpt2, 7), 3);
    EXPECT_EQ(token_called("It", gpt2, 7), 0);
    EXPECT_EQ(token_called("cat", {"▁a", "▁cat"}, 2), 1);
    EXPECT_EQ(token_called("cat", {"a", " cat"}, 2), 1);
    EXPECT_EQ(token_called("ing", {"walk", "##ing"}, 2), 1);
    EXPECT_EQ(token_called("cat", {"cat</w>"}, 1), 0);
    EXPECT_EQ(tokens_called("is", gpt2).bare, (std::vector<Index>{1, 4}));
}

TEST(CalledTokens, AreFirstThoseThatAreWrittenExactlySo) {
    EXPECT_EQ(token_called("it", {"Ġit", "it", "it"}, 3), 1);
    EXPECT_EQ(token_called("Ġis", gpt2, 7), 1);
}

TEST(CalledTokens, CountFromOneWhereNoTokenIsExactlyTheNumber) {
    EXPECT_EQ(token_called("4", gpt2, 7), 3) << "not “Ġ4”";
    EXPECT_EQ(token_called("4", {"4", "Ġit"}, 2), 0);
    EXPECT_EQ(token_called("7", gpt2, 7), 6);
    EXPECT_EQ(token_called("8", gpt2, 7), std::nullopt);
    EXPECT_EQ(token_called("0", gpt2, 7), std::nullopt);
    EXPECT_EQ(token_called("2", {}, 3), 1);
}

TEST(CalledTokens, SayWhyNoneIsMeant) {
    EXPECT_EQ(token_called("is", gpt2, 7), std::nullopt);
    const TokenMismatch several = token_mismatch("is", gpt2, 7);
    EXPECT_EQ(several.expected, "one token, by its number from 1 to 7");
    EXPECT_EQ(several.got, "\"is\", which are 2 and 5");
    const std::vector<std::string> six(6, "Ġis");
    EXPECT_EQ(token_mismatch("is", six, 6).got, "\"is\", which are 1, 2, 3, 4 and 2 others");
    const TokenMismatch none = token_mismatch("cat", gpt2, 7);
    EXPECT_EQ(none.expected, "a token, or its number from 1 to 7");
    EXPECT_TRUE(none.got.starts_with("\"cat\"")) << none.got;
    EXPECT_EQ(token_called("", gpt2, 7), std::nullopt);
}

}  // namespace

}  // namespace headlight::token_units_test

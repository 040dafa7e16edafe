// Inputs from JSON, safetensors and CSV.

#include "core/io/capture_file.h"
#include "core/io/files.h"
#include "core/io/inputs_file.h"
#include "core/io/map_table.h"
#include "core/io/safetensors.h"
#include "tests/support/generated_maps.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

#include <cmath>

namespace headlight::inputs_file_test {

using namespace test;

namespace {

Inputs everything() {
    Inputs inputs;
    inputs.query = Tensor({{0.1, -0.0, 3}, {4, 5, 1e-300}});
    inputs.key = Tensor({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
    inputs.value = Tensor({{1, 2}, {3, 4}, {5, 6}});
    inputs.tokens.query = {"größe", "\"quoted\"\n"};
    inputs.tokens.key = {"a", "", "語"};
    inputs.tokens.query_unknown = {false, true};
    inputs.parameters["W"] = Tensor({{1, 2, 3}, {4, 5, 6}, {7, 8, 9.25}});
    inputs.parameters["v"] = Tensor({3}, {1, 2, 3});
    inputs.parameters["g"] = Tensor({1}, {2.5});
    return inputs;
}

// JSON

TEST(InputsJson, ReadsTheSmallestFile) {
    const Inputs inputs = parse_inputs_json(R"({"query": [[1, 2], [3, 4]]})");
    EXPECT_EQ(inputs.query, Tensor({{1, 2}, {3, 4}}));
    EXPECT_FALSE(inputs.key || inputs.value);
    EXPECT_EQ(inputs.tokens, TokenLabels{});
    EXPECT_TRUE(inputs.parameters.empty());
}

TEST(InputsJson, ReadsEveryField) {
    const Inputs inputs = parse_inputs_json(
        R"({"query": [[1]], "key": [[1], [2]], "value": [[5, 6], [7, 8]],
            "tokens": {"query": ["a"], "key": ["b", "c"]},
            "parameters": {"g": 2, "v": [1, 2], "W_q": [[1, 2]]}})");
    EXPECT_EQ(*inputs.key, Tensor({{1}, {2}}));
    EXPECT_EQ(*inputs.value, Tensor({{5, 6}, {7, 8}}));
    EXPECT_EQ(inputs.tokens.key, (std::vector<std::string>{"b", "c"}));
    EXPECT_EQ(inputs.parameters.at("g"), Tensor({1}, {2}));
    EXPECT_EQ(inputs.parameters.at("v"), Tensor({2}, {1, 2}));
    EXPECT_EQ(inputs.parameters.at("W_q"), Tensor({{1, 2}}));
}

TEST(InputsJson, AreToldFromTheNotesOfAnArray) {
    const TemporaryFolder folder;
    const auto notes = folder.write("x.json", R"({"tokens": ["a", "b"]})");
    expect_refusal([&] { read_inputs(notes); }, {"x.json: /tokens", "expected an object"});
    folder.write("x.npy", "");
    expect_refusal([&] { read_inputs(notes); },
                   {"x.json: ", "expected token vectors, got the notes of x.npy: open x.npy"});
}

TEST(InputsJson, WritesWhatItReads) {
    const std::string text = write_inputs_json(everything());
    EXPECT_EQ(parse_inputs_json(text), everything());
    EXPECT_TRUE(std::signbit(parse_inputs_json(text).query(0, 1)));
    EXPECT_EQ(write_inputs_json(parse_inputs_json(text)), text);
}

TEST(InputsJson, PaddingMayBeNaN) {
    Inputs inputs = everything();
    (*inputs.key)(2, 0) = std::nan("");
    EXPECT_TRUE(std::isnan((*parse_inputs_json(write_inputs_json(inputs)).key)(2, 0)));
}

TEST(InputsJson, ParametersMayStandAlone) {
    const Inputs inputs = parse_inputs_json(R"({"parameters": {"W_q": [[1]]}})");
    EXPECT_TRUE(inputs.query.empty());
    EXPECT_EQ(parse_inputs_json(write_inputs_json(inputs)), inputs);
}

struct Refused {
    const char* text;
    std::vector<std::string> parts;
};

class InputsJsonRefusal : public testing::TestWithParam<Refused> {};

TEST_P(InputsJsonRefusal, SaysWhere) {
    expect_refusal([] { parse_inputs_json(GetParam().text); }, GetParam().parts);
}

INSTANTIATE_TEST_SUITE_P(
    All, InputsJsonRefusal,
    testing::Values(
        Refused{"", {"line 1"}}, Refused{"[[1, 2]]", {"an object"}}, Refused{"{}", {"query", "nothing"}},
        Refused{R"({"query": []})", {"query", "no token"}},
        Refused{R"({"query": 5})", {"/query", "rows of numbers", "5"}},
        Refused{R"({"query": [1, 2]})", {"/query, row 1: ", "a row of numbers"}},
        Refused{R"({"query": [[1, 2], [3]]})", {"/query, row 2: ", "2 numbers", "got 1"}},
        Refused{R"({"query": [[1, "x"]]})", {"/query, row 1, column 2: ", "a number", "\"x\""}},
        Refused{R"({"query": [[1, null]]})", {"/query, row 1, column 2: ", "a number", "null"}},
        Refused{R"({"query": [[1, NaN]]})", {"line 1, column 16", "NaN"}},
        Refused{R"({"query": [[[1]]]})", {"/query, row 1, column 1: ", "a number", "a list"}},
        Refused{R"({"qeury": [[1]]})", {"did you mean \"query\"?"}},
        Refused{R"({"query": [[1]], "tokens": ["a"]})", {"/tokens", "an object"}},
        Refused{R"({"query": [[1]], "tokens": {"query": ["a", "b"]}})",
                {"tokens/query", "1, one for each", "got 2"}},
        Refused{R"({"query": [[1]], "tokens": {"key": ["a", "b"]}})", {"tokens/key", "got 2"}},
        Refused{R"({"query": [[1]], "tokens": {"query": [1]}})", {"/tokens/query/0", "a string"}},
        Refused{R"({"query": [[1]], "tokens": {"query_unknown": [1]}})", {"/tokens/query_unknown/0"}},
        Refused{R"({"query": [[1]], "parameters": []})", {"/parameters", "an object"}},
        Refused{R"({"query": [[1]], "parameters": {"W_Q": [[1]]}})",
                {"/parameters", "\"W_1\"", "did you mean \"W_q\"?"}},
        Refused{R"({"query": [[1]], "parameters": {"W_q": {}}})", {"/parameters/W_q", "a number"}},
        Refused{R"({"query": [[1]], "parameters": {"W_q": [[1], 2]}})", {"/parameters/W_q, row 2: "}},
        Refused{R"({"query": [[1]], "parameters": {"v": [1, 2, "x"]}})", {"/parameters/v, element 3: "}}));

/// A formula's own names are the ones that a file for it is likely to mean.
TEST(InputsJson, NamesWhatAFormulaDeclares) {
    const char* text = R"({"query": [[1]], "parameters": {"slop": [[1]]}})";
    expect_refusal(
        [&] {
            parse_inputs_json(text, {"W_2", "slope"});
        },
        {"/parameters", R"(a parameter that the formula declares, "W_2" or "slope")",
         R"("slop" (did you mean "slope"?))"});
}

// Safetensors

TEST(InputsSafetensors, ReadsTensorsByNameAndTokensFromTheMetadata) {
    SafetensorsFile file;
    file.tensors["query"] = Tensor({{1, 2}});
    file.tensors["value"] = Tensor({{3}});
    file.tensors["g"] = Tensor({}, 2);
    file.tensors["W_q"] = Tensor({{1, 2}, {3, 4}});
    file.metadata = {{"tokens", R"({"query": ["a"]})"}, {"format", "pt"}};
    const Inputs inputs = parse_inputs_safetensors(write_safetensors(file));
    EXPECT_EQ(inputs.query, Tensor({{1, 2}}));
    EXPECT_FALSE(inputs.key);
    EXPECT_EQ(*inputs.value, Tensor({{3}}));
    EXPECT_EQ(inputs.parameters.at("g").values().front(), 2);
    EXPECT_EQ(inputs.parameters.at("W_q"), Tensor({{1, 2}, {3, 4}}));
    EXPECT_EQ(inputs.tokens.query, std::vector<std::string>{"a"});
}

TEST(InputsSafetensors, RefusesWhatIsNoInput) {
    const auto read = [](const SafetensorsFile& file) { parse_inputs_safetensors(write_safetensors(file)); };
    expect_refusal([&] { read({}); }, {"query"});
    expect_refusal(
        [&] {
            read({{{"query", Tensor({3}, {1, 2, 3})}}, {}});
        },
        {"tensor \"query\"", "shape [3]"});
    expect_refusal(
        [&] {
            read({{{"query", Tensor({1, 1}, {1})}, {"weight", Tensor({1, 1}, {1})}}, {}});
        },
        {"\"W_q\"", "\"weight\""});
    expect_refusal(
        [&] {
            read({{{"query", Tensor({1, 1}, {1})}}, {{"tokens", "[1"}}});
        },
        {"tokens", "line 1"});
}

// CSV

struct CsvCase {
    const char* text;
    Tensor query;
    std::vector<std::string> labels;
};

class Csv : public testing::TestWithParam<CsvCase> {};

TEST_P(Csv, IsRead) {
    const auto& [text, query, labels] = GetParam();
    const Inputs inputs = parse_inputs_csv(text);
    EXPECT_EQ(inputs.query, query);
    EXPECT_EQ(inputs.tokens.query, labels);
}

const Tensor four({{1, 2}, {3, 4}});

INSTANTIATE_TEST_SUITE_P(
    All, Csv,
    testing::Values(
        CsvCase{"1,2\n3,4\n", four, {}}, CsvCase{"1,2\n3,4", four, {}}, CsvCase{"1;2\r\n3;4\r\n", four, {}},
        CsvCase{"1\t2\n\n3\t4\n\n", four, {}}, CsvCase{"\xEF\xBB\xBF 1 , +2\n3.0,4e0\n", four, {}},
        CsvCase{"x,y\n1,2\n3,4\n", four, {}}, CsvCase{"the,1,2\ncat,3,4\n", four, {"the", "cat"}},
        CsvCase{",x,y\nthe,1,2\ncat,3,4\n", four, {"the", "cat"}},
        CsvCase{"token,x,y\n\"a, b\",1,2\n\"say \"\"no\"\"\n\",3,4\n", four, {"a, b", "say \"no\"\n"}},
        CsvCase{"-1.5\n", Tensor({{-1.5}}), {}}, CsvCase{"x\n2\n", Tensor({{2}}), {}},
        CsvCase{",x\n7,1\nup,2\n", Tensor({{1}, {2}}), {"7", "up"}},
        CsvCase{"größe;1\n語;2\n", Tensor({{1}, {2}}), {"größe", "語"}},
        // as a tokenizer stores them
        CsvCase{"the,1,2\nĠcat,3,4\n", four, {"the", " cat"}},
        // Numbers that are names: under such a title, or alone in quotes.
        CsvCase{"token,x,y\n1984,1,2\n42,3,4\n", four, {"1984", "42"}},
        CsvCase{"Word;x;y\n7;1;2\n8;3;4\n", four, {"7", "8"}},
        CsvCase{"Unnamed: 0,x,y\n0,1,2\n1,3,4\n", four, {}}, CsvCase{",0,1\n0,1,2\n1,3,4\n", four, {}},
        CsvCase{",0,1\n5,1,2\n7,3,4\n", four, {"5", "7"}},
        CsvCase{"\"1984\",1,2\n\"42\",3,4\n", four, {"1984", "42"}},
        CsvCase{"\"1\",\"2\"\n\"3\",\"4\"\n", four, {}}, CsvCase{"x,y\n1,2\n3,4\n", four, {}},
        // What else separates: the program's own word for it, blanks, and nothing that stands in quotes.
        CsvCase{"sep=;\r\ntoken;x;y\r\na;1;2\r\nb;3;4\r\n", four, {"a", "b"}},
        CsvCase{"\"sep=|\"\n1|2\n3|4\n", four, {}}, CsvCase{"\"a;b\",1,2\nc,3,4\n", four, {"a;b", "c"}},
        CsvCase{"\"a\tb\",x,y\nc,1,2\nd,3,4\n", four, {"c", "d"}},
        CsvCase{"1.000e+00 2.000e+00\n3.000e+00 4.000e+00\n", four, {}},
        CsvCase{"# weights, head 1\n  1   2 \n  3   4\n", four, {}},
        CsvCase{"word x y\na 1 2\n\"b c\" 3 4\n", four, {"a", "b c"}},
        // Decimal commas where something else separates.
        CsvCase{"token;x;y\na;1,0;2,0\nb;3,0;4,0\n", four, {"a", "b"}},
        CsvCase{"1;2,5\n3;4\n", Tensor({{1, 2.5}, {3, 4}}), {}},
        // Ends of lines of old Macs, and quoted ones.
        CsvCase{"token,x,y\ra,1,2\rb,3,4\r", four, {"a", "b"}},
        CsvCase{"token,x,y\r\n\"a\rb\",1,2\r\nc,3,4", four, {"a\rb", "c"}}));

TEST(CsvInUtf16, IsRead) {
    for (const bool is_little : {true, false}) {
        std::string bytes = is_little ? "\xFF\xFE" : "\xFE\xFF";
        for (const char16_t unit : std::u16string(u"token\tx\ty\r\nl\u00e9\t1\t2\r\n\U0001F600\t3\t4\r\n")) {
            const char low = static_cast<char>(unit & 0xFF), high = static_cast<char>(unit >> 8);
            (bytes += is_little ? low : high) += is_little ? high : low;
        }
        const Inputs inputs = parse_inputs_csv(bytes);
        EXPECT_EQ(inputs.query, four);
        EXPECT_EQ(inputs.tokens.query, (std::vector<std::string>{"lé", "😀"}));
        expect_refusal([&] { parse_inputs_csv(bytes.substr(0, bytes.size() - 1)); }, {"UTF-16"});
    }
    expect_refusal([] { parse_inputs_csv(std::string("1\0,\0", 4)); }, {"UTF-16 with a byte order mark"});
}

// Tables of weights

struct WeightsCase {
    const char* name;
    const char* text;
    std::vector<double> weights;  ///< of all heads; empty for a table that has none
    TokenLabels tokens;
};
std::ostream& operator<<(std::ostream& out, const WeightsCase& row) { return out << row.name; }

class WeightTables : public testing::TestWithParam<WeightsCase> {};

TEST_P(WeightTables, AreToldFromTokenVectors) {
    const auto maps = maps_in_table(GetParam().text);
    ASSERT_EQ(maps.has_value(), !GetParam().weights.empty());
    if (!maps)
        return;
    EXPECT_EQ(maps->tokens, GetParam().tokens);
    std::vector<double> weights;
    for (Index head = 0; head < maps->maps->extents().heads; ++head)
        for (const double weight : map_of(*maps->maps, {0, head}))
            weights.push_back(weight);
    EXPECT_EQ(weights, GetParam().weights);
}

INSTANTIATE_TEST_SUITE_P(
    , WeightTables,
    testing::Values(WeightsCase{"of_one_text",
                                ",a,b\r\na,1,0\r\nb,0.25,0.75\r\n",
                                {1, 0, 0.25, 0.75},
                                {{"a", "b"}, {}, {}, {}}},
                    WeightsCase{"of_rows_without_a_whole",
                                ",a,b\na,0.5,0\nb,0.25,0.25\n",
                                {0.5, 0, 0.25, 0.25},
                                {{"a", "b"}, {}, {}, {}}},
                    WeightsCase{"of_two_texts",
                                ",x,y\na,1,0\nb,0.25,0.75\n",
                                {1, 0, 0.25, 0.75},
                                {{"a", "b"}, {"x", "y"}, {}, {}}},
                    WeightsCase{"numbered", ",1,2\n1,1,0\n2,0.25,0.75\n", {1, 0, 0.25, 0.75}, {}},
                    WeightsCase{"of_two_heads",
                                "\"Weights, head 1 of 2\"\r\n,a\r\na,1\r\n\r\nhead 2\r\n,a\r\na,0.5\r\n",
                                {1, 0.5},
                                {{"a"}, {}, {}, {}}},
                    WeightsCase{"vectors_with_names", ",x,y\na,1,2\nb,3,4\n", {}, {}},
                    WeightsCase{"one_hot_vectors", ",x,y\na,1,0\nb,0,1\n", {}, {}},
                    WeightsCase{"numbered_vectors", ",0,1\n0,0.1,0.2\n1,0.3,0.4\n", {}, {}},
                    WeightsCase{"vectors", "token,x,y\na,0.5,0.5\n", {}, {}},
                    WeightsCase{"names_alone", ",a,b\n", {}, {}},
                    WeightsCase{"a_short_row", ",a,b\na,1\nb,0,1\n", {}, {}},
                    WeightsCase{"other_heads", ",a\na,1\n\n,b\nb,1\n", {}, {}}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(TableOfWeights, IsACapture) {
    const test::TemporaryFolder folder;
    const auto file = folder.path() / "m.csv", vectors = folder.path() / "v.csv";
    write_file_atomically(file, "\xEF\xBB\xBF,a,b\na,1,0\nb,0.25,0.75\n");
    write_file_atomically(vectors, "token,a,b\na,1,0\nb,0.25,0.75\n");
    EXPECT_TRUE(is_capture(file));
    EXPECT_FALSE(is_capture(vectors));
    EXPECT_EQ(read_capture(file).front().tokens.query, (std::vector<std::string>{"a", "b"}));
}

class CsvRefusal : public testing::TestWithParam<Refused> {};

TEST_P(CsvRefusal, SaysLineAndColumn) {
    expect_refusal([] { parse_inputs_csv(GetParam().text); }, GetParam().parts);
}

INSTANTIATE_TEST_SUITE_P(
    All, CsvRefusal,
    testing::Values(Refused{"", {"line 1"}}, Refused{"\n\n", {"line 1"}}, Refused{"x,y\n", {"line 2"}},
                    Refused{"1,2\n3\n", {"line 2", "2 cells", "got 1"}},
                    Refused{"1x,2\n3,4\n", {"line 1, column 1", "\"1x\""}},
                    Refused{"1,2\n3,x\n", {"line 2, column 2", "\"x\""}},
                    Refused{"1,2\n3,\n", {"line 2, column 2", "an empty cell"}},
                    Refused{"1,\n3,4\n", {"line 1, column 2", "an empty cell"}},
                    Refused{"1;2,5\n3;4.5\n",
                            {"line 2, column 2", "decimal points or decimal commas", "\"4.5\""}},
                    Refused{"1;2,5,6\n3;4\n", {"line 1, column 2", "a finite number", "\"2,5,6\""}},
                    Refused{"1,nan\n", {"line 1, column 2", "finite"}},
                    Refused{"1,inf\n", {"line 1, column 2", "finite"}},
                    Refused{"1,1e999\n2,3\n", {"line 1, column 2"}},
                    Refused{"1,x,2\n3,4,5\n", {"line 1, column 2", "\"x\""}},
                    Refused{"\"a,1\n2\n", {"line 1, column 1", "a closing quote"}},
                    Refused{"\"a\"b,1\n", {"line 1, column 1", "a separator"}},
                    Refused{"a,1\nb,2\n\"c\nd\",x\n", {"line 4, column 2"}},
                    Refused{"\xff,1\n", {"line 1, column 1", "UTF-8"}}));

// Files

TEST(InputsFile, IsReadByItsExtension) {
    const TemporaryFolder folder;
    EXPECT_EQ(read_inputs(folder.write("a.json", R"({"query": [[1, 2], [3, 4]]})")).query, four);
    EXPECT_EQ(read_inputs(folder.write("a.CSV", "1,2\n3,4\n")).query, four);
    EXPECT_EQ(read_inputs(folder.write("a.safetensors", write_safetensors({{{"query", four}}, {}}))).query,
              four);
    const std::string unknown("\1\0\2", 3);
    expect_refusal([&] { read_inputs(folder.write("a.xyz", unknown)); },
                   {"a.xyz", ".safetensors", "\".xyz\""});
    expect_refusal([&] { read_inputs(folder.write("a", unknown)); }, {"no extension"});
    expect_refusal([&] { read_inputs(folder.path()); }, {"got a folder"});
    expect_refusal([&] { read_inputs(folder.write("a.npy", "\x93NUMPY\1")); },
                   {"a.npy", "got a NumPy array (.npy)", "docs/other-programs.md"});
    expect_refusal([&] { read_inputs(folder.write("a.csv", "")); }, {"a.csv", "got an empty file"});
    expect_refusal([&] { read_inputs(folder.write("b.json", R"({"query": [[1], []]})")); },
                   {"b.json: /query, row 2: "});
    expect_refusal([&] { read_inputs(folder / "missing.json"); }, {"missing.json", "No such file"});
}

}  // namespace

}  // namespace headlight::inputs_file_test

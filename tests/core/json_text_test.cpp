// Strict JSON: what is not refused by the parser but would hurt a reader is refused here.

#include "core/io/capture_file.h"
#include "core/io/files.h"
#include "core/io/inputs_file.h"
#include "core/io/json_text.h"
#include "core/lesson/lesson_file.h"
#include "core/lesson/shipped_lessons.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <limits>
#include <random>

namespace headlight::json_text_test {

using namespace test;

namespace {

struct Refused {
    std::string text;
    std::vector<std::string> parts;
};

class JsonRefusal : public testing::TestWithParam<Refused> {};

TEST_P(JsonRefusal, SaysLineAndColumn) {
    expect_refusal([] { parse_json(GetParam().text); }, GetParam().parts);
}

INSTANTIATE_TEST_SUITE_P(
    All, JsonRefusal,
    testing::Values(Refused{"", {"line 1, column 1", "end of input"}},
                    Refused{"{\n \"a\": tru}", {"line 2, column 10", "invalid literal"}},
                    Refused{"[1, 2", {"line 1", "end of input"}}, Refused{"[1] 2", {"line 1, column 5"}},
                    Refused{"[NaN]", {"line 1, column 2", "NaN, which JSON does not have"}},
                    Refused{"[1,\n-Infinity]", {"line 2", "Infinity, which JSON does not have"}},
                    Refused{"[1e999]", {"numbers up to"}},
                    Refused{"{\"a\": 1, \"a\": 2}", {"every field once", "\"a\""}},
                    Refused{"{'a': 1}", {"line 1, column 2", "names in double quotes"}},
                    Refused{"{heads: 2}", {"line 1, column 2", "names in double quotes"}},
                    Refused{"[1,]", {"line 1, column 4"}}, Refused{"\"\xff\"", {"line 1, column 2"}},
                    Refused{std::string(65, '['), {"at most 64 levels"}},
                    Refused{std::string(5'000'000, '['), {"at most 64 levels"}},
                    Refused{std::string("{\"a\0b\": 1}", 10), {"line 1"}}));

TEST(Json, IsReadBehindAByteOrderMark) {
    EXPECT_EQ(*parse_json("\xEF\xBB\xBF[1]"), *parse_json("[1]"));
    for (const char* bytes : {"\xFF\xFE[", "\xFE\xFF"})
        expect_refusal([&] { parse_json(bytes); }, {"expected UTF-8, got UTF-16"});
}

TEST(Json, IsReadBehindAByteOrderMarkByEveryReader) {
    const std::string mark = "\xEF\xBB\xBF";
    const auto file = std::make_shared<HeldBytes>(mark + " [[[0.25, 0.75], [1, 0]]]");
    EXPECT_EQ(parse_capture(file, ".json").front().maps->extents(), (MapSource::Extents{1, 1, 2, 2}));
    EXPECT_EQ(parse_inputs_json(mark + R"({"query": [[1]]})").query, Tensor({{1}}));
    const TemporaryFolder folder;
    const std::filesystem::path shipped =
        std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "resources" / "lessons" / shipped_lessons().front().id;
    for (const char* name : {"lesson.json", "lesson.md"})
        folder.write(name, mark + read_file(shipped / name));
    EXPECT_EQ(read_lesson(folder.path()).title, shipped_lessons().front().title);
}

TEST(Json, AFieldMayStandInTwoObjects) {
    EXPECT_NO_THROW(parse_json(R"({"a": {"b": 1}, "c": {"b": 2}, "d": [{"b": 3}, {"b": 4}]})"));
    EXPECT_EQ((*parse_json(R"({"a": 1, "a": 2})", {.repeated_fields = true}))["a"], 2);
}

TEST(Json, NumbersAreWrittenSoThatTheyComeBack) {
    std::mt19937_64 random(3);
    std::vector<double> numbers{0.0,     -0.0, 1.0, 0.1, 1e300, 5e-324, std::numeric_limits<double>::max(),
                                1.0 / 3, -7};
    for (int i = 0; i < 20'000; ++i) {
        const double number = std::bit_cast<double>(random());
        if (std::isfinite(number))
            numbers.push_back(number);
    }
    for (const double number : numbers) {
        std::string text;
        append_number(text, number);
        const auto read = parse_json(text)->get<double>();
        ASSERT_EQ(std::bit_cast<std::uint64_t>(read), std::bit_cast<std::uint64_t>(number)) << text;
    }
}

TEST(Json, WhatIsNotFiniteIsAWord) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(number_to_json(infinity), "Infinity");
    EXPECT_EQ(number_to_json(-infinity), "-Infinity");
    EXPECT_EQ(number_to_json(std::nan("")), "NaN");
    std::string text;
    append_number(text, -infinity);
    EXPECT_EQ(text, "\"-Infinity\"");
}

TEST(Json, DocumentsAreWrittenWithALineForEachField) {
    EXPECT_EQ(write_json({{"a", {1, 2}}, {"b", "x"}}), "{\n \"a\": [1,2],\n \"b\": \"x\"\n}\n");
    EXPECT_EQ(*parse_json(write_json(nlohmann::json::object())), nlohmann::json::object());
}

TEST(Json, KnowsUtf8) {
    EXPECT_TRUE(is_utf8("größe 語 "));
    EXPECT_FALSE(is_utf8("\xff"));
    EXPECT_FALSE(is_utf8("\xe8\xaa"));
}

}  // namespace

}  // namespace headlight::json_text_test

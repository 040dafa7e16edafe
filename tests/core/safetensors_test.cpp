// The safetensors reader: every stored type, and the verdicts of the reference implementation on malformed
// files.

#include "core/io/files.h"
#include "core/io/json_text.h"
#include "core/io/safetensors.h"
#include "tests/support/refusal.h"
#include "tests/support/safetensors_bytes.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace headlight::safetensors_test {

using namespace test;
namespace fs = std::filesystem;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

template <class Number>
std::string bytes_of(std::initializer_list<Number> numbers) {
    std::string bytes(numbers.size() * sizeof(Number), '\0');
    std::memcpy(bytes.data(), numbers.begin(), bytes.size());
    return bytes;
}

// Stored types

struct TypeCase {
    std::string dtype;
    std::string data;
    std::vector<double> values;
};

class StoredTypes : public testing::TestWithParam<TypeCase> {};

TEST_P(StoredTypes, BecomeDouble) {
    const auto& [dtype, data, values] = GetParam();
    const std::string header = R"({"x":{"dtype":")" + dtype + R"(","shape":[)" +
                               std::to_string(values.size()) + R"(],"data_offsets":[0,)" +
                               std::to_string(data.size()) + "]}}";
    const Tensor tensor = parse_safetensors(safetensors_bytes(header, data)).tensors.at("x");
    ASSERT_EQ(tensor.size(), std::ssize(values));
    for (Index i = 0; i < tensor.size(); ++i) {
        const double expected = values[static_cast<std::size_t>(i)];
        if (std::isnan(expected))
            EXPECT_TRUE(std::isnan(tensor[i])) << i;
        else
            EXPECT_EQ(std::bit_cast<std::uint64_t>(tensor[i]), std::bit_cast<std::uint64_t>(expected)) << i;
    }
}

using U16 = std::uint16_t;
using U8 = std::uint8_t;

INSTANTIATE_TEST_SUITE_P(
    All, StoredTypes,
    testing::Values(
        TypeCase{"F64", bytes_of<double>({1.5, -0.0, infinity}), {1.5, -0.0, infinity}},
        TypeCase{"F32", bytes_of<float>({0.1f, -2.0f}), {0.1f, -2.0}},
        // 1, -2, the largest, the smallest normal, the smallest at all, -0, both infinities, NaN, 1/3
        TypeCase{
            "F16",
            bytes_of<U16>({0x3C00, 0xC000, 0x7BFF, 0x0400, 0x0001, 0x8000, 0x7C00, 0xFC00, 0x7E00, 0x3555}),
            {1, -2, 65504, std::ldexp(1, -14), std::ldexp(1, -24), -0.0, infinity, -infinity, nan,
             0.333251953125}},
        TypeCase{"BF16",
                 bytes_of<U16>({0x3F80, 0xC040, 0x7F80, 0x7FC0, 0x0001, 0x3EAB}),
                 {1, -3, infinity, nan, std::ldexp(1, -133), 0.333984375}},
        TypeCase{"F8_E4M3",
                 bytes_of<U8>({0x38, 0xC0, 0x7E, 0x7F, 0x01, 0x08, 0x80, 0x78}),
                 {1, -2, 448, nan, std::ldexp(1, -9), std::ldexp(1, -6), -0.0, 256}},
        TypeCase{"F8_E5M2",
                 bytes_of<U8>({0x3C, 0xC0, 0x7B, 0x7C, 0xFC, 0x7F, 0x01, 0x04}),
                 {1, -2, 57344, infinity, -infinity, nan, std::ldexp(1, -16), std::ldexp(1, -14)}},
        TypeCase{"I64", bytes_of<std::int64_t>({-5, std::int64_t(1) << 53}), {-5, 9007199254740992.0}},
        TypeCase{"I32", bytes_of<std::int32_t>({-5, 2147483647}), {-5, 2147483647}},
        TypeCase{"I16", bytes_of<std::int16_t>({-5, 32767}), {-5, 32767}},
        TypeCase{"I8", bytes_of<std::int8_t>({-128, 127}), {-128, 127}},
        TypeCase{"U64", bytes_of<std::uint64_t>({5, std::uint64_t(1) << 63}), {5, 9223372036854775808.0}},
        TypeCase{"U32", bytes_of<std::uint32_t>({4294967295u}), {4294967295.0}},
        TypeCase{"U16", bytes_of<U16>({65535}), {65535}}, TypeCase{"U8", bytes_of<U8>({255}), {255}},
        TypeCase{"BOOL", bytes_of<U8>({0, 1, 1}), {0, 1, 1}}));

// Right files

TEST(Safetensors, ReadsSeveralTensorsInAnyOrderAndMetadata) {
    const SafetensorsFile file = parse_safetensors(
        safetensors_bytes(R"({"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]},)"
                          R"("__metadata__":{"format":"pt"},)"
                          R"("a":{"dtype":"U8","shape":[],"data_offsets":[0,1]},)"
                          R"("empty":{"dtype":"F64","shape":[0,3],"data_offsets":[1,1]}}   )",
                          "\1\2\3"));
    EXPECT_EQ(file.tensors.size(), 3u);
    EXPECT_EQ(file.tensors.at("a"), Tensor({}, 1));
    EXPECT_EQ(file.tensors.at("b"), Tensor({2}, {2, 3}));
    EXPECT_EQ(file.tensors.at("empty").shape(), (Shape{0, 3}));
    EXPECT_EQ(file.metadata.at("format"), "pt");
}

TEST(Safetensors, NoTensorIsAFileToo) {
    EXPECT_TRUE(parse_safetensors(safetensors_bytes("{}")).tensors.empty());
}

TEST(Safetensors, WritesWhatItReads) {
    SafetensorsFile file;
    file.tensors["W_q"] = Tensor({{1, -0.0, 0.1}, {infinity, nan, 5e-324}});
    file.tensors["a \"name\" / ü"] = Tensor({3}, {1, 2, 3});
    file.tensors["g"] = Tensor({}, 7);
    file.metadata = {{"tokens", R"({"query":["größe"]})"}};
    const std::string bytes = write_safetensors(file);
    EXPECT_EQ(write_safetensors(file), bytes);
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    EXPECT_EQ(length % 8, 0u) << "numbers begin aligned";

    const SafetensorsFile read = parse_safetensors(bytes);
    EXPECT_EQ(read.metadata, file.metadata);
    ASSERT_EQ(read.tensors.size(), 3u);
    EXPECT_EQ(write_safetensors(read), bytes) << "bit for bit, NaN and -0 included";
}

TEST(Safetensors, WritesFloats) {
    SafetensorsFile file;
    file.tensors["x"] = Tensor({2}, {0.1, 1e300});
    const SafetensorsFile read = parse_safetensors(write_safetensors(file, StoredType::f32));
    EXPECT_EQ(read.tensors.at("x"), Tensor({2}, {0.1f, infinity}));
}

// Malformed files

std::string one_tensor(const std::string& fields) { return R"({"a":{)" + fields + "}}"; }

struct Malformed {
    std::string name;
    std::string bytes;
    std::vector<std::string> parts;
};
void PrintTo(const Malformed& row, std::ostream* out) { *out << row.name; }

class MalformedSafetensors : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedSafetensors, AreRefused) {
    expect_refusal([] { parse_safetensors(GetParam().bytes); }, GetParam().parts);
}

const std::string good = R"("dtype":"U8","shape":[4],"data_offsets":[0,4])";
const std::string data(4, 'x');

INSTANTIATE_TEST_SUITE_P(
    All, MalformedSafetensors,
    testing::Values(
        Malformed{"no byte", "", {"header length", "8 bytes", "got 0"}},
        Malformed{"seven bytes", std::string(7, '\0'), {"header length", "got 7"}},
        Malformed{"a header that is not there", length_prefix(2), {"header length", "got 2"}},
        Malformed{"a header longer than the file",
                  length_prefix(100) + "{}",
                  {"header length", "2 bytes that follow"}},
        Malformed{"a header beyond the limit", length_prefix(100'000'001), {"at most 100000000"}},
        Malformed{"a length with every bit", length_prefix(~std::uint64_t(0)), {"at most 100000000"}},
        Malformed{"a web page", "<!DOCTYPE html><html>404</html>", {"header length"}},
        Malformed{"an empty header", safetensors_bytes(""), {"header", "end of input"}},
        Malformed{"half a header", safetensors_bytes("{"), {"header", "line 1"}},
        Malformed{"a byte order mark", safetensors_bytes("\xEF\xBB\xBF{}"), {"a byte order mark"}},
        Malformed{"something behind the header's object",
                  safetensors_bytes("{} {}"),
                  {"header", "line 1, column 4"}},
        Malformed{"a list", safetensors_bytes("[]"), {"header", "an object"}},
        Malformed{"null", safetensors_bytes("null"), {"header", "an object"}},
        Malformed{"bytes that are not UTF-8", safetensors_bytes("{\"\xff\":1}"), {"header", "invalid"}},
        Malformed{
            "deep nesting", safetensors_bytes(R"({"a":)" + std::string(100'000, '[')), {"levels of nesting"}},
        Malformed{"metadata of numbers",
                  safetensors_bytes(R"({"__metadata__":{"a":1}})"),
                  {"__metadata__ \"a\"", "a string"}},
        Malformed{"metadata that is a list",
                  safetensors_bytes(R"({"__metadata__":[]})"),
                  {"__metadata__", "an object"}},
        Malformed{
            "a tensor that is a number", safetensors_bytes(R"({"a":1})"), {"tensor \"a\"", "an object"}},
        Malformed{"no dtype",
                  safetensors_bytes(one_tensor(R"("shape":[4],"data_offsets":[0,4])"), data),
                  {"dtype"}},
        Malformed{"an unknown dtype",
                  safetensors_bytes(one_tensor(R"("dtype":"F4","shape":[4],"data_offsets":[0,4])"), data),
                  {"dtype", "\"BF16\"", "\"F4\""}},
        Malformed{"a dtype that is a number",
                  safetensors_bytes(one_tensor(R"("dtype":1,"shape":[4],"data_offsets":[0,4])"), data),
                  {"dtype", "got 1"}},
        Malformed{"no shape",
                  safetensors_bytes(one_tensor(R"("dtype":"U8","data_offsets":[0,4])"), data),
                  {"shape"}},
        Malformed{"a negative extent",
                  safetensors_bytes(one_tensor(R"("dtype":"U8","shape":[-4],"data_offsets":[0,4])"), data),
                  {"shape", "got -4"}},
        Malformed{"an extent that is not whole",
                  safetensors_bytes(one_tensor(R"("dtype":"U8","shape":[4.0],"data_offsets":[0,4])"), data),
                  {"shape", "got 4.0"}},
        Malformed{
            "extents whose product overflows",
            safetensors_bytes(
                one_tensor(R"("dtype":"U8","shape":[4294967296,4294967296,4294967296],"data_offsets":[0,4])"),
                data),
            {"tensor \"a\"", "fits in memory"}},
        Malformed{
            "an extent beyond 64 bits",
            safetensors_bytes(
                one_tensor(R"("dtype":"U8","shape":[99999999999999999999],"data_offsets":[0,4])"), data),
            {"shape"}},
        Malformed{"one offset",
                  safetensors_bytes(one_tensor(R"("dtype":"U8","shape":[4],"data_offsets":[0])"), data),
                  {"data_offsets", "two offsets"}},
        Malformed{"offsets as text",
                  safetensors_bytes(one_tensor(R"("dtype":"U8","shape":[4],"data_offsets":["0",4])"), data),
                  {"data_offsets", "\"0\""}},
        Malformed{"offsets turned round",
                  safetensors_bytes(one_tensor(R"("dtype":"U8","shape":[4],"data_offsets":[4,0])"), data),
                  {"data_offsets", "[4, 0]"}},
        Malformed{"a gap",
                  safetensors_bytes(one_tensor(R"("dtype":"U8","shape":[3],"data_offsets":[1,4])"), data),
                  {"from 0 on"}},
        Malformed{
            "a gap between tensors",
            safetensors_bytes(
                R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})",
                data),
            {"tensor \"b\"", "from 1 on"}},
        Malformed{
            "an overlap",
            safetensors_bytes(
                R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})",
                data),
            {"tensor \"b\"", "from 3 on"}},
        Malformed{"too few bytes for the shape",
                  safetensors_bytes(one_tensor(R"("dtype":"U16","shape":[4],"data_offsets":[0,4])"), data),
                  {"8 bytes for shape [4]", "got 4"}},
        Malformed{"a truncated file",
                  safetensors_bytes(one_tensor(good), "xxx"),
                  {"data", "4 bytes after the header", "got 3"}},
        Malformed{"bytes behind the last tensor",
                  safetensors_bytes(one_tensor(good), data + "x"),
                  {"data", "4 bytes after the header", "got 5"}}));

TEST(Safetensors, ATruncatedFileIsRefusedWhereverItEnds) {
    SafetensorsFile file;
    file.tensors["a"] = Tensor({{1, 2}, {3, 4}});
    const std::string bytes = write_safetensors(file);
    for (std::size_t length = 0; length < bytes.size(); ++length)
        refusal([&] { parse_safetensors(std::string_view(bytes).substr(0, length)); });
}

/// The verdicts of safetensors 0.8.0 on files of its own tests and of ours.
TEST(Safetensors, JudgesAsTheReferenceImplementationDoes) {
    const char* shared = std::getenv("HEADLIGHT_SHARED");
    const fs::path folder = fs::path(shared ? shared : "") / "models" / "malformed" / "safetensors";
    if (!shared || !fs::exists(folder / "verdicts.json"))
        GTEST_SKIP() << "HEADLIGHT_SHARED has no models/malformed/safetensors";
    const auto verdicts = nlohmann::json(*parse_json(read_file(folder / "verdicts.json")))["verdicts"];
    EXPECT_GE(verdicts.size(), 24u);
    for (const auto& [name, verdict] : verdicts.items()) {
        const std::string bytes = read_file(
            folder / (name + (fs::exists(folder / (name + ".safetensors")) ? "" : "_OK") + ".safetensors"));
        const bool accepted = verdict["deserialize"] == "accept";
        SCOPED_TRACE(name);
        if (accepted)
            EXPECT_NO_THROW(parse_safetensors(bytes));
        else
            refusal([&] { parse_safetensors(bytes); });
    }
}

}  // namespace

}  // namespace headlight::safetensors_test

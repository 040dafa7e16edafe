// Captures that are refused, and what is said of them.

#include "core/io/capture_file.h"
#include "core/io/files.h"
#include "core/io/safetensors.h"
#include "core/tensor/error.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/written_captures.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace headlight::refused_captures_test {

using namespace test;
using written_captures::captures;
using written_captures::weights_with_values;
namespace fs = std::filesystem;

namespace {

struct Refused {
    std::string name, bytes, labels, says;
};

class RefusedCaptures : public testing::TestWithParam<Refused> {};

std::string numpy_with(const std::string& header, std::size_t data_bytes) {
    std::string bytes = "\x93NUMPY\x01";
    bytes += '\0';
    bytes += static_cast<char>(header.size());
    bytes += '\0';
    return bytes + header + std::string(data_bytes, '\0');
}

std::string damaged(const char* name, std::size_t at) {
    std::string bytes = read_file(captures / name);
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    return bytes;
}

TEST_P(RefusedCaptures, SayWhatIsWrong) {
    const TemporaryFolder folder;
    const fs::path path = folder.write(GetParam().name, GetParam().bytes);
    if (!GetParam().labels.empty())
        folder.write("x.json", GetParam().labels);
    try {
        const auto maps = read_capture(path);
        FAIL() << "was read";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(GetParam().says), std::string::npos) << error.what();
    }
}

const std::string shape_of_plain = "{'descr': '<f2', 'fortran_order': False, 'shape': (2, 3, 4), }\n";

INSTANTIATE_TEST_SUITE_P(
    , RefusedCaptures,
    testing::Values(
        Refused{"x.npy", "no array at all, some text", "", "\\x93NUMPY"},
        Refused{"x.npy", "\x93NUM", "", "the header of an array"},
        Refused{"x.npy", numpy_with(shape_of_plain, 47), "", "48 bytes for shape [2, 3, 4]"},
        Refused{"x.npy", numpy_with("{'descr': '<f2', 'shape': (2, 3, 4), }", 48), "", "'fortran_order':"},
        Refused{"x.npy", numpy_with("{'descr': '<f2', 'fortran_order': False, 'shape': (2, -3), }", 48), "",
                "extents as (2, 3)"},
        Refused{"x.npy",
                numpy_with("{'descr': '<f2', 'fortran_order': False, 'shape': (4611686018427387904, 4, 4), }",
                           48),
                "", "for shape"},
        Refused{"x.npy", numpy_with("{'descr': '<f2', 'fortran_order': False, 'shape': (3,), }", 6), "",
                "[layer, head, query, key], [head, query, key] or [query, key] of float16 to float64, got"},
        Refused{"x.npy", numpy_with("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 0, 0), }", 0),
                "", "got an array [1, 2, 0, 0] of <f4 with an extent of 0"},
        Refused{"x.npy", numpy_with("{'descr': '|O', 'fortran_order': False, 'shape': (), }", 3), "",
                "got an array of objects"},
        Refused{"x.npy", numpy_with("{'descr': '>c8', 'fortran_order': False, 'shape': (2, 3, 4), }", 192),
                "", ">c8"},
        Refused{"x.npy", numpy_with("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3, 4), }", 95), "",
                "96 bytes for shape"},
        Refused{"x.npz", "PK, but no archive", "", "the directory of an archive"},
        Refused{"x.npz", damaged("causal.npz", 120), "", "array \"arr_0\""},
        Refused{"x.npz", read_file(captures / "causal.npz").substr(0, 400), "",
                "the directory of an archive"},
        Refused{"x.json", "[[[0.5, 0.5], [0.5]]]", "", "read capture"},
        Refused{"x.json", "[[[0.5, 0.5]], [[1, 0], [0, 1]]]", "", "1 elements, as before"},
        Refused{"x.json", "[1, 0]", "", "read capture"},
        Refused{"x.json", "[[[[[[1]]]]]]", "", "what its axes are, as it is said in x.tokens.json"},
        Refused{"x.json", "[]", "", "read capture"},
        Refused{"x.npy", read_file(captures / "plain.npy"), R"({"query_tokens": ["a", "b"]})",
                "3 tokens, as the array has, got 2"},
        Refused{"x.npy", read_file(captures / "plain.npy"), R"({"tokens": ["a", "b", "c"]})",
                "4 tokens, as the array has, got 3"},
        Refused{"x.npy", read_file(captures / "plain.npy"), R"({"tokens": 3})", "x.json"},
        Refused{"x.npz", read_file(captures / "queries.npz"), "", "how weights follow from q and k"},
        Refused{"x.npz", read_file(captures / "queries.npz"), R"({"terms": {"causal": true}})", "/terms"},
        Refused{"x.npz", read_file(captures / "queries.npz"), R"({"terms": {"scale": 1, "alibi": true}})",
                "alibi"},
        Refused{"x.npz", read_file(captures / "queries.npz"), R"({"terms": {"scale": 1, "window": 0}})",
                "a number of tokens from 1"},
        Refused{"x.npz", read_file(captures / "queries.npz"),
                R"({"terms": {"scale": 1, "window": 9223372036854775808}})", "a number of tokens from 1"},
        Refused{"x.npz", read_file(captures / "queries.npz"),
                R"({"terms": {"scale": 1, "window": [1, 18446744073709551615]}})",
                "a number of tokens from 1"},
        Refused{"x.npz", read_file(captures / "queries.npz"),
                R"({"terms": {"scale": 1, "window": [1, 2, 3]}})", "one for each of 2 layers"},
        Refused{"x.npz", read_file(captures / "queries.npz"), R"({"terms": {"scale": 1, "sinks": [1, 2]}})",
                "one for each of 4 heads"}));

INSTANTIATE_TEST_SUITE_P(
    OfValues, RefusedCaptures, testing::ValuesIn([] {
        std::vector<Refused> all;
        for (const Shape& wrong : {Shape{2, 2, 2, 2}, Shape{1, 2, 3, 2}, Shape{2, 3, 3, 2}, Shape{2, 8, 3, 2},
                                   Shape{2, 2, 4, 2}, Shape{2, 3}})
            all.push_back({"x.safetensors", write_safetensors(weights_with_values(Tensor(wrong, 1.0))), "",
                           "array \"v\": read capture: expected values [2, 4, 3] of layers"});
        return all;
    }()));

std::string implied_terms(const std::string& more) {
    return R"({"terms": {"weights": "implied", "scale": 1, "causal": true)" + more + "}}";
}

/// Vectors of one layer, two heads, three tokens and two channels, and the decay.
std::string linear_layer(const Tensor& decay, const std::string& name = "decay") {
    SafetensorsFile file;
    file.tensors = {{"q", Tensor({1, 2, 3, 2}, 1.0)}, {"k", Tensor({1, 2, 3, 2}, 1.0)}, {name, decay}};
    return write_safetensors(file);
}

const std::string implied_npz = read_file(captures / "implied.npz");

INSTANTIATE_TEST_SUITE_P(
    OfLinearLayers, RefusedCaptures,
    testing::Values(
        Refused{"x.npz", implied_npz, implied_terms(R"(, "decay": "log", "softcap": 20)"), "no softmax"},
        Refused{"x.npz", implied_npz, implied_terms(R"(, "decay": "log", "window": 3)"), "no softmax"},
        Refused{"x.npz", implied_npz, implied_terms(R"(, "decay": "log", "sinks": [1])"), "no softmax"},
        Refused{"x.npz", implied_npz, implied_terms(R"(, "decay": "log", "delta": true)"), "\"delta\""},
        Refused{"x.npz", implied_npz, implied_terms(R"(, "decay": "gate")"), "\"factor\" or \"log\""},
        Refused{"x.npz", implied_npz, implied_terms(R"(, "decay": 0.9)"), "/terms/decay"},
        Refused{"x.npz", implied_npz, implied_terms(R"(, "decay": "log", "normalised": "rows")"),
                "/terms/normalised"},
        Refused{"x.npz", implied_npz, implied_terms(""), "what the array \"decay\" has, got none"},
        Refused{"x.npz", implied_npz, R"({"terms": {"weights": "implied", "causal": true}})", "scale"},
        Refused{"x.npz", implied_npz, R"({"terms": {"weights": "implied", "scale": 1, "decay": "log"}})",
                "expected true, beside a decay"},
        Refused{"x.npz", implied_npz, R"({"terms": {"weights": "linear", "scale": 1}})",
                "\"softmax\" or \"implied\", got \"linear\""},
        Refused{"x.npz", implied_npz, R"({"terms": {"scale": 1, "causal": true}})", "nothing decays"},
        Refused{"x.npz", implied_npz, R"({"terms": {"scale": 1, "decay": "log"}})", "nothing decays"},
        Refused{"x.npz", implied_npz, implied_terms(R"(, "decay": "factor")"), "a factor from 0 to 1, got -"},
        Refused{"x.npz", read_file(captures / "implied_shares.npz"), implied_terms(R"(, "decay": "log")"),
                "a logarithm of at most 0"},
        Refused{"x.npz", read_file(captures / "queries.npz"), implied_terms(R"(, "decay": "log")"),
                "one beside q and k"},
        Refused{"x.npy", read_file(captures / "plain.npy"), implied_terms(""), "arrays q and k"},
        Refused{"x.safetensors", linear_layer(Tensor({1, 2, 3}, 0.5), "beta"), implied_terms(""),
                "array \"beta\""},
        Refused{"x.safetensors", linear_layer(Tensor({1}, 0.5)), implied_terms(R"(, "decay": "factor")"),
                "[layer, head], [layer, head, token] or"},
        Refused{"x.safetensors", linear_layer(Tensor({1, 2, 4}, 0.5)),
                implied_terms(R"(, "decay": "factor")"), "expected 3, as k has, got 4"},
        Refused{"x.safetensors", linear_layer(Tensor({1, 3}, 0.5)), implied_terms(R"(, "decay": "factor")"),
                "expected 2, as q has, got 3"},
        Refused{"x.safetensors", linear_layer(Tensor({1, 2, 3, 3}, 0.5)),
                implied_terms(R"(, "decay": "factor")"), "expected 2, as k has, got 3"},
        Refused{"x.safetensors", linear_layer(Tensor({1, 2, 3}, 1.5)),
                implied_terms(R"(, "decay": "factor")"), "decay of layer 1, head 1, token 1"},
        Refused{"x.safetensors", linear_layer(Tensor({1, 2, 3}, 1.5)),
                R"({"layer_numbers": [5], )" + implied_terms(R"(, "decay": "factor")").substr(1),
                "decay of layer 6, head 1, token 1"},
        Refused{"x.safetensors", linear_layer(Tensor({1, 2}, std::numeric_limits<double>::quiet_NaN())),
                implied_terms(R"(, "decay": "factor")"), "got nan"}));

}  // namespace

}  // namespace headlight::refused_captures_test

// What headlight analyse makes of the arrays of a capture: which axis is which, which layer of the model each
// map is of, and what it says about it.

#include "core/io/zip_archive.h"
#include "tests/cli/refusal.h"
#include "tests/cli/written_arrays.h"

#include <gtest/gtest.h>

#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace headlight::capture_axes_test {

using namespace headlight::test;
using written_arrays::Axes;
using written_arrays::Bytes;
using written_arrays::layer;
using written_arrays::layer_of_batch;
using written_arrays::none;
using written_arrays::npy;
using written_arrays::npy_map;
using written_arrays::npy_of;
using written_arrays::npz;
using written_arrays::Order;
using written_arrays::tensors;
using written_arrays::two_texts;
using written_arrays::windows;

namespace {

struct Read {
    std::string about, file, bytes, notes, says;
    /// "LAYER,HEAD" of each row, and the weight of its first query and key.
    std::vector<std::pair<std::string, double>> rows;
};

std::ostream& operator<<(std::ostream& stream, const Read& read) { return stream << read.about; }

class CaptureAxes : public testing::TestWithParam<Read> {};

TEST_P(CaptureAxes, AreNamedAndSaid) {
    Workplace place;
    place.write(GetParam().file, GetParam().bytes);
    if (!GetParam().notes.empty())
        place.write(GetParam().file.ends_with(".json") ? "x.tokens.json" : "x.json", GetParam().notes);
    const Outcome outcome = place.run({"analyse", GetParam().file, "--by", "first_token"});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(outcome.error, "headlight: " + GetParam().file + ": " + GetParam().says + "\n");
    std::istringstream lines(outcome.output);
    std::string line;
    std::getline(lines, line);
    for (const auto& [head, weight] : GetParam().rows) {
        ASSERT_TRUE(std::getline(lines, line)) << outcome.output;
        EXPECT_EQ(line.substr(0, line.find(',', line.find(',') + 1)), head);
        // The mean over queries, which differ by less than anything else.
        EXPECT_NEAR(std::stod(line.substr(line.find(',', line.find(',') + 1) + 1)), weight, 3e-4) << line;
    }
    EXPECT_FALSE(std::getline(lines, line)) << line;
}

std::vector<std::pair<std::string, double>> three_layers(double between) {
    return {{"1,1", 0.2},
            {"1,2", 0.21},
            {"2,1", 0.2 + between},
            {"2,2", 0.21 + between},
            {"3,1", 0.2 + 2 * between},
            {"3,2", 0.21 + 2 * between}};
}

INSTANTIATE_TEST_SUITE_P(
    OfOneArray, CaptureAxes,
    testing::Values(
        Read{"one map", "x.npy", npy({{'q', 2}, {'k', 3}}), "", "[2, 3] is [query, key].", {{"1,1", 0.2}}},
        Read{"one map as lists",
             "x.json",
             "[[0.2, 0.8], [0.2, 0.8]]",
             "",
             "[2, 2] is [query, key].",
             {{"1,1", 0.2}}},
        Read{"heads",
             "x.npy",
             npy(layer),
             "",
             "[2, 2, 3] is [head, query, key].",
             {{"1,1", 0.2}, {"1,2", 0.21}}},
        Read{"layers", "x.npy", npy({{'l', 3}, {'h', 2}, {'q', 2}, {'k', 3}}), "",
             "[3, 2, 2, 3] is [layer, head, query, key].", three_layers(0.1)},
        Read{"layers of a batch of one", "x.npy", npy({{'l', 3}, {'b', 1}, {'h', 2}, {'q', 2}, {'k', 3}}), "",
             "[3, 1, 2, 2, 3] is [layer, batch, head, query, key].", three_layers(0.1)},
        Read{"a batch of one of layers", "x.npy", npy({{'b', 1}, {'l', 3}, {'h', 2}, {'q', 2}, {'k', 3}}), "",
             "[1, 3, 2, 2, 3] is [batch, layer, head, query, key].", three_layers(0.1)},
        Read{"Fortran's order", "x.npy", npy({{'l', 3}, {'h', 2}, {'q', 2}, {'k', 3}}, Order::fortran), "",
             "[3, 2, 2, 3] is [layer, head, query, key].", three_layers(0.1)},
        Read{"big-endian", "x.npy", npy({{'l', 3}, {'h', 2}, {'q', 2}, {'k', 3}}, Order::c, Bytes::big), "",
             "[3, 2, 2, 3] is [layer, head, query, key].", three_layers(0.1)},
        Read{"axes that are said",
             "x.npy",
             npy({{'b', 2}, {'q', 2}, {'h', 2}, {'k', 3}}),
             R"({"axes": ["batch", "query", "head", "key"], "choose": {"batch": 1}})",
             "[2, 2, 2, 3] is [batch, query, head, key], text 2 of the batch.",
             {{"1,1", 0.201}, {"1,2", 0.211}}},
        Read{"averaged heads",
             "x.npy",
             npy({{'l', 2}, {'q', 2}, {'k', 3}}),
             R"({"axes": ["layer", "query", "key"]})",
             "[2, 2, 3] is [layer, query, key].",
             {{"1,1", 0.2}, {"2,1", 0.3}}},
        Read{"some layers",
             "x.npz",
             npz({{"attn", npy({{'l', 2}, {'h', 1}, {'q', 2}, {'k', 3}})}}),
             R"({"layer_numbers": {"attn": [3, 11]}})",
             "\"attn\" [2, 1, 2, 3] is [layer, head, query, key], of layers 4 and 12.",
             {{"4,1", 0.2}, {"12,1", 0.3}}}));

INSTANTIATE_TEST_SUITE_P(
    OfSeveralArrays, CaptureAxes,
    testing::Values(
        Read{"layers apart",
             "x.npz",
             npz({{"arr_0", npy(layer)}, {"arr_1", npy(layer)}}),
             "",
             "\"arr_0\" to \"arr_1\" [2, 2, 3] are layers 1 and 2, each [head, query, key].",
             {{"1,1", 0.2}, {"1,2", 0.21}, {"2,1", 0.2}, {"2,2", 0.21}}},
        Read{"None for some layers",
             "x.npz",
             npz({{"arr_0", npy(layer_of_batch)},
                  {"arr_1", none()},
                  {"arr_2", npy(layer_of_batch)},
                  {"arr_3", none()}}),
             "",
             "\"arr_0\" to \"arr_2\" [1, 2, 2, 3] are layers 1 and 3, each [batch, head, query, key]. "
             "The file lacks layers 2 and 4.",
             {{"1,1", 0.2}, {"1,2", 0.21}, {"3,1", 0.2}, {"3,2", 0.21}}},
        Read{"by number, not by letter",
             "x.safetensors",
             tensors({"layers.0", "layers.1", "layers.10", "layers.2"}, {{'h', 1}, {'q', 2}, {'k', 3}}),
             "",
             "\"layers.0\" to \"layers.10\" [1, 2, 3] are layers 1 to 3 and 11, each [head, query, key]. "
             "The file lacks layers 4 to 10.",
             {{"1,1", 0.2}, {"2,1", 0.2}, {"3,1", 0.2}, {"11,1", 0.2}}},
        Read{"what TransformerLens caches",
             "x.npz",
             npz({{"blocks.1.attn.hook_pattern.npy", npy(layer_of_batch)},
                  {"blocks.0.attn.hook_pattern.npy", npy(layer_of_batch)},
                  {"blocks.0.hook_resid_pre.npy", npy(layer)}}),
             "",
             "\"blocks.0.attn.hook_pattern\" to \"blocks.1.attn.hook_pattern\" [1, 2, 2, 3] are layers 1 and "
             "2, each "
             "[batch, head, query, key]. Passed over: \"blocks.0.hook_resid_pre\".",
             {{"1,1", 0.2}, {"1,2", 0.21}, {"2,1", 0.2}, {"2,2", 0.21}}},
        Read{"what a model returns beside attention",
             "x.npz",
             npz({{"attentions", npy({{'l', 1}, {'h', 2}, {'q', 2}, {'k', 3}})},
                  {"hidden_states", npy({{'l', 3}, {'q', 2}, {'k', 8}})},
                  {"logits", npy({{'b', 1}, {'q', 2}, {'k', 20}})}}),
             "",
             "\"attentions\" [1, 2, 2, 3] is [layer, head, query, key]. Passed over: \"hidden_states\", "
             "\"logits\".",
             {{"1,1", 0.2}, {"1,2", 0.21}}},
        Read{"a pyramid of layers",
             "x.npz",
             npz({{"arr_0", npy(layer)}, {"arr_1", npy({{'h', 1}, {'q', 2}, {'k', 2}})}}),
             "",
             "\"arr_0\" [2, 2, 3] is layer 1, [head, query, key]; \"arr_1\" [1, 2, 2] is layer 2, [head, "
             "query, key].",
             {{"1,1", 0.2}, {"1,2", 0.21}, {"2,1", 0.2}}},
        Read{"an archive that macOS packed",
             "x.npz",
             npz({{"run/", ""},
                  {"run/attn.npy", npy(layer)},
                  {"__MACOSX/run/._attn.npy", "Mac OS X"},
                  {"run/.DS_Store", "Bud1"}}),
             "",
             "\"attn\" [2, 2, 3] is [head, query, key].",
             {{"1,1", 0.2}, {"1,2", 0.21}}},
        Read{"one text of a batch",
             "x.npz",
             npz({{"arr_0", npy(two_texts)}, {"arr_1", npy(two_texts)}}),
             R"({"choose": {"batch": 1}})",
             "\"arr_0\" to \"arr_1\" [2, 2, 2, 3] are layers 1 and 2, each [batch, head, query, key], text 2 "
             "of "
             "the batch.",
             {{"1,1", 0.201}, {"1,2", 0.211}, {"2,1", 0.201}, {"2,2", 0.211}}},
        Read{"windows, of which one is read",
             "x.npz",
             npz({{"arr_0", npy(windows)}, {"arr_1", npy(windows)}}),
             R"({"choose": {"window": 3}})",
             "\"arr_0\" to \"arr_1\" [4, 2, 3, 3] are layers 1 and 2, each [window, head, query, key], "
             "window 4.",
             {{"1,1", 0.206}, {"1,2", 0.216}, {"2,1", 0.206}, {"2,2", 0.216}}}));

/// A map for each head, of two layers and two heads: `names` in their order, which the archive has not.
Read a_map_a_head(const std::vector<std::string>& names) {
    return {names.front(),
            "x.npz",
            npz({{names[3] + ".npy", npy_map(0.4)},
                 {names[0] + ".npy", npy_map(0.1)},
                 {names[2] + ".npy", npy_map(0.3)},
                 {names[1] + ".npy", npy_map(0.2)}}),
            "",
            '"' + names[0] + "\" to \"" + names[3] +
                "\" [2, 3] are layers 1 and 2 of 2 heads, each [query, key].",
            {{"1,1", 0.1}, {"1,2", 0.2}, {"2,1", 0.3}, {"2,2", 0.4}}};
}

INSTANTIATE_TEST_SUITE_P(
    OfAMapAHead, CaptureAxes,
    testing::Values(
        a_map_a_head({"layer0_head0", "layer0_head1", "layer1_head0", "layer1_head1"}),
        a_map_a_head({"L0H0", "L0H1", "L1H0", "L1H1"}),
        a_map_a_head({"layer.0.head.0", "layer.0.head.1", "layer.1.head.0", "layer.1.head.1"}),
        a_map_a_head({"layer_0_head_0", "layer_0_head_1", "layer_1_head_0", "layer_1_head_1"}),
        a_map_a_head({"attn_l0_h0", "attn_l0_h1", "attn_l1_h0", "attn_l1_h1"}),
        a_map_a_head({"head0_layer0", "head1_layer0", "head0_layer1", "head1_layer1"}),
        Read{"heads of one layer",
             "x.npz",
             npz({{"head_1", npy_map(0.2)}, {"head_0", npy_map(0.1)}}),
             "",
             "\"head_0\" to \"head_1\" [2, 3] are 2 heads, each [query, key].",
             {{"1,1", 0.1}, {"1,2", 0.2}}},
        Read{"layers keep their numbers",
             "x.npz",
             npz({{"L5H0", npy_map(0.1)},
                  {"L5H1", npy_map(0.2)},
                  {"L8H0", npy_map(0.3)},
                  {"L8H1", npy_map(0.4)}}),
             "",
             "\"L5H0\" to \"L8H1\" [2, 3] are layers 6 and 9 of 2 heads, each [query, key]. The file lacks "
             "layers 1 to 5, 7 and 8.",
             {{"6,1", 0.1}, {"6,2", 0.2}, {"9,1", 0.3}, {"9,2", 0.4}}},
        Read{"a single head",
             "x.npz",
             npz({{"L5H8", npy_map(0.1)}}),
             "",
             "\"L5H8\" [2, 3] is layer 6, [query, key]. The file lacks layers 1 to 5.",
             {{"6,1", 0.1}}},
        Read{"chosen heads",
             "x.npz",
             npz({{"L6H1", npy_map(0.2)}, {"L5H8", npy_map(0.1)}}),
             "",
             "\"L5H8\" to \"L6H1\" [2, 3] are 2 heads, each [query, key]. The file lacks layer 6, head 1: "
             "each head is called as its array.",
             {{"1,1", 0.1}, {"1,1", 0.2}}},
        Read{"a layer without a head that another has",
             "x.npz",
             npz({{"L0H0", npy_map(0.1)}, {"L0H1", npy_map(0.2)}, {"L1H1", npy_map(0.3)}}),
             "",
             "\"L0H0\" to \"L1H1\" [2, 3] are 3 heads, each [query, key]. The file lacks layer 2, head 1: "
             "each head is called as its array.",
             {{"1,1", 0.1}, {"1,1", 0.2}, {"1,1", 0.3}}},
        Read{"heads that are counted from 1",
             "x.npz",
             npz({{"head_1", npy_map(0.1)}, {"head_2", npy_map(0.2)}}),
             "",
             "\"head_1\" to \"head_2\" [2, 3] are 2 heads, each [query, key]. The file lacks head 1: "
             "each head is called as its array.",
             {{"1,1", 0.1}, {"1,1", 0.2}}},
        Read{"chosen heads of two sizes",
             "x.npz",
             npz({{"L5H8", npy_map(0.1)}, {"L6H1", npy({{'q', 2}, {'k', 4}})}}),
             "",
             "\"L5H8\" [2, 3] is one head, [query, key]; \"L6H1\" [2, 4] is one head, [query, key]. The file "
             "lacks layer 6, head 1: each head is called as its array.",
             {{"1,1", 0.1}, {"1,1", 0.2}}},
        Read{"layers of the h's of GPT-2",
             "x.npz",
             npz({{"gpt2.h.0.npy", npy(layer)}, {"gpt2.h.1.npy", npy(layer)}}),
             "",
             "\"gpt2.h.0\" to \"gpt2.h.1\" [2, 2, 3] are layers 1 and 2, each [head, query, key].",
             {{"1,1", 0.2}, {"1,2", 0.21}, {"2,1", 0.2}, {"2,2", 0.21}}}));

INSTANTIATE_TEST_SUITE_P(
    OfOneMeaning, CaptureAxes,
    testing::Values(
        Read{"an object with tokens and weights",
             "x.json",
             R"({"tokens": ["the", "cat"], "attentions": [[[0.2, 0.8], [0.2, 0.8]]]})",
             "",
             "\"attentions\" [1, 2, 2] is [head, query, key].",
             {{"1,1", 0.2}}},
        Read{"null for a layer of lists",
             "x.json",
             "[[[[0.2, 0.8], [0.2, 0.8]]], null, [[[0.3, 0.7], [0.3, 0.7]]]]",
             "",
             "\"0\" to \"2\" [1, 2, 2] are layers 1 and 3, each [head, query, key]. The file lacks layer 2.",
             {{"1,1", 0.2}, {"3,1", 0.3}}},
        Read{"null for the first layer of an object",
             "x.json",
             R"({"weights": [null, [[[0.3, 0.7], [0.3, 0.7]]]]})",
             "",
             "\"weights.1\" [1, 2, 2] is layer 2, [head, query, key]. The file lacks layer 1.",
             {{"2,1", 0.3}}},
        Read{"hard attention",
             "x.npy",
             npy_of("{'descr': '|b1', 'fortran_order': False, 'shape': (1, 2, 2), }",
                    std::string("\1\0\1\0", 4)),
             "",
             "[1, 2, 2] is [head, query, key].",
             {{"1,1", 1}}}));

TEST(CaptureHeads, ThatWereChosenAreSitesThatAreCalledAsTheirArrays) {
    struct Known {
        std::string first, second, site;
    };
    for (const Known& known :
         {Known{"L5H8", "L6H1", "L6H1"}, Known{"layer.5.head.8", "layer.6.head.1", "layer_6_head_1"}}) {
        Workplace place;
        place.write("x.npz",
                    npz({{known.first + ".npy", npy_map(0.1)}, {known.second + ".npy", npy_map(0.2)}}));
        const Outcome table = place.run({"analyse", "x.npz", "--format", "json"});
        EXPECT_NE(table.output.find("\"maps\": \"" + known.first + '"'), std::string::npos) << table.output;
        const Outcome outcome =
            place.run({"render", "x.npz", "--site", known.site, "-o", "m.csv", "--strip"});
        ASSERT_EQ(outcome.status, 0) << outcome.error;
        EXPECT_NE(place.read("m.csv").find("\n1,0.2,0.4,0.4"), std::string::npos) << place.read("m.csv");
    }
}

TEST(CaptureDoubts, AreSaidOfNumbersThatMayBeNoWeights) {
    struct Known {
        const char *numbers, *says;
    };
    for (const Known& known :
         {Known{"[[0.2, 0.9], [0.8, 0.1]]", "Rows do not sum to 1, columns do: are query and key swapped?"},
          Known{"[[0.5, -0.5], [1, 2]]", "Negative numbers: are these scores, not weights?"},
          Known{"[[30, 70], [100, 0]]", "Rows sum to 100: are these percentages?"},
          Known{"[[0.5, 0.5], [0, 0]]", nullptr}, Known{"[[0.5, 0.25], [0.25, 0.25]]", nullptr}}) {
        Workplace place;
        place.write("x.json", known.numbers);
        const Outcome outcome = place.run({"analyse", "x.json"});
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        EXPECT_EQ(outcome.error, "headlight: x.json: [2, 2] is [query, key]." +
                                     (known.says ? ' ' + std::string(known.says) : "") + "\n");
    }
}

TEST(CaptureKinds, KeepTheirNamesWithoutTheNumberOfTheLayer) {
    struct Known {
        std::string name, kind;
    };
    for (const Known& known : {Known{"layer#_self", "layer_self"}, Known{"layer_#_self", "layer_self"},
                               Known{"layers[#].self", "layers.self"}, Known{"layer#self", "layerself"},
                               Known{"self.layer#", "self.layer"}}) {
        std::vector<ZipFile> files{{"other.npy", npy(layer)}};
        for (const char number : {'0', '1'}) {
            std::string name = known.name;
            name[name.find('#')] = number;
            files.push_back({name + ".npy", npy(layer)});
        }
        Workplace place;
        place.write("x.npz", npz(files));
        const Outcome outcome = place.run({"analyse", "x.npz", "--by", "first_token", "--format", "json"});
        EXPECT_NE(outcome.output.find("\"maps\": \"" + known.kind + '"'), std::string::npos)
            << known.name << '\n'
            << outcome.output;
    }
}

TEST(CaptureOrders, OfTheSameNumbersAreTheSameMaps) {
    Workplace place;
    const Axes axes{{'l', 2}, {'h', 3}, {'q', 4}, {'k', 5}};
    place.write("c.npy", npy(axes));
    place.write("f.npy", npy(axes, Order::fortran));
    place.write("b.npy", npy(axes, Order::c, Bytes::big));
    place.write("p.npy", npy({{'q', 4}, {'l', 2}, {'k', 5}, {'h', 3}}));
    place.write("p.json", R"({"axes": ["query", "layer", "key", "head"]})");
    const auto numbers = [&](const std::string& file) {
        const Outcome outcome =
            place.run({"render", file, "--layer", "2", "--head", "3", "-o", file + ".csv", "--strip"});
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        return outcome.status == 0 ? place.read(file + ".csv") : std::string();
    };
    const std::string expected = numbers("c.npy");
    EXPECT_NE(expected.find("\n2,0.3201"), std::string::npos) << expected;  // of the second query
    for (const char* file : {"f.npy", "b.npy", "p.npy"})
        EXPECT_EQ(numbers(file), expected) << file;
}

}  // namespace

}  // namespace headlight::capture_axes_test

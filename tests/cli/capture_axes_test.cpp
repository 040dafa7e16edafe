// What headlight analyse makes of the arrays of a capture: which axis is which, which layer of the model each
// map is of, what it says about it, and what it asks where an array has several meanings.

#include "core/io/safetensors.h"
#include "core/io/zip_archive.h"
#include "tests/cli/refusal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <sstream>
#include <zlib.h>

namespace headlight::capture_axes_test {

using namespace headlight::test;

namespace {

/// An axis of a written array, and how long it is: {'l', 3} are three layers. Others are 'b'atch, 'w'indow,
/// 'h'ead, 'q'uery and 'k'ey.
using Axes = std::vector<std::pair<char, Index>>;

/// Rows that sum to 1, whose first weight says where they are from; the others rise.
double weight_at(const std::map<char, Index>& place, Index keys) {
    static const std::map<char, double> steps{
        {'l', 0.1}, {'h', 0.01}, {'b', 0.001}, {'w', 0.002}, {'q', 1e-4}};
    double first = 0.2;
    for (const auto& [axis, index] : place)
        if (axis != 'k')
            first += steps.at(axis) * static_cast<double>(index);
    const Index key = place.at('k');
    return key == 0 ? first
                    : (1 - first) * static_cast<double>(2 * key) / static_cast<double>(keys * (keys - 1));
}

enum class Order { c, fortran };
enum class Bytes { little, big };

std::vector<float> weights(const Axes& axes, Order order = Order::c) {
    Index count = 1, keys = 1;
    for (const auto& [axis, extent] : axes) {
        count *= extent;
        keys = axis == 'k' ? extent : keys;
    }
    std::vector<float> numbers;
    for (Index i = 0; i < count; ++i) {
        std::map<char, Index> place;
        Index rest = i;
        for (std::size_t at = 0; at < axes.size(); ++at) {
            const auto& [axis, extent] = axes[order == Order::c ? axes.size() - 1 - at : at];
            place[axis] = rest % extent;
            rest /= extent;
        }
        numbers.push_back(static_cast<float>(weight_at(place, keys)));
    }
    return numbers;
}

std::string npy_of(const std::string& dictionary, const std::string& data) {
    std::string bytes = "\x93NUMPY\x01";
    bytes += '\0';
    bytes += static_cast<char>(dictionary.size() + 1);
    bytes += '\0';
    return bytes + dictionary + '\n' + data;
}

std::string npy(const Axes& axes, Order order = Order::c, Bytes bytes = Bytes::little) {
    std::string shape, data;
    for (const auto& [axis, extent] : axes)
        shape += std::to_string(extent) + ", ";
    for (const float number : weights(axes, order)) {
        char raw[sizeof number];
        std::memcpy(raw, &number, sizeof number);
        if (bytes == Bytes::big)
            std::reverse(std::begin(raw), std::end(raw));
        data.append(raw, sizeof raw);
    }
    return npy_of("{'descr': '" + std::string(bytes == Bytes::big ? ">" : "<") + "f4', 'fortran_order': " +
                      (order == Order::fortran ? "True" : "False") + ", 'shape': (" + shape + "), }",
                  data);
}

/// A map of two queries and three keys, [query, key], whose first key has `first` of each row.
std::string npy_map(double first) {
    std::string data;
    for (int row = 0; row < 2; ++row)
        for (const double weight : {first, (1 - first) / 2, (1 - first) / 2}) {
            char raw[sizeof weight];
            std::memcpy(raw, &weight, sizeof weight);
            data.append(raw, sizeof raw);
        }
    return npy_of("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", data);
}

/// What np.savez() writes for a None.
std::string none() { return npy_of("{'descr': '|O', 'fortran_order': False, 'shape': (), }", "\x80\x04N."); }

/// Of three ASCII characters each, in UTF-32.
std::string npy_texts(const std::vector<std::string>& texts) {
    std::string data;
    for (const std::string& text : texts)
        for (std::size_t i = 0; i < 3; ++i)
            data += {i < text.size() ? text[i] : '\0', '\0', '\0', '\0'};
    return npy_of(
        "{'descr': '<U3', 'fortran_order': False, 'shape': (" + std::to_string(texts.size()) + ",), }", data);
}

std::string npz(std::vector<ZipFile> files) {
    for (ZipFile& file : files)
        if (!file.name.ends_with('/') && file.name.find('.') == std::string::npos)
            file.name += ".npy";
    return zip_archive_of(files);
}

std::string tensors(const std::vector<std::string>& names, const Axes& axes) {
    SafetensorsFile file;
    Shape shape;
    for (const auto& [axis, extent] : axes)
        shape.push_back(extent);
    for (const std::string& name : names) {
        Tensor tensor(shape);
        std::ranges::copy(weights(axes), tensor.values().begin());
        file.tensors.emplace(name, std::move(tensor));
    }
    return write_safetensors(file);
}

const Axes layer{{'h', 2}, {'q', 2}, {'k', 3}}, layer_of_batch{{'b', 1}, {'h', 2}, {'q', 2}, {'k', 3}},
    two_texts{{'b', 2}, {'h', 2}, {'q', 2}, {'k', 3}}, windows{{'w', 4}, {'h', 2}, {'q', 3}, {'k', 3}};

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

// What is refused

struct Refused {
    std::string about, file, bytes, notes, says;
};

std::ostream& operator<<(std::ostream& stream, const Refused& refused) { return stream << refused.about; }

class CaptureRefused : public testing::TestWithParam<Refused> {};

TEST_P(CaptureRefused, SaysWhatToChoose) {
    Workplace place;
    place.write(GetParam().file, GetParam().bytes);
    if (!GetParam().notes.empty())
        place.write("x.json", GetParam().notes);
    expect_refused(place, {"analyse", GetParam().file, "--memory", "64MB"}, 1, GetParam().says);
}

/// An archive whose entries are deflated zeros; `patch` changes a record of its directory.
template <class Patch>
std::string deflated_archive(std::size_t entries, Index side, const Patch& patch) {
    const std::string array = npy_of("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, " +
                                         std::to_string(side) + ", " + std::to_string(side) + "), }",
                                     std::string(static_cast<std::size_t>(4 * side * side), '\0'));
    std::string packed(compressBound(array.size()), '\0');
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(array.data()));
    stream.avail_in = static_cast<uInt>(array.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    std::vector<ZipFile> files;
    for (std::size_t i = 0; i < entries; ++i)
        files.push_back({"map" + std::string(1, static_cast<char>('a' + i)) + ".npy", packed});
    std::string archive = zip_archive_of(files);
    const auto put = [&](std::size_t at, std::uint32_t number, std::size_t bytes) {
        std::memcpy(archive.data() + at, &number, bytes);
    };
    const auto size = static_cast<std::uint32_t>(array.size());
    const auto checksum = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(array.data()), static_cast<uInt>(array.size())));
    std::size_t number = 0;
    for (std::size_t at = archive.find("PK\1\2"); at != std::string::npos;
         at = archive.find("PK\1\2", at + 4)) {
        put(at + 10, 8, 2);
        put(at + 16, checksum, 4);
        put(at + 24, size, 4);
        patch(number++, at, put);
    }
    return archive;
}

const auto as_it_is = [](std::size_t, std::size_t, const auto&) {};
/// The second entry is the first one again.
const auto overlapping = [](std::size_t number, std::size_t record, const auto& put) {
    if (number == 1)
        put(record + 42, 0, 4);
};

INSTANTIATE_TEST_SUITE_P(
    , CaptureRefused,
    testing::Values(
        Refused{
            "a batch or layers", "x.npz", npz({{"arr_0", npy(two_texts)}, {"arr_1", npy(two_texts)}}), "",
            "x.npz: array \"arr_0\": .*x.json: of a batch \\{\"choose\": \\{\"batch\": 0\\}\\}, of windows "
            "\\{\"choose\": \\{\"window\": 0\\}\\}.*\\{\"axes\": \\[\"layer\", \"head\", \"query\", "
            "\"key\"\\]\\}, got \\[2, 2, 2, 3\\]"},
        Refused{"five axes with several texts", "x.npy",
                npy({{'l', 3}, {'b', 2}, {'h', 2}, {'q', 2}, {'k', 3}}), "",
                "\\{\"axes\": \\[\"layer\", \"batch\", \"head\", \"query\", \"key\"\\], \"choose\": "
                "\\{\"batch\": "
                "0\\}\\}, \\{\"axes\": \\[\"batch\", \"layer\""},
        Refused{"a text that is not there", "x.npy", npy(two_texts), R"({"choose": {"batch": 2}})",
                "\"batch\" from 0 to 1 in x.json, not 2"},
        Refused{"no text is chosen", "x.npy", npy(two_texts),
                R"({"axes": ["batch", "head", "query", "key"]})", "which of the 2 along \"batch\""},
        Refused{"axes without a key", "x.npy", npy(layer), R"({"axes": ["layer", "head", "query"]})",
                "an axis \"key\""},
        Refused{"an axis twice", "x.npy", npy(layer), R"({"axes": ["head", "head", "key"]})",
                "not \"head\" again"},
        Refused{"more axes than there are", "x.npy", npy(layer),
                R"({"axes": ["layer", "head", "query", "key"]})", "an array of 4 axes"},
        Refused{"an unknown axis", "x.npy", npy(layer), R"({"axes": ["haed", "query", "key"]})",
                "did you mean \"head\""},
        Refused{"as many numbers as layers", "x.npy", npy(layer), R"({"layer_numbers": [1, 2]})",
                "expected 1 number, as the array has layers, got 2"},
        Refused{"numbers that fall", "x.npy", npy(layer), R"({"layer_numbers": [2, 1]})",
                "numbers of layers from 0 that rise"},
        Refused{"heads that stand last", "x.npy", npy({{'q', 3}, {'k', 3}, {'h', 2}}),
                R"({"tokens": ["a", "b", "c"]})",
                "expected 2 tokens, as the array has, got 3 \\(its axes are taken for \\[head, query, "
                "key\\]; x.json "
                "can name others as \"axes\"\\)"},
        Refused{"layers that NumPy has pickled", "x.npz",
                npz({{"attentions",
                      npy_of("{'descr': '|O', 'fortran_order': False, 'shape': (3,), }", "\x80\x04.")}}),
                "",
                "got \"attentions\" \\[3\\] of \\|O, which pickle wrote and is not read: np.savez\\(path, "},
        Refused{"heads of two sizes", "x.npz",
                npz({{"head_0", npy_map(0.1)}, {"head_1", npy({{'q', 2}, {'k', 4}})}}), "",
                "all of one shape, got \\[2, 4\\] of layer 1, head 2"},
        Refused{"a head with three axes", "x.npz", npz({{"head_0", npy(layer)}, {"head_1", npy(layer)}}), "",
                "array \"head_0\": .*its name says one head.*x.json: \\{\"axes\": \\[\"layer\", \"query\", "
                "\"key\"\\]\\}.*got \\[2, 2, 3\\]"},
        Refused{"a part of none", "x.1-of-0.npy", npy(layer), "",
                "a part from 1 to as many as there are.*got 1-of-0"},
        Refused{"a part behind the last", "x.3-of-2.npy", npy(layer), "", "got 3-of-2"},
        Refused{"entries that are large together", "x.npz", deflated_archive(10, 1600, as_it_is), "",
                "all entries: .*at most 64.0 MB"},
        Refused{"entries that share bytes", "x.npz", deflated_archive(2, 4, overlapping), "",
                "entry \"map[ab].npy\": .*bytes of its own.*belong to entry \"map[ab].npy\""}));

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

TEST(CaptureTokens, InsideTheArchiveAreShownUnlessOthersStandBeside) {
    Workplace place;
    place.write("x.npz",
                npz({{"attn", npy({{'h', 1}, {'q', 2}, {'k', 2}})}, {"tokens", npy_texts({"the", "cat"})}}));
    const auto header = [&] {
        place.run({"render", "x.npz", "-o", "m.csv", "--strip"});
        const std::string table = place.read("m.csv");
        return table.substr(0, table.find('\r'));
    };
    EXPECT_NE(header().find("the,cat"), std::string::npos) << header();
    place.write("x.json", R"({"tokens": ["a", "dog"]})");
    EXPECT_NE(header().find("a,dog"), std::string::npos) << header();
}

TEST(CaptureTokens, AreReadByTheNamesThatPeopleGiveThem) {
    Workplace place;
    const auto table = [&] {
        EXPECT_EQ(place.run({"render", "x.npz", "-o", "m.csv", "--strip"}).status, 0);
        return place.read("m.csv");
    };
    for (const char* name : {"words", "labels"}) {
        place.write("x.npz",
                    npz({{"attn", npy({{'h', 1}, {'q', 2}, {'k', 2}})}, {name, npy_texts({"the", "cat"})}}));
        EXPECT_NE(table().find("the,cat"), std::string::npos) << name;
    }
    place.write("x.npz", npz({{"attn", npy({{'h', 1}, {'q', 2}, {'k', 3}})},
                              {"tgt_tokens", npy_texts({"le", "mot"})},
                              {"src_tokens", npy_texts({"the", "cat", "sat"})}}));
    EXPECT_NE(table().find("the,cat,sat"), std::string::npos);
    EXPECT_NE(table().find("\nle,"), std::string::npos);
}

TEST(CaptureTokens, BesideAnArrayMayBeAListAlone) {
    Workplace place;
    place.write("x.npy", npy({{'h', 1}, {'q', 2}, {'k', 2}}));
    place.write("x.json", R"(["the", "cat"])");
    EXPECT_EQ(place.run({"render", "x.npy", "-o", "m.csv", "--strip"}).status, 0);
    EXPECT_NE(place.read("m.csv").find("the,cat"), std::string::npos);
}

TEST(CaptureTokens, WithoutAPartnerInTheOtherTextAreCounted) {
    Workplace place;
    place.write("x.json", R"({"tokens": ["a", "b"], "attentions": [[[0.5, 0.5], [0.2, 0.8]]]})");
    place.write("y.json", R"({"tokens": ["a", "b", "c"],
                              "attentions": [[[0.5, 0.5, 0], [0.2, 0.8, 0], [0, 0, 1]]]})");
    const Outcome outcome = place.run({"analyse", "x.json", "--with", "y.json", "--by", "change"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.error,
              "headlight: x.json: \"attentions\" [1, 2, 2] is [head, query, key]. The other: "
              "\"attentions\" [1, 3, 3] is [head, query, key]. 1 token of the second text has no "
              "partner and is left out.\n");
}

TEST(CaptureArrays, ThatAreNotReadAreNamed) {
    const std::string whole = npy_of("{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }",
                                     std::string(16, '\1')),
                      objects =
                          npy_of("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", "\x80\x04.");
    const std::string pickled =
        " Objects of Python are pickled, which is not read: np.array(tokens, dtype=str) is "
        "text.";
    struct Known {
        std::string name, array, says;
    };
    for (const Known& known :
         {Known{"tokens", whole, " Passed over: \"tokens\"."},
          Known{"input_ids", whole, " Passed over: \"input_ids\"."},
          Known{"tokens", objects, " Passed over: \"tokens\"." + pickled},
          Known{"labels", npy_texts({"x", "y", "z", "u", "v"}), " Passed over: \"labels\"."},
          Known{"titles", npy_texts({"x"}), " Passed over: \"titles\"."},
          Known{"tokens", npy_texts({"the", "cat"}), ""}}) {
        Workplace place;
        place.write("x.npz", npz({{"attn", npy({{'h', 1}, {'q', 2}, {'k', 2}})}, {known.name, known.array}}));
        const Outcome outcome = place.run({"analyse", "x.npz"});
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        EXPECT_EQ(outcome.error,
                  "headlight: x.npz: \"attn\" [1, 2, 2] is [head, query, key]." + known.says + "\n");
    }
}

TEST(CaptureFigures, SayWhenTheCaptureHoldsSomethingElse) {
    Workplace place;
    const auto remarks = [&](const std::string& from) {
        const Outcome outcome = place.run({"render", from, "-o", "again.csv"});
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        return outcome.error;
    };
    place.write("x.npy", npy(layer));
    for (const char* figure : {"f.svg", "f.csv"}) {
        place.write("x.npy", npy(layer));
        place.run({"render", "x.npy", "-o", figure});
        EXPECT_EQ(remarks(figure).find("held something else"), std::string::npos) << figure;
        place.write("x.npy", npy({{'h', 2}, {'q', 3}, {'k', 3}}));
        EXPECT_NE(
            remarks(figure).find("x.npy held something else: its numbers and tokens may have been others"),
            std::string::npos)
            << figure;
    }
    place.write("x.npy", npy(layer));
    place.write("y.npy", npy(layer));
    place.run({"render", "x.npy", "--with", "y.npy", "-o", "both.svg"});
    EXPECT_EQ(remarks("both.svg").find("held something else"), std::string::npos);
    std::string other = npy(layer);
    other[other.size() - 2] ^= 1;
    place.write("y.npy", other);
    EXPECT_NE(remarks("both.svg").find("held something else"), std::string::npos);
}

TEST(CaptureLayers, KeepTheirNumbersInFiguresAndPanels) {
    Workplace place;
    place.write("x.npz", npz({{"layers.1.npy", npy(layer)}, {"layers.4.npy", npy(layer)}}));
    const auto drawn = [&](std::vector<std::string> arguments) {
        std::vector<std::string> all{"render", "x.npz", "-o", "f.svg"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const Outcome outcome = place.run(all);
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        return place.read("f.svg");
    };
    EXPECT_NE(drawn({"--layer", "5"}).find("layer 5"), std::string::npos);
    EXPECT_NE(drawn({"--view", "model_grid"}).find(">layer 5<"), std::string::npos);
    expect_refused(place, {"render", "x.npz", "--layer", "3", "-o", "f.svg"}, 2,
                   "a layer that was recorded, 2, 5, got 3");
    place.write("y.npz", npz({{"layers.1.npy", npy(layer)}, {"layers.2.npy", npy(layer)}}));
    expect_refused(place, {"analyse", "x.npz", "--with", "y.npz"}, 1,
                   "layers 2, 5, as the first has, got 2, 3");
}

}  // namespace

}  // namespace headlight::capture_axes_test

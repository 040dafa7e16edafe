// Attention that was computed elsewhere: arrays as NumPy wrote them (tests/support/captures/generate.py),
// and the same in safetensors and JSON.

#include "core/analysis/displayed_weights.h"
#include "core/analysis/head_statistics.h"
#include "core/analysis/token_units.h"
#include "core/io/capture_file.h"
#include "core/io/files.h"
#include "core/io/json_text.h"
#include "core/io/safetensors.h"
#include "core/map/aligned_maps.h"
#include "core/map/maps_trace.h"
#include "core/map/trace_maps.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/written_captures.h"

#include <cmath>
#include <cstdlib>

namespace headlight::capture_file_test {

using namespace test;
using nlohmann::json;
using written_captures::captures;
using written_captures::weights_with_values;
namespace fs = std::filesystem;

namespace {

using Extents = MapSource::Extents;

std::vector<double> map_of(const MapSource& maps, MapPlace place) {
    const Extents& extents = maps.extents();
    std::vector<double> map(static_cast<std::size_t>(extents.queries * extents.keys));
    maps.read_rows(place, 0, extents.queries, map);
    return map;
}

json golden(const std::string& name) { return json::parse(read_file(captures / "golden.json")).at(name); }

void expect_statistics(const LabelledMaps& maps, const json& table) {
    const Extents& extents = maps.maps->extents();
    ASSERT_EQ(static_cast<Index>(table.size()), extents.layers * extents.heads);
    for (const json& row : table) {
        const MapPlace place{row["layer"].get<Index>() - 1, row["head"].get<Index>() - 1};
        const auto statistics = statistics_of(maps, place);
        for (std::size_t i = 0; i < statistics.size(); ++i) {
            const std::string name(head_statistics()[i].name);
            if (!head_statistics()[i].is_usual()) {
                EXPECT_FALSE(statistics[i]) << "nothing is compared or hidden";
                continue;
            }
            const json& expected = row.at(name);
            ASSERT_EQ(statistics[i].has_value(), !expected.is_null()) << name;
            if (statistics[i]) {
                EXPECT_NEAR(*statistics[i], expected.get<double>(), 1e-12)
                    << name << " of layer " << place.layer + 1 << ", head " << place.head + 1;
            }
        }
    }
}

TEST(Captures, OfOneTextHaveItsTokensAndItsStatistics) {
    const auto maps = read_capture(captures / "self.npz");
    ASSERT_EQ(maps.size(), 1u);  // the numbers of the tokens are no maps
    EXPECT_EQ(maps[0].name, "");
    EXPECT_EQ(maps[0].maps->extents(), (Extents{2, 3, 10, 10}));
    EXPECT_EQ(maps[0].tokens.query[2], "cat");
    EXPECT_TRUE(maps[0].tokens.key.empty());
    expect_statistics(maps[0], golden("self.npz"));
}

TEST(Captures, OfATupleOfLayersIsOneOfLayers) {
    const auto maps = read_capture(captures / "layers.npz");
    ASSERT_EQ(maps.size(), 1u);
    EXPECT_EQ(maps[0].maps->extents(), (Extents{2, 3, 10, 10}));
    expect_statistics(maps[0], golden("self.npz"));
}

TEST(Captures, CompressedArraysAreUnpacked) {
    const auto maps = read_capture(captures / "causal.npz");
    ASSERT_EQ(maps.size(), 1u);
    EXPECT_EQ(maps[0].maps->extents(), (Extents{1, 2, 10, 10}));
    expect_statistics(maps[0], golden("causal.npz"));
}

TEST(Captures, OfATranslationHaveTwoTexts) {
    const auto maps = read_capture(captures / "translation.npz");
    ASSERT_EQ(maps.size(), 3u);
    EXPECT_EQ(maps[0].name, "encoder");
    EXPECT_EQ(maps[0].tokens.query[6], "</s>");
    EXPECT_EQ(maps[1].name, "decoder");
    EXPECT_EQ(maps[1].tokens.query[9], ".");
    EXPECT_EQ(maps[2].name, "cross");
    EXPECT_EQ(maps[2].maps->extents(), (Extents{2, 2, 10, 7}));
    EXPECT_EQ(maps[2].tokens.query[9], ".");
    EXPECT_EQ(maps[2].tokens.key[6], "</s>");
    for (const LabelledMaps& each : maps)
        expect_statistics(each, golden("translation.npz " + each.name));
}

TEST(Captures, OfOneLayerMayLeaveItOut) {
    const auto maps = read_capture(captures / "plain.npy");
    ASSERT_EQ(maps.size(), 1u);
    EXPECT_EQ(maps[0].maps->extents(), (Extents{1, 2, 3, 4}));
    EXPECT_TRUE(maps[0].tokens.query.empty());
    const json expected = golden("plain.npy");
    for (const Index head : {0, 1}) {
        const auto map = map_of(*maps[0].maps, {0, head});
        for (std::size_t i = 0; i < map.size(); ++i)
            EXPECT_EQ(map[i], expected[static_cast<std::size_t>(head)][i / 4][i % 4].get<double>());
    }
}

TEST(Captures, AreTheSameInEveryFormat) {
    const TemporaryFolder folder;
    const json numbers = golden("plain.npy");
    Tensor tensor({2, 3, 4});
    for (Index i = 0; i < tensor.size(); ++i)
        tensor[i] = numbers[static_cast<std::size_t>(i / 12)][static_cast<std::size_t>(i / 4 % 3)]
                           [static_cast<std::size_t>(i % 4)];
    const SafetensorsFile file{{{"attention", tensor}}, {}};
    const std::vector<fs::path> paths{
        folder.write("a.json", numbers.dump()), folder.write("b.json", json::array({numbers}).dump()),
        folder.write("c.safetensors", write_safetensors(file, StoredType::f16)), captures / "by_columns.npy"};
    for (const fs::path& path : paths) {
        EXPECT_TRUE(is_capture(path));
        const auto maps = read_capture(path);
        ASSERT_EQ(maps.size(), 1u);
        EXPECT_EQ(maps[0].maps->extents(), (Extents{1, 2, 3, 4})) << path;
        EXPECT_EQ(map_of(*maps[0].maps, {0, 1}),
                  map_of(*read_capture(captures / "plain.npy")[0].maps, {0, 1}))
            << path;
    }
}

TEST(Captures, OfListsHaveTheirTokensBesideThem) {
    const TemporaryFolder folder;
    const fs::path lists = folder.write("attention-0588.json", golden("plain.npy").dump());
    EXPECT_TRUE(read_capture(lists)[0].tokens.query.empty());
    folder.write(
        "tokens_and_saliency.json",
        R"({"5": {"tokens": []}, "588": {"tokens": [{"token": "[CLS]", "positive": 1}, {"token": "it"}]}})");
    const TokenLabels of_dodrio = read_capture(lists)[0].tokens;
    EXPECT_EQ(of_dodrio.query, (std::vector<std::string>{"[CLS]", "it", "[PAD]"}));
    EXPECT_EQ(of_dodrio.key, (std::vector<std::string>{"[CLS]", "it", "[PAD]", "[PAD]"}));
    EXPECT_TRUE(
        read_capture(folder.write("attention-7.json", golden("plain.npy").dump()))[0].tokens.query.empty());
    folder.write("tokens_and_saliency.json", R"({"588": {"tokens": ["it"]}})");
    expect_refusal([&] { read_capture(lists); }, {"tokens_and_saliency.json", "/588/tokens/0", "an object"});
    folder.write("attention-0588.tokens.json",
                 R"({"query_tokens": ["a", "b", "c"], "key_tokens": ["d", "e", "f", "g"]})");
    EXPECT_EQ(read_capture(lists)[0].tokens.key.back(), "g");
    folder.write("attention-0588.tokens.json", R"({"tokens": ["a", "b"]})");
    expect_refusal([&] { read_capture(lists); }, {"attention-0588.json", "3 tokens"});
}

TEST(Captures, OfQueriesAndKeysAreRecomputed) {
    const auto maps = read_capture(captures / "queries.npz");
    ASSERT_EQ(maps.size(), 1u);
    EXPECT_EQ(maps[0].maps->extents(), (Extents{2, 4, 9, 9}));
    EXPECT_EQ(maps[0].tokens.query[2], "cat");
    const json expected = golden("queries.npz");
    for (std::size_t layer = 0; layer < 2; ++layer)
        for (std::size_t head = 0; head < 4; ++head) {
            const auto map = map_of(*maps[0].maps, {static_cast<Index>(layer), static_cast<Index>(head)});
            for (std::size_t i = 0; i < map.size(); ++i)
                EXPECT_NEAR(map[i], expected[layer][head][i / 9][i % 9].get<double>(), 1e-12)
                    << layer << ' ' << head << ' ' << i;
            std::vector<double> row(9);
            maps[0].maps->read_rows({static_cast<Index>(layer), static_cast<Index>(head)}, 5, 1, row);
            EXPECT_TRUE(std::ranges::equal(row, std::span(map).subspan(45, 9)));
        }
}

/// Each of the two maps of plain.npy as a file.
void write_parts(const TemporaryFolder& folder, const std::string& notes) {
    const std::string header = "{'descr': '<f2', 'fortran_order': False, 'shape': (1, 3, 4), }\n";
    std::string start = "\x93NUMPY\x01";
    start += '\0';
    start += static_cast<char>(header.size());
    start += '\0';
    const std::string bytes = read_file(captures / "plain.npy"), data = bytes.substr(bytes.size() - 48);
    for (const std::size_t part : {0u, 1u}) {
        const std::string name = "x." + std::to_string(part + 1) + "-of-2";
        folder.write(name + ".npy", start + header + data.substr(part * 24, 24));
        folder.write(name + ".json", notes);
    }
}

TEST(Captures, PartsOpenAsOne) {
    const auto whole = read_capture(captures / "plain.npy");
    const TemporaryFolder folder;
    write_parts(folder, R"({"query_tokens": ["a", "b", "c"]})");
    for (const char* part : {"x.1-of-2.npy", "x.2-of-2.npy"}) {
        const auto maps = read_capture(folder / part);
        ASSERT_EQ(maps.size(), 1u);
        EXPECT_EQ(maps[0].maps->extents(), (Extents{1, 2, 3, 4}));
        EXPECT_EQ(maps[0].tokens.query.back(), "c");
        for (const Index head : {0, 1})
            EXPECT_EQ(map_of(*maps[0].maps, {0, head}), map_of(*whole[0].maps, {0, head}));
    }
    folder.write("x.2-of-2.json", R"({"query_tokens": ["v", "w", "x"]})");
    expect_refusal([&] { read_capture(folder / "x.1-of-2.npy"); }, {"x.1-of-2.npy", "parts of one text"});
    write_parts(folder, R"({"parts": "layer"})");
    const auto layers = read_capture(folder / "x.1-of-2.npy");
    EXPECT_EQ(layers[0].maps->extents(), (Extents{2, 1, 3, 4}));
    EXPECT_EQ(map_of(*layers[0].maps, {1, 0}), map_of(*whole[0].maps, {0, 1}));
    fs::remove(folder / "x.2-of-2.npy");
    EXPECT_THROW(read_capture(folder / "x.1-of-2.npy"), Error);
}

TEST(Captures, OneRowIsReadWithoutTheOthers) {
    const auto maps = read_capture(captures / "self.npz");
    const auto all = map_of(*maps[0].maps, {1, 2});
    std::vector<double> rows(20);
    maps[0].maps->read_rows({1, 2}, 4, 2, rows);
    EXPECT_TRUE(std::ranges::equal(rows, std::span(all).subspan(40, 20)));
}

TEST(Captures, ABlockIsReadWithoutTheRestOfItsRows) {
    const auto stored = read_capture(captures / "translation.npz");
    const auto traced = maps_of(std::make_shared<const Trace>(trace_of(stored, "translation")));
    ASSERT_EQ(traced.back().maps->extents(), stored.back().maps->extents());
    const MapPlace place{1, 1};
    const auto all = map_of(*stored.back().maps, place);
    for (const auto& maps : {stored.back().maps, traced.back().maps})
        for (const MapBlock part : {MapBlock{2, 7, 1, 5}, MapBlock{9, 1, 6, 1}, MapBlock{3, 2, 0, 7}}) {
            std::vector<double> block(part.size());
            maps->read_block(place, part, block);
            for (Index row = 0; row < part.rows; ++row)
                for (Index column = 0; column < part.columns; ++column)
                    EXPECT_EQ(block[static_cast<std::size_t>(row * part.columns + column)],
                              all[static_cast<std::size_t>((part.first_row + row) * 7 + part.first_column +
                                                           column)]);
        }
}

TEST(Captures, NotebooksOfBertvizNameTheTokensOfEachArray) {
    const TemporaryFolder folder;
    fs::copy_file(captures / "plain.npy", folder / "x.npy");
    folder.write("x.json",
                 R"({"views": {"all": {"left_text": ["a", "b", "c"], "right_text": ["a", "b", "c", "d"]}}})");
    const auto maps = read_capture(folder / "x.npy");
    EXPECT_EQ(maps[0].tokens.query, (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_EQ(maps[0].tokens.key, (std::vector<std::string>{"a", "b", "c", "d"}));
}

TEST(Captures, AFileThatShrinksIsRefusedWhereItIsRead) {
    const TemporaryFolder folder;
    fs::copy_file(captures / "plain.npy", folder / "x.npy");
    const auto maps = read_capture(folder / "x.npy");
    fs::resize_file(folder / "x.npy", 140);
    EXPECT_THROW(map_of(*maps[0].maps, {0, 1}), Error);
}

TEST(Captures, OfALinearLayerAreTheWeightsThatItImplies) {
    for (const char* name : {"implied.npz", "implied_shares.npz"}) {
        const auto maps = read_capture(captures / name);
        ASSERT_EQ(maps.size(), 1u);
        EXPECT_EQ(maps[0].maps->extents(), (Extents{2, 4, 9, 9}));
        EXPECT_EQ(maps[0].tokens.query.back(), "dog");
        EXPECT_TRUE(maps[0].maps->is_implied(1));
        const json expected = golden(name);
        bool has_negative = false;
        for (Index layer = 0; layer < 2; ++layer)
            for (Index head = 0; head < 4; ++head) {
                const auto got = map_of(*maps[0].maps, {layer, head});
                const json& rows = expected[static_cast<std::size_t>(layer)][static_cast<std::size_t>(head)];
                for (std::size_t cell = 0; cell < got.size(); ++cell) {
                    EXPECT_NEAR(got[cell], rows[cell / 9][cell % 9].get<double>(), 1e-12)
                        << name << " of layer " << layer + 1 << ", head " << head + 1;
                    has_negative = has_negative || got[cell] < 0;
                }
            }
        EXPECT_EQ(has_negative, std::string(name) == "implied.npz");
    }
    EXPECT_FALSE(read_capture(captures / "queries.npz")[0].maps->is_implied(0));
}

TEST(Captures, OfPartsAreImpliedWhereAPartIs) {
    const TemporaryFolder folder;
    const auto part = [&](const char* from, const char* to, json notes) {
        fs::copy_file(captures / (std::string(from) + ".npz"), folder / (std::string(to) + ".npz"));
        notes["parts"] = "layer";
        folder.write(std::string(to) + ".json", notes.dump());
    };
    part("queries", "x.1-of-2", json::parse(read_file(captures / "queries.json")));
    part("implied", "x.2-of-2", json::parse(read_file(captures / "implied.json")));
    const auto maps = read_capture(folder / "x.1-of-2.npz");
    ASSERT_EQ(maps[0].maps->extents().layers, 4);
    for (Index layer = 0; layer < 4; ++layer)
        EXPECT_EQ(maps[0].maps->is_implied(layer), layer >= 2) << layer;
}

TEST(Captures, HaveTheValuesOfTheirKeys) {
    const TemporaryFolder folder;
    Tensor values({2, 2, 3, 2}, 1.0);
    values[values.size() - 1] = 7;  // the last layer, group and key
    const fs::path path = folder.write("x.safetensors", write_safetensors(weights_with_values(values)));
    const auto maps = read_capture(path);
    ASSERT_EQ(maps.size(), 1u);
    EXPECT_EQ(maps[0].maps->extents(), (Extents{2, 4, 2, 3}));
    ASSERT_TRUE(maps[0].values);
    EXPECT_EQ(maps[0].values->extents(), (Extents{2, 2, 3, 2}));
    EXPECT_EQ(map_of(*maps[0].values, {1, 1}).back(), 7);

    const Trace trace = trace_of(maps, "x");
    const Stage* value = trace.find("value", "layer.1");
    ASSERT_TRUE(value);
    EXPECT_EQ(value->axes, (std::vector{Axis::head, Axis::key, Axis::feature}));
    EXPECT_EQ(trace.matrix(*value, 1).back(), 7);
    EXPECT_EQ(value_norms_lack(trace, "layer.1"), "");
    const auto seen = seen_maps(std::make_shared<const Trace>(trace), nullptr,
                                {.weights = DrawnWeights::value_norms, .hidden_keys = {}});
    for (Index head = 0; head < 4; ++head) {
        EXPECT_NEAR(map_of(*seen[0].maps, {1, head})[2], 0.25 * (head < 2 ? std::sqrt(2) : std::sqrt(50)),
                    1e-12);
        EXPECT_NEAR(map_of(*seen[0].maps, {0, head})[2], 0.25 * std::sqrt(2), 1e-12);
    }
    // In words nobody knows what a key gives.
    auto words = maps;
    words[0].tokens = {{"a", "b"}, {"c", "##d", "e"}, {}, {}};
    EXPECT_FALSE(in_units(words, TokenUnit::word)[0].values);
}

TEST(Captures, OfSeveralKindsNameWhoseValuesTheyAre) {
    const TemporaryFolder folder;
    SafetensorsFile file;
    file.tensors = {{"cross", Tensor({1, 2, 2, 3}, 0.5)},
                    {"decoder", Tensor({1, 2, 2, 2}, 0.5)},
                    {"cross.v", Tensor({1, 2, 3, 4}, 1.0)}};
    const auto maps = read_capture(folder.write("x.safetensors", write_safetensors(file)));
    ASSERT_EQ(maps.size(), 2u);
    EXPECT_EQ(maps[0].name, "cross");
    EXPECT_TRUE(maps[0].values);
    EXPECT_FALSE(maps[1].values);
    // Alone, an array of any name is maps; beside several kinds "v" is one of them.
    file.tensors = {{"v", Tensor({1, 2, 2, 3}, 0.5)}};
    EXPECT_EQ(read_capture(folder.write("y.safetensors", write_safetensors(file))).size(), 1u);
    file.tensors = {
        {"u", Tensor({1, 2, 2, 3}, 0.5)}, {"v", Tensor({1, 2, 2, 3}, 0.5)}, {"w", Tensor({1, 2, 2, 3}, 0.5)}};
    EXPECT_EQ(read_capture(folder.write("z.safetensors", write_safetensors(file))).size(), 3u);
}

TEST(Captures, PartsHaveTheirValuesJoined) {
    const TemporaryFolder folder;
    const auto write = [&](const char* name, bool has_values, double value) {
        SafetensorsFile file;
        file.tensors = {{"attention", Tensor({1, 2, 3, 3}, 0.5)}};
        if (has_values)
            file.tensors["v"] = Tensor({1, 1, 3, 2}, value);
        folder.write(name, write_safetensors(file));
    };
    write("x.1-of-2.safetensors", true, 1);
    write("x.2-of-2.safetensors", true, 2);
    const auto maps = read_capture(folder / "x.1-of-2.safetensors");
    ASSERT_TRUE(maps[0].values);
    EXPECT_EQ(maps[0].values->extents(), (Extents{1, 2, 3, 2}));
    EXPECT_EQ(map_of(*maps[0].values, {0, 1}).front(), 2);
    write("x.2-of-2.safetensors", false, 0);
    expect_refusal([&] { read_capture(folder / "x.1-of-2.safetensors"); },
                   {"x.1-of-2.safetensors", "values in every part, or in none"});
}

TEST(Captures, ComparedHaveTheValuesOfTheTokensThatBothHave) {
    const auto text = [](std::vector<std::string> tokens) {
        const Index count = std::ssize(tokens);
        SafetensorsFile file;
        Tensor values({1, 1, count, 1});
        for (Index key = 0; key < count; ++key)
            values[key] = static_cast<double>(key);
        file.tensors = {{"attention", Tensor({1, 1, count, count}, 0.5)}, {"v", values}};
        auto maps = parse_capture(std::make_shared<HeldBytes>(write_safetensors(file)), ".safetensors");
        maps[0].tokens.query = std::move(tokens);
        return maps;
    };
    const AlignedMaps both = aligned(text({"a", "b", "c", "d"}), text({"a", "d"}));
    ASSERT_TRUE(both.first[0].values);
    EXPECT_EQ(map_of(*both.first[0].values, {0, 0}), (std::vector<double>{0, 3}));
    EXPECT_EQ(map_of(*both.second[0].values, {0, 0}), (std::vector<double>{0, 1}));
}

TEST(Captures, ValuesThatAreNoNumbersAreRefusedWhereTheyAreDrawn) {
    for (const double bad : {std::nan(""), HUGE_VAL}) {
        Tensor values({2, 2, 3, 2}, 1.0);
        values[values.size() - 1] = bad;
        CaptureNotes notes;
        notes.layers.everywhere = {3, 7};  // the model's numbers, as pictures have them
        const auto maps =
            parse_capture(std::make_shared<HeldBytes>(write_safetensors(weights_with_values(values))),
                          ".safetensors", notes);
        const auto trace = std::make_shared<const Trace>(trace_of(maps, "x"));
        expect_refusal(
            [&] {
                const auto seen =
                    seen_maps(trace, nullptr, {.weights = DrawnWeights::value_norms, .hidden_keys = {}});
                map_of(*seen[0].maps, {1, 0});
            },
            {"values of layer 8, head 2, key 3", "finite numbers"});
    }
}

TEST(PublishedCaptures, AreReadWithTheirTokens) {
    const char* shared = std::getenv("HEADLIGHT_SHARED");
    const fs::path folder = fs::path(shared ? shared : "") / "models/captures";
    if (!shared || !fs::exists(folder))
        GTEST_SKIP() << "HEADLIGHT_SHARED has no models/captures";
    struct Known {
        const char* file;
        std::string name;
        Extents extents;
        std::string last_query, last_key;
    };
    for (const Known& known : {Known{"ex0.npz", "", {12, 12, 6, 6}, " to", " to"},
                               Known{"ex1.npz", "", {12, 12, 6, 6}, " the", " the"},
                               Known{"head_view_bert.npz", "", {12, 12, 11, 11}, "[SEP]", "[SEP]"},
                               Known{"encoder_decoder.npz", "encoder", {6, 8, 7, 7}, "</s>", "</s>"},
                               Known{"encoder_decoder.npz", "decoder", {6, 8, 13, 13}, ".", "."},
                               Known{"encoder_decoder.npz", "cross", {6, 8, 13, 7}, ".", "</s>"},
                               Known{"attention-0588.json", "", {12, 12, 64, 64}, "[PAD]", "[PAD]"}}) {
        const auto all = read_capture(folder / known.file);
        const auto maps = std::ranges::find(all, known.name, &LabelledMaps::name);
        ASSERT_NE(maps, all.end()) << known.file;
        EXPECT_EQ(maps->maps->extents(), known.extents) << known.file;
        const auto& keys = maps->tokens.key.empty() ? maps->tokens.query : maps->tokens.key;
        EXPECT_EQ(maps->tokens.query.empty() ? "" : maps->tokens.query.back(), known.last_query);
        EXPECT_EQ(keys.empty() ? "" : keys.back(), known.last_key);
        const auto map = map_of(*maps->maps, {known.extents.layers - 1, known.extents.heads - 1});
        double sum = 0;
        for (Index key = 0; key < known.extents.keys; ++key)
            sum += map[static_cast<std::size_t>(key)];
        EXPECT_NEAR(sum, 1, 1e-3) << known.file;
    }
}

TEST(CaptureFile, SaysWhetherItsMapsAreLargerThanAreKept) {
    const TemporaryFolder folder;
    const auto write = [&](const std::string& name, const Shape& shape) {
        SafetensorsFile file;
        for (const char* array : {"q", "k"})
            file.tensors.emplace(array, Tensor(shape));
        return has_large_maps(folder.write(name, write_safetensors(file)));
    };
    EXPECT_FALSE(write("kept.safetensors", {2, 2048, 1}));
    EXPECT_TRUE(write("large.safetensors", {2, 2049, 1})) << "queries and keys: as many numbers as pairs";
    for (const char* name : {"self.npz", "queries.npz", "translation.npz", "plain.npy", "none.npz"})
        EXPECT_FALSE(has_large_maps(captures / name)) << name;
}

}  // namespace

}  // namespace headlight::capture_file_test

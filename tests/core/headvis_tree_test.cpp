// Trees of heads as HeadVis publishes them: what is read of one, when, and what is refused.

#include "core/analysis/head_statistics.h"
#include "core/figure/build_figure.h"
#include "core/figure/view.h"
#include "core/io/capture_file.h"
#include "core/io/headvis_tree.h"
#include "core/io/session_capture.h"
#include "core/map/sparse_maps.h"
#include "core/map/trace_maps.h"
#include "tests/support/generated_maps.h"
#include "tests/support/headvis_tree.h"
#include "tests/support/refusal.h"

#include <cmath>

namespace headlight::headvis_tree_test {

using namespace test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

using Extents = MapSource::Extents;

std::vector<double> block_of(const MapSource& maps, const MapBlock& block) {
    std::vector<double> numbers(block.size());
    maps.read_block({}, block, numbers);
    return numbers;
}

/// Equal, NaN being equal to NaN.
void expect_same(const std::vector<double>& numbers, const std::vector<double>& expected) {
    ASSERT_EQ(numbers.size(), expected.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
        EXPECT_TRUE(numbers[i] == expected[i] || (std::isnan(numbers[i]) && std::isnan(expected[i])))
            << i << ": " << numbers[i] << ", expected " << expected[i];
}

// Sparse rows

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

SparseMaps three_by_four() { return {3, 4, {{0, 1}, {5, 0.25}, {6, 0.5}, {11, 0.125}}, "some"}; }

TEST(SparseMaps, HaveWhatIsKnownAndNaNForTheRest) {
    const SparseMaps maps = three_by_four();
    std::vector<double> rows(8);
    maps.read_rows({}, 1, 2, rows);
    expect_same(rows, {missing, 0.25, 0.5, missing, missing, missing, missing, 0.125});
    expect_same(block_of(maps, {0, 3, 1, 2}), {missing, missing, 0.25, 0.5, missing, missing});
    EXPECT_EQ(maps.left_out(), "some");
}

TEST(SparseMaps, AreFoldedAsTheirRowsAre) {
    constexpr Index side = 37;
    std::vector<SparseMaps::Weight> weights;
    for (Index cell = 0; cell < side * side; cell += 1 + cell % 7)
        weights.push_back({cell, 1.0 / static_cast<double>(cell + 1)});
    const SparseMaps maps(side, side, weights, "some");
    for (const Index width : {1, 2, 8, 64}) {
        const Index first = std::min(width, side / width * width), count = side - first;
        const auto cells =
            static_cast<std::size_t>((count + width - 1) / width * ((side + width - 1) / width));
        std::vector<FoldedCell> folded(cells), expected(cells);
        maps.read_folded({}, first, count, width, folded);
        maps.MapSource::read_folded({}, first, count, width, expected);
        for (std::size_t i = 0; i < cells; ++i) {
            EXPECT_EQ(folded[i].maximum, expected[i].maximum);
            EXPECT_NEAR(folded[i].sum, expected[i].sum, 1e-15);
            EXPECT_EQ(folded[i].numbers, expected[i].numbers);
        }
    }
}

// Trees

TEST(HeadVisTrees, AreKnownByTheirFolderTheirConfigAndTheirHeads) {
    const TemporaryFolder folder;
    const fs::path tree = write_headvis_tree(folder);
    for (const fs::path& path : {tree, tree / "", tree / "config.json", tree / "heads/L5H1.json"})
        EXPECT_TRUE(is_capture(path)) << path;
    EXPECT_TRUE(is_headvis_tree(tree));
    EXPECT_FALSE(is_headvis_tree(tree / "heads"));
    EXPECT_FALSE(is_headvis_head(tree / "scatter_data.json"));
    for (const char* other :
         {R"({"format": "headlight-model/1", "heads": [], "metrics": []})", R"({"model_type": "llama"})",
          R"({"heads": 3, "metrics": []})", "[]", "{", ""}) {
        folder.write("config.json", other);
        EXPECT_FALSE(is_headvis_tree(folder.path())) << other;
        EXPECT_FALSE(is_headvis_tree(folder / "config.json")) << other;
    }
    folder.write("L1H2.json", R"({"format": "headlight-trace/1"})");
    EXPECT_FALSE(is_headvis_head(folder / "L1H2.json"));
}

TEST(HeadVisTrees, OpenAsTheSequencesOfTheirFirstHead) {
    const TemporaryFolder folder;
    const auto maps = read_capture(write_headvis_tree(folder));
    ASSERT_EQ(maps.size(), 3u);
    EXPECT_EQ(maps[0].tokens.query, headvis_tokens(0, 0, 2));
    EXPECT_EQ(maps[0].maps->extents(), (Extents{1, 1, 5, 5}));
}

TEST(HeadVisTrees, HaveTheHighestIntervalAndItsLargestWeightsFirst) {
    const TemporaryFolder folder;
    const fs::path tree = write_headvis_tree(folder);
    const auto maps = read_capture(tree / "heads/L5H1.json");
    ASSERT_EQ(maps.size(), 3u);
    const std::vector<std::string> names{"interval 5 #1", "interval 5 #2", "interval 1 #1"};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(maps[i].name, names[i]);
        EXPECT_EQ(maps[i].tokens.query, headvis_tokens(5, 1, 2 - static_cast<int>(i)));
        EXPECT_TRUE(maps[i].tokens.key.empty());
    }
    expect_same(block_of(*maps[2].maps, {0, 3, 0, 3}),
                {0.5, missing, missing, 0.25, 0.5625, missing, 0.25, missing, 0.625});
}

TEST(HeadVisTrees, ReadNoHeadButTheOneThatIsLookedAt) {
    const TemporaryFolder folder;
    const fs::path tree = write_headvis_tree(folder);
    for (const char* other : {"L0H0", "L0H1", "L5H0"})
        folder.write("tree/heads/" + std::string(other) + ".json", "{ no head at all");
    const HeadVisTree read = read_headvis_tree(tree);
    EXPECT_EQ(read.heads.size(), 4u);
    EXPECT_EQ(read_capture(headvis_head_file(read, {5, 1})).size(), 3u);
    EXPECT_EQ(read_headvis_metrics(read).size(), 4u);
    EXPECT_THROW(read_capture(tree), Error);
}

TEST(HeadVisTrees, SayWhatTheirRowsLeaveOut) {
    const TemporaryFolder folder;
    const fs::path tree = write_headvis_tree(folder);
    const std::string all = "all but the 8 largest weights of each row, and those under 0.005 (sparse rows: "
                            "what is not there is missing, not zero)";
    EXPECT_EQ(read_capture(tree / "heads/L5H1.json")[0].maps->left_out(), all);
    const auto trace =
        std::make_shared<const Trace>(captured_traces({.file = (tree / "heads/L5H1.json").string()}).trace);
    EXPECT_EQ(trace->omitted, std::vector<std::string>{all});
    EXPECT_EQ(trace->name, "L5H1");
    for (const LabelledMaps& each : maps_of(trace))
        EXPECT_EQ(each.maps->left_out(), all) << each.name;
    ViewSettings view;
    view.view = ViewKind::heatmap;
    view.selection.site = "interval 5 #2";
    const Figure figure = build_figure(*trace, view);
    EXPECT_NE(figure.caption.find("Not recorded: " + all + "."), std::string::npos) << figure.caption;
    EXPECT_NE(figure.title.find("interval 5 #2"), std::string::npos) << figure.title;
    EXPECT_EQ(figure.panels.front().row_axis.labels.front(), "L5H1");
    EXPECT_TRUE(figure.panels.front().row_sums.empty());
    view.hidden_keys = {0};
    const Figure whole = build_figure(*trace, view);
    EXPECT_EQ(whole.panels.front().values[0], 0.5);
    EXPECT_NE(whole.caption.find("No key is hidden"), std::string::npos) << whole.caption;

    // Alone it does not say how its rows were made.
    fs::copy_file(tree / "heads/L5H1.json", folder / "L5H1.json");
    EXPECT_EQ(read_capture(folder / "L5H1.json")[0].maps->left_out().find("all but the largest weights"), 0u);
}

TEST(HeadVisTrees, GiveNoStatisticsThatWouldBeOfAPartOfEachRow) {
    const TemporaryFolder folder;
    const auto maps = read_capture(write_headvis_tree(folder));
    for (const auto& number : statistics_of(maps[0], {}))
        EXPECT_FALSE(number);
    // Nor do whole rows beside them: what they have in common is not all.
    LabelledMaps whole = maps[0];
    whole.maps = std::make_shared<GeneratedMaps>(maps[0].maps->extents(), scattered);
    whole.other = maps[0].maps;
    EXPECT_TRUE(statistics_of(whole, {})[*find_statistic("entropy")]);
    EXPECT_FALSE(statistics_of(whole, {})[*find_statistic("change")]);
}

TEST(HeadVisTrees, SayInPlainWordsThatTheirHeadsHaveNoStatistics) {
    const TemporaryFolder folder;
    const fs::path tree = write_headvis_tree(folder);
    fs::remove(tree / "scatter_data.json");  // whose metrics stand for them in the scatter
    const Trace trace = captured_traces({.file = tree.string()}).trace;
    ViewSettings settings;
    settings.selection.site = "interval 1 #1";
    for (const ViewKind view : {ViewKind::statistics, ViewKind::scatter}) {
        settings.view = view;
        expect_refusal([&] { build_figure(trace, settings); },
                       {"rows of which every weight is known", "all but the 8 largest weights of each row"});
    }
    settings.view = ViewKind::model_grid;
    const Figure by_layer = build_figure(trace, settings);
    EXPECT_EQ(by_layer.caption.find("Not sorted"), std::string::npos);
    settings.heads.sorted_by = "entropy";
    const Figure asked = build_figure(trace, settings);
    EXPECT_NE(asked.caption.find("Not sorted: sparse rows have no statistics"), std::string::npos)
        << asked.caption;
    EXPECT_EQ(asked.title.find("sorted by"), std::string::npos) << asked.title;
    EXPECT_EQ(asked.panels.front().columns, by_layer.panels.front().columns);
}

TEST(HeadVisTrees, HaveMetricsThatWereCountedOnWholeRows) {
    const TemporaryFolder folder;
    const HeadVisTree tree = read_headvis_tree(write_headvis_tree(folder) / "config.json");
    EXPECT_EQ(tree.metrics, (std::vector<std::string>{"pattern_entropy", "induction_score"}));
    const auto rows = read_headvis_metrics(tree);
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_EQ(rows[3].place, (MapPlace{5, 1}));
    EXPECT_EQ(rows[3].numbers[0], 6.5);
    EXPECT_EQ(rows[3].numbers[1], 0.125);
    EXPECT_FALSE(rows[2].numbers[1]);
    const std::vector<std::size_t> columns{1};
    EXPECT_EQ(head_table_csv(rows, tree.metrics, columns),
              "layer,head,induction_score\n1,1,\n1,2,0.125\n6,1,\n6,2,0.125\n");
}

TEST(HeadVisTrees, AreShownByEveryViewOrItSaysWhyNot) {
    const TemporaryFolder folder;
    const Trace trace = captured_traces({.file = write_headvis_tree(folder).string()}).trace;
    for (const View& each : views()) {
        ViewSettings settings;
        settings.view = each.kind;
        settings.selection.site = "interval 1 #1";
        try {
            const Figure figure = build_figure(trace, settings);
            EXPECT_FALSE(figure.panels.empty()) << each.title;
            EXPECT_FALSE(figure.description.empty() && figure.caption.empty()) << each.title;
        } catch (const Error& error) {
            EXPECT_FALSE(std::string(error.what()).empty()) << each.title;
        }
    }
}

// What is refused

struct RefusedTree {
    const char* file;
    std::string pointer;  ///< where the value is put
    json value;
    std::string says;
};

void PrintTo(const RefusedTree& tree, std::ostream* to) {
    *to << tree.file << tree.pointer << " = " << tree.value;
}

class RefusedTrees : public testing::TestWithParam<RefusedTree> {};

TEST_P(RefusedTrees, SayWhatIsWrong) {
    const TemporaryFolder folder;
    const fs::path tree = write_headvis_tree(folder);
    const std::string name = std::string("tree/") + GetParam().file;
    json document = json::parse(std::ifstream(folder / name));
    document[json::json_pointer(GetParam().pointer)] = GetParam().value;
    folder.write(name, document.dump());
    expect_refusal(
        [&] {
            const HeadVisTree read = read_headvis_tree(tree);
            read_headvis_metrics(read);
            read_capture(headvis_head_file(read, {5, 1}));
        },
        {GetParam().file, GetParam().says});
}

const std::string second = "/sequences/1/";
constexpr const char* head_file = "heads/L5H1.json";

INSTANTIATE_TEST_SUITE_P(
    , RefusedTrees,
    testing::Values(
        RefusedTree{"config.json", "/heads", json::array(), "/heads"},
        RefusedTree{"config.json", "/heads/1", {0, -1}, "/heads/1"},
        RefusedTree{"config.json", "/heads/1", {0, 1e9}, "two whole numbers from 0"},
        RefusedTree{"config.json", "/heads/1", {0}, "[layer, head]"},
        RefusedTree{"config.json", "/metrics", {1}, "/metrics/0"},
        RefusedTree{"config.json", "/head_data_pattern", "../../{layer}{head}", "\"L{layer}H{head}.json\""},
        RefusedTree{"config.json", "/pipeline_config", 3, "/pipeline_config"},
        RefusedTree{"config.json", "/pipeline_config/sparse_topk_per_row", 0, "sparse_topk_per_row"},
        RefusedTree{"scatter_data.json", "", json::object(), "an object for each head"},
        RefusedTree{"scatter_data.json", "/2/layer", -1, "/2/layer"},
        RefusedTree{"scatter_data.json", "/2/pattern_entropy", "high", "/2/pattern_entropy"},
        RefusedTree{head_file, "/sequences", json::array(), "1 to 4096 sequences, got 0"},
        RefusedTree{head_file, "/sequences", json::object(), "a list of sequences"},
        RefusedTree{head_file, "/sequences/1", 3, "/sequences/1"},
        RefusedTree{head_file, second + "tokens", json::array(), "1 to 32768 tokens, got 0"},
        RefusedTree{head_file, second + "tokens/2", 5, "/tokens/2"},
        RefusedTree{head_file, second + "seq_len", 512, "4, as there are tokens, got 512"},
        RefusedTree{head_file, second + "interval", -1, "/interval"},
        RefusedTree{head_file, second + "max_activation", "large", "/max_activation"},
        RefusedTree{head_file, second + "attention_indices/3", 16, "a whole number from 0 to 15, got 16"},
        RefusedTree{head_file, second + "attention_indices/3", -1, "/attention_indices/3"},
        RefusedTree{head_file, second + "attention_indices/3", 0.5, "/attention_indices/3"},
        RefusedTree{head_file, second + "attention_indices/3", 1e300, "/attention_indices/3"},
        RefusedTree{head_file, second + "attention_indices/3", 0, "0 twice"},
        RefusedTree{head_file, second + "attention_indices", {{0, 1}, {2, 3}}, "a list of numbers"},
        RefusedTree{head_file, second + "attention_indices", nullptr, "a list of numbers, got null"},
        RefusedTree{head_file, second + "attention_values", {0.5}, "7 numbers, as attention_indices"},
        RefusedTree{head_file, second + "attention_values/3", "Infinity", "a finite number"},
        RefusedTree{head_file, second + "attention_values/3", json::object(), "attention_values"}));

TEST(HeadVisTrees, RefuseAHeadThatTheyHaveNot) {
    const TemporaryFolder folder;
    const fs::path tree = write_headvis_tree(folder);
    expect_refusal(
        [&] {
            headvis_head_file(read_headvis_tree(tree), {1, 0});
        },
        {"one of its 4 heads, L0H0 to L5H1", "got L1H0"});
    fs::remove(tree / "heads/L0H0.json");
    expect_refusal([&] { read_capture(tree); }, {"L0H0.json"});
}

TEST(HeadVisTrees, PlaceTheirHeadsByTheirOwnMetricsInTheScatter) {
    const TemporaryFolder folder;
    const fs::path tree = write_headvis_tree(folder);
    const Trace trace = captured_traces({.file = (tree / "heads/L5H1.json").string()}).trace;
    ASSERT_TRUE(trace.counted_heads);
    EXPECT_EQ(trace.counted_heads->heads.size(), 4u);
    EXPECT_EQ(trace.counted_heads->shown_layer, 5);
    EXPECT_EQ(trace.counted_heads->shown_head, 1);
    ViewSettings settings;
    settings.view = ViewKind::scatter;
    const Figure figure = build_figure(trace, settings);
    const Panel& panel = figure.panels.front();
    ASSERT_EQ(panel.marks->heads.size(), 2u) << "two have no induction score";
    EXPECT_EQ(panel.marks->heads[1].name, "layer 6, head 2");
    EXPECT_EQ(panel.marks->x[1], 6.5);
    EXPECT_EQ(panel.marks->y[1], 0.125);
    EXPECT_EQ(panel.column_axis.title, "pattern_entropy");
    EXPECT_EQ(figure.caption.find("Not recorded"), std::string::npos) << figure.caption;
}

/// A head with one sequence of so many tokens, and the last weight of its last row.
std::string head_of(std::int64_t tokens) {
    const json sequence{{"tokens", std::vector<std::string>(static_cast<std::size_t>(tokens), "a")},
                        {"attention_indices", json::array({tokens * tokens - 1})},
                        {"attention_values", json::array({0.5})}};
    return json{{"sequences", json::array({sequence})}}.dump();
}

TEST(HeadVisTrees, OfManyTokensTakeNoMoreMemoryThanTheirNumbers) {
    constexpr Index tokens = 32'768;
    const auto maps = parse_headvis_head(head_of(tokens), "some");
    EXPECT_EQ(maps[0].maps->extents(), (Extents{1, 1, tokens, tokens}));
    expect_same(block_of(*maps[0].maps, {tokens - 1, 1, tokens - 2, 2}), {missing, 0.5});
    expect_refusal([] { parse_headvis_head(head_of(tokens + 1), "some"); },
                   {"/sequences/0/tokens", "got 32769"});
}

}  // namespace

}  // namespace headlight::headvis_tree_test

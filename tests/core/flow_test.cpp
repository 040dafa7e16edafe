// The map of a mechanism alone: its stages and what each is computed from.

#include "core/catalog/mechanism.h"
#include "core/figure/build_figure.h"
#include "core/figure/layered_graph.h"
#include "core/figure/stage_chain.h"
#include "core/io/mechanism_example.h"
#include "core/io/session_run.h"
#include "tests/support/sample_traces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace headlight::flow_test { namespace {

using Light = Flow::Light;

Figure map_of(const Trace& trace, const std::string& stage = "weights") {
    ViewSettings settings;
    settings.view = ViewKind::map;
    settings.selection.stage = stage;
    return build_figure(trace, settings);
}

Flow flow_of(const Trace& trace, const std::string& stage = "weights") {
    return *map_of(trace, stage).panels.front().flow;
}

/// "Query, Key → Scores" of each part that something leads to.
std::vector<std::string> in_words(const Flow& flow) {
    std::vector<std::string> lines;
    for (Index node = 0; node < std::ssize(flow.nodes); ++node) {
        std::string sources;
        for (const Flow::Edge& edge : flow.edges)
            if (edge.to == node)
                sources += (sources.empty() ? "" : ", ") + flow_node(flow, edge.from).title;
        if (!sources.empty())
            lines.push_back(sources + " → " + flow_node(flow, node).title);
    }
    return lines;
}

const Flow::Node& part(const Flow& flow, const std::string& stage) {
    return *std::ranges::find_if(flow.nodes,
                                 [&](const Flow::Node& node) { return node.place.stage == stage; });
}

TEST(MapOfAMechanism, HasAnArrowFromWhatEachStageIsComputedFrom) {
    EXPECT_EQ(in_words(flow_of(samples::sentence())),
              (std::vector<std::string>{"Token vectors → Query", "Token vectors → Key",
                                        "Token vectors → Value", "Query, Key → Scores",
                                        "Scores → Scaled scores", "Scaled scores → Masked scores",
                                        "Masked scores → Exponentials", "Exponentials → Weights",
                                        "Weights, Value → Context", "Context → Concatenation"}));
}

TEST(MapOfAMechanism, SaysTheShapesOfItsStages) {
    const Flow flow = flow_of(samples::sentence());
    const Flow::Node& weights = part(flow, "weights");
    EXPECT_EQ(weights.shape, "4 × 8 × 8");
    EXPECT_EQ(weights.words, "4 heads × 8 queries × 8 keys");
    EXPECT_EQ(weights.rows, 8);
    EXPECT_EQ(weights.columns, 8);
    EXPECT_EQ(part(flow, "query").words, "4 heads × 8 queries × 4 features");
    EXPECT_EQ(part(flow, "tokens").shape, "8 × 16");
}

TEST(MapOfAMechanism, CallsWhatIsNoFeatureByItsName) {
    const auto words_of = [](const char* id, const char* stage) {
        const Flow flow = flow_of(run_session(mechanism_example(mechanism(id))).trace);
        return part(flow, stage).words;
    };
    EXPECT_EQ(words_of("capsules", "round_weights"), "6 queries × 27 children");
    EXPECT_EQ(words_of("capsules", "capsule_sums"), "6 queries × 64 features");
    EXPECT_EQ(words_of("slot_attention", "round_weights"), "6 queries × 27 keys");
}

TEST(MapOfAMechanism, LightsTheStageInViewAndWhatItFollowsFrom) {
    const Flow flow = flow_of(samples::sentence(), "scores");
    std::set<std::string> lit, firm;
    for (const Flow::Node& node : flow.nodes) {
        if (node.light == Light::lit)
            lit.insert(node.place.stage);
        if (node.light == Light::firm)
            firm.insert(node.place.stage);
    }
    EXPECT_EQ(lit, std::set<std::string>{"scores"});
    EXPECT_EQ(firm, (std::set<std::string>{"tokens", "query", "key"}));
    for (const Flow::Edge& edge : flow.edges)
        EXPECT_EQ(edge.light == Light::firm, flow_node(flow, edge.to).light != Light::quiet);
    EXPECT_EQ(flow_node(flow, *lit_node(flow)).place.stage, "scores");
}

TEST(MapOfAMechanism, LeadsFromTheTokensToTheOutput) {
    const Flow flow = flow_of(samples::sentence());
    EXPECT_EQ(part(flow, "tokens").column, 0);
    EXPECT_EQ(part(flow, "concatenation").column + 1, std::ssize(flow.gaps));
    EXPECT_EQ(part(flow, "query").column, 1);
    EXPECT_EQ(part(flow, "value").column, 1);
    const auto longest =
        std::ranges::max_element(flow.edges, {}, [](const Flow::Edge& edge) { return edge.via.size(); });
    EXPECT_EQ(flow_node(flow, longest->from).place.stage, "value");
    EXPECT_EQ(std::ssize(longest->via), part(flow, "context").column - part(flow, "value").column - 1);
}

TEST(MapOfAMechanism, HasADescriptionAndRowsOfNumbers) {
    const Figure figure = map_of(samples::sentence(), "scores");
    EXPECT_NE(figure.description.find(
                  "In view: Scores (query × keyᵀ), 4 heads × 8 queries × 8 keys, from Query and Key."),
              std::string::npos)
        << figure.description;
    const std::string csv = to_csv(figure);
    EXPECT_TRUE(
        csv.starts_with("what,name,to,site,stage,shape,number\r\nbox,Token vectors,,,tokens,8 × 16,128"))
        << csv;
    EXPECT_NE(csv.find("arrow,Query,Scores,,,,\r\n"), std::string::npos) << csv;
    EXPECT_EQ(node_in_words(*figure.panels.front().flow, *lit_node(*figure.panels.front().flow)),
              "Scores, 4 heads × 8 queries × 8 keys, in view, from Query and Key");
}

TEST(MapOfAMechanism, AsksTheProgramWhereADeclarationSaysNothing) {
    Session session = example_session();
    session.mechanism = "gated";
    session.values.clear();
    const Flow flow = flow_of(run_session(session).trace);
    const std::vector<std::string> lines = in_words(flow);
    EXPECT_EQ(std::ranges::count(lines, "Token vectors → Gate"), 1) << testing::PrintToString(lines);
    EXPECT_TRUE(std::ranges::none_of(flow.edges, &Flow::Edge::is_dashed));
    EXPECT_TRUE(flow.notes.empty());
}

/// Keys that a selection leaves out have no score: what chose is a source of the scores that are left.
TEST(MapOfAMechanism, HasAnArrowFromWhatChoseToTheScoresThatAreKept) {
    struct Chosen {
        const char *mechanism, *line;
    };
    for (const Chosen& row :
         {Chosen{"dsa", "Scaled scores, Index scores → Masked scores"},
          {"bi_level_routing", "Scaled scores, Regions that meet → Masked scores"},
          {"local_p", "Scaled scores, Predicted centres → Masked scores"},
          {"smyrf", "Blocks in common, Scaled scores → Masked scores"},
          // The stages of these are no lines of the program.
          {"moba", "Scaled scores, Gates of the blocks → Masked scores"},
          {"routing", "Scaled scores, Queries and centroids, Keys and centroids → Masked scores"},
          {"top_k", "Scaled scores → Masked scores"}}) {
        const Session session = mechanism_example(mechanism(row.mechanism));
        const std::vector<std::string> lines = in_words(flow_of(run_session(session).trace));
        EXPECT_EQ(std::ranges::count(lines, row.line), 1) << row.line << testing::PrintToString(lines);
    }
}

/// Stages that a component declares on both sides of the weights.
TEST(MapOfAMechanism, HasDeclaredStagesInTheOrderInWhichTheyComeAbout) {
    Session session = example_session();
    session.mechanism = "interleaved_heads";
    session.values.clear();
    const std::vector<std::string> lines = in_words(flow_of(run_session(session).trace));
    for (const char* line : {"Query → Queries of pseudo-tokens",
                             "Weights of pseudo-tokens, Values of pseudo-tokens → Contexts of pseudo-tokens",
                             "Contexts of pseudo-tokens → Context"})
        EXPECT_EQ(std::ranges::count(lines, line), 1) << line << testing::PrintToString(lines);
}

TEST(MapOfAMechanism, DashesWhatNobodySaysAndTellsSo) {
    Trace trace({{"", "tokens", {Axis::query, Axis::feature}, {2, 3}},
                 {"", "hums", {Axis::query, Axis::feature}, {2, 3}}});
    trace.values(trace.stages()[1])[0] = 1;
    const Figure figure = map_of(trace, "hums");
    const Flow& flow = *figure.panels.front().flow;
    ASSERT_EQ(flow.edges.size(), 1u);
    EXPECT_TRUE(flow.edges.front().is_dashed);
    EXPECT_NE(figure.caption.find("Dashed: what comes before"), std::string::npos) << figure.caption;
    EXPECT_EQ(node_in_words(flow, 1).find("from"), std::string::npos);
}

/// Latents have scores of places that come to those of content; of grouped latents they are on the way to the
/// normaliser.
TEST(StageChains, AskWhatRanWhereSeveralComponentsHaveAStage) {
    Trace trace({{"", "tokens", {Axis::query, Axis::feature}, {2, 3}},
                 {"", "rotary_scores", {Axis::head, Axis::query, Axis::key}, {1, 2, 2}}});
    trace.spec.algorithm.type = AlgorithmType::latent;
    EXPECT_FALSE(StageChain(trace, "").is_score_stage("rotary_scores"));
    trace.spec.algorithm.type = AlgorithmType::grouped_latents;
    EXPECT_TRUE(StageChain(trace, "").is_score_stage("rotary_scores"));
}

class MapOfEveryMechanism : public testing::TestWithParam<std::string> {};

TEST_P(MapOfEveryMechanism, HasEveryStageOnceAndNoCircle) {
    Session session = example_session();
    session.mechanism = GetParam();
    session.values.clear();
    Trace trace;
    try {
        trace = run_session(session).trace;
    } catch (const Error&) {
        GTEST_SKIP() << "wants other inputs than a text";
    }
    const Flow flow = flow_of(trace);
    const StageChain chain(trace, "");
    ASSERT_EQ(flow.nodes.size(), chain.visible().size());
    for (std::size_t at = 0; at < flow.nodes.size(); ++at)
        EXPECT_EQ(flow.nodes[at].place.stage, chain.visible()[at]);
    std::set<std::pair<Index, double>> taken;
    for (const Flow::Node& node : flow.nodes) {
        EXPECT_TRUE(taken.insert({node.column, node.line}).second) << node.title;
        EXPECT_GE(node.line, 0.5 * node.height);
        EXPECT_LE(node.line + 0.5 * node.height, flow.lines + 1e-9);
    }
    for (const Flow::Edge& edge : flow.edges) {
        const Index from = flow_node(flow, edge.from).column, to = flow_node(flow, edge.to).column;
        EXPECT_LT(from, to);
        EXPECT_EQ(std::ssize(edge.via), to - from - 1);
        EXPECT_TRUE(!edge.is_dashed || !flow.notes.empty());
        for (std::size_t passed = 0; passed < edge.via.size(); ++passed)
            EXPECT_TRUE(taken.insert({from + 1 + static_cast<Index>(passed), edge.via[passed]}).second);
    }
}

std::vector<std::string> ids() {
    std::vector<std::string> all;
    for (const Mechanism& each : mechanisms())
        all.push_back(each.id);
    return all;
}

INSTANTIATE_TEST_SUITE_P(All, MapOfEveryMechanism, testing::ValuesIn(ids()),
                         [](const auto& row) { return row.param; });

TEST(LayeredGraphs, StandBehindTheirLongestWay) {
    const GraphEdge edges[] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {0, 3}, {3, 5}, {4, 5}};
    const LayeredGraph graph = layered(6, edges);
    std::vector<Index> columns;
    for (const auto& node : graph.nodes)
        columns.push_back(node.column);
    EXPECT_EQ(columns, (std::vector<Index>{0, 1, 1, 2, 2, 3}));  // node 4 right before what it leads to
    EXPECT_EQ(graph.columns, 4);
    EXPECT_EQ(graph.lanes, 3);
    EXPECT_EQ(graph.via[4].size(), 1u);
}

TEST(LayeredGraphs, CrossNoEdgesThatNeedNotCross) {
    const GraphEdge edges[] = {{0, 1}, {0, 2}, {1, 4}, {2, 3}, {3, 5}, {4, 5}};
    const LayeredGraph graph = layered(6, edges);
    const auto is_above = [&](std::size_t a, std::size_t b) {
        return graph.nodes[a].lane < graph.nodes[b].lane;
    };
    EXPECT_EQ(is_above(1, 2), is_above(4, 3));
}

TEST(LayeredGraphs, MayBeEmptyOrOneNode) {
    EXPECT_EQ(layered(0, {}).columns, 0);
    const LayeredGraph one = layered(1, {});
    EXPECT_EQ(one.columns, 1);
    EXPECT_EQ(one.nodes.front().lane, 0);
}

}}  // namespace headlight::flow_test

// What flows in the map of a model, wave after wave, and when.
#include "core/figure/build_figure.h"
#include "core/figure/flow_waves.h"
#include "core/figure/motion.h"
#include "tests/support/small_traces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace headlight::flow_waves_test { namespace {

using namespace test;

struct Mapped {
    std::shared_ptr<const Figure> still;
    Motion motion;

    const Flow& flow() const { return *still->panels.front().flow; }
};

Mapped mapped(const Trace& trace, const std::string& site) {
    ViewSettings settings;
    settings.view = ViewKind::map;
    settings.selection.site = site;
    const auto still = std::make_shared<const Figure>(build_figure(trace, settings));
    return {still, Motion(still, trace, settings.selection)};
}

std::vector<std::string> sites_of_weights(const Trace& trace) {
    std::vector<std::string> sites;
    for (const Stage& stage : trace.stages())
        if (stage.name == "weights")
            sites.push_back(stage.site);
    return sites;
}

class WavesOf : public testing::TestWithParam<SmallModel> {};

TEST_P(WavesOf, BeginWithEveryWeightThatIsDrawn) {
    const Trace trace = trace_of_model(GetParam());
    for (const std::string& site : sites_of_weights(trace)) {
        SCOPED_TRACE(site);
        const Mapped map = mapped(trace, site);
        const auto waves = flow_waves(map.flow());
        const auto weighted =
            std::ranges::count_if(map.flow().edges, [](const Flow::Edge& edge) { return edge.share > 0; });
        ASSERT_FALSE(waves.empty());
        EXPECT_EQ(std::ssize(waves.front()), weighted);
        for (std::size_t wave = 1; wave < waves.size(); ++wave) {
            const auto edge = [&](Index at) -> const Flow::Edge& {
                return map.flow().edges[static_cast<std::size_t>(at)];
            };
            for (const Index arrow : waves[wave])
                EXPECT_EQ(edge(arrow).from, edge(waves[wave - 1].front()).to) << "each goes on from the last";
        }
    }
}

TEST_P(WavesOf, ArriveOneAfterAnother) {
    const Trace trace = trace_of_model(GetParam());
    const Mapped map = mapped(trace, sites_of_weights(trace).front());
    ASSERT_EQ(map.motion.work(), MotionWork::flow);
    const auto waves = flow_waves(map.flow());
    Index before = 0;
    for (int at = 0; at <= 200; ++at) {
        const MotionMoment moment = map.motion.at(at / 200.0);
        EXPECT_TRUE(moment.marks.empty());
        ASSERT_FALSE(moment.dots.empty());
        EXPECT_NE(moment.words, "");
        for (const MotionDot& dot : moment.dots)
            EXPECT_TRUE(dot.way >= 0 && dot.way <= 1 && dot.share > 0 && dot.share <= 1);
        const Index arrived = map.motion.written_at(at / 200.0);
        EXPECT_GE(arrived, before);
        before = arrived;
    }
    EXPECT_EQ(before, std::ssize(waves));
    EXPECT_EQ(map.motion.at(1).dots.front().way, 1);
}

INSTANTIATE_TEST_SUITE_P(Small, WavesOf, testing::ValuesIn(small_models), [](const auto& row) {
    std::string name = row.param.name;
    std::ranges::replace(name, ' ', '_');
    return name;
});

TEST(FlowWaves, LeadInARecurrentModelThroughTheContextToTheWordThatIsSaid) {
    Flow flow;
    const auto add = [&](Flow::Node::Kind kind, const char* title) {
        Flow::Node node;
        node.kind = kind;
        node.title = title;
        flow.nodes.push_back(node);
        return std::ssize(flow.nodes) - 1;
    };
    using enum Flow::Node::Kind;
    const Index the = add(mark, "the"), cat = add(mark, "cat"), attention = add(box, "Attention"),
                context = add(box, "Context"), state = add(mark, "chat"), said = add(word, "chat");
    const auto join = [&](Index from, Index to, std::optional<double> weight, Flow::Light light) {
        Flow::Edge edge{from, to};
        edge.weight = weight;
        edge.share = weight.value_or(0);
        edge.light = light;
        flow.edges.push_back(edge);
    };
    join(the, cat, {}, Flow::Light::quiet);
    join(the, attention, 0.25, Flow::Light::firm);
    join(cat, attention, 0.75, Flow::Light::firm);
    join(attention, context, {}, Flow::Light::firm);
    join(context, state, {}, Flow::Light::firm);
    join(state, said, {}, Flow::Light::quiet);
    const std::vector<std::vector<Index>> expected{{1, 2}, {3}, {4}, {5}};
    EXPECT_EQ(flow_waves(flow), expected);
    EXPECT_EQ(wave_in_words(flow, expected[0]),
              "The context is mixed from the state of “cat” (weight 0.7500) and the state of “the” (weight "
              "0.2500)");
    EXPECT_EQ(wave_in_words(flow, expected[1]), "What was mixed goes into Context");
    EXPECT_EQ(wave_in_words(flow, expected[2]), "Context goes into the state of “chat”");
    EXPECT_EQ(wave_in_words(flow, expected[3]), "“chat” is said");
}

/// What flows from so many marks into one part, with these weights.
Flow flow_of(const std::vector<double>& weights) {
    Flow flow;
    for (std::size_t at = 0; at <= weights.size(); ++at) {
        Flow::Node node;
        const bool is_part = at == weights.size();
        node.kind = is_part ? Flow::Node::Kind::box : Flow::Node::Kind::mark;
        node.title = is_part ? "→ source" : std::string(1, static_cast<char>('a' + at));
        flow.nodes.push_back(node);
    }
    for (std::size_t at = 0; at < weights.size(); ++at) {
        Flow::Edge edge{static_cast<Index>(at), std::ssize(weights)};
        edge.weight = weights[at];
        edge.share = std::abs(weights[at]);
        flow.edges.push_back(edge);
    }
    return flow;
}

TEST(FlowWaves, SayInWordsWhatTheContextIsMadeOf) {
    const auto words = [](const std::vector<double>& weights) {
        const Flow flow = flow_of(weights);
        return wave_in_words(flow, flow_waves(flow).front());
    };
    EXPECT_EQ(words({1}), "All of the context comes from the state of “a” (weight 1.0000)");
    EXPECT_EQ(words({0.99998}), "All of the context comes from the state of “a” (weight 1.0000)");
    EXPECT_EQ(words({0.99}), "The context comes from the state of “a” (weight 0.9900)");
    EXPECT_EQ(words({-0.5, 0.3, 0.8}),
              "The context is mixed from the state of “c” (weight 0.8000), the state of “a” (weight −0.5000) "
              "and the state of “b” (weight 0.3000)");
    EXPECT_TRUE(
        words({0.1, 0.1, 0.1, 0.1, 0.1, 0.5}).ends_with("the state of “b” (weight 0.1000) and 3 more"));
}

TEST(FlowWaves, AreNoneWithoutWeights) {
    Flow flow;
    flow.nodes.resize(2);
    flow.edges.push_back({0, 1});
    EXPECT_TRUE(flow_waves(flow).empty());
}

}}  // namespace headlight::flow_waves_test

// The map of a model: which parts there are, which one is in view, and what flows into it.

#include "core/figure/arriving_weights.h"
#include "core/figure/build_figure.h"
#include "core/figure/flow_strip.h"
#include "core/figure/model_parts.h"
#include "core/figure/unanswered_figure.h"
#include "core/figure/words.h"
#include "core/model/prompt.h"
#include "core/tensor/visible_text.h"
#include "tests/support/small_traces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

namespace headlight::model_flow_test { namespace {

using namespace test;

using NodeKind = Flow::Node::Kind;

const SmallModel& model_called(const std::string& name) {
    return *std::ranges::find_if(small_models, [&](const SmallModel& model) { return model.name == name; });
}

Figure map_at(const Trace& trace, const std::string& site, Index query = 0, Index head = 0) {
    ViewSettings settings;
    settings.view = ViewKind::map;
    settings.selection.site = site;
    settings.selection.query = query;
    settings.selection.head = head;
    return build_figure(trace, settings);
}

const Flow& flow_in(const Figure& figure) { return *figure.panels.front().flow; }

std::vector<std::string> sites_of(const Trace& trace) {
    std::vector<std::string> sites;
    for (const Stage& stage : trace.stages())
        if (stage.name == "weights")
            sites.push_back(stage.site);
    return sites;
}

std::vector<std::string> titles(const Flow& flow, NodeKind kind) {
    std::vector<std::string> all;
    for (const Flow::Node& node : flow.nodes)
        if (node.kind == kind)
            all.push_back(node.title);
    return all;
}

std::vector<const Flow::Edge*> weighted(const Flow& flow) {
    std::vector<const Flow::Edge*> edges;
    for (const Flow::Edge& edge : flow.edges)
        if (edge.weight)
            edges.push_back(&edge);
    return edges;
}

/// Weights of so many layers, in which each token looks at the first one most.
Trace layers_of(Index layers, Index tokens, const std::string& before = "layer.",
                const std::string& behind = "") {
    std::vector<Stage> stages;
    for (Index layer = 0; layer < layers; ++layer)
        stages.push_back({before + std::to_string(layer) + behind,
                          "weights",
                          {Axis::head, Axis::query, Axis::key},
                          {1, tokens, tokens}});
    Trace trace(std::move(stages));
    for (const Stage& stage : trace.stages()) {
        const auto numbers = trace.values(stage);
        for (std::size_t at = 0; at < numbers.size(); ++at)
            numbers[at] = 1 / static_cast<double>(1 + at % static_cast<std::size_t>(tokens));
    }
    for (Index token = 0; token < tokens; ++token)
        trace.tokens.query.push_back(std::string("w") + std::to_string(token));
    trace.tokens.key = trace.tokens.query;
    return trace;
}

/// Three steps, with what the model answers at each.
Trace trace_with_answers(const std::string& name) {
    const TrainedModel trained = small_trained(model_called(name));
    const TaskModel& model = *trained.model;
    const Prompt read = prompt(model, example_source(model, 0));
    Generation generation(*model.host, trained.weights, read.source);
    begin(generation, read);
    const std::vector<Index> said = generate(model, generation, 3, {}, 0);
    return generation_trace(*model.host, trained.weights, generation,
                            generated_words(model, generation, said), model.target.words());
}

class MapOfAModel : public testing::TestWithParam<SmallModel> {};

TEST_P(MapOfAModel, HasArrowsAsThickAsTheWeights) {
    const Trace trace = trace_of_model(GetParam());
    for (const std::string& site : sites_of(trace)) {
        SCOPED_TRACE(site);
        const Stage& weights = *trace.find("weights", site);
        const Index keys = weights.extent(Axis::key), query = weights.extent(Axis::query) - 1,
                    head = weights.heads() - 1;
        const Figure figure = map_at(trace, site, query, head);
        const Flow& flow = flow_in(figure);
        std::vector<double> row(static_cast<std::size_t>(keys));
        trace.read_rows(weights, head, query, 1, row);
        double most = 0;
        for (const double weight : row)
            most = std::max(most, std::abs(weight));
        const auto lit = lit_node(flow);
        ASSERT_TRUE(lit);
        EXPECT_EQ(flow_node(flow, *lit).place.site, site);
        EXPECT_EQ(flow_node(flow, *lit).place.stage, "weights");
        std::set<Index> drawn;
        for (const Flow::Edge* edge : weighted(flow)) {
            EXPECT_EQ(edge->to, *lit);
            const Flow::Place& from = flow_node(flow, edge->from).place;
            const Index key = from.key.value_or(from.query.value_or(-1));
            ASSERT_TRUE(key >= 0 && key < keys);
            drawn.insert(key);
            const double weight = row[static_cast<std::size_t>(key)];
            EXPECT_EQ(*edge->weight, weight);
            EXPECT_DOUBLE_EQ(edge->share, std::abs(weight) / most);
            EXPECT_EQ(edge->is_dashed, weight < 0);
        }
        for (Index key = 0; key < keys; ++key)
            EXPECT_EQ(drawn.contains(key),
                      most > 0 && std::abs(row[static_cast<std::size_t>(key)]) >= 0.02 * most);
    }
}

TEST_P(MapOfAModel, KeepsItsPartsApart) {
    const Trace trace = trace_of_model(GetParam());
    for (const std::string& site : sites_of(trace)) {
        SCOPED_TRACE(site);
        const Figure figure = map_at(trace, site);
        const Flow& flow = flow_in(figure);
        EXPECT_FALSE(figure.description.empty());
        for (std::size_t one = 0; one < flow.nodes.size(); ++one) {
            const Flow::Node& node = flow.nodes[one];
            EXPECT_GE(node.line - 0.5 * node.height, -1e-9) << node.title;
            EXPECT_LE(node.line + 0.5 * node.height, flow.lines + 1e-9) << node.title;
            EXPECT_LT(node.column, std::ssize(flow.gaps));
            for (std::size_t other = 0; other < one; ++other) {
                const Flow::Node& before = flow.nodes[other];
                const bool is_around = node.inside == static_cast<Index>(other);
                if (before.column != node.column || is_around || !node.is_named || !before.is_named ||
                    node.kind == NodeKind::mark)
                    continue;
                EXPECT_GE(std::abs(node.line - before.line) + 1e-9, 0.5 * (node.height + before.height))
                    << before.title << " and " << node.title;
            }
        }
        for (const Flow::Edge& edge : flow.edges) {
            EXPECT_TRUE(edge.via.empty());
            EXPECT_NE(edge.from, edge.to);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Small, MapOfAModel, testing::ValuesIn(small_models), [](const auto& row) {
    std::string name = row.param.name;
    std::ranges::replace(name, ' ', '_');
    return name;
});

TEST(MapOfATransformer, HasBothStacksAndWhatIsBetweenThem) {
    const Trace trace = trace_of_model(model_called("transformer"));
    const Figure figure = map_at(trace, "decoder.0.cross", 1);
    const Flow& flow = flow_in(figure);
    const std::vector<std::string> boxes = titles(flow, NodeKind::box);
    for (const char* title : {"Source", "States", "→ itself", "→ source", "Words said"})
        EXPECT_EQ(std::ranges::count(boxes, title) > 0, true) << title;
    const ModelParts parts = model_parts(trace);
    ASSERT_EQ(parts.stacks.size(), 2u);
    EXPECT_EQ(std::ssize(titles(flow, NodeKind::frame)), std::ssize(parts.decoder()->layers));
    const Stage& weights = *trace.find("weights", "decoder.0.cross");
    EXPECT_EQ(std::ssize(titles(flow, NodeKind::mark)), weights.extent(Axis::key));
    // The figure's title names the place, its panel's says what is drawn of it.
    EXPECT_TRUE(figure.title.ends_with(", looks at the source")) << figure.title;
    EXPECT_EQ(figure.panels.front().title, "What flows into the part in view");
    EXPECT_NE(figure.description.find("In view: decoder"), std::string::npos) << figure.description;
    EXPECT_NE(figure.description.find("looks at the source"), std::string::npos) << figure.description;
    EXPECT_NE(figure.description.find("Thickest arrows: "), std::string::npos) << figure.description;
    const std::regex one_digit("0\\.0[1-9](,|\\.)");  // as of twelve equal weights in two decimals
    EXPECT_FALSE(std::regex_search(figure.description, one_digit)) << figure.description;
    // The arrows of what the decoder looks at in its own text come from the words that it has read.
    const Figure own_figure = map_at(trace, "decoder.0.self", 1);
    const std::vector<std::string> own = titles(flow_in(own_figure), NodeKind::box);
    EXPECT_TRUE(std::ranges::count(own, "Words read") > 0);
}

TEST(MapOfATransformer, LeadsToTheWordThatIsWritten) {
    std::vector<Stage> stages;
    for (const char* layer : {"decoder.0", "decoder.1"}) {
        stages.push_back(
            {layer + std::string(".self"), "weights", {Axis::head, Axis::query, Axis::key}, {1, 3, 3}});
        stages.push_back(
            {layer + std::string(".cross"), "weights", {Axis::head, Axis::query, Axis::key}, {1, 3, 4}});
    }
    const Trace trace(std::move(stages));
    const auto to_words = [&](const std::string& site) {
        const Figure figure = map_at(trace, site, 1);
        const Flow& flow = flow_in(figure);
        std::vector<std::string> from;
        for (const Flow::Edge& edge : flow.edges)
            if (const Flow::Node& to = flow_node(flow, edge.to); to.kind == NodeKind::word) {
                EXPECT_EQ(to.place.query, 1);
                EXPECT_EQ(edge.light, Flow::Light::firm);
                from.push_back(flow_node(flow, edge.from).title);
            }
        return from;
    };
    EXPECT_EQ(to_words("decoder.0.cross"), std::vector<std::string>{"Decoder 2"});
    EXPECT_EQ(to_words("decoder.1.cross"), std::vector<std::string>{"Decoder 2"});
    EXPECT_TRUE(to_words("decoder.1.self").empty()) << "there the column is what the decoder reads";
}

TEST(MapOfAGpt, ReadsOneTextAndSaysTheNextWord) {
    const Trace trace = trace_of_model(model_called("language model"));
    const Figure figure = map_at(trace, "decoder.0.self", 0);
    const Flow& flow = flow_in(figure);
    const std::vector<std::string> boxes = titles(flow, NodeKind::box);
    EXPECT_EQ(boxes.front(), "Text");
    EXPECT_EQ(boxes.back(), trace.tokens_at("decoder.0.self").query[1]);
    EXPECT_TRUE(titles(flow, NodeKind::mark).empty());
    EXPECT_FALSE(model_parts(trace).decoder());
}

TEST(MapOfAGpt, SaysThatNoWordFollowsTheLast) {
    Trace trace = layers_of(2, 3, "decoder.", ".self");
    const auto answer = [&](Index query) {
        const Figure figure = map_at(trace, "decoder.1.self", query);
        const Flow& flow = flow_in(figure);
        return *std::ranges::find(flow.nodes, true, &Flow::Node::is_answer);
    };
    EXPECT_EQ(answer(1).title, "w2");
    EXPECT_EQ(answer(2).title, "Next word");
    EXPECT_TRUE(answer(2).meaning.find("the text ends here") != std::string::npos) << answer(2).meaning;
    trace.tokens.query[2] = "";  // a token without a character is none the less written
    EXPECT_EQ(answer(1).title, "∅");
}

TEST(MapOfTwoStreams, HasBothInEachLayerOfOneStack) {
    const Trace trace = trace_of_model(model_called("two streams"));
    const ModelParts parts = model_parts(trace);
    ASSERT_EQ(parts.stacks.size(), 1u);
    EXPECT_EQ(parts.stacks.front().layers.front().sites(),
              (std::vector<std::string>{"decoder.0.content", "decoder.0.query"}));
    EXPECT_FALSE(parts.decoder()) << "there is no source beside the text";
    const Figure figure = map_at(trace, "decoder.1.query", 1);
    const Flow& flow = flow_in(figure);
    EXPECT_EQ(titles(flow, NodeKind::frame), (std::vector<std::string>{"Decoder 1", "Decoder 2"}));
    EXPECT_EQ(std::ranges::count(titles(flow, NodeKind::box), "queries"), 2);
    const TokenLabels& words = trace.tokens_at("decoder.1.query");
    EXPECT_NE(figure.description.find("When it writes “" + words.query[1] + "”"), std::string::npos)
        << figure.description;
    const std::vector<const Flow::Edge*> arrows = weighted(flow);
    EXPECT_FALSE(arrows.empty());
    for (const Flow::Edge* edge : arrows)
        EXPECT_LE(flow_node(flow, edge->from).place.key.value_or(99), 1) << "what it read before";
}

// The column above has the word: once more, in a box, it looked like another one that is said.
TEST(MapOfATransformer, CallsTheBoxBelowTheWordsWhatItIs) {
    for (const char* name : {"transformer", "bahdanau"}) {
        const Trace trace = trace_with_answers(name);
        const std::string site = model_parts(trace).output;
        ASSERT_FALSE(site.empty()) << name;
        const std::vector<std::string>& words = trace.tokens_at(site).query;
        const std::string word = in_quotes(visible_token(words.back()));
        const Figure figure = map_at(trace, site, std::ssize(words) - 1);
        const Flow& flow = flow_in(figure);
        const Flow::Node& answer = *std::ranges::find(flow.nodes, true, &Flow::Node::is_answer);
        EXPECT_EQ(answer.title, "Word said") << name;
        EXPECT_EQ(figure.panels.front().title, "The parts of the model, and what it says") << name;
        EXPECT_TRUE(answer.shape.starts_with(word + " 0.") || answer.shape.starts_with(word + " 1."))
            << name << ": " << answer.shape;
        EXPECT_NE(figure.description.find(", " + word + ", the next word, probability "), std::string::npos)
            << name << ": " << figure.description;
    }
}

TEST(MapOfARecurrentModel, IsUnrolledOverTime) {
    const Trace trace = trace_of_model(model_called("bahdanau"));
    ASSERT_TRUE(model_parts(trace).is_recurrent());
    const Stage& weights = *trace.find("weights", "decoder.cross");
    const Index keys = weights.extent(Axis::key), steps = weights.extent(Axis::query);
    const Figure figure = map_at(trace, "decoder.cross", steps - 1);
    const Flow& flow = flow_in(figure);
    EXPECT_EQ(std::ssize(titles(flow, NodeKind::mark)), keys + steps);
    EXPECT_EQ(std::ssize(titles(flow, NodeKind::word)), keys + steps);
    // One state leads to the next, and one arrow leads from the context to the state of the step.
    const auto context =
        std::ranges::find(flow.nodes, std::string("Context"), &Flow::Node::title) - flow.nodes.begin();
    ASSERT_LT(context, std::ssize(flow.nodes));
    Index chained = 0, from_context = 0;
    for (const Flow::Edge& edge : flow.edges) {
        const Flow::Node &from = flow_node(flow, edge.from), &to = flow_node(flow, edge.to);
        chained += from.kind == NodeKind::mark && to.kind == NodeKind::mark;
        if (edge.from == context) {
            ++from_context;
            EXPECT_EQ(to.place.query, steps - 1);
        }
    }
    EXPECT_EQ(chained, keys - 1 + steps - 1);
    EXPECT_EQ(from_context, 1);
    const std::vector<std::string> boxes = titles(flow, NodeKind::box);
    for (const char* title : {"Encoder states", "Decoder states"})
        EXPECT_EQ(std::ranges::count(boxes, std::string(title)), 1) << title;
}

TEST(MapOfARecurrentModel, LightsTheContextWhereThatIsInView) {
    const Trace trace = trace_of_model(model_called("bahdanau"));
    ViewSettings settings;
    settings.view = ViewKind::map;
    settings.selection.site = "decoder.cross";
    for (const std::string stage : {"weights", "context"}) {
        SCOPED_TRACE(stage);
        settings.selection.stage = stage;
        const Figure figure = build_figure(trace, settings);
        const Flow& flow = flow_in(figure);
        const auto lit = lit_node(flow);
        ASSERT_TRUE(lit);
        EXPECT_EQ(flow_node(flow, *lit).place.stage, stage);
        EXPECT_EQ(flow_node(flow, *lit).place.site, "decoder.cross");
        EXPECT_EQ(std::ranges::count_if(flow.nodes,
                                        [](const Flow::Node& node) {
                                            return node.kind == NodeKind::box &&
                                                   node.light == Flow::Light::lit;
                                        }),
                  1);
        // The arrows of the words lead to the weights, whichever of the two is in view.
        ASSERT_FALSE(weighted(flow).empty());
        for (const Flow::Edge* edge : weighted(flow))
            EXPECT_EQ(flow_node(flow, edge->to).place.stage, "weights");
    }
}

TEST(MapOfARecurrentModel, SaysAWordFromTheStateOfItsStep) {
    const Trace trace = trace_with_answers("bahdanau");
    const Index step = trace.find("weights", "decoder.cross")->extent(Axis::query) - 1;
    const Figure figure = map_at(trace, "decoder.cross", step);
    const Flow& flow = flow_in(figure);
    const auto answer = std::ranges::find(flow.nodes, true, &Flow::Node::is_answer);
    ASSERT_NE(answer, flow.nodes.end());
    const auto to_answer = std::ranges::find(flow.edges, answer - flow.nodes.begin(), &Flow::Edge::to);
    ASSERT_NE(to_answer, flow.edges.end());
    EXPECT_EQ(flow_node(flow, to_answer->from).kind, NodeKind::mark);
    EXPECT_EQ(flow_node(flow, to_answer->from).place.query, step);
}

TEST_P(MapOfAModel, SaysWhatEachPartHolds) {
    const Trace trace = trace_of_model(GetParam());
    for (const std::string& site : sites_of(trace)) {
        SCOPED_TRACE(site);
        const Figure figure = map_at(trace, site);
        const Flow& flow = flow_in(figure);
        for (Index at = 0; at < std::ssize(flow.nodes); ++at) {
            const Flow::Node& node = flow_node(flow, at);
            if (node.kind == NodeKind::word || node.kind == NodeKind::gap)
                continue;
            EXPECT_TRUE(node.meaning.ends_with('.')) << node.title;
            EXPECT_TRUE(node_in_words(flow, at).ends_with(node.meaning)) << node.title;
        }
    }
}

TEST(MapOfATransformer, SaysWhatTheDecoderLooksAtWhenItWrites) {
    const Trace trace = trace_of_model(model_called("transformer"));
    const std::string word = trace.tokens_at("decoder.0.cross").query[1];
    const Figure cross = map_at(trace, "decoder.0.cross", 1);
    EXPECT_NE(cross.description.find("When it writes “" + word + "”, the decoder looks most at “"),
              std::string::npos)
        << cross.description;
    EXPECT_NE(cross.caption.find("Thicker arrow: more is taken from there."), std::string::npos)
        << cross.caption;
    const Figure own = map_at(trace, "decoder.0.self", 1);
    EXPECT_EQ(own.description.find("When it writes"), std::string::npos) << own.description;
}

TEST(MapOfLayers, NamesTheirAttentionWhereTheyDiffer) {
    const Figure mixed = map_at(trace_of_model(model_called("layers that differ")), "");
    const std::vector<std::string> boxes = titles(flow_in(mixed), NodeKind::box);
    const auto has = [&](const std::string& words) {
        return std::ranges::any_of(boxes, [&](const std::string& title) {
            return title.find(": ") != std::string::npos && title.find(words) != std::string::npos;
        });
    };
    EXPECT_TRUE(has("window")) << testing::PrintToString(boxes);
    EXPECT_TRUE(has("state space")) << testing::PrintToString(boxes);
    const Figure alike = map_at(trace_of_model(model_called("language model")), "");
    for (const std::string& title : titles(flow_in(alike), NodeKind::box))
        EXPECT_EQ(title.find(": "), std::string::npos) << title;
}

TEST(UnansweredMaps, HaveNoWeights) {
    const Trace trace = trace_of_model(model_called("bahdanau"));
    const std::vector<std::string> written = trace.tokens_at("decoder.cross").query;
    const Figure shown = map_at(trace, "decoder.cross", 1);
    EXPECT_FALSE(weighted(flow_in(shown)).empty());
    const Figure hidden = unanswered_figure(shown, written, 1);
    const Flow& flow = flow_in(hidden);
    EXPECT_TRUE(weighted(flow).empty());
    for (const Flow::Node& node : flow.nodes) {
        EXPECT_TRUE(!node.is_answer || node.title == "?");
        EXPECT_TRUE(node.place.query.value_or(0) <= 1 || node.is_answer || node.title.empty()) << node.title;
    }
    EXPECT_EQ(flow.nodes.size(), flow_in(shown).nodes.size());
    EXPECT_EQ(hidden.description.find("Thickest"), std::string::npos) << hidden.description;
}

TEST(MapOfLayers, FoldsThoseFarFromTheOneInView) {
    using Layers = std::vector<std::optional<std::size_t>>;
    const std::nullopt_t gap = std::nullopt;
    EXPECT_EQ(unfolded(6, 2), (Layers{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(unfolded(12, 4), (Layers{0, gap, 4, gap, 11}));
    EXPECT_EQ(unfolded(12, gap), (Layers{0, gap, 11}));
    EXPECT_EQ(unfolded(7, 1), (Layers{0, 1, gap, 6}));
    EXPECT_EQ(unfolded(8, 2), (Layers{0, 1, 2, gap, 7}));
    EXPECT_EQ(unfolded(12, 11), (Layers{0, gap, 11}));
    const Figure figure = map_at(layers_of(12, 5), "layer.4");
    const Flow& flow = flow_in(figure);
    EXPECT_EQ(titles(flow, NodeKind::box),
              (std::vector<std::string>{"Text", "Layer 1", "Layer 5", "Layer 12"}));
    EXPECT_EQ(titles(flow, NodeKind::gap).size(), 2u);
}

TEST(MapOfLayers, LeavesPlaceForThoseWithoutMaps) {
    // Every fourth layer of a model whose others have a state in place of a map.
    std::vector<Stage> stages;
    for (const char* site : {"layer.3", "layer.7", "layer.11"})
        stages.push_back({site, "weights", {Axis::head, Axis::query, Axis::key}, {1, 2, 2}});
    const Figure figure = map_at(Trace(std::move(stages)), "layer.7");
    EXPECT_EQ(titles(flow_in(figure), NodeKind::box),
              (std::vector<std::string>{"Text", "Layer 4", "Layer 8", "Layer 12"}));
    EXPECT_EQ(titles(flow_in(figure), NodeKind::gap).size(), 2u);
    EXPECT_NE(figure.caption.find("Layers whose numbers are missing have no maps here."), std::string::npos)
        << figure.caption;
    const Figure whole = map_at(layers_of(3, 2), "layer.1");
    EXPECT_EQ(whole.caption.find("Layers whose numbers"), std::string::npos) << whole.caption;
    EXPECT_EQ(flow_in(whole).notes.size(), 1u) << "what the thickness of arrows is";
}

TEST(MapOfLayers, TellsAQuestionFromATextThatIsAsLong) {
    Trace trace = layers_of(2, 3, "encoder.", ".self");
    TokenLabels& asked = trace.joined_tokens["encoder.1.self"] = trace.tokens;
    asked.key = {"where", "is", "she"};
    trace.joined_specs["encoder.1.self"].source.type = SourceType::cross;
    const auto words_that_ask = [&](const std::string& site) {
        const Figure figure = map_at(trace, site, 1);
        EXPECT_EQ(weighted(flow_in(figure)).size(), 3u) << site;
        EXPECT_EQ(titles(flow_in(figure), NodeKind::word), trace.tokens_at(site).key) << site;
        return std::ranges::count_if(flow_in(figure).nodes, [](const Flow::Node& node) {
            return node.kind == NodeKind::word && node.place.query;
        });
    };
    EXPECT_EQ(words_that_ask("encoder.0.self"), 3);
    EXPECT_EQ(words_that_ask("encoder.1.self"), 0) << "the text asks, and these are the question";
    asked.key = asked.query;
    EXPECT_EQ(words_that_ask("encoder.1.self"), 3) << "keys that an earlier layer made of the same text";
}

TEST(MapOfLayers, OfOneTokenHasOneArrow) {
    const Figure figure = map_at(layers_of(1, 1), "layer.0");
    ASSERT_EQ(weighted(flow_in(figure)).size(), 1u);
    EXPECT_EQ(weighted(flow_in(figure)).front()->share, 1);
}

TEST(MapOfLayers, LeavesOutThinArrowsAndSaysSo) {
    const Figure figure = map_at(layers_of(2, 64), "layer.1", 3);
    EXPECT_EQ(weighted(flow_in(figure)).size(), 50u);  // 1/50 of the first, and more
    EXPECT_NE(figure.caption.find("Arrows under 2 % of the thickest are not drawn."), std::string::npos)
        << figure.caption;
}

TEST(MapOfLayers, HasNoArrowsOfVeryManyTokens) {
    const Figure figure = map_at(layers_of(2, 200), "layer.1", 150);
    const Flow& flow = flow_in(figure);
    EXPECT_TRUE(weighted(flow).empty());
    EXPECT_NE(figure.caption.find("Too many tokens for arrows."), std::string::npos) << figure.caption;
    EXPECT_LT(titles(flow, NodeKind::word).size(), 40u);
    EXPECT_EQ(std::ranges::count(titles(flow, NodeKind::word), "w150"), 1);
}

TEST(MapOfLayers, HasNoArrowFromAHiddenKey) {
    const Trace trace = layers_of(1, 4);
    ViewSettings settings;
    settings.view = ViewKind::map;
    settings.selection.site = "layer.0";
    settings.hidden_keys = {0};
    const Figure figure = build_figure(trace, settings);
    const auto edges = weighted(flow_in(figure));
    EXPECT_EQ(edges.size(), 3u);
    EXPECT_TRUE(figure.caption.starts_with("Hidden: “w0”")) << figure.caption;
}

TEST(MapOfLayers, DashesWhatIsBelowZero) {
    Trace trace = layers_of(1, 3);
    trace.values(trace.stages()[0])[1] = -0.8;
    const Figure figure = map_at(trace, "layer.0");
    const auto edges = weighted(flow_in(figure));
    ASSERT_EQ(edges.size(), 3u);
    EXPECT_FALSE(edges[0]->is_dashed);
    EXPECT_TRUE(edges[1]->is_dashed);
    EXPECT_NE(figure.caption.find("Dashed: a weight below 0, which takes away."), std::string::npos)
        << figure.caption;
}

TEST(Strips, NameAsManyTokensAsHaveRoom) {
    const auto named = [](Index tokens, std::optional<Index> selected) {
        std::vector<Index> all;
        for (const StripToken& token : strip_of(tokens, 2, 28, selected))
            if (token.is_named)
                all.push_back(token.token);
        return all;
    };
    EXPECT_EQ(named(1, {}), std::vector<Index>{0});
    EXPECT_EQ(named(20, {}).size(), 20u);
    EXPECT_EQ(named(40, {}).size(), 20u);  // every second
    EXPECT_EQ(strip_of(40, 2, 28, {}).size(), 40u);
    EXPECT_EQ(named(40, 7),
              (std::vector<Index>{0, 2, 4, 7, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38}));
    EXPECT_LE(strip_of(3'000, 2, 28, 1'234).size(), 30u);
    EXPECT_TRUE(strip_of(0, 2, 28, {}).empty());
    EXPECT_EQ(named(3, 70), (std::vector<Index>{0, 1, 2})) << "one that is not there";
}

TEST(Strips, NameThoseFirstWhoseArrowsAreThick) {
    std::vector<double> shares(40, 0);
    shares[7] = 1;
    shares[8] = 0.5;
    shares[21] = 0.2;
    const auto named = [&](std::optional<Index> selected) {
        std::vector<Index> all;
        for (const StripToken& token : strip_of(40, 2, 28, selected, shares))
            if (token.is_named)
                all.push_back(token.token);
        return all;
    };
    EXPECT_EQ(named({}),
              (std::vector<Index>{0, 2, 4, 7, 10, 12, 14, 16, 18, 21, 24, 26, 28, 30, 32, 34, 36, 38}));
    EXPECT_EQ(named(8),
              (std::vector<Index>{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 21, 24, 26, 28, 30, 32, 34, 36, 38}))
        << "the selected one has its word whatever stands beside it";
}

TEST(MapOfLayers, WritesTheWordThatIsLookedAtMost) {
    Trace trace = layers_of(1, 40);
    std::ranges::fill(trace.values(trace.stages()[0]), 0.001);
    for (const std::size_t key : {std::size_t(7), std::size_t(21)})
        trace.values(trace.stages()[0])[key] = 0.4;
    const Figure figure = map_at(trace, "layer.0");
    for (const Flow::Edge* edge : weighted(flow_in(figure)))
        EXPECT_TRUE(flow_node(flow_in(figure), edge->from).is_named)
            << flow_node(flow_in(figure), edge->from).title;
    EXPECT_EQ(weighted(flow_in(figure)).size(), 2u);
}

}}  // namespace headlight::model_flow_test

// What a recipe makes of each host and each task: a model that fits both, or a refusal that says which do.

#include "tests/support/recipes.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

namespace headlight::recipe_hosts_test {

using namespace test;

namespace {

TEST(RecipeOfHost, EveryTaskHasAHostThatSuitsIt) {
    for (const Task& task : tasks()) {
        const Preparation prepared = prepare(recipe(task.id));
        EXPECT_GT(prepared.settings.steps, 0) << task.id;
        EXPECT_EQ(prepared.settings.schedule.steps, prepared.settings.steps) << task.id;
        EXPECT_TRUE(prepared.name.starts_with(task.id + "-")) << prepared.name;
    }
}

// Each task with every host that it fits: the model is made, and is the one that the host is.
TEST(RecipeOfHost, OfEveryHostIsAModelOfItsArchitecture) {
    for (const Word<HostType>& host : words<HostType>()) {
        SCOPED_TRACE(std::string(host.word));
        Index fitting = 0;
        for (const Task& task : tasks()) {
            try {
                Recipe small = recipe(task.id, host.value);
                small.width = 8;
                const TrainingSettings settings = prepare(small).settings;
                EXPECT_EQ(std::holds_alternative<RecurrentConfiguration>(settings.model),
                          is_recurrent(host.value));
                ++fitting;
            } catch (const Error& error) {
                EXPECT_TRUE(std::string(error.what()).find("host for task") != std::string::npos)
                    << error.what();
            }
        }
        EXPECT_GT(fitting, 0);
    }
}

TEST(RecipeOfHost, OfTwoStreamsReadsInAnyOrder) {
    const auto model = [](const Recipe& recipe) {
        return std::get<TransformerConfiguration>(prepare(recipe).settings.model);
    };
    for (const char* task : {"sort", "dates", "stories", "induction"}) {  // alone these two have ALiBi
        const TransformerConfiguration c = model(recipe(task, HostType::two_stream));
        EXPECT_TRUE(c.two_streams) << task;
        EXPECT_EQ(c.kind, TransformerKind::decoder) << task;
        EXPECT_EQ(c.places, PositionEncoding::sinusoidal) << task;
    }
    EXPECT_EQ(prepare(recipe("sort", HostType::two_stream)).name, "sort-two_stream");
    EXPECT_EQ(model(recipe("sort", HostType::two_stream, "sparsemax")).normalizer.type,
              NormalizerType::sparsemax);
    for (const char* attention : {"window", "rope", "gla", "stick_breaking"})
        expect_refusal([&] { prepare(recipe("sort", HostType::two_stream, attention)); },
                       {"mechanism", "a program knows one"});
    Recipe listed = recipe("sort", HostType::two_stream);
    listed.attentions.all = {LayerAttention{"window"}};
    expect_refusal([&] { prepare(listed); },
                   {"attention of each layer", "transformer, gpt, xl, encoder", "\"two_stream\""});
    Recipe segmented = recipe("sort", HostType::two_stream);
    segmented.segment = 4;
    expect_refusal([&] { prepare(segmented); },
                   {"read in segments", "transformer, gpt, xl or universal", "\"two_stream\""});
}

TEST(RecipeOfHost, OfAPointerNetworkIsForTasksWhoseAnswersAreWordsOfTheSource) {
    for (const char* task : {"copy", "reverse", "sort"}) {
        const auto settings = prepare(recipe(task, HostType::pointer)).settings;
        const auto& model = std::get<RecurrentConfiguration>(settings.model);
        EXPECT_TRUE(model.points && !model.copies) << task;
        EXPECT_EQ(model.style, DecoderStyle::luong) << task;
        EXPECT_FALSE(model.input_feeding) << task;
    }
    expect_refusal([] { prepare(recipe("translate", HostType::pointer)); },
                   {"host for task translate", "gru", "\"pointer\""});
    Recipe copying = recipe("copy", HostType::pointer);
    copying.copies = true;
    expect_refusal([&] { prepare(copying); }, {"copy words of the source", "gru, lstm, rnn", "\"pointer\""});
}

TEST(RecipeOfHost, SaysHowManyLayersTurnsAndHopsThereAre) {
    Recipe deep = recipe("copy", HostType::gnmt);
    EXPECT_EQ(std::get<RecurrentConfiguration>(prepare(deep).settings.model).layers, 3);
    deep.layers = 2;
    EXPECT_EQ(std::get<RecurrentConfiguration>(prepare(deep).settings.model).layers, 2);
    deep.layers = most_recurrent_layers + 1;
    expect_refusal([&] { prepare(deep); }, {"layers", "1 to 8", "9"});

    Recipe universal = recipe("copy", HostType::universal);
    auto model = std::get<TransformerConfiguration>(prepare(universal).settings.model);
    EXPECT_EQ(model.encoder.size(), 1u);
    EXPECT_EQ(model.turns, 4);
    universal.turns = 2;
    universal.layers = 3;
    model = std::get<TransformerConfiguration>(prepare(universal).settings.model);
    EXPECT_EQ(model.decoder.size(), 3u);
    EXPECT_EQ(model.turns, 2);
    universal.host = HostType::gru;
    expect_refusal([&] { prepare(universal); }, {"go through the layers", "universal", "\"gru\""});

    Recipe asking = recipe("copy", HostType::gru);
    asking.hops = 3;
    const auto recurrent = std::get<RecurrentConfiguration>(prepare(asking).settings.model);
    EXPECT_EQ(recurrent.hops, 3);
    EXPECT_FALSE(recurrent.bidirectional) << "what is given is added to what is asked";
    asking.attention = "coverage";
    expect_refusal([&] { prepare(asking); }, {"hops", "remembered of the query before", "3"});
    asking.attention = "hard";
    expect_refusal([&] { prepare(asking); }, {"hops", "hard attention", "3"});
    asking = recipe("copy", HostType::transformer);
    asking.hops = 2;
    expect_refusal([&] { prepare(asking); }, {"ask several times", "pointer", "\"transformer\""});
}

TEST(RecipeOfHost, SaysInWhichSegmentsADecoderReads) {
    const auto model = [](const Recipe& recipe) {
        return std::get<TransformerConfiguration>(prepare(recipe).settings.model);
    };
    const TransformerConfiguration xl = model(recipe("induction", HostType::xl));
    EXPECT_EQ(xl.kind, TransformerKind::decoder);
    EXPECT_EQ(xl.places, PositionEncoding::distances);
    EXPECT_EQ(xl.segment, 16);
    EXPECT_EQ(prepare(recipe("induction", HostType::xl)).name, "induction-xl");
    Recipe read = recipe("sort", HostType::xl);
    read.segment = 0;
    EXPECT_EQ(model(read).segment, 0);
    for (const HostType host : {HostType::gpt, HostType::transformer, HostType::universal}) {
        read.host = host;
        read.segment = 4;
        EXPECT_EQ(model(read).segment, 4);
        EXPECT_EQ(prepare(read).name, "sort-segments-" + to_word(host));
    }
    for (const HostType host : {HostType::gru, HostType::convolutional}) {
        read.host = host;
        expect_refusal([&] { prepare(read); },
                       {"read in segments", "transformer, gpt, xl or universal", to_word(host)});
    }
    Recipe judge = recipe("brackets");
    judge.segment = 4;
    expect_refusal([&] { prepare(judge); }, {"read in segments", "\"encoder\""});
    EXPECT_EQ(model(recipe("sort", HostType::xl, "window")).segment, 16);
    expect_refusal([] { prepare(recipe("sort", HostType::xl, "mesa")); },
                   {"attention mesa of host xl", "mask", "another mask"});
    expect_refusal([] { prepare(recipe("sort", HostType::xl, "attending")); },
                   {"attention of host xl", "\"scaled_dot\"", "\"sparsemax\""});
    Recipe listed = recipe("sort", HostType::xl);
    listed.attentions.all = {LayerAttention{"window"}, LayerAttention{"mesa"}};
    expect_refusal([&] { prepare(listed); }, {"layer 2", "another mask"});
    listed.attentions.all.pop_back();
    EXPECT_EQ(model(listed).decoder.size(), 1u);
}

TEST(RecipeOfHost, HasNoPlacesWhereASetIsRead) {
    const auto model = [](const Recipe& recipe) {
        return std::get<TransformerConfiguration>(prepare(recipe).settings.model);
    };
    EXPECT_EQ(prepare(recipe("distinct")).name, "distinct-set");
    for (const char* attention : {"", "inducing_points", "sparsemax"}) {
        const TransformerConfiguration set = model(recipe("distinct", HostType::set, attention));
        EXPECT_EQ(set.kind, TransformerKind::encoder) << attention;
        EXPECT_EQ(set.places, PositionEncoding::none) << attention;
        EXPECT_EQ(set.pooling, Pooling::attention) << attention;
    }
    Recipe listed = recipe("distinct", HostType::set);
    listed.attentions.all = {LayerAttention{"inducing_points"}, LayerAttention{"scaled_dot_product"}};
    EXPECT_EQ(model(listed).places, PositionEncoding::none);
    EXPECT_EQ(model(listed).encoder.size(), 2u);
    listed.attentions.decoder = {LayerAttention{"scaled_dot_product"}};
    expect_refusal([&] { prepare(listed); }, {"decoder", "no such layers in host set"});
    expect_refusal(
        [] { prepare(recipe("brackets", HostType::set)); },
        {"host for task brackets", "\"encoder\", as its answers change with the order", "\"set\""});
    expect_refusal([] { prepare(recipe("copy", HostType::set)); }, {"host for task copy", "\"set\""});
    Recipe read = recipe("distinct");
    read.segment = 3;
    expect_refusal([&] { prepare(read); }, {"read in segments", "\"set\""});
}

TEST(RecipeOfHost, LetsSlotsCompeteForASet) {
    const auto model = [](const Recipe& recipe) {
        return std::get<TransformerConfiguration>(prepare(recipe).settings.model);
    };
    EXPECT_EQ(prepare(recipe("distinct", HostType::slot_attention)).name, "distinct-slots");
    for (const char* attention : {"", "inducing_points", "sparsemax"}) {
        const TransformerConfiguration slots = model(recipe("distinct", HostType::slot_attention, attention));
        EXPECT_EQ(slots.places, PositionEncoding::none) << attention;
        EXPECT_EQ(slots.pooling, Pooling::attention) << attention;
        EXPECT_EQ(slots.seeds, 8) << attention;
        ASSERT_TRUE(slots.pooling_mechanism) << attention;
        EXPECT_EQ(slots.pooling_mechanism->algorithm.type, AlgorithmType::slot_attention) << attention;
        EXPECT_EQ(slots.mechanism() != nullptr, std::string(attention) == "inducing_points");
    }
    expect_refusal(
        [] { prepare(recipe("brackets", HostType::slot_attention)); },
        {"host for task brackets", "\"encoder\", as its answers change with the order", "\"slots\""});
}

TEST(RecipeOfHost, KeepsLayersToTheSentencesOfTheTask) {
    const auto model = [](const Recipe& recipe) {
        return std::get<TransformerConfiguration>(prepare(recipe).settings.model);
    };
    const auto is_block_of_six = [](const Mask& mask) {
        const auto* block = std::get_if<PatternMask>(&mask.rule);
        return block && block->type == MaskPattern::blocks &&
               block->options.at("size") == OptionValue(Index(6));
    };
    EXPECT_EQ(prepare(recipe("reviews")).name, "reviews-hierarchical");
    EXPECT_EQ(prepare(recipe("reviews")).goal, 0.99);
    for (const char* attention : {"", "sparsemax", "grouped_query"}) {
        const TransformerConfiguration c = model(recipe("reviews", HostType::hierarchical, attention));
        EXPECT_EQ(c.kind, TransformerKind::encoder) << attention;
        EXPECT_EQ(c.encoder.size(), 1u) << attention;
        ASSERT_TRUE(c.mechanism()) << attention;
        EXPECT_TRUE(is_block_of_six(c.mechanism()->mask)) << attention;
        EXPECT_EQ(c.mechanism()->heads.count(), 4) << attention;
        ASSERT_TRUE(c.pooling_mechanism) << attention;
        EXPECT_EQ(c.pooling_mechanism->algorithm.options.at("sentences"),
                  OptionValue(std::vector<Index>(4, 6)))
            << attention;
    }
    EXPECT_EQ(model(recipe("reviews", HostType::hierarchical, "sparsemax")).mechanism()->normalizer.type,
              NormalizerType::sparsemax);
    const TransformerConfiguration windowed = model(recipe("reviews", HostType::hierarchical, "window"));
    const auto* both = std::get_if<AllOf>(&windowed.mechanism()->mask.rule);
    ASSERT_TRUE(both && both->masks.size() == 2);
    EXPECT_TRUE(is_block_of_six(both->masks.front()));
    Recipe listed = recipe("reviews", HostType::hierarchical);
    listed.attentions.all = {LayerAttention{"rope"}, LayerAttention{"scaled_dot_product"}};
    const TransformerConfiguration layers = model(listed);
    EXPECT_FALSE(layers.mechanism());
    ASSERT_EQ(layers.encoder.size(), 2u);
    for (const LayerSpec& each : layers.encoder)
        EXPECT_TRUE(is_block_of_six(each.mechanism->mask));
    expect_refusal([] { prepare(recipe("reviews", HostType::hierarchical, "mesa")); },
                   {"attention mesa of host hierarchical", "mask"});
    expect_refusal([] { prepare(recipe("brackets", HostType::hierarchical)); },
                   {"host for task brackets", "sentences of one length", "\"hierarchical\""});
    EXPECT_FALSE(model(recipe("reviews", HostType::encoder)).pooling_mechanism);
}

TEST(RecipeOfHost, KeepsAQuestionApartFromItsText) {
    const auto model = [](const Recipe& recipe) {
        return std::get<TransformerConfiguration>(prepare(recipe).settings.model);
    };
    EXPECT_EQ(prepare(recipe("whereabouts")).name, "whereabouts-coattention");
    for (const char* attention : {"", "sparsemax", "grouped_query"}) {
        const TransformerConfiguration c = model(recipe("whereabouts", HostType::coattention, attention));
        EXPECT_EQ(c.pooling, Pooling::attention) << attention;
        ASSERT_TRUE(c.asked_text && c.mechanism()) << attention;
        EXPECT_EQ(c.asked_text->question, 4) << attention;
        EXPECT_EQ(c.asked_text->mechanism.algorithm.type, AlgorithmType::co_attention) << attention;
        const auto* parts = std::get_if<PatternMask>(&c.mechanism()->mask.rule);
        ASSERT_TRUE(parts && parts->type == MaskPattern::documents) << attention;
        EXPECT_EQ(parts->options.at("lengths"), OptionValue(std::vector<Index>{4, 6, 6, 6}))
            << attention << ": the question, and each sentence";
    }
    expect_refusal([] { prepare(recipe("reviews", HostType::coattention)); },
                   {"host for task reviews", "begins with no question", "\"coattention\""});
}

TEST(RecipeOfHost, TellsTrianglesOfThePointsOfTheTask) {
    const auto model = [](const Recipe& recipe) {
        return std::get<TransformerConfiguration>(prepare(recipe).settings.model);
    };
    EXPECT_EQ(prepare(recipe("distances")).name, "distances-triangles");
    EXPECT_EQ(prepare(recipe("distances")).goal, 0.99);
    Recipe headed = recipe("distances");
    headed.heads = 2;
    for (const Recipe& each :
         {recipe("distances"), headed, recipe("distances", HostType::triangles, "sparsemax")}) {
        const TransformerConfiguration c = model(each);
        EXPECT_EQ(c.places, PositionEncoding::none);
        EXPECT_EQ(c.pooling, Pooling::attention);
        ASSERT_EQ(c.encoder.size(), 4u);
        for (std::size_t i = 0; i < c.encoder.size(); ++i) {
            ASSERT_TRUE(c.encoder[i].mechanism && !c.encoder[i].where_possible);
            const AttentionSpec& spec = *c.encoder[i].mechanism;
            EXPECT_EQ(spec.algorithm.type, AlgorithmType::triangle);
            EXPECT_EQ(spec.algorithm.options.at("columns"), OptionValue(Index(4)));
            EXPECT_EQ(spec.algorithm.options.at("node"),
                      OptionValue(std::string(i % 2 == 0 ? "starting" : "ending")));
            EXPECT_EQ(spec.heads.count(), c.heads);
            EXPECT_EQ(spec.heads.gate, Gate::elementwise);
        }
    }
    EXPECT_EQ(model(recipe("distances", HostType::triangles, "sparsemax")).normalizer.type,
              NormalizerType::sparsemax)
        << "of the query that asks for the label";
    const TransformerConfiguration alike = model(recipe("distances", HostType::triangles, "triangle"));
    ASSERT_TRUE(alike.mechanism());
    EXPECT_EQ(alike.mechanism()->algorithm.options.at("columns"), OptionValue(Index(4)));
    Recipe listed = recipe("distances", HostType::triangles);
    listed.attentions.all = {LayerAttention{"triangle"}, LayerAttention{"scaled_dot_product"}};
    EXPECT_EQ(model(listed).encoder.front().mechanism->algorithm.options.at("columns"),
              OptionValue(Index(4)));
    EXPECT_EQ(model(listed).places, PositionEncoding::none);
    expect_refusal([] { prepare(recipe("whereabouts", HostType::triangles)); },
                   {"host for task whereabouts", "not made of pairs of points", "\"triangles\""});
}

TEST(RecipeOfHost, GivesEachPatchOfAPictureALearnedPlace) {
    EXPECT_EQ(prepare(recipe("race")).name, "race-vit");
    EXPECT_EQ(prepare(recipe("race")).goal, 0.99);
    const Index patches = task("race").sight.grid.count();
    for (const char* attention : {"", "sparsemax", "window", "rope"}) {
        const auto spec = prepare(recipe("race", HostType::vision, attention)).settings.model;
        const auto& c = std::get<TransformerConfiguration>(spec);
        EXPECT_EQ(c.pooling, Pooling::attention) << attention;
        EXPECT_EQ(c.encoder.size(), 2u) << attention;
        EXPECT_EQ(c.longest, patches) << attention;
        const bool has_own_places = attention == std::string("rope");
        EXPECT_EQ(c.places, has_own_places ? PositionEncoding::none : PositionEncoding::learned) << attention;
    }
    const TaskModel model(task("race"), prepare(recipe("race")).settings.model);
    const nn::Weight embedding = model.host->layout().find("source_embedding");
    EXPECT_EQ(embedding.rows, Sight::numbers()) << "a row for each pixel, none for words";
    expect_refusal([] { prepare(recipe("brackets", HostType::vision)); },
                   {"host for task brackets", "its source is no picture", "\"vit\""});
}

TEST(RecipeOfHost, RefusesAnotherNumberOfPointsThanTheTaskHas) {
    Recipe alike = recipe("distances", HostType::triangles, "triangle");
    alike.values["columns"] = Index(4);
    EXPECT_NO_THROW(prepare(alike)) << "as many as there are";
    alike.values["columns"] = Index(3);
    const std::vector<std::string> wanted{"set an attention's parameters", "columns", "4, the points of",
                                          "task distances", "3"};
    expect_refusal([&] { prepare(alike); }, wanted);
    Recipe listed = recipe("distances", HostType::triangles);
    listed.attentions.all = {LayerAttention{"scaled_dot_product"},
                             LayerAttention{"triangle", {{"columns", Index(3)}}}};
    expect_refusal([&] { prepare(listed); }, wanted);
    listed.attentions.all.back() = {};
    listed.attentions.all.back().spec = build_spec(mechanism("triangle"), {{"columns", Index(3)}});
    expect_refusal([&] { prepare(listed); }, wanted);
    Recipe own = recipe("distances", HostType::triangles);
    own.own = listed.attentions.all.back().spec;
    expect_refusal([&] { prepare(own); }, wanted);
    own.own = build_spec(mechanism("triangle"), {{"columns", Index(4)}});
    EXPECT_NO_THROW(prepare(own)) << "as many as there are";
    // Rows of an image, which no points decide.
    listed.attentions.all.back() = LayerAttention{"axial", {{"columns", Index(3)}}};
    EXPECT_NO_THROW(prepare(listed));
}

}  // namespace

}  // namespace headlight::recipe_hosts_test

// What a person says of a training run becomes settings that can be carried out, or is refused with what
// could be said instead.

#include "core/model/recipe.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

namespace headlight::recipe_test {

using namespace test;

namespace {

Recipe recipe(const std::string& task, std::optional<HostType> host = {}, const std::string& attention = {}) {
    Recipe made;
    made.task = task;
    made.host = host;
    made.attention = attention;
    return made;
}

TEST(Recipe, EveryTaskHasAHostThatSuitsIt) {
    for (const Task& task : tasks()) {
        const Preparation prepared = prepare(recipe(task.id));
        EXPECT_GT(prepared.settings.steps, 0) << task.id;
        EXPECT_EQ(prepared.settings.schedule.steps, prepared.settings.steps) << task.id;
        EXPECT_TRUE(prepared.name.starts_with(task.id + "-")) << prepared.name;
    }
}

// Each task with every host that it fits: the model is made, and is the one that the host is.
TEST(Recipe, OfEveryHostIsAModelOfItsArchitecture) {
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

TEST(Recipe, OfAPointerNetworkIsForTasksWhoseAnswersAreWordsOfTheSource) {
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

TEST(Recipe, SaysHowManyLayersTurnsAndHopsThereAre) {
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

TEST(Recipe, SaysInWhichSegmentsADecoderReads) {
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
    expect_refusal([] { prepare(recipe("sort", HostType::xl, "gla")); },
                   {"attention gla of host xl", "mask", "another mask"});
    expect_refusal([] { prepare(recipe("sort", HostType::xl, "attending")); },
                   {"attention of host xl", "\"scaled_dot\"", "\"sparsemax\""});
    Recipe listed = recipe("sort", HostType::xl);
    listed.attentions.all = {LayerAttention{"window"}, LayerAttention{"gla"}};
    expect_refusal([&] { prepare(listed); }, {"layer 2", "another mask"});
    listed.attentions.all.pop_back();
    EXPECT_EQ(model(listed).decoder.size(), 1u);
}

TEST(Recipe, HasNoPlacesWhereASetIsRead) {
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

TEST(Recipe, LetsSlotsCompeteForASet) {
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

TEST(Recipe, KeepsLayersToTheSentencesOfTheTask) {
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
    expect_refusal([] { prepare(recipe("reviews", HostType::hierarchical, "gla")); },
                   {"attention gla of host hierarchical", "mask"});
    expect_refusal([] { prepare(recipe("brackets", HostType::hierarchical)); },
                   {"host for task brackets", "sentences of one length", "\"hierarchical\""});
    EXPECT_FALSE(model(recipe("reviews", HostType::encoder)).pooling_mechanism);
}

TEST(Recipe, KeepsAQuestionApartFromItsText) {
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

TEST(Recipe, TellsTrianglesOfThePointsOfTheTask) {
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

TEST(Recipe, GivesEachPatchOfAPictureALearnedPlace) {
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

struct Row {
    Recipe recipe;
    const char* name;
    double goal;
};

TEST(Recipe, HasTheNameAndTheGoalOfItsModel) {
    for (const Row& row :
         {Row{recipe("dates"), "dates-additive-gru", 0.99},
          Row{recipe("dates", {}, "general"), "dates-general-gru", 0.99},
          Row{recipe("dates", {}, "hard"), "dates-hard-gru", 0.9},
          Row{recipe("translate", HostType::lstm, "additive"), "translate-additive-lstm", 0.97},
          Row{recipe("translate", HostType::transformer), "translate-transformer", 0.97},
          Row{recipe("reverse", {}, "multi_head"), "reverse-multi_head-transformer", 0.99},
          Row{recipe("sort", HostType::gpt), "sort-gpt", 0.99},
          Row{recipe("induction"), "induction-gpt", 0.99}, Row{recipe("brackets"), "brackets-encoder", 0.99},
          Row{recipe("stories"), "stories-gpt", 0}}) {
        const Preparation prepared = prepare(row.recipe);
        EXPECT_EQ(prepared.name, row.name);
        EXPECT_EQ(prepared.goal, row.goal) << row.name;
    }
}

TEST(Recipe, WithAScoreAsksAsItsPaperDoes) {
    const auto configuration = [](const Recipe& recipe) {
        return std::get<RecurrentConfiguration>(prepare(recipe).settings.model);
    };
    EXPECT_EQ(configuration(recipe("dates")).style, DecoderStyle::bahdanau);
    EXPECT_EQ(configuration(recipe("dates", {}, "general")).style, DecoderStyle::luong);
    EXPECT_TRUE(configuration(recipe("dates", {}, "general")).bidirectional);
    EXPECT_FALSE(configuration(recipe("dates", {}, "dot")).bidirectional) << "both as wide";
    Recipe wrapper = recipe("dates");
    wrapper.style = DecoderStyle::wrapper;
    EXPECT_EQ(configuration(wrapper).style, DecoderStyle::wrapper);
    EXPECT_EQ(configuration(recipe("dates", {}, "sparsemax")).normalizer.type, NormalizerType::sparsemax);
    EXPECT_EQ(configuration(recipe("dates", {}, "sparsemax")).score.type, ScoreType::additive);
    EXPECT_EQ(configuration(recipe("dates", {}, "local_p")).window.kind, LocalWindow::Kind::predicted);
    EXPECT_EQ(configuration(recipe("dates", {}, "local_m")).window.kind, LocalWindow::Kind::monotonic);
    Recipe copying = recipe("copy");
    copying.copies = true;
    EXPECT_TRUE(configuration(copying).copies);
    EXPECT_EQ(prepare(copying).name, "copy-additive-copying-gru");
    EXPECT_EQ(configuration(copying).coverage_loss, 0);
    copying.coverage_loss = 0.5;
    EXPECT_EQ(configuration(copying).coverage_loss, 0.5);
    EXPECT_EQ(prepare(copying).name, "copy-additive-copying-covering-gru");
    copying.attention = "hard";
    expect_refusal([&] { prepare(copying); }, {"coverage loss", "spreads weights", "\"hard\""});
}

TEST(Recipe, OfAttentionThatIsDrawnTakesLongerAndCalmsItsEstimate) {
    const TrainingSettings drawn = prepare(recipe("dates", {}, "hard")).settings;
    const TrainingSettings mean = prepare(recipe("dates")).settings;
    EXPECT_GT(drawn.steps, mean.steps);
    EXPECT_LT(std::get<RecurrentConfiguration>(drawn.model).reinforcement.discount, 1);
    EXPECT_EQ(std::get<RecurrentConfiguration>(mean.model).reinforcement, Reinforcement());
}

TEST(Recipe, OfATransformerHasThePlacesThatTheTaskNeeds) {
    const auto configuration = [](const Recipe& recipe) {
        return std::get<TransformerConfiguration>(prepare(recipe).settings.model);
    };
    EXPECT_EQ(configuration(recipe("brackets")).places, PositionEncoding::rotary);
    EXPECT_EQ(configuration(recipe("brackets")).encoder.size(), 4u);
    EXPECT_EQ(configuration(recipe("induction")).places, PositionEncoding::alibi);
    EXPECT_EQ(configuration(recipe("sort", HostType::gpt)).places, PositionEncoding::sinusoidal);
}

TransformerConfiguration transformer(const Recipe& recipe) {
    return std::get<TransformerConfiguration>(prepare(recipe).settings.model);
}

// Rotations and waves turn pairs of numbers.
TEST(Recipe, GivesEveryHeadOfATransformerAnEqualPartOrSaysWhichHeadsWould) {
    for (const char* task : {"brackets", "induction", "reverse"})
        for (Index width = 2; width <= 24; width += 2) {
            Recipe narrow = recipe(task);
            if (narrow.task == "reverse")
                narrow.host = HostType::transformer;
            narrow.width = width;
            const Index unit = narrow.task == "brackets" ? 2 : 1;
            if (width % (4 * unit) == 0) {
                EXPECT_EQ(transformer(narrow).heads, 4) << task << ' ' << width;
            } else {
                expect_refusal(
                    [&] { prepare(narrow); },
                    {"make a Transformer", "heads",
                     std::to_string(width / unit) + ", which cut the width " + std::to_string(width),
                     "4, the number if none is given"});
            }
            narrow.heads = width / unit;
            EXPECT_EQ(transformer(narrow).heads, width / unit) << task << ' ' << width;
        }
}

TEST(Recipe, OfATransformerHasTheHeadsAndLayersThatThePersonSays) {
    Recipe said = recipe("dates", HostType::transformer);
    said.width = 30;
    said.heads = 5;
    said.layers = 3;
    said.rate = 0.01;
    EXPECT_EQ(transformer(said).heads, 5);
    EXPECT_EQ(transformer(said).encoder.size(), 3u);
    EXPECT_EQ(transformer(said).decoder.size(), 3u);
    EXPECT_EQ(prepare(said).settings.schedule.peak, 0.01);
    said.attention = "sparsemax";  // an attention is possible or not, whatever the size
    said.heads = 7;
    expect_refusal([&] { prepare(said); }, {"heads", "1, 2, 3, 5, 6, 10, 15 or 30", "width 30", "got 7"});
}

TEST(Recipe, IsWhatThePersonSays) {
    Recipe said = recipe("dates");
    said.width = 32;
    said.steps = 10;
    said.seed = 7;
    said.parts = 3;
    const TrainingSettings settings = prepare(said).settings;
    EXPECT_EQ(std::get<RecurrentConfiguration>(settings.model).width, 32);
    EXPECT_EQ(settings.steps, 10);
    EXPECT_LE(settings.schedule.warm_up, 10);
    EXPECT_EQ(settings.seed, 7u);
    EXPECT_EQ(settings.parts, 3);
}

Recipe with_value(Recipe recipe, const std::string& knob, const ParameterValue& value) {
    recipe.values[knob] = value;
    return recipe;
}

TEST(Recipe, OfAWholeMechanismIsItsSpec) {
    EXPECT_FALSE(transformer(recipe("copy", HostType::gpt, "sparsemax")).mechanism());
    const TransformerConfiguration mamba = transformer(recipe("copy", HostType::gpt, "mamba2"));
    const AttentionSpec* whole = mamba.mechanism();
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->algorithm.type, AlgorithmType::state_space);
    // Heads alone are the model's own; what they share, and their gates, are not.
    EXPECT_FALSE(transformer(recipe("copy", HostType::gpt, "multi_head")).mechanism());
    for (const char* id : {"gated", "headwise_gate", "shared_key_value", "shared_query_key"})
        EXPECT_TRUE(transformer(recipe("copy", HostType::gpt, id)).mechanism()) << id;
    const Recipe narrow = with_value(recipe("copy", HostType::gpt, "window"), "size", Index(2));
    const TransformerConfiguration configuration = transformer(narrow);
    EXPECT_EQ(configuration.places, PositionEncoding::sinusoidal);
    EXPECT_EQ(std::get<PatternMask>(configuration.mechanism()->mask.rule).options.at("size"),
              OptionValue(Index(2)));
    EXPECT_EQ(transformer(recipe("copy", HostType::gpt, "rope")).places, PositionEncoding::none);
    Recipe grouped = recipe("copy", HostType::gpt, "grouped_query");
    grouped.heads = 3;
    grouped.width = 12;
    EXPECT_EQ(transformer(grouped).mechanism()->heads.heads, 3);
    EXPECT_EQ(transformer(grouped).mechanism()->heads.kv_heads, 1);
    EXPECT_EQ(prepare(recipe("dates", {}, "mamba2")).name, "dates-mamba2-transformer");
}

// A recurrent host has no heads of its own.
TEST(Recipe, OfARecurrentHostHasAWholeMechanismToo) {
    const auto configuration = [](const Recipe& recipe) {
        return std::get<RecurrentConfiguration>(prepare(recipe).settings.model);
    };
    EXPECT_FALSE(configuration(recipe("copy", HostType::gru, "additive")).mechanism);
    EXPECT_FALSE(configuration(recipe("copy", HostType::gru, "scaled_dot_product")).mechanism);
    const Recipe heads = with_value(recipe("copy", HostType::gru, "multi_head"), "heads", Index(2));
    ASSERT_TRUE(configuration(heads).mechanism);
    EXPECT_EQ(configuration(heads).mechanism->heads.heads, 2);
    EXPECT_EQ(configuration(heads).style, DecoderStyle::luong);
    EXPECT_TRUE(configuration(heads).bidirectional) << "its projections make keys as wide as queries";
    EXPECT_EQ(prepare(heads).name, "copy-multi_head-gru");
    EXPECT_EQ(prepare(heads).goal, 0);
    EXPECT_EQ(configuration(recipe("copy", HostType::lstm, "multi_head")).mechanism->heads.heads, 8);
    const Recipe biased = with_value(recipe("copy", HostType::gru, "additive"), "bias", true);
    ASSERT_TRUE(configuration(biased).mechanism);
    EXPECT_EQ(configuration(biased).mechanism->score.type, ScoreType::additive);
    EXPECT_EQ(configuration(biased).style, DecoderStyle::bahdanau);
    Recipe copying = heads;
    copying.copies = true;
    expect_refusal([&] { prepare(copying); },
                   {"copy words", "a score or a normaliser", "no gradient", "\"multi_head\""});
    Recipe covering = heads;
    covering.coverage_loss = 1;
    expect_refusal([&] { prepare(covering); },
                   {"coverage loss", "a score or a normaliser", "no gradient", "\"multi_head\""});
}

std::vector<LayerAttention> layers(const std::vector<std::string>& mechanisms) {
    std::vector<LayerAttention> made;
    for (const std::string& each : mechanisms)
        made.push_back({.mechanism = each});
    return made;
}

Recipe with_layers(Recipe recipe, std::vector<LayerAttention> all) {
    recipe.attentions.all = std::move(all);
    return recipe;
}

Recipe with_layers(Recipe recipe, std::vector<LayerAttention> encoder, std::vector<LayerAttention> decoder) {
    recipe.attentions.encoder = std::move(encoder);
    recipe.attentions.decoder = std::move(decoder);
    return recipe;
}

TEST(Recipe, OfLayersThatDifferHasOneMechanismForEach) {
    std::vector<LayerAttention> two = layers({"window", "grouped_query"});
    two[0].values["size"] = Index(4);
    Recipe said = with_layers(recipe("copy", HostType::gpt), two);
    EXPECT_EQ(prepare(said).name, "copy-layers-gpt");
    EXPECT_EQ(prepare(said).goal, 0);
    const TransformerConfiguration gpt = transformer(said);
    EXPECT_FALSE(gpt.mechanism());
    EXPECT_EQ(gpt.encoder, std::vector<LayerSpec>(2)) << "of which none is made";
    ASSERT_EQ(gpt.decoder.size(), 2u);
    EXPECT_EQ(gpt.decoder.size(), 2u);
    EXPECT_EQ(gpt.decoder[0].mechanism, build_spec(mechanism("window"), two[0].values));
    EXPECT_EQ(gpt.decoder[1].mechanism->heads.heads, 4) << "as many as the model";
    EXPECT_EQ(gpt.places, PositionEncoding::sinusoidal);
    said.layers = 2;
    EXPECT_EQ(transformer(said).decoder.size(), 2u);
    two[1].values["heads"] = Index(2);
    EXPECT_EQ(transformer(with_layers(said, two)).decoder[1].mechanism->heads.heads, 2) << "its own";
    EXPECT_EQ(transformer(with_layers(said, layers({"window", "rope"}))).places, PositionEncoding::none);
    LayerAttention spec;
    spec.spec.emplace().normalizer.type = NormalizerType::sparsemax;
    EXPECT_EQ(transformer(with_layers(recipe("copy", HostType::gpt), {spec})).decoder.front().mechanism,
              *spec.spec);
}

TEST(Recipe, OfLayersSaysWhoseKeysAndValuesTheyHave) {
    std::vector<LayerAttention> three = layers({"window", "scaled_dot_product", "window"});
    const SharedKeys nobodys(3);
    EXPECT_EQ(shares_of(transformer(with_layers(recipe("reverse"), three)).decoder), nobodys);
    three[2].shares = 0;
    const SharedKeys expected{std::nullopt, std::nullopt, 0};
    const TransformerConfiguration both = transformer(with_layers(recipe("reverse"), three));
    EXPECT_EQ(shares_of(both.encoder), expected);
    EXPECT_EQ(shares_of(both.decoder), expected);
    const TransformerConfiguration gpt = transformer(with_layers(recipe("copy", HostType::gpt), three));
    EXPECT_EQ(shares_of(gpt.encoder), nobodys);
    EXPECT_EQ(shares_of(gpt.decoder), expected);
    const TransformerConfiguration apart =
        transformer(with_layers(recipe("reverse"), layers({"window"}), three));
    EXPECT_EQ(shares_of(apart.encoder), SharedKeys(1));
    EXPECT_EQ(shares_of(apart.decoder), expected);
}

TEST(Recipe, OfLayersIsOfAnEncoderAndADecoder) {
    const Recipe alike = with_layers(recipe("reverse"), layers({"window", "window"}));
    EXPECT_EQ(prepare(alike).name, "reverse-layers-transformer");
    EXPECT_EQ(transformer(alike).encoder.size(), 2u);
    EXPECT_EQ(transformer(alike).encoder, transformer(alike).decoder);
    const TransformerConfiguration apart =
        transformer(with_layers(recipe("reverse"), layers({"linformer"}), layers({"window", "window"})));
    EXPECT_EQ(apart.encoder.size(), 1u);
    EXPECT_EQ(apart.decoder.size(), 2u);
    const TransformerConfiguration labels =
        transformer(with_layers(recipe("brackets"), layers({"linformer", "window"})));
    EXPECT_EQ(labels.kind, TransformerKind::encoder);
    EXPECT_EQ(labels.encoder.size(), 2u);
    EXPECT_EQ(labels.decoder, std::vector<LayerSpec>(2)) << "of which none is made";
}

Recipe with_number_of_layers(Recipe recipe, Index number) {
    recipe.layers = number;
    return recipe;
}

struct Refused {
    const char* name;
    Recipe recipe;
    std::vector<std::string> parts;
};
void PrintTo(const Refused& row, std::ostream* out) { *out << row.name; }

class RecipeRefusal : public testing::TestWithParam<Refused> {};

TEST_P(RecipeRefusal, SaysWhatCouldBeSaid) {
    expect_refusal([] { prepare(GetParam().recipe); }, GetParam().parts);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, RecipeRefusal,
    testing::Values(
        Refused{"task", recipe("date"), {"\"dates\"", "\"date\""}},
        Refused{"attention",
                recipe("dates", {}, "aditive"),
                {"attention of host gru that learns dates", "\"additive\"", "\"general\"", "did you mean"}},
        Refused{"attention that sees the future", recipe("dates", {}, "sinkhorn"), {"got \"sinkhorn\""}},
        Refused{"attention that needs the places of one sequence",
                recipe("dates", HostType::gru, "window"),
                {"attention window of host gru", "attend to a source", "patterns of places"}},
        Refused{"attention that follows the step before",
                with_value(recipe("dates", HostType::gru, "coverage"), "bias", true),
                {"attention coverage of host gru", "step by step", "the weights of the step before",
                 "got \"coverage\""}},
        Refused{"attention that counts its queries",
                recipe("dates", HostType::gru, "rope"),
                {"attention rope of host gru", "the place of the first", "rope"}},
        Refused{"heads that do not divide a recurrent width",
                with_value(recipe("dates", HostType::gru, "multi_head"), "heads", Index(7)),
                {"attention multi_head of host gru", "split into heads", "7 heads"}},
        Refused{"attention that a decoder cannot have",
                recipe("copy", HostType::gpt, "linformer"),
                {"attention linformer of host gpt", "the keys are summed up before any query sees them"}},
        Refused{"knobs of no mechanism",
                with_value(recipe("copy", HostType::gpt, "scaled_dot"), "heads", Index(2)),
                {"a mechanism of the catalogue", "\"scaled_dot\""}},
        Refused{"choice of a Transformer",
                recipe("reverse", HostType::transformer, "hard"),
                {"attention hard of host transformer", "tokens", "got equal: true or false does not change"}},
        Refused{"window of a Transformer",
                recipe("reverse", HostType::gpt, "local_p"),
                {"attention local_p of host gpt"}},
        Refused{"layers beside an attention",
                with_layers(recipe("copy", HostType::gpt, "window"), layers({"window"})),
                {"attention of each layer", "no other attention", "\"window\""}},
        Refused{"layers of a recurrent host",
                with_layers(recipe("copy", HostType::gru), layers({"window"})),
                {"attention of each layer",
                 "host transformer, gpt, xl, encoder, set, slots, hierarchical, coattention, triangles, vit "
                 "or universal",
                 "\"gru\""}},
        Refused{"no layers of a decoder",
                with_layers(recipe("copy", HostType::transformer), layers({"window"}), {}),
                {"decoder: attention of each layer", "1 to 64 layers", "got 0"}},
        Refused{"layers of no encoder",
                with_layers(recipe("copy", HostType::gpt), layers({"window"}), layers({"window"})),
                {"encoder: attention of each layer", "no such layers in host gpt", "got 1"}},
        Refused{
            "another number of layers",
            with_number_of_layers(with_layers(recipe("copy", HostType::gpt), layers({"window", "gla"})), 3),
            {"decoder: attention of each layer", "3 layers", "got 2"}},
        Refused{"a layer that sees the future",
                with_layers(recipe("copy", HostType::gpt), layers({"window", "linformer"})),
                {"layer 2: ", "the keys are summed up before any query sees them"}},
        Refused{"a layer that there is not",
                with_layers(recipe("copy", HostType::gpt), layers({"windw"})),
                {"layer 1: ", "did you mean \"window\"?"}},
        Refused{"host", recipe("stories", HostType::gru), {"host for task stories", "\"gpt\"", "\"gru\""}},
        Refused{"host of labels", recipe("brackets", HostType::gpt), {"\"encoder\""}}));

}  // namespace

}  // namespace headlight::recipe_test

// What a person says of a training run becomes settings that can be carried out, or is refused with what
// could be said instead. What each host asks for is in recipe_hosts_test.cpp, attentions in
// recipe_attention_test.cpp.

#include "tests/support/recipes.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

namespace headlight::recipe_test {

using namespace test;

namespace {

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

TEST(Recipe, OfATransformerHasThePlacesThatTheTaskNeeds) {
    const auto configuration = [](const Recipe& recipe) {
        return std::get<TransformerConfiguration>(prepare(recipe).settings.model);
    };
    EXPECT_EQ(configuration(recipe("brackets")).places, PositionEncoding::rotary);
    EXPECT_EQ(configuration(recipe("brackets")).encoder.size(), 4u);
    EXPECT_EQ(configuration(recipe("induction")).places, PositionEncoding::alibi);
    EXPECT_EQ(configuration(recipe("sort", HostType::gpt)).places, PositionEncoding::sinusoidal);
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
        Refused{
            "layers of a recurrent host",
            with_layers(recipe("copy", HostType::gru), layers({"window"})),
            {"attention of each layer",
             "host transformer, gpt, xl, encoder, set, slots, hierarchical, coattention, triangles, vit or "
             "universal",
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

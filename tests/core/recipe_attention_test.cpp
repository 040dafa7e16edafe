// What a recipe makes of the attention that a person names, for all layers or for each of them.

#include "core/model/attention_choices.h"
#include "tests/support/recipes.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

namespace headlight::recipe_attention_test {

using namespace test;

namespace {

TEST(RecipeOfAttention, WithAScoreAsksAsItsPaperDoes) {
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

TEST(RecipeOfAttention, OfAttentionThatIsDrawnTakesLongerAndCalmsItsEstimate) {
    const TrainingSettings drawn = prepare(recipe("dates", {}, "hard")).settings;
    const TrainingSettings mean = prepare(recipe("dates")).settings;
    EXPECT_GT(drawn.steps, mean.steps);
    EXPECT_LT(std::get<RecurrentConfiguration>(drawn.model).reinforcement.discount, 1);
    EXPECT_EQ(std::get<RecurrentConfiguration>(mean.model).reinforcement, Reinforcement());
}

TEST(RecipeOfAttention, OfAWholeMechanismIsItsSpec) {
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
    Recipe said = recipe("copy", HostType::gpt, "rope");
    said.places = PositionEncoding::learned;
    EXPECT_EQ(transformer(said).places, PositionEncoding::learned);
    EXPECT_EQ(prepare(said).name, "copy-rope-places-learned-gpt");
    Recipe grouped = recipe("copy", HostType::gpt, "grouped_query");
    grouped.heads = 3;
    grouped.width = 12;
    EXPECT_EQ(transformer(grouped).mechanism()->heads.heads, 3);
    EXPECT_EQ(transformer(grouped).mechanism()->heads.kv_heads, 1);
    EXPECT_EQ(prepare(recipe("dates", {}, "mamba2")).name, "dates-mamba2-transformer");
}

// A recurrent host has no heads of its own.
TEST(RecipeOfAttention, OfARecurrentHostHasAWholeMechanismToo) {
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

TEST(RecipeOfAttention, OfAMechanismOfOnesOwnKeepsItsHeadsAndItsName) {
    Recipe own = recipe("copy", HostType::gpt);
    own.own = build_spec(mechanism("grouped_query"), {{"heads", Index(6)}, {"kv_heads", Index(3)}});
    own.own_name = "Sparse, causal";
    own.width = 12;
    EXPECT_EQ(transformer(own).heads, 6);
    EXPECT_EQ(transformer(own).mechanism()->heads.heads, 6);
    EXPECT_EQ(transformer(own).mechanism()->heads.kv_heads, 3);
    EXPECT_EQ(prepare(own).name, "copy-own-Sparse__causal-gpt");
    EXPECT_FALSE(why_impossible(task("copy"), HostType::gpt, *own.own)) << "whatever the width";
    expect_refusal([&] { prepare(with_layers(own, layers({"window"}))); },
                   {"no other attention beside the list of layers", "your mechanism \"Sparse, causal\""});
    own.width = 16;
    expect_refusal([&] { prepare(own); }, {"heads", "the width 16", "6, the number of your mechanism"});
    own.heads = 4;
    EXPECT_EQ(transformer(own).mechanism()->heads.heads, 4) << "as is asked for";
    own.own_name.clear();
    EXPECT_EQ(prepare(own).name, "copy-own-gpt");
}

TEST(RecipeOfAttention, OfLayersThatDifferHasOneMechanismForEach) {
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

TEST(RecipeOfAttention, OfLayersSaysWhoseKeysAndValuesTheyHave) {
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

TEST(RecipeOfAttention, OfLayersIsOfAnEncoderAndADecoder) {
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

}  // namespace

}  // namespace headlight::recipe_attention_test

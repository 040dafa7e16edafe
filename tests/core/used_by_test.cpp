#include "core/catalog/used_by.h"

#include "core/attention/parameters.h"
#include "core/catalog/mechanism.h"
#include "core/model/recipe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace headlight::used_by_test { namespace {

TEST(UsedBy, EveryModelNamesMechanismsOfTheCatalogueOnce) {
    std::set<std::string_view> names;
    for (const KnownModel& each : known_models()) {
        EXPECT_TRUE(names.insert(each.name).second) << each.name;
        EXPECT_FALSE(each.mechanisms.empty()) << each.name;
        std::set<std::string_view> ids;
        for (const std::string_view id : each.mechanisms) {
            EXPECT_TRUE(find_mechanism(id)) << each.name << ": " << id;
            EXPECT_TRUE(ids.insert(id).second) << each.name << ": " << id;
        }
    }
}

TEST(UsedBy, IsSortedByYear) {
    EXPECT_TRUE(std::ranges::is_sorted(known_models(), {}, &KnownModel::year));
    EXPECT_GE(known_models().front().year, 2014);
}

TEST(UsedBy, KnowsWhoHasAMechanism) {
    const auto names = [](std::string_view mechanism) {
        std::set<std::string_view> list;
        for (const KnownModel* each : used_by(mechanism))
            list.insert(each->name);
        return list;
    };
    EXPECT_TRUE(names("latent").contains("DeepSeek-V2"));
    EXPECT_TRUE(names("gated_delta").contains("Qwen3-Next"));
    EXPECT_TRUE(names("alibi").contains("BLOOM"));
    EXPECT_EQ(names("dsa"), std::set<std::string_view>{"DeepSeek-V3.2"});
    EXPECT_TRUE(names("no such mechanism").empty());
    EXPECT_FALSE(names("grouped_query").contains("Command R")) << "64 heads of keys for 64 of queries";
    EXPECT_TRUE(names("grouped_query").contains("Command R 08-2024"));
    for (const char* neighbours : {"Llama", "Llama 2", "Llama 3", "Mistral 7B", "Mixtral"}) {
        EXPECT_TRUE(names("rope_interleaved").contains(neighbours)) << neighbours;
        EXPECT_FALSE(names("rope").contains(neighbours)) << neighbours;
    }
}

// What is said of layers stands in pages and in the window, behind the name and a colon.
TEST(UsedBy, SaysHowTheLayersOfHybridModelsFollowOneAnother) {
    const auto layers = [](std::string_view name) {
        const auto model = std::ranges::find(known_models(), name, &KnownModel::name);
        return model == known_models().end() ? std::string() : std::string(model->layers);
    };
    for (const char* name :
         {"GPT-3",       "Falcon-H1",      "Granite 4.0", "Nemotron-H", "SmolLM3",    "Command A",
          "Command R7B", "Gemma 2",        "Gemma 3",     "gpt-oss",    "Griffin",    "Hymba",
          "Jamba",       "Kimi Linear",    "Llama 4",     "MiniMax-01", "ModernBERT", "OLMo 3",
          "Qwen3-Next",  "RecurrentGemma", "Samba",       "Zamba2"})
        EXPECT_NE(layers(name), "") << name;
    EXPECT_TRUE(
        layers("Qwen3-Next").starts_with("Three layers of Gated DeltaNet, then one of gated attention"));
    for (const KnownModel& each : known_models())
        if (!each.layers.empty()) {
            EXPECT_TRUE(each.layers.front() >= 'A' && each.layers.front() <= 'Z') << each.name;
            EXPECT_EQ(each.layers.back(), '.') << each.name;
        }
}

TEST(UsedBy, APatternIsOfTheModelsOwnMechanismsAndCanBeTrained) {
    int patterns = 0;
    for (const KnownModel& each : known_models()) {
        if (each.pattern.empty())
            continue;
        ++patterns;
        EXPECT_FALSE(each.layers.empty()) << each.name;
        for (const LayerRun& run : each.pattern) {
            EXPECT_TRUE(std::ranges::find(each.mechanisms, run.mechanism) != each.mechanisms.end())
                << each.name << ": " << run.mechanism;
            EXPECT_GE(run.count, 1) << each.name;
        }
        Recipe recipe;
        recipe.task = "copy";
        recipe.host = HostType::gpt;
        recipe.attentions = layers_as_in(each);
        EXPECT_NO_THROW(prepare(recipe)) << each.name;
    }
    EXPECT_GE(patterns, 12);
    const std::map<std::string_view, std::vector<std::string>> expected{
        {"Command A", {"window", "window", "window", "grouped_query"}},
        {"Command R7B", {"window", "window", "window", "grouped_query"}},
        {"gpt-oss", {"window", "grouped_query"}},
        {"ModernBERT", {"rope", "symmetric_window", "symmetric_window"}},
        {"OLMo 3", {"window", "window", "window", "yarn"}},
        {"SmolLM3", {"rope", "rope", "rope", "grouped_query"}},
        {"Qwen3-Next", {"gated_delta", "gated_delta", "gated_delta", "gated"}},
    };
    for (const auto& [name, layers] : expected) {
        const auto model = std::ranges::find(known_models(), name, &KnownModel::name);
        ASSERT_NE(model, known_models().end()) << name;
        std::vector<std::string> ids;
        for (const LayerAttention& layer : layers_as_in(*model).all)
            ids.push_back(layer.mechanism);
        EXPECT_EQ(ids, layers) << name;
    }
}

TEST(UsedBy, APatternBelongsToTheFamilyOfMostOfItsLayers) {
    const std::map<std::string_view, std::string> expected{
        {"Gemma 2", "Masks"},  // of two that take turns the first
        {"gpt-oss", "Masks"},
        {"Jamba", "Linear and recurrent"},  // in two runs
        {"ModernBERT", "Masks"},            // not its first layer's
        {"Qwen3-Next", "Linear and recurrent"},
        {"GPT-2", ""},
    };
    for (const auto& [name, family] : expected) {
        const auto model = std::ranges::find(known_models(), name, &KnownModel::name);
        ASSERT_NE(model, known_models().end()) << name;
        EXPECT_EQ(family_of_layers(*model), family) << name;
    }
}

TEST(UsedBy, ThePatternOfAnEncoderCanBeTrainedInAnEncoder) {
    const auto model = std::ranges::find(known_models(), "ModernBERT", &KnownModel::name);
    ASSERT_NE(model, known_models().end());
    Recipe recipe;
    recipe.task = "brackets";
    recipe.host = HostType::encoder;
    recipe.attentions = layers_as_in(*model);
    EXPECT_NO_THROW(prepare(recipe));
}

TEST(UsedBy, EachHeadOfAllLayersOfGptOssLearnsItsSink) {
    const auto model = std::ranges::find(known_models(), "gpt-oss", &KnownModel::name);
    ASSERT_NE(model, known_models().end());
    Recipe recipe;
    recipe.task = "copy";
    recipe.host = HostType::gpt;
    recipe.attentions = layers_as_in(*model);
    const auto model_spec = std::get<TransformerConfiguration>(prepare(recipe).settings.model);
    ASSERT_EQ(model_spec.decoder.size(), 2U);
    for (const LayerSpec& layer : model_spec.decoder) {
        const auto learned = required_parameters(*layer.mechanism,
                                                 {.query_width = 32, .key_width = 32, .value_width = 32}, {});
        EXPECT_EQ(std::ranges::count(learned, "b_sink", &ParameterInfo::name), 1);
    }
}

TEST(UsedBy, ListsAFewNamesAndCountsTheOthers) {
    const KnownModel a{"A", 2020, {}}, b{"B", 2020, {}}, c{"C", 2020, {}}, d{"D", 2020, {}};
    const std::vector<const KnownModel*> all{&a, &b, &c, &d};
    const auto listed = [&](std::size_t count) { return list_of_models(std::span(all).first(count), 2); };
    EXPECT_EQ(listed(0), "");
    EXPECT_EQ(listed(1), "A");
    EXPECT_EQ(listed(2), "A and B");
    EXPECT_EQ(listed(3), "A, B and C");
    EXPECT_EQ(listed(4), "A, B and 2 others");
    EXPECT_EQ(named_of(all, 2).size(), 2U);
    EXPECT_EQ(named_of(all, 3).size(), 4U) << "a last name is no longer than the words for it";
    EXPECT_EQ(list_of_models(all, 2, [](std::string_view name) { return '<' + std::string(name) + '>'; }),
              "<A>, <B> and 2 others");
}

}}  // namespace headlight::used_by_test

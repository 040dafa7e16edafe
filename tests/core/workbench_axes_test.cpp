// What the rows of "Build your own" are made from, and which of their words cannot stand together.

#include "core/attention/component.h"
#include "core/attention/plan.h"
#include "core/attention/spec_json.h"
#include "core/workbench/mask_parts.h"
#include "core/workbench/spec_axes.h"
#include "core/workbench/word_trials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace headlight::workbench_axes_test { namespace {

Inputs wide(Index width) {
    Inputs inputs;
    inputs.query = Tensor({4, width}, 0.5);
    return inputs;
}

TEST(SpecAxes, HaveWordsThatCanBeChosenAndReadBack) {
    for (const SpecAxis& axis : spec_axes())
        for (const AxisWord& each : axis.words) {
            AttentionSpec spec;
            axis.choose(spec, each.word);
            EXPECT_EQ(axis.word(spec), each.word);
            EXPECT_FALSE(each.meaning.empty()) << each.word;
            for (const AxisSetting& setting : axis.settings(spec)) {
                const OptionValue value = setting.value(spec);
                EXPECT_EQ(value.index(), setting.option.standard.index()) << setting.option.name;
                setting.set(spec, value);
                EXPECT_TRUE(setting.value(spec) == value) << setting.option.name;
                EXPECT_FALSE(setting.option.help.empty()) << setting.option.name;
            }
        }
}

TEST(SpecAxes, SaysWhichSettingsAreReadBesideTheOthers) {
    const auto position = std::ranges::find(spec_axes(), "position", &SpecAxis::id);
    AttentionSpec spec;
    position->choose(spec, "rope");
    const auto read = [&] {
        std::vector<std::string> names;
        const std::vector<AxisSetting> all = position->settings(spec);
        for (const AxisSetting& each : all)
            if (!each.option.read_with.name.empty() && is_read(each, all, spec))
                names.push_back(each.option.name);
        return names;
    };
    EXPECT_EQ(read(), std::vector<std::string>());
    spec.position.options["scaling"] = std::string("linear");
    EXPECT_EQ(read(), std::vector<std::string>{"factor"});
    spec.position.options["scaling"] = std::string("yarn");
    EXPECT_EQ(read(), (std::vector<std::string>{"factor", "original_length", "yarn_ramp"}));
    spec.position.options["scaling"] = std::string("longrope");
    EXPECT_EQ(read(), (std::vector<std::string>{"factor", "original_length", "pair_factors"}));
    // Whoever is named is there, and has these words.
    for (const SpecAxis& axis : spec_axes())
        for (const AxisWord& each : axis.words) {
            axis.choose(spec, each.word);
            const std::vector<AxisSetting> all = axis.settings(spec);
            for (const AxisSetting& setting : all) {
                const Option::ReadWith& with = setting.option.read_with;
                if (with.name.empty())
                    continue;
                const auto other = std::ranges::find_if(
                    all, [&](const AxisSetting& one) { return one.option.name == with.name; });
                ASSERT_NE(other, all.end()) << setting.option.name;
                for (const std::string& word : with.words)
                    EXPECT_TRUE(std::ranges::count(other->option.choices, word)) << word;
            }
        }
}

TEST(SpecAxes, OfManyWordsBeginWithThePlainestAndGoByTheAlphabet) {
    for (const SpecAxis& axis : spec_axes()) {
        if (axis.words.size() < 10)
            continue;
        EXPECT_EQ(axis.words.front().word, axis.word(AttentionSpec())) << axis.id;
        EXPECT_TRUE(std::is_sorted(axis.words.begin() + 1, axis.words.end(),
                                   [](const AxisWord& a, const AxisWord& b) { return a.word < b.word; }))
            << axis.id;
    }
}

TEST(SpecAxes, KeepNothingThatAnotherScoreLacks) {
    const auto score = std::ranges::find(spec_axes(), "score", &SpecAxis::id);
    AttentionSpec spec;
    score->choose(spec, "additive");
    spec.score.activation = Activation::relu;
    spec.score.bias = true;
    spec.score.attention_dimension = 5;
    const Score before = spec.score;
    score->choose(spec, "mlp");
    EXPECT_EQ(spec.score.activation, Activation::relu);
    EXPECT_TRUE(spec.score.bias);
    EXPECT_EQ(spec.score.attention_dimension, before.attention_dimension);
    score->choose(spec, "linear");  // which has a b and no hidden units
    EXPECT_EQ(spec.score.activation, Score{}.activation);
    EXPECT_TRUE(spec.score.bias);
    EXPECT_EQ(spec.score.attention_dimension, std::nullopt);
    score->choose(spec, "dot");
    EXPECT_FALSE(spec.score.bias);
}

/// A switch for a b that is always there, or never, would change nothing.
TEST(SpecAxes, AskOfAScoreWhatItReads) {
    const auto score = std::ranges::find(spec_axes(), "score", &SpecAxis::id);
    const auto asked = [&](const char* word) {
        AttentionSpec spec;
        score->choose(spec, word);
        std::vector<std::string> names;
        for (const AxisSetting& setting : score->settings(spec))
            for (const char* name : {"bias", "activation", "attention_dimension"})
                if (setting.option.name == name)
                    names.emplace_back(name);
        return names;
    };
    using testing::ElementsAre;
    EXPECT_THAT(asked("dot"), ElementsAre());
    EXPECT_THAT(asked("additive"), ElementsAre("bias", "activation", "attention_dimension"));
    EXPECT_THAT(asked("normalized_additive"), ElementsAre("activation", "attention_dimension"));
    EXPECT_THAT(asked("elementwise_additive"), ElementsAre("activation"));
    EXPECT_THAT(asked("linear"), ElementsAre("bias"));
}

TEST(SpecAxes, AreUsedWhereNoAlgorithmStandsInTheirPlace) {
    const auto unused = [](AlgorithmType type) {
        AttentionSpec spec;
        spec.algorithm.type = type;
        std::vector<std::string> ids;
        for (const SpecAxis& axis : spec_axes())
            if (!is_used(axis, spec))
                ids.push_back(axis.id);
        return ids;
    };
    using testing::ElementsAre;
    EXPECT_THAT(unused(AlgorithmType::composed), ElementsAre());
    EXPECT_THAT(unused(AlgorithmType::attention_on_attention), ElementsAre()) << "it adds to the parts";
    EXPECT_THAT(unused(AlgorithmType::online_softmax), ElementsAre()) << "it computes them";
    EXPECT_THAT(unused(AlgorithmType::capsules), ElementsAre("score", "selection", "normalizer"));
    EXPECT_THAT(unused(AlgorithmType::hopfield), ElementsAre("score", "selection"));
    EXPECT_THAT(unused(AlgorithmType::latent), ElementsAre("score"));
}

TEST(MaskParts, HaveALeafAndSettingsForEveryWord) {
    for (const AxisWord& each : mask_words()) {
        const Mask leaf = mask_leaf(each.word);
        EXPECT_EQ(mask_word(leaf), each.word);
        for (const MaskSetting& setting : mask_settings(leaf))
            EXPECT_EQ(mask_word(setting.with(setting.value)), each.word);
    }
}

TEST(MaskParts, ComeApartAndTogetherAgain) {
    const Mask causal{CausalMask{}}, padding{PaddingMask{2}}, matrix{MatrixMask{{{true}}}};
    const std::map<std::string, Mask> masks{{"none", Mask{}},
                                            {"one", causal},
                                            {"drawn", matrix},
                                            {"not", Mask{Not{{causal}}}},
                                            {"all", Mask{AllOf{{causal, Mask{Not{{padding}}}, matrix}}}},
                                            {"any", Mask{AnyOf{{causal, padding}}}}};
    for (const auto& [name, mask] : masks) {
        const auto parts = mask_parts(mask);
        ASSERT_TRUE(parts) << name;
        EXPECT_TRUE(mask_of(*parts) == mask) << name;
    }
}

TEST(MaskParts, LeaveAMaskOfMasksAlone) {
    const Mask causal{CausalMask{}};
    EXPECT_FALSE(mask_parts(Mask{AllOf{{causal, Mask{AnyOf{{causal, causal}}}}}}));
    EXPECT_FALSE(mask_parts(Mask{AllOf{{causal, causal, causal, causal}}}));
}

struct Refusal {
    const char* name;
    const char* where;
    const char* what;
    const char* axis;
};

class RefusalsOfAxes : public testing::TestWithParam<Refusal> {};

TEST_P(RefusalsOfAxes, AreAboutOne) {
    EXPECT_EQ(axis_of(GetParam().where, GetParam().what), GetParam().axis);
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusalsOfAxes,
    testing::Values(Refusal{"field", "normalizer.temperature", "normalizer", "normalizer"},
                    Refusal{"sharing", "heads.sharing", "shared queries and keys", "sharing"},
                    Refusal{"heads", "queries", "split into heads", "heads"},
                    Refusal{"score", "", "dot score", "score"},
                    Refusal{"mask", "mask.allowed, row 2", "matrix mask", "mask"},
                    Refusal{"algorithm_passes_over", "score", "linear algorithm", "score"},
                    Refusal{"positions", "keys", "t5 positions", "position"},
                    Refusal{"nothing", "query text", "split text", ""}),
    [](const auto& row) { return row.param.name; });

TEST(WordTrials, SayWhyAWordCannotStand) {
    AttentionSpec spec;
    WordReasons reasons = impossible_words(spec, wide(8));
    EXPECT_FALSE(reasons["score"].contains("dot"));
    EXPECT_FALSE(reasons["heads"].contains("multi"));
    reasons = impossible_words(spec, wide(7));
    EXPECT_FALSE(reasons["heads"].contains("multi")) << "7 features are no 8 heads, but 7";
    reasons = impossible_words(spec, wide(67));
    EXPECT_THAT(reasons["heads"]["multi"], testing::HasSubstr("1 or 67 heads for rows of 67 numbers"));
    // Another choice that cannot run is not the other words' fault.
    spec.heads = {HeadsType::multi, 8};
    reasons = impossible_words(spec, wide(7));
    EXPECT_FALSE(reasons["score"].contains("dot"));
    EXPECT_FALSE(reasons["heads"].contains("single"));
}

TEST(WordTrials, GiveSeveralHeadsAsManyAsFit) {
    struct Row {
        Index width, heads, fitting;
    };
    for (const Row& row : {Row{8, 8, 8}, Row{3, 8, 3}, Row{9, 8, 3}, Row{12, 8, 6}, Row{7, 4, 7},
                           Row{67, 8, 8}}) {  // of 67 none fits
        SCOPED_TRACE(std::to_string(row.width) + " features, " + std::to_string(row.heads) + " heads");
        AttentionSpec spec;
        spec.heads = {HeadsType::multi, row.heads};
        EXPECT_EQ(with_fitting_heads(spec, wide(row.width)).heads.heads, row.fitting);
        spec.heads = {HeadsType::grouped_query, row.heads, 4};
        spec.projections.type = ProjectionType::learned;  // else queries are wider than keys
        const Heads grouped = with_fitting_heads(spec, wide(row.width)).heads;
        EXPECT_EQ(grouped.heads, row.fitting);
        EXPECT_TRUE(row.width == 67 || grouped.heads % grouped.kv_heads == 0);
        // What else is wrong is not about heads.
        spec.heads = {};
        EXPECT_EQ(with_fitting_heads(spec, wide(row.width)), spec);
    }
}

TEST(WordTrials, SayWhatToChooseInsteadWhereTheAlgorithmRefuses) {
    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::gated_linear;
    WordReasons reasons = impossible_words(spec, wide(8));
    const std::string& score = reasons["score"]["additive"];
    EXPECT_TRUE(score.starts_with("“gated linear” ") &&
                score.ends_with("choose “composed” under Algorithm first."))
        << score;
    EXPECT_FALSE(way_out(Error({"split into heads", "heads", "a divisor", "8"}), spec, wide(8)));
    spec = {};
    spec.score.type = ScoreType::additive;
    reasons = impossible_words(spec, wide(8));
    const std::string& algorithm = reasons["algorithm"]["gated_linear"];
    EXPECT_TRUE(
        algorithm.ends_with("“additive” under Score could not change: choose “scaled dot” there first."))
        << algorithm;
    spec = {};
    spec.algorithm.type = AlgorithmType::parallax;  // adds to the other parts: it has no way of its own
    reasons = impossible_words(spec, wide(8));
    const std::string& normalizer = reasons["normalizer"]["sparsemax"];
    EXPECT_TRUE(normalizer.starts_with("Not with the other choices: it needs softmax")) << normalizer;
}

/// What a plan for four tokens of width 8 refuses.
std::optional<Error> refused(const AttentionSpec& spec) {
    try {
        plan(spec, wide(8));
    } catch (const Error& error) {
        return error;
    }
    return std::nullopt;
}

struct RefusedMask {
    const char* name;
    const char* spec;
    const char* advice;
};

class WaysOutOfMasks : public testing::TestWithParam<RefusedMask> {};

TEST_P(WaysOutOfMasks, NameThoseThatTheAlgorithmTakes) {
    const AttentionSpec spec = spec_from_json(nlohmann::json::parse(GetParam().spec));
    const auto error = refused(spec);
    ASSERT_TRUE(error);
    EXPECT_EQ(way_out(*error, spec, wide(8)), GetParam().advice);
}

INSTANTIATE_TEST_SUITE_P(
    All, WaysOutOfMasks,
    testing::Values(
        RefusedMask{"prefixes", R"({"algorithm": {"type": "mesa"}, "mask": {"type": "window", "size": 1}})",
                    "“mesa” takes only masks where each query sees the first keys, and none fewer than "
                    "the query before: choose none, causal or padding, or “composed” under Algorithm."},
        RefusedMask{
            "documents", R"({"algorithm": {"type": "gated_delta"}, "mask": {"type": "window", "size": 2}})",
            "“gated delta” takes only masks where each query sees the first keys, of all or of its own "
            "document: choose none, causal or padding, or “composed” under Algorithm."},
        RefusedMask{"one_end", R"({"algorithm": {"type": "linformer"}, "mask": {"type": "causal"}})",
                    "“linformer” takes only masks where all queries see the same first keys: choose none or "
                    "padding, or “composed” under Algorithm."},
        RefusedMask{
            "own_token",
            R"({"projections": {"type": "learned"}, "mask": {"type": "padding", "key_lengths": 3},
                        "algorithm": {"type": "turing", "memory": "written", "cells": 3}})",
            "“turing” takes only masks where each query sees the first keys, its own among them, and "
            "none fewer than the query before: choose none or causal, or “composed” under Algorithm."},
        RefusedMask{"no_mask", R"({"algorithm": {"type": "fourier"}, "mask": {"type": "causal"}})",
                    "“fourier” takes no mask: choose none, or “composed” under Algorithm."}),
    [](const auto& row) { return row.param.name; });

TEST(MaskLimits, NameEveryMaskOfTheListThatTheAlgorithmTakes) {
    const auto limits = [](const char* spec) {
        return mask_limits(spec_from_json(nlohmann::json::parse(spec)), wide(8));
    };
    EXPECT_EQ(limits(R"({"algorithm": {"type": "mesa"}})"),
              "“mesa” takes only masks where each query sees the first keys, and none fewer than the query "
              "before: none, causal, padding, prefix, sinks or wait k.");
    const std::string of_delta = limits(R"({"algorithm": {"type": "delta"}})").value_or("");
    EXPECT_THAT(of_delta, testing::HasSubstr("of its own document: none, causal, padding, "));
    EXPECT_THAT(of_delta, testing::HasSubstr("documents"));
    EXPECT_THAT(of_delta, testing::Not(testing::HasSubstr("padding, window")));
    EXPECT_FALSE(limits(R"({"algorithm": {"type": "gated_linear"}})"));
    EXPECT_EQ(
        limits(R"({"algorithm": {"type": "linformer"}})"),
        "“linformer” takes only masks where all queries see the same first keys: none, padding or sinks.");
    EXPECT_EQ(limits(R"({"algorithm": {"type": "fourier"}})"), "“fourier” takes no mask.");
    EXPECT_FALSE(limits("{}"));
}

TEST(WordTrials, AdviseNoMaskThatAPlanRefuses) {
    const std::pair<const char*, Mask> simple[] = {
        {"none", Mask{}}, {"causal", Mask{CausalMask{}}}, {"padding", Mask{PaddingMask{3}}}};
    Index advised = 0;
    for (const AlgorithmComponent& algorithm : algorithm_components()) {
        AttentionSpec spec;
        spec.projections.type = ProjectionType::learned;
        spec.algorithm.type = algorithm.type;
        spec.mask = Mask{Not{{Mask{CausalMask{}}}}};
        const auto error = refused(spec);
        const auto advice = error ? way_out(*error, spec, wide(8)) : std::nullopt;
        if (!advice || error->detail().where != "mask")
            continue;
        ++advised;
        const std::string choices = advice->substr(advice->find("choose"));
        for (const auto& [word, mask] : simple) {
            spec.mask = mask;
            EXPECT_EQ(choices.find(word) != std::string::npos, !refused(spec)) << *advice << " " << word;
        }
    }
    EXPECT_GT(advised, 20);
}

TEST(WordTrials, AdviseNothingWhereNoMaskWouldDo) {
    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::linformer;
    spec.heads = {HeadsType::multi, 8};
    const Error error({"linformer algorithm", "mask", "none or padding", "another mask"});
    EXPECT_TRUE(way_out(error, spec, wide(8)));
    EXPECT_FALSE(way_out(error, spec, wide(7)));
}

}}  // namespace headlight::workbench_axes_test

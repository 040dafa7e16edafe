// What no model can have is refused in one place, by whatever way its settings come.

#include "core/io/model_json.h"
#include "core/model/model_check.h"
#include "core/model/recipe.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace headlight::model_check_test {

using namespace test;

namespace {

/// The same refusal of a model that is looked at, of one that is made, and of one that is read.
void expect_refused(const ModelSpec& spec, const std::string& where, const std::string& expected) {
    expect_refusal([&] { check(spec); }, {where + ": make a ", expected});
    expect_refusal([&] { make_host(spec); }, {where + ": make a ", expected});
    TrainingSettings settings;
    settings.task = "copy";
    settings.model = spec;
    expect_refusal([&] { training_settings_from_json(nlohmann::json::parse(to_json(settings).dump())); },
                   {"/configuration/" + where, expected});
}

template <class Settings, class Number, class Change>
void expect_bounds(const SettingNumber<Settings, Number>& number, const Change& change) {
    SCOPED_TRACE(number.name);
    for (const Number outside : {number.least - 1, number.most + 1})
        change([&](Settings& settings) { settings.*number.value = outside; });
}

template <class Configuration, class Inner>
void expect_all_bounds(const ModelSpec& possible, Inner& (*inner)(Configuration&),
                       const std::string& prefix = {}) {
    const auto try_all = [&](const auto& numbers) {
        for (const auto& number : numbers)
            expect_bounds(number, [&](const auto& change) {
                ModelSpec spec = possible;
                change(inner(std::get<Configuration>(spec)));
                expect_refused(spec, prefix + number.name, " to ");
            });
    };
    try_all(numbers_of<Inner>().whole);
    try_all(numbers_of<Inner>().real);
}

TEST(ModelCheck, KnowsTheLeastAndTheMostOfEachNumber) {
    const ModelSpec recurrent = RecurrentConfiguration(), transformer = TransformerConfiguration();
    check(recurrent);
    check(transformer);
    using R = RecurrentConfiguration;
    expect_all_bounds<R, R>(recurrent, [](R& c) -> R& { return c; });
    expect_all_bounds<R, LocalWindow>(
        recurrent, [](R& c) -> LocalWindow& { return c.window; }, "window/");
    expect_all_bounds<R, Reinforcement>(
        recurrent, [](R& c) -> Reinforcement& { return c.reinforcement; }, "reinforcement/");
    TransformerConfiguration convolutions;
    architecture(HostType::convolutional).configure(convolutions);
    using T = TransformerConfiguration;
    expect_all_bounds<T, T>(convolutions, [](T& c) -> T& { return c; });
    expect_all_bounds<T, AskedText>(
        architecture(HostType::coattention).spec(), [](T& c) -> AskedText& { return *c.asked_text; },
        "asked_text/");
}

TEST(ModelCheck, AllowsEveryArchitecture) {
    for (const Word<HostType>& host : words<HostType>())
        EXPECT_NO_THROW(check(architecture(host.value).spec())) << host.word;
}

struct Row {
    const char* name;
    ModelSpec spec;
    const char *where, *expected;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

template <class Configuration, class Change>
ModelSpec with(const Change& change) {
    Configuration c;
    change(c);
    return c;
}

std::vector<Row> rows() {
    const auto recurrent = [](const auto& change) { return with<RecurrentConfiguration>(change); };
    const auto transformer = [](const auto& change) { return with<TransformerConfiguration>(change); };
    const auto two_streams = [&transformer](const auto& change) {
        return transformer([&change](TransformerConfiguration& c) {
            architecture(HostType::two_stream).configure(c);
            change(c);
        });
    };
    return {
        {"layers_without_states", recurrent([](auto& c) {
             c.style = DecoderStyle::dense;
             c.layers = 2;
         }),
         "layers", "1: a dense decoder has no states"},
        {"half_a_wave", recurrent([](auto& c) {
             c.style = DecoderStyle::dense;
             c.embedding = 5;
         }),
         "embedding", "an even number"},
        {"copies_and_points", recurrent([](auto& c) { c.copies = c.points = true; }), "copies",
         "nothing but words of its source"},
        {"points_by_a_program", recurrent([](auto& c) {
             c.points = true;
             c.mechanism.emplace();
         }),
         "points", "pass no gradient on"},
        {"covers_what_is_drawn", recurrent([](auto& c) {
             c.coverage_loss = 1;
             c.normalizer.type = NormalizerType::hard;
         }),
         "coverage_loss", "are drawn"},
        {"hops_of_draws", recurrent([](auto& c) {
             c.hops = 2;
             c.normalizer.type = NormalizerType::hard;
         }),
         "hops", "one answer"},
        {"hops_that_remember", recurrent([](auto& c) {
             c.hops = 2;
             c.score.type = ScoreType::coverage;
         }),
         "hops", "that of one hop"},
        {"hops_of_two_directions", recurrent([](auto& c) { c.hops = 2; }), "hops", "of one direction"},
        {"odd_width", transformer([](auto& c) { c.width = 9; }), "width", "an even number"},
        {"odd_width_of_turns", transformer([](auto& c) {
             c.width = 9;
             c.places = PositionEncoding::none;
             c.turns = 2;
         }),
         "width", "an even number"},
        {"heads", transformer([](auto& c) {
             c.width = 30;
             c.heads = 4;
         }),
         "heads", "1, 2, 3, 5, 6, 10, 15 or 30, which cut the width 30 into equal parts"},
        {"turned_heads", transformer([](auto& c) {
             c.width = 12;
             c.heads = 4;
             c.places = PositionEncoding::rotary;
         }),
         "heads", "1, 2, 3 or 6, which cut the width 12 into equal parts of an even number"},
        {"layers_in_all_turns", transformer([](auto& c) {
             c.encoder.resize(5);
             c.turns = 32;
         }),
         "turns", "at most 128 layers in all turns"},
        {"no_encoder_layers", transformer([](auto& c) { c.encoder.clear(); }), "encoder_layers", "1 to 64"},
        {"too_many_decoder_layers", transformer([](auto& c) { c.decoder.resize(65); }), "decoder_layers",
         "1 to 64"},
        {"convolutions_of_one_stack", transformer([](auto& c) {
             c.mixer = Mixer::convolution;
             c.kind = TransformerKind::decoder;
         }),
         "mixer", "would not attend"},
        {"turned_convolutions", transformer([](auto& c) {
             c.mixer = Mixer::convolution;
             c.places = PositionEncoding::alibi;
         }),
         "places", "neither queries nor scores"},
        {"segments_of_convolutions", transformer([](auto& c) {
             c.mixer = Mixer::convolution;
             c.segment = 4;
         }),
         "segment", "no text of its own"},
        {"segments_of_an_encoder", transformer([](auto& c) {
             c.kind = TransformerKind::encoder;
             c.segment = 4;
         }),
         "segment", "reads its source as one"},
        {"a_decoder_that_pools", transformer([](auto& c) { c.pooling = Pooling::attention; }), "pooling",
         "only an encoder"},
        {"capped_distances", transformer([](auto& c) {
             c.places = PositionEncoding::distances;
             c.score.type = ScoreType::additive;
         }),
         "score", "dot or scaled_dot without a cap"},
        {"two_streams_with_an_encoder", transformer([](auto& c) { c.two_streams = true; }), "two_streams",
         "only a decoder alone"},
        {"two_streams_without_places", two_streams([](auto& c) { c.places = PositionEncoding::rotary; }),
         "places", "sinusoidal or learned"},
        {"two_streams_by_a_program", two_streams([](auto& c) { c.set_mechanism(AttentionSpec()); }),
         "mechanism", "a program knows one"},
        {"two_streams_in_segments", two_streams([](auto& c) { c.segment = 4; }), "segment",
         "not side by side"},
        {"two_streams_of_neighbours", two_streams([](auto& c) { c.score.type = ScoreType::multi_token; }),
         "score", "in whatever order"},
        {"two_streams_from_key_to_key",
         two_streams([](auto& c) { c.normalizer.type = NormalizerType::stick_breaking; }), "normalizer",
         "in whatever order"},
        {"a_transformer_that_remembers", transformer([](auto& c) { c.score.type = ScoreType::coverage; }),
         "score", "one for all queries at once"},
    };
}

class ModelChecks : public testing::TestWithParam<Row> {};

TEST_P(ModelChecks, SayTheSameWhicheverWayTheModelComes) {
    expect_refused(GetParam().spec, GetParam().where, GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(All, ModelChecks, testing::ValuesIn(rows()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(ModelCheck, KnowsWhichLayersCanBeListed) {
    TransformerConfiguration c;
    c.decoder[1] = {.mechanism = AttentionSpec(), .shares = 0};
    expect_refusal([&] { check(c); },
                   {"layer 2 of the decoder: shares: make a Transformer: expected a mechanism of its own"});
    c.decoder[0].mechanism.emplace();
    EXPECT_NO_THROW(check(c));
    c.decoder[1].shares = 1;
    expect_refusal([&] { check(c); }, {"layer 2 of the decoder: shares", "an earlier layer, 1, got 2"});
    c.decoder[1].shares.reset();
    c.decoder[1].where_possible = true;
    expect_refusal([&] { check(c); }, {"mechanism: ", "the same in all layers", "layers that differ"});
    c.set_mechanism(AttentionSpec());
    EXPECT_NO_THROW(check(c));
    c.mixer = Mixer::convolution;
    EXPECT_NO_THROW(check(c));
    c.decoder = std::vector<LayerSpec>(2, {.mechanism = AttentionSpec()});
    c.encoder = std::vector<LayerSpec>(2);
    expect_refusal([&] { check(c); }, {"mixer: ", "mechanisms of their own"});
}

// What layers have of their own comes back from a file, and so does that others have nothing.
TEST(ModelCheck, AllowsLayersThatComeBackFromAFile) {
    TransformerConfiguration c;
    c.decoder = std::vector<LayerSpec>(3);
    c.decoder[1].mechanism.emplace().mask.rule = CausalMask{};
    c.decoder[2].mechanism.emplace();
    c.decoder[2].shares = 1;
    TrainingSettings settings;
    settings.task = "copy";
    const auto read = [&settings] {
        const auto document = nlohmann::json::parse(to_json(settings).dump());
        return std::get<TransformerConfiguration>(training_settings_from_json(document).model);
    };
    settings.model = c;
    const TransformerConfiguration listed = read();
    EXPECT_EQ(listed.encoder, c.encoder);
    ASSERT_EQ(listed.decoder.size(), 3u);
    EXPECT_FALSE(listed.decoder[0].mechanism);
    EXPECT_TRUE(is_masked(listed.decoder[1].mechanism->mask));
    EXPECT_EQ(shares_of(listed.decoder), (SharedKeys{std::nullopt, std::nullopt, 1}));
    c = {};
    c.set_mechanism(*listed.decoder[1].mechanism);
    settings.model = c;
    EXPECT_TRUE(to_json(settings)["configuration"].contains("mechanism"));
    EXPECT_FALSE(to_json(settings)["configuration"].contains("decoder_mechanisms"));
    EXPECT_EQ(read().encoder, c.encoder);
    EXPECT_EQ(read().decoder, c.decoder);
}

// A file may have anything where a label's mechanism and a question are.
TEST(ModelCheck, RefusesLabelsOfWhichAFileSaysTooLittle) {
    const auto read_with = [](HostType host, const char* pointer, const char* value) {
        TrainingSettings settings;
        settings.task = "distinct";
        settings.model = architecture(host).spec();
        const auto whole = nlohmann::json::parse(to_json(settings).dump());
        EXPECT_NO_THROW(training_settings_from_json(whole));
        nlohmann::json changed = whole;
        const nlohmann::json::json_pointer place("/configuration" + std::string(pointer));
        if (value)
            changed[place] = nlohmann::json::parse(value);
        else
            changed[place.parent_pointer()].erase(place.back());
        training_settings_from_json(changed);
    };
    const HostType asked = HostType::coattention, pools = HostType::slot_attention;
    const char* const nothing = nullptr;
    struct Changed {
        HostType host;
        const char *pointer, *value, *expected;
    };
    for (const Changed& row : {
             Changed{asked, "/asked_text", "null", "an object, got null"},
             Changed{asked, "/asked_text/question", nothing, "how many tokens of a source are the question"},
             Changed{asked, "/asked_text/question", "-1", "a whole number from 1 to 65536, got -1"},
             Changed{asked, "/asked_text/question", "18446744073709551615", "a whole number from 1"},
             Changed{asked, "/asked_text/question", "1.5", "a whole number from 1"},
             Changed{asked, "/asked_text/mechanism", nothing, "by which the text looks at its question"},
             Changed{asked, "/asked_text/mechanism", "null", "an object, got null"},
             Changed{asked, "/asked_text/other", "1", "other"},
             Changed{pools, "/pooling_mechanism", "null", "an object, got null"},
             Changed{pools, "/seeds", "65", "a whole number from 1 to 64, got 65"},
             Changed{pools, "/seeds", "-8", "a whole number from 1 to 64, got -8"},
             Changed{pools, "/encoder_mechanisms", "[[], []]", "an object, got a list"},
             Changed{pools, "/encoder_mechanisms", "[null, null, null]", "one for each of"},
         }) {
        SCOPED_TRACE(row.pointer);
        expect_refusal([&] { read_with(row.host, row.pointer, row.value); }, {row.expected});
    }
    EXPECT_THROW(read_with(pools, "/pooling_mechanism", nothing), Error) << "seeds that would not meet";
}

// The words of the person, where nobody said them.
TEST(ModelCheck, IsWhatRecipesAreHeldTo) {
    Recipe recipe;
    recipe.task = "reverse";
    recipe.host = HostType::transformer;
    recipe.width = 30;
    expect_refusal([&] { prepare(recipe); }, {"heads: make a Transformer", "4, the number if none is given"});
    recipe.heads = 4;
    expect_refusal([&] { prepare(recipe); }, {"heads: make a Transformer", "equal parts, got 4"});
    recipe.width = 9;
    expect_refusal([&] { prepare(recipe); }, {"width: make a Transformer", "an even number"});
}

}  // namespace

}  // namespace headlight::model_check_test

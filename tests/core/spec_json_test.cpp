// The words of a spec: every one is read and written back, everything else is refused with the place and the
// words that would have been accepted.

#include "core/attention/component.h"
#include "core/attention/spec_json.h"
#include "core/attention/spec_words.h"
#include "core/io/json_text.h"
#include "tests/support/refusal.h"

#include <fstream>
#include <sstream>

namespace headlight::spec_json_test {

using namespace test;
using nlohmann::json;

namespace {

AttentionSpec read(const std::string& text) { return spec_from_json(parse_json(text)); }

TEST(SpecJson, NothingIsScaledDotProductAttention) {
    const AttentionSpec spec = read("{}");
    EXPECT_EQ(spec, AttentionSpec{});
    EXPECT_EQ(spec.score.type, ScoreType::scaled_dot);
    EXPECT_EQ(spec.heads.count(), 1);
    EXPECT_FALSE(is_masked(spec.mask));
}

TEST(SpecJson, ReadsEveryField) {
    const AttentionSpec spec = read(R"({
        "source": {"type": "cross"},
        "projections": {"type": "learned", "bias": true, "dimension": 12},
        "score": {"type": "additive", "activation": "relu", "bias": true, "attention_dimension": 5},
        "position": {"type": "sinusoidal"},
        "mask": {"type": "causal", "align": "bottom_right"},
        "mask_order": "before_scale", "mask_value": -2.5,
        "normalizer": {"type": "hard", "temperature": 0.5, "mode": "sample", "draws": 7},
        "heads": {"type": "multi", "heads": 3}})");
    AttentionSpec expected;
    expected.source.type = SourceType::cross;
    expected.projections = {ProjectionType::learned, true, 12};
    expected.score = {ScoreType::additive, Activation::relu, true, 5};
    expected.position.type = PositionType::sinusoidal;
    expected.mask = {CausalMask{CausalAlignment::bottom_right}};
    expected.mask_order = MaskOrder::before_scale;
    expected.mask_value = -2.5;
    expected.normalizer = {NormalizerType::hard, 0.5, HardMode::sample, 7};
    expected.heads = {HeadsType::multi, 3};
    EXPECT_EQ(spec, expected);
}

// Masks

const Mask causal{CausalMask{}};
const Mask padding{PaddingMask{3}};
const Mask matrix{MatrixMask{{{true, false}, {false, true}}}};

struct MaskCase {
    const char* text;
    Mask mask;
};

class MaskWords : public testing::TestWithParam<MaskCase> {};

TEST_P(MaskWords, AreReadAndWrittenBack) {
    const auto& [text, mask] = GetParam();
    EXPECT_EQ(mask_from_json(json::parse(text), ""), mask);
    EXPECT_EQ(mask_from_json(to_json(mask), ""), mask);
}

INSTANTIATE_TEST_SUITE_P(
    All, MaskWords,
    testing::Values(MaskCase{R"({})", Mask{}}, MaskCase{R"({"type": "none"})", Mask{}},
                    MaskCase{R"({"type": "causal"})", causal},
                    MaskCase{R"({"type": "causal", "align": "top_left"})", causal},
                    MaskCase{R"({"type": "padding"})", Mask{PaddingMask{}}},
                    MaskCase{R"({"type": "padding", "key_lengths": null})", Mask{PaddingMask{}}},
                    MaskCase{R"({"type": "padding", "key_lengths": 0})", Mask{PaddingMask{0}}},
                    MaskCase{R"({"type": "padding", "key_lengths": 3})", padding},
                    MaskCase{R"({"type": "matrix", "allowed": [[1, 0], [0, 1]]})", matrix},
                    MaskCase{R"({"type": "matrix", "allowed": [[true, false], [0, 1]]})", matrix},
                    MaskCase{R"({"type": "matrix", "allowed": []})", Mask{MatrixMask{}}},
                    MaskCase{R"({"all": []})", Mask{AllOf{}}},
                    MaskCase{R"({"all": [{"type": "causal"}, {"type": "padding", "key_lengths": 3}]})",
                             Mask{AllOf{{causal, padding}}}},
                    MaskCase{R"({"any": [{"not": {"type": "causal"}}, {"all": [{"type": "causal"}]}]})",
                             Mask{AnyOf{{Mask{Not{{causal}}}, Mask{AllOf{{causal}}}}}}}));

std::string nested_nots(int depth) {
    std::string text = R"({"type": "causal"})";
    for (int i = 1; i < depth; ++i)
        text = R"({"not": )" + text + "}";
    return text;
}

TEST(SpecJson, AChoiceThatIsSpeltLikeANumberMayBeOne) {
    const auto degree = [](const char* text) {
        return spec_from_json(
            parse_json(R"({"normalizer": {"type": "taylor", "degree": )" + std::string(text) + "}}"));
    };
    EXPECT_EQ(degree("4"), degree(R"("4")"));
    EXPECT_THROW(degree("5"), Error);
}

TEST(SpecJson, SixteenMasksMayStandInOneAnother) {
    EXPECT_NO_THROW(mask_from_json(json::parse(nested_nots(16)), "/mask"));
    expect_refusal([] { mask_from_json(json::parse(nested_nots(17)), "/mask"); },
                   {"/mask/not", "at most 16"});
}

TEST(SpecJson, AThousandMasksMayStandBesideOneAnother) {
    const auto beside = [](int leaves) {
        json masks = json::array();
        for (int i = 0; i < leaves; ++i)
            masks.push_back({{"type", "causal"}});
        return json{{"all", std::move(masks)}};
    };
    EXPECT_NO_THROW(mask_from_json(beside(999), "/mask"));
    expect_refusal([&] { mask_from_json(beside(1000), "/mask"); },
                   {"/mask/all/999", "at most 1000 masks in all"});
    const json both{{"any", {beside(500), beside(500)}}};
    expect_refusal([&] { mask_from_json(both, "/mask"); }, {"/mask/any/1/all", "at most 1000 masks in all"});
}

// Round trips: every word of every field, alone and with a value for every other field.

TEST(SpecJson, EveryWordIsReadAndWrittenBack) {
    for (const SpecField& field : spec_fields()) {
        for (const Word<int>& word : field.words) {
            if (field.path == "mask.type" && word.word == "matrix")
                continue;  // needs `allowed`; see the masks above
            json document = json::object();
            std::string pointer = '/' + field.path;
            std::ranges::replace(pointer, '.', '/');
            document[json::json_pointer(pointer)] = word.word;
            if (field.path == "mask.align")
                document["mask"]["type"] = "causal";
            const AttentionSpec spec = spec_from_json(document);
            const json written = to_json(spec);
            EXPECT_EQ(written.at(json::json_pointer(pointer)), word.word) << field.path;
            EXPECT_EQ(spec_from_json(written), spec) << field.path;
        }
    }
}

/// Options are written with the component that declares them, and by no other.
bool is_option(const std::string& path) {
    const std::string name = path.substr(path.rfind('.') + 1);
    bool found = false;
    const auto look = [&](const auto& components) {
        for (const auto& component : components)
            found |= std::ranges::find(component.options, name, &Option::name) != component.options.end();
    };
    look(score_components());
    look(position_components());
    look(mask_components());
    look(selection_components());
    look(normalizer_components());
    look(algorithm_components());
    return found;
}

TEST(SpecJson, TheWriterWritesEveryFieldThatTheReaderKnows) {
    const json written = to_json(AttentionSpec{});
    for (const SpecField& field : spec_fields()) {
        if ((field.path.starts_with("mask.") && field.path != "mask.type") || is_option(field.path))
            continue;
        std::string pointer = '/' + field.path;
        std::ranges::replace(pointer, '.', '/');
        EXPECT_TRUE(written.contains(json::json_pointer(pointer))) << field.path;
    }
}

TEST(SpecJson, FieldsAreReadUnderWordsThatThereAre) {
    const std::vector<SpecField> fields = spec_fields();
    for (const SpecField& field : fields)
        for (const std::vector<ReadWith>& all : field.read_where)
            for (const ReadWith& with : all) {
                EXPECT_FALSE(with.words.empty()) << field.path;
                for (const std::string& path : with.paths) {
                    const auto other = std::ranges::find(fields, path, &SpecField::path);
                    ASSERT_NE(other, fields.end()) << field.path << ": " << path;
                    for (const std::string& word : with.words)
                        EXPECT_TRUE(is_option(path) ||
                                    std::ranges::count(other->words, word, &Word<int>::word) > 0)
                            << field.path << ": " << path << ' ' << word;
                }
            }
}

/// So that who sets one knows which others go.
TEST(SpecJson, AFieldOfAMaskIsItsTypeIsReadBesideOneOrStandsInItsPlace) {
    for (const SpecField& field : spec_fields()) {
        if (!field.path.starts_with("mask.") || field.path == "mask.type")
            continue;
        EXPECT_NE(field.read_where.empty(), field.in_place_of.empty()) << field.path;
        if (field.in_place_of.empty())
            continue;
        EXPECT_EQ(field.in_place_of, "mask.type") << field.path;
        const std::string name = field.path.substr(field.path.find('.') + 1);
        const json one{{"type", "causal"}}, masks = field.kind == "mask" ? one : json::array({one});
        EXPECT_NO_THROW(spec_from_json({{"mask", {{name, masks}}}})) << field.path;
        EXPECT_THROW(spec_from_json({{"mask", {{name, masks}, {"type", "none"}}}}), Error) << field.path;
    }
}

/// Each with what it is read beside: fope has always an original length, rope only where angles are scaled.
TEST(SpecJson, AnOptionOfSeveralComponentsIsReadAsEachOfThemDoes) {
    const std::vector<SpecField> fields = spec_fields();
    const auto& read = std::ranges::find(fields, "position.original_length", &SpecField::path)->read_where;
    ASSERT_EQ(read.size(), 2u);
    const std::vector<std::string> paths{"position.type", "position.second"};
    EXPECT_EQ(read[0], (std::vector<ReadWith>{{paths, {"fope"}}}));
    ASSERT_EQ(read[1].size(), 2u);
    EXPECT_EQ(read[1][0], (ReadWith{paths, {"rope"}}));
    EXPECT_EQ(read[1][1].paths, std::vector<std::string>{"position.scaling"});
}

/// By its parameters: some scores always have a b, some never.
TEST(SpecJson, ABiasIsReadWhereItAddsAParameter) {
    const std::vector<SpecField> fields = spec_fields();
    const auto words = [&](const char* path) {
        return std::ranges::find(fields, path, &SpecField::path)->read_where.front().front().words;
    };
    for (const char* score : {"concat", "additive", "coverage", "linear", "dense_synthesizer"})
        EXPECT_EQ(std::ranges::count(words("score.bias"), score), 1) << score;
    for (const char* score : {"dot", "general", "normalized_additive"})
        EXPECT_EQ(std::ranges::count(words("score.bias"), score), 0) << score;
    for (const char* score : {"concat", "additive", "mlp", "dense_synthesizer"})
        EXPECT_EQ(std::ranges::count(words("score.attention_dimension"), score), 1) << score;
    for (const char* score : {"dot", "linear", "elementwise_additive"})
        EXPECT_EQ(std::ranges::count(words("score.attention_dimension"), score), 0) << score;
}

TEST(SpecJson, TheManualHasEveryWordAndField) {
    std::ostringstream manual;
    manual << std::ifstream(HEADLIGHT_SOURCE_DIR "/docs/spec.md").rdbuf()
           << std::ifstream(HEADLIGHT_SOURCE_DIR "/docs/components.md").rdbuf();
    for (const SpecField& field : spec_fields()) {
        const std::string name = field.path.substr(field.path.rfind('.') + 1);
        EXPECT_NE(manual.str().find('`' + name + '`'), std::string::npos) << field.path;
        for (const Word<int>& word : field.words)
            EXPECT_NE(manual.str().find('`' + std::string(word.word) + '`'), std::string::npos) << word.word;
    }
}

// Refusals

struct Refused {
    const char* text;
    std::vector<std::string> parts;
};

class SpecRefusal : public testing::TestWithParam<Refused> {};

TEST_P(SpecRefusal, SaysWhereAndWhatIsAccepted) {
    expect_refusal([] { read(GetParam().text); }, GetParam().parts);
}

INSTANTIATE_TEST_SUITE_P(
    All, SpecRefusal,
    testing::Values(
        Refused{"[]", {"an object", "a list"}}, Refused{"3", {"an object", "3"}},
        Refused{"null", {"an object"}},
        Refused{R"({"scores": {}})", {"\"score\"", "did you mean \"score\"?"}},
        Refused{R"({"score": "dot"})", {"/score", "an object", "\"dot\""}},
        Refused{R"({"score": {"type": "dott"}})",
                {"/score/type", "\"dot\", \"scaled_dot\"", "did you mean \"dot\"?"}},
        Refused{R"({"score": {"type": 3}})", {"/score/type", "\"additive\"", "got 3"}},
        Refused{R"({"score": {"activation": "tahn"}})",
                {"/score/activation", "\"sigmoid\"", "did you mean \"tanh\"?"}},
        Refused{R"({"score": {"bias": 1}})", {"/score/bias", "true or false", "got 1"}},
        Refused{R"({"score": {"scale": 1}})", {"/score", "\"scale\"", "\"activation\""}},
        Refused{R"({"score": {"attention_dimension": 0}})",
                {"/score/attention_dimension", "1 to 65536", "got 0"}},
        Refused{R"({"projections": {"dimension": 1.5}})",
                {"/projections/dimension", "a whole number", "1.5"}},
        Refused{R"({"projections": {"dimension": 99999999}})", {"/projections/dimension", "65536"}},
        Refused{R"({"projections": {"dimension": 18446744073709551615}})", {"/projections/dimension"}},
        Refused{R"({"source": {"type": "Cross"}})", {"/source/type", "did you mean \"cross\"?"}},
        Refused{R"({"position": {"type": "ropes"}})",
                {"/position/type", "\"sinusoidal\"", "did you mean \"rope\"?"}},
        Refused{R"({"mask_order": "after"})", {"/mask_order", "\"after_scale\" or \"before_scale\""}},
        Refused{R"({"mask_value": "-inf"})", {"/mask_value", "a number"}},
        Refused{R"({"normalizer": {"temperature": 0}})", {"/normalizer/temperature", "above 0", "got 0"}},
        Refused{R"({"normalizer": {"temperature": -1}})", {"/normalizer/temperature", "above 0"}},
        Refused{R"({"normalizer": {"draws": 0}})", {"/normalizer/draws", "1 to 1000000"}},
        Refused{R"({"heads": {"type": "multi", "heads": 0}})", {"/heads/heads", "1 to 65536", "got 0"}},
        Refused{R"({"heads": {"heads": true}})", {"/heads/heads", "true"}},
        Refused{R"({"mask": []})", {"/mask", "an object", "a list"}},
        Refused{R"({"mask": {"type": "windows"}})", {"/mask/type", "\"causal\"", "did you mean \"window\"?"}},
        Refused{R"({"mask": {"type": "causal", "key_lengths": 3}})",
                {"/mask/key_lengths", "\"padding\"", "\"causal\""}},
        Refused{R"({"mask": {"key_lengths": 3}})", {"/mask/key_lengths", "\"padding\"", "\"none\""}},
        Refused{R"({"mask": {"type": "padding", "key_lengths": -1}})", {"/mask/key_lengths", "0 to 65536"}},
        Refused{R"({"mask": {"type": "padding", "allowed": [[1]]}})", {"/mask/allowed", "\"matrix\""}},
        Refused{R"({"mask": {"type": "matrix"}})", {"/mask/allowed", "nothing"}},
        Refused{R"({"mask": {"type": "matrix", "allowed": 1}})", {"/mask/allowed", "a list of rows"}},
        Refused{R"({"mask": {"type": "matrix", "allowed": [1]}})", {"/mask/allowed/0", "a row"}},
        Refused{R"({"mask": {"type": "matrix", "allowed": [[1, 0], [1]]}})",
                {"/mask/allowed/1", "2 cells", "got 1"}},
        Refused{R"({"mask": {"type": "matrix", "allowed": [[1, 2]]}})",
                {"/mask/allowed/0/1", "0, 1", "got 2"}},
        Refused{R"({"mask": {"all": {}}})", {"/mask/all", "a list of masks"}},
        Refused{R"({"mask": {"all": [{"type": "causal"}, {"not": {"type": "x"}}]}})",
                {"/mask/all/1/not/type"}},
        Refused{R"({"mask": {"not": []}})", {"/mask/not", "an object"}},
        Refused{R"({"mask": {"all": [], "any": []}})", {"/mask", "\"any\""}},
        Refused{R"({"mask": {"all": [], "type": "causal"}})", {"/mask", "\"type\""}}));

}  // namespace

}  // namespace headlight::spec_json_test

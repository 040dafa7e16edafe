// A file of layers says what each of them attends with, or is refused by the layer and the place in it.

#include "core/io/layers_file.h"
#include "core/io/mechanism_file.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

namespace headlight::layers_file_test {

using namespace test;

namespace {

TEST(LayersFile, IsAListOfMechanismsAndSpecs) {
    const LayerList list = parse_layers(R"(["window", {"attention": "window", "set": {"size": 4}},
                                            {"spec": {"normalizer": {"type": "sparsemax"}}}])");
    ASSERT_EQ(list.all.size(), 3u);
    EXPECT_TRUE(list.encoder.empty());
    EXPECT_TRUE(list.decoder.empty());
    EXPECT_EQ(list.all[0], LayerAttention{.mechanism = "window"});
    EXPECT_EQ(list.all[1].mechanism, "window");
    EXPECT_EQ(list.all[1].values.at("size"), ParameterValue(Index(4)));
    ASSERT_TRUE(list.all[2].spec);
    EXPECT_EQ(list.all[2].spec->normalizer.type, NormalizerType::sparsemax);
}

TEST(LayersFile, AChoiceThatIsSpeltLikeANumberMayBeOne) {
    const LayerList list = parse_layers(R"([{"attention": "power", "set": {"power": 4}}])");
    EXPECT_EQ(list.all.front().values.at("power"), ParameterValue(std::string("4")));
}

TEST(LayersFile, SaysWhoseKeysAndValuesALayerHas) {
    const LayerList list =
        parse_layers(R"(["window", {"attention": "window", "set": {"size": 4}, "shares": 1},
                                            {"spec": {}, "shares": 1}, {"spec": {}, "shares": null}])");
    EXPECT_FALSE(list.all[0].shares);
    EXPECT_EQ(list.all[1].shares, 0);
    EXPECT_EQ(list.all[1].values.at("size"), ParameterValue(Index(4)));
    EXPECT_EQ(list.all[2].shares, 0);
    EXPECT_FALSE(list.all[3].shares);
    const LayerList apart = parse_layers(
        R"({"encoder": ["window"], "decoder": ["gla", "window", {"attention": "window", "shares": 2}]})");
    EXPECT_EQ(apart.decoder[2].shares, 1);
}

TEST(LayersFile, TellsEncoderAndDecoderApart) {
    const LayerList list = parse_layers(R"({"encoder": ["linformer"], "decoder": ["window", "gla"]})");
    EXPECT_TRUE(list.all.empty());
    EXPECT_EQ(list.encoder.size(), 1u);
    EXPECT_EQ(list.decoder.size(), 2u);
    EXPECT_TRUE(parse_layers(R"({"decoder": ["window"]})").encoder.empty());
}

TEST(LayersFile, TakesAMechanismOfOnesOwn) {
    AttentionSpec spec;
    spec.heads.type = HeadsType::multi;
    spec.heads.heads = 2;
    const LayerList list = parse_layers("[{\"spec\": " + write_mechanism({"Mine", spec}) + "}]");
    EXPECT_EQ(list.all.front().spec->heads.heads, 2);
}

TEST(LayersFile, IsNamedByItsRefusals) {
    const TemporaryFolder place;
    place.write("layers.json", "[\"window\", 3]");
    const std::string path = (place / "layers.json").string();
    EXPECT_TRUE(refusal([&] { read_layers(path); }).starts_with(path + ": layer 2: read layers: "));
    EXPECT_NE(refusal([&] { read_layers(path + "x"); }).find("layers.jsonx"), std::string::npos);
}

struct Refused {
    const char* name;
    std::string text;
    std::vector<std::string> parts;
};
void PrintTo(const Refused& row, std::ostream* out) { *out << row.name; }

class LayersFileRefusal : public testing::TestWithParam<Refused> {};

TEST_P(LayersFileRefusal, SaysWhichLayerAndWhere) {
    expect_refusal([] { parse_layers(GetParam().text); }, GetParam().parts);
}

std::string many_layers() {
    std::string text = "[\"window\"";
    for (int i = 0; i < 64; ++i)
        text += ", \"window\"";
    return text + "]";
}

INSTANTIATE_TEST_SUITE_P(
    Rows, LayersFileRefusal,
    testing::Values(
        Refused{"keys and values of the layer itself",
                R"(["window", {"attention": "window", "shares": 2}])",
                {"layer 2: /shares: read layers: expected the number of an earlier layer, 1, got 2"}},
        Refused{"keys and values of a later layer",
                R"(["window", "window", {"attention": "window", "shares": 4}, "window"])",
                {"layer 3: /shares: ", "an earlier layer, 1 to 2, got 4"}},
        Refused{"keys and values of another in the first layer",
                R"([{"attention": "window", "shares": 1}, "window"])",
                {"layer 1: /shares: ", "no layer is before the first, got 1"}},
        Refused{"keys and values of a layer that shares",
                R"(["window", {"attention": "window", "shares": 1}, {"attention": "window", "shares": 2}])",
                {"layer 3: /shares: ", "such as 1, whose keys and values layer 2 has, got 2"}},
        Refused{"keys and values of the other stack",
                R"({"encoder": ["window"], "decoder": [{"attention": "window", "shares": 1}]})",
                {"layer 1 of the decoder: /shares: "}},
        Refused{"keys and values of layer 0",
                R"(["window", {"attention": "window", "shares": 0}])",
                {"layer 2: /shares: ", "from 1 to 64, got 0"}},
        Refused{"keys and values of a word",
                R"(["window", {"attention": "window", "shares": "1"}])",
                {"layer 2: /shares: ", "got the string \"1\""}},
        Refused{"keys and values without a mechanism",
                R"(["window", {"shares": 1}])",
                {"layer 2: ", "got neither"}},
        Refused{"a word that is nearly shares",
                R"(["window", {"attention": "window", "share": 1}])",
                {"layer 2: ", "did you mean \"shares\"?"}},
        Refused{"no JSON", "[", {"line 1"}},
        Refused{"no list", "3", {"a list, one entry for each layer", "got 3"}},
        Refused{"no layers", "[]", {"1 to 64 layers", "got 0"}},
        Refused{"too many layers", many_layers(), {"1 to 64 layers", "got 65"}},
        Refused{"neither side", "{}", {"\"encoder\"", "got an object with neither"}},
        Refused{"another side", R"({"encoders": []})", {"did you mean \"encoder\"?"}},
        Refused{"a side that is no list",
                R"({"encoder": "window"})",
                {"encoder: read layers", "a list", "got the string \"window\""}},
        Refused{"a layer of a side",
                R"({"encoder": ["window"], "decoder": ["window", null]})",
                {"layer 2 of the decoder: ", "got null"}},
        Refused{"an unknown mechanism", R"(["windw"])", {"layer 1: ", "did you mean \"window\"?"}},
        Refused{"an unknown mechanism of an object",
                R"([{"attention": "windw"}])",
                {"layer 1: /attention: ", "did you mean \"window\"?"}},
        Refused{"a mechanism that is no word", R"([{"attention": 3}])", {"layer 1: /attention: ", "got 3"}},
        Refused{"neither mechanism nor spec", R"([{"set": {}}])", {"layer 1: ", "got neither"}},
        Refused{"both", R"([{"spec": {}, "attention": "window"}])", {"layer 1: ", "got both"}},
        Refused{"another field",
                R"([{"attention": "window", "sets": {}}])",
                {"layer 1: ", "did you mean \"set\"?"}},
        Refused{"knobs of a spec", R"([{"spec": {}, "set": {"size": 2}}])", {"layer 1: /set: "}},
        Refused{"knobs that are no object",
                R"([{"attention": "window", "set": 4}])",
                {"layer 1: /set: ", "got 4"}},
        Refused{"a knob that there is not",
                R"([{"attention": "window", "set": {"sise": 2}}])",
                {"layer 1: /set: ", "\"size\"", "sise"}},
        Refused{"a knob out of its range",
                R"([{"attention": "window", "set": {"size": 0}}])",
                {"layer 1: /set: "}},
        Refused{"a knob that is a list",
                R"([{"attention": "window", "set": {"size": [2]}}])",
                {"layer 1: /set/size: ", "got a list"}},
        Refused{"a spec's word",
                R"([{"spec": {"score": {"type": "dott"}}}])",
                {"layer 1: /spec/score/type: ", "did you mean \"dot\"?"}},
        Refused{"a field twice", R"([{"attention": "window", "attention": "gla"}])", {}}));

}  // namespace

}  // namespace headlight::layers_file_test

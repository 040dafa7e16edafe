// A training that was interrupted, written, read and resumed ends with the bytes of one that was not.

#include "core/io/checkpoint_file.h"
#include "core/io/json_text.h"
#include "core/io/model_folder.h"
#include "core/io/model_json.h"
#include "core/io/safetensors.h"
#include "tests/support/refusal.h"
#include "tests/support/small_models.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace headlight::training_checkpoint_test {

using namespace test;

namespace {

class Checkpoints : public testing::TestWithParam<SmallModel> {};

TEST_P(Checkpoints, ResumeToTheSameBytes) {
    const TrainingSettings settings = small_settings(GetParam());
    Training whole(settings);
    for (Index i = 0; i < 6; ++i)
        whole.step();

    Training first(settings);
    for (Index i = 0; i < 2; ++i)
        first.step();
    const std::string bytes = write_checkpoint({settings, first.checkpoint()});
    const Checkpoint read = parse_checkpoint(bytes);
    EXPECT_EQ(read.state, first.checkpoint());
    EXPECT_FALSE(difference(settings, read.settings));
    EXPECT_EQ(write_checkpoint(read), bytes);

    Training second(read.settings);
    second.resume(read.state);
    EXPECT_EQ(second.steps(), 2);
    for (Index i = 2; i < 6; ++i)
        second.step();
    EXPECT_EQ(second.checkpoint(), whole.checkpoint());
    EXPECT_EQ(write_model(trained_model(second, {})), write_model(trained_model(whole, {})));
}

INSTANTIATE_TEST_SUITE_P(Models, Checkpoints, testing::ValuesIn(small_models));

TEST(Training, SameSeedSamePartsSameBytesAndOtherwiseOthers) {
    const TrainingSettings settings = small_settings(small_models[0], 3);
    const auto trained = [](const TrainingSettings& each) {
        Training training(each);
        for (Index i = 0; i < 3; ++i)
            training.step();
        return training.checkpoint();
    };
    TrainingSettings other_seed = settings;
    other_seed.seed = 4;
    EXPECT_EQ(trained(settings), trained(settings));
    EXPECT_NE(trained(settings), trained(other_seed));
}

TEST(Training, EndsWhereTheLossIsNoNumber) {
    Training training(small_settings(small_models[0]));
    training.step();
    TrainingState state = training.checkpoint();
    std::ranges::fill(state.weights, std::numeric_limits<float>::quiet_NaN());
    training.resume(std::move(state));
    expect_refusal([&] { training.step(); }, {"train", "step 2", "a loss that is a number", "diverged"});
}

TEST(Checkpoint, OfOtherSettingsSaysWhichDiffers) {
    const TrainingSettings here = small_settings(small_models[0]);
    TrainingSettings there = here;
    there.seed = 9;
    const auto found = difference(here, there);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->where, "/training/seed");
    EXPECT_EQ(found->here, "3");
    EXPECT_EQ(found->there, "9");
}

TrainingSettings covering(double lambda) {
    TrainingSettings settings = small_settings(small_models[0]);
    std::get<RecurrentConfiguration>(settings.model).coverage_loss = lambda;
    return settings;
}

TEST(Layers, AreWrittenWhereTheyDiffer) {
    const SmallModel& layered =
        *std::ranges::find(small_models, std::string_view("layers that differ"), &SmallModel::name);
    const TrainingSettings settings = small_settings(layered);
    const auto document = to_json(settings);
    EXPECT_FALSE(document["configuration"].contains("encoder_mechanisms"));
    EXPECT_EQ(document["configuration"]["decoder_mechanisms"].size(), 2u);
    const TrainingSettings read = training_settings_from_json(document);
    EXPECT_FALSE(difference(settings, read));
    const auto& layers = std::get<TransformerConfiguration>(read.model).decoder;
    ASSERT_EQ(layers.size(), 2u);
    EXPECT_TRUE(layers[0].mechanism && layers[1].mechanism);
    EXPECT_FALSE(layers[0].mechanism == layers[1].mechanism);
    EXPECT_FALSE(to_json(small_settings(small_models[3]))["configuration"].contains("decoder_mechanisms"))
        << "the bytes of models whose layers are alike";
}

TEST(HostSettings, AreWrittenWhereTheyDiffer) {
    TrainingSettings settings = small_settings(small_models[0]);
    const auto plain = to_json(settings)["configuration"];
    for (const char* field : {"layers", "hops", "points"})
        EXPECT_FALSE(plain.contains(field)) << field;
    auto& recurrent = std::get<RecurrentConfiguration>(settings.model);
    recurrent.hops = 3;
    recurrent.layers = 2;
    recurrent.points = true;
    recurrent.style = DecoderStyle::wrapper;
    const TrainingSettings read = training_settings_from_json(to_json(settings));
    EXPECT_FALSE(difference(settings, read));
    const auto& its = std::get<RecurrentConfiguration>(read.model);
    EXPECT_TRUE(its.hops == 3 && its.layers == 2 && its.points && its.style == DecoderStyle::wrapper);
    recurrent.layers = recurrent.hops = 1;
    recurrent.style = DecoderStyle::dense;
    EXPECT_FALSE(difference(settings, training_settings_from_json(to_json(settings))));

    settings = small_settings(small_models[3]);
    for (const char* field : {"turns", "mixer", "reach"})
        EXPECT_FALSE(to_json(settings)["configuration"].contains(field)) << field;
    auto& transformer = std::get<TransformerConfiguration>(settings.model);
    transformer.turns = 5;
    transformer.mixer = Mixer::convolution;
    transformer.reach = 7;
    transformer.feed_forward = 0;
    const TrainingSettings again = training_settings_from_json(to_json(settings));
    EXPECT_FALSE(difference(settings, again));
    EXPECT_EQ(std::get<TransformerConfiguration>(again.model).reach, 7);
    for (const auto& [field, wrong] :
         {std::pair{"turns", 0}, {"turns", 33}, {"reach", 65}, {"feed_forward", -1}}) {
        auto document = to_json(settings);
        document["configuration"][field] = wrong;
        EXPECT_NE(refusal([&] { training_settings_from_json(document); }).find(field), std::string::npos)
            << field << ' ' << wrong;
    }
}

TEST(CoverageLoss, IsWrittenWhereThereIsOne) {
    EXPECT_FALSE(to_json(covering(0))["configuration"].contains("coverage_loss"))
        << "the bytes of models that were trained before there was one";
    const TrainingSettings read = training_settings_from_json(to_json(covering(0.5)));
    EXPECT_EQ(std::get<RecurrentConfiguration>(read.model).coverage_loss, 0.5);
    EXPECT_FALSE(difference(covering(0.5), read));
    for (const auto& [here, there] : {std::pair{0.0, 0.5}, {0.5, 0.0}, {0.5, 1.0}}) {
        const auto found = difference(covering(here), covering(there));
        ASSERT_TRUE(found) << here << ' ' << there;
        EXPECT_EQ(found->where, "/configuration/coverage_loss");
        EXPECT_EQ(found->here, here > 0 ? "0.5" : "none");
    }
}

TEST(CoverageLoss, ThatIsNoneIsRefused) {
    for (const char* wrong : {"-1", "1e9", "\"much\"", "null"}) {
        nlohmann::json document = to_json(covering(0.5));
        document["configuration"]["coverage_loss"] = nlohmann::json::parse(wrong);
        EXPECT_NE(
            refusal([&] { training_settings_from_json(document); }).find("/configuration/coverage_loss"),
            std::string::npos)
            << wrong;
    }
    TrainingSettings drawn = covering(0.5);
    std::get<RecurrentConfiguration>(drawn.model).normalizer.type = NormalizerType::hard;
    EXPECT_NE(refusal([&] { model_of(drawn); }).find("hard attention"), std::string::npos);
}

TEST(CoverageLoss, IsPartOfTheLossAndOfNothingThatIsSaid) {
    Training without(covering(0)), with(covering(2));
    EXPECT_EQ(without.model().host->layout().size(), with.model().host->layout().size());
    EXPECT_GT(with.step(), without.step() + 0.1);
}

TEST(Checkpoint, OfAnotherModelIsRefused) {
    Training small(small_settings(small_models[0]));
    Training other(small_settings(small_models[1]));
    EXPECT_NE(refusal([&] { small.resume(other.checkpoint()); }).find("weights"), std::string::npos);
}

struct Broken {
    const char* name;
    void (*change)(SafetensorsFile&);
    const char* message;
};
void PrintTo(const Broken& row, std::ostream* out) { *out << row.name; }

class BrokenCheckpoints : public testing::TestWithParam<Broken> {};

TEST_P(BrokenCheckpoints, AreRefused) {
    const Training training(small_settings(small_models[0]));
    SafetensorsFile file = parse_safetensors(write_checkpoint({training.settings(), training.checkpoint()}));
    GetParam().change(file);
    const std::string message = refusal([&] { parse_checkpoint(write_safetensors(file)); });
    EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(
    Rows, BrokenCheckpoints,
    testing::Values(
        Broken{"no format", [](SafetensorsFile& file) { file.metadata.erase("format"); }, "\"format\""},
        Broken{"another format", [](SafetensorsFile& file) { file.metadata["format"] = "headlight-trace/1"; },
               "\"headlight-checkpoint/1\", got \"headlight-trace/1\""},
        Broken{"no settings", [](SafetensorsFile& file) { file.metadata.erase("settings"); }, "\"settings\""},
        Broken{"settings that are no JSON", [](SafetensorsFile& file) { file.metadata["settings"] = "{"; },
               "metadata settings: line 1"},
        Broken{"more steps than there are", [](SafetensorsFile& file) { file.metadata["steps"] = "7"; },
               "/steps: "},
        Broken{"steps that are no number", [](SafetensorsFile& file) { file.metadata["steps"] = "\"2\""; },
               "/steps: "},
        Broken{"no weights", [](SafetensorsFile& file) { file.tensors.erase("weights"); },
               "tensor \"weights\""},
        Broken{"other moments",
               [](SafetensorsFile& file) { file.tensors["first_moment"] = Tensor({3}, 0.0); },
               "tensor \"first_moment\""},
        Broken{"weights that are no numbers",
               [](SafetensorsFile& file) { file.tensors["weights"].values()[1] = 1e300; },
               "numbers that fit a float"}));

}  // namespace

}  // namespace headlight::training_checkpoint_test

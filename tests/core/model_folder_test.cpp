// Trained models come back from their folders, the same model always as the same bytes; folders that lie are
// refused, and nobody's files are lost.

#include "core/io/files.h"
#include "core/io/folders.h"
#include "core/io/json_text.h"
#include "core/io/model_folder.h"
#include "core/io/shipped_models.h"
#include "core/io/stored_types.h"
#include "core/io/tokenizer_file.h"
#include "core/model/prompt.h"
#include "tests/support/greedy.h"
#include "tests/support/refusal.h"
#include "tests/support/small_models.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <limits>
#ifdef __unix__
#include <unistd.h>
#endif

namespace headlight::model_folder_test {

using namespace test;
using nlohmann::json;

namespace {

TrainedModel parsed(const ModelFiles& files) {
    return parse_model(files.config, files.weights, files.tokenizer, files.target_tokenizer);
}

class ModelFolders : public testing::TestWithParam<SmallModel> {};

TEST_P(ModelFolders, ComeBack) {
    const TrainedModel model = small_trained(GetParam());
    const ModelFiles files = write_model(model);
    const TrainedModel read = parsed(files);
    EXPECT_EQ(write_model(read), files);
    EXPECT_EQ(read.weights, model.weights);
    EXPECT_EQ(read.steps, 2);
    EXPECT_EQ(read.exact_match, model.exact_match);
    EXPECT_EQ(read.model->source.words(), model.model->source.words());
    EXPECT_EQ(read.model->target.words(), model.model->target.words());
    EXPECT_EQ(files.target_tokenizer.empty(), model.model->has_one_vocabulary());

    const Example asked = example(model.model->task, 1, 0, Split::held_out);
    EXPECT_EQ(say_greedily(read, asked), say_greedily(model, asked));
}

TEST_P(ModelFolders, LoseNothingAsHalfOnceRounded) {
    const TrainedModel model = with_half_weights(small_trained(GetParam()));
    const ModelFiles files = write_model(model, StoredType::f16);
    EXPECT_EQ(parsed(files).weights, model.weights);
    EXPECT_LT(files.weights.size(), write_model(model).weights.size() - model.weights.size());
}

INSTANTIATE_TEST_SUITE_P(Models, ModelFolders, testing::ValuesIn(small_models));

TEST(ModelFolder, TakesThePlaceOfAnOlderOneAndItsCheckpoint) {
    const TemporaryFolder place;
    const TrainedModel model = small_trained(small_models[0]);
    const TrainedModel one_text = small_trained(small_models[4]);
    write_model_folder(model, place / "m");
    EXPECT_TRUE(std::filesystem::exists(place / "m" / "target_tokenizer.json"));
    EXPECT_EQ(read_model_folder(place / "m").weights, model.weights);
    EXPECT_EQ(open_model((place / "m").string()).weights, model.weights);
    write_file_atomically(place / "m" / checkpoint_name, "half a training");
    write_model_folder(one_text, (place / "m").string() + "/");
    EXPECT_EQ(read_model_folder(place / "m").weights, one_text.weights);
    EXPECT_FALSE(std::filesystem::exists(place / "m" / "target_tokenizer.json"));
    EXPECT_FALSE(std::filesystem::exists(place / "m" / checkpoint_name));
    EXPECT_EQ(place.size(), 1) << "something was left behind";
}

TEST(ModelFolder, TakesThePlaceOfWhatAKilledProgramLeft) {
    const TemporaryFolder place;
    std::filesystem::create_directory(place / "m");
    place.write("m/.headlight-5521-0.tmp", "half a checkpoint");
    place.write("m/checkpoint.safetensors", "half a training");
    EXPECT_EQ(refusal([&] { read_model_folder(place / "m"); }),
              (place / "m").string() +
                  ": read model: expected a folder with config.json, got a training that "
                  "has not come to its end");
    require_model_place(place / "m");
    write_model_folder(small_trained(small_models[0]), place / "m");
    EXPECT_FALSE(std::filesystem::exists(place / "m" / ".headlight-5521-0.tmp"));
    EXPECT_EQ(place.size(), 1) << "something was left behind";
}

TEST(OccupiedFolder, IsWrittenByOneAndNotLeftEmpty) {
    const TemporaryFolder place;
    {
        const OccupiedFolder first(place / "m");
        EXPECT_NE(refusal([&] { OccupiedFolder(place / "m"); }).find("no other program"), std::string::npos);
    }
    EXPECT_EQ(place.size(), 0);
    std::filesystem::create_directory(place / "mine");
    { const OccupiedFolder again(place / "mine"); }
    EXPECT_TRUE(std::filesystem::exists(place / "mine"));
}

TEST(ModelFolder, NeverTakesThePlaceOfOtherFiles) {
    const TemporaryFolder place;
    const TrainedModel model = small_trained(small_models[0]);
    std::filesystem::create_directory(place / "mine");
    place.write("mine/notes.txt", "years of work");
    place.write("file", "a file");
    std::filesystem::create_directories(place / "nested" / "config.json");
    for (const char* name : {"mine", "file", "nested", "no/such/folder", ""}) {
        const std::string folder = *name ? (place / name).string() : "";
        const std::string message = refusal([&] { require_model_place(folder); });
        EXPECT_NE(message.find("write folder"), std::string::npos) << message;
        EXPECT_EQ(refusal([&] { write_model_folder(model, folder); }), message);
    }
    EXPECT_EQ(read_file(place / "mine" / "notes.txt"), "years of work");
    EXPECT_EQ(place.size(), 3) << "something was left behind";
}

TEST(ModelFolder, FollowsALink) {
    const TemporaryFolder place;
    std::filesystem::create_directory(place / "real");
    std::filesystem::create_directory_symlink(place / "real", place / "link");
    write_model_folder(small_trained(small_models[0]), place / "link");
    EXPECT_TRUE(std::filesystem::is_symlink(place / "link"));
    EXPECT_TRUE(std::filesystem::exists(place / "real" / "config.json"));
}

TEST(ModelFolder, ThatIsNoneIsRefusedByName) {
    const TemporaryFolder place;
    std::filesystem::create_directory(place / "empty");
    expect_refusal([&] { read_model_folder(place / "empty"); }, {"empty", "config.json"});
    expect_refusal([&] { read_model_folder(place / "none"); }, {"no such folder"});
    expect_refusal([&] { open_model("dates-aditive"); }, {"a folder that headlight train made"});
    const std::string weights(shipped_models().front().weights);
    expect_refusal([&] { open_model(place.write("alone.safetensors", weights).string()); },
                   {"alone.safetensors", "expected a folder that \"headlight train\" made, got a file"});
    std::filesystem::create_directory(place / "mine");
    place.write("mine/config.json", "{}");
    expect_refusal([&] { open_model(place.write("mine/model.safetensors", weights).string()); },
                   {"model.safetensors", "expected a folder that \"headlight train\" made",
                    "got a file in it: the folder is " + (place / "mine").string()});
    for (const ShippedModel& model : shipped_models())
        EXPECT_FALSE(read_shipped_model(model).weights.empty()) << model.name;
}

#ifdef __unix__
/// While it lasts the test is not root, who may read everything.
class Nobody {
public:
    Nobody() { is_so_ = was_ != 0 || seteuid(nobody) == 0; }
    bool is_so() const { return is_so_; }
    ~Nobody() { EXPECT_EQ(seteuid(was_), 0); }

private:
    static constexpr uid_t nobody = 65534;
    const uid_t was_ = geteuid();
    bool is_so_ = false;
};

TEST(ModelFolder, ThatMayNotBeReadIsNotSaidToLackAFile) {
    const TemporaryFolder place;
    write_model_folder(small_trained(small_models[0]), place / "locked");
    std::filesystem::permissions(place / "", std::filesystem::perms::all);
    std::filesystem::permissions(place / "locked", std::filesystem::perms::none);
    {
        const Nobody person;
        if (!person.is_so())
            GTEST_SKIP() << "root cannot become anybody else here";
        expect_refusal([&] { read_model_folder(place / "locked"); }, {"locked", "a folder that can be read"});
    }
    std::filesystem::permissions(place / "locked", std::filesystem::perms::owner_all);
}
#endif

// Folders that lie

struct Lie {
    const char* name;
    void (*change)(json& config);
    const char* message;
};
void PrintTo(const Lie& row, std::ostream* out) { *out << row.name; }

class LyingConfigurations : public testing::TestWithParam<Lie> {};

TEST_P(LyingConfigurations, AreRefused) {
    ModelFiles files = write_model(small_trained(small_models[3]));
    json config = json::parse(files.config);
    GetParam().change(config);
    files.config = config.dump();
    const std::string message = refusal([&] { parsed(files); });
    EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(
    Rows, LyingConfigurations,
    testing::Values(
        Lie{"no format", [](json& c) { c.erase("format"); },
            "config.json: /format: read model: expected \"headlight-model/1\", got none"},
        Lie{"another format", [](json& c) { c["format"] = "headlight-model/2"; }, "headlight-model/2"},
        Lie{"no object", [](json& c) { c = json::array(); }, "config.json: "},
        Lie{"no task", [](json& c) { c.erase("task"); }, "/task"},
        Lie{"an unknown task", [](json& c) { c["task"] = "date"; }, "/task: find a task: expected"},
        Lie{"no architecture", [](json& c) { c.erase("architecture"); }, "/architecture"},
        Lie{"an unknown architecture", [](json& c) { c["architecture"] = "transformers"; },
            "did you mean \"transformer\""},
        Lie{"another architecture", [](json& c) { c["architecture"] = "recurrent"; }, "config.json: "},
        Lie{"a width beyond memory", [](json& c) { c["configuration"]["width"] = 1e15; },
            "/configuration/width"},
        Lie{"a width of 0", [](json& c) { c["configuration"]["width"] = 0; }, "/configuration/width"},
        Lie{"an odd width", [](json& c) { c["configuration"]["width"] = 7; },
            "/configuration/width: make a Transformer: expected an even number"},
        Lie{"heads that do not divide", [](json& c) { c["configuration"]["heads"] = 3; }, "heads"},
        Lie{"more weights than are allowed",
            [](json& c) {
                c["configuration"]["width"] = 4096;
                c["configuration"]["encoder_layers"] = 64;
            },
            "at most 67108864 weights"},
        Lie{"other weights than the file has", [](json& c) { c["configuration"]["width"] = 16; },
            "model.safetensors: tensor \""},
        Lie{"a layer more", [](json& c) { c["configuration"]["decoder_layers"] = 3; }, "tensor \"decoder.2."},
        Lie{"a layer less", [](json& c) { c["configuration"]["decoder_layers"] = 1; },
            "no weight beyond those of the configuration"},
        Lie{"an unknown normaliser",
            [](json& c) { c["configuration"]["attention"]["normalizer"]["type"] = "softmaxx"; },
            "/configuration/attention/normalizer/type"},
        Lie{"a part of a spec that a model has not", [](json& c) { c["configuration"]["attention"] = 3; },
            "/configuration/attention"},
        Lie{"a field that no model has", [](json& c) { c["configuration"]["droput"] = 0.1; },
            "\"droput\" (did you mean \"dropout\"?)"},
        Lie{"another part of a spec",
            [](json& c) { c["configuration"]["attention"]["mask"] = json::object(); },
            "/configuration/attention: read model: expected one of the fields \"score\" or \"normalizer\", "
            "got \"mask\""},
        Lie{"an option that the score has not",
            [](json& c) { c["configuration"]["attention"]["score"]["activations"] = "tanh"; },
            "/configuration/attention/score"},
        Lie{"a field that no training has", [](json& c) { c["training"]["epochs"] = 3; },
            "/training: read model: expected one of the fields"},
        Lie{"a field that no schedule has", [](json& c) { c["training"]["schedule"]["warmup"] = 3; },
            "\"warmup\" (did you mean \"warm_up\"?)"},
        Lie{"a field that Adam has not", [](json& c) { c["training"]["adam"]["amsgrad"] = true; },
            "/training/adam: "},
        Lie{"mechanisms of other layers than there are",
            [](json& c) { c["configuration"]["encoder_mechanisms"] = json::array({json::object()}); },
            "/configuration/encoder_mechanisms: read model: expected a list of mechanisms, one for each of 2 "
            "layers, got 1"},
        Lie{"a mechanism of a layer that is none",
            [](json& c) {
                c["configuration"]["decoder_mechanisms"] = json::array({json::object(), 3});
            },
            "/configuration/decoder_mechanisms/1: "},
        Lie{"mechanisms of layers that the model has not",
            [](json& c) {
                c["configuration"]["kind"] = "decoder";
                c["configuration"]["encoder_mechanisms"] = json::array({json::object(), json::object()});
            },
            "no such field: the model has no such layers"},
        Lie{"layers that share without mechanisms",
            [](json& c) {
                c["configuration"]["decoder_shares"] = json::array({nullptr, 1});
            },
            "/configuration/decoder_shares: read model: expected a list with null or the number of a layer "
            "for "
            "each of the 0 mechanisms of layers beside it, got 2 entries"},
        Lie{"a layer that shares with a word",
            [](json& c) {
                c["configuration"]["decoder_mechanisms"] = json::array({json::object(), json::object()});
                c["configuration"]["decoder_shares"] = json::array({nullptr, "0"});
            },
            "/configuration/decoder_shares/1: read model: expected null, or the number of an earlier layer"},
        Lie{"a layer that shares with itself",
            [](json& c) {
                c["configuration"]["decoder_mechanisms"] = json::array({json::object(), json::object()});
                c["configuration"]["decoder_shares"] = json::array({nullptr, 2});
            },
            "layer 2 of the decoder: shares: "},
        Lie{"a decoder that is asked for a label",
            [](json& c) { c["configuration"]["pooling"] = "attention"; }, "pooling: "},
        Lie{"segments beyond memory", [](json& c) { c["configuration"]["segment"] = 4097; },
            "/configuration/segment"},
        Lie{"segments of a convolution",
            [](json& c) {
                c["configuration"]["mixer"] = "convolution";
                c["configuration"]["segment"] = 2;
            },
            "segment: "},
        Lie{"two streams beside an encoder", [](json& c) { c["configuration"]["two_streams"] = true; },
            "/configuration/two_streams: make a Transformer: expected false"},
        Lie{"a number of streams", [](json& c) { c["configuration"]["two_streams"] = 2; },
            "/configuration/two_streams"},
        Lie{"distances beside a cap",
            [](json& c) {
                c["configuration"]["places"] = "distances";
                c["configuration"]["attention"]["score"]["softcap"] = 3;
            },
            "beside places that are distances, got a cap"},
        Lie{"a dropout of everything", [](json& c) { c["configuration"]["dropout"] = 1.5; }, "/dropout"},
        Lie{"a negative seed", [](json& c) { c["training"]["seed"] = -1; }, "/training/seed"},
        Lie{"more parts than examples", [](json& c) { c["training"]["parts"] = 9; }, "/training/parts"},
        Lie{"more parts than there are threads",
            [](json& c) {
                c["training"]["batch"] = 65536;
                c["training"]["parts"] = 65536;
            },
            "from 1 to 64"},
        Lie{"more steps than there were", [](json& c) { c["training"]["steps_done"] = 99; },
            "/training/steps_done"},
        Lie{"better than all right", [](json& c) { c["training"]["exact_match"] = 1.5; }, "/exact_match"},
        Lie{"a decoder that reads one text", [](json& c) { c["configuration"]["kind"] = "decoder"; },
            "target_tokenizer.json"},
        Lie{"a classifier of dates", [](json& c) { c["configuration"]["kind"] = "encoder"; },
            "a model that says a text"}));

TEST(LyingModel, FieldsThatNoRecurrentModelHasAreRefused) {
    ModelFiles files = write_model(small_trained(small_models[0]));
    const json right = json::parse(files.config);
    for (const char* place : {"/configuration", "/configuration/window", "/configuration/reinforcement"}) {
        json config = right;
        config[json::json_pointer(place)]["later"] = 1;
        files.config = config.dump();
        expect_refusal([&] { parsed(files); },
                       {std::string("config.json: ") + place + ": ", "got \"later\""});
    }
}

TEST(LyingModel, TwoStreamsNeedTheVectorThatAGuessBeginsAs) {
    ModelFiles files = write_model(small_trained({"", "sort", HostType::gpt}));
    json config = json::parse(files.config);
    config["configuration"]["places"] = "sinusoidal";
    config["configuration"]["two_streams"] = true;
    files.config = config.dump();
    expect_refusal([&] { parsed(files); }, {"model.safetensors", "guess_embedding"});
    files = write_model(small_trained({"", "sort", HostType::two_stream}));
    config = json::parse(files.config);
    EXPECT_EQ(config["configuration"]["two_streams"], true);
    config["configuration"].erase("two_streams");
    files.config = config.dump();
    expect_refusal([&] { parsed(files); }, {"no weight beyond those of the configuration"});
}

TEST(LyingModel, AMechanismThatNoRecurrentModelCanHaveIsRefused) {
    ModelFiles files = write_model(small_trained(small_models[0]));
    const json right = json::parse(files.config);
    EXPECT_FALSE(right["configuration"].contains("mechanism"));
    const auto with = [&](const json& mechanism) {
        json config = right;
        config["configuration"]["mechanism"] = mechanism;
        files.config = config.dump();
        return files;
    };
    expect_refusal([&] { parsed(with(3)); }, {"/configuration/mechanism"});
    expect_refusal([&] { parsed(with({{"mask", {{"type", "causal"}}}})); }, {"attend to a source", "mask"});
}

/// Hugging Face's loaders write and ask for some.
TEST(ModelFolder, OtherProgramsHaveFieldsOfTheirs) {
    const TrainedModel model = small_trained(small_models[3]);
    ModelFiles files = write_model(model);
    json config = json::parse(files.config);
    config["model_type"] = "headlight";
    config["architectures"] = {"HeadlightModel"};
    config["transformers_version"] = "4.44.0";
    files.config = config.dump();
    EXPECT_EQ(parsed(files).weights, model.weights);
}

TEST(LyingModel, WeightsAreRefused) {
    const TrainedModel model = small_trained(small_models[0]);
    const ModelFiles right = write_model(model);
    const auto changed = [&](auto change) {
        SafetensorsFile file = parse_safetensors(right.weights);
        change(file);
        ModelFiles files = right;
        files.weights = write_safetensors(file);
        return refusal([&] { parsed(files); });
    };
    EXPECT_NE(changed([](auto& file) {
                  file.tensors.erase("decoder.b_first");
              }).find("model.safetensors: tensor \"decoder.b_first\": read model: expected [1, 8], got none"),
              std::string::npos);
    EXPECT_NE(changed([](auto& file) {
                  file.tensors["decoder.b_first"] = Tensor({8, 1}, 0.0);
              }).find("[8, 1]"),
              std::string::npos);
    EXPECT_NE(changed([](auto& file) { file.tensors["more"] = Tensor({1}, 0.0); }).find("\"more\""),
              std::string::npos);
    EXPECT_NE(changed([](auto& file) { file.tensors["b_output"].values()[0] = 1e300; }).find("fit a float"),
              std::string::npos);
    EXPECT_NE(
        changed([](auto& file) { file.tensors["b_output"].values()[0] = std::nan(""); }).find("\"b_output\""),
        std::string::npos);
    ModelFiles files = right;
    files.weights.resize(files.weights.size() - 1);
    expect_refusal([&] { parsed(files); }, {"model.safetensors: ", "read safetensors"});
}

// Tokenizers

TEST(Tokenizer, HasTheFormOfHuggingFace) {
    const Task& dates = task("dates");
    const json characters =
        json::parse(write_tokenizer(Vocabulary(dates.source_vocabulary), Writing::characters));
    EXPECT_EQ(characters["model"]["type"], "WordLevel");
    EXPECT_EQ(characters["model"]["vocab"]["<s>"], 0);
    EXPECT_EQ(characters["model"]["vocab"]["</s>"], 1);
    EXPECT_EQ(characters["pre_tokenizer"]["type"], "Split");
    EXPECT_EQ(characters["added_tokens"].size(), 2u);
    EXPECT_EQ(characters["version"], "1.0");

    const json one_text = json::parse(write_model(small_trained(small_models[4])).tokenizer);
    EXPECT_EQ(one_text["added_tokens"][2]["content"], "=>") << "longer than a character";
    EXPECT_EQ(one_text["added_tokens"][2]["special"], false);

    const json in_words =
        json::parse(write_tokenizer(Vocabulary(task("translate").source_vocabulary), Writing::english));
    EXPECT_EQ(in_words["pre_tokenizer"]["type"], "WhitespaceSplit");
}

struct BadTokenizer {
    const char* text;
    const char* message;
};
void PrintTo(const BadTokenizer& row, std::ostream* out) { *out << row.text; }

class BadTokenizers : public testing::TestWithParam<BadTokenizer> {};

TEST_P(BadTokenizers, AreRefused) {
    const std::string message = refusal([] { parse_tokenizer(GetParam().text); });
    EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(
    Rows, BadTokenizers,
    testing::Values(
        BadTokenizer{"[]", "an object"}, BadTokenizer{"{}", "/model"},
        BadTokenizer{R"({"model": {}})", "/model/type: read tokenizer: expected \"WordLevel\", got none"},
        BadTokenizer{R"({"model": {"type": "BPE"}})", "got \"BPE\""},
        BadTokenizer{R"({"model": {"type": "WordLevel"}})", "/model/vocab"},
        BadTokenizer{R"({"model": {"type": "WordLevel", "vocab": ["<s>", "</s>"]}})", "/model/vocab"},
        BadTokenizer{R"({"model": {"type": "WordLevel", "vocab": {"<s>": 0}}})", "got 1 words"},
        BadTokenizer{R"({"model": {"type": "WordLevel", "vocab": {"<s>": 0, "</s>": 2}}})",
                     "/model/vocab/<~1s>"},
        BadTokenizer{R"({"model": {"type": "WordLevel", "vocab": {"<s>": 0, "</s>": 0}}})", "once"},
        BadTokenizer{R"({"model": {"type": "WordLevel", "vocab": {"<s>": 0, "</s>": -1}}})", "once, got -1"},
        BadTokenizer{R"({"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1}}})",
                     "\"<s>\" as number 0, got \"a\""},
        BadTokenizer{R"({"model": {"type": "WordLevel", "vocab": {"<s>": 0, "<s>": 1}}})", "second"}));

// 16-bit floats

struct Half {
    double number;
    std::uint16_t bits;
};

TEST(Half, IsTheNearestAndOfTwoTheEvenOne) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const Half& row :
         {Half{0, 0x0000}, Half{-0.0, 0x8000}, Half{1, 0x3C00}, Half{-2, 0xC000}, Half{65504, 0x7BFF},
          Half{65519.9, 0x7BFF}, Half{65520, 0x7C00}, Half{infinity, 0x7C00}, Half{-infinity, 0xFC00},
          Half{0x1p-14, 0x0400}, Half{0x1p-24, 0x0001}, Half{0x1p-25, 0x0000}, Half{0x1.8p-25, 0x0001},
          Half{1 + 0x1p-11, 0x3C00}, Half{1 + 0x1.8p-10, 0x3C02}, Half{0x1.ffep-15, 0x0400},
          Half{1e-300, 0x0000}, Half{1e300, 0x7C00}})
        EXPECT_EQ(to_half(row.number), row.bits) << row.number;
    EXPECT_TRUE(std::isnan(rounded_to_half(std::nan(""))));
    for (unsigned bits = 0; bits < 0x7C00; ++bits) {
        const char bytes[2] = {static_cast<char>(bits & 0xFF), static_cast<char>(bits >> 8)};
        ASSERT_EQ(to_half(find_stored_number("F16")->read(bytes)), bits);
    }
}

// What a model says

TEST_P(ModelFolders, SayAndTraceWhatTheyLookAt) {
    const TrainedModel trained = small_trained(GetParam());
    const TaskModel& model = *trained.model;
    const Example asked = example(model.task, 1, 1, Split::held_out);
    const bool is_language_model = model.task.kind == TaskKind::language_model;
    const Tokens& typed = is_language_model ? asked.target : asked.source;
    const Prompt read =
        prompt(model, text_of(model.task, std::span(typed).first(std::min<std::size_t>(typed.size(), 5)),
                              Side::source));
    Generation generation(*model.host, trained.weights, read.source);
    begin(generation, read);
    const std::vector<Index> said = generate(model, generation, 4, {}, 1);
    ASSERT_FALSE(said.empty());
    EXPECT_LE(said.size(), 4u);
    EXPECT_EQ(generation.steps().size(), read.given.size() + said.size() - 1);
    const Trace trace = generation_trace(*model.host, trained.weights, generation,
                                         generated_words(model, generation, said), model.target.words());
    EXPECT_FALSE(trace.joined_specs.empty());

    // Teacher forcing of what was said anyway is the same generation.
    Generation forced(*model.host, trained.weights, read.source);
    begin(forced, read);
    EXPECT_LT(force(forced, said), 0);
    ASSERT_EQ(forced.steps().size(), generation.steps().size());
    EXPECT_EQ(forced.steps().back().logits, generation.steps().back().logits);
}

TEST(Prompt, RefusesWhatTheModelCannotRead) {
    const TrainedModel trained = small_trained(small_models[3]);
    expect_refusal([&] { prompt(*trained.model, "the catt sleeps"); }, {"catt"});
    expect_refusal([&] { prompt(*trained.model, ""); }, {"empty"});
    std::string long_text;
    for (int i = 0; i < 600; ++i)
        long_text += "cat ";
    expect_refusal([&] { prompt(*trained.model, long_text); }, {"at most 512 tokens, got 600"});
    const TrainedModel classifier = small_trained(small_models[6]);
    expect_refusal(
        [&] {
            forced_tokens(*classifier.model, Prompt{{}, {Vocabulary::begin}}, "balanced balanced");
        },
        {"one label"});
}

}  // namespace

}  // namespace headlight::model_folder_test

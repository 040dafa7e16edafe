// `headlight train`: a folder that can be read, the same one for the same seed whatever interrupted it, and
// refusals before anything is trained.

#include "core/io/model_folder.h"
#include "core/tensor/sanitizers.h"
#include "tests/cli/refusal.h"

#include <algorithm>
#include <csignal>
#include <thread>

namespace headlight::train_command_test {

using namespace headlight::test;

namespace {

using Arguments = std::vector<std::string>;

/// Too small to be good at anything.
Arguments small_of(const char* steps) {
    return {"train", "reverse", "--attention", "additive", "--width", "8", "--steps", steps, "--quiet"};
}
const Arguments small = small_of("60");
/// So many steps that one who looks every millisecond finds it underway, also when others keep it from
/// looking.
const Arguments interrupted = small_of("600");

Arguments with(Arguments arguments, const Arguments& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

std::vector<std::string> bytes_of(const Workplace& place, const std::string& folder) {
    std::vector<std::string> files;
    for (const char* name : {"config.json", "model.safetensors", "tokenizer.json", "target_tokenizer.json"})
        files.push_back(place.read(folder + "/" + name));
    return files;
}

/// A training in the folder m, which has something to go on from already.
Workplace::Running underway(const Workplace& place) {
    Workplace::Running running = place.start(with(interrupted, {"-o", "m", "--checkpoint", "0"}));
    for (int patience = 0; patience < 60'000 && !place.has("m/checkpoint.safetensors"); ++patience)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return running;
}

TEST(Train, WritesAFolderAndSaysHowGoodItIs) {
    const Workplace place;
    const Outcome outcome = place.run(small);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(outcome.error, "");
    EXPECT_TRUE(std::regex_match(outcome.output,
                                 std::regex("reverse-additive-gru: exact match [0-9.]+ % of 2000 held-out "
                                            "examples, .*goal of 99.00 %.*; 60 steps, [0-9]+ weights\n")))
        << outcome.output;
    const TrainedModel model = read_model_folder(place.folder() / "reverse-additive-gru");
    EXPECT_EQ(model.steps, 60);
    EXPECT_EQ(model.exact_match.examples, 2000);
    EXPECT_FALSE(place.has("reverse-additive-gru/checkpoint.safetensors"));
}

TEST(Train, SaysHowFarItIsLineByLineInAPipe) {
    const Workplace place;
    Arguments arguments = small;
    arguments.back() = "--seed=2";
    const Outcome outcome = place.run(arguments);
    EXPECT_TRUE(std::regex_match(
        outcome.error,
        std::regex("step 50 of 60: loss [0-9.]+, exact match [0-9.]+ %, [0-9.]+ steps/s, .* left\n")))
        << outcome.error;
}

TEST(Train, SameSeedSameBytesWhateverInterruptsIt) {
    const Workplace place;
    EXPECT_EQ(place.run(with(interrupted, {"-o", "whole", "--record", "whole.safetensors"})).status, 0);
    const Arguments parts{"-o", "parts", "--record", "parts.safetensors"};

    // Killed as soon as there is something to go on from, then asked politely, then left alone.
    for (const int signal : {SIGKILL, SIGINT}) {
        const auto running = place.start(with(with(interrupted, parts), {"--checkpoint", "0"}));
        const auto checkpoint = place.folder() / "parts/checkpoint.safetensors";
        const auto seen = signal == SIGKILL ? std::filesystem::file_time_type::min()
                                            : std::filesystem::last_write_time(checkpoint);
        const auto is_written = [&] {
            return std::filesystem::exists(checkpoint) && std::filesystem::last_write_time(checkpoint) > seen;
        };
        for (int patience = 0; patience < 60'000 && !is_written(); ++patience)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        kill(running.process, signal);
        const Outcome outcome = Workplace::finish(running);
        EXPECT_EQ(outcome.status, 128 + signal) << outcome.error;
        if (signal == SIGINT) {
            EXPECT_TRUE(
                std::regex_search(outcome.error, std::regex("stopped after step [0-9]+ of 600; the same "
                                                            "command goes on from there\n$")))
                << outcome.error;
        }
        EXPECT_FALSE(place.has("parts/config.json"));
        EXPECT_TRUE(place.has("parts/checkpoint.safetensors"));
    }
    EXPECT_EQ(place.run(with(interrupted, parts)).status, 0);
    EXPECT_EQ(bytes_of(place, "parts"), bytes_of(place, "whole"));
    EXPECT_EQ(place.read("parts.safetensors"), place.read("whole.safetensors")) << "what was seen of it";
    EXPECT_FALSE(place.has("parts/checkpoint.safetensors"));
}

TEST(Train, HasItsFolderToItself) {
    const Workplace place;
    const auto running = underway(place);
    kill(running.process, SIGSTOP);
    expect_refused(place, with(interrupted, {"-o", "m"}), 1,
                   "m: write folder: expected a folder that no other program is writing");
    kill(running.process, SIGCONT);
    EXPECT_EQ(Workplace::finish(running).status, 0);
}

TEST(Train, NeverGoesOnFromAnotherTraining) {
    const Workplace place;
    const auto running = underway(place);
    kill(running.process, SIGKILL);
    EXPECT_EQ(Workplace::finish(running).status, 128 + SIGKILL);

    const Arguments other = with(interrupted, {"-o", "m", "--seed", "5"});
    const Outcome refused = place.run(other);
    EXPECT_EQ(refused.status, 1);
    EXPECT_EQ(refused.error,
              "headlight: m/checkpoint.safetensors: /training/seed: resume a training: expected 5 (--restart "
              "begins anew, -o elsewhere), got 1\n");
    EXPECT_EQ(place.run(with(other, {"--restart"})).status, 0);
    EXPECT_EQ(read_model_folder(place.folder() / "m").settings.seed, 5u);
}

TEST(Train, HalfIsHalfTheFile) {
    const Workplace place;
    EXPECT_EQ(place.run(with(small, {"-o", "half", "--half"})).status, 0);
    const TrainedModel model = read_model_folder(place.folder() / "half");
    EXPECT_LT(place.read("half/model.safetensors").size(), 3 * model.weights.size());
}

TEST(Train, ATransformerHasTheHeadsLayersAndRateThatWereAskedFor) {
    const Workplace place;
    const Outcome outcome =
        place.run({"train", "reverse", "--host", "transformer", "--width", "12", "--heads", "3", "--layers",
                   "1", "--learning-rate", "0.004", "--steps", "2", "--quiet", "-o", "m"});
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    const TrainedModel model = read_model_folder(place.folder() / "m");
    const auto& host = std::get<TransformerConfiguration>(model.model->configuration);
    EXPECT_EQ(host.heads, 3);
    EXPECT_EQ(host.encoder.size(), 1u);
    EXPECT_EQ(host.decoder.size(), 1u);
    EXPECT_EQ(model.settings.schedule.peak, 0.004);
}

TEST(Train, AnyMechanismIsTrainedReadAndTraced) {
    const Workplace place;
    const Arguments asked{
        "train",      "copy",    "--host", "gpt",     "--attention", "grouped_query", "--set",
        "kv_heads=2", "--heads", "4",      "--width", "8",           "--steps",       "2",
        "--quiet",    "-o",      "m"};
    const Outcome trained = place.run(asked);
    EXPECT_EQ(trained.status, 0) << trained.error;
    const auto model = read_model_folder(place.folder() / "m");
    const auto& host = std::get<TransformerConfiguration>(model.model->configuration);
    ASSERT_TRUE(host.mechanism());
    EXPECT_EQ(host.mechanism()->heads.heads, 4);
    EXPECT_EQ(host.mechanism()->heads.kv_heads, 2);
    const Outcome attended = place.run({"attend", "m", "--text", "ab", "-o", "t.json"});
    EXPECT_EQ(attended.status, 0) << attended.error;
    EXPECT_NE(place.read("t.json").find("decoder.0.self"), std::string::npos);
}

TEST(Train, AnyMechanismIsTrainedInARecurrentModelToo) {
    const Workplace place;
    const Outcome trained =
        place.run({"train", "dates", "--host", "gru", "--attention", "multi_head", "--set", "heads=2",
                   "--width", "8", "--steps", "3", "--quiet", "--record", "m/record.safetensors", "-o", "m"});
    EXPECT_EQ(trained.status, 0) << trained.error;
    const auto model = read_model_folder(place.folder() / "m");
    const auto& host = std::get<RecurrentConfiguration>(model.model->configuration);
    ASSERT_TRUE(host.mechanism);
    EXPECT_EQ(host.mechanism->heads.heads, 2);
    const Outcome attended = place.run({"attend", "m", "--text", "3rd of May 1979", "-o", "t.json"});
    EXPECT_EQ(attended.status, 0) << attended.error;
    EXPECT_NE(place.read("t.json").find("decoder.cross"), std::string::npos);
    EXPECT_NE(place.read("m/record.safetensors").find("decoder.cross"), std::string::npos) << "it is filmed";
}

TEST(Train, LayersHaveAttentionsOfTheirOwn) {
    Workplace place;
    place.write("layers.json", R"(["window", {"attention": "grouped_query", "set": {"kv_heads": 2}}])");
    const Arguments asked{"train",   "copy", "--host",  "gpt",      "--width",       "8",
                          "--steps", "2",    "--quiet", "--record", "r.safetensors", "--layers"};
    const Outcome trained = place.run(with(asked, {"layers.json"}));
    EXPECT_EQ(trained.status, 0) << trained.error;
    const auto model = read_model_folder(place.folder() / "copy-layers-gpt");
    const auto& host = std::get<TransformerConfiguration>(model.model->configuration);
    ASSERT_EQ(host.decoder.size(), 2u);
    ASSERT_TRUE(host.decoder[0].mechanism && host.decoder[1].mechanism);
    EXPECT_EQ(host.decoder[0].mechanism->heads.type, HeadsType::single);
    EXPECT_EQ(host.decoder[1].mechanism->heads.kv_heads, 2);
    const Outcome attended = place.run({"attend", "copy-layers-gpt", "--text", "ab", "-o", "t.json"});
    EXPECT_EQ(attended.status, 0) << attended.error;
    EXPECT_NE(place.read("t.json").find("decoder.1.self"), std::string::npos);

    EXPECT_EQ(place.run(with(asked, {"-", "-o", "piped"}), "layers.json").status, 0);
    for (const char* name : {"/config.json", "/model.safetensors"})
        EXPECT_EQ(place.read(std::string("piped") + name), place.read(std::string("copy-layers-gpt") + name));
}

TEST(Train, LayersHaveKeysAndValuesOfAnEarlierOne) {
    Workplace place;
    place.write("layers.json", R"(["grouped_query", {"attention": "grouped_query", "shares": 1}])");
    const Arguments asked{"train",   "copy", "--host",  "gpt", "--width", "8",        "--heads",    "2",
                          "--steps", "3",    "--quiet", "-o",  "m",       "--layers", "layers.json"};
    const Outcome trained = place.run(asked);
    EXPECT_EQ(trained.status, 0) << trained.error;
    const auto model = read_model_folder(place.folder() / "m");
    EXPECT_EQ(model.steps, 3);
    EXPECT_EQ(shares_of(std::get<TransformerConfiguration>(model.model->configuration).decoder),
              (SharedKeys{std::nullopt, 0}));
    std::vector<std::string> names;
    for (const auto& entry : model.model->host->layout().entries())
        names.push_back(entry.name);
    EXPECT_EQ(std::ranges::count(names, "decoder.0.self.W_k"), 1);
    EXPECT_EQ(std::ranges::count(names, "decoder.1.self.W_q"), 1);
    for (const char* tied : {"decoder.1.self.W_k", "decoder.1.self.W_v"})
        EXPECT_EQ(std::ranges::count(names, tied), 0) << tied;
    EXPECT_NE(place.read("m/config.json").find("decoder_shares"), std::string::npos);
    const Outcome attended = place.run({"attend", "m", "--text", "ab", "-o", "t.json"});
    EXPECT_EQ(attended.status, 0) << attended.error;
    EXPECT_NE(place.read("t.json").find("key_tokens"), std::string::npos) << "those of the first layer";
}

TEST(TrainLayers, AreRefusedByFileAndLayer) {
    Workplace place;
    place.write("shared.json", R"(["window", {"attention": "window", "shares": 2}])");
    place.write("turned.json", R"(["rope", {"attention": "window", "shares": 1}])");
    place.write("ahead.json", R"(["window", "linformer"])");
    place.write("right.json", R"(["window"])");
    const auto expect_so = [&](const Arguments& more, int status, const std::string& message) {
        expect_refused(place, with({"train", "copy", "--layers"}, more), status, message);
    };
    expect_so(
        {"shared.json"}, 1,
        "shared.json: layer 2: /shares: read layers: expected the number of an earlier layer, 1, got 2");
    expect_so(
        {"turned.json", "--host", "gpt"}, 1,
        "turned.json: layer 2: position: share keys and values: expected rope, as in layer 1, got none");
    expect_so({"ahead.json", "--host", "gpt"}, 1,
              "ahead.json: layer 2: .*the keys are summed up before any query sees them");
    expect_so({"ahead.json"}, 1, "ahead.json: layer 2 of the decoder: ");
    expect_so({"none.json"}, 1, "none.json");
    expect_so({"right.json", "--host", "gru"}, 2,
              "expected host transformer, gpt, xl, encoder, set, slots, hierarchical, coattention, "
              "triangles, vit or universal, got \"gru\"");
    expect_so({"right.json", "--attention", "window"}, 2, "--attention: train: expected no --layers FILE");
    expect_so({"right.json", "--set", "size=2"}, 2, "--set: train: expected no --layers FILE");
    expect_so({"1.5"}, 2, "--layers: .*1 to 64");
}

struct Refused {
    std::string name;
    Arguments arguments;  ///< after "train"
    int status;
    std::string message;  ///< regular expression
};
void PrintTo(const Refused& row, std::ostream* out) { *out << row.name; }

class TrainRefusal : public testing::TestWithParam<Refused> {};

TEST(TrainMemory, OfBatchesIsRefusedInOneLineThatLeavesNothing) {
    if (is_sanitized)
        GTEST_SKIP() << "a tape that a sanitizer watches takes its memory piece by piece, and does not ask";
    Workplace place;
    expect_refused(
        place, {"train", "dates", "--width", "8", "--memory", "1MB", "-o", "new", "--quiet"}, 1,
        "a batch: train: expected at most 1.0 MB of memory, as --memory says, got [0-9.]+ MB or more");
}

TEST_P(TrainRefusal, IsOneLineAndLeavesNothing) {
    Workplace place;
    std::filesystem::create_directory(place.folder() / "mine");
    place.write("mine/notes.txt", "years of work");
    place.write("file", "");
    expect_refused(place, with({"train"}, GetParam().arguments), GetParam().status, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, TrainRefusal,
    testing::Values(
        Refused{"no task", {}, 2, "a task \\(see headlight list\\), got none"},
        Refused{"two tasks", {"copy", "sort"}, 2, "got \"sort\""},
        Refused{"an unknown task", {"date"}, 2, "\"dates\".*got \"date\" \\(did you mean \"dates\"\\?\\)"},
        Refused{"an unknown attention",
                {"dates", "--attention", "aditive"},
                2,
                "attention of host gru that learns dates: expected "
                ".*\"general\".*\"additive\".*\"sparsemax\".*or a "
                "mechanism.*did you mean \"additive\""},
        Refused{"an attention that no decoder can have",
                {"dates", "--attention", "sinkhorn"},
                2,
                "expected .*got \"sinkhorn\""},
        Refused{"a mechanism of the places of one sequence",
                {"dates", "--host", "gru", "--attention", "window"},
                2,
                "attention window of host gru: .*patterns of places"},
        Refused{"a mechanism that follows the step before",
                {"dates", "--host", "gru", "--attention", "coverage", "--set", "bias=true"},
                2,
                "attention coverage of host gru: .*the weights of the step before, got \"coverage\""},
        Refused{"a mechanism that copies",
                {"dates", "--host", "gru", "--attention", "multi_head", "--copy"},
                2,
                "copy words of the source: .*a score or a normaliser.*got \"multi_head\""},
        Refused{"a coverage loss of a mechanism",
                {"dates", "--host", "gru", "--attention", "multi_head", "--coverage-loss", "1"},
                2,
                "coverage loss: .*a score or a normaliser.*got \"multi_head\""},
        Refused{"a parameter that the mechanism does not have",
                {"copy", "--host", "gpt", "--attention", "window", "--set", "sise=2"},
                2,
                "window: .*\"size\".*sise"},
        Refused{"a parameter as an option",
                {"copy", "--size", "2", "--host", "gpt", "--attention", "window"},
                2,
                "got \"--size\" \\(a parameter of the mechanism is set with \"--set size=VALUE\"\\)"},
        Refused{"a mechanism whose queries look ahead",
                {"copy", "--host", "gpt", "--attention", "linformer"},
                2,
                "attention linformer of host gpt.*the keys are summed up before any query sees them"},
        Refused{"an unknown host", {"dates", "--host", "gru2"}, 2, "--host: .*\"transformer\""},
        Refused{"a host that says no text",
                {"dates", "--host", "encoder"},
                2,
                "host for task dates: expected \"gru\".*got \"encoder\""},
        Refused{"a host that reads a source", {"stories", "--host", "gru"}, 2, "expected \"gpt\""},
        Refused{"a host that says no label", {"brackets", "--host", "gpt"}, 2, "expected \"encoder\""},
        Refused{"a coverage loss below nothing",
                {"dates", "--coverage-loss", "-1"},
                2,
                "--coverage-loss: .*expected a number from 0 to 1000, got \"-1\""},
        Refused{"a coverage loss of a Transformer",
                {"reverse", "--host", "transformer", "--coverage-loss", "1"},
                2,
                "--coverage-loss: .*expected a recurrent host"},
        Refused{"a coverage loss of what is drawn",
                {"dates", "--attention", "hard", "--coverage-loss", "1"},
                2,
                "an attention that spreads weights.*got \"hard\""},
        Refused{"a decoder of a Transformer",
                {"reverse", "--host", "transformer", "--decoder", "luong"},
                2,
                "--decoder: .*gru, lstm, rnn, gnmt or pointer"},
        Refused{"no name of an attention", {"dates", "--attention", ""}, 2, "--attention: .*got no name"},
        Refused{"an odd width",
                {"reverse", "--host", "transformer", "--width", "9"},
                2,
                "attention of|an even number"},
        Refused{"heads that do not divide the width",
                {"dates", "--host", "transformer", "--width", "30"},
                2,
                "heads: make a Transformer: expected 1, 2, 3, 5, 6, 10, 15 or 30, which cut the width 30 "
                "into equal parts, got 4"},
        Refused{
            "heads of a recurrent host", {"dates", "--heads", "2"}, 2, "--heads: .*expected a Transformer"},
        Refused{"more layers than cells have",
                {"dates", "--layers", "9"},
                2,
                "layers: make a recurrent model: expected 1 to 8, got 9"},
        Refused{"a pointer network for words that no source has",
                {"dates", "--host", "pointer"},
                2,
                "host for task dates: expected \"gru\".*got \"pointer\""},
        Refused{"turns of a recurrent host",
                {"dates", "--turns", "2"},
                2,
                "expected a Transformer: .*convolutional, got \"gru\""},
        Refused{"places of a recurrent host",
                {"dates", "--places", "none"},
                2,
                "tell tokens their places: expected a Transformer: .*convolutional, got \"gru\""},
        Refused{"turned queries of a mechanism",
                {"sort", "--host", "gpt", "--attention", "mamba2", "--places", "rotary"},
                2,
                "expected none, sinusoidal or learned: a mechanism has scores of its own, got rotary"},
        Refused{"segments of an encoder",
                {"brackets", "--segment", "4"},
                2,
                "read in segments: expected a Transformer .*xl or universal, got \"encoder\""},
        Refused{"segments of a recurrence",
                {"copy", "--host", "xl", "--attention", "mesa"},
                2,
                "attention mesa of host xl: .*got another mask"},
        Refused{
            "too long segments", {"copy", "--host", "xl", "--segment", "4097"}, 2, "--segment: .*0 to 4096"},
        Refused{"hops of a Transformer",
                {"copy", "--host", "transformer", "--hops", "2"},
                2,
                "expected a recurrent host: .*pointer, got \"transformer\""},
        Refused{"too many hops", {"copy", "--hops", "9"}, 2, "--hops: .*1 to 8"},
        Refused{"no heads", {"reverse", "--host", "transformer", "--heads", "0"}, 2, "--heads: .*1 to 64"},
        Refused{"too many layers", {"induction", "--layers", "65"}, 2, "--layers: .*1 to 64"},
        Refused{"no learning rate",
                {"dates", "--learning-rate", "0"},
                2,
                "--learning-rate: .*a number from 1e-06 to 1, got \"0\""},
        Refused{"weights that take more than it may have",
                {"induction", "--width", "1024", "--layers", "24", "--memory", "1GB"},
                1,
                "weights: train: expected at most 1.0 GB of memory, as --memory says, got [0-9.]+ GB"},
        Refused{"a width of 0", {"dates", "--width", "0"}, 2, "--width: .*1 to 1024"},
        Refused{"steps and epochs", {"dates", "--steps", "1", "--epochs", "1"}, 2, "--epochs: .*both"},
        Refused{"no steps", {"dates", "--steps", "0"}, 2, "--steps: "},
        Refused{"too many threads", {"dates", "--threads", "65"}, 2, "--threads: .*1 to 64"},
        Refused{"a folder of somebody's files",
                {"dates", "-o", "mine"},
                1,
                "mine: write folder: expected a new folder, or one of nothing but .*notes.txt"},
        Refused{"a file in the folder's place", {"dates", "-o", "file"}, 1, "file: write folder: "},
        Refused{
            "a folder in no folder", {"dates", "-o", "no/such"}, 1, "no/such: write folder: .*no folder"}));

}  // namespace

}  // namespace headlight::train_command_test

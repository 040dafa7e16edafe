// run, --help and --version as a script uses them.

#include "core/attention/component.h"
#include "core/catalog/mechanism.h"
#include "core/io/json_text.h"
#include "core/io/safetensors.h"
#include "core/io/trace_file.h"
#include "tests/cli/run_here.h"
#include "tests/support/long_tests.h"

#include <algorithm>
#include <regex>
#include <set>

namespace headlight::command_line_test {

using namespace headlight::test;
using nlohmann::json;

namespace {

using Words = std::vector<std::string>;

Outcome run(const Words& arguments) { return Workplace().run(arguments); }

/// The trace that `headlight run ARGUMENTS -o -` prints.
Trace trace_of(const Words& arguments, const Workplace& place = {}) {
    Words all{"run"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    all.insert(all.end(), {"-o", "-"});
    const Outcome outcome = place.run(all);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(outcome.error, "");
    return parse_trace_json(outcome.output);
}

std::vector<double> numbers(const Trace& trace, const std::string& name) {
    const Stage* stage = trace.find(name);
    EXPECT_NE(stage, nullptr) << name;
    const auto values = stage ? trace.values(*stage) : std::span<const double>();
    return {values.begin(), values.end()};
}

// Help and version

TEST(CommandLine, SaysItsVersion) {
    for (const char* option : {"--version", "-V"}) {
        const Outcome outcome = run({option});
        EXPECT_EQ(outcome.status, 0);
        EXPECT_TRUE(std::regex_match(outcome.output, std::regex("headlight [0-9]+\\.[0-9]+\\.[0-9]+\n")))
            << outcome.output;
    }
}

TEST(CommandLine, Helps) {
    for (const Words& arguments :
         {Words{"--help"}, Words{"-h"}, Words{"list", "--help"}, Words{"run", "--help"},
          Words{"run", "dot", "-h"}, Words{"render", "--help"}, Words{"train", "--help"},
          Words{"attend", "--help"}, Words{"analyse", "--help"}, Words{"lesson", "--help"},
          Words{"cite", "--help"}}) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 0) << arguments.front() << outcome.error;
        EXPECT_NE(outcome.output.find("headlight"), std::string::npos);
        EXPECT_EQ(outcome.error, "");
    }
}

TEST(CommandLine, HelpsWithACommandAsItsOwnOptionDoes) {
    EXPECT_EQ(run({"help"}).output, run({"--help"}).output);
    for (const char* command : {"list", "run", "render", "train", "attend", "analyse", "lesson", "cite"}) {
        const Outcome outcome = run({"help", command});
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        EXPECT_EQ(outcome.output, run({command, "--help"}).output);
    }
    for (const Words& arguments : {Words{"help", "help"}, Words{"help", "--help"}, Words{"help", "-h"},
                                   Words{"--help", "help"}, Words{"--"}, Words{"--", "help"}}) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        EXPECT_EQ(outcome.output, run({"--help"}).output);
    }
    EXPECT_EQ(run({"help", "--", "list"}).output, run({"list", "--help"}).output);
    EXPECT_EQ(run({"--", "list"}).output, run({"list"}).output);
    const Outcome slip = run({"help", "rendr"});
    EXPECT_EQ(slip.status, 2);
    EXPECT_NE(slip.error.find("did you mean \"render\"?"), std::string::npos) << slip.error;
}

TEST(CommandLine, HelpOfManyOptionsHasSectionsAndExamples) {
    std::set<std::string> parted;
    for_each_command([&](const Command& command) {
        const std::string help = help_text(command), name(command.name);
        for (const HelpSection& section : command.sections)
            EXPECT_NE(help.find('\n' + std::string(section.title) + '\n'), std::string::npos)
                << name << " has no option " << section.first_option;
        const bool has_examples = help.find("\nExamples\n  headlight " + name + ' ') != std::string::npos;
        if (!command.sections.empty() && has_examples)
            parted.insert(name);
    });
    for (const char* name : {"run", "render", "attend"})
        EXPECT_TRUE(parted.contains(name)) << name;
}

TEST(CommandLine, TheOverviewNamesCapturesWhereAFileMayBeOne) {
    const std::string overview = run({"--help"}).output;
    for (const char* words : {"the window: [^:]*a capture", "render FILE [^:]*draws a trace, a capture",
                              "analyse FILE [^:]*each head of a capture"})
        EXPECT_TRUE(std::regex_search(overview, std::regex(words))) << words;
}

TEST(CommandLine, TheManualHasEveryOption) {
    const std::string manual = read_file(HEADLIGHT_SOURCE_DIR "/docs/command-line.md");
    const std::regex option("--[a-z-]+");
    for (const char* command : {"list", "run", "render", "train", "attend", "analyse", "lesson", "cite"}) {
        const std::string help = run({command, "--help"}).output;
        for (auto match = std::sregex_iterator(help.begin(), help.end(), option);
             match != std::sregex_iterator(); ++match)
            EXPECT_NE(manual.find(match->str()), std::string::npos) << command << ' ' << match->str();
    }
}

TEST(CommandLine, ASlipIsAnsweredAndNotTakenForAFile) {
    for (const Words& arguments :
         {Words{"lsit"}, Words{"--versoin"}, Words{"list", "--jsno"}, Words{"list", "dot"}, Words{"a", "b"},
          Words{"--version", "b"}, Words{"help", "run", "dot"}}) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 2) << outcome.error;
        EXPECT_EQ(std::ranges::count(outcome.error, '\n'), 1) << outcome.error;
    }
    EXPECT_NE(run({"lsit"}).error.find("did you mean \"list\"?"), std::string::npos);
}

// run

TEST(Run, EveryMechanismRunsOnItsExample) {
    for (const Mechanism& mechanism : mechanisms()) {
        const Trace trace = trace_of({mechanism.id});
        EXPECT_EQ(trace.spec, complete_spec(build_spec(mechanism, {}))) << mechanism.id;
        EXPECT_GE(trace.tokens.query.size(), 3u);
        EXPECT_EQ(trace.tokens.key.empty(), mechanism.example.key.empty()) << mechanism.id;
    }
}

TEST(Run, EveryMechanismRunsOnATextAlone) {
    std::size_t number = 0;
    for (const Mechanism& mechanism : mechanisms()) {
        if (!has_turn(number++, 3))
            continue;
        EXPECT_EQ(
            trace_of({mechanism.id, "--text", "the dog chased the cat because it ran"}).tokens.query.size(),
            8u)
            << mechanism.id;
    }
}

TEST(Run, ASpecWithoutInputsRunsOnTheWorkedExample) {
    Workplace place;
    place.write("self.json", "{}");
    place.write("cross.json", R"({"source": {"type": "cross"}})");
    EXPECT_TRUE(trace_of({"--spec", "self.json"}, place).tokens.key.empty());
    EXPECT_FALSE(trace_of({"--spec", "cross.json"}, place).tokens.key.empty());
    EXPECT_FALSE(trace_of({"dot", "--set", "source=cross"}).tokens.key.empty());
}

TEST(Run, AMechanismOfOnesOwnComesBackInTheWindow) {
    Workplace place;
    place.write("mine.json", R"({"format": "headlight-mechanism/1", "name": "Not the past",
                                 "spec": {"mask": {"not": {"type": "causal"}}}})");
    const Trace trace = trace_of({"--spec", "mine.json"}, place);
    EXPECT_EQ(trace.spec.mask, Mask{Not{{Mask{CausalMask{}}}}});
    const Session session = parse_session(trace.session);
    ASSERT_TRUE(session.custom);
    EXPECT_EQ(session.custom->name, "Not the past");
    EXPECT_EQ(session_spec(session), trace.spec);
}

TEST(Run, TheSameSeedGivesTheSameBytes) {
    for (const char* output : {"t.json", "t.safetensors"}) {
        Workplace place;
        const auto bytes = [&](const std::string& seed) {
            const Outcome outcome = place.run({"run", "multi_head", "--text", "the cat sat", "--vectors",
                                               "random", "--seed", seed, "-o", output});
            EXPECT_EQ(outcome.status, 0) << outcome.error;
            EXPECT_EQ(outcome.output + outcome.error, "") << "quiet";
            return place.read(output);
        };
        const std::string first = bytes("7");
        EXPECT_EQ(bytes("7"), first);
        EXPECT_NE(bytes("8"), first);
    }
}

TEST(Run, WithoutASeedItIsOne) {
    const Words arguments{"multi_head", "--vectors", "random"};
    Words with_seed = arguments;
    with_seed.insert(with_seed.end(), {"--seed", "1"});
    EXPECT_EQ(write_trace_json(trace_of(arguments)), write_trace_json(trace_of(with_seed)));
}

TEST(Run, BothFormatsHaveTheSameNumbers) {
    Workplace place;
    for (const char* output : {"t.json", "t.safetensors"})
        ASSERT_EQ(place.run({"run", "causal", "--text", "one two three", "-o", output}).status, 0);
    EXPECT_EQ(write_trace_json(read_trace(place.folder() / "t.json")),
              write_trace_json(read_trace(place.folder() / "t.safetensors")));
    EXPECT_EQ(place.folder().size(), 2);
}

TEST(Run, TextTargetAndSplitMakeTheTokens) {
    const Trace self = trace_of({"dot", "--text", "Der größte Fluß."});
    EXPECT_EQ(self.tokens.query, (Words{"Der", "größte", "Fluß", "."}));
    const Trace cross = trace_of({"cross", "--text", "the source text", "--target", "the target"});
    EXPECT_EQ(cross.tokens.query, (Words{"the", "target"})) << "the target asks";
    const Trace alone = trace_of({"cross", "--text", "the source text"});
    EXPECT_EQ(alone.tokens.query, (Words{"the", "source", "text"})) << "a text without a target asks itself";
    EXPECT_EQ(alone.tokens.key, alone.tokens.query);
    EXPECT_EQ(cross.tokens.key, (Words{"the", "source", "text"})) << "the source is looked at";
    EXPECT_EQ(trace_of({"dot", "--text=né", "--split=characters"}).tokens.query, (Words{"n", "é"}));
    EXPECT_EQ(trace_of({"dot", "--text", "-minus", "--vectors", "hashed"}).tokens.query.back(), "minus");
}

TEST(Run, VectorsAreOfTheKindAndWidthAskedFor) {
    const Trace one_hot = trace_of({"dot", "--text", "a b a", "--vectors", "one_hot", "--dimension", "3"});
    EXPECT_EQ(numbers(one_hot, "tokens"), (std::vector<double>{1, 0, 0, 0, 1, 0, 1, 0, 0}));
    for (const char* kind : {"english", "hashed", "random"}) {
        const Trace trace = trace_of({"dot", "--text", "a b", "--vectors", kind, "--dimension", "5"});
        EXPECT_EQ(trace.find("tokens")->shape, (Shape{2, 5})) << kind;
    }
    const Words projected{"dot", "--text", "cat dog", "--dimension", "5", "--reduction", "project", "--seed"};
    Words one = projected, two = projected;
    one.push_back("1");
    two.push_back("2");
    EXPECT_NE(numbers(trace_of(one), "tokens"), numbers(trace_of(two), "tokens"));
}

TEST(Run, SetReachesTheMechanismAndTheSpec) {
    EXPECT_EQ(trace_of({"soft", "--set", "temperature=0.5"}).spec.normalizer.temperature, 0.5);
    const Trace trace = trace_of({"soft", "--set", "temperature=2", "--set", "position.type=sinusoidal",
                                  "--set", "mask={\"all\": [{\"type\": \"causal\"}]}", "--set",
                                  "mask_order=before_scale", "--set", "mask_value=-3"});
    EXPECT_EQ(trace.spec.normalizer.temperature, 2);
    EXPECT_EQ(trace.spec.position.type, PositionType::sinusoidal);
    EXPECT_EQ(trace.spec.mask, Mask{AllOf{{Mask{CausalMask{}}}}});
    EXPECT_EQ(trace.spec.mask_order, MaskOrder::before_scale);
    EXPECT_EQ(trace.spec.mask_value, -3);

    Workplace place;
    place.write("s.json", R"({"score": {"type": "additive"}})");
    const Trace changed = trace_of({"--spec", "s.json", "--set", "score.activation=relu", "--set",
                                    "heads.type=multi", "--set", "heads.heads=4"},
                                   place);
    EXPECT_EQ(changed.spec.score.type, ScoreType::additive);
    EXPECT_EQ(changed.spec.score.activation, Activation::relu);
    EXPECT_EQ(changed.spec.heads.count(), 4);
}

TEST(Run, SetOfATypeLeavesWhatOnlyTheOneBeforeItHad) {
    EXPECT_EQ(trace_of({"rope", "--set", "position.type=alibi"}).spec.position.type, PositionType::alibi);
    EXPECT_EQ(trace_of({"window", "--set", "mask.type=causal"}).spec.mask, Mask{CausalMask{}});
    const Mask mask = trace_of({"soft", "--set", "mask.size=2", "--set", "mask.type=window"}).spec.mask;
    EXPECT_EQ(std::get<PatternMask>(mask.rule).options.count("size"), 2);
    const Trace drawn = trace_of({"soft", "--set", "normalizer.draws=5", "--set", "normalizer.mode=sample",
                                  "--set", "normalizer.type=hard"});
    EXPECT_EQ(drawn.spec.normalizer.draws, 5);
    EXPECT_TRUE(trace_of({"linear_score", "--set", "score.bias=true"}).spec.score.bias);
}

TEST(Run, SetOfMasksStandsInPlaceOfATypeAndTheOtherWayRound) {
    const Mask either{AnyOf{{Mask{CausalMask{}}}}};
    for (const char* mechanism : {"soft", "window"})
        EXPECT_EQ(trace_of({mechanism, "--set", R"(mask.any=[{"type": "causal"}])"}).spec.mask, either);
    Workplace place;
    place.write("s.json", R"({"mask": {"all": [{"type": "padding"}]}})");
    const auto changed = [&](const char* text) {
        return trace_of({"--spec", "s.json", "--set", text}, place).spec.mask;
    };
    EXPECT_EQ(changed(R"(mask.any=[{"type": "causal"}])"), either);
    EXPECT_EQ(changed("mask.type=causal"), Mask{CausalMask{}});
}

TEST(Run, SetOfAPartLeavesWhatIsSetInItWhereverThatStands) {
    const char *part = R"(heads={"type": "multi"})", *field = "heads.heads=2";
    for (const auto& [first, second] : {std::pair(part, field), std::pair(field, part)})
        EXPECT_EQ(trace_of({"soft", "--set", first, "--set", second}).spec.heads.heads, 2) << first;
}

/// A spec of a file may have every field, whatever its types are, as those of `headlight list --json` do; so
/// may a part that is set as a whole. Who wrote one by hand is told.
TEST(Run, FieldsThatNoTypeReadsStandInFilesAndAreSaid) {
    Workplace place;
    const std::string spec =
        R"({"heads": {"type": "single", "heads": 4, "kv_heads": 2}, "normalizer": {"draws": 3}})";
    place.write("s.json", spec);
    const Outcome outcome =
        place.run({"run", "--spec", "s.json", "--set", "position.type=sinusoidal", "-o", "-"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(
        outcome.error,
        "headlight: s.json: not read: normalizer.draws: expected normalizer.type=hard beside it, got "
        "normalizer.type=softmax\n"
        "headlight: s.json: not read: heads.heads: expected heads.type=multi, multi_query, grouped_query "
        "or talking beside it, got heads.type=single\n");
    EXPECT_EQ(parse_trace_json(outcome.output).spec.heads.heads, 4);
    place.write("mine.json", R"({"format": "headlight-mechanism/1", "name": "Mine", "spec": )" + spec + "}");
    EXPECT_EQ(trace_of({"--spec", "mine.json"}, place).spec.heads.heads, 4) << "the window leaves them there";
    EXPECT_EQ(trace_of({"soft", "--set", R"(heads={"type": "single", "heads": 4})"}).spec.heads.heads, 4);
}

TEST(Run, InputsComeFromEveryFormat) {
    Workplace place;
    place.write("i.json", R"({"query": [[1, 0], [0, 1]], "tokens": {"query": ["a", "b"]}})");
    place.write("i.csv", "a,1,0\nb,0,1\n");
    place.write("i.safetensors", write_safetensors({{{"query", Tensor({{1, 0}, {0, 1}})}},
                                                    {{"tokens", R"({"query": ["a", "b"]})"}}}));
    const auto numbers_from = [&](const char* file) {
        Trace trace = trace_of({"scaled_dot_product", "--inputs", file}, place);
        trace.session.clear();  // which names the file
        return write_trace_json(trace);
    };
    for (const char* file : {"i.csv", "i.safetensors"})
        EXPECT_EQ(numbers_from(file), numbers_from("i.json"));
}

TEST(Run, GivenParametersAreUsedAndUnusedOnesSaid) {
    Workplace place;
    place.write("i.json", R"({"query": [[1, 2]], "key": [[3]], "value": [[1]],
                              "parameters": {"W": [[0, 1], [1, 0]], "W_o": [[5]]}})");
    const Outcome outcome = place.run({"run", "general", "--inputs", "i.json", "-o", "-"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.error, "headlight: i.json: this spec does not use key, value, W_o\n");
    EXPECT_EQ(numbers(parse_trace_json(outcome.output), "scores"), std::vector<double>{4});
}

TEST(Run, OneFileServesSelfAndCrossAttention) {
    Workplace place;
    place.write("i.json", R"({"query": [[1, 0], [0, 1]], "key": [[1, 1]], "tokens": {"query": ["a", "b"],
                              "key": ["k"]}})");
    EXPECT_EQ(trace_of({"cross", "--inputs", "i.json"}, place).tokens.key, Words{"k"});
    const Outcome self = place.run({"run", "scaled_dot_product", "--inputs", "i.json", "-o", "-"});
    EXPECT_EQ(self.error, "headlight: i.json: this spec does not use key\n");
    EXPECT_EQ(parse_trace_json(self.output).find("weights")->shape, (Shape{1, 2, 2}));
}

TEST(Run, PaddingMayHoldNaN) {
    Workplace place;
    place.write("s.json", R"({"source": {"type": "cross"}, "mask": {"type": "padding", "key_lengths": 1}})");
    place.write("i.json", R"({"query": [[1]], "key": [[1], ["NaN"]]})");
    const Trace trace = trace_of({"--spec", "s.json", "--inputs", "i.json"}, place);
    EXPECT_EQ(numbers(trace, "weights"), (std::vector<double>{1, 0}));
    EXPECT_EQ(numbers(trace, "output"), std::vector<double>{1});
}

/// torch.manual_seed(0): Luong's concat score with a bias, decoder state first (weights and context as
/// published).
TEST(Run, ReproducesAPublishedExample) {
    Workplace place;
    place.write("i.json", R"({
        "query": [[-0.566317499, 0.373114645, -0.891995311, -1.50910771, 0.370393544, 1.45650256, 0.939809918, 0.774848819]],
        "key": [[-1.12583983, -1.1523602, -0.250578582, -0.433878839, 0.848710299, 0.692009211, -0.31601277, -2.11521959],
                [0.322274894, -1.26333475, 0.349983186, 0.3081339, 0.119841509, 1.2376579, 1.11677718, -0.247277632],
                [-1.35265374, -1.6959312, 0.56665051, 0.79350841, 0.598839521, -1.55509496, -0.341360301, 1.85300612],
                [0.750189483, -0.585497081, -0.17339702, 0.183477923, 1.38936627, 1.58633423, 0.94629842, -0.843676746]],
        "parameters": {
            "W": [[-0.110873759, 0.137243003, -0.232988536, 0.124828756, -0.152134776, -0.0874583423, -0.224580377, -0.0481538177],
                  [-0.00902059674, -0.0315543413, 0.222123116, 0.0523253381, 0.226842523, -0.204905421, -0.118519306, -0.0490856767],
                  [0.159890175, 0.00954538584, 0.190089941, -0.195021003, 0.171324968, -0.0531787872, 0.170226306, -0.224337488],
                  [0.248533279, 0.057926178, -0.249381989, -0.143954873, -0.210820735, 0.0534391105, -0.00162062049, -0.215859473],
                  [0.0992205441, 0.155094147, 0.0467930138, 0.235187322, -0.0622210801, -0.162866443, -0.124261588, -0.0391198695],
                  [0.0337732136, 0.240048528, -0.0421150029, 0.168454468, 0.0112806559, -0.0128298402, -0.191577941, 0.00323304534],
                  [0.167621583, -0.192655891, -0.0411402881, -0.109006286, 0.036475271, 0.178962708, -0.233963013, -0.113568723],
                  [-0.147200584, -0.0916174352, -0.114439219, -0.0629211962, 0.0592935681, -0.0257000625, -0.211002052, 0.0941748023],
                  [0.0465860069, 0.0982524753, 0.0961390436, -0.238149524, 0.0981070697, 0.00694805384, -0.050709188, -0.225014597],
                  [-0.193826377, 0.207137346, -0.148075879, -0.00449353456, 0.0149750412, -0.0215672255, 0.137101501, -0.01687181],
                  [-0.173271537, 0.217551827, 0.0916478336, -0.188264728, -0.121982187, 0.0505953431, 0.135160267, 0.219854861],
                  [-0.12914589, 0.220589191, 0.126427025, -0.192839175, 0.118297249, 0.158959866, -0.24110797, -0.101972997],
                  [0.113118261, 0.0497536361, 0.178967893, -0.0137749016, -0.239812225, 0.236811548, 0.15594551, 0.225750774],
                  [0.100540102, -0.217395663, 0.0934777856, 0.0375362635, -0.14817667, 0.158763975, -0.195627362, 0.0905384421],
                  [-0.148088127, 0.0229981244, -0.247433811, -0.102382571, -0.062582463, 0.237353384, -0.052852571, -0.225615233],
                  [0.0755267739, -0.156401336, -0.162174225, 0.148344398, -0.121778339, -0.0180804133, -0.101368159, 0.158174336]],
            "b": [-0.0288486183, -0.11160171, 0.199913323, -0.202023804, 0.0268262327, -0.0523421764, 0.17852816, 0.0697861314],
            "v": [0.740252674, 0.676579475, 0.37976265, 0.394847274, 0.0879592896, 0.770922065, 0.896989048, 0.842112422]}})");
    const Trace trace =
        trace_of({"concat", "--set", "source=cross", "--set", "bias=true", "--inputs", "i.json"}, place);
    const std::vector<double> weights{0.3385, 0.1583, 0.2507, 0.2526};
    const std::vector<double> context{-0.4796, -1.1630, 0.0688, 0.1472, 0.8072, 0.4410, 0.2233, -0.5037};
    for (std::size_t i = 0; i < weights.size(); ++i)
        EXPECT_NEAR(numbers(trace, "weights")[i], weights[i], 5e-5) << i;
    for (std::size_t i = 0; i < context.size(); ++i)
        EXPECT_NEAR(numbers(trace, "output")[i], context[i], 5e-5) << i;
}

}  // namespace

}  // namespace headlight::command_line_test

// Formulas on the command line: run --formula, -o FILE.formula, train --formula; and that docs/formula.md has
// what there is.

#include "core/attention/typed_formula.h"
#include "core/graph/formula_builder.h"
#include "core/io/model_folder.h"
#include "core/io/session.h"
#include "core/io/trace_file.h"
#include "core/tensor/error.h"
#include "tests/cli/refusal.h"
#include "tests/support/attention_runs.h"

#include <fstream>
#include <limits>
#include <set>
#include <sstream>

namespace headlight::formula_command_test {

using namespace headlight::test;

namespace {

using Arguments = std::vector<std::string>;

constexpr const char* plain = "scores = q @ k.T / sqrt(d)\nweights = softmax(scores)\n";
constexpr const char* causal = "weights = softmax(where(allowed, q @ k.T / sqrt(d), -inf))\n";

struct Refused {
    std::string name;
    std::string formula;  ///< the file f.txt
    Arguments arguments;
    int status;
    std::string message;  ///< regular expression
};
void PrintTo(const Refused& row, std::ostream* out) { *out << row.name; }

class FormulaRefusal : public testing::TestWithParam<Refused> {};

TEST_P(FormulaRefusal, IsOneLineWithTheRightStatusAndLeavesNothing) {
    Workplace place;
    place.write("f.txt", GetParam().formula);
    place.write("l.json", R"(["window"])");
    expect_refused(place, GetParam().arguments, GetParam().status, GetParam().message);
    EXPECT_EQ(place.read("f.txt"), GetParam().formula);
}

Arguments run_with(const Arguments& more) {
    Arguments all{"run", "--formula", "f.txt", "--text", "a b c"};
    all.insert(all.end(), more.begin(), more.end());
    if (std::ranges::count(all, "-o") == 0)
        all.insert(all.end(), {"-o", "t.json"});
    return all;
}
Arguments train_with(const Arguments& more) {
    Arguments all{"train", "sort", "--formula", "f.txt", "--width", "8", "--steps", "2", "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

INSTANTIATE_TEST_SUITE_P(
    Run, FormulaRefusal,
    testing::Values(
        Refused{"a name that is not known", "scores = q @ kk.T\nweights = softmax(scores)\n", run_with({}), 1,
                "^headlight: f.txt: line 1, column 14: formula: expected .*, got \"kk\" \\(did you mean "
                "\"k\"\\?\\)"},
        Refused{"a name of what a model says", "logits = q @ k.T\nweights = softmax(logits)\n", run_with({}),
                1, "^headlight: f.txt: line 1, column 1: formula: .*\"logits_2\" is free"},
        Refused{"a line that is changed by another", "s = q @ k.T\ns = s / 2\nweights = softmax(s)\n",
                run_with({}), 1,
                "^headlight: f.txt: line 2, column 1: .*\"s_2\" has none, which the lines below"},
        Refused{"a bracket that stays open", "weights = softmax(q @ k.T\n", run_with({}), 1,
                "^headlight: f.txt: line 1, column 18: formula: .*\"\\(\" without its end"},
        Refused{"extents that do not meet", "# causal\nscores = q @ k\n",
                run_with({"--set", "heads.type=multi", "--set", "heads.heads=2"}), 1,
                "^headlight: f.txt: line 2, column 12: formula: .*got q \\[2, 3, [0-9]+\\] @ k \\[2, 3, "
                "[0-9]+\\]"},
        Refused{"surroundings that are no object", "# around: {\nweights = q @ k.T\n", run_with({}), 1,
                "^headlight: f.txt: line 1"},
        Refused{"surroundings that no spec has", "# around: {\"heds\": 1}\n" + std::string(plain),
                run_with({}), 1, "^headlight: f.txt: line 1.*heds"},
        Refused{"surroundings with a slip", "# around: {\"mask\" 1}\n" + std::string(plain), run_with({}), 1,
                "^headlight: f.txt: line 1, column 19: formula: "},
        Refused{"a list around", "# around: [1]\n" + std::string(plain), run_with({}), 1,
                "^headlight: f.txt: line 1: formula: .*got a list"},
        Refused{"another algorithm around", "# around: {\"algorithm\": {}}\n" + std::string(plain),
                run_with({}), 1, "^headlight: f.txt: line 1: formula: expected .*without an algorithm"},
        Refused{"nothing", "", run_with({}), 1,
                "^headlight: f.txt: formula: expected a line such as weights = .*got no line"},
        Refused{"weights that cannot be read off", "context = tanh(v)\n", run_with({}), 1,
                "^headlight: f.txt: line 1, column 1: formula: expected a line \"weights = "},
        Refused{
            "a root of less than 0", "s = sqrt(where(allowed, q @ k.T, 0))\ncontext = s @ v\n",
            train_with({"--host", "gpt"}), 1,
            "^headlight: f.txt: layer 1: .*got NaN in output .*, as by root of a number below 0, in line 1 "
            "\\(sqrt"},
        Refused{"a logarithm of less than 0 behind an exponential",
                "s = where(allowed, exp(q @ k.T), 0)\nr = where(allowed, log(q @ k.T), 0)\n"
                "weights = r / sum(s)\n",
                train_with({"--host", "gpt"}), 1,
                "^headlight: f.txt: layer 1: .*, as by logarithm of 0 or less, in line 2 \\([^;]*\\)\n$"},
        Refused{"a number that grows with the text", "weights = where(allowed, q @ k.T, 0) / m\n",
                train_with({"--host", "gpt"}), 1,
                "^headlight: f.txt: layer 1: line 1, column 40: .*got output [0-9]+ of .* \\(\"m\" counts"},
        Refused{"a mask that it does not ask for", plain, run_with({"--set", "mask.type=causal"}), 1,
                "^headlight: f.txt: mask: formula: .*\"allowed\""},
        Refused{"numbers that are none", "weights = exp(1000 + q @ k.T)\n", run_with({}), 1,
                "^headlight: weights, head 1, query 1, key 1: overflow"},
        Refused{"a score beside it", plain, run_with({"--set", "score.type=additive"}), 1,
                "formula algorithm: .*got additive"},
        Refused{"a knob that no formula has", plain, run_with({"--set", "temperature=2"}), 2,
                "--set: run: .*got \"temperature\""},
        Refused{"a field without its part", plain, run_with({"--set", "kv_heads=2"}), 2,
                "--set: run: expected \"heads.kv_heads\", got \"kv_heads\" \\(did you mean "
                "\"heads.kv_heads\"\\?\\)"},
        Refused{"a parameter of its own", "weights = softmax(q @ W[d, d] @ k.T)\n",
                run_with({"--set", "W=3"}), 2,
                "--set: run: expected \"heads\", .*; numbers of W come with --inputs FILE, got \"W\"\n$"},
        Refused{"nearly a parameter of its own", "weights = softmax(q @ W_1[d, d] @ k.T)\n",
                run_with({"--set", "W_2=3"}), 2, "got \"W_2\" \\(did you mean \"W_1\"\\?\\)"},
        Refused{"heads that are one", plain, run_with({"--set", "heads.heads=2"}), 2,
                "--set: heads.heads: .*heads.type=multi, .*got heads.type=single"},
        Refused{"a mechanism beside it",
                plain,
                {"run", "dot", "--formula", "f.txt", "-o", "t.json"},
                2,
                "--formula FILE, got 2 of them"},
        Refused{"a spec beside it",
                plain,
                {"run", "--spec", "s.json", "--formula", "f.txt", "-o", "t.json"},
                2,
                "--formula FILE, got 2 of them"},
        Refused{"no file",
                plain,
                {"run", "--formula", "none.txt", "-o", "t.json"},
                1,
                "^headlight: none.txt: read file: .*No such file"},
        Refused{
            "a folder", plain, {"run", "--formula", ".", "-o", "t.json"}, 1, "expected a file, got a folder"},
        Refused{"a file that is too long", std::string(most_formula_bytes + 1, '#'), run_with({}), 1,
                "^headlight: f.txt: read file: expected at most 65536 bytes, got 65537"},
        Refused{
            "no name of a file", plain, {"run", "-o", "t.json", "--formula"}, 2, "--formula: .*got nothing"},
        Refused{"an output that is no formula", plain, run_with({"-o", "t.formulas"}), 2,
                "\\.py or \\.formula"}));

INSTANTIATE_TEST_SUITE_P(
    Train, FormulaRefusal,
    testing::Values(
        Refused{"a name that is not known", "weights = softmax(where(allowed, q @ kk.T, 0))\n",
                train_with({"--host", "gpt"}), 1, "^headlight: f.txt: .*\"kk\" \\(did you mean \"k\"\\?\\)"},
        Refused{"surroundings that no spec has", "# around: {\"heds\": 1}\n" + std::string(causal),
                train_with({"--host", "gpt"}), 1, "^headlight: f.txt: line 1.*heds"},
        Refused{"a sign too many", "weights = softmax(q @@ k.T)\n", train_with({"--host", "gpt"}), 1,
                "^headlight: f.txt: line 1, column 22: formula: "},
        Refused{"a mask that it does not ask for", plain, train_with({"--host", "gpt"}), 1,
                "^headlight: f.txt: layer 1: .*\"allowed\""},
        Refused{"what has no gradient", "weights = floor(where(allowed, q @ k.T, 0))\n",
                train_with({"--host", "gpt"}), 1, "^headlight: f.txt: layer 1: .*floor"},
        Refused{"a table of one length", "weights = softmax(where(allowed, q @ k.T + P[7, 7], -inf))\n",
                train_with({"--host", "gpt"}), 1, "^headlight: f.txt: layer 1: .*\\[7, 7\\]"},
        Refused{"a recurrent host", causal, train_with({"--host", "gru"}), 2,
                "expected host transformer, gpt, xl, encoder, set, slots, hierarchical, "
                "coattention, triangles, vit or universal, got \"gru\""},
        Refused{"an attention beside it", causal, train_with({"--attention", "dot"}), 2,
                "--attention: train: expected no --formula FILE.*got both"},
        Refused{"a knob beside it", causal, train_with({"--set", "size=3"}), 2,
                "--set: train: expected no --formula FILE.*got both"},
        Refused{"a knob as an option", causal, train_with({"--size", "3"}), 2, "got \"--size\"\n$"},
        Refused{"a file of layers beside it", causal, train_with({"--layers", "l.json"}), 2,
                "--layers: train: expected how many layers.*got \"l.json\""},
        Refused{"too many layers", causal, train_with({"--layers", "99"}), 2,
                "--layers: train: .*got \"99\""},
        Refused{"no file",
                causal,
                {"train", "sort", "--formula", "none.txt"},
                1,
                "^headlight: none.txt: read file: .*No such file"}));

/// The trace that a run writes; nothing is said beside it.
Trace traced(const Workplace& place, Arguments arguments) {
    arguments.insert(arguments.begin(), "run");
    arguments.insert(arguments.end(), {"-o", "t.json"});
    const Outcome outcome = place.run(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(outcome.error, "");
    return parse_trace_json(place.read("t.json"));
}

TEST(FormulaRun, HasAStageForEachLine) {
    Workplace place;
    place.write("f.txt", plain);
    const Trace trace = traced(place, {"--formula", "f.txt", "--text", "a b c"});
    EXPECT_EQ(trace.spec.algorithm.type, AlgorithmType::formula);
    for (const char* name : {"query", "key", "value", "scores", "weights", "context", "output"})
        EXPECT_NE(trace.find(name), nullptr) << name;
    const std::vector<double> weights = stage(trace, "weights");
    ASSERT_EQ(weights.size(), 9u);
    for (std::size_t row = 0; row < 3; ++row)
        EXPECT_NEAR(weights[3 * row] + weights[3 * row + 1] + weights[3 * row + 2], 1, 1e-12);
    // Projections are learned unless somebody says otherwise.
    EXPECT_EQ(trace.spec.projections.type, ProjectionType::learned);
    const Trace bare =
        traced(place, {"--formula", "f.txt", "--text", "a b c", "--set", "projections.type=none"});
    EXPECT_NE(stage(bare, "weights"), weights);
    EXPECT_EQ(stage(bare, "query"), stage(bare, "tokens"));
}

TEST(FormulaRun, MayMaskWhateverItCalls) {
    Workplace place;
    place.write("f.txt", "scores = where(j <= i, q @ k.T / sqrt(d), -inf)\nweights = softmax(scores)\n");
    const Trace trace = traced(place, {"--formula", "f.txt", "--text", "a b c"});
    EXPECT_EQ(stage(trace, "scores")[1], -std::numeric_limits<double>::infinity());
    EXPECT_EQ(stage(trace, "weights")[1], 0);
}

TEST(FormulaRun, SaysWhatIsProbablyNotMeant) {
    Workplace place;
    place.write("f.txt", "scores = q @ k.T\nscores_2 = scores / sqrt(d)\nweights = softmax(scores)\n");
    const Outcome outcome = place.run(run_with({}));
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.error,
              "headlight: f.txt: line 2, column 1: no line reads \"scores_2\": it changes nothing\n");
}

TEST(FormulaRun, OnATextTakesTheParametersOfAFile) {
    Workplace place;
    place.write("halved.txt", "weights = softmax(q @ k.T / 2)\n");
    place.write("f.txt", "weights = softmax(q @ k.T / tau[1])\n");
    place.write("p.json", R"({"parameters": {"tau": [2]}})");
    const Trace halved = traced(place, {"--formula", "halved.txt", "--text", "a b c"});
    const Trace trace = traced(place, {"--formula", "f.txt", "--text", "a b c", "--inputs", "p.json"});
    EXPECT_EQ(trace.tokens.query, halved.tokens.query);
    EXPECT_EQ(stage(trace, "weights"), stage(halved, "weights"));
    EXPECT_NE(stage(traced(place, {"--formula", "f.txt", "--text", "a b c"}), "weights"),
              stage(halved, "weights"));
    const Session session = parse_session(trace.session);
    EXPECT_EQ(session.edited.at("tau")->values()[0], 2);
    place.write("p.json", R"({"key": [[1, 2]], "parameters": {"tau": [2]}})");
    EXPECT_EQ(
        place.run({"run", "--formula", "f.txt", "--text", "a b c", "--inputs", "p.json", "-o", "t.json"})
            .status,
        2);
}

struct Written {
    const char* mechanism;
    Arguments knobs;
};
void PrintTo(const Written& row, std::ostream* out) { *out << row.mechanism; }

class WrittenFormula : public testing::TestWithParam<Written> {};

/// The file says itself what stands around its lines: heads, mask, projections.
TEST_P(WrittenFormula, IsRunWithTheSameNumbers) {
    Workplace place;
    const Arguments texts{"--text", "a b c d", "--dimension", "8", "--seed", "5"};
    Arguments mechanism{GetParam().mechanism};
    mechanism.insert(mechanism.end(), texts.begin(), texts.end());
    mechanism.insert(mechanism.end(), GetParam().knobs.begin(), GetParam().knobs.end());
    Arguments write = mechanism;
    write.insert(write.begin(), "run");
    write.insert(write.end(), {"-o", "own.formula"});
    const Outcome outcome = place.run(write);
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(outcome.output + outcome.error, "");
    const Trace expected = traced(place, mechanism);
    const std::string text = place.read("own.formula");
    EXPECT_NE(text.find("context = "), std::string::npos) << text;

    Arguments formula{"--formula", "own.formula"};
    formula.insert(formula.end(), texts.begin(), texts.end());
    for (int time = 0; time < 2; ++time) {
        const Trace found = traced(place, formula);
        EXPECT_TRUE(near(stage(found, "weights"), stage(expected, "weights"), 1e-12)) << text;
        EXPECT_TRUE(near(stage(found, "output"), stage(expected, "output"), 1e-12)) << text;
        // A formula is written as one again.
        Arguments again = formula;
        again.insert(again.begin(), "run");
        const std::string next = "again" + std::to_string(time) + ".formula";
        again.insert(again.end(), {"-o", next});
        ASSERT_EQ(place.run(again).status, 0);
        EXPECT_EQ(place.read(next), text);
        formula[1] = next;
    }
}

/// Where it is run with heads of another width, its scores have the scale of the mechanism there.
TEST(FormulaRun, OfAMechanismFollowsTheWidthOfAHead) {
    Workplace place;
    ASSERT_EQ(
        place.run({"run", "scaled_dot_product", "--text", "a b c", "--dimension", "8", "-o", "own.formula"})
            .status,
        0);
    EXPECT_NE(place.read("own.formula").find("/ sqrt(d)"), std::string::npos) << place.read("own.formula");
    const Arguments texts{"--text", "a b c", "--dimension", "16"};
    Arguments mechanism{"scaled_dot_product"}, formula{"--formula", "own.formula"};
    mechanism.insert(mechanism.end(), texts.begin(), texts.end());
    formula.insert(formula.end(), texts.begin(), texts.end());
    EXPECT_TRUE(
        near(stage(traced(place, formula), "weights"), stage(traced(place, mechanism), "weights"), 1e-12));
}

INSTANTIATE_TEST_SUITE_P(
    Mechanisms, WrittenFormula,
    testing::Values(Written{"dot", {"--set", "projections=none"}},
                    Written{"multi_head", {"--set", "heads=2"}}, Written{"alibi", {"--set", "heads=2"}},
                    Written{"grouped_query", {"--set", "heads=4", "--set", "kv_heads=2"}},
                    Written{"grouped_query",
                            {"--set", "heads=4", "--set", "kv_heads=2", "--set", "position.type=rope"}},
                    Written{"window", {}}, Written{"sparsemax", {"--set", "projections=none"}}));

TEST(FormulaRun, ChangesWhatTheFileSaysOfItsSurroundings) {
    Workplace place;
    place.write("f.txt", "# around: {\"projections\": {\"type\": \"none\"}}\n" + std::string(plain));
    const Trace bare = traced(place, {"--formula", "f.txt", "--text", "a b c"});
    EXPECT_EQ(stage(bare, "query"), stage(bare, "tokens"));
    const Trace learned =
        traced(place, {"--formula", "f.txt", "--text", "a b c", "--set", "projections.type=learned"});
    EXPECT_NE(stage(learned, "query"), stage(learned, "tokens"));
    // The lines alone are the formula's text; each keeps its place.
    const std::string text = std::get<std::string>(bare.spec.algorithm.options.at("text"));
    EXPECT_EQ(text, "\n" + std::string(plain));
}

TEST(FormulaRun, IsWrittenAsProgramsToo) {
    Workplace place;
    place.write("f.txt", plain);
    for (const char* file : {"t.py", "t.fods", "t.safetensors"}) {
        const Outcome outcome = place.run({"run", "--formula", "f.txt", "--text", "a b", "-o", file});
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        EXPECT_NE(place.read(file).find("scores"), std::string::npos) << file;
    }
    EXPECT_NE(place.read("t.py").find("\nscores = "), std::string::npos);
}

TEST(FormulaRun, NeverOverwritesItsOwnFile) {
    Workplace place;
    place.write("f.formula", plain);
    expect_refused(place, {"run", "--formula", "f.formula", "--text", "a b", "-o", "f.formula"}, 2,
                   "f.formula");
    EXPECT_EQ(place.read("f.formula"), plain);
}

TEST(FormulaTrain, WritesAModelEachLayerOfWhichHasIt) {
    Workplace place;
    place.write("f.txt", causal);
    const Outcome outcome = place.run(train_with({"--host", "gpt", "--layers", "3", "-o", "m"}));
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(outcome.error, "");
    const TrainedModel model = read_model_folder(place.folder() / "m");
    EXPECT_EQ(model.steps, 2);
    const auto& configuration = std::get<TransformerConfiguration>(model.settings.model);
    const std::vector<LayerSpec>& layers = configuration.decoder;
    ASSERT_EQ(layers.size(), 3u);
    for (const LayerSpec& layer : layers) {
        ASSERT_TRUE(layer.mechanism);
        EXPECT_EQ(layer.mechanism->algorithm.type, AlgorithmType::formula);
        EXPECT_EQ(std::get<std::string>(layer.mechanism->algorithm.options.at("text")), causal);
    }
}

TEST(FormulaTrain, HasTheHeadsThatAreAskedFor) {
    for (const char* around : {"", "# around: {\"heads\": {\"type\": \"multi\", \"heads\": 4}}\n"}) {
        Workplace place;
        place.write("f.txt", around + std::string(causal));
        const Outcome outcome =
            place.run(train_with({"--host", "gpt", "--layers", "1", "--heads", "2", "-o", "m"}));
        ASSERT_EQ(outcome.status, 0) << outcome.error;
        const TrainedModel model = read_model_folder(place.folder() / "m");
        const auto& configuration = std::get<TransformerConfiguration>(model.settings.model);
        EXPECT_EQ(configuration.heads, 2);
        EXPECT_EQ(configuration.decoder.at(0).mechanism->heads.count(), 2);
    }
}

TEST(FormulaTrain, HasWhatTheFileSaysOfItsSurroundings) {
    Workplace place;
    place.write("f.txt",
                "# around: {\"heads\": {\"type\": \"multi\", \"heads\": 2}}\r\n" + std::string(causal));
    const Outcome outcome = place.run(train_with({"--host", "gpt", "--layers", "1", "-o", "m"}));
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const TrainedModel model = read_model_folder(place.folder() / "m");
    const auto& configuration = std::get<TransformerConfiguration>(model.settings.model);
    ASSERT_EQ(configuration.decoder.size(), 1u);
    ASSERT_TRUE(configuration.decoder[0].mechanism);
    const AttentionSpec& spec = *configuration.decoder[0].mechanism;
    EXPECT_EQ(spec.heads.heads, 2);
    EXPECT_EQ(configuration.heads, 2);
    EXPECT_EQ(std::get<std::string>(spec.algorithm.options.at("text")), "\n" + std::string(causal));
}

// The manual.

std::string manual() {
    std::ifstream file(HEADLIGHT_SOURCE_DIR "/docs/formula.md");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(FormulaManual, HasARowForEachFunction) {
    const std::string text = manual();
    std::set<std::string> rows;
    for (const FormulaFunction& function : formula_functions()) {
        const std::string row =
            "\n| `" + std::string(function.form) + "` | " + std::string(function.meaning) + " |\n";
        EXPECT_NE(text.find(row), std::string::npos) << "docs/formula.md lacks" << row;
        rows.insert(row);
    }
    // And none for another.
    const std::size_t begin = text.find("\n## Functions"), end = text.find("\n## ", begin + 1);
    ASSERT_NE(end, std::string::npos);
    std::istringstream lines(text.substr(begin, end - begin));
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("| `")) {
            EXPECT_TRUE(rows.contains('\n' + line + '\n')) << line;
        }
}

TEST(FormulaManual, HasEachWord) {
    const std::string text = manual();
    for (const FormulaWord& word : formula_words()) {
        EXPECT_NE(text.find('`' + word.name + '`'), std::string::npos) << word.name << ": " << word.meaning;
        EXPECT_TRUE(is_formula_word(word.name)) << word.name;
    }
}

/// What stands between lines of ```.
std::vector<std::string> blocks() {
    std::vector<std::string> all;
    std::istringstream lines(manual());
    bool is_in = false;
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("```")) {
            is_in = !is_in;
            if (is_in)
                all.emplace_back();
        } else if (is_in) {
            all.back() += line + '\n';
        }
    return all;
}

/// With two heads and seven tokens of eight numbers.
Trace run_of(const std::string& text) {
    const Json fields = {{"heads", {{"type", "multi"}, {"heads", 2}}},
                         {"algorithm", {{"type", "formula"}, {"text", text}}}};
    Inputs inputs;
    RandomEngine random(2);
    inputs.query = random_tensor({7, 8}, random);
    return record(planned(spec_from_json(fields), inputs));
}

TEST(FormulaManual, HasFormulasThatRun) {
    int formulas = 0, messages = 0;
    for (const std::string& block : blocks()) {
        if (block.starts_with("line ")) {
            try {
                run_of("scores = q @ k\n");
                ADD_FAILURE() << "no refusal";
            } catch (const Error& error) {
                EXPECT_EQ(error.what() + std::string("\n"), block);
            }
            ++messages;
            continue;
        }
        const bool is_whole =
            block.find("weights = ") != std::string::npos || block.find("context = ") != std::string::npos;
        try {
            const Trace trace = run_of(is_whole ? block : block + "weights = softmax(scores)\n");
            EXPECT_NE(trace.find("weights"), nullptr) << block;
        } catch (const Error& error) {
            ADD_FAILURE() << error.what() << '\n' << block;
        }
        ++formulas;
    }
    EXPECT_GE(formulas, 3);
    EXPECT_EQ(messages, 1);
}

/// Examples within the text.
TEST(FormulaManual, HasExamplesThatRun) {
    const std::string text = manual();
    for (const char* example : {"q @ W[d, 16]", "pick(b[heads, 1, 32], 0, minimum(abs(i - j), 31))",
                                "0 <= i - j < 3", "decay = [0.5, 0.25]", "slope = 1 / 4"}) {
        EXPECT_NE(text.find(example), std::string::npos) << example << " is no longer in the manual";
        const std::string line =
            std::string(example).find(" = ") == std::string::npos ? "z = " + std::string(example) : example;
        try {
            run_of(line + "\nweights = softmax(q @ k.T)\n");
        } catch (const Error& error) {
            ADD_FAILURE() << error.what() << '\n' << line;
        }
    }
}

}  // namespace

}  // namespace headlight::formula_command_test

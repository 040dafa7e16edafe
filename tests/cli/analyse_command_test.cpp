// headlight analyse, and captures drawn by headlight render, as a script uses them.

#include "tests/cli/refusal.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <pty.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace headlight::analyse_command_test {

using namespace headlight::test;
using nlohmann::json;

namespace {

const std::string captures = HEADLIGHT_SOURCE_DIR "/tests/support/captures/";

Outcome run(std::vector<std::string> arguments) { return Workplace().run(std::move(arguments)); }

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

TEST(AnalyseCommand, PrintsARowForEachHead) {
    const Outcome outcome = run({"analyse", captures + "self.npz"});
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    const auto lines = lines_of(outcome.output);
    ASSERT_EQ(lines.size(), 1u + 2 * 3);
    EXPECT_EQ(lines[0], "layer,head,entropy,distance,top_1,first_token,previous_token,diagonal,next_token,"
                        "duplicate,induction,delimiter");
    EXPECT_TRUE(lines[1].starts_with("1,1,"));
    EXPECT_TRUE(lines[6].starts_with("2,3,"));
}

TEST(AnalyseCommand, WritesTheNumbersOfAnIndependentProgram) {
    const Outcome outcome = run({"analyse", captures + "self.npz", "--format", "json"});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const json expected = json::parse(read_file(captures + "golden.json")).at("self.npz");
    const json rows = json::parse(outcome.output);
    ASSERT_EQ(rows.size(), expected.size());
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (const auto& [name, number] : expected[row].items())
            EXPECT_NEAR(rows[row].at(name).get<double>(), number.get<double>(), 1e-12) << name;
}

TEST(AnalyseCommand, RanksHeadsByWhatChangesToAnotherCapture) {
    const Outcome same =
        run({"analyse", captures + "self.npz", "--with", captures + "self.npz", "--by", "change"});
    ASSERT_EQ(same.status, 0) << same.error;
    for (const std::string& line : lines_of(same.output))
        EXPECT_TRUE(line == "layer,head,change" || line.ends_with(",0")) << line;
    const Outcome all = run({"analyse", captures + "self.npz", "--with", captures + "self.npz"});
    EXPECT_TRUE(lines_of(all.output)[0].ends_with(",delimiter,change")) << all.output;
    const Outcome other = run({"analyse", captures + "self.npz", "--with", captures + "translation.npz"});
    EXPECT_NE(other.status, 0);
    EXPECT_NE(other.error.find("compare maps"), std::string::npos) << other.error;
}

TEST(AnalyseCommand, RanksHeadsByWhatChangesWithAnotherText) {
    const std::vector<std::string> asked{"analyse", "dates-luong", "--text", "3 May 2009", "--by", "change"};
    const auto with = [&](const char* option, const char* value) {
        std::vector<std::string> arguments = asked;
        arguments.insert(arguments.end(), {option, value});
        return run(std::move(arguments));
    };
    const Outcome same = with("--with-text", "3 May 2009");
    ASSERT_EQ(same.status, 0) << same.error;
    EXPECT_EQ(lines_of(same.output).at(1), "1,1,0");
    const Outcome other = with("--with-text", "13 June 2009");
    ASSERT_EQ(other.status, 0) << other.error;
    EXPECT_GT(std::stod(lines_of(other.output).at(1).substr(4)), 0.01) << other.output;
    const Outcome all =
        run({"analyse", "dates-luong", "--text", "3 May 2009", "--with-text", "13 June 2009"});
    EXPECT_TRUE(lines_of(all.output).at(0).ends_with(",delimiter,change")) << all.output;
    const Outcome empty = with("--with-text", " ");
    EXPECT_NE(empty.error.find("--with-text"), std::string::npos) << empty.error;
    const Outcome itself = with("--with", "dates-luong");
    EXPECT_EQ(itself.output, same.output) << itself.error;
    const Outcome model = with("--with", "dates-additive-gru");
    EXPECT_GT(std::stod(lines_of(model.output).at(1).substr(4)), 0.01) << model.output << model.error;
    const Outcome nobody = with("--with", "nobody");
    EXPECT_NE(nobody.status, 0);
    EXPECT_NE(nobody.error.find("nobody"), std::string::npos) << nobody.error;
}

TEST(AnalyseCommand, RefusesATextForWhatCannotReadIt) {
    const Outcome captured = run({"analyse", captures + "self.npz", "--with-text", "x"});
    EXPECT_NE(captured.status, 0);
    EXPECT_NE(captured.error.find("--with-text"), std::string::npos) << captured.error;
    const Outcome both = run({"analyse", "dates-luong", "--text", "1", "--with-text", "2", "--with", "3"});
    EXPECT_EQ(both.status, 2);
    EXPECT_NE(both.error.find("one thing to compare with"), std::string::npos) << both.error;
}

TEST(AnalyseCommand, CountsInLargerUnits) {
    const Outcome outcome = run({"analyse", captures + "self.npz", "--units", "words"});
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(lines_of(outcome.output).size(), 1u + 2 * 3);
    const Outcome wrong = run({"analyse", captures + "self.npz", "--units", "wrods"});
    EXPECT_NE(wrong.error.find("did you mean \"words\""), std::string::npos) << wrong.error;
}

TEST(AnalyseCommand, NamesTheMapsWhereThereAreSeveral) {
    const Outcome outcome = run({"analyse", captures + "translation.npz", "--by", "duplicate,entropy"});
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    const auto lines = lines_of(outcome.output);
    ASSERT_EQ(lines.size(), 1u + 3 * 2 * 2);
    EXPECT_EQ(lines[0], "layer,head,duplicate,entropy,maps");
    EXPECT_TRUE(lines[12].starts_with("2,2,,"));  // two texts: nothing is said twice
    EXPECT_TRUE(lines[12].ends_with(",cross"));
}

TEST(AnalyseCommand, ReadsTracesAndModels) {
    const TemporaryFolder folder;
    const std::string trace = (folder / "trace.json").string();
    ASSERT_EQ(run({"run", "causal", "--text", "the cat saw the cat", "-o", trace}).status, 0);
    const auto lines = lines_of(run({"analyse", trace, "--by", "next_token,first_token"}).output);
    ASSERT_GE(lines.size(), 2u);
    EXPECT_TRUE(lines[1].starts_with("1,1,0,")) << lines[1];  // what comes later is masked
    const Outcome model = run({"analyse", "sort-gpt", "--text", "cab"});
    EXPECT_EQ(model.status, 0) << model.error;
    EXPECT_GE(lines_of(model.output).size(), 2u);
}

TEST(AnalyseCommand, SortsHeadsByAStatistic) {
    const auto numbers = [](const std::vector<std::string>& asked) {
        std::vector<std::string> arguments{"analyse", captures + "self.npz", "--by", "entropy"};
        arguments.insert(arguments.end(), asked.begin(), asked.end());
        return lines_of(run(std::move(arguments)).output);
    };
    auto lines = numbers({"--sort", "entropy"});
    ASSERT_EQ(lines.size(), 1u + 2 * 3);
    const auto entropy = [](const std::string& line) { return std::stod(line.substr(line.rfind(',') + 1)); };
    EXPECT_TRUE(std::is_sorted(lines.begin() + 1, lines.end(),
                               [&](const auto& a, const auto& b) { return entropy(a) > entropy(b); }));
    auto others = numbers({"--sort", "first_token"});  // a column that is not printed
    EXPECT_NE(others, lines);
    std::ranges::sort(lines);
    std::ranges::sort(others);
    EXPECT_EQ(others, lines);
    EXPECT_NE(run({"analyse", captures + "self.npz", "--sort", "entorpy"}).error.find("\"entropy\"?"),
              std::string::npos);
    EXPECT_EQ(run({"analyse", captures + "self.npz", "--sort", "entropy", "--distances"}).status, 2);
    const Outcome unknown =
        run({"analyse", captures + "self.npz", "--sort", "change"});  // compared with nothing
    EXPECT_EQ(unknown.status, 1);
    EXPECT_NE(unknown.error.find("expected a head with change, got none"), std::string::npos)
        << unknown.error;
}

TEST(AnalyseCommand, WritesAsManyDigitsAsAreAskedFor) {
    const Outcome all = run({"analyse", captures + "self.npz", "--by", "entropy"});
    const Outcome few = run({"analyse", captures + "self.npz", "--by", "entropy", "--digits", "3"});
    const auto exact = lines_of(all.output), rounded = lines_of(few.output);
    ASSERT_EQ(rounded.size(), exact.size()) << few.error;
    for (std::size_t head = 1; head < exact.size(); ++head) {
        EXPECT_GT(exact[head].size(), 12u) << "a script has all of them: " << exact[head];
        EXPECT_LE(rounded[head].size(), std::string("1,1,0.0123").size()) << rounded[head];
        EXPECT_NEAR(std::stod(rounded[head].substr(4)), std::stod(exact[head].substr(4)), 5e-3);
    }
    const Outcome tree =
        run({"analyse", captures + "self.npz", "--by", "entropy", "--digits", "2", "--format", "json"});
    EXPECT_LE(json::parse(tree.output).at(0).at("entropy").dump().size(), 5u) << tree.output;
    EXPECT_EQ(run({"analyse", captures + "self.npz", "--digits", "0"}).status, 2);
}

/// What the program writes when a person looks on.
std::string printed_on_a_terminal(const std::vector<std::string>& arguments) {
    int terminal = -1;
    const pid_t process = forkpty(&terminal, nullptr, nullptr, nullptr);
    if (process == 0) {
        std::vector<const char*> argv{HEADLIGHT_PROGRAM};
        for (const std::string& argument : arguments)
            argv.push_back(argument.c_str());
        argv.push_back(nullptr);
        execv(HEADLIGHT_PROGRAM, const_cast<char* const*>(argv.data()));
        _exit(127);
    }
    std::string printed;
    char part[4096];
    for (ssize_t count = 0; (count = read(terminal, part, sizeof part)) > 0;)
        printed.append(part, static_cast<std::size_t>(count));
    close(terminal);
    waitpid(process, nullptr, 0);
    return printed;
}

TEST(AnalyseCommand, WritesFewDigitsForAReader) {
    const std::vector<std::string> asked{"analyse", captures + "self.npz", "--by", "entropy"};
    const auto exact = lines_of(run(asked).output);
    // What the axes are stands before the table, and is no part of it.
    const auto table_on_a_terminal = [](const std::vector<std::string>& arguments) {
        auto lines = lines_of(printed_on_a_terminal(arguments));
        EXPECT_NE(lines.at(0).find("is [layer, head, query, key]"), std::string::npos) << lines[0];
        lines.erase(lines.begin());
        return lines;
    };
    const auto shown = table_on_a_terminal(asked);
    ASSERT_EQ(shown.size(), exact.size());
    for (std::size_t head = 1; head < exact.size(); ++head) {
        EXPECT_LE(shown[head].size(), std::string("1,1,0.01234\r").size()) << shown[head];
        EXPECT_NEAR(std::stod(shown[head].substr(4)), std::stod(exact[head].substr(4)), 5e-4);
    }
    std::vector<std::string> all = asked;
    all.insert(all.end(), {"--digits", "17"});
    EXPECT_EQ(table_on_a_terminal(all)[1], exact[1] + '\r');
}

TEST(AnalyseCommand, RefusesWhatItDoesNotKnow) {
    EXPECT_EQ(run({"analyse"}).status, 2);
    const Outcome silent = run({"analyse", "sort-gpt"});
    EXPECT_EQ(silent.status, 2);
    EXPECT_NE(silent.error.find("--text: analyse: expected what the model reads"), std::string::npos)
        << silent.error;
    EXPECT_NE(
        run({"analyse", captures + "self.npz", "--by", "entorpy"}).error.find("did you mean \"entropy\"?"),
        std::string::npos);
    EXPECT_EQ(run({"analyse", captures + "self.npz", "--format", "xml"}).status, 2);
    EXPECT_EQ(run({"analyse", captures + "self.npz", "-o", captures + "self.npz"}).status, 2);
    EXPECT_EQ(run({"analyse", captures + "golden.json"}).status, 1);
    EXPECT_EQ(run({"analyse", captures + "nothing.npz"}).status, 1);
}

TEST(AnalyseCommand, SaysOfAForeignFileThatItCannotBeRead) {
    Workplace place;
    place.write("config.json", R"({"model_type": "llama"})");
    place.write("x.xyz", std::string("\1\0\2", 3));
    expect_refused(place, {"analyse", "config.json"}, 1,
                   "^headlight: config.json: read file: expected what Headlight reads .*Llama");
    expect_refused(place, {"analyse", "x.xyz"}, 1, "^headlight: x.xyz: read file: expected a trace, ");
}

TEST(RenderCommand, DrawsALayerOfACapture) {
    const TemporaryFolder folder;
    const std::string csv = (folder / "cross.csv").string();
    const Outcome outcome = run({"render", captures + "translation.npz", "--site", "cross", "--layer", "2",
                                 "--head", "1", "-o", csv});
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    const std::string table = read_file(csv);
    EXPECT_NE(table.find(",a,b,a,;,b,a,</s>"), std::string::npos) << table;
    EXPECT_NE(table.find("\n[CLS],"), std::string::npos);
    const std::string png = (folder / "heads.png").string();
    EXPECT_EQ(run({"render", captures + "self.npz", "--view", "grid", "--layer", "2", "-o", png}).status, 0);
    const Outcome wrong = run({"render", captures + "self.npz", "--layer", "3", "-o", png});
    EXPECT_EQ(wrong.status, 2);
    EXPECT_NE(wrong.error.find("--layer"), std::string::npos) << wrong.error;
    EXPECT_EQ(run({"render", captures + "self.npz", "--site", "cross", "--layer", "1", "-o", png}).status, 2);
}

TEST(AnalyseCommand, ReadsALinearLayer) {
    const Outcome outcome = run({"analyse", captures + "implied.npz", "--by", "entropy,previous_token"});
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(std::ranges::count(outcome.output, '\n'), 9) << outcome.output;
    EXPECT_EQ(outcome.output.find("nan"), std::string::npos)
        << "shares of negative weights are by their size";
}

TEST(RenderCommand, MarksImpliedWeights) {
    const TemporaryFolder folder;
    const auto drawn = [&](const std::vector<std::string>& options, const char* name) {
        const std::string path = (folder / name).string();
        std::vector<std::string> arguments{"render", captures + "implied.npz", "-o", path};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        return read_file(path);
    };
    EXPECT_TRUE(drawn({}, "x.png").starts_with("\x89PNG"));
    const std::string csv = drawn({"--view", "heatmap", "--layer", "2", "--head", "3"}, "x.csv");
    EXPECT_TRUE(csv.starts_with("implied weights,[CLS],the,cat,")) << csv;
    EXPECT_NE(csv.find(",-"), std::string::npos) << "negative weights: " << csv;
    for (const char* view : {"heatmap", "grid", "model_grid", "lines", "steps"}) {
        const std::string svg = drawn({"--view", view}, "x.svg");
        const std::size_t described = svg.find("<desc");
        ASSERT_NE(described, std::string::npos) << view;
        const std::string description = svg.substr(described, svg.find("</desc>") - described);
        EXPECT_TRUE(description.find("mplied weights") != std::string::npos) << view << ": " << description;
    }
}

TEST(RenderHeads, DrawsEveryHeadInEveryFormat) {
    const TemporaryFolder folder;
    const auto output = [&](const char* name) { return (folder / name).string(); };
    const Outcome sorted = run({"render", captures + "translation.npz", "--view", "model_grid", "--sort",
                                "entropy", "-o", output("heads.csv")});
    EXPECT_EQ(sorted.status, 0) << sorted.error;
    EXPECT_NE(read_file(output("heads.csv")).find("Entropy"), std::string::npos);
    const auto svg = [&](std::vector<std::string> framed) {
        std::vector<std::string> arguments{"render", captures + "translation.npz", "--view", "model_grid",
                                           "-o",     output("framed.svg")};
        arguments.insert(arguments.end(), framed.begin(), framed.end());
        const Outcome drawn = run(std::move(arguments));
        EXPECT_EQ(drawn.status, 0) << drawn.error;
        return read_file(output("framed.svg"));
    };
    EXPECT_EQ(svg({}).find("Frames and bars"), std::string::npos);
    EXPECT_NE(svg({"--framed-by", "first_token"}).find("Frames and bars: first token, from "),
              std::string::npos);
    for (const char* name : {"heads.png", "heads.svg", "heads.pdf"})
        for (const char* view : {"model_grid", "scatter", "statistics", "text", "axes"}) {
            const Outcome drawn =
                run({"render", captures + "translation.npz", "--view", view, "-o", output(name)});
            EXPECT_EQ(drawn.status, 0) << view << ": " << drawn.error;
        }
}

TEST(RenderHeads, RefusesWhatIsNoStatisticAndNoAxis) {
    const TemporaryFolder folder;
    const auto output = [&](const char* name) { return (folder / name).string(); };
    const Outcome statistic = run({"render", captures + "translation.npz", "--view", "scatter", "--up",
                                   "entrpy", "-o", output("heads.png")});
    EXPECT_EQ(statistic.status, 2);
    EXPECT_NE(statistic.error.find("entropy"), std::string::npos) << statistic.error;
    const Outcome axis = run(
        {"render", captures + "translation.npz", "--view", "axes", "--rows", "d", "-o", output("axes.png")});
    EXPECT_EQ(axis.status, 2);
    EXPECT_NE(axis.error.find("query"), std::string::npos) << axis.error;
}

TEST(RenderHeads, DrawsOneMapOfAllLayers) {
    const TemporaryFolder folder;
    const std::string csv = (folder / "map.csv").string();
    const auto drawn = [&](std::vector<std::string> options) {
        std::vector<std::string> arguments{"render", captures + "translation.npz", "--site", "encoder", "-o",
                                           csv};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const Outcome outcome = run(std::move(arguments));
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        std::vector<double> numbers;
        const std::vector<std::string> lines = lines_of(read_file(csv));
        for (std::size_t line = 1; line < lines.size(); ++line) {
            std::istringstream cells(lines[line].substr(lines[line].find(',') + 1));
            for (std::string cell; std::getline(cells, cell, ',');)
                numbers.push_back(std::stod(cell));
        }
        return numbers;
    };
    const auto first = drawn({"--layer", "1", "--head", "2"}),
               second = drawn({"--layer", "2", "--head", "2"}),
               mean = drawn({"--layer", "mean", "--head", "2"}),
               largest = drawn({"--layer", "maximum", "--head", "2"}),
               heads = drawn({"--layer", "1", "--head", "mean"}),
               other_heads = drawn({"--layer", "2", "--head", "mean"}),
               all = drawn({"--layer", "mean", "--head", "mean"});
    ASSERT_EQ(first.size(), 49u);
    for (std::size_t at = 0; at < first.size(); ++at) {
        EXPECT_NEAR(mean[at], (first[at] + second[at]) / 2, 1e-9);
        EXPECT_EQ(largest[at], std::max(first[at], second[at]));
        EXPECT_NEAR(all[at], (heads[at] + other_heads[at]) / 2, 1e-9);
    }
    const auto refused = [&](std::vector<std::string> options, const char* part) {
        std::vector<std::string> arguments{"render", captures + "translation.npz", "-o", csv};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const Outcome outcome = run(std::move(arguments));
        EXPECT_EQ(outcome.status, 2);
        EXPECT_NE(outcome.error.find(part), std::string::npos) << outcome.error;
    };
    refused({"--layer", "maen"}, "did you mean \"mean\"?");
    refused({"--layer", "mean", "--head", "rollout"}, "rollout through them");
    refused({"--layer", "mean", "--view", "model_grid"}, "--layer mean");
}

TEST(RenderHeads, HidesKeysByNameAndByNumber) {
    const TemporaryFolder folder;
    const std::string csv = (folder / "hidden.csv").string();
    const Outcome outcome = run({"render", captures + "causal.npz", "--hide", "1", "-o", csv});
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_NE(read_file(csv).find(",nan,"), std::string::npos);
    const std::string heads = (folder / "heads.csv").string();
    EXPECT_EQ(
        run({"render", captures + "causal.npz", "--view", "statistics", "--hide", "1", "-o", heads}).status,
        0);
    EXPECT_NE(read_file(heads).find("Hidden"), std::string::npos);
    EXPECT_EQ(read_file(heads).find("First token"), std::string::npos) << "empty throughout";
    const Outcome norms = run({"render", captures + "causal.npz", "--weights", "value_norms", "-o", csv});
    EXPECT_EQ(norms.status, 1);
    EXPECT_NE(norms.error.find("values of the keys are not known"), std::string::npos) << norms.error;
    const Outcome wrong = run({"render", captures + "causal.npz", "--hide", "nowhere", "-o", csv});
    EXPECT_EQ(wrong.status, 2);
    EXPECT_NE(wrong.error.find("by number from 1 to 10"), std::string::npos) << wrong.error;
}

TEST(RenderHeads, DrawsNormsOfWhatKeysGive) {
    const TemporaryFolder folder;
    const std::string trace = (folder / "t.json").string(), csv = (folder / "norms.csv").string(),
                      weights = (folder / "weights.csv").string();
    ASSERT_EQ(run({"run", "scaled_dot_product", "--text", "a small cat", "-o", trace}).status, 0);
    for (const auto& [kind, file] : {std::pair("raw", weights), {"value_norms", csv}}) {
        const Outcome drawn = run({"render", trace, "--weights", kind, "-o", file});
        EXPECT_EQ(drawn.status, 0) << drawn.error;
    }
    EXPECT_NE(read_file(csv), read_file(weights));
    EXPECT_EQ(run({"render", trace, "--weights", "norms", "-o", csv}).status, 2);
}

TEST(AnalyseCommand, CountsWithoutHiddenKeys) {
    const auto all = lines_of(run({"analyse", captures + "causal.npz", "--by", "first_token"}).output);
    const Outcome without = run({"analyse", captures + "causal.npz", "--hide", "1"});
    EXPECT_EQ(without.status, 0) << without.error;
    const auto lines = lines_of(without.output);
    ASSERT_EQ(lines.size(), all.size());
    EXPECT_TRUE(lines[0].ends_with(",delimiter,hidden")) << lines[0];
    const Outcome few =
        run({"analyse", captures + "causal.npz", "--hide", "1", "--by", "first_token,hidden"});
    for (std::size_t head = 1; head < all.size(); ++head) {
        const std::string line = lines_of(few.output)[head];
        EXPECT_NE(line.find(",,"), std::string::npos) << "no share of the first token: " << line;
        // Rows sum to 1, so that what was hidden is what the first token had.
        EXPECT_NEAR(std::stod(line.substr(line.rfind(',') + 1)),
                    std::stod(all[head].substr(all[head].rfind(',') + 1)), 1e-6);
    }
    EXPECT_EQ(run({"analyse", captures + "causal.npz", "--hide", "nowhere"}).status, 2);
}

TEST(AnalyseCommand, CountsNormsOfWhatKeysGive) {
    const TemporaryFolder folder;
    const std::string trace = (folder / "t.json").string(), csv = (folder / "norms.csv").string();
    ASSERT_EQ(run({"run", "scaled_dot_product", "--text", "a small cat", "-o", trace}).status, 0);
    const std::vector<std::string> asked{"analyse", trace, "--by", "first_token", "--weights"};
    const auto first_token = [&](const char* weights) {
        std::vector<std::string> arguments = asked;
        arguments.emplace_back(weights);
        const Outcome outcome = run(std::move(arguments));
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        return std::stod(lines_of(outcome.output).at(1).substr(4));
    };
    // From the stages of the trace: a norm is the weight times the length of its value.
    const json stages = json::parse(read_file(trace)).at("stages");
    const auto numbers = [&](const char* name) {
        for (const json& stage : stages)
            if (stage.at("name") == name)
                return stage.at("data").get<std::vector<double>>();
        return std::vector<double>();
    };
    const std::vector<double> weights = numbers("weights"), value = numbers("value");
    ASSERT_EQ(weights.size(), 9u);
    const std::size_t width = value.size() / 3;
    double raw = 0, norms = 0;
    for (std::size_t query = 0; query < 3; ++query) {
        std::array<double, 3> norm{};
        for (std::size_t key = 0; key < 3; ++key) {
            double squares = 0;
            for (std::size_t at = 0; at < width; ++at)
                squares += value[key * width + at] * value[key * width + at];
            norm[key] = std::sqrt(squares) * weights[query * 3 + key];
        }
        raw += weights[query * 3] / 3;
        norms += norm[0] / (norm[0] + norm[1] + norm[2]) / 3;
    }
    EXPECT_NEAR(first_token("raw"), raw, 1e-9);
    EXPECT_NEAR(first_token("value_norms"), norms, 1e-9);
    EXPECT_GT(std::abs(raw - norms), 1e-6);
    const Outcome capture = run({"analyse", captures + "causal.npz", "--weights", "value_norms"});
    EXPECT_EQ(capture.status, 1);
    EXPECT_NE(capture.error.find("values of the keys are not known"), std::string::npos) << capture.error;
    EXPECT_EQ(run({"analyse", trace, "--weights", "norms"}).status, 2);
}

TEST(AnalyseCommand, SaysHowFarEachHeadLooks) {
    const TemporaryFolder folder;
    const std::string trace = (folder / "t.json").string();
    std::string text;
    for (int word = 0; word < 20; ++word)
        text += "w" + std::to_string(word) + ' ';
    ASSERT_EQ(run({"run", "causal", "--text", text, "-o", trace}).status, 0);
    const Outcome csv = run({"analyse", trace, "--distances"});
    ASSERT_EQ(csv.status, 0) << csv.error;
    const json document = json::parse(read_file(trace));
    std::vector<double> weights;
    for (const json& stage : document.at("stages"))
        if (stage.at("name") == "weights")
            weights = stage.at("data").get<std::vector<double>>();
    ASSERT_EQ(weights.size(), 400u);
    std::vector<double> shares(20);
    for (std::size_t query = 0; query < 20; ++query)
        for (std::size_t key = 0; key <= query; ++key)
            shares[query - key] += weights[query * 20 + key] / 20;
    const auto lines = lines_of(csv.output);
    EXPECT_EQ(lines[0], "layer,head,from,to,share");
    ASSERT_EQ(lines.size(), 1u + 17);  // 16 alone, and 16 to 19
    const json rows = json::parse(run({"analyse", trace, "--distances", "--format", "json"}).output);
    for (std::size_t bin = 0; bin < 17; ++bin) {
        double share = shares[bin];
        for (std::size_t further = 17; bin == 16 && further < 20; ++further)
            share += shares[further];
        const std::string place =
            "1,1," + std::to_string(bin) + ',' + std::to_string(bin < 16 ? bin : 19) + ',';
        ASSERT_TRUE(lines[bin + 1].starts_with(place)) << lines[bin + 1];
        EXPECT_NEAR(std::stod(lines[bin + 1].substr(place.size())), share, 1e-9) << place;
        const json& distance = rows.at(0).at("distances").at(bin);
        EXPECT_EQ(distance.at("from"), bin);
        EXPECT_NEAR(distance.at("share").get<double>(), share, 1e-9);
    }
    EXPECT_EQ(run({"analyse", trace, "--distances", "--by", "entropy"}).status, 2);
    const Outcome several = run({"analyse", captures + "translation.npz", "--distances"});
    EXPECT_EQ(lines_of(several.output)[0], "layer,head,from,to,share,maps");
}

TEST(RenderHeads, RefusesToHideNothing) {
    const TemporaryFolder folder;
    for (std::vector<std::string> arguments :
         {std::vector<std::string>{"analyse", captures + "causal.npz"},
          {"render", captures + "causal.npz", "-o", (folder / "x.csv").string()}}) {
        arguments.insert(arguments.end(), {"--hide", ""});
        const Outcome outcome = run(std::move(arguments));
        EXPECT_EQ(outcome.status, 2);
        EXPECT_NE(outcome.error.find("--hide"), std::string::npos) << outcome.error;
        EXPECT_NE(outcome.error.find("an empty text"), std::string::npos) << outcome.error;
    }
}

TEST(RenderHeads, OfATraceComparesWhatItsSessionReads) {
    const TemporaryFolder folder;
    const std::string trace = (folder / "t.json").string(), csv = (folder / "d.csv").string();
    ASSERT_EQ(run({"run", "scaled_dot_product", "--text", "a small cat", "-o", trace}).status, 0);
    const Outcome drawn = run({"render", trace, "--with-text", "a small dog", "-o", csv});
    EXPECT_EQ(drawn.status, 0) << drawn.error;
    EXPECT_NE(read_file(csv).find("cat ↔ dog"), std::string::npos) << read_file(csv);
    const Outcome counted = run({"analyse", trace, "--with-text", "a small dog", "--by", "change"});
    EXPECT_EQ(counted.status, 0) << counted.error;
    EXPECT_GT(std::stod(lines_of(counted.output).at(1).substr(4)), 0) << counted.output;
    json without = json::parse(read_file(trace));
    without.erase("session");
    const std::string alone = (folder / "alone.json").string();
    std::ofstream(alone) << without.dump();
    const Outcome refused = run({"render", alone, "--with-text", "a small dog", "-o", csv});
    EXPECT_EQ(refused.status, 1);
    EXPECT_NE(refused.error.find("a trace without its session"), std::string::npos) << refused.error;
}

TEST(RenderHeads, DrawsNormsOfOneTraceBesideAnother) {
    const TemporaryFolder folder;
    const std::string cat = (folder / "cat.json").string(), dog = (folder / "dog.safetensors").string(),
                      longer = (folder / "longer.json").string(), csv = (folder / "d.csv").string();
    ASSERT_EQ(run({"run", "scaled_dot_product", "--text", "a small cat", "-o", cat}).status, 0);
    ASSERT_EQ(run({"run", "scaled_dot_product", "--text", "a small dog", "-o", dog}).status, 0);
    ASSERT_EQ(run({"run", "scaled_dot_product", "--text", "a small black dog", "-o", longer}).status, 0);
    const auto norms = [&](const std::string& file, std::vector<std::string> more) {
        std::vector<std::string> arguments{"render", file, "--weights", "value_norms", "-o", csv};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = run(std::move(arguments));
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        std::vector<double> cells;
        const auto lines = lines_of(read_file(csv));
        for (std::size_t row = 1; row <= 3; ++row) {
            std::istringstream line(lines.at(row));
            std::string cell;
            std::getline(line, cell, ',');
            while (std::getline(line, cell, ','))
                cells.push_back(std::stod(cell));
        }
        return cells;
    };
    const std::vector<double> own = norms(cat, {}), other = norms(dog, {}),
                              both = norms(cat, {"--with", dog});
    ASSERT_EQ(both.size(), 9u);
    for (std::size_t cell = 0; cell < 9; ++cell)
        EXPECT_NEAR(both[cell], own[cell] - other[cell], 1e-9) << cell;
    // Weights of texts of other lengths are compared on the tokens that both have, as before.
    EXPECT_EQ(run({"render", cat, "--with", longer, "-o", csv}).status, 0);
}

TEST(RenderHeads, OfWeightsAloneHasNoQueries) {
    const TemporaryFolder folder;
    const Outcome outcome = run({"render", captures + "translation.npz", "--view", "query_key", "-o",
                                 (folder / "products.png").string()});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.error.find("weights alone; scripts/headlight_capture.py"), std::string::npos)
        << outcome.error;
}

}  // namespace

}  // namespace headlight::analyse_command_test

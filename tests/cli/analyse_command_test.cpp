// headlight analyse, and captures drawn by headlight render, as a script uses them.

#include "tests/cli/program.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

using namespace headlight;
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

TEST(AnalyseCommand, RefusesWhatItDoesNotKnow) {
    EXPECT_EQ(run({"analyse"}).status, 2);
    EXPECT_NE(
        run({"analyse", captures + "self.npz", "--by", "entorpy"}).error.find("did you mean \"entropy\"?"),
        std::string::npos);
    EXPECT_EQ(run({"analyse", captures + "self.npz", "--format", "xml"}).status, 2);
    EXPECT_EQ(run({"analyse", captures + "self.npz", "-o", captures + "self.npz"}).status, 2);
    EXPECT_EQ(run({"analyse", captures + "golden.json"}).status, 1);
    EXPECT_EQ(run({"analyse", captures + "nothing.npz"}).status, 1);
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
    EXPECT_EQ(run({"render", captures + "self.npz", "--site", "cross", "--layer", "1", "-o", png}).status, 1);
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
    EXPECT_EQ(axis.status, 1);
    EXPECT_NE(axis.error.find("query"), std::string::npos) << axis.error;
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

TEST(RenderHeads, OfWeightsAloneHasNoQueries) {
    const TemporaryFolder folder;
    const Outcome outcome = run({"render", captures + "translation.npz", "--view", "query_key", "-o",
                                 (folder / "products.png").string()});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.error.find("recorded queries and keys"), std::string::npos) << outcome.error;
}

}  // namespace

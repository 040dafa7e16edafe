// headlight render: a figure as its author wants it, kept in the file, and refused where there is none.

#include "core/io/json_text.h"
#include "core/io/session.h"
#include "core/io/trace_file.h"
#include "tests/cli/drawing.h"
#include "tests/cli/refusal.h"
#include "tests/support/sample_traces.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <regex>

namespace headlight::figure_flags_test {

using namespace headlight::test;

namespace {

/// A session that runs: five tokens, eight heads.
std::string session_json() {
    Session session = example_session();
    session.sequence.query_text = "the river bank flooded </s>";
    session.sequence.split = TokenSplit::words;
    session.sequence.vectors.kind = VectorKind::hashed;
    session.mechanism = "multi_head";
    session.values.clear();
    session.view = ViewState();
    session.view.view = ViewKind::heatmap;
    return write_session(session);
}

class FigureFlags : public DrawingTest {
protected:
    FigureFlags() {
        place_.write("s.json", session_json());
        place_.write("t.json", write_trace_json(samples::sentence()));
    }

    std::string draw(const Words& arguments, const std::string& output = "f.svg",
                     const std::string& from = "s.json") {
        return draw_from(from, arguments, output);
    }
};

TEST_F(FigureFlags, TitlesAreTheAuthors) {
    const std::string svg = draw({"--title", "Alignment & more", "--subtitle", "of one sentence", "--x-title",
                                  "source", "--y-title", "target", "--bar-title", "share"});
    for (const char* text :
         {">Alignment &amp; more<", ">of one sentence<", ">source<", ">target<", ">share<"})
        EXPECT_TRUE(has(svg, text)) << text;
    EXPECT_FALSE(has(svg, ">softmax of each row<"));
    const std::string bare =
        draw({"--title", "", "--x-title=", "--y-title=", "--bar-title=", "--subtitle=", "--no-panel-titles"});
    for (const char* text : {">query (who looks)<", ">weights<", ">Weights, head 1 of 8<"})
        EXPECT_FALSE(has(bare, std::string(text))) << text;
}

TEST_F(FigureFlags, NotesAreLeftOutAndPrinted) {
    const std::string note = "Hatched: forbidden by the mask.";
    const Words words{"render", "t.json", "--view", "heatmap", "-o", "n.svg"};
    const Outcome with = place_.run(words);
    ASSERT_EQ(with.status, 0) << with.error;
    EXPECT_FALSE(has(with.error, note)) << with.error;
    EXPECT_TRUE(has(place_.read("n.svg"), std::string("Hatched:")));
    Words bare = words;
    bare.emplace_back("--no-notes");
    const Outcome without = place_.run(bare);
    ASSERT_EQ(without.status, 0) << without.error;
    EXPECT_TRUE(has(without.error, note)) << without.error;
    EXPECT_FALSE(has(place_.read("n.svg"), std::string("Hatched:")));
}

TEST_F(FigureFlags, NotesArePrintedAsTheyWouldBeDrawn) {
    std::string text = "the qzxv";
    for (int word = 2; word < 60; ++word)
        text += " the";
    const Outcome run = place_.run({"run", "soft", "--text", text, "-o", "u.json"});
    ASSERT_EQ(run.status, 0) << run.error;
    const auto printed = [&](const Words& size, const std::string& output) {
        Words words{"render", "u.json", "--view", "heatmap", "--no-notes", "-o", output};
        words.insert(words.end(), size.begin(), size.end());
        const Outcome outcome = place_.run(words);
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        return outcome.error;
    };
    const std::string underline = "Dotted underline";
    EXPECT_TRUE(has(printed({"--width", "600mm"}, "large.svg"), underline));
    for (const Words& narrow : {Words{"--width", "85mm"}, Words{"--width", "85mm", "--each", "head"}})
        EXPECT_FALSE(has(printed(narrow, "small.svg"), underline)) << "no room for the word";
    EXPECT_FALSE(has(printed({}, "numbers.csv"), underline)) << "numbers underline nothing";
}

TEST_F(FigureFlags, OptionsComeFromAFileAndFlagsWin) {
    place_.write("o.json",
                 R"({"title": "of the file", "x_title": "source", "colour_bar": false, "digits": 1})");
    const std::string svg = draw({"--figure", "o.json", "--title", "of the flag"});
    EXPECT_TRUE(has(svg, ">of the flag<"));
    EXPECT_FALSE(has(svg, ">of the file<"));
    EXPECT_TRUE(has(svg, ">source<"));
    EXPECT_FALSE(has(svg, ">1.0<")) << "the colour bar";
    // In place of what the session says, all of it.
    place_.write("again.svg", svg);
    EXPECT_EQ(draw({}, "same.svg", "again.svg"), svg);
    place_.write("other.json", R"({"y_title": "target"})");
    const std::string other = draw({"--figure", "other.json"}, "g.svg", "again.svg");
    EXPECT_TRUE(has(other, ">target<"));
    EXPECT_FALSE(has(other, ">source<"));
}

TEST_F(FigureFlags, AFileOfOptionsThatIsNoneIsRefused) {
    const auto refused = [&](const std::string& text, const std::string& message) {
        place_.write("o.json", text);
        expect_refused(place_, {"render", "s.json", "--figure", "o.json", "-o", "f.svg"}, 1, message);
    };
    refused("", "o.json: ");
    refused("[]", "o.json: read figure options: expected an object");
    refused(R"({"titel": "x"})", "o.json: .*titel.*|o.json: .*expected .*title");
    refused(R"({"digits": 99})", "o.json: /digits: ");
    refused(R"({"heads": [0, 0]})", "o.json: /heads: ");
    refused(R"({"hidden_labels": "("})", "o.json: /hidden_labels");
    refused(R"({"title": ")" + std::string(2000, 'x') + "\"}", "o.json: /title: ");
    refused(std::string(100'000, '['), "o.json: ");
    refused(std::string(5'000'000, ' '), "o.json: ");
    expect_refused(place_, {"render", "s.json", "--figure", "none.json", "-o", "f.svg"}, 1, "none.json");
    expect_refused(place_, {"render", "s.json", "--figure", "s.json", "-o", "f.svg"}, 1, "s.json: ");
    place_.write("f.json", "{}");
    std::filesystem::create_symlink("f.json", place_.folder() / "f.svg");
    expect_refused(place_, {"render", "s.json", "--figure", "f.json", "-o", "f.svg"}, 2,
                   "-o: render: expected another file");
}

TEST_F(FigureFlags, AStrippedFigureCarriesNothing) {
    for (const char* extension : {"png", "svg", "pdf", "html", "tex", "pgf", "typ", "eps", "gif", "webp"}) {
        const std::string name = std::string("f.") + extension;
        const std::string whole = draw({}, name);
        EXPECT_EQ(place_.run({"render", name, "-o", "again.csv"}).status, 0) << name;
        const std::string bare = draw({"--strip"}, name);
        EXPECT_LT(bare.size(), whole.size());
        EXPECT_FALSE(has(bare, "headlight-session")) << name;
        EXPECT_FALSE(has(bare, "multi_head")) << name;
        expect_refused(place_, {"render", name, "-o", "again.csv"}, 1,
                       "got (a picture without one|plain text)");
    }
}

TEST_F(FigureFlags, AFigureIsDrawnAgainFromItself) {
    const Words wishes{"--title",      "T",     "--digits",      "3",      "--no-bar",     "--transparent",
                       "--rows",       "2..4",  "--columns",     "1..3",   "--mark",       "3,2",
                       "--mark",       "2-3,1", "--hide-tokens", "^</s>$", "--font-size",  "7pt",
                       "--width",      "85mm",  "--x-title",     "source", "--least-size", "5pt",
                       "--line-width", "0.2pt"};
    for (const char* name : {"f.png", "f.svg", "f.pdf"}) {
        const std::string first = draw(wishes, name);
        EXPECT_EQ(draw({}, std::string("again") + std::string(name).substr(1), name), first) << name;
    }
}

TEST_F(FigureFlags, AFigureIsDrawnAgainInItsTheme) {
    const std::string dark = draw({"--theme", "dark"}, "dark.svg");
    EXPECT_EQ(draw({}, "again.svg", "dark.svg"), dark);
    EXPECT_EQ(draw({"--theme", "paper"}, "paper.svg", "dark.svg"), draw({}, "of_session.svg"));
}

TEST_F(FigureFlags, AFigureOfACaptureCarriesWhereItIs) {
    const std::string captures = HEADLIGHT_SOURCE_DIR "/tests/support/captures/";
    const std::string one = draw({"--view", "grid", "--layer", "2"}, "one.svg", captures + "self.npz");
    EXPECT_EQ(draw({}, "again.svg", "one.svg"), one);
    std::filesystem::copy(captures + "self.npz", place_.folder() / "here.npz");
    std::filesystem::copy(captures + "self.json", place_.folder() / "here.json");
    const std::string both = draw({"--with", "here.npz", "--units", "words"}, "both.svg", "here.npz");
    EXPECT_EQ(draw({}, "again.svg", "both.svg"), both);
}

TEST_F(FigureFlags, LinesOfSeveralHeadsAreInOnePicture) {
    const std::string svg = draw({"--view", "lines", "--heads", "1,3"}, "both.svg");
    for (const char* text : {">Weights, heads 1 and 3 of 8<", ">head 1<", ">head 3<"})
        EXPECT_TRUE(has(svg, text)) << text;
    EXPECT_FALSE(has(svg, ">head 2<"));
    EXPECT_EQ(draw({}, "again.svg", "both.svg"), svg);
    const std::string numbers = draw({"--view", "lines", "--heads", "1,3"}, "f.csv");
    EXPECT_TRUE(has(numbers, "Weights, head 1 of 8") && has(numbers, "Weights, head 3 of 8")) << numbers;
    const std::string one = draw({"--view", "lines", "--head", "3"}, "one.svg");
    EXPECT_FALSE(has(one, ">head 3<")) << "one head needs no legend";
    EXPECT_TRUE(has(draw({"--head", "2"}, "two.svg", "both.svg"), ">Weights, head 2 of 8<"))
        << "one head was asked for";
    for (const char* name : {"f.png", "f.pdf", "f.html", "f.eps", "f.pgf", "f.typ"})
        EXPECT_FALSE(draw({"--view", "lines", "--heads", "1,3"}, name).empty());
    draw({"--view", "lines", "--heads", "1,3", "--each", "head"}, "each.svg");
    EXPECT_TRUE(has(place_.read("each-2.svg"), ">Weights, head 2 of 8<"));
}

TEST_F(FigureFlags, LinesAreTheStrongestOfEachQuery) {
    const Words asked{"--view", "lines", "--top-k", "1", "--threshold", "0.1"};
    const std::string svg = draw(asked, "strong.svg");
    EXPECT_TRUE(has(svg, "Not drawn: ")) << "the caption says how many";
    EXPECT_LT(svg.size(), draw({"--view", "lines"}, "all.svg").size());
    EXPECT_EQ(draw({}, "again.svg", "strong.svg"), svg);
    for (const char* said : {"&quot;top_k&quot;:1", "&quot;threshold&quot;:0.1"})
        EXPECT_TRUE(has(svg, said)) << "the figure keeps it";
    const std::string panels = draw({"--panel", "view=lines top-k=1", "--panel", "view=lines"}, "p.svg");
    EXPECT_FALSE(panels.empty());
    for (const char* option : {"--top-k", "--threshold"})
        expect_refused(place_, {"render", "s.json", option, "1", "-o", "g.svg"}, 2,
                       std::string(option) + ": .*the view lines, got \"heatmap\"");
    expect_refused(place_, {"render", "s.json", "--view", "lines", "--top-k", "0", "-o", "g.svg"}, 2,
                   "--top-k: .*from 1");
    expect_refused(place_, {"render", "s.json", "--view", "lines", "--threshold", "-1", "-o", "g.svg"}, 2,
                   "--threshold: .*from 0");
}

TEST_F(FigureFlags, WhatIsAskedForIsInTheSession) {
    draw({"--digits", "3", "--no-bar", "--heads", "1,3-5", "--font-size", "7pt"}, "f.png");
    const std::string svg = draw({"--heads", "1,3-5", "--digits", "3"});
    for (const char* head : {">Head 1<", ">Head 3<", ">Head 4<", ">Head 5<"})
        EXPECT_TRUE(has(svg, head)) << head;
    for (const char* head : {">Head 2<", ">Head 6<"})
        EXPECT_FALSE(has(svg, head)) << head;
    EXPECT_TRUE(has(svg, "&quot;heads&quot;: [") || has(svg, "&quot;heads&quot;:[")) << "as they are counted";
}

TEST_F(FigureFlags, RowsAndColumnsAreCountedFromOne) {
    const std::string csv = draw({"--rows", "2..3", "--columns", "1..2"}, "f.csv", "t.json");
    EXPECT_TRUE(csv.starts_with(",The,bank\r\nbank,")) << csv;
    EXPECT_TRUE(has(csv, "\r\nof,"));
    EXPECT_FALSE(has(csv, "river"));
    const std::string dealt =
        draw({"--view", "axes", "--rows", "head", "--columns", "key"}, "g.csv", "t.json");
    EXPECT_TRUE(has(dealt, "river")) << "the name of an axis is one still";
}

TEST_F(FigureFlags, LabelsThatMatchAreNotWritten) {
    EXPECT_TRUE(has(draw({}), ">&lt;/s&gt;<"));
    EXPECT_FALSE(has(draw({"--hide-tokens", "</s>"}), ">&lt;/s&gt;<"));
}

TEST_F(FigureFlags, LabelsAreRenamedInTheSession) {
    nlohmann::json session = *parse_json(session_json());
    session["view"]["figure"]["renamed"]["</s>"] = "end";
    place_.write("r.json", session.dump());
    const std::string svg = draw({}, "f.svg", "r.json");
    EXPECT_TRUE(has(svg, ">end<"));
    EXPECT_FALSE(has(svg, ">&lt;/s&gt;<"));
}

TEST_F(FigureFlags, AFontThatTheSystemLacksIsNamed) {
    nlohmann::json session = *parse_json(session_json());
    session["view"]["figure"]["font"] = "No Such Family";
    place_.write("r.json", session.dump());
    const Outcome outcome = place_.run({"render", "r.json", "-o", "f.svg"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(has(outcome.error, "no font called No Such Family")) << outcome.error;
    EXPECT_TRUE(has(place_.read("f.svg"), "font-family:Inter"));
}

TEST_F(FigureFlags, ARangeIsTakenFromAnotherFigure) {
    draw({"--range", "fitted", "--rows", "1..2"}, "other.png");
    const std::string csv = draw({"--rows", "1..2"}, "other.csv");
    double low = 1, high = 0;
    const std::regex number("0\\.[0-9]+");
    for (auto match = std::sregex_iterator(csv.begin(), csv.end(), number); match != std::sregex_iterator();
         ++match) {
        low = std::min(low, std::stod(match->str()));
        high = std::max(high, std::stod(match->str()));
    }
    const std::string svg = draw({"--range", "as:other.png"});
    std::smatch range;
    ASSERT_TRUE(
        std::regex_search(svg, range, std::regex("&quot;range&quot;: ?&quot;([0-9.e-]+)\\.\\.([0-9.e-]+)&")))
        << "its numbers are kept";
    EXPECT_NEAR(std::stod(range[1]), low, 1e-5);
    EXPECT_NEAR(std::stod(range[2]), high, 1e-5);
    EXPECT_TRUE(has(draw({"--range", "as:s.json"}), "&quot;range&quot;:&quot;unit&quot;"));
}

TEST_F(FigureFlags, NumbersAndBarsAreLeftOut) {
    const std::regex number(">0\\.[0-9]{4}<");
    EXPECT_TRUE(std::regex_search(draw({"--width", "200mm", "--digits", "4"}), number));
    EXPECT_FALSE(std::regex_search(draw({"--width", "200mm", "--no-values", "--no-bar"}), number));
    EXPECT_FALSE(has(draw({"--no-bar"}), ">weights<"));
    EXPECT_TRUE(has(draw({}), ">weights<"));
}

struct RefusedFlags {
    Words arguments;
    int status;
    std::string message;
};

TEST_F(FigureFlags, WhatNoFigureHasIsRefusedWithNumbers) {
    const std::vector<RefusedFlags> rows{
        {{"--rows", "3..9"}, 2, "--rows.*rows from 1 to 8.*3\\.\\.9"},
        {{"--columns", "9..9"}, 2, "--columns.*columns from 1 to 8.*9"},
        {{"--rows", "0..3"}, 2, "--rows.*from 1.*0\\.\\.3"},
        {{"--rows", "5"}, 2, "--rows.*such as 3\\.\\.17"},
        {{"--rows", "heads"}, 2, "--rows"},
        {{"--heads", "1,9"}, 2, "--heads.*heads from 1 to 4.*9"},
        {{"--heads", "1,9", "--view", "lines"}, 2, "--heads.*heads from 1 to 4.*9"},
        {{"--heads", "1,1"}, 2, "--heads.*each once"},
        {{"--heads", "2", "--view", "heatmap"}, 2, "--heads.*grid.*heatmap"},
        {{"--mark", "9,1"}, 2, "--mark.*rows from 1 to 8.*9"},
        {{"--mark", "1,7-9"}, 2, "--mark.*columns from 1 to 8.*7\\.\\.9"},
        {{"--mark", "it,animal"}, 2, "--mark.*ROW,COLUMN"},
        {{"--mark", "1,1", "--view", "lines"}, 2, "--mark.*lines"},
        {{"--rows", "1..2", "--view", "text"}, 2, "--rows.*heatmap or grid.*text"},
        {{"--digits", "7"}, 2, "--digits.*0 to 6"},
        {{"--digits", "2", "--no-values"}, 2, "--digits"},
        {{"--values", "--no-values"}, 2, "--no-values"},
        {{"--no-bar", "--bar-title", "x"}, 2, "--bar-title"},
        {{"--font-size", "7px"}, 2, "--font-size.*2pt to 72pt"},
        {{"--font-size", "5pt", "--least-size", "6pt"}, 2, "--least-size: .*font, 5pt, got 6pt"},
        {{"--line-width", "0"}, 2, "--line-width.*0.05pt to 10pt"},
        {{"--hide-tokens", "(("}, 2, "--hide-tokens.*regular expression"},
        {{"--title", std::string(1001, 'x')}, 2, "--title.*1000 bytes"},
        {{"--font", "Interr"}, 2, "--font.*did you mean \"Inter\""},
        {{"--font", "No Such Family At All"}, 2, "--font.*a font family of this system, such as"},
        {{"--range", "as:missing.png"}, 1, "missing.png"},
    };
    for (const RefusedFlags& row : rows) {
        SCOPED_TRACE(row.arguments[0] + ' ' + row.arguments.back());
        Words all{"render", "t.json", "-o", "f.svg"};
        all.insert(all.end(), row.arguments.begin(), row.arguments.end());
        expect_refused(place_, all, row.status, row.message);
    }
}

}  // namespace

}  // namespace headlight::figure_flags_test

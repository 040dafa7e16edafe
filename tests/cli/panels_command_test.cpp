// headlight render: figures of several panels, strips, curves, beams; batches; what a training wrote.

#include "core/figure/panel_choice.h"
#include "core/io/session.h"
#include "core/io/trace_file.h"
#include "tests/cli/drawing.h"
#include "tests/cli/refusal.h"
#include "tests/support/sample_traces.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <sstream>

namespace headlight::panels_command_test {

using namespace headlight::test;

namespace {

class Panels : public DrawingTest {
protected:
    Panels() {
        place_.write("t.json", write_trace_json(samples::sentence()));
        Session session = example_session();
        session.sequence.query_text = "the river bank flooded";
        session.sequence.vectors.kind = VectorKind::hashed;
        session.mechanism = "scaled_dot_product";
        session.values.clear();
        session.view = ViewState();
        session.view.view = ViewKind::heatmap;
        place_.write("s.json", write_session(session));
    }

    std::string draw(const Words& arguments, const std::string& output = "f.svg",
                     const std::string& from = "t.json") {
        return draw_from(from, arguments, output);
    }
};

TEST_F(Panels, StandBesideEachOtherAndGoIntoEveryFormat) {
    const Words panels{"--panel", "view=heatmap head=2 title=Map", "--panel", "view=lines head=2 title=Lines",
                       "--letters"};
    const std::string svg = draw(panels);
    EXPECT_TRUE(has(svg, ">(a) Map<"));
    EXPECT_TRUE(has(svg, ">(b) Lines<"));
    for (const char* output :
         {"f.png", "f.pdf", "f.html", "f.tex", "f.pgf", "f.typ", "f.eps", "f.gif", "f.webp", "f.md", "f.npz"})
        EXPECT_GT(draw(panels, output).size(), 200U) << output;
    const std::string csv = draw(panels, "f.csv");
    EXPECT_TRUE(has(csv, "(a) Map\r\n"));
    EXPECT_TRUE(has(csv, "(b) Lines\r\n"));
    EXPECT_EQ(draw(panels, "again.svg"), svg) << "the same bytes";
}

TEST_F(Panels, NameALayerAsTheCommandLineDoes) {
    Trace trace({{"layer.0", "weights", {Axis::head, Axis::query, Axis::key}, {1, 2, 2}},
                 {"layer.1", "weights", {Axis::head, Axis::query, Axis::key}, {1, 2, 2}}});
    std::ranges::fill(trace.values(trace.stages()[0]), 0.5);
    std::ranges::copy(std::vector<double>{1, 0, 0.25, 0.75}, trace.values(trace.stages()[1]).begin());
    place_.write("layers.json", write_trace_json(trace));
    const std::string csv = draw({"--panel", "layer=2", "--panel", "layer=1"}, "f.csv", "layers.json");
    EXPECT_LT(csv.find("0.25,0.75"), csv.find("0.5,0.5")) << csv;
    const Outcome refused = place_.run({"render", "layers.json", "--panel", "layer=3", "-o", "f.png"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.error.find("1 to 2"), std::string::npos) << refused.error;
}

TEST_F(Panels, AFileHasTheSameWordsAsTheCommandLine) {
    const std::string svg =
        draw({"--panel", "view=heatmap head=2", "--panel", "view=lines x-title=\"a source\" new-row"});
    place_.write("o.json", R"({"panels": [{"view": "heatmap", "head": 2},
                                          {"view": "lines", "x_title": "a source", "new_row": true}]})");
    EXPECT_EQ(draw({"--figure", "o.json"}, "g.svg"), svg);
}

TEST_F(Panels, AreInTheSessionThatTheFigureCarries) {
    const std::string svg = draw({"--panel", "mechanism=causal title=Causal", "--panel", "title=Full",
                                  "--letters-at", "outside", "--width", "150mm"},
                                 "f.svg", "s.json");
    EXPECT_TRUE(has(svg, ">(a)<"));
    EXPECT_TRUE(has(svg, ">Causal<"));
    EXPECT_EQ(draw({}, "again.svg", "f.svg"), svg);
    EXPECT_FALSE(has(draw({"--view", "heatmap"}, "one.svg", "f.svg"), ">Causal<"))
        << "one view was asked for";
}

TEST_F(Panels, AHeadOfAPanelIsNotThatOfTheFigure) {
    const std::string numbers = draw({"--panel", "head=1", "--panel", "head=3", "--heads", "2"}, "a.csv");
    EXPECT_TRUE(has(numbers, "Head 1") && has(numbers, "Head 3")) << numbers;
    EXPECT_FALSE(has(numbers, "Head 2")) << numbers;
}

TEST_F(Panels, AStripIsOneOption) {
    const std::string strip = draw({"--steps", "2,4-5"});
    EXPECT_EQ(strip, draw({"--panel", "view=steps steps=2,4-5"}, "g.svg"));
    const std::regex bold_text(R"(<text [^>]*font-weight="700"[^>]*>([^<]*)<)");
    for (std::sregex_iterator each(strip.begin(), strip.end(), bold_text), end; each != end; ++each)
        EXPECT_TRUE((*each)[1].str().starts_with("Step "))
            << "the labels name the rows of every step: " << (*each)[1];
    const std::string stages = draw({"--stages", "scores,weights"}, "h.svg");
    EXPECT_TRUE(has(stages, ">scores<")) << "under its own bar";
    EXPECT_TRUE(has(stages, ">weights<"));
}

TEST_F(Panels, NotesAreWrittenOnTheCells) {
    const std::string svg = draw({"--note", "3,2 the bank", "--note", "1,8>7,2 far"});
    EXPECT_TRUE(has(svg, ">the bank<"));
    EXPECT_TRUE(has(svg, ">far<"));
    expect_refused(place_, {"render", "t.json", "--note", "9,1 x", "-o", "n.svg"}, 2,
                   "--note: .*1 to 8.*got 9");
    expect_refused(place_, {"render", "t.json", "--note", "here", "-o", "n.svg"}, 2, "--note: .*ROW,COLUMN");
    expect_refused(place_, {"render", "t.json", "--view", "lines", "--note", "1,1 x", "-o", "n.svg"}, 2,
                   "--note: .*a view of cells");
}

TEST_F(Panels, WhatIsNoneIsRefused) {
    const auto refused = [&](Words arguments, int status, const std::string& message) {
        Words all{"render", "t.json", "-o", "n.svg"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        expect_refused(place_, all, status, message);
    };
    refused({"--panel", "veiw=lines"}, 2, "--panel: .*did you mean \"view\"");
    refused({"--panel", "view=lines", "--panel", "head=0"}, 2, "--panel head: .*a number from 1");
    refused({"--panel", "head=9"}, 2, "panel 1: head: .*1 to 4.*got 9");
    refused({"--panel", "file=missing.json"}, 1, "panel 1.*missing.json");
    refused({"--panel", "view=beam"}, 2, "panel 1: view: .*a model that generates");
    refused({"--steps", "0"}, 2, "--steps");
    refused({"--steps", "1-9"}, 2, "panel 1: step: .*1 to 8.*got 9");
    refused({"--steps", "1-65"}, 2, "--steps.*at most 64.*got 65");
    refused({"--panel", "mechanism=causel"}, 2, "did you mean \"causal\"");
    refused({"--note", "1,1 " + std::string(1001, 'x')}, 2, "--note: .*at most 1000 bytes");
    refused({"--panel", "x-titel=a"}, 2, "did you mean \"x-title\"");
    refused({"--stages", "weights,scroes"}, 2, "did you mean \"scores\"");
    refused({"--letters-at", "below"}, 2, "--letters-at");
    refused({"--view", "beams"}, 2, "--view: .*did you mean \"beam\"");
}

TEST_F(Panels, ABackslashStandsForItselfUnlessItKeepsAQuotationMark) {
    const std::string svg = draw({"--panel", R"(title="\alpha \"b\" c:\d")"});
    EXPECT_TRUE(has(svg, R"(>\alpha "b" c:\d<)") || has(svg, R"(>\alpha &quot;b&quot; c:\d<)")) << svg;
}

TEST_F(Panels, FilesOfEachHeadAreOfPanelsThatLeaveTheHeadOpen) {
    expect_refused(
        place_,
        {"render", "t.json", "--panel", "head=1", "--panel", "head=2", "--each", "head", "-o", "n.svg"}, 2,
        "--each: .*a panel without a head of its own");
    expect_refused(place_, {"render", "t.json", "--panel", "view=grid", "--each", "head", "-o", "n.svg"}, 2,
                   "--each: .*a view of one head.*got grid");
    expect_refused(place_, {"render", "t.json", "--steps", "1,2", "--frames", "steps", "-o", "n.gif"}, 2,
                   "--frames: .*a panel without a step of its own");
    const Outcome outcome = place_.run(
        {"render", "t.json", "--panel", "head=1", "--panel", "view=lines", "--each", "head", "-o", "n.svg"});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_NE(place_.read("n-1.svg"), place_.read("n-2.svg"));
    EXPECT_TRUE(has(place_.read("n-2.svg"), "head 1 of 4") && has(place_.read("n-2.svg"), "head 2 of 4"));
}

TEST_F(Panels, AnotherFileIsDrawnBeside) {
    place_.write("b.json", write_trace_json(samples::band(5, 6)));
    const std::string svg = draw({"--panel", "head=1 title=here", "--panel", "file=b.json title=there"});
    EXPECT_TRUE(has(svg, ">w6<")) << "a token of the other file";
    expect_refused(place_, {"render", "t.json", "--panel", "file=b.json", "-o", "b.json"}, 2, "b.json");
}

TEST_F(Panels, BeamsAndCostsAreViews) {
    const Outcome outcome =
        place_.run({"attend", "dates-additive-gru", "--text", "3 may 79", "--beam", "3", "-o", "m.json"});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_TRUE(has(draw({"--view", "beam"}, "beam.svg", "m.json"), ">Beam search<"));
    EXPECT_TRUE(has(draw({"--view", "costs"}, "costs.svg", "s.json"), ">multiply-adds<"));
    // Counted, not measured: the same bytes.
    EXPECT_EQ(draw({"--view", "costs"}, "again.svg", "s.json"), place_.read("costs.svg"));
}

TEST_F(Panels, CostsEndWhereAMechanismDoes) {
    for (const auto& [id, most] : {std::pair("constrained", "512"), std::pair("fusedmax", "256")}) {
        ASSERT_EQ(place_.run({"run", id, "--text", "the cat sat", "-o", "few.json"}).status, 0);
        const std::string csv = draw({"--view", "costs"}, "few.csv", "few.json");
        EXPECT_TRUE(csv.substr(csv.rfind('\n', csv.size() - 2) + 1).starts_with(most)) << csv;
        const Outcome drawn =
            place_.run({"render", "few.json", "--view", "costs", "--no-notes", "-o", "few.svg"});
        EXPECT_EQ(drawn.status, 0);
        EXPECT_TRUE(has(drawn.error, " ends at " + std::string(most) + " tokens: ")) << drawn.error;
    }
}

TEST_F(Panels, ThatWouldBeTooSmallToReadAreRefusedWithAWidthThatIsEnough) {
    Words strip{"render", "t.json", "--steps", "1-8", "-o", "strip.svg", "--width", "40mm"};
    const Outcome refused = place_.run(strip);
    EXPECT_EQ(refused.status, 1);
    EXPECT_FALSE(place_.has("strip.svg"));
    std::smatch enough;
    ASSERT_TRUE(std::regex_search(refused.error, enough,
                                  std::regex("at least ([0-9]+mm) or fewer panels in a row, .*got 40mm")))
        << refused.error;
    strip.back() = enough[1];
    const Outcome drawn = place_.run(strip);
    EXPECT_EQ(drawn.status, 0) << drawn.error;
}

TEST_F(Panels, ATrainingIsDrawnFromWhatItWrote) {
    const Words train{"train", "dates",    "--attention",   "dot", "--width", "8",      "--steps",
                      "8",     "--record", "r.safetensors", "-o",  "m",       "--quiet"};
    ASSERT_EQ(place_.run(train).status, 0);
    const std::string curves = draw({}, "curves.svg", "r.safetensors");
    EXPECT_TRUE(has(curves, ">Loss<"));
    EXPECT_TRUE(has(curves, ">cross-entropy<"));
    EXPECT_TRUE(has(draw({"--panel", "view=learning steps=2,8"}, "film.svg", "r.safetensors"), ">Step 8<"));
    EXPECT_TRUE(has(draw({"--panel", "head=1", "--panel", "view=learning file=r.safetensors"}, "both.svg"),
                    ">Loss<"));
    const std::string csv = draw({"--panel", "view=learning curve=loss"}, "loss.csv", "r.safetensors");
    EXPECT_EQ(draw({}, "again.svg", "curves.svg"), curves) << "the figure says where the training is";
    EXPECT_EQ(std::ranges::count(csv, '\n'), 9) << "a line for each step\n" << csv;
    expect_refused(place_, {"train", "dates", "--record", "r.json", "-o", "n"}, 2, "--record: .*safetensors");
    expect_refused(place_, {"render", "r.safetensors", "--panel", "view=heatmap", "-o", "n.svg"}, 2,
                   "panel 1: view: .*learning");
    expect_refused(place_, {"render", "r.safetensors", "--panel", "view=learning steps=9", "-o", "n.svg"}, 2,
                   "panel 1: steps: .*1 to 8.*got 9");
    expect_refused(place_, {"render", "r.safetensors", "--each", "head", "-o", "n.svg"}, 2, "--each");
    EXPECT_TRUE(draw({"--frames", "film", "--fps", "8"}, "film.gif", "r.safetensors").starts_with("GIF89a"));
    const std::string with_loss =
        draw({"--frames", "film", "--view", "learning"}, "film.webp", "r.safetensors");
    EXPECT_TRUE(has(with_loss, "ANMF"));
    EXPECT_EQ(draw({}, "again.svg", "film.gif"), curves) << "a film carries where the training is";
    expect_refused(place_, {"render", "r.safetensors", "--frames", "steps", "-o", "n.gif"}, 2,
                   "--frames: .*film for a training");
    expect_refused(place_,
                   {"render", "r.safetensors", "--frames", "film", "--site", "decoder", "-o", "n.gif"}, 2,
                   "--site: .*decoder.cross");
    expect_refused(place_, {"render", "s.json", "--frames", "film", "-o", "n.gif"}, 2,
                   "--frames: .*headlight train --record");
    expect_refused(place_, {"render", "m", "--frames", "film", "-o", "n.gif"}, 1,
                   "m: .*record.safetensors in it, or the file that headlight train");
    Words in_its_folder = train;
    in_its_folder[9] = "k/record.safetensors";
    in_its_folder[11] = "k";
    ASSERT_EQ(place_.run(in_its_folder).status, 0);
    ASSERT_EQ(place_.run(in_its_folder).status, 0) << "a folder with a record is replaced as well";
    EXPECT_TRUE(draw({"--frames", "film"}, "folder.gif", "k").starts_with("GIF89a"));
}

TEST_F(Panels, AFileForEachHead) {
    draw({"--each", "head"}, "map.svg");
    EXPECT_FALSE(place_.has("map.svg"));
    for (int head = 1; head <= 4; ++head) {
        const std::string name = "map-" + std::to_string(head) + ".svg";
        ASSERT_TRUE(place_.has(name));
        EXPECT_EQ(place_.read(name), draw({"--head", std::to_string(head)}, "one.svg")) << name;
    }
    EXPECT_FALSE(place_.has("map-5.svg"));
    draw({"--each", "stage"}, "of {} alone.svg");
    EXPECT_TRUE(place_.has("of weights alone.svg"));
    draw({"--each", "step", "--head", "2"}, "step.svg");
    EXPECT_EQ(place_.read("step-3.svg"), draw({"--view", "steps", "--head", "2", "--step", "3"}, "one.svg"));
    expect_refused(place_, {"render", "t.json", "--each", "heads", "-o", "n.svg"}, 2,
                   "did you mean \"head\"");
    expect_refused(place_, {"render", "t.json", "--each", "head", "--view", "grid", "-o", "n.svg"}, 2,
                   "--each");
    expect_refused(place_, {"render", "t.json", "--each", "head", "--frames", "steps", "-o", "n.gif"}, 2,
                   "--each");
}

TEST_F(Panels, AListIsAFigureForEachLine) {
    place_.write("list.txt", "# two figures\n\nt.json --head 2 --title \"of the list\" -o one.svg\n"
                             "t.json --panel 'view=lines title=\"a b\"' -o two.svg  # a comment\n");
    const Outcome outcome = place_.run({"render", "--list", "list.txt"});
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_TRUE(has(place_.read("one.svg"), ">of the list<"));
    EXPECT_TRUE(has(place_.read("two.svg"), ">a b<"));
    EXPECT_EQ(place_.read("one.svg"), draw({"--head", "2", "--title", "of the list"}, "same.svg"));
    // Nothing is drawn where a line is none.
    place_.write("bad.txt", "t.json -o three.svg\nt.json --haed 1 -o four.svg\n");
    expect_refused(place_, {"render", "--list", "bad.txt"}, 2, "bad.txt:2: .*did you mean \"--head\"");
    place_.write("bad.txt", "t.json -o three.svg\nt.json --range 1..0 -o four.svg\n");
    expect_refused(place_, {"render", "--list", "bad.txt"}, 2, "bad.txt:2: --range");
    place_.write("bad.txt", "t.json -o three.svg\nt.json --head 2 -o ./three.svg\n");
    expect_refused(place_, {"render", "--list", "bad.txt"}, 2, "bad.txt:2: -o: .*a file for each figure");
    EXPECT_FALSE(place_.has("three.svg"));
    place_.write("marked.txt", "\xef\xbb\xbft.json -o five.svg\n");
    EXPECT_EQ(place_.run({"render", "--list", "marked.txt"}).error, "");
    place_.write("bad.txt", "t.json --title \"open -o three.svg\n");
    expect_refused(place_, {"render", "--list", "bad.txt"}, 1, "bad.txt:1: ");
    place_.write("bad.txt", "# nothing\n");
    expect_refused(place_, {"render", "--list", "bad.txt"}, 2, "--list: .*a line for each figure");
    expect_refused(place_, {"render", "t.json", "--list", "list.txt"}, 2, "--list: .*it alone");
    expect_refused(place_, {"render", "--list", "list.txt", "--theme", "dark"}, 2, "--list: .*it alone");
    place_.write("bad.csv", "t.json -o bad.csv\n");
    expect_refused(place_, {"render", "--list", "bad.csv"}, 2, "bad.csv:1: ");
    EXPECT_EQ(place_.read("bad.csv"), "t.json -o bad.csv\n");
    place_.write("bad.txt", "t.json --head 9 -o three.svg\n");
    expect_refused(place_, {"render", "--list", "bad.txt"}, 2, "bad.txt:1: --head");
}

TEST_F(Panels, AListIsCheckedWithItsFilesBeforeOneIsDrawn) {
    const struct {
        const char *lines, *said;
    } rows[] = {
        {"t.json -o first.svg\nt.json --head 9 -o second.svg\n", "bad.txt:2: --head"},
        {"t.json -o first.svg\nt.json --heads 1,9 -o second.svg\n", "bad.txt:2: --heads"},
        {"t.json -o first.svg\nnone.json -o second.svg\n", "bad.txt:2: .*none.json"},
        {"t.json --each head -o first.svg\nt.json --head 2 -o first-2.svg\n",
         "bad.txt:1: -o: .*a file for each figure.*first-2.svg"},
        {"t.json --each head -o first.svg\nt.json --each head --theme dark -o first.svg\n",
         "bad.txt:2: -o: .*a file for each figure.*first-1.svg"},
    };
    for (const auto& row : rows) {
        place_.write("bad.txt", row.lines);
        const Outcome outcome = place_.run({"render", "--list", "bad.txt"});
        EXPECT_NE(outcome.status, 0) << row.lines;
        EXPECT_TRUE(std::regex_search(outcome.error, std::regex(row.said))) << outcome.error;
        for (const char* file : {"first.svg", "first-1.svg", "first-2.svg", "second.svg"})
            EXPECT_FALSE(place_.has(file)) << row.lines << file;
    }
    // A line may draw what one before it has drawn.
    place_.write("list.txt", "s.json -o drawn.svg\ndrawn.svg --theme dark -o again.svg\n");
    EXPECT_EQ(place_.run({"render", "--list", "list.txt"}).error, "");
    EXPECT_TRUE(place_.has("again.svg"));
}

TEST_F(Panels, AFigureSaysWhatWroteItAndWithWhichWeights) {
    Session session = example_session();
    session.model.emplace();
    session.model->name = "translate-transformer";
    session.model->request.source = "the cat sleeps";
    session.view = ViewState();
    session.view.view = ViewKind::heatmap;
    std::string text = write_session(session);
    EXPECT_TRUE(std::regex_search(
        text, std::regex("\"written_by\": ?\\{\"program\": ?\"headlight\", ?\"version\": ?\"[0-9.]+\", "
                         "?\"weights\": ?\"fnv1a64:[0-9a-f]{16}\"")))
        << text.substr(text.size() - std::min<std::size_t>(text.size(), 300));
    place_.write("model.json", text);
    const std::string drawn = draw({}, "same.svg", "model.json");  // without a word
    EXPECT_TRUE(has(drawn, "fnv1a64:"));
    text.replace(text.find("fnv1a64:"), 24, "fnv1a64:0000000000000000");
    place_.write("other.json", text);
    const Outcome outcome = place_.run({"render", "other.json", "-o", "other.svg"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(has(outcome.error, "other weights of the model translate-transformer")) << outcome.error;
    EXPECT_TRUE(place_.has("other.svg"));
}

TEST_F(Panels, ColumnsOfPanelsWantPanelsOrHeadsSideBySide) {
    expect_refused(place_, {"render", "t.json", "--view", "heatmap", "--panel-columns", "2", "-o", "n.svg"},
                   2, "--panel-columns: .*--panel.*grid");
    const Outcome outcome =
        place_.run({"render", "t.json", "--heads", "1,2", "--panel-columns", "1", "-o", "one.svg"});
    EXPECT_EQ(outcome.status, 0) << outcome.error;
}

TEST_F(Panels, AFileWithoutSitesHasNone) {
    expect_refused(place_, {"render", "t.json", "--site", "nope", "-o", "n.svg"}, 2,
                   "--site: .*expected a file with sites, as of a model, got one without");
}

TEST_F(Panels, NamesOfSitesCountLayersFromZero) {
    place_.run({"attend", "translate-transformer", "--text", "the cat sleeps", "-o", "m.json"});
    expect_refused(place_, {"render", "m.json", "--site", "decoder.2.cross", "-o", "n.svg"}, 2,
                   "decoder.1.cross.*names count layers from 0, --layer from 1");
}

TEST_F(Panels, ThePagesHaveEveryWord) {
    const std::string list = place_.run({"list"}).output;
    const std::string manual = read_file(HEADLIGHT_SOURCE_DIR "/docs/figures.md");
    for (const PanelWord& word : panel_words()) {
        EXPECT_TRUE(has(list, as_typed(word))) << word.name;
        EXPECT_TRUE(has(manual, "| `" + as_typed(word) + "` | " + std::string(word.help) + " |"))
            << word.name;
    }
}

/// The lines of docs/figures/figures.txt that name a figure.
Words figure_lines() {
    Words lines;
    std::istringstream list(read_file(HEADLIGHT_SOURCE_DIR "/docs/figures/figures.txt"));
    for (std::string line; std::getline(list, line);)
        if (!line.empty() && !line.starts_with('#'))
            lines.push_back(line);
    return lines;
}

TEST_F(Panels, TheTenFiguresAreThoseOfThePageAndAreDrawn) {
    const std::string page = read_file(HEADLIGHT_SOURCE_DIR "/docs/figures.md");
    const Words lines = figure_lines();
    EXPECT_EQ(lines.size(), 10U);
    std::string drawn;
    for (const std::string& line : lines) {
        EXPECT_TRUE(has(page, "\nheadlight render " + line + '\n')) << line;
        const std::string name = line.substr(line.find(" -o ") + 4);
        EXPECT_TRUE(has(page, "](figures/" + name + ")")) << name;
        EXPECT_TRUE(std::filesystem::exists(HEADLIGHT_SOURCE_DIR "/docs/figures/" + name)) << name;
        if (!line.starts_with("learning/"))  // what those are drawn from is made by the script
            drawn += line + '\n';
    }
    for (const char* name : {"translation", "twelve-heads", "causal", "intervention", "masks", "transformer",
                             "model", "costs", "beam"}) {
        const std::string file = std::string(name) + ".json";
        place_.write(file, read_file(HEADLIGHT_SOURCE_DIR "/docs/figures/" + file));
    }
    place_.write("list.txt", drawn);
    const Outcome outcome = place_.run({"render", "--list", "list.txt"});
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(outcome.error, "");
    EXPECT_TRUE(place_.has("beam.png"));
}

}  // namespace

}  // namespace headlight::panels_command_test

// headlight render: figures without a display, from traces, sessions, token vectors and other figures.

#include "core/attention/executor.h"
#include "core/io/session.h"
#include "core/io/trace_file.h"
#include "tests/cli/refusal.h"
#include "tests/support/sample_traces.h"

#include <cstdio>
#include <optional>
#include <regex>
#include <sstream>

namespace headlight::render_test {

using namespace headlight::test;

namespace {

std::string trace_json() { return write_trace_json(samples::sentence()); }

struct Drawn {
    std::string name;
    std::vector<std::string> arguments;  ///< after "render t.json"
    std::string output;
    std::string start;    ///< of the file
    std::string content;  ///< regular expression; "" if none
};
void PrintTo(const Drawn& row, std::ostream* out) { *out << row.name; }

class Render : public testing::TestWithParam<Drawn> {};

TEST_P(Render, WritesTheFigureAndPrintsNothing) {
    const Drawn& row = GetParam();
    Workplace place;
    place.write("t.json", trace_json());
    std::vector<std::string> arguments{"render", "t.json", "-o", row.output};
    arguments.insert(arguments.end(), row.arguments.begin(), row.arguments.end());
    const Outcome outcome = place.run(arguments);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.output, "");
    ASSERT_TRUE(place.has(row.output));
    const std::string bytes = place.read(row.output);
    EXPECT_TRUE(bytes.starts_with(row.start));
    EXPECT_TRUE(row.content.empty() || std::regex_search(bytes, std::regex(row.content)))
        << bytes.substr(0, 500);
    EXPECT_EQ(place.folder().size(), 2);
}

TEST(RenderFont, WhatNoFontCanDrawIsNamed) {
    Workplace place;
    Trace trace = samples::sentence();
    trace.tokens.query[1] = trace.tokens.key[1] = "\U0010FFFD";
    place.write("t.json", write_trace_json(trace));
    const Outcome outcome = place.run({"render", "t.json", "-o", "f.png"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(std::regex_match(
        outcome.error,
        std::regex("headlight: No installed font has .*U\\+10FFFD.*boxes stand in their place.\n")))
        << outcome.error;
    EXPECT_EQ(place.run({"render", "t.json", "-o", "f.csv"}).error, "");
}

TEST(RenderRemark, WeightsThatCannotBeSeenAreSaidToBeSmall) {
    Workplace place;
    constexpr Index tokens = 40;
    Trace trace({{"", "weights", {Axis::head, Axis::query, Axis::key}, {1, tokens, tokens}}});
    const auto weights = trace.values(trace.stages().front());
    std::ranges::fill(weights, 1.0 / tokens);
    place.write("faint.json", write_trace_json(trace));
    std::ranges::fill(weights, 0.5 / (tokens - 1));
    for (Index row = 0; row < tokens; ++row)
        weights[static_cast<std::size_t>(row * tokens)] = 0.5;
    place.write("clear.json", write_trace_json(trace));
    const auto is_said = [&](const std::string& file, const std::vector<std::string>& options) {
        std::vector<std::string> arguments{"render", file};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const Outcome drawn = place.run(arguments);
        EXPECT_EQ(drawn.status, 0) << drawn.error;
        return std::regex_search(drawn.error,
                                 std::regex("Weights are small here, at most 0\\.025 on colours from 0 to 1: "
                                            "--range fitted or --scale log show them\\.\n"));
    };
    EXPECT_TRUE(is_said("faint.json", {"-o", "f.svg"}));
    EXPECT_TRUE(is_said("faint.json", {"--view", "grid", "-o", "f.png"}));
    EXPECT_FALSE(is_said("faint.json", {"--range", "fitted", "-o", "f.svg"}));
    EXPECT_FALSE(is_said("faint.json", {"--scale", "log", "-o", "f.svg"}));
    EXPECT_FALSE(is_said("faint.json", {"-o", "f.csv"})) << "it has no colours";
    EXPECT_FALSE(is_said("clear.json", {"-o", "f.svg"}));
}

TEST(RenderRemark, FewLargerWeightsAmongVerySmallOnesAreSaidToBeSmall) {
    Workplace place;
    constexpr Index tokens = 150;
    Trace trace({{"", "weights", {Axis::head, Axis::query, Axis::key}, {1, tokens, tokens}}});
    const auto weights = trace.values(trace.stages().front());
    std::ranges::fill(weights, 0.86 / (tokens - 1));
    for (Index row = 0; row < tokens; ++row)
        weights[static_cast<std::size_t>(row * (tokens + 1))] = 0.14;
    place.write("peaks.json", write_trace_json(trace));
    const std::string said = place.run({"render", "peaks.json", "-o", "f.svg"}).error;
    EXPECT_NE(
        said.find("Weights are small here, at most 0.14 on colours from 0 to 1: --range p1..p99 or --scale "
                  "log show them."),
        std::string::npos)
        << said;
    const std::string ranged = place.run({"render", "peaks.json", "--range", "p1..p99", "-o", "g.svg"}).error;
    EXPECT_EQ(ranged.find("Weights are small"), std::string::npos) << ranged;
}

const std::string png = "\x89PNG", svg = "<?xml", pdf = "%PDF-";

INSTANTIATE_TEST_SUITE_P(
    Figures, Render,
    testing::Values(
        Drawn{"heatmap_png", {"--view", "heatmap"}, "f.png", png, ""},
        Drawn{"grid_pdf", {"--view", "grid", "--width", "85mm"}, "f.pdf", pdf, "240\\.94488"},
        Drawn{"mean_of_heads", {"--head", "mean"}, "f.svg", svg, ">Weights, mean of 4 heads<"},
        Drawn{"stages_svg", {"--view", "stages", "--stage", "scores"}, "f.svg", svg, ">Key"},
        Drawn{"steps_svg", {"--view", "steps", "--step", "5"}, "f.svg", svg, "step 5 of 8: .*river.* looks"},
        Drawn{"lines_svg", {"--view", "lines"}, "f.svg", svg, "<path"},
        Drawn{"head_svg", {"--head", "3"}, "f.svg", svg, "Weights, head 3 of 4"},
        Drawn{"width_in_mm_svg", {"--width", "85mm"}, "f.svg", svg, "width=\"85\\.000mm\""},
        Drawn{"width_in_pixels_svg", {"--width=960px"}, "f.svg", svg, "width=\"254\\.000mm\""},
        Drawn{"vector_cells_svg", {"--vector-cells", "--theme", "dark"}, "f.svg", svg, "<rect"},
        Drawn{
            "map_and_scale_png",
            {"--map", "magma", "--scale", "log", "--range", "fitted", "--theme", "projector", "--dpi", "40"},
            "f.png",
            png,
            ""},
        Drawn{"percentiles_svg", {"--range", "p10..p90"}, "f.svg", svg, ">≥.{3}0\\.\\d"},
        Drawn{"numbers_as_range_svg", {"--range=0..0.2"}, "f.svg", svg, ">≥.{3}0\\.200<"},
        Drawn{"numbers", {"--stage", "weights", "--head", "2"}, "f.csv", ",The,bank,of", "\r\nThe,1,0,0"}),
    [](const auto& row) { return row.param.name; });

struct Refused {
    std::string name;
    std::vector<std::string> arguments;  ///< after "render"
    int status;
    std::string message;
};
void PrintTo(const Refused& row, std::ostream* out) { *out << row.name; }

class RenderRefusal : public testing::TestWithParam<Refused> {};

TEST_P(RenderRefusal, IsOneLineWithTheRightStatusAndLeavesNothing) {
    const Refused& row = GetParam();
    Workplace place;
    place.write("t.json", trace_json());
    place.write("broken.json", trace_json().substr(0, 500));
    place.write("text.txt", "hello");
    place.write("no-session.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>");
    place.write("bad.png", "\x89PNG\r\n\x1a\n");
    std::string long_csv;
    for (int line = 0; line < 32768; ++line)
        long_csv += "1\n";
    place.write("long.csv", long_csv);
    Session long_session = example_session();
    long_session.sequence.query_text.clear();
    for (int word = 0; word < 400; ++word)
        long_session.sequence.query_text += "a ";
    place.write("long.json", write_session(long_session));
    std::vector<std::string> arguments{"render"};
    arguments.insert(arguments.end(), row.arguments.begin(), row.arguments.end());
    expect_refused(place, arguments, row.status, row.message);
}

INSTANTIATE_TEST_SUITE_P(
    Usage, RenderRefusal,
    testing::Values(
        Refused{"no_file", {"-o", "f.png"}, 2, "a trace, a session or an exported figure"},
        Refused{"no_output", {"t.json"}, 2, "\\.png, .*\\.fods or \\.py, or -, got nothing"},
        Refused{"unknown_format", {"t.json", "-o", "f.bmp"}, 2, "\\.png, \\.svg, \\.pdf, \\.html, \\.tex"},
        Refused{
            "unknown_view", {"t.json", "--view", "heatmpa", "-o", "f.png"}, 2, "did you mean \"heatmap\""},
        Refused{"a_short_file_of_many_rows",
                {"long.csv", "--view", "lines", "-o", "f.png", "--memory", "4GB"},
                1,
                "long.csv: run: expected at most 4.0 GB of memory, as --memory says, got [0-9.]+ GB: 1 head, "
                "32768 "
                "queries, 32768 keys"},
        Refused{"unknown_map", {"t.json", "--map", "jet", "-o", "f.png"}, 2, "\"viridis\".*got \"jet\""},
        Refused{"range",
                {"t.json", "--range", "p99..p1", "-o", "f.png"},
                2,
                "--range.*expected unit, fitted, percentiles such as p1\\.\\.p99.*got p99\\.\\.p1"},
        Refused{"width_without_unit",
                {"t.json", "--width", "85", "-o", "f.png"},
                2,
                "a name that headlight render --help lists, got \"85\" \\(did you mean \"85mm\"\\?\\)"},
        Refused{"width_too_large",
                {"t.json", "--width", "5000mm", "-o", "f.png"},
                2,
                "expected 10mm to 2000mm, .*--help lists, got \"5000mm\"\n"},
        Refused{"head_too_large",
                {"t.json", "--head", "5", "-o", "f.png"},
                2,
                "a whole number from 1 to 4, got \"5\""},
        Refused{"head_zero", {"t.json", "--head", "0", "-o", "f.png"}, 2, "from 1 to 4"},
        Refused{"step_too_large", {"t.json", "--step", "9", "-o", "f.png"}, 2, "from 1 to 8"},
        Refused{"across_without_scatter",
                {"t.json", "--across", "entropy", "-o", "f.png"},
                2,
                "--across: .*expected a view that reads it: \"scatter\", got \"heatmap\""},
        Refused{"frames_without_model_grid",
                {"t.json", "--view", "grid", "--framed-by", "entropy", "-o", "f.png"},
                2,
                "--framed-by: .*\"model_grid\", got \"grid\""},
        Refused{"order_without_model_grid",
                {"t.json", "--view", "scatter", "--sort", "entropy", "-o", "f.png"},
                2,
                "--sort: .*\"model_grid\", got \"scatter\""},
        Refused{"differences_from_nothing",
                {"t.json", "--differences", "-o", "f.png"},
                2,
                "--differences: .*expected a view that reads it: \"compare\", got \"heatmap\""},
        Refused{"own_scales_of_one_map",
                {"t.json", "--own-scales", "-o", "f.png"},
                2,
                "--own-scales: .*\"compare\" or \"model_grid\", got \"heatmap\""},
        Refused{"step_without_steps",
                {"t.json", "--step", "2", "-o", "f.png"},
                2,
                "--step: .*\"steps\", got \"heatmap\""},
        Refused{"step_of_no_panel",
                {"t.json", "--step", "2", "--panel", "view=lines", "-o", "f.png"},
                2,
                "--step: .*\"steps\", got \"lines\""},
        Refused{"step_beside_a_strip",
                {"t.json", "--step", "2", "--steps", "3,4", "-o", "f.png"},
                2,
                "--step: .*expected a panel without a step of its own"},
        Refused{"step_of_every_step",
                {"t.json", "--step", "2", "--each", "step", "-o", "f.png"},
                2,
                "--each: .*expected no --step beside it.*got --step 2"},
        Refused{"gif_without_background",
                {"t.json", "--transparent", "-o", "f.gif"},
                2,
                "--transparent: .*\\.png.*\\.webp, got \"f\\.gif\""},
        Refused{"film_without_background",
                {"t.json", "--transparent", "--frames", "heads", "-o", "f.webp"},
                2,
                "--transparent: .*expected a picture that stands still.*got --frames"},
        Refused{"image_of_words",
                {"t.json", "--view", "image", "-o", "f.png"},
                2,
                "view: draw over an image: .*got one without an image"},
        Refused{"panel_of_no_image",
                {"t.json", "--panel", "view=image", "-o", "f.png"},
                2,
                "panel 1: view: draw over an image: .*got one without an image"},
        Refused{"dpi", {"t.json", "--dpi", "0", "-o", "f.png"}, 2, "from 30 to 2400"}),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Input, RenderRefusal,
    testing::Values(
        Refused{"missing_file", {"none.json", "-o", "f.png"}, 1, "none\\.json"},
        Refused{"broken_json", {"broken.json", "-o", "f.png"}, 1, "broken\\.json"},
        Refused{"another_kind", {"text.txt", "-o", "f.png"}, 1, "text\\.txt.*a file of another kind"},
        Refused{"figure_without_session", {"no-session.svg", "-o", "f.png"}, 1, "a picture without one"},
        Refused{"broken_figure", {"bad.png", "-o", "f.png"}, 1, "bad\\.png"},
        Refused{
            "unknown_stage", {"t.json", "--stage", "wieghts", "-o", "f.png"}, 2, "did you mean \"weights\""},
        Refused{"scores_of_all_heads",
                {"t.json", "--head", "mean", "--stage", "scores", "-o", "f.png"},
                2,
                "--head mean: .*expected weights, got scores"},
        Refused{"misspelled_heads",
                {"t.json", "--head", "Mean", "-o", "f.png"},
                2,
                "--head: .*from 1 to 4, .*\"maximum\" or \"rollout\".*did you mean \"mean\""},
        Refused{"each_head_and_their_mean",
                {"t.json", "--head", "mean", "--each", "head", "-o", "f.png"},
                2,
                "--each: .*expected no --head beside it.*got --head mean"},
        Refused{"a_panel_of_scores_of_all_heads",
                {"t.json", "--panel", "head=mean stage=scores", "-o", "f.png"},
                2,
                "head: .*expected weights, got scores"},
        Refused{"rollout_of_one_mechanism",
                {"t.json", "--head", "rollout", "-o", "f.png"},
                1,
                "rollout.*layers of a model"},
        Refused{"arithmetic_of_all_heads",
                {"t.json", "--head", "maximum", "--view", "stages", "-o", "f.png"},
                2,
                "--head maximum: .*expected a view of maps.*got stages"},
        Refused{"unknown_site", {"t.json", "--site", "encoder.9", "-o", "f.png"}, 2, "--site"},
        Refused{"more_pixels_than_a_picture_has",
                {"t.json", "--view", "heatmap", "--width", "20000px", "-o", "f.png"},
                1,
                "expected 150 million pixels at most, or SVG or PDF, got 20000 × \\d+, \\d+ million"},
        Refused{
            "a_session_of_a_long_text",
            {"long.json", "--memory", "1MB", "-o", "f.png"},
            1,
            "long.json: run: expected at most 1.0 MB of memory, as --memory says, got [0-9.]+ MB: 1 head, "
            "400 queries, 400 keys"},
        Refused{"no_such_folder", {"t.json", "-o", "no/f.png"}, 1, "no/f\\.png"}),
    [](const auto& row) { return row.param.name; });

TEST(RenderSession, TravelsFromFigureToFigure) {
    Workplace place;
    Session session = example_session();
    session.view.view = ViewKind::heatmap;
    session.view.theme = FigureTheme::dark;
    place.write("s.json", write_session(session));
    ASSERT_EQ(place.run({"render", "s.json", "--map", "magma", "-o", "a.png"}).error, "");
    ASSERT_EQ(place.run({"render", "a.png", "-o", "b.svg"}).error, "");
    ASSERT_EQ(place.run({"render", "b.svg", "-o", "c.pdf"}).error, "");
    ASSERT_EQ(place.run({"render", "c.pdf", "-o", "d.png"}).error, "");
    EXPECT_EQ(place.read("a.png"), place.read("d.png")) << "the map came along, and the same numbers";
    ASSERT_EQ(place.run({"render", "s.json", "--map", "magma", "-o", "plain.csv"}).error, "");
    ASSERT_EQ(place.run({"render", "c.pdf", "-o", "again.csv"}).error, "");
    EXPECT_EQ(place.read("plain.csv"), place.read("again.csv"));
}

TEST(RenderSession, BringsTheSamePictureBackFromEveryFormatThatCarriesIt) {
    Workplace place;
    Session session = example_session();
    session.sequence.query_text = "the doctor and the nurse";
    session.view.view = ViewKind::stages;
    place.write("s.json", write_session(session));
    const std::vector<std::string> asked{"--map",   "magma", "--title", "Who looks", "--x-title", "source",
                                         "--width", "160mm", "--dpi",   "150",       "--theme",   "dark"};
    const auto render = [&](const std::string& from, std::vector<std::string> options,
                            const std::string& to) {
        options.insert(options.begin(), {"render", from, "-o", to});
        const Outcome outcome = place.run(options);
        EXPECT_EQ(outcome.status, 0) << from << ' ' << outcome.error;
    };
    render("s.json", asked, "first.png");
    for (const char* extension : {"png", "svg", "pdf", "html", "gif", "webp", "eps"}) {
        const std::string figure = std::string("f.") + extension;
        render("s.json", asked, figure);
        render(figure, {}, "again.png");
        EXPECT_TRUE(place.read("again.png") == place.read("first.png")) << figure;
        EXPECT_FALSE(place.has(figure + ".headlight.json")) << figure;
    }
}

/// What a program of the system prints; nothing where there is none of that name.
std::optional<std::string> printed_by(const std::string& command) {
    FILE* const pipe = popen((command + " 2>/dev/null").c_str(), "r");
    std::string text;
    for (int read = pipe ? std::fgetc(pipe) : EOF; read != EOF; read = std::fgetc(pipe))
        text += static_cast<char>(read);
    constexpr int not_found = 127;
    const int status = pipe ? pclose(pipe) : not_found << 8;
    return WEXITSTATUS(status) == not_found ? std::nullopt : std::optional(text);
}

TEST(RenderHtml, IsSmallWithEightHeadsOfWordsThatNobodyKnows) {
    Workplace place;
    std::string text;
    for (int at = 1; at <= 64; ++at)
        text += "w" + std::to_string(at) + ' ';
    ASSERT_EQ(place.run({"run", "multi_head", "--set", "heads=8", "--text", text, "-o", "t.json"}).error, "");
    ASSERT_EQ(place.run({"render", "t.json", "--view", "grid", "-o", "p.html"}).error,
              "headlight: Not every label has room: rows and columns show one in 2.\n"
              "headlight: Weights are small here, at most 0.11 on colours from 0 to 1: --range p1..p99 or "
              "--scale log "
              "show them.\n");
    EXPECT_LT(place.read("p.html").size(), 300'000u);
}

TEST(RenderPdf, HasEveryFontInIt) {
    if (!printed_by("pdffonts -v"))
        GTEST_SKIP() << "pdffonts is not installed (Debian's poppler-utils)";
    Workplace place;
    Session session = example_session();
    session.sequence.query_text = "the doctor и 注意 ά";
    place.write("s.json", write_session(session));
    for (const char* view : {"stages", "heatmap", "grid", "steps", "lines", "text", "statistics"}) {
        ASSERT_EQ(
            place
                .run({"render", "s.json", "--view", view, "--title", "Λ and é, ×", "--values", "-o", "f.pdf"})
                .status,
            0)
            << view;
        const std::string table = *printed_by("pdffonts '" + (place.folder() / "f.pdf").string() + "'");
        std::istringstream lines(table);
        std::string heading, dashes, font;
        std::getline(lines, heading);
        std::getline(lines, dashes);
        const std::size_t embedded = heading.find("emb");
        ASSERT_NE(embedded, std::string::npos) << table;
        std::size_t fonts = 0;
        for (; std::getline(lines, font); ++fonts)
            EXPECT_EQ(font.substr(embedded, 3), "yes") << view << '\n' << table;
        EXPECT_GE(fonts, 1u) << view;
    }
}

TEST(RenderSession, LiesBesideAFigureThatCannotCarryIt) {
    Workplace place;
    Session session;
    session.mechanism = "scaled_dot_product";
    session.sequence.query_text = "the bank of the river";
    place.write("s.json", write_session(session));
    ASSERT_EQ(place.run({"render", "s.json", "--view", "lines", "--theme", "dark", "-o", "f.svg"}).status, 0);
    const std::string drawn = place.read("f.svg");
    for (const std::string name : {"f.csv", "f.md", "f.npz", "f.fods", "f.py"}) {
        SCOPED_TRACE(name);
        const std::string beside = name + ".headlight.json";
        const Outcome outcome =
            place.run({"render", "s.json", "--view", "lines", "--theme", "dark", "-o", name});
        ASSERT_EQ(outcome.status, 0) << outcome.error;
        ASSERT_TRUE(place.has(beside));
        for (const std::string& from : {name, beside}) {
            const Outcome again = place.run({"render", from, "-o", "again.svg"});
            EXPECT_EQ(again.status, 0) << again.error;
            EXPECT_EQ(place.read("again.svg"), drawn) << from;
        }
        expect_refused(place, {"render", beside, "-o", name}, 2, "-o: .*another file than one that is read");
    }
    EXPECT_FALSE(place.has("f.svg.headlight.json")) << "an SVG carries its session itself";
    for (const std::string name : {"f.csv", "f.md", "f.npz", "f.fods", "f.py"}) {
        EXPECT_EQ(place.run({"render", "s.json", "--strip", "-o", name}).status, 0) << name;
        EXPECT_FALSE(place.has(name + ".headlight.json")) << "it would tell of another file";
    }
    place.write("mine.csv.headlight.json", "{}");
    place.write("mine.csv", "a,1,2\n");
    expect_refused(place, {"render", "mine.csv", "-o", "x.svg"}, 1, "mine.csv.headlight.json: .*a session");
    EXPECT_EQ(place.run({"render", "s.json", "--strip", "-o", "mine.csv"}).status, 0);
    EXPECT_TRUE(place.has("mine.csv.headlight.json")) << "it was no session";
}

TEST(RenderSession, RemembersTheSizeOfTheFigure) {
    Workplace place;
    place.write("s.json", write_session(example_session()));
    ASSERT_EQ(place.run({"render", "s.json", "--view", "heatmap", "--width", "85mm", "-o", "a.svg"}).error,
              "");
    ASSERT_EQ(place.run({"render", "a.svg", "-o", "b.pdf"}).error, "");
    ASSERT_EQ(place.run({"render", "b.pdf", "-o", "c.svg"}).error, "");
    EXPECT_EQ(place.read("a.svg"), place.read("c.svg"));
    ASSERT_EQ(place.run({"render", "a.svg", "--width", "120mm", "-o", "wide.svg"}).error, "");
    EXPECT_NE(place.read("wide.svg").find("width=\"120.000mm\""), std::string::npos) << "asked for anew";
}

TEST(RenderSession, RunsTheMechanismsThatItCompares) {
    Workplace place;
    Session session = example_session();
    session.compared = {{"causal", {}}, {"dot", {}}};
    place.write("s.json", write_session(session));
    ASSERT_EQ(place.run({"render", "s.json", "--view", "compare", "-o", "f.svg"}).status, 0);
    const std::string picture = place.read("f.svg");
    for (const char* id : {"scaled_dot_product", "causal", "dot"})
        EXPECT_NE(picture.find(mechanism(id).name), std::string::npos) << id;
    EXPECT_EQ(picture.find("− Scaled"), std::string::npos);
    ASSERT_EQ(place.run({"render", "f.svg", "--differences", "--own-scales", "-o", "d.svg"}).status, 0);
    EXPECT_NE(place.read("d.svg").find("Difference"), std::string::npos);
    ASSERT_EQ(place.run({"render", "f.svg", "-o", "f.csv"}).status, 0);
    EXPECT_NE(place.read("f.csv").find("\r\n\r\nmechanism,entropy (bits)"), std::string::npos);
}

TEST(RenderSession, WrapsAComparisonToAColumnOfAPaper) {
    Workplace place;
    Session session = example_session();
    session.compared = {{"causal", {}}, {"dot", {}}, {"sparsemax", {}}};
    place.write("s.json", write_session(session));
    for (const char* width : {"85mm", "180mm"}) {
        const Outcome drawn = place.run(
            {"render", "s.json", "--view", "compare", "--differences", "--width", width, "-o", "f.svg"});
        ASSERT_EQ(drawn.status, 0) << drawn.error;
        EXPECT_EQ(place.read("f.svg").find("…"), std::string::npos) << "no title is cut";
    }
}

/// What `run` writes and `render` draws is the same as what the session in the figure runs again.
TEST(RenderTrace, CarriesTheSessionOfItsRun) {
    Workplace place;
    place.write("i.json", R"({"query": [[1, 0], [0, 1]], "key": [[1, 1], [2, 0], [0, 3]],
                              "parameters": {"W_1": [[1, 2], [3, 4]]}})");
    place.write("spec.json", R"({"source": {"type": "cross"}, "score": {"type": "additive"}})");
    const std::vector<std::vector<std::string>> runs{
        {"multi_head", "--set", "heads=4", "--text", "the cat sat", "--vectors", "random", "--seed", "7"},
        {"cross", "--text", "a b", "--target", "c d e", "--set", "position.type=sinusoidal"},
        {"--spec", "spec.json", "--inputs", "i.json", "--seed", "5"}};
    for (const char* trace : {"t.json", "t.safetensors"}) {
        for (std::vector<std::string> arguments : runs) {
            arguments.insert(arguments.begin(), "run");
            arguments.insert(arguments.end(), {"-o", trace});
            ASSERT_EQ(place.run(arguments).error, "");
            ASSERT_EQ(place.run({"render", trace, "--stage", "output", "-o", "t.csv"}).error, "");
            ASSERT_EQ(place.run({"render", trace, "--stage", "output", "-o", "f.png"}).error, "");
            ASSERT_EQ(place.run({"render", "f.png", "-o", "again.csv"}).error, "");
            EXPECT_EQ(place.read("t.csv"), place.read("again.csv")) << arguments[1];
        }
    }
}

TEST(RenderTrace, SaysThatItsWeightsAreRandom) {
    Workplace place;
    const auto caption_of = [&](const std::vector<std::string>& run) {
        EXPECT_EQ(place.run(run).error, "");
        EXPECT_EQ(place.run({"render", "t.json", "-o", "f.svg"}).error, "");
        return place.read("f.svg");
    };
    const std::string note = "Random weights, seed 7";  // the caption goes on in the next line
    place.write("spec.json", R"({"projections": {"type": "learned"}, "mask": {"not": {"type": "causal"}}})");
    for (const std::vector<std::string>& of :
         {std::vector<std::string>{"multi_head"}, std::vector<std::string>{"--spec", "spec.json"}}) {
        std::vector<std::string> run{"run"};
        run.insert(run.end(), of.begin(), of.end());
        run.insert(run.end(), {"--text", "the cat sat", "--seed", "7", "-o", "t.json"});
        EXPECT_NE(caption_of(run).find(note), std::string::npos) << of.back();
    }
    EXPECT_EQ(caption_of({"run", "dot", "--text", "the cat sat", "-o", "t.json"}).find("Random weights"),
              std::string::npos)
        << "a mechanism without parameters";
}

TEST(RenderTrace, OfASpecThatNoMechanismBuildsCarriesItAsOnesOwn) {
    Workplace place;
    ASSERT_EQ(place
                  .run({"run", "dot", "--text", "a b", "--set", "mask={\"not\": {\"type\": \"causal\"}}",
                        "-o", "t.json"})
                  .error,
              "");
    ASSERT_EQ(place.run({"render", "t.json", "-o", "f.png"}).error, "");
    EXPECT_EQ(place.run({"render", "f.png", "-o", "g.png"}).error, "");
}

TEST(RenderSelection, OfAFileOfOneHeadHasNoOther) {
    Workplace place;
    ASSERT_EQ(place.run({"run", "dot", "--text", "a b", "-o", "t.json"}).status, 0);
    for (const char* option : {"--head", "--heads"})
        expect_refused(place, {"render", "t.json", "--view", "lines", option, "2", "-o", "f.png"}, 2,
                       "only head 1: there is no other, got \"?2\"?");
}

/// As the window does before a figure is saved.
TEST(RenderRoom, LabelsThatAreLeftOutAreSaid) {
    Workplace place;
    std::string text;
    for (int word = 0; word < 90; ++word)
        text += "word" + std::to_string(word) + ' ';
    ASSERT_EQ(place.run({"run", "dot", "--text", text, "-o", "t.json"}).status, 0);
    const Outcome narrow =
        place.run({"render", "t.json", "--view", "heatmap", "--width", "85mm", "-o", "f.pdf"});
    EXPECT_EQ(narrow.status, 0);
    EXPECT_NE(narrow.error.find("headlight: Not every label has room: "), std::string::npos) << narrow.error;
    EXPECT_EQ(place.run({"render", "t.json", "--view", "heatmap", "-o", "f.csv"}).error, "");
}

/// The narrowest width that the refusal of a narrower one names is enough, and the figure is whole.
TEST(RenderWidth, OfAFigureWithoutRoomIsRefusedWithOneThatIsEnough) {
    Workplace place;
    place.write("t.json", trace_json());
    for (const char* view : {"heatmap", "grid", "lines", "steps", "stages"}) {
        for (const char* narrow : {"10mm", "50px"}) {
            const Outcome refused =
                place.run({"render", "t.json", "--view", view, "--width", narrow, "-o", "f.svg"});
            EXPECT_EQ(refused.status, 1) << view;
            EXPECT_FALSE(place.has("f.svg"));
            std::smatch enough;
            ASSERT_TRUE(std::regex_search(refused.error, enough, std::regex("at least ([0-9]+(mm|px))")))
                << refused.error;
            EXPECT_NE(refused.error.find(std::string("got ") + narrow), std::string::npos) << refused.error;
            const Outcome drawn =
                place.run({"render", "t.json", "--view", view, "--width", enough[1], "-o", "f.svg"});
            EXPECT_EQ(drawn.status, 0) << drawn.error;
            std::filesystem::remove(place.folder() / "f.svg");
        }
    }
}

TEST(RenderInputs, AreGivenToScaledDotProductAttention) {
    Workplace place;
    place.write("i.csv", "1,0\n0,1\n1,1\n");
    place.write("i.json", R"({"query": [[1, 0], [0, 1], [1, 1]]})");
    ASSERT_EQ(place.run({"render", "i.csv", "-o", "a.csv"}).error, "");
    ASSERT_EQ(place.run({"render", "i.json", "-o", "b.csv"}).error, "");
    EXPECT_EQ(place.read("a.csv"), place.read("b.csv"));
}

std::ptrdiff_t count_of(const std::string& part, const std::string& text) {
    std::ptrdiff_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

TEST(RenderEmoji, AreInEveryFormat) {
    if (!std::filesystem::exists("/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf"))
        GTEST_SKIP() << "no font for emoji (fonts-noto-color-emoji)";
    Workplace place;
    place.write("words.json", R"({"query": [[1, 0], [0, 1]], "tokens": {"query": ["I", "fox"]}})");
    place.write("emoji.json", R"({"query": [[1, 0], [0, 1]], "tokens": {"query": ["🦊", "👩‍👧"]}})");
    for (const char* kind : {"words", "emoji"})
        for (const char* extension : {".pdf", ".svg", ".png"})
            ASSERT_EQ(
                place.run({"render", std::string(kind) + ".json", "-o", std::string(kind) + extension}).error,
                "");
    const std::string image = "/Subtype /Image", emoji_svg = place.read("emoji.svg");
    EXPECT_GE(count_of(image, place.read("emoji.pdf")), count_of(image, place.read("words.pdf")) + 4)
        << "a picture for each label, for a PDF has no coloured glyphs";
    EXPECT_TRUE(
        std::regex_search(emoji_svg, std::regex("unicode-range:U\\+200d,U\\+1f467,U\\+1f469,U\\+1f98a\\}")))
        << "one font for what is joined to one picture";
    EXPECT_NE(place.read("emoji.png"), place.read("words.png"));
}

TEST(RenderBytes, AreTheSameInEveryRun) {
    Workplace place;
    place.write("t.json", trace_json());
    for (const char* extension : {"png", "svg", "pdf"}) {
        const std::string first = std::string("a.") + extension, second = std::string("b.") + extension;
        ASSERT_EQ(place.run({"render", "t.json", "-o", first}).status, 0);
        ASSERT_EQ(place.run({"render", "t.json", "-o", second}).status, 0);
        EXPECT_TRUE(place.read(first) == place.read(second)) << extension;
    }
}

}  // namespace

}  // namespace headlight::render_test

// What an author wants otherwise: its words, what it makes of a figure, and the session that keeps it.

#include "core/figure/another_text.h"
#include "core/figure/apply_options.h"
#include "core/figure/build_figure.h"
#include "core/figure/fit_scales.h"
#include "core/io/image_session.h"
#include "core/io/session_capture.h"
#include "core/io/session_model.h"
#include "core/io/shipped_models.h"
#include "core/map/maps_trace.h"
#include "core/text/token_pattern.h"
#include "tests/support/generated_maps.h"
#include "tests/support/refusal.h"
#include "tests/support/sample_pictures.h"
#include "tests/support/sample_traces.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>

namespace headlight::figure_options_test {

using namespace test;
using nlohmann::json;

namespace {

using Heads = std::vector<Index>;

/// A figure as the view makes it, and what the options make of that.
Figure drawn(const Trace& trace, ViewSettings settings, const FigureOptions& options) {
    settings.options = options;
    Figure figure = build_figure(trace, settings);
    apply_options(figure, settings);
    return figure;
}

ViewSettings in(ViewKind kind, Index head = 0) {
    ViewSettings settings;
    settings.view = kind;
    settings.selection.head = head;
    return settings;
}

/// The weight itself, from the trace.
double weight(const Trace& trace, Index head, Index row, Index column) {
    const Stage& stage = *trace.find("weights");
    const Index queries = stage.shape[1], keys = stage.shape[2];
    return trace.values(stage)[static_cast<std::size_t>((head * queries + row) * keys + column)];
}

TEST(FigureOptions, TheCaptionExplainsNoUnderlineThatIsNotDrawn) {
    const auto caption = [](const FigureOptions& options) {
        return drawn(samples::sentence(), in(ViewKind::heatmap), options).caption;
    };
    const std::string hatched = "Hatched: forbidden by the mask.",
                      both = hatched + "  Dotted underline: not in the word vectors.";
    FigureOptions part;
    part.rows = part.columns = AxisSlice{0, 8};
    EXPECT_EQ(caption(part), both);
    part.rows = part.columns = AxisSlice{0, 6};  // the seventh token is the unknown one
    EXPECT_EQ(caption(part), hatched);
    FigureOptions without;
    without.hidden_labels = samples::sentence().tokens.query[6];
    EXPECT_EQ(caption(without), hatched);
}

TEST(FigureWords, HeadsAreCountedFromOne) {
    const std::vector<std::pair<std::string, Heads>> rows{
        {"1", {0}}, {"1,3-5", {0, 2, 3, 4}}, {"5,1-2", {4, 0, 1}}, {"12-13", {11, 12}}};
    for (const auto& [word, heads] : rows) {
        EXPECT_EQ(heads_from_word(word), heads) << word;
        EXPECT_EQ(heads_word(heads), word);
    }
    for (const char* none : {"", "0", "1,", ",1", "3-1", "1,1", "1-3,2", "a", "1 ", "-1", "1-2000000000",
                             "99999999999999999999", "1..3"})
        EXPECT_EQ(heads_from_word(none), std::nullopt) << none;
}

TEST(FigureWords, SlicesHaveBothEnds) {
    EXPECT_EQ(slice_from_word("3..17"), (AxisSlice{2, 15}));
    EXPECT_EQ(slice_from_word("4..4"), (AxisSlice{3, 1}));
    EXPECT_EQ(slice_word({2, 15}), "3..17");
    for (const char* none : {"", "3", "..", "3..", "..3", "0..3", "5..4", "3-5", "1..x", "1..3..5"})
        EXPECT_EQ(slice_from_word(none), std::nullopt) << none;
}

TEST(FigureWords, MarksAreCellsAndRectangles) {
    EXPECT_EQ(mark_from_word("3,5"), (MarkedCells{{2, 1}, {4, 1}}));
    EXPECT_EQ(mark_from_word("3-4,5-9"), (MarkedCells{{2, 2}, {4, 5}}));
    for (const char* word : {"3,5", "3-4,5-9", "1,2-3"})
        EXPECT_EQ(mark_word(mark_from_word(word).value()), word);
    for (const char* none : {"", "3", "3,", ",3", "0,1", "3,5,7", "it,animal", "4-3,1"})
        EXPECT_EQ(mark_from_word(none), std::nullopt) << none;
}

TEST(FigureWords, SizesAreInPoints) {
    EXPECT_EQ(points_from_word("7pt"), 7);
    EXPECT_EQ(points_from_word("6.5"), 6.5);
    for (const char* none : {"", "pt", "7px", "1", "73pt", "-7pt", "nan", "inf", "7 pt"})
        EXPECT_EQ(points_from_word(none), std::nullopt) << none;
}

TEST(TokenPattern, IsFoundAnywhereInAToken) {
    EXPECT_TRUE(TokenPattern("</s>|^\\W$").is_in("</s>"));
    EXPECT_TRUE(TokenPattern("</s>|^\\W$").is_in("."));
    EXPECT_FALSE(TokenPattern("</s>|^\\W$").is_in("cat."));
    EXPECT_TRUE(TokenPattern("ö").is_in("größer"));
    EXPECT_FALSE(TokenPattern("Cat").is_in("cat"));
}

TEST(TokenPattern, SaysWhereItIsNone) {
    expect_refusal([] { TokenPattern("(ab"); }, {"regular expression", "\"(ab\""});
    expect_refusal([] { TokenPattern("ab[z-a]"); }, {"character"});
    expect_refusal([] { TokenPattern(std::string(1001, 'a')); }, {"at most 1000 bytes", "1001"});
}

TEST(TokenPattern, ThatWouldGoOnForEverIsRefused) {
    const TokenPattern hostile("(a|aa)+$");
    const auto before = std::chrono::steady_clock::now();
    expect_refusal([&] { hostile.is_in(std::string(60, 'a') + "b"); }, {"quickly", "(a|aa)+$"});
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5));
}

TEST(FigureOptions, WithoutAnyTheFigureIsAsItWas) {
    const Trace trace = samples::sentence();
    Figure figure = build_figure(trace, in(ViewKind::grid));
    const Figure before = figure;
    apply_options(figure, in(ViewKind::grid));
    EXPECT_EQ(figure.description, before.description);
    EXPECT_EQ(to_csv(figure), to_csv(before));
    EXPECT_EQ(figure.panels.size(), before.panels.size());
}

TEST(FigureOptions, TitlesStandInPlaceOfOurs) {
    FigureOptions options;
    options.title = "Alignment";
    options.subtitle = "of one sentence";
    options.x_title = "source";
    options.y_title = "target";
    options.bar_title = "α";
    const Figure figure = drawn(samples::sentence(), in(ViewKind::heatmap), options);
    EXPECT_EQ(figure.title, "Alignment");
    EXPECT_EQ(figure.subtitle, "of one sentence");
    EXPECT_EQ(figure.bar_title, "α");
    EXPECT_EQ(figure.bar_titled, Figure::BarTitle::given);
    ASSERT_EQ(figure.panels.size(), 1);
    const Panel& panel = figure.panels.front();
    EXPECT_EQ(panel.subtitle, "");
    EXPECT_NE(panel.title, "");
    EXPECT_EQ(panel.column_axis.title, "source");
    EXPECT_EQ(panel.row_axis.title, "target");
    EXPECT_EQ(own_title(panel.row_axis).substr(0, 5), "query");
    EXPECT_TRUE(figure.description.starts_with("Alignment.")) << figure.description;
}

TEST(FigureOptions, AnEmptyTextLeavesATitleOut) {
    FigureOptions options;
    options.title = options.subtitle = options.x_title = options.y_title = options.bar_title = "";
    options.panel_titles = false;
    const Figure figure = drawn(samples::sentence(), in(ViewKind::heatmap), options);
    EXPECT_EQ(figure.title + figure.subtitle, "");
    EXPECT_TRUE(figure.description.starts_with("Weights, head 1")) << figure.description;
    EXPECT_EQ(figure.bar_titled, Figure::BarTitle::none);
    EXPECT_FALSE(figure.has_panel_titles);
    const Panel& panel = figure.panels.front();
    EXPECT_EQ(panel.title + panel.subtitle + panel.row_axis.title + panel.column_axis.title, "");
}

TEST(FigureOptions, LettersStandBeforeTitlesOrInTheirPlace) {
    FigureOptions options;
    options.letters = true;
    const auto titles = [&] {
        std::string all;
        for (const Panel& panel : drawn(samples::sentence(), in(ViewKind::grid), options).panels)
            (all += panel.title) += '|';
        return all;
    };
    EXPECT_TRUE(titles().starts_with("(a) ")) << titles();
    EXPECT_NE(titles().find("|(b) "), std::string::npos) << titles();
    options.panel_titles = false;
    EXPECT_TRUE(titles().starts_with("(a)|(b)|")) << titles();
    EXPECT_TRUE(drawn(samples::sentence(), in(ViewKind::grid), options).has_panel_titles);
}

TEST(FigureOptions, AMatrixAloneHasNoLetter) {
    FigureOptions options;
    options.letters = true;
    const Figure figure = drawn(samples::sentence(), in(ViewKind::heatmap), options);
    EXPECT_EQ(figure.panels.front().title,
              build_figure(samples::sentence(), in(ViewKind::heatmap)).panels.front().title);
}

TEST(FigureOptions, AxesOfOtherMatricesKeepTheirTitles) {
    FigureOptions options;
    options.x_title = "source";
    const Figure ours = build_figure(samples::sentence(), in(ViewKind::stages));
    const Figure figure = drawn(samples::sentence(), in(ViewKind::stages), options);
    const Panel* leading = leading_map(ours);
    ASSERT_NE(leading, nullptr);
    int renamed = 0, kept = 0;
    for (std::size_t at = 0; at < figure.panels.size(); ++at) {
        const std::string& before = ours.panels[at].column_axis.title;
        const bool is_same = before == leading->column_axis.title;
        EXPECT_EQ(figure.panels[at].column_axis.title, is_same ? "source" : before);
        ++(is_same ? renamed : kept);
    }
    EXPECT_GT(renamed, 0);
    EXPECT_GT(kept, 0);
}

TEST(FigureOptions, HeadsAreChosenInTheirOrder) {
    FigureOptions options;
    options.heads = {3, 0};
    const Figure figure = drawn(samples::sentence(), in(ViewKind::grid), options);
    ASSERT_EQ(figure.panels.size(), 2);
    EXPECT_EQ(figure.panels[0].title, "Head 4");
    EXPECT_EQ(figure.panels[1].title, "Head 1");
    EXPECT_EQ(figure.columns, 2);
    options.heads = {9, 2};
    EXPECT_EQ(drawn(samples::sentence(), in(ViewKind::grid), options).panels.size(), 1);
    options.heads = {9};
    EXPECT_EQ(drawn(samples::sentence(), in(ViewKind::grid), options).panels.size(), 4);
    options.heads = {3};
    const Figure one = drawn(samples::sentence(), in(ViewKind::heatmap, 1), options);
    ASSERT_EQ(one.panels.size(), 1);
    EXPECT_EQ(one.panels.front().head, 1) << "a view of one head shows the selected one";
}

TEST(FigureOptions, HeadsStandInARowWhereSoManyAreAskedFor) {
    FigureOptions options;
    EXPECT_EQ(drawn(samples::sentence(), in(ViewKind::grid), options).columns, 2);
    for (const Index wanted : {1, 3, 4}) {
        options.panel_columns = wanted;
        EXPECT_EQ(drawn(samples::sentence(), in(ViewKind::grid), options).columns, wanted);
    }
    options.panel_columns = 12;
    EXPECT_EQ(drawn(samples::sentence(), in(ViewKind::grid), options).columns, 4) << "no empty places";
    options.heads = {2, 0, 1};
    EXPECT_EQ(drawn(samples::sentence(), in(ViewKind::grid), options).columns, 3);
    EXPECT_EQ(drawn(samples::sentence(), in(ViewKind::heatmap, 1), options).columns, 1);
}

TEST(FigureOptions, RowsAndColumnsAreThoseOfTheStage) {
    const Trace trace = samples::sentence();
    FigureOptions options;
    options.rows = AxisSlice{3, 4};
    options.columns = AxisSlice{1, 2};
    for (const ViewKind kind : {ViewKind::heatmap, ViewKind::grid, ViewKind::lines}) {
        const Figure figure = drawn(trace, in(kind), options);
        for (const Panel& panel : figure.panels) {
            ASSERT_EQ(panel.rows, 4);
            ASSERT_EQ(panel.columns, 2);
            EXPECT_EQ(panel.row_axis.first, 3);
            EXPECT_EQ(panel.column_axis.first, 1);
            EXPECT_EQ(panel.of_rows, 8);
            EXPECT_EQ(panel.row_axis.labels, (std::vector<std::string>{"the", "river", "was", "muddyish"}));
            EXPECT_EQ(panel.row_axis.marked, (std::vector<bool>{false, false, false, true}));
            EXPECT_EQ(panel.column_axis.labels, (std::vector<std::string>{"bank", "of"}));
            for (Index row = 0; row < 4; ++row)
                for (Index column = 0; column < 2; ++column)
                    EXPECT_EQ(panel.values[static_cast<std::size_t>(row * 2 + column)],
                              weight(trace, panel.head, row + 3, column + 1));
        }
    }
    EXPECT_EQ(to_csv(drawn(trace, in(ViewKind::heatmap), options)).substr(0, 15), ",bank,of\r\nthe,0");
}

TEST(FigureOptions, APartThatReachesBeyondTheMatrixEndsWithIt) {
    FigureOptions options;
    options.rows = AxisSlice{6, 100};
    options.columns = AxisSlice{8, 2};
    const Panel panel = drawn(samples::sentence(), in(ViewKind::heatmap), options).panels.front();
    EXPECT_EQ(panel.rows, 2);
    EXPECT_EQ(panel.columns, 8) << "of columns that are not there, all are drawn";
}

TEST(FigureOptions, AFittedRangeIsThatOfTheChosenCells) {
    const Trace trace = samples::sentence();
    ViewSettings settings = in(ViewKind::heatmap);
    settings.range = RangeKind::fitted;
    FigureOptions options;
    options.rows = AxisSlice{5, 3};
    options.columns = AxisSlice{0, 3};
    double low = 1, high = 0;
    for (Index row = 5; row < 8; ++row)
        for (Index column = 0; column < 3; ++column) {
            low = std::min(low, weight(trace, 0, row, column));
            high = std::max(high, weight(trace, 0, row, column));
        }
    const Panel panel = drawn(trace, settings, options).panels.front();
    EXPECT_DOUBLE_EQ(panel.scale.low, low);
    EXPECT_DOUBLE_EQ(panel.scale.high, high);
    settings.range = RangeKind::unit;
    EXPECT_EQ(drawn(trace, settings, options).panels.front().scale.high, 1);
}

TEST(FigureOptions, AFittedRangeIsThatOfTheHeadsThatAreDrawn) {
    struct Row {
        ViewKind view;
        Index selected;
        Heads chosen, drawn;
    };
    const Trace trace = samples::sentence();
    const Stage& stage = *trace.find("weights");
    for (const auto& [view, selected, chosen, drawn_heads] :
         {Row{ViewKind::heatmap, 2, {}, {2}}, Row{ViewKind::heatmap, 1, {3}, {1}},
          Row{ViewKind::stages, 3, {}, {3}}, Row{ViewKind::lines, 1, {}, {1}},
          Row{ViewKind::lines, 1, {0, 3}, {0, 3}}, Row{ViewKind::grid, 2, {1, 3}, {1, 3}},
          Row{ViewKind::grid, 2, {}, {0, 1, 2, 3}}}) {
        ViewSettings settings = in(view, selected);
        settings.range = RangeKind::fitted;
        FigureOptions options;
        options.heads = chosen;
        double high = 0;
        for (const Index head : drawn_heads)
            high = std::max(high, std::ranges::max(trace.matrix(stage, head)));
        const Figure figure = drawn(trace, settings, options);
        const auto panel = std::ranges::find(figure.panels, "weights", &Panel::stage);
        ASSERT_NE(panel, figure.panels.end());
        EXPECT_DOUBLE_EQ(panel->scale.high, high) << to_word(view) << ' ' << selected;
    }
}

TEST(FigureOptions, ASmallPartOfALargeMapHasItsNumbers) {
    constexpr Index tokens = 3'000;
    const LabelledMaps maps{
        "", std::make_shared<GeneratedMaps>(MapSource::Extents{1, 1, tokens, tokens}, scattered), {}};
    const Trace trace = trace_of(std::span(&maps, 1), "long");
    FigureOptions options;
    options.rows = AxisSlice{700, 12};
    options.columns = AxisSlice{33, 9};
    Figure figure = drawn(trace, in(ViewKind::heatmap), options);
    ASSERT_TRUE(figure.panels.front().large);
    complete_large_maps(figure, {});
    const Panel& panel = figure.panels.front();
    EXPECT_FALSE(panel.large);
    ASSERT_EQ(panel.values.size(), 12 * 9);
    for (Index row = 0; row < 12; ++row)
        for (Index column = 0; column < 9; ++column)
            EXPECT_FLOAT_EQ(static_cast<float>(panel.values[static_cast<std::size_t>(row * 9 + column)]),
                            static_cast<float>(scattered({0, 0}, 700 + row, 33 + column)));
}

TEST(FigureOptions, NumbersOfAPartAreHiddenAndWrittenOtherwise) {
    Trace trace = samples::sentence();
    trace.tokens = {};
    FigureOptions options;
    options.rows = AxisSlice{3, 4};
    options.hidden_labels = "^5$";
    options.renamed = {{"6", "six"}};
    const Panel panel = drawn(trace, in(ViewKind::heatmap), options).panels.front();
    EXPECT_EQ(panel.row_axis.labels, (std::vector<std::string>{"4", "5", "six", "7"}));
    EXPECT_EQ(panel.row_axis.hidden, (std::vector<bool>{false, true, false, false}));
    options.hidden_labels.clear();
    options.renamed = {{"9", "nine"}};
    EXPECT_TRUE(drawn(trace, in(ViewKind::heatmap), options).panels.front().row_axis.labels.empty());
}

TEST(FigureOptions, LabelsAreHiddenAndWrittenOtherwise) {
    FigureOptions options;
    options.hidden_labels = "^[.]$|^of$";
    options.renamed = {{"muddyish", "muddy"}, {"cat", "dog"}};
    const Panel panel = drawn(samples::sentence(), in(ViewKind::heatmap), options).panels.front();
    EXPECT_EQ(panel.row_axis.hidden,
              (std::vector<bool>{false, false, true, false, false, false, false, true}));
    EXPECT_EQ(panel.column_axis.hidden, panel.row_axis.hidden);
    EXPECT_EQ(panel.row_axis.labels[6], "muddy");
    EXPECT_EQ(panel.row_axis.labels[2], "of") << "numbers keep their names in CSV";
    const Panel text = drawn(samples::sentence(), in(ViewKind::text), options).panels.front();
    EXPECT_TRUE(text.column_axis.hidden.empty()) << "tokens of a text are the picture";
    EXPECT_EQ(text.column_axis.labels[6], "muddy");
}

TEST(FigureOptions, MarksAreOfTheWholeMatrixAlsoInAPartOfIt) {
    FigureOptions options;
    options.marks = {{{4, 1}, {1, 1}}, {{0, 4}, {0, 8}}, {{0, 1}, {7, 1}}};
    const Panel whole = drawn(samples::sentence(), in(ViewKind::heatmap), options).panels.front();
    EXPECT_EQ(whole.outlined, options.marks);
    EXPECT_EQ(whole.of_rows, 0);
    options.rows = AxisSlice{3, 3};
    options.columns = AxisSlice{1, 2};
    const Panel part = drawn(samples::sentence(), in(ViewKind::heatmap), options).panels.front();
    EXPECT_EQ(part.outlined, (std::vector<MarkedCells>{{{1, 1}, {0, 1}}, {{0, 1}, {0, 2}}}));
}

TEST(FigureOptions, ADecodingStepAboveTheChosenRowsDrawsNone) {
    FigureOptions options;
    options.rows = AxisSlice{4, 2};
    ViewSettings settings = in(ViewKind::steps);
    settings.decoding_step = 4;
    EXPECT_EQ(drawn(samples::sentence(), settings, options).panels.front().newest_row, 0);
    settings.decoding_step = 2;
    EXPECT_LT(drawn(samples::sentence(), settings, options).panels.front().newest_row.value_or(0), 0);
}

/// Every field differs from its default.
FigureOptions all_options() {
    FigureOptions options;
    options.title = "Größe";
    options.letters = true;
    options.subtitle = "";
    options.x_title = "source";
    options.y_title = "target";
    options.bar_title = "weight";
    options.panel_titles = options.caption = false;
    options.digits = 3;
    options.colour_bar = false;
    options.transparent = true;
    options.type = {"DejaVu Serif", 7.5, 5, 0.25};
    options.heads = {3, 0};
    options.lines = {.most = 4, .least = 0.05};
    options.rows = AxisSlice{2, 3};
    options.columns = AxisSlice{0, 1};
    options.hidden_labels = "</s>|^\\W$";
    options.renamed = {{"</s>", "end"}, {"", "∅"}};
    options.marks = {{{1, 1}, {2, 1}}, {{0, 2}, {3, 4}}};
    return options;
}

TEST(FigureOptions, OfAnotherTextKeepHowFiguresLookAndNotWhatWasSaidOfTheOneBefore) {
    FigureSettings before;
    before.colour_map = "magma";
    before.options = all_options();
    before.pinned = {{"encoder.0.self", 1}};
    before.differences = true;
    const FigureSettings after = for_another_text(before);
    EXPECT_EQ(after.colour_map, "magma");
    EXPECT_EQ(after.options.type, before.options.type);
    EXPECT_EQ(after.options.digits, before.options.digits);
    EXPECT_FALSE(after.options.colour_bar);
    EXPECT_FALSE(after.options.title || after.options.rows || after.options.panel_columns);
    EXPECT_TRUE(after.options.heads.empty() && after.options.marks.empty() && after.options.notes.empty());
    EXPECT_TRUE(after.options.hidden_labels.empty() && after.options.renamed.empty());
    EXPECT_TRUE(after.options.panels.empty() && after.pinned.empty());
    EXPECT_FALSE(after.differences);
}

/// Where a session goes, from whatever attended before.
struct AnotherText {
    const char* name;
    Session (*next)(Session);
};

Session on_model(Session session) {
    return with_model(std::move(session), "dates-additive-gru", *open_model("dates-additive-gru").model);
}

Session on_capture(Session session) {
    return with_capture(std::move(session), "/maps/bert.npz", RangeKind::percentiles);
}

Session on_mechanism(Session session) {
    session.model = SessionModel{"dates-luong", {}};
    return on_its_mechanism(std::move(session));
}

Session on_image(Session session) {
    return with_image(std::move(session), cut(samples::landscape()), "landscape.png");
}

class AnotherTexts : public testing::TestWithParam<AnotherText> {};

TEST_P(AnotherTexts, HaveNothingThatWasSaidOfTheOneBefore) {
    Session before = example_session();
    before.figure.colour_map = "magma";
    before.figure.options.title = "Three words";
    before.figure.options.digits = 3;
    before.figure.options.marks = {{{1, 1}, {2, 1}}};
    before.figure.hidden_keys = {0};
    const FigureSettings after = GetParam().next(before).figure;
    EXPECT_EQ(after.colour_map, "magma");
    EXPECT_EQ(after.options.digits, 3);
    EXPECT_FALSE(after.options.title) << *after.options.title;
    EXPECT_TRUE(after.options.marks.empty());
    EXPECT_TRUE(after.hidden_keys.empty());
}

INSTANTIATE_TEST_SUITE_P(All, AnotherTexts,
                         testing::Values(AnotherText{"model", on_model}, AnotherText{"capture", on_capture},
                                         AnotherText{"mechanism", on_mechanism},
                                         AnotherText{"image", on_image}),
                         [](const auto& row) { return row.param.name; });

TEST(FigureOptions, OfAModelOrACaptureThatIsOpenedAgainStay) {
    for (const auto open : {on_model, on_capture}) {
        Session session = open(example_session());
        session.figure.options.title = "Mine";
        session.figure.range = RangeKind::fitted;
        const FigureSettings figure = session.figure;
        EXPECT_TRUE(open(session).figure == figure);
    }
}

TEST(FigureOptions, AModelAfterACaptureHasTheUsualRange) {
    EXPECT_TRUE(on_model(on_capture(example_session())).figure.range == FigureSettings().range);
}

TEST(FigureOptionsInASession, ComeBack) {
    Session session;
    session.figure.options = all_options();
    const Session back = parse_session(write_session(session));
    EXPECT_EQ(back.figure.options, session.figure.options);
    EXPECT_EQ(to_json(back)["view"]["figure"].size(), 23);
    EXPECT_EQ(to_json(back)["view"]["figure"]["rows"], json({{"first", 2}, {"count", 3}}));
}

TEST(FigureOptionsInASession, AreAbsentWhereNobodyAskedForAny) {
    EXPECT_FALSE(to_json(Session())["view"].contains("figure"));
}

TEST(FigureOptionsInASession, ThatMeanNothingAreRefused) {
    const std::vector<std::pair<json, std::vector<std::string>>> rows{
        {{{"title", 3}}, {"/view/figure/title", "a string"}},
        {{{"title", std::string(1001, 'x')}}, {"/view/figure/title", "1000 bytes", "1001"}},
        {{{"digits", 7}}, {"/view/figure/digits"}},
        {{{"digits", -1}}, {"/view/figure/digits"}},
        {{{"font_size", 1.5}}, {"/view/figure/font_size", "from 2 to 72", "1.5"}},
        {{{"least_size", 1e9}}, {"/view/figure/least_size"}},
        {{{"line_width", 0}}, {"/view/figure/line_width", "from 0.05 to 10", "0"}},
        {{{"top_k", 0}}, {"/view/figure/top_k"}},
        {{{"threshold", -1}}, {"/view/figure/threshold", "from 0", "-1"}},
        {{{"heads", {1, 1}}}, {"/view/figure/heads", "each once"}},
        {{{"heads", {-1}}}, {"/view/figure/heads"}},
        {{{"heads", "1,2"}}, {"/view/figure/heads", "a list"}},
        {{{"heads", std::vector<int>(1001)}}, {"/view/figure/heads", "1000"}},
        {{{"rows", {{"first", 0}, {"count", 0}}}}, {"/view/figure/rows/count"}},
        {{{"columns", {{"first", -3}, {"count", 2}}}}, {"/view/figure/columns/first"}},
        {{{"columns", 3}}, {"/view/figure/columns", "an object"}},
        {{{"hidden_labels", "(("}}, {"/view/figure/hidden_labels", "regular expression"}},
        {{{"renamed", {{"a", 1}}}}, {"/view/figure/renamed"}},
        {{{"renamed", {"a", "b"}}}, {"/view/figure/renamed", "an object"}},
        {{{"marks", {3}}}, {"/view/figure/marks/0", "an object"}},
        {{{"marks", json::array({{{"rows", {{"count", -1}}}}})}}, {"/view/figure/marks/0/rows/count"}},
        {{{"transparent", "yes"}}, {"/view/figure/transparent"}},
    };
    for (const auto& [figure, parts] : rows) {
        json document = to_json(Session());
        document["view"]["figure"] = figure;
        SCOPED_TRACE(figure.dump().substr(0, 80));
        expect_refusal([&] { session_from_json(document); }, parts);
    }
}

}  // namespace

}  // namespace headlight::figure_options_test

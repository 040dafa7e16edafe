// Figures of several panels: what each panel shows, the scales and bars that they share, their rows, and what
// is refused.

#include "core/figure/beam_figure.h"
#include "core/figure/build_figure.h"
#include "core/figure/comparison.h"
#include "core/figure/compose_figure.h"
#include "core/figure/curve_figures.h"
#include "core/io/figure_source.h"
#include "core/model/beam_layout.h"
#include "tests/support/refusal.h"
#include "tests/support/sample_traces.h"
#include "tests/support/small_traces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace headlight::compose_figure_test {

using namespace test;

namespace {

using Texts = std::vector<std::string>;

FigureSource sentence_source() {
    FigureSource source;
    source.trace = std::make_shared<const Trace>(samples::sentence());
    source.view.view = ViewKind::heatmap;
    return source;
}

Figure composed(const FigureSource& source, const Texts& panels, FigureOptions options = {},
                const OpenSource& open = {}) {
    ViewSettings view = source.view;
    for (const std::string& words : panels)
        options.panels.push_back(parse_panel_words(words));
    view.options = options;
    return figure_of(source, view, open);
}

Texts titles(const Figure& figure) {
    Texts all;
    for (const Panel& panel : figure.panels)
        all.push_back(panel.fills_row ? "(filler)" : panel.title);
    return all;
}

double weight(const Trace& trace, Index head, Index row, Index column) {
    const Stage& stage = *trace.find("weights");
    return trace.values(stage)[static_cast<std::size_t>((head * 8 + row) * 8 + column)];
}

TEST(ComposedFigure, HasAPanelForEachWithTheNumbersOfTheTrace) {
    const FigureSource source = sentence_source();
    const Figure figure =
        composed(source, {"view=heatmap head=2 title=map", "view=lines head=3 title=lines"});
    ASSERT_EQ(figure.panels.size(), 2U);
    EXPECT_TRUE(figure.is_composed);
    EXPECT_EQ(figure.columns, 2);
    EXPECT_EQ(titles(figure), (Texts{"map", "lines"}));
    EXPECT_EQ(figure.panels[0].kind, Panel::Kind::heatmap);
    EXPECT_EQ(figure.panels[1].kind, Panel::Kind::lines);
    EXPECT_EQ(figure.panels[0].values[6 * 8 + 2], weight(*source.trace, 1, 6, 2));
    EXPECT_EQ(figure.panels[1].values[6 * 8 + 2], weight(*source.trace, 2, 6, 2));
    EXPECT_EQ(figure.title, "");
}

TEST(ComposedFigure, SeveralMatricesOfOneViewComeOneAfterAnother) {
    const Figure figure = composed(sentence_source(), {"view=grid heads=4,1", "view=lines title=last"});
    EXPECT_EQ(titles(figure), (Texts{"Head 4", "Head 1", "last"}));
}

TEST(ComposedFigure, LinesOfSeveralHeadsAreOnePanel) {
    const Figure figure = composed(sentence_source(), {"view=lines heads=1,3 title=both", "head=2 title=map",
                                                       "view=lines head=4 title=one new-row"});
    EXPECT_EQ(figure.columns, 2);
    EXPECT_EQ(titles(figure), (Texts{"both", "both", "map", "one", "(filler)"}));
    EXPECT_TRUE(figure.panels[1].lies_over);
    FigureOptions letters;
    letters.letters = true;
    const Figure lettered = composed(sentence_source(), {"view=lines heads=1,3", "head=2"}, letters);
    EXPECT_EQ(lettered.panels[2].title, "(b) Weights, head 2 of 4");
}

TEST(ComposedFigure, PanelsThatDifferByTheirHeadAloneAreNamedByIt) {
    const FigureSource source = sentence_source();
    EXPECT_EQ(titles(composed(source, {"head=3", "head=1"})), (Texts{"Head 3", "Head 1"}));
    // What else differs is named as well, and so is what stands nowhere else.
    EXPECT_EQ(titles(composed(source, {"head=2", "head=2"})).front(), "Weights, head 2 of 4");
    EXPECT_EQ(titles(composed(source, {"head=2", "head=1 stage=scaled_scores"})).front(),
              "Weights, head 2 of 4");
    EXPECT_EQ(titles(composed(source, {"head=2", "head=1 bar=no"})).front(), "Weights, head 2 of 4");
    EXPECT_EQ(titles(composed(source, {"head=2"})).front(), "Weights, head 2 of 4");
    FigureOptions without_bar;
    without_bar.colour_bar = false;
    EXPECT_EQ(titles(composed(source, {"head=2", "head=1"}, without_bar)).front(), "Weights, head 2 of 4");
}

TEST(ComposedFigure, PanelsAreNamedByTheMechanismThatDiffers) {
    FigureSource source = sentence_source();
    Session session = example_session();
    session.mechanism = "scaled_dot_product";
    source = source_of(session);
    source.view.view = ViewKind::heatmap;
    const std::string causal = mechanism("causal").name, window = mechanism("window").name;
    const Texts panels{"mechanism=causal", "mechanism=window"};
    EXPECT_EQ(titles(composed(source, panels)), (Texts{causal, window}));
    EXPECT_EQ(titles(composed(source, {"mechanism=causal", "mechanism=window title=Mine"})),
              (Texts{causal, "Mine"}));
    EXPECT_EQ(titles(composed(source, {"mechanism=causal", "mechanism=window stage=scores"})),
              (Texts{causal + ": weights", window + ": scores"}));
    EXPECT_EQ(titles(composed(source, {"mechanism=causal", "mechanism=window bar=no"})).front(),
              causal + ": weights");
    FigureOptions letters;
    letters.letters = true;
    EXPECT_EQ(titles(composed(source, panels, letters)), (Texts{"(a) " + causal, "(b) " + window}));
}

TEST(ComposedFigure, PanelsAreNamedByTheSiteThatDiffers) {
    Session session;
    session.model = SessionModel{"translate-transformer", {}};
    session.model->request.source = "the black cat does not sleep";
    session.view.view = ViewKind::heatmap;
    FigureSource source = source_of(session);
    EXPECT_EQ(titles(composed(source, {"site=decoder.0.cross head=2", "site=encoder.1.self head=2"})),
              (Texts{"Decoder 1 → source, head 2 of 4", "Encoder 2, head 2 of 4"}));
    EXPECT_EQ(titles(composed(source, {"site=decoder.0.cross head=mean", "site=decoder.1.cross head=mean"})),
              (Texts{"Decoder 1 → source, mean of 4 heads", "Decoder 2 → source, mean of 4 heads"}));
}

TEST(ComposedFigure, PanelsSayWhetherTheModelWasChanged) {
    FigureSource source = sentence_source();
    source.untouched = std::make_shared<const Trace>(*source.trace);
    EXPECT_EQ(titles(composed(source, {"untouched", "head=1"})),
              (Texts{"Untouched, head 1 of 4", "Changed, head 1 of 4"}));
    EXPECT_EQ(titles(composed(source, {"untouched", "differences"})),
              (Texts{"Untouched: weights, head 1 of 4", "Difference of weights, head 1 of 4"}));
}

TEST(ComposedFigure, ItsPanelsWrapUnlessSomebodyBeginsRows) {
    const FigureSource source = sentence_source();
    const Figure on_a_grid = composed(source, {"head=1", "head=2", "head=3"});
    const Figure narrow = with_columns(on_a_grid, 2);
    EXPECT_EQ(narrow.columns, 2);
    EXPECT_EQ(narrow.panels.size(), 3u);
    const Figure in_rows = composed(source, {"head=1", "head=2", "head=3 new-row"});
    EXPECT_EQ(with_columns(in_rows, 1).columns, 2);
    EXPECT_EQ(with_columns(composed(source, {"view=steps steps=2,5,8"}), 1).columns, 3)
        << "a strip is one row";
}

TEST(ComposedFigure, ATextSaysWhoseWeightsItShows) {
    const FigureSource source = sentence_source();
    const auto over = [&](const char* words) { return composed(source, {"head=1", words}).panels[1].over; };
    EXPECT_NE(over("view=text head=3").find("head 3 of 4"), std::string::npos) << over("view=text head=3");
    EXPECT_NE(over("view=text head=mean").find("mean of 4 heads"), std::string::npos)
        << over("view=text head=mean");
    EXPECT_EQ(over("view=text head=3 over=Mine"), "Mine");
    EXPECT_EQ(over("view=text head=3 title=Mine"), "");
}

TEST(ComposedFigure, AMapOfAModelSaysWhichPartIsInView) {
    FigureSource source;
    source.trace = std::make_shared<const Trace>(trace_of_model(small_models[0]));
    source.view.selection.site = "decoder.cross";
    const Figure figure = composed(source, {"view=heatmap", "view=map"});
    ASSERT_EQ(figure.panels.size(), 2U);
    EXPECT_TRUE(figure.panels[1].over.ends_with(": decoder, looks at the source")) << figure.panels[1].over;
    EXPECT_EQ(composed(source, {"view=heatmap", "view=map over=Mine"}).panels[1].over, "Mine");
    EXPECT_EQ(composed(source, {"view=heatmap", "view=map title=Mine"}).panels[1].over, "");
}

TEST(ComposedFigure, RowsAreFilledUp) {
    const FigureSource source = sentence_source();
    const Figure rows = composed(
        source, {"head=1 title=a", "head=2 title=b", "head=3 title=c new-row", "head=4 title=d new-row"});
    EXPECT_EQ(rows.columns, 2);
    EXPECT_EQ(titles(rows), (Texts{"a", "b", "c", "(filler)", "d", "(filler)"}));
    FigureOptions two;
    two.panel_columns = 2;
    EXPECT_EQ(titles(composed(source, {"head=1 title=a", "head=2 title=b", "head=3 title=c"}, two)),
              (Texts{"a", "b", "c", "(filler)"}));
    EXPECT_EQ(composed(source, {"head=1", "head=2", "head=3"}, two).columns, 2);
}

TEST(ComposedFigure, AScaleIsSharedByThoseThatAskForIt) {
    const FigureSource source = sentence_source();
    const Texts free{"head=1 range=fitted rows=2..4", "head=2 range=fitted rows=5..8", "head=3 range=0..0.5"};
    const Figure apart = composed(source, free);
    const ColourScale first = apart.panels[0].scale, second = apart.panels[1].scale;
    ASSERT_NE(first, second);
    const Figure together = composed(source, {free[0] + " share=a", free[1] + " share=a", free[2]});
    EXPECT_EQ(together.panels[0].scale, together.panels[1].scale);
    EXPECT_EQ(together.panels[0].scale.low, std::min(first.low, second.low));
    EXPECT_EQ(together.panels[0].scale.high, std::max(first.high, second.high));
    EXPECT_EQ(together.panels[2].scale.high, 0.5) << "was not asked";
    FigureOptions one;
    one.one_scale = true;
    const Figure all = composed(source, free, one);
    EXPECT_EQ(all.panels[0].scale, all.panels[2].scale);
}

TEST(ComposedFigure, OneBarStandsUnderTheLastNeighboursOfAScale) {
    const Figure figure =
        composed(sentence_source(), {"head=1 share=a", "head=2 range=0..0.5", "head=3 share=a new-row",
                                     "head=4 share=a", "head=1 bar=no range=0..0.3"});
    const auto bar = [&](std::size_t at) { return figure.panels[at].has_bar; };
    EXPECT_EQ(figure.columns, 3);
    EXPECT_FALSE(bar(0)) << "the row below has it";
    EXPECT_TRUE(bar(1));
    EXPECT_TRUE(bar(3));
    EXPECT_TRUE(bar(4));
    EXPECT_FALSE(bar(5)) << "asked for none";
}

TEST(ComposedFigure, BarsSayWhatTheirNumbersAre) {
    const Figure figure = composed(sentence_source(),
                                   {"stage=weights", "stage=scaled_scores", "stage=weights bar-title=share"});
    EXPECT_EQ(figure.panels[0].bar_title, "weights");
    EXPECT_EQ(figure.panels[1].bar_title, "scaled scores");
    EXPECT_EQ(figure.panels[2].bar_title, "share");
}

TEST(ComposedFigure, LettersCountPanelsWhereverTheyStand) {
    const FigureSource source = sentence_source();
    FigureOptions options;
    options.letters = true;
    const Texts panels{"head=1 title=a", "head=2 title=b new-row"};
    EXPECT_EQ(titles(composed(source, panels, options)), (Texts{"(a) a", "(b) b"}));
    options.letters_at = LetterPlace::outside;
    const Figure outside = composed(source, panels, options);
    EXPECT_EQ(titles(outside), (Texts{"a", "b"}));
    EXPECT_EQ(outside.panels[1].letter, "(b)");
}

TEST(ComposedFigure, ASentenceOfTheCaptionStandsOnce) {
    const Figure figure = composed(sentence_source(), {"head=1", "head=2", "view=steps step=3"});
    const std::string unknown = "Dotted underline: not in the word vectors.";
    const std::size_t found = figure.caption.find(unknown);
    ASSERT_NE(found, std::string::npos) << figure.caption;
    EXPECT_EQ(figure.caption.find(unknown, found + 1), std::string::npos) << figure.caption;
    EXPECT_NE(figure.caption.find("Hatched"), std::string::npos) << "of the steps alone";
}

TEST(ComposedFigure, LinesThatAreNotDrawnAreOfTheirPanel) {
    const FigureSource source = sentence_source();
    const Texts panels{"head=1", "view=lines head=2 top-k=1", "view=lines head=3 top-k=2"};
    const auto note = [&](const char* words) {
        const std::string caption = composed(source, {words}).caption;
        const std::size_t at = caption.find("Not drawn: ");
        return at == std::string::npos ? "none" : caption.substr(at, caption.find("  ", at) - at);
    };
    FigureOptions options;
    options.letters = true;
    const std::string lettered = composed(source, panels, options).caption;
    EXPECT_NE(lettered.find("(b) " + note("view=lines head=2 top-k=1")), std::string::npos) << lettered;
    EXPECT_NE(lettered.find("(c) " + note("view=lines head=3 top-k=2")), std::string::npos) << lettered;
    const std::string plain = composed(source, panels).caption;
    const std::size_t first = plain.find("Not drawn: ");
    ASSERT_NE(first, std::string::npos) << plain;
    EXPECT_EQ(plain.find("Not drawn: ", first + 1), std::string::npos) << "of both at once: " << plain;
}

TEST(ComposedFigure, AStripShowsEachStep) {
    const Figure figure = composed(sentence_source(), {"view=steps head=2 steps=2,5,8"});
    ASSERT_EQ(figure.panels.size(), 3U);
    EXPECT_EQ(figure.panels[0].newest_row, 1);
    EXPECT_EQ(figure.panels[2].newest_row, 7);
    EXPECT_EQ(titles(figure), (Texts{"Step 2", "Step 5", "Step 8"}));
    EXPECT_EQ(figure.panels[1].subtitle, "“river” looks");
    EXPECT_EQ(figure.columns, 3) << "a strip is one row";
    EXPECT_EQ(composed(sentence_source(), {"view=steps steps=1-8"}).columns, 8);
    const Figure named = composed(sentence_source(), {"view=steps steps=2,5 title=Mine subtitle=\"\""});
    EXPECT_EQ(titles(named), (Texts{"Step 2", "Step 5"}));
    EXPECT_EQ(named.panels[0].over, "Mine");
    EXPECT_EQ(named.panels[0].subtitle, "");
}

TEST(ComposedFigure, BeforeAfterAndDifference) {
    FigureSource source = sentence_source();
    Trace before = *source.trace;
    for (double& value : before.values(*before.find("weights")))
        value = 0.25 * value;
    source.untouched = std::make_shared<const Trace>(before);
    const Figure figure =
        composed(source, {"untouched title=before", "title=after", "differences title=difference"});
    ASSERT_EQ(figure.panels.size(), 3U);
    const double after = weight(*source.trace, 0, 6, 2);
    EXPECT_EQ(figure.panels[0].values[6 * 8 + 2], 0.25 * after);
    EXPECT_EQ(figure.panels[1].values[6 * 8 + 2], after);
    EXPECT_NEAR(figure.panels[2].values[6 * 8 + 2], 0.75 * after, 1e-15);
    EXPECT_EQ(figure.panels[2].scale.low, -figure.panels[2].scale.high);
}

// A model that was changed and says something else has two: its maps without the change on the new text, from
// which differences are, and the run that there was before.
TEST(ComposedFigure, BeforeAChangeIsTheRunThatThereWas) {
    FigureSource source = sentence_source();
    const auto scaled = [&](double factor) {
        Trace trace = *source.trace;
        for (double& value : trace.values(*trace.find("weights")))
            value = factor * value;
        return std::make_shared<const Trace>(trace);
    };
    source.untouched = scaled(0.25);
    source.before = scaled(0.5);
    const Figure figure = composed(source, {"untouched title=before", "differences title=difference"});
    ASSERT_EQ(figure.panels.size(), 2U);
    const double after = weight(*source.trace, 0, 6, 2);
    EXPECT_EQ(figure.panels[0].values[6 * 8 + 2], 0.5 * after);
    EXPECT_NEAR(figure.panels[1].values[6 * 8 + 2], 0.75 * after, 1e-15);
    EXPECT_TRUE(figure.panels[0].by_hand.empty());
}

TEST(ComposedFigure, MarksAndNotesAreOfTheirPanelAndGoWithItsRows) {
    const Figure figure =
        composed(sentence_source(),
                 {"head=1 rows=3..8 mark=4,2 note=\"4,2 verb; 2,2>5,1 cut away; 6,5>4,2 kept\"", "head=2"});
    const Panel& panel = figure.panels.front();
    EXPECT_EQ(panel.outlined, (std::vector<MarkedCells>{{{1, 1}, {1, 1}}}));
    EXPECT_EQ(panel.notes, (std::vector<CellNote>{{{1, 1}, {}, "verb"}, {{1, 1}, NotedCell{3, 4}, "kept"}}));
    EXPECT_TRUE(figure.panels[1].notes.empty());
}

TEST(ComposedFigure, AnotherFileIsOpenedOnceForAView) {
    int opened = 0;
    const OpenSource open = [&](const std::string& file, ViewKind) {
        ++opened;
        EXPECT_EQ(file, "other.json");
        FigureSource other;
        other.trace = std::make_shared<const Trace>(samples::band(5, 6));
        return other;
    };
    const Figure figure =
        composed(sentence_source(), {"head=1", "file=other.json", "file=other.json rows=1..2"}, {}, open);
    EXPECT_EQ(opened, 1);
    EXPECT_EQ(figure.panels[0].rows, 8);
    EXPECT_EQ(figure.panels[1].rows, 5);
    EXPECT_EQ(figure.panels[2].rows, 2);
}

TEST(ComposedFigure, WhatIsNotThereIsRefusedWithItsPanel) {
    const FigureSource source = sentence_source();
    const std::vector<std::pair<std::string, Texts>> rows{
        {"head=5", {"panel 2", "head", "1 to 4", "5"}},
        {"view=steps step=9", {"panel 2", "step", "1 to 8", "9"}},
        {"view=steps steps=7-9", {"panel 2", "step", "1 to 8"}},
        {"stage=scroes", {"panel 2", "stage", "did you mean \"scores\""}},
        {"site=decoder", {"panel 2", "site"}},
        {"rows=4..9", {"panel 2", "rows", "1 to 8"}},
        {"mark=1,9", {"panel 2", "mark", "1 to 8"}},
        {"note=\"9,1 x\"", {"panel 2", "note", "1 to 8"}},
        {"view=grid heads=1,6", {"panel 2", "heads", "1 to 4"}},
        {"view=lines heads=1,6", {"panel 2", "heads", "1 to 4"}},
        {"view=steps heads=1", {"panel 2", "heads", "grid or lines", "steps"}},
        {"view=statistics heads=1", {"panel 2", "heads", "grid"}},
        {"view=text query=lake", {"panel 2", "query", "a token"}},
        {"untouched", {"panel 2", "untouched"}},
        {"view=beam", {"panel 2", "beam"}},
        {"view=learning", {"panel 2", "learning"}},
        {"view=costs", {"panel 2", "costs"}},
        {"mechanism=causal", {"panel 2", "mechanism", "session"}},
        {"file=x.json", {"panel 2", "file"}}};
    for (const auto& [words, parts] : rows)
        expect_refusal([&, panel = words] { composed(source, {"head=1", panel}); }, parts);
}

TEST(LearningFigure, IsALineForEachRun) {
    auto first = std::make_shared<TrainingRecord>(), second = std::make_shared<TrainingRecord>();
    first->loss.add(1, 3.5);
    first->loss.add(2, 2.5);
    second->loss.add(2, 1.5);
    first->exact_match = {{2, 0.25}};
    FigureSource source;
    source.learning = {{"dot", first}, {"additive", second}};
    const Figure figure = composed(source, {"view=learning"});
    ASSERT_EQ(figure.panels.size(), 2U);
    const Panel& loss = figure.panels[0];
    EXPECT_EQ(loss.kind, Panel::Kind::curves);
    EXPECT_EQ(loss.column_axis.labels, (Texts{"dot", "additive"}));
    EXPECT_EQ(loss.curves->x, (std::vector<double>{1, 2}));
    EXPECT_EQ(loss.values[0], 3.5);
    EXPECT_TRUE(std::isnan(loss.values[1])) << "the second run has no such step";
    EXPECT_EQ(loss.values[3], 1.5);
    EXPECT_EQ(figure.panels[1].values[0], 25) << "per cent";
    EXPECT_EQ(composed(source, {"view=learning curve=loss"}).panels.size(), 1U);
    EXPECT_EQ(to_csv(composed(source, {"view=learning curve=loss"})),
              ",dot,additive\r\n1,3.5,nan\r\n2,2.5,1.5\r\n");
}

TEST(CostFigure, CountsTheWeightsOfEveryLength) {
    FigureSource source = sentence_source();
    Session session = example_session();
    session.mechanism = "scaled_dot_product";
    source.session = session;
    const Figure figure = composed(source, {"view=costs cost=map_bytes tokens=64"});
    const Panel& panel = figure.panels.front();
    ASSERT_EQ(panel.rows, 3);
    EXPECT_EQ(panel.curves->x, (std::vector<double>{16, 32, 64}));
    for (Index row = 0; row < 3; ++row) {
        const double tokens = panel.curves->x[static_cast<std::size_t>(row)];
        EXPECT_EQ(panel.values[static_cast<std::size_t>(row)], 4 * tokens * tokens) << "floats";
    }
    EXPECT_EQ(panel.curves->notes, (Texts{"n²"}));
}

TEST(CostFigure, AMechanismHasOneColourInEveryPanelAndIsNamedWhereItHasNoNumber) {
    FigureSource source = sentence_source();
    Session session = example_session();
    session.mechanism = "linear";
    session.compared = {{"scaled_dot_product", {}, {}}};
    source.session = session;
    const Figure figure =
        composed(source, {"view=costs cost=multiply_adds tokens=64", "view=costs cost=map_bytes tokens=64"});
    ASSERT_EQ(figure.panels.size(), 2U);
    const Panel &work = figure.panels[0], &weights = figure.panels[1];
    ASSERT_EQ(work.columns, 2);
    EXPECT_EQ(work.curves->styles, (std::vector<std::size_t>{0, 1}));
    ASSERT_EQ(weights.columns, 1);
    EXPECT_EQ(weights.column_axis.labels.front(), work.column_axis.labels[1]);
    EXPECT_EQ(weights.curves->styles, (std::vector<std::size_t>{1}));
    EXPECT_EQ(figure.caption, "No weights are formed: " + work.column_axis.labels[0] + ".");
}

TEST(BeamFigure, HasTheTextsAndTheirLogProbabilities) {
    Session session = example_session();
    GenerationRequest request;
    request.source = "4 march 1997";
    request.choice.way = WordChoice::Way::beam;
    request.choice.beam_width = 3;
    session.model = SessionModel{"dates-additive-gru", request};
    const FigureSource source = source_of(session);
    ASSERT_TRUE(source.said && source.said->beams);
    const Figure figure = composed(source, {"view=beam"});
    const Panel& panel = figure.panels.front();
    ASSERT_EQ(panel.kind, Panel::Kind::tree);
    ASSERT_EQ(panel.rows, std::ssize(panel.tree->nodes));
    for (std::size_t at = 1; at < panel.tree->nodes.size(); ++at) {
        const Tree::Node& node = panel.tree->nodes[at];
        const auto parent = static_cast<std::size_t>(node.parent);
        ASSERT_LT(parent, at);
        EXPECT_EQ(panel.tree->nodes[parent].depth + 1, node.depth);
        EXPECT_LE(panel.values[at], panel.values[parent]) << "a longer text is no likelier";
        EXPECT_TRUE(node.is_kept);
    }
    const auto best = std::ranges::find(panel.row_axis.labels, "1997-03-04");
    ASSERT_NE(best, panel.row_axis.labels.end());
    EXPECT_TRUE(panel.tree->nodes[static_cast<std::size_t>(best - panel.row_axis.labels.begin())].is_chosen);
    EXPECT_GT(composed(source, {"view=beam pruned"}).panels.front().rows, panel.rows);
}

}  // namespace

}  // namespace headlight::compose_figure_test

// Compared mechanisms run beside the session's own, on its tokens, and are drawn and counted together.

#include "core/attention/executor.h"
#include "core/attention/run_memory.h"
#include "core/figure/build_figure.h"
#include "core/figure/comparison.h"
#include "core/io/compared_run.h"
#include "core/tensor/memory.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace headlight::compared_run_test {

namespace {

Session session_of(std::vector<ComparedMechanism> compared) {
    Session session;
    session.sequence.query_text = "the river bank flooded";
    session.sequence.vectors.kind = VectorKind::hashed;
    session.sequence.vectors.dimension = 16;
    session.compared = std::move(compared);
    session.view.view = ViewKind::compare;
    return session;
}

struct Ran {
    Session session;
    Comparison comparison;
    Trace trace;
};

Ran run(std::vector<ComparedMechanism> compared) {
    Ran ran{session_of(std::move(compared)), {}, {}};
    const auto own = std::make_shared<const Plan>(
        plan(session_spec(ran.session), session_inputs(ran.session), {ran.session.seed}));
    ran.comparison = plan_comparison(ran.session, own);
    ran.trace = *run_comparison(ran.comparison, record(own));
    return ran;
}

ViewSettings comparing(bool differences = false) {
    ViewSettings view;
    view.view = ViewKind::compare;
    view.differences = differences;
    return view;
}

std::vector<double> weights_at(const Trace& trace, const std::string& site) {
    const auto values = trace.values(*trace.find("weights", site));
    return {values.begin(), values.end()};
}

}  // namespace

TEST(ComparedRun, ThatDoesNotFitBesideTheOthersIsRefusedAndTheyRun) {
    Session session =
        session_of({{"causal", {}, {}}, {"dot", {}, {}}, {"relu", {}, {}}, {"sparsemax", {}, {}}});
    session.sequence.query_text.clear();
    for (int i = 0; i < 300; ++i)
        session.sequence.query_text += "word" + std::to_string(i) + ' ';
    const auto own =
        std::make_shared<const Plan>(plan(session_spec(session), session_inputs(session), {session.seed}));
    const auto fitting = [&] {
        const Comparison comparison = plan_comparison(session, own);
        for (const ComparedRun& compared : comparison)
            if (!compared.plan) {
                const std::string refusal = compared.refusal->what();
                EXPECT_NE(refusal.find("with what the others keep"), std::string::npos) << refusal;
            }
        return std::ranges::count_if(comparison,
                                     [](const ComparedRun& each) { return each.plan != nullptr; });
    };
    const double alone = run_memory(*own, Keeps::trace).total();
    EXPECT_EQ(fitting(), 5);
    const MemoryLimit limit(static_cast<std::uint64_t>(3 * alone));
    EXPECT_GE(fitting(), 2);
    EXPECT_LT(fitting(), 5);
}

TEST(ComparedRun, NoTwoOfThemAreCalledAlike) {
    const Session session = session_of({{"dot", {}}, {"dot", {}}, {"scaled_dot_product", {}}});
    const std::string own = mechanism("scaled_dot_product").name, dot = mechanism("dot").name;
    EXPECT_EQ(comparison_names(session), (std::vector<std::string>{own, dot, dot + " (2)", own + " (2)"}));
}

TEST(ComparedRun, NothingComparedCostsNothing) {
    const Ran ran = run({});
    EXPECT_TRUE(ran.comparison.empty());
    EXPECT_TRUE(ran.trace.joined_specs.empty());
}

TEST(ComparedRun, EachHasItsWeightsAtTheSiteOfItsName) {
    const Ran ran = run({{"dot", {}}, {"causal", {}}});
    ASSERT_EQ(ran.comparison.size(), 3u);
    for (const ComparedRun& compared : ran.comparison) {
        EXPECT_FALSE(compared.refusal);
        EXPECT_EQ(compared.statistics.size(), 1u);
        EXPECT_GT(compared.cost.multiply_adds, 0);
    }
    for (const Stage& stage : ran.trace.stages())
        EXPECT_TRUE(stage.site.empty() || stage.name == "weights" || stage.name == "masked_scores");
    // The numbers are those of a session of its own.
    Session alone = session_of({});
    alone.mechanism = "dot";
    const Trace trace =
        record(std::make_shared<const Plan>(plan(session_spec(alone), session_inputs(alone), {alone.seed})));
    EXPECT_EQ(weights_at(ran.trace, mechanism("dot").name), weights_at(trace, ""));
}

TEST(ComparedRun, OneThatCannotRunSaysWhyAndStopsNobody) {
    const Ran ran = run({{"multi_head", {{"heads", Index(5)}}}, {"cross", {}}, {"dot", {}}});
    ASSERT_EQ(ran.comparison.size(), 4u);
    ASSERT_TRUE(ran.comparison[1].refusal);
    EXPECT_FALSE(ran.comparison[1].plan);
    ASSERT_TRUE(ran.comparison[2].refusal);
    EXPECT_NE(std::string(ran.comparison[2].refusal->what()).find("two sequences"), std::string::npos);
    EXPECT_FALSE(ran.comparison[3].refusal);
    EXPECT_TRUE(ran.trace.find("weights", ran.comparison[3].name));
    EXPECT_FALSE(ran.trace.find("weights", ran.comparison[1].name));
}

TEST(ComparedRun, IsAskedBetweenItsPartsWhetherItIsStillWanted) {
    const Session session = session_of({{"dot", {}}, {"causal", {}}});
    const auto own =
        std::make_shared<const Plan>(plan(session_spec(session), session_inputs(session), {session.seed}));
    Comparison comparison = plan_comparison(session, own);
    int asked = 0;
    EXPECT_FALSE(run_comparison(comparison, record(own), [&] { return ++asked == 2; }));
    EXPECT_EQ(asked, 2);
}

TEST(ComparedRun, StandsSideBySideOnOneScale) {
    const Figure figure = build_figure(run({{"dot", {}}, {"causal", {}}}).trace, comparing());
    ASSERT_EQ(figure.panels.size(), 3u);
    EXPECT_EQ(figure.panels[0].title, mechanism("scaled_dot_product").name);
    EXPECT_EQ(figure.panels[1].title, mechanism("dot").name);
    EXPECT_EQ(figure.panels[0].scale, figure.panels[1].scale);
    EXPECT_TRUE(figure.panels[0].forbidden.empty());
    EXPECT_FALSE(figure.panels[2].forbidden.empty());
}

TEST(ComparedRun, TheFutureIsForbiddenAlsoWhereNoScoresSaySo) {
    const Ran ran = run({{"retention", {}}, {"causal", {}}});
    const Figure figure = build_figure(ran.trace, comparing());
    ASSERT_EQ(figure.panels.size(), 3u);
    ASSERT_FALSE(ran.trace.find("masked_scores", mechanism("retention").name));
    EXPECT_FALSE(figure.panels[1].forbidden.empty());
    EXPECT_EQ(figure.panels[1].forbidden, figure.panels[2].forbidden);
    for (const std::size_t i : {1u, 2u})
        EXPECT_EQ(ran.comparison[i].statistics.front().sparsity, 0) << i;
}

TEST(ComparedRun, DifferencesStandUnderWhatTheyAreOf) {
    const Figure figure = build_figure(run({{"dot", {}}, {"causal", {}}}).trace, comparing(true));
    ASSERT_EQ(figure.columns, 3);
    ASSERT_EQ(figure.panels.size(), 6u);
    EXPECT_TRUE(figure.panels[3].blank);
    EXPECT_EQ(std::ranges::count(figure.panels, true, &Panel::blank), 1);
    for (std::size_t i : {4u, 5u}) {
        EXPECT_EQ(figure.panels[i].site, figure.panels[i - 3].site);
        EXPECT_EQ(figure.panels[i].scale.low, -figure.panels[i].scale.high);
        for (std::size_t cell = 0; cell < figure.panels[i].values.size(); ++cell)
            EXPECT_DOUBLE_EQ(figure.panels[i].values[cell],
                             figure.panels[i - 3].values[cell] - figure.panels[0].values[cell]);
    }
}

TEST(ComparedRun, OfTwoTheDifferenceStandsInTheirRow) {
    const Figure figure = build_figure(run({{"causal", {}}}).trace, comparing(true));
    ASSERT_EQ(figure.panels.size(), 3u);
    EXPECT_EQ(figure.columns, 3);
    EXPECT_EQ(std::ranges::count(figure.panels, true, &Panel::blank), 0);
    EXPECT_EQ(figure.panels[2].title, "Difference");
    EXPECT_EQ(figure.panels[2].subtitle, figure.panels[1].title + " − " + figure.panels[0].title);
    EXPECT_EQ(figure.panels[2].site, figure.panels[1].site);
    EXPECT_TRUE(figure.panels[2].is_difference);
    EXPECT_FALSE(figure.panels[1].is_difference);
    for (std::size_t cell = 0; cell < figure.panels[2].values.size(); ++cell)
        EXPECT_DOUBLE_EQ(figure.panels[2].values[cell],
                         figure.panels[1].values[cell] - figure.panels[0].values[cell]);
    EXPECT_EQ(with_columns(figure, 2).panels.size(), 3u) << "on a narrow page the difference wraps";
}

TEST(ComparedRun, OnlyMapsOnOneScaleAreSaidToShareOne) {
    const Trace trace = run({{"linear", {}}}).trace;
    const std::string sentence = "Weights and Implied weights share a colour scale.";
    const auto times_said = [&](bool own_scales, bool differences) {
        ViewSettings view = comparing(differences);
        view.own_scales = own_scales;
        const std::string caption = build_figure(trace, view).caption;
        int times = 0;
        for (std::size_t at = caption.find(sentence); at != std::string::npos;
             at = caption.find(sentence, at + 1))
            ++times;
        return times;
    };
    EXPECT_EQ(times_said(false, false), 1);
    EXPECT_EQ(times_said(false, true), 1) << "differences are on a scale of differences";
    EXPECT_EQ(times_said(true, false), 0);
    EXPECT_EQ(times_said(true, true), 0);
}

TEST(ComparedRun, ADifferenceIsHatchedWhereBothForbidAPair) {
    const Figure figure = build_figure(run({{"causal", {}}}).trace, comparing(true));
    ASSERT_EQ(figure.panels.size(), 3u);
    EXPECT_FALSE(figure.panels[1].forbidden.empty());
    EXPECT_TRUE(figure.panels[2].forbidden.empty()) << "what causal attention alone forbids has a difference";
    const std::string note = "a pair that is forbidden in one of the two alone has the weight 0 there.";
    EXPECT_NE(figure.caption.find(note), std::string::npos) << figure.caption;
    Session both = session_of({{"causal", {}}});
    both.mechanism = "causal";
    const auto own =
        std::make_shared<const Plan>(plan(session_spec(both), session_inputs(both), {.seed = both.seed}));
    Comparison comparison = plan_comparison(both, own);
    const Figure alike = build_figure(*run_comparison(comparison, record(own)), comparing(true));
    EXPECT_EQ(alike.panels[2].forbidden, alike.panels[1].forbidden);
    EXPECT_EQ(alike.caption.find(note), std::string::npos) << alike.caption;
}

/// Where a page is narrow: maps, and the differences under them, on fewer columns.
TEST(ComparedRun, ItsPanelsWrap) {
    const std::vector<ComparedMechanism> five{
        {"dot", {}}, {"causal", {}}, {"sparsemax", {}}, {"retention", {}}};
    const Trace trace = run(five).trace;
    for (const bool differences : {false, true}) {
        const Figure whole = build_figure(trace, comparing(differences));
        EXPECT_EQ(with_columns(whole, whole.columns).panels.size(), whole.panels.size());
        for (const Index columns : {1, 2}) {
            const Figure narrow = with_columns(whole, columns);
            EXPECT_EQ(narrow.columns, columns);
            std::vector<std::string> maps;
            for (std::size_t at = 0; at < narrow.panels.size(); ++at) {
                const Panel& panel = narrow.panels[at];
                const bool is_difference =
                    panel.title == "Difference" || panel.title == "the same as the first";
                if (panel.blank)
                    continue;
                if (!is_difference)
                    maps.push_back(panel.site);
                else
                    EXPECT_EQ(narrow.panels[at - static_cast<std::size_t>(columns)].site, panel.site) << at;
            }
            ASSERT_EQ(maps.size(), 5u) << columns;
            EXPECT_EQ(maps.front(), "");
            EXPECT_EQ(maps.back(), mechanism("retention").name);
            const auto shown = [](const Figure& figure) {
                return std::ranges::count(figure.panels, false, &Panel::blank);
            };
            EXPECT_EQ(shown(narrow), shown(whole));
        }
    }
    EXPECT_EQ(with_columns(Figure{}, 3).columns, 1);
}

/// A cache grows with the tokens, a state does not: the two are not one number.
TEST(ComparedRun, AStateIsNoCachePerToken) {
    const Ran ran = run({{"retention", {}}});
    ASSERT_EQ(ran.comparison.size(), 2u);
    EXPECT_GT(ran.comparison[0].cost.cache_bytes, 0);
    EXPECT_EQ(ran.comparison[0].cost.state_bytes, 0);
    EXPECT_EQ(ran.comparison[1].cost.cache_bytes, 0);
    EXPECT_GT(ran.comparison[1].cost.state_bytes, 0);
}

TEST(ComparedRun, AHeatmapOfOneIsCalledByItsName) {
    ViewSettings view;
    view.view = ViewKind::heatmap;
    view.selection.site = mechanism("causal").name;
    const Figure figure = build_figure(run({{"causal", {}}}).trace, view);
    EXPECT_EQ(figure.title, mechanism("causal").name);
    EXPECT_FALSE(figure.panels.front().forbidden.empty());
}

TEST(ComparedRun, ItsNumbersAreALineEach) {
    const Ran ran = run({{"causal", {}}, {"cross", {}}});
    const auto table = comparison_table(ran.comparison, 0);
    ASSERT_EQ(table.names.size(), 3u);
    ASSERT_EQ(table.numbers.size(), 3 * table.columns());
    EXPECT_EQ(table.names[0], mechanism("scaled_dot_product").name);
    EXPECT_TRUE(table.numbers[table.columns()]);
    EXPECT_FALSE(table.numbers[2 * table.columns()]);  // cross cannot run
    Figure figure = build_figure(ran.trace, comparing());
    complete_comparison(figure, ran.comparison, 0);
    EXPECT_EQ(figure.table, table);
    EXPECT_NE(figure.caption.find("Cannot run on these inputs: " + mechanism("cross").name + "."),
              std::string::npos)
        << figure.caption;
    EXPECT_NE(to_csv(figure).find("\r\n\r\nmechanism,entropy (bits)"), std::string::npos);
}

}  // namespace headlight::compared_run_test

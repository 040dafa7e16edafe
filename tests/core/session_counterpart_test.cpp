// A session beside itself with another text, or another model: both run, and each cell has its partner.

#include "core/figure/comparison.h"
#include "core/io/session_counterpart.h"
#include "core/io/session_run.h"
#include "core/map/aligned_maps.h"
#include "core/map/trace_maps.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headlight::session_counterpart_test {

using namespace test;

namespace {

Session reading(const std::string& text, const std::string& other) {
    Session session;
    session.mechanism = "multi_head";
    session.sequence.query_text = text;
    session.counterpart = Counterpart{Counterpart::Kind::text, other};
    return session;
}

/// As one who reads that text alone would see it.
Trace alone(const std::string& text) {
    Session session = reading(text, {});
    session.counterpart.reset();
    return run_session(session).trace;
}

TEST(SessionCounterpart, OfAsManyTokensIsThatTextsRunWithEveryStage) {
    const SessionRun run = run_session(reading("the cat sat here", "the dog ran here"));
    ASSERT_TRUE(run.untouched);
    const Trace own = alone("the cat sat here"), other = alone("the dog ran here");
    for (const char* stage : {"query", "scaled_scores", "weights", "output"}) {
        const auto expect_equal = [&](const Trace& shown, const Trace& expected) {
            ASSERT_TRUE(shown.find(stage)) << stage;
            const auto a = shown.values(*shown.find(stage)), b = expected.values(*expected.find(stage));
            EXPECT_TRUE(std::ranges::equal(a, b)) << stage;
        };
        expect_equal(run.trace, own);
        expect_equal(*run.untouched, other);
    }
    EXPECT_TRUE(run.trace.left_out.empty());
    EXPECT_NE(run.trace.name, run.untouched->name);
    EXPECT_TRUE(run.untouched->name.find("the dog ran here") != std::string::npos) << run.untouched->name;
}

TEST(SessionCounterpart, OfAnotherLengthHasItsNumbersInTheSessionsPlaces) {
    const SessionRun run = run_session(reading("the big cat sat", "the cat sat down"));
    ASSERT_TRUE(run.untouched);
    const Trace own = alone("the big cat sat"), other = alone("the cat sat down");
    const Stage& weights = *run.trace.find("weights");
    EXPECT_TRUE(std::ranges::equal(run.trace.values(weights), own.values(*own.find("weights"))));
    EXPECT_TRUE(run.trace.find("output"));  // the session's own run is whole
    const auto there = run.untouched->values(*run.untouched->find("weights"));
    const auto expected = other.values(*other.find("weights"));
    const Index heads = weights.extent(Axis::head), partner[] = {0, -1, 1, 2};
    for (Index head = 0; head < heads; ++head)
        for (Index row = 0; row < 4; ++row)
            for (Index column = 0; column < 4; ++column) {
                const double number = there[static_cast<std::size_t>((head * 4 + row) * 4 + column)];
                if (partner[row] < 0 || partner[column] < 0)
                    EXPECT_TRUE(std::isnan(number));
                else
                    EXPECT_EQ(
                        number,
                        expected[static_cast<std::size_t>((head * 4 + partner[row]) * 4 + partner[column])]);
            }
    EXPECT_EQ(run.trace.left_out,
              "1 token of the first text and 1 token of the second text have no partner.");
}

TEST(SessionCounterpart, IsSubtractedAndStandsSideBySide) {
    Session session = reading("the cat sat here", "the dog ran here");
    session.view.view = ViewKind::heatmap;
    session.figure.differences = true;
    const Figure difference = session_figure(session);
    const Trace own = alone("the cat sat here"), other = alone("the dog ran here");
    const auto a = own.values(*own.find("weights")), b = other.values(*other.find("weights"));
    ASSERT_EQ(difference.panels.front().values.size(), 16u);
    for (std::size_t at = 0; at < 16; ++at)
        EXPECT_NEAR(difference.panels.front().values[at], a[at] - b[at], 1e-15);
    EXPECT_EQ(difference.panels.front().row_axis.labels.at(1), "cat ↔ dog");
    EXPECT_FALSE(run_session(session).random_weights.empty());
    EXPECT_NE(difference.session.find("the dog ran here"), std::string::npos);
    session.view.view = ViewKind::compare;
    EXPECT_EQ(session_figure(session).panels.size(), 3u);
}

TEST(SessionCounterpart, OfAShorterTextHasNoRowSums) {
    Session session = reading("the big cat sat", "the cat");
    session.view.view = ViewKind::compare;
    for (const Panel& panel : session_figure(session).panels)
        EXPECT_TRUE(panel.row_sums.empty()) << panel.title;
}

TEST(SessionCounterpart, IsCalledByWhereTheTextsPart) {
    const std::string common = "the animal did not cross the street because it was too ";
    const SessionRun run = run_session(reading(common + "tired", common + "wide"));
    EXPECT_EQ(run.trace.name, "Multi-head attention, “tired”");
    EXPECT_EQ(run.untouched->name, "“wide”");
}

TEST(SessionCounterpart, IsCalledByTheWordsThatDifferWhereverBothAreDrawn) {
    Session session =
        reading("the bank of the river was green today .", "the bank of the money was green today .");
    session.view.view = ViewKind::heatmap;
    session.figure.differences = true;
    const Figure difference = session_figure(session);
    EXPECT_EQ(difference.panels.front().subtitle, "“river” − “money”");
    EXPECT_EQ(difference.bar_title, "difference of weights");
    EXPECT_TRUE(difference.title.ends_with("“river” and “money”")) << difference.title;
    EXPECT_TRUE(difference.panels.front().title.starts_with("Difference of weights, head 1"))
        << difference.panels.front().title;
    session.view.view = ViewKind::compare;
    const Figure compared = session_figure(session);
    ASSERT_EQ(compared.panels.size(), 3u);
    EXPECT_EQ(compared.panels[0].title, "“river”");
    EXPECT_EQ(compared.panels[1].title, "“money”");
    EXPECT_TRUE(compared.title.ends_with("“river” and “money”")) << compared.title;
}

TEST(SessionCounterpart, OfAModelIsAnotherTextOrAnotherModel) {
    Session session;
    session.model = SessionModel{"dates-luong", {}};
    session.model->request.source = "3 May 2009";
    session.model->request.chosen = {"1"};
    session.counterpart = Counterpart{Counterpart::Kind::text, "13 June 2009"};
    const Session text = counterpart_session(session);
    EXPECT_EQ(text.model->name, "dates-luong");
    EXPECT_EQ(text.model->request.source, "13 June 2009");
    EXPECT_TRUE(text.model->request.chosen.empty());
    EXPECT_FALSE(text.counterpart);
    session.counterpart = Counterpart{Counterpart::Kind::model, "dates-additive-gru"};
    const Session model = counterpart_session(session);
    EXPECT_EQ(model.model->name, "dates-additive-gru");
    EXPECT_EQ(model.model->request.source, "3 May 2009");
    session.model->request.chosen.clear();
    const SessionRun run = run_session(session);
    ASSERT_TRUE(run.untouched);
    EXPECT_NE(run.trace.name, run.untouched->name);
}

TEST(SessionCounterpart, TakesPartWhereItCan) {
    Session session = reading("a b", "c d");
    EXPECT_TRUE(session.has_counterpart());
    session.counterpart->kind = Counterpart::Kind::capture;
    EXPECT_FALSE(session.has_counterpart());
    EXPECT_FALSE(run_session(session).untouched);
    session.counterpart->kind = Counterpart::Kind::text;
    session.sequence.file = std::make_shared<const Inputs>();
    EXPECT_FALSE(session.has_counterpart());
}

}  // namespace

}  // namespace headlight::session_counterpart_test

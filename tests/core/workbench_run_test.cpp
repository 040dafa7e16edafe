// What a run needs and gives, and where a session looks once it has run.

#include "core/io/session_capture.h"
#include "core/io/session_model.h"
#include "core/io/shipped_models.h"
#include "core/workbench/run_session.h"
#include "core/workbench/settled_view.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace headlight::workbench_run_test { namespace {

Session small() {
    Session session = example_session();
    session.sequence.query_text = "the river bank flooded";
    session.sequence.vectors.kind = VectorKind::hashed;
    session.sequence.vectors.dimension = 16;
    return session;
}

std::shared_ptr<const Run> run_of(const Session& session) {
    return finish_run(std::make_shared<const Session>(session), prepare_run(session));
}

Session translating() {
    const std::string name = "dates-additive-gru";
    Session session = with_model(small(), name, *open_model(name).model);
    session.model->request.source = "28 July 2008";
    return session;
}

TEST(WorkbenchRuns, HaveAPlanATraceAndAnEstimate) {
    const Session session = small();
    PreparedRun prepared = prepare_run(session);
    const RunEstimate estimate = estimate_of(prepared);
    EXPECT_GT(estimate.seconds, 0);
    EXPECT_GT(estimate.bytes, 0);
    EXPECT_LT(estimate.seconds, 1);
    const auto run = finish_run(std::make_shared<const Session>(session), std::move(prepared));
    EXPECT_TRUE(run->is_of_mechanism());
    EXPECT_EQ(run->plan->queries, 4);
    ASSERT_TRUE(run->trace->find("weights"));
    EXPECT_TRUE(*run->session == session);
}

TEST(WorkbenchRuns, RefuseWhatIsTooLongBeforeAnythingIsComputed) {
    Session session = small();
    session.sequence.query_text.clear();
    for (Index token = 0; token <= longest_sequence; ++token)
        session.sequence.query_text += "a ";
    test::expect_refusal([&] { prepare_run(session); }, {"32769", "32768"});
    session.sequence.query_text.assign(longest_text + 1, 'x');
    test::expect_refusal([&] { prepare_run(session); }, {"text"});
    session.sequence.query_text.clear();
    test::expect_refusal([&] { prepare_run(session); }, {"empty"});
}

TEST(WorkbenchRuns, DoNotDependOnHowTheyAreLookedAt) {
    const Session session = small();
    Session other = session;
    other.figure.colour_map = "magma";
    other.view.view = ViewKind::lines;
    EXPECT_TRUE(same_run(session, other));
    other.seed = 7;
    EXPECT_FALSE(same_run(session, other));
}

TEST(WorkbenchRuns, OfModelsTellHowFarTheyAreAndMayBeGivenUp) {
    const auto session = std::make_shared<const Session>(translating());
    OpenModels models;
    EXPECT_GT(estimate_of(*session, models).seconds, 0);
    std::vector<double> shares;
    const auto run = generate_run(session, models, {}, [&](double share) { shares.push_back(share); });
    ASSERT_TRUE(run && run->transcript);
    EXPECT_FALSE(run->is_of_mechanism());
    EXPECT_FALSE(shares.empty());
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    for (const SiteRecord& record : run->transcript->sites) {
        EXPECT_EQ(run->explained_at(record.site.name).plan, record.plan);
        EXPECT_EQ(run->explained_at(record.site.name).trace, record.trace);
    }
    EXPECT_FALSE(run->explained_at("").plan);
    OpenModels others;
    EXPECT_FALSE(generate_run(session, others, [] { return true; }));
}

TEST(SettledViews, AreWithinWhatThereIs) {
    Session session = small();
    session.view.selection.head = 9;
    session.view.selection.query = 99;
    session.view.selection.key = 2;
    const ViewState view = settled_view(session, *run_of(session));
    EXPECT_EQ(view.selection.head, 0);
    EXPECT_EQ(view.selection.query, 3);
    EXPECT_EQ(view.selection.key, 2);
}

TEST(SettledViews, LeaveAComparedMechanismThatIsGone) {
    Session session = small();
    session.view = in_view(session.view, ViewKind::compare);
    session.compared = {{"additive", {}, {}}};
    session.view.selection.site = comparison_names(session)[1];
    EXPECT_EQ(settled_view(session).selection.site, session.view.selection.site);
    session.compared.clear();
    EXPECT_EQ(settled_view(session).selection.site, "");
    session.compared = {{"additive", {}, {}}};
    session.view = in_view(session.view, ViewKind::heatmap);
    EXPECT_EQ(settled_view(session).selection.site, "") << "beside the session's own it is current nowhere";
}

TEST(SettledViews, DropAPartOfMatricesThatAreNoMore) {
    Session session = small();
    session.view.zoom = ZoomedPart{{40, 2, 10}, {40, 2, 10}};
    EXPECT_FALSE(settled_view(session, *run_of(session)).zoom);
    session.view.zoom = ZoomedPart{{4, 1, 2}, {4, 1, 2}};
    EXPECT_TRUE(settled_view(session, *run_of(session)).zoom);
}

// The first query of a causal map can only look at itself.
TEST(SettledViews, OfACaptureBeginAtTheQueryThatSeesMost) {
    const auto opened = [](const char* name) {
        const std::string file = HEADLIGHT_SOURCE_DIR "/tests/support/captures/" + std::string(name);
        Session session = with_capture(small(), file, RangeKind::fitted);
        const auto run = captured_run(std::make_shared<const Session>(session));
        session.view = settled_view(session, *run);
        const Index query = session.view.selection.query;
        session.view.selection.query = 1;
        EXPECT_EQ(settled_view(session, *run).selection.query, 1) << "what a person chose stays";
        return query;
    };
    EXPECT_EQ(opened("causal.npz"), 9);
    EXPECT_EQ(opened("layers.npz"), 0);
    EXPECT_EQ(opened("translation.npz"), 0);
}

TEST(SettledViews, OfACaptureHaveNoLevelOfAMechanism) {
    const std::string file = HEADLIGHT_SOURCE_DIR "/tests/support/captures/causal.npz";
    Session session = small();
    for (const Level level : {Level::box, Level::parts, Level::arithmetic, Level::formula, Level::code}) {
        session.view.level = level;
        EXPECT_EQ(settled_view(session).level, level);
        const Session captured = with_capture(session, file, RangeKind::fitted);
        EXPECT_EQ(settled_view(captured).level.has_value(), level == Level::box) << static_cast<int>(level);
    }
}

TEST(SettledViews, OfAModelAreAtAPlaceOfItsTrace) {
    Session session = translating();
    session.view.selection.query = last_row;
    OpenModels models;
    const auto run = generate_run(std::make_shared<const Session>(session), models);
    const ViewState view = settled_view(session, *run);
    const SiteRecord* site = run->transcript->find(view.selection.site);
    ASSERT_TRUE(site);
    EXPECT_FALSE(site->site.in_encoder);
    EXPECT_EQ(view.selection.query, site->plan->queries - 1);
}

}}  // namespace headlight::workbench_run_test

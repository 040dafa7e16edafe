// What a person changed inside a model is named wherever it is shown: subtitle, cells, caption, description.

#include "core/figure/comparison.h"
#include "core/io/session_run.h"

#include <gtest/gtest.h>

namespace headlight::changed_figure_test { namespace {

Figure figure_of(const Intervention& intervention, const std::string& stage, ViewKind view) {
    Session session;
    session.model = SessionModel{"dates-luong", {}};
    session.model->request.source = "3rd of May 1979";
    session.model->request.interventions = {intervention};
    session.view.view = view;
    session.view.selection.site = "decoder.cross";
    session.view.selection.stage = stage;
    return session_figure(session);
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

struct ChangeCase {
    std::string name;
    Intervention intervention;
    std::string words;
    std::string stage = "weights";
    std::vector<Index> marked;  ///< columns of the first row
};
void PrintTo(const ChangeCase& row, std::ostream* out) { *out << row.name; }

class ChangedFigure : public testing::TestWithParam<ChangeCase> {};

TEST_P(ChangedFigure, SaysWhatWasChanged) {
    const ChangeCase& row = GetParam();
    for (const ViewKind view : {ViewKind::heatmap, ViewKind::steps, ViewKind::stages, ViewKind::lines}) {
        const Figure figure = figure_of(row.intervention, row.stage, view);
        EXPECT_TRUE(contains(figure.caption, "Changed by hand: " + row.words)) << figure.caption;
        EXPECT_TRUE(contains(figure.description, "Changed by hand: " + row.words)) << figure.description;
    }
    const Panel panel = figure_of(row.intervention, row.stage, ViewKind::heatmap).panels.front();
    EXPECT_TRUE(panel.subtitle.ends_with("changed by hand")) << panel.subtitle;
    ASSERT_EQ(panel.by_hand.size(), panel.values.size());
    for (Index column = 0; column < panel.columns; ++column)
        EXPECT_EQ(panel.by_hand[static_cast<std::size_t>(column)],
                  std::ranges::find(row.marked, column) != row.marked.end())
            << column;
    // A stage that follows from the change is not marked itself; the caption names it all the same.
    const Figure behind = figure_of(row.intervention, "context", ViewKind::heatmap);
    EXPECT_TRUE(contains(behind.caption, row.words)) << behind.caption;
    EXPECT_TRUE(behind.panels.front().by_hand.empty());
    EXPECT_FALSE(contains(behind.panels.front().subtitle, "by hand"));
}

using Kind = Intervention::Kind;
INSTANTIATE_TEST_SUITE_P(
    All, ChangedFigure,
    testing::Values(
        ChangeCase{"weight",
                   {.site = "decoder.cross", .head = {}, .step = 0, .key = 2, .weight = 0.9},
                   "“d” gets the weight 0.9, step 1.",
                   "weights",
                   {2}},
        ChangeCase{"column",
                   {.kind = Kind::zero_column, .site = "decoder.cross", .head = {}, .step = {}, .key = 0},
                   "“3” gets no weight (rows not renormalised).",
                   "weights",
                   {0}},
        ChangeCase{"renormalised_column",
                   {.kind = Kind::zero_column,
                    .site = "decoder.cross",
                    .head = {},
                    .step = {},
                    .key = 0,
                    .renormalizes = true},
                   "“3” gets no weight (rows renormalised).",
                   "weights",
                   {0}},
        ChangeCase{"forbidden",
                   {.kind = Kind::forbid_key, .site = "decoder.cross", .head = {}, .step = {}, .key = 1},
                   "“r” is forbidden.",
                   "masked_scores",
                   {1}}),
    [](const auto& row) { return row.param.name; });

TEST(ChangedFigure, SaysWhoForbadeWhatIsHatched) {
    const auto caption = [](const char* model, const char* site, bool forbids) {
        Session session;
        session.model = SessionModel{model, {}};
        session.model->request.source = std::string(model) == "dates-luong" ? "3rd of May 1979" : "abcdef";
        if (forbids)
            session.model->request.interventions = {
                {.kind = Kind::forbid_key, .site = site, .head = {}, .step = {}, .key = 1}};
        session.view.view = ViewKind::heatmap;
        session.view.selection.site = site;
        session.view.selection.stage = "weights";
        return session_figure(session).caption;
    };
    EXPECT_FALSE(contains(caption("dates-luong", "decoder.cross", false), "Hatched"));
    const std::string by_hand = caption("dates-luong", "decoder.cross", true);
    EXPECT_TRUE(contains(by_hand, "Hatched: forbidden by hand.")) << by_hand;
    const std::string by_mask = caption("reverse-transformer", "decoder.0.self", false);
    EXPECT_TRUE(contains(by_mask, "Hatched: forbidden by the mask.")) << by_mask;
    const std::string by_both = caption("reverse-transformer", "decoder.0.self", true);
    EXPECT_TRUE(contains(by_both, "Hatched: forbidden by the mask, or by hand.")) << by_both;
}

TEST(ChangedFigure, OfAnotherHeadIsNotChangedByHand) {
    for (const Index shown : {2, 3}) {
        Session session;
        session.model = SessionModel{"reverse-transformer", {}};
        session.model->request.source = "abcdef";
        session.model->request.interventions = {
            {.kind = Kind::mute_head, .site = "decoder.0.cross", .head = 2, .step = {}, .key = {}}};
        session.view.view = ViewKind::heatmap;
        session.view.selection.site = "decoder.0.cross";
        session.view.selection.head = shown;
        EXPECT_EQ(contains(session_figure(session).panels.front().subtitle, "by hand"), shown == 2) << shown;
    }
}

TEST(ChangedFigure, OfAnUntouchedModelSaysNothing) {
    Session session;
    session.model = SessionModel{"dates-luong", {}};
    session.model->request.source = "3rd of May 1979";
    const Figure figure = session_figure(session);
    EXPECT_FALSE(contains(figure.caption + figure.description, "by hand"));
}

// Both read the words of the changed model. Where the untouched one would say another word, the row has both,
// and is the row of that word in the run that there was before.
TEST(ChangedFigure, ADifferenceNamesBothWordsOfARow) {
    Session session;
    session.model = SessionModel{"translate-transformer", {}};
    session.model->request.source = "the black cat does not sleep";
    for (const Index head : {0, 1, 2, 3})
        session.model->request.interventions.push_back(
            {.kind = Kind::mute_head, .site = "decoder.0.cross", .head = head, .step = {}, .key = {}});
    session.view.view = ViewKind::heatmap;
    session.view.selection.site = "decoder.1.cross";
    session.figure.differences = true;
    const Figure figure = session_figure(session);
    const SessionRun run = run_session(session);
    ASSERT_TRUE(run.before);
    const std::vector<std::string>& said = run.trace.tokens_at("decoder.1.cross").query;
    const std::vector<std::string>& before = run.before->tokens_at("decoder.1.cross").query;
    const std::size_t parted =
        static_cast<std::size_t>(std::ranges::mismatch(said, before).in1 - said.begin());
    ASSERT_LT(parted, said.size());
    const Panel& panel = figure.panels.front();
    EXPECT_EQ(panel.row_axis.labels.front(), said.front());
    EXPECT_EQ(panel.row_axis.labels[parted], said[parted] + " ↔ " + before[parted]);
    const auto row = [&](const Trace& trace) {
        const auto map = trace.matrix(*trace.find("weights", "decoder.1.cross"), 0);
        return map.subspan(parted * static_cast<std::size_t>(panel.columns));
    };
    for (std::size_t key = 0; key < static_cast<std::size_t>(panel.columns); ++key)
        EXPECT_NEAR(panel.values[parted * static_cast<std::size_t>(panel.columns) + key],
                    row(run.trace)[key] - row(*run.before)[key], 1e-6);
    EXPECT_TRUE(contains(figure.caption, "the changed model says “" + said[parted] + "” there"))
        << figure.caption;
    EXPECT_TRUE(contains(figure.caption, "the untouched one by itself says “le chat noir ne dort pas”."))
        << figure.caption;
    EXPECT_TRUE(panel.title.starts_with("Difference of weights, head 1 of")) << panel.title;
    EXPECT_TRUE(contains(figure.caption, "Changed by hand: no weight at all, heads 1 to 4 (decoder layer 1, "
                                         "looks at the source)."))
        << figure.caption;
}

Session with_another_text() {
    Session session;
    session.mechanism = "multi_head";
    session.sequence.query_text = "the cat sat here";
    session.sequence.vectors.kind = VectorKind::hashed;
    session.counterpart = Counterpart{Counterpart::Kind::text, "the dog ran here"};
    session.figure.differences = true;
    return session;
}

TEST(ChangedFigure, OfNormsSaysThatTheseAreSubtracted) {
    Session session = with_another_text();
    session.view.view = ViewKind::heatmap;
    EXPECT_FALSE(contains(session_figure(session).caption, "Norm of each weight"));
    session.figure.weights = DrawnWeights::value_norms;
    for (const ViewKind view : {ViewKind::heatmap, ViewKind::grid, ViewKind::compare}) {
        session.view.view = view;
        EXPECT_TRUE(contains(session_figure(session).caption,
                             "Norm of each weight times its value times Wₒ (Kobayashi et al. 2020)."))
            << session_figure(session).caption;
    }
}

TEST(ChangedFigure, FollowsARangeThatStartsBelowZeroAndSaysWhereOneDoesNot) {
    Session session = with_another_text();
    session.view.view = ViewKind::heatmap;
    session.figure.range = {RangeKind::numbers, -0.125, 0.125};
    const Figure followed = session_figure(session);
    EXPECT_EQ(followed.panels.front().scale.low, -0.125);
    EXPECT_EQ(followed.panels.front().scale.high, 0.125);
    EXPECT_FALSE(contains(followed.caption, "not used")) << followed.caption;
    session.figure.range = {RangeKind::numbers, 0, 0.2};
    session.figure.scale = ScaleKind::logarithmic;
    const std::string caption = session_figure(session).caption;
    EXPECT_TRUE(contains(caption, "The range 0 to 0.2 is not used")) << caption;
    EXPECT_TRUE(contains(caption, "The logarithmic scale is not used")) << caption;
}

TEST(ChangedFigure, ComparesWithTheNameOfItsHead) {
    Session session = with_another_text();
    session.values["heads"] = 4;
    session.view.view = ViewKind::compare;
    session.view.selection.head = 2;
    const auto subtitles = [&] {
        std::vector<std::string> all;
        for (const Panel& panel : session_figure(session).panels)
            all.push_back(panel.subtitle);
        return all;
    };
    std::vector<std::string> of_head = subtitles();
    ASSERT_EQ(of_head.size(), 3u);
    EXPECT_TRUE(contains(of_head[0], "head 3 of 4") && contains(of_head[1], "head 3 of 4")) << of_head[0];
    session.figure.pooled = PooledHeads::maximum;
    of_head = subtitles();
    EXPECT_TRUE(contains(of_head[0], "largest of 4 heads") && contains(of_head[1], "largest of 4 heads"))
        << of_head[0];
    // Side by side with another mechanism, too.
    session.counterpart.reset();
    session.figure.pooled.reset();
    session.compared = {{.mechanism = "scaled_dot_product", .values = {}, .custom = {}}};
    of_head = subtitles();
    ASSERT_GE(of_head.size(), 2u);
    EXPECT_EQ(of_head[0], "head 3");
    EXPECT_EQ(of_head[1], "") << "it has a single one";
    session.figure.pooled = PooledHeads::mean;
    EXPECT_EQ(subtitles()[0], "mean of 4 heads");
}

// Beside a counterpart a pinned map is a row of its own: in both, and what differs.
TEST(ChangedFigure, ComparesPinnedMapsBelowTheSelectedOne) {
    Session session = with_another_text();
    session.view.view = ViewKind::compare;
    session.figure.pinned = {{"", 2}, {"", 99}};
    const Figure figure = session_figure(session);
    EXPECT_EQ(figure.columns, 3);
    ASSERT_EQ(figure.panels.size(), 6u);
    const SessionRun run = run_session(session);
    const auto of_head = [](const Trace& trace, Index head) {
        return trace.matrix(*trace.find("weights"), head);
    };
    for (const auto& [first, head] : {std::pair(std::size_t(0), Index(0)), {std::size_t(3), Index(2)}}) {
        const auto own = of_head(run.trace, head), other = of_head(*run.untouched, head);
        for (std::size_t cell = 0; cell < own.size(); ++cell) {
            EXPECT_EQ(figure.panels[first].values[cell], own[cell]);
            EXPECT_EQ(figure.panels[first + 1].values[cell], other[cell]);
            EXPECT_EQ(figure.panels[first + 2].values[cell], own[cell] - other[cell]);
        }
    }
    EXPECT_EQ(figure.panels[3].subtitle, "pinned: Head 3");
    EXPECT_EQ(figure.panels[3].head, 2);
    EXPECT_TRUE(figure.panels[0].in_focus && !figure.panels[3].in_focus);
    EXPECT_EQ(figure.panels[2].scale, figure.panels[5].scale);
    EXPECT_TRUE(contains(figure.description, figure.panels[5].title)) << figure.description;
}

}}  // namespace headlight::changed_figure_test

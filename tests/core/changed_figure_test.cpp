// What a person changed inside a model is named wherever it is shown: subtitle, cells, caption, description.

#include "core/figure/comparison.h"
#include "core/io/session_run.h"

#include <gtest/gtest.h>

using namespace headlight;

namespace {

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

TEST(ChangedFigure, OfAnUntouchedModelSaysNothing) {
    Session session;
    session.model = SessionModel{"dates-luong", {}};
    session.model->request.source = "3rd of May 1979";
    const Figure figure = session_figure(session);
    EXPECT_FALSE(contains(figure.caption + figure.description, "by hand"));
}

}  // namespace

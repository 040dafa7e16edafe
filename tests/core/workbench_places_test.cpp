// The places that Back and Forward lead to.

#include "core/workbench/view_history.h"

#include <gtest/gtest.h>

namespace headlight::workbench_places_test { namespace {

using namespace std::chrono_literals;
using Move = ViewHistory::Move;

ViewState looking_at(ViewKind view, Index query = 0) {
    ViewState state;
    state.view = view;
    state.selection.query = query;
    return state;
}

/// A person with a watch: moves, and where it leads.
struct Walker {
    ViewHistory history;
    ViewState here = looking_at(ViewKind::stages);
    ViewHistory::Time now = ViewHistory::Time(1h);

    void go(const ViewState& to, std::chrono::milliseconds after, Move move = Move::jump) {
        now += after;
        history.leave(here, to, move, now);
        here = to;
    }
    void back() { here = history.back(here, now); }
    void forward() { here = history.forward(here, now); }
};

TEST(ViewPlaces, AreThoseWhereOneStayed) {
    Walker walker;
    walker.go(looking_at(ViewKind::heatmap), 5s);
    walker.go(looking_at(ViewKind::grid), 200ms);  // only passed the heatmap
    walker.back();
    EXPECT_EQ(walker.here.view, ViewKind::stages);
    EXPECT_FALSE(walker.history.can_go_back());
    walker.forward();
    EXPECT_EQ(walker.here.view, ViewKind::grid);
    EXPECT_FALSE(walker.history.can_go_forward());
}

TEST(ViewPlaces, LeaveAWalkAsAWhole) {
    Walker walker;
    for (Index query = 1; query < 20; ++query)
        walker.go(looking_at(ViewKind::stages, query), 2400ms, Move::walk);  // the slowest player
    walker.go(looking_at(ViewKind::lines, 19), 2s);
    walker.back();
    EXPECT_TRUE(same_place(walker.here, looking_at(ViewKind::stages, 19)));
    walker.back();
    EXPECT_TRUE(same_place(walker.here, looking_at(ViewKind::stages, 0)));
    EXPECT_FALSE(walker.history.can_go_back());
}

TEST(ViewPlaces, AreHaltsOnTheWay) {
    Walker walker;
    walker.go(looking_at(ViewKind::stages, 1), 100ms, Move::walk);
    walker.go(looking_at(ViewKind::stages, 2), 30s, Move::walk);
    walker.back();
    EXPECT_EQ(walker.here.selection.query, 1);
}

TEST(ViewPlaces, AreNoneThereAndBackAgain) {
    Walker walker;
    walker.go(looking_at(ViewKind::heatmap), 5s);
    walker.go(looking_at(ViewKind::stages), 200ms);
    EXPECT_FALSE(walker.history.can_go_back());
}

TEST(ViewPlaces, AreTheSameInAnotherLight) {
    Walker walker;
    ViewState dark = walker.here;
    dark.theme = FigureTheme::dark;
    walker.go(dark, 5s);
    EXPECT_FALSE(walker.history.can_go_back());
    ViewState lines = looking_at(ViewKind::lines);
    lines.theme = FigureTheme::dark;
    walker.go(lines, 5s);
    walker.back();
    EXPECT_EQ(walker.here.view, ViewKind::stages);
    EXPECT_EQ(walker.here.theme, FigureTheme::dark);
}

TEST(ViewPlaces, AreNotKeptWithoutEnd) {
    Walker walker;
    for (Index query = 1; query <= 300; ++query)
        walker.go(looking_at(ViewKind::stages, query), 5s);
    std::size_t steps = 0;
    for (; walker.history.can_go_back(); ++steps)
        walker.back();
    EXPECT_EQ(steps, ViewHistory::most_places);
}

}}  // namespace headlight::workbench_places_test

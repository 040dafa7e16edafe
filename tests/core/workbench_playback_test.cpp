// Where the player stands, where it goes next, and when.

#include "core/workbench/playback.h"

#include <gtest/gtest.h>

#include <optional>

namespace headlight::workbench_playback_test { namespace {

using std::chrono::milliseconds;

const std::vector<std::string> stages{"tokens", "scores", "scaled_scores", "weights", "context"};

/// 3 heads, 4 queries, 5 keys; the numbers do not matter here.
Trace make_trace() {
    Trace trace({{"", "weights", {Axis::head, Axis::query, Axis::key}, {3, 4, 5}, 0}});
    trace.tokens.query = {"the", "river", "bank", "flooded"};
    return trace;
}

ViewState at(const std::string& stage, ViewKind view = ViewKind::stages) {
    ViewState settings;
    settings.view = view;
    settings.selection.stage = stage;
    return settings;
}

struct Stand {
    const char* name;
    PlayMode mode;
    const char* stage;
    std::optional<Index> step;
    Index head, position, length;
};

class PlayTracks : public testing::TestWithParam<Stand> {};

TEST_P(PlayTracks, StandWhereTheViewStands) {
    const Stand& row = GetParam();
    ViewState view = at(row.stage, row.mode == PlayMode::step ? ViewKind::steps : ViewKind::stages);
    view.decoding_step = row.step;
    view.selection.head = row.head;
    const PlayTrack track = play_track(row.mode, make_trace(), stages, view);
    EXPECT_EQ(track.position, row.position);
    EXPECT_EQ(track.length, row.length);
    EXPECT_EQ(track.at_end(), track.position == track.length - 1);
    // Going where one stands moves nothing that the mode does not stand for.
    EXPECT_EQ(play_track(row.mode, make_trace(), stages, view_at(track, track.position, view)).position,
              track.position);
}

INSTANTIATE_TEST_SUITE_P(
    All, PlayTracks,
    testing::Values(Stand{"first_stage", PlayMode::stage, "tokens", {}, 0, 0, 5},
                    Stand{"a_later_stage", PlayMode::stage, "weights", {}, 0, 3, 5},
                    Stand{"a_stage_without_picture", PlayMode::stage, "row_sum", {}, 0, 4, 5},
                    Stand{"no_step_chosen_the_row_is", PlayMode::step, "weights", {}, 0, 0, 4},
                    Stand{"a_step", PlayMode::step, "weights", 1, 0, 1, 4},
                    Stand{"a_step_of_a_longer_sentence", PlayMode::step, "weights", 40, 0, 3, 4},
                    Stand{"a_head", PlayMode::head, "weights", {}, 2, 2, 3},
                    Stand{"a_head_that_is_gone", PlayMode::head, "weights", {}, 7, 2, 3}),
    [](const auto& row) { return row.param.name; });

TEST(Playback, WalksFromStartToEnd) {
    const Trace trace = make_trace();
    for (const PlayMode mode : {PlayMode::stage, PlayMode::step, PlayMode::head}) {
        ViewState view = at("scores");
        PlayTrack track = play_track(mode, trace, stages, view);
        view = view_at(track, 0, view);
        for (Index expected = 0; expected < track.length; ++expected) {
            track = play_track(mode, trace, stages, view);
            EXPECT_EQ(track.position, expected);
            view = view_at(track, track.position + 1, view);
        }
        EXPECT_TRUE(play_track(mode, trace, stages, view).at_end());
        EXPECT_TRUE(view_at(track, 99, view) == view);
    }
}

struct Switch {
    const char* name;
    PlayMode mode;
    ViewKind from, to;
};

class PlayModes : public testing::TestWithParam<Switch> {};

TEST_P(PlayModes, ChooseAViewThatShowsThem) {
    const ViewState view = at("weights", GetParam().from);
    EXPECT_EQ(view_at(play_track(GetParam().mode, make_trace(), stages, view), 1, view).view, GetParam().to);
}

INSTANTIATE_TEST_SUITE_P(
    All, PlayModes,
    testing::Values(Switch{"stages_in_the_stages_view", PlayMode::stage, ViewKind::stages, ViewKind::stages},
                    Switch{"stages_in_the_heatmap", PlayMode::stage, ViewKind::heatmap, ViewKind::heatmap},
                    Switch{"stages_out_of_lines", PlayMode::stage, ViewKind::lines, ViewKind::stages},
                    Switch{"steps_out_of_stages", PlayMode::step, ViewKind::stages, ViewKind::steps},
                    Switch{"heads_anywhere", PlayMode::head, ViewKind::lines, ViewKind::lines}),
    [](const auto& row) { return row.param.name; });

TEST(Playback, SelectsTheQueryOfAStep) {
    const ViewState view = at("weights", ViewKind::steps);
    const ViewState next = view_at(play_track(PlayMode::step, make_trace(), stages, view), 2, view);
    EXPECT_EQ(next.decoding_step, Index(2));
    EXPECT_EQ(next.selection.query, 2);
}

TEST(Playback, StandsAtTheChosenRowWhereNoRowArrives) {
    for (const ViewKind kind : {ViewKind::heatmap, ViewKind::stages, ViewKind::lines}) {
        ViewState view = at("weights", kind);
        view.selection.query = 1;
        view.decoding_step = 3;  // left behind by the view of steps
        const PlayTrack track = play_track(PlayMode::step, make_trace(), stages, view);
        EXPECT_EQ(track.position, 1);
        const ViewState next = view_at(track, track.position + 1, view);
        EXPECT_EQ(next.selection.query, 2);
        EXPECT_EQ(next.decoding_step, Index(2));
    }
}

TEST(Playback, StandsAtTheChosenRowWhereAllRowsAreThere) {
    for (const Index chosen : {0, 1, 3}) {
        ViewState view = at("weights", ViewKind::steps);
        view.selection.query = chosen;
        const PlayTrack track = play_track(PlayMode::step, make_trace(), stages, view);
        EXPECT_EQ(track.position, chosen);
        EXPECT_EQ(track.at_end(), chosen == 3);
        view.decoding_step = 2;  // from now on it is the step that arrives
        EXPECT_EQ(play_track(PlayMode::step, make_trace(), stages, view).position, 2);
    }
}

TEST(Playback, HasAModeThatFitsTheView) {
    EXPECT_EQ(natural_mode(ViewKind::stages, 8), PlayMode::stage);
    EXPECT_EQ(natural_mode(ViewKind::steps, 8), PlayMode::step);
    EXPECT_EQ(natural_mode(ViewKind::grid, 8), PlayMode::head);
    EXPECT_EQ(natural_mode(ViewKind::map, 8), PlayMode::stage);
    EXPECT_EQ(natural_mode(ViewKind::map, 8, true), PlayMode::step);
    EXPECT_EQ(natural_mode(ViewKind::heatmap, 1), PlayMode::stage);
}

TEST(Playback, MayHaveNothingToPlay) {
    const PlayTrack track = play_track(PlayMode::stage, Trace(), {}, ViewState());
    EXPECT_EQ(track.length, 0);
    EXPECT_TRUE(track.at_end());
    EXPECT_TRUE(view_at(track, 3, ViewState()) == ViewState());
}

TEST(PlayClocks, DoNotAddUpWhatTicksAreLate) {
    PlayClock clock(milliseconds(100));
    milliseconds now(1000);
    clock.start(now);
    for (int tick = 1; tick <= 20; ++tick) {
        now += clock.wait(now) + milliseconds(7);  // the timer is always 7 ms late
        clock.tick(now);
        EXPECT_EQ(now, milliseconds(1000 + 100 * tick + 7));
    }
}

TEST(PlayClocks, DoNotRushAfterAPause) {
    PlayClock clock(milliseconds(100));
    clock.start(milliseconds(0));
    clock.tick(milliseconds(5000));
    EXPECT_EQ(clock.wait(milliseconds(5000)), milliseconds(100));
}

TEST(PlayClocks, ChangePaceAtOnce) {
    PlayClock clock(milliseconds(1000));
    clock.start(milliseconds(0));
    clock.set_interval(milliseconds(250), milliseconds(100));
    EXPECT_EQ(clock.wait(milliseconds(100)), milliseconds(150));
    clock.set_interval(milliseconds(50), milliseconds(200));
    EXPECT_EQ(clock.wait(milliseconds(200)), milliseconds(0));
}

}}  // namespace headlight::workbench_playback_test

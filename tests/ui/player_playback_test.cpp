#include "tests/support/test_file.h"
#include "ui/views/playback.h"

#include <QTest>

#include <optional>

namespace headlight::player_playback_test {

using std::chrono::milliseconds;

namespace {

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

}  // namespace

}  // namespace headlight::player_playback_test
Q_DECLARE_METATYPE(headlight::PlayMode)
Q_DECLARE_METATYPE(headlight::ViewKind)
namespace headlight::player_playback_test {

class PlayerPlaybackTest : public QObject {
    Q_OBJECT
private slots:
    void stands_where_the_view_stands_data() {
        QTest::addColumn<PlayMode>("mode");
        QTest::addColumn<QString>("stage");
        QTest::addColumn<int>("step");
        QTest::addColumn<int>("head");
        QTest::addColumn<int>("position");
        QTest::addColumn<int>("length");
        QTest::newRow("first stage") << PlayMode::stage << "tokens" << -1 << 0 << 0 << 5;
        QTest::newRow("a later stage") << PlayMode::stage << "weights" << -1 << 0 << 3 << 5;
        QTest::newRow("a stage without picture") << PlayMode::stage << "row_sum" << -1 << 0 << 4 << 5;
        QTest::newRow("no step chosen: all rows are there")
            << PlayMode::step << "weights" << -1 << 0 << 3 << 4;
        QTest::newRow("a step") << PlayMode::step << "weights" << 1 << 0 << 1 << 4;
        QTest::newRow("a step of a longer sentence") << PlayMode::step << "weights" << 40 << 0 << 3 << 4;
        QTest::newRow("a head") << PlayMode::head << "weights" << -1 << 2 << 2 << 3;
        QTest::newRow("a head that is gone") << PlayMode::head << "weights" << -1 << 7 << 2 << 3;
    }
    void stands_where_the_view_stands() {
        QFETCH(PlayMode, mode);
        QFETCH(QString, stage);
        QFETCH(int, step);
        QFETCH(int, head);
        ViewState view = at(stage.toStdString());
        view.decoding_step = step < 0 ? std::nullopt : std::optional<Index>(step);
        view.selection.head = head;
        const PlayTrack track = play_track(mode, make_trace(), stages, view);
        QTEST(static_cast<int>(track.position), "position");
        QTEST(static_cast<int>(track.length), "length");
        QCOMPARE(track.at_end(), track.position == track.length - 1);
        // Going where one stands moves nothing that the mode does not stand for.
        QCOMPARE(play_track(mode, make_trace(), stages, view_at(track, track.position, view)).position,
                 track.position);
    }

    void walks_from_start_to_end() {
        const Trace trace = make_trace();
        for (const PlayMode mode : {PlayMode::stage, PlayMode::step, PlayMode::head}) {
            ViewState view = at("scores");
            PlayTrack track = play_track(mode, trace, stages, view);
            view = view_at(track, 0, view);
            for (Index expected = 0; expected < track.length; ++expected) {
                track = play_track(mode, trace, stages, view);
                QCOMPARE(track.position, expected);
                view = view_at(track, track.position + 1, view);
            }
            QVERIFY(play_track(mode, trace, stages, view).at_end());
            QCOMPARE(view_at(track, 99, view), view);
        }
    }

    void chooses_a_view_that_shows_the_mode_data() {
        QTest::addColumn<PlayMode>("mode");
        QTest::addColumn<ViewKind>("from");
        QTest::addColumn<ViewKind>("to");
        QTest::newRow("stages in the stages view") << PlayMode::stage << ViewKind::stages << ViewKind::stages;
        QTest::newRow("stages in the heatmap") << PlayMode::stage << ViewKind::heatmap << ViewKind::heatmap;
        QTest::newRow("stages out of lines") << PlayMode::stage << ViewKind::lines << ViewKind::stages;
        QTest::newRow("steps out of stages") << PlayMode::step << ViewKind::stages << ViewKind::steps;
        QTest::newRow("heads anywhere") << PlayMode::head << ViewKind::lines << ViewKind::lines;
    }
    void chooses_a_view_that_shows_the_mode() {
        QFETCH(PlayMode, mode);
        QFETCH(ViewKind, from);
        const ViewState view = at("weights", from);
        const ViewKind shown = view_at(play_track(mode, make_trace(), stages, view), 1, view).view;
        QTEST(shown, "to");
    }

    void step_selects_its_query() {
        const ViewState view = at("weights", ViewKind::steps);
        const ViewState next = view_at(play_track(PlayMode::step, make_trace(), stages, view), 2, view);
        QCOMPARE(*next.decoding_step, Index(2));
        QCOMPARE(next.selection.query, Index(2));
    }

    void natural_mode_follows_the_view() {
        QCOMPARE(natural_mode(ViewKind::stages, 8), PlayMode::stage);
        QCOMPARE(natural_mode(ViewKind::steps, 8), PlayMode::step);
        QCOMPARE(natural_mode(ViewKind::grid, 8), PlayMode::head);
        QCOMPARE(natural_mode(ViewKind::map, 8), PlayMode::stage);
        QCOMPARE(natural_mode(ViewKind::map, 8, true), PlayMode::step);
        QCOMPARE(natural_mode(ViewKind::heatmap, 1), PlayMode::stage);
    }

    void nothing_to_play() {
        const PlayTrack track = play_track(PlayMode::stage, Trace(), {}, ViewState());
        QCOMPARE(track.length, Index(0));
        QVERIFY(track.at_end());
        QCOMPARE(view_at(track, 3, ViewState()), ViewState());
    }

    void late_ticks_do_not_add_up() {
        PlayClock clock(milliseconds(100));
        milliseconds now(1000);
        clock.start(now);
        for (int tick = 1; tick <= 20; ++tick) {
            now += clock.wait(now) + milliseconds(7);  // the timer is always 7 ms late
            clock.tick(now);
            QCOMPARE(now, milliseconds(1000 + 100 * tick + 7));
        }
    }

    void does_not_rush_after_a_pause() {
        PlayClock clock(milliseconds(100));
        clock.start(milliseconds(0));
        clock.tick(milliseconds(5000));
        QCOMPARE(clock.wait(milliseconds(5000)), milliseconds(100));
    }

    void changes_pace_at_once() {
        PlayClock clock(milliseconds(1000));
        clock.start(milliseconds(0));
        clock.set_interval(milliseconds(250), milliseconds(100));
        QCOMPARE(clock.wait(milliseconds(100)), milliseconds(150));
        clock.set_interval(milliseconds(50), milliseconds(200));
        QCOMPARE(clock.wait(milliseconds(200)), milliseconds(0));
    }
};

QTEST_APPLESS_MAIN(PlayerPlaybackTest)

}  // namespace headlight::player_playback_test

#include "player_playback_test.moc"

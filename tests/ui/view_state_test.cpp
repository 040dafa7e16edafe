// Looking is not editing: selection, tab, step and theme have a history of their own.

#include "core/workbench/comparison_edits.h"
#include "core/workbench/figure_edits.h"
#include "tests/ui/views_support.h"
#include "ui/models/document.h"
#include "ui/panels/player_bar.h"
#include "ui/views/figure_canvas.h"

#include <QComboBox>
#include <QSignalSpy>

namespace headlight::view_state_test {

namespace {

Session with_text(Session session, const std::string& text) {
    session.sequence.query_text = text;
    return session;
}

Selection at_query(const Document& document, Index query) {
    Selection selection = document.view().selection;
    selection.query = query;
    return selection;
}

}  // namespace

class ViewStateTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }

    void looking_is_no_edit() {
        Document document(small_session());
        QSignalSpy sessions(&document, &Document::session_changed),
            looks(&document.looking(), &Looking::view_changed), runs(&document, &Document::run_changed);
        document.looking().select(at_query(document, 2));
        document.looking().look_at(with_view(document, ViewKind::lines));
        ViewState dark = document.view();
        dark.theme = FigureTheme::dark;
        document.looking().look_at(dark);
        QCOMPARE(looks.count(), 3);
        QCOMPARE(sessions.count(), 0);
        QCOMPARE(runs.count(), 0);
        QCOMPARE(document.history()->count(), 0);
        QVERIFY(document.history()->isClean());
        QVERIFY(same_edits(document.session(), small_session()));
    }

    void looking_leaves_redo_alone() {
        Document document(small_session());
        document.edit({"Type", with_text(document.session(), "one two three")});
        document.history()->undo();
        document.looking().select(at_query(document, 1));
        document.looking().look_at(with_view(document, ViewKind::grid));
        QVERIFY(document.history()->canRedo());
        document.history()->redo();
        QCOMPARE(document.session().sequence.query_text, std::string("one two three"));
        QCOMPARE(document.view().view, ViewKind::grid);
        QCOMPARE(document.view().selection.query, Index(1));
    }

    void undo_brings_back_the_edit_and_not_the_place() {
        Document document(small_session());
        document.edit({"Type", with_text(document.session(), "one two three")});
        document.looking().look_at(with_view(document, ViewKind::heatmap));
        document.looking().select(at_query(document, 2));
        document.history()->undo();
        QCOMPARE(document.view().view, ViewKind::heatmap);
        QCOMPARE(document.view().selection.query, Index(2));
    }

    void a_place_that_an_undo_takes_away_settles() {
        Document document(small_session());
        document.edit({"Type", with_text(document.session(), "one two three four five six")});
        document.looking().select(at_query(document, 5));
        document.history()->undo();
        QCOMPARE(document.view().selection.query, Index(3));  // of four tokens
        // A compared mechanism that is gone.
        document.edit(compare_mechanism(document.session(), mechanism("causal")));
        Selection other = document.view().selection;
        other.site = mechanism("causal").name;
        document.looking().select(other);
        QCOMPARE(document.view().selection.site, other.site);
        document.history()->undo();
        QVERIFY(document.view().selection.site.empty());
    }

    void an_edit_that_leads_elsewhere_leads_back_when_it_is_undone() {
        Document document(small_session());
        document.edit(compare_mechanism(document.session(), mechanism("causal")));
        QCOMPARE(document.view().view, ViewKind::compare);
        document.history()->undo();
        QCOMPARE(document.view().view, ViewKind::stages);
        document.history()->redo();
        QCOMPARE(document.view().view, ViewKind::compare);
    }

    void back_settles_where_the_place_is_gone() {
        Document document(small_session());
        document.edit({"Type", with_text(document.session(), "one two three four five six")});
        document.looking().select(at_query(document, 5));
        QTest::qWait(int(ViewHistory::stay_before_jump.count()) + 20);
        document.looking().look_at(with_view(document, ViewKind::lines));
        document.edit({"Type", with_text(document.session(), "one two")});
        document.looking().go_back();
        QCOMPARE(document.view().selection.query, Index(1));
        QCOMPARE(document.session().sequence.query_text, std::string("one two"));
    }

    void opening_forgets_the_places() {
        Document document(small_session());
        document.looking().look_at(with_view(document, ViewKind::lines));
        QVERIFY(document.looking().places().can_go_back());
        document.reset(small_session("causal"));
        QVERIFY(!document.looking().places().can_go_back());
    }

    void the_zoom_is_one_for_all_views_and_no_edit() {
        Document document;
        open_session(document, with_text(small_session(), long_text(40)));
        FigureCanvas heatmap(document, ViewKind::heatmap), heads(document, ViewKind::grid);
        heatmap.resize(600, 500);
        heads.resize(600, 500);
        heatmap.zoom_in();
        QVERIFY(!heatmap.zoom().is_whole());
        QCOMPARE(heads.zoom(), heatmap.zoom());
        QVERIFY(document.history()->isClean());
        QVERIFY(!document.looking().places().can_go_back());
        const Session read = parse_session(write_session(document.session()));
        QCOMPARE(Zoom(read.view.zoom), heatmap.zoom());
        heads.reset_zoom();
        QVERIFY(heatmap.zoom().is_whole());
        QVERIFY(!document.view().zoom);
    }

    void small_turns_of_the_wheel_add_up() {
        Document document;
        open_session(document, with_text(small_session(), long_text(10)));
        FigureCanvas canvas(document, ViewKind::heatmap);
        canvas.resize(600, 500);
        const QPointF middle = canvas.cell_rect(0, 5, 5).center();
        for (int turn = 0; turn < 20; ++turn)
            QVERIFY(canvas.zoom_by(1.01, middle));
        QVERIFY(!canvas.zoom().is_whole());
    }

    void matrices_of_another_size_are_shown_whole() {
        Document document;
        open_session(document, with_text(small_session(), long_text(40)));
        FigureCanvas heatmap(document, ViewKind::heatmap);
        heatmap.resize(600, 500);
        heatmap.zoom_in();
        document.edit({"Type", with_text(document.session(), "one two three")});
        QTRY_COMPARE(document.run()->trace->tokens.query.size(), std::size_t(3));
        QVERIFY(!document.view().zoom);
        QVERIFY(heatmap.zoom().is_whole());
    }

    void back_leads_to_the_part_that_was_on_screen() {
        Document document;
        open_session(document, with_text(small_session(), long_text(40)));
        FigureCanvas heatmap(document, ViewKind::heatmap);
        heatmap.resize(600, 500);
        heatmap.zoom_in();
        const auto near = document.view().zoom;
        QTest::qWait(int(ViewHistory::stay_before_jump.count()) + 20);
        document.looking().look_at(in_view(document.view(), ViewKind::lines));
        heatmap.reset_zoom();
        document.looking().go_back();
        QVERIFY(near);
        QCOMPARE(document.view().zoom, near);
        document.looking().go_forward();
        QVERIFY(!document.view().zoom);
    }

    void the_player_keeps_its_speed() {
        Document document;
        open_session(document, small_session());
        PlayerBar player(document);
        auto* speed = player.findChild<QComboBox*>(QStringLiteral("player-speed"));
        QCOMPARE(speed->currentText(), QStringLiteral("1×"));
        speed->setCurrentIndex(0);
        emit speed->activated(0);
        QCOMPARE(document.view().speed, 0.5);
        QVERIFY(document.history()->isClean());
        Session read = parse_session(write_session(document.session()));
        read.view.speed = 3.9;
        Document opened;
        open_session(opened, read);
        PlayerBar again(opened);
        QCOMPARE(again.findChild<QComboBox*>(QStringLiteral("player-speed"))->currentText(),
                 QStringLiteral("4×"));
        QCOMPARE(opened.view().speed, 3.9);
    }

    void the_player_keeps_what_was_chosen_for_a_view() {
        Document document;
        open_session(document, small_session("multi_head"));
        PlayerBar player(document);
        document.looking().look_at(in_view(document.view(), ViewKind::heatmap));
        QCOMPARE(player.mode(), PlayMode::head);
        player.set_mode(PlayMode::stage);
        QCOMPARE(player.mode(), PlayMode::stage);
        QVERIFY(document.history()->isClean());
        const Session read = parse_session(write_session(document.session()));
        QCOMPARE(read.view.player, std::optional(PlayMode::stage));
        QTest::qWait(int(ViewHistory::stay_before_jump.count()) + 20);
        document.looking().look_at(in_view(document.view(), ViewKind::steps));
        QCOMPARE(player.mode(), PlayMode::step);
        document.looking().go_back();
        QCOMPARE(player.mode(), PlayMode::stage);
        // Opened again, it walks through the same.
        Document opened;
        open_session(opened, read);
        QCOMPARE(PlayerBar(opened).mode(), PlayMode::stage);
    }

    void a_session_file_has_both() {
        Document document(small_session());
        document.looking().look_at(with_view(document, ViewKind::lines));
        document.looking().select(at_query(document, 3));
        document.edit(
            choose_in_figure<std::string>(document.session(), "Magma", &FigureSettings::colour_map, "magma"));
        const Session read = parse_session(write_session(document.session()));
        QVERIFY(read == document.session());
        QCOMPARE(read.view.view, ViewKind::lines);
        QCOMPARE(read.figure.colour_map, std::string("magma"));
    }
};

QTEST_MAIN(ViewStateTest)

}  // namespace headlight::view_state_test

#include "view_state_test.moc"

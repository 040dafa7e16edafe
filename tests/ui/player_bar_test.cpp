#include "tests/ui/views_support.h"
#include "ui/panels/player_bar.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

namespace headlight::player_bar_test {

namespace {

/// A player in a window with a text field beside it.
struct Stand {
    Document document;
    QWidget window;
    PlayerBar* player = nullptr;
    QLineEdit* field = nullptr;

    explicit Stand(const Session& session) {
        open_session(document, session);
        player = new PlayerBar(document);
        field = new QLineEdit;
        auto* layout = new QVBoxLayout(&window);
        layout->addWidget(field);
        layout->addWidget(player);
        window.resize(900, 120);
        window.show();
    }
    template <class Widget>
    Widget* find(const char* id) const {
        return player->findChild<Widget*>(QString::fromLatin1(id));
    }
    void press(const char* id) const { QTest::mouseClick(find<QToolButton>(id), Qt::LeftButton); }
    QString label() const { return find<QLabel>("player-label")->text(); }
    const ViewState& view() const { return document.session().view; }
};

}  // namespace

class PlayerBarTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }

    void steps_through_all_stages_and_back() {
        Stand stand(small_session("multi_head"));
        const std::vector<std::string> stages = visible_stages(*stand.document.run()->trace);
        stand.press("player-first");
        for (std::size_t i = 0; i < stages.size(); ++i) {
            QCOMPARE(stand.view().selection.stage, stages[i]);
            QCOMPARE(stand.label(), QStringLiteral("stage %1 of %2: %3")
                                        .arg(i + 1)
                                        .arg(stages.size())
                                        .arg(QString::fromStdString(stage_title(stages[i]))));
            const auto figure = stand.document.figure(ViewKind::stages);
            const bool in_focus =
                std::any_of(figure->panels.begin(), figure->panels.end(),
                            [&](const Panel& panel) { return panel.in_focus && panel.stage == stages[i]; });
            QVERIFY2(in_focus, stages[i].c_str());
            if (i + 1 < stages.size())
                stand.press("player-forward");
        }
        QVERIFY(!stand.find<QToolButton>("player-forward")->isEnabled());
        stand.press("player-back");
        QCOMPARE(stand.view().selection.stage, stages[stages.size() - 2]);
        stand.press("player-first");
        QVERIFY(!stand.find<QToolButton>("player-back")->isEnabled());
    }

    void what_a_state_implies_is_called_so() {
        Session session = small_session("gla");
        session.view.selection.stage = "weights";
        const Stand stand(session);
        QVERIFY2(stand.label().endsWith(QStringLiteral(": Implied weights")), qPrintable(stand.label()));
    }

    void a_walk_is_no_edit_and_back_leads_to_where_it_began() {
        Stand stand(small_session());
        stand.press("player-first");
        stand.press("player-forward");
        stand.press("player-forward");
        QCOMPARE(stand.document.history()->count(), 0);
        stand.document.looking().go_back();
        QCOMPARE(stand.view().selection.stage, std::string("weights"));
        QVERIFY(!stand.document.looking().places().can_go_back());
    }

    void choosing_steps_shows_the_decoding() {
        Stand stand(small_session("causal"));
        auto* modes = stand.find<QComboBox>("player-mode");
        modes->setFocus();
        QTest::keyClick(modes, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(stand.player->mode(), PlayMode::step);
        QCOMPARE(stand.view().view, ViewKind::steps);
        stand.press("player-first");
        stand.press("player-forward");
        QCOMPARE(*stand.view().decoding_step, Index(1));
        QCOMPARE(stand.label(), QStringLiteral("step 2 of 4: river"));
    }

    void an_earlier_row_that_is_chosen_is_named_beside_the_step() {
        Stand stand(small_session("causal"));
        stand.player->set_mode(PlayMode::step);
        stand.player->last();
        QVERIFY(!stand.label().contains(QLatin1String("chosen")));
        Selection earlier = stand.view().selection;
        earlier.query = 1;
        stand.document.looking().select(earlier);
        QVERIFY(stand.label().endsWith(QLatin1String("(chosen: river)")));
        stand.press("player-back");
        QCOMPARE(stand.view().selection.query, Index(2));  // it follows the step
        QVERIFY(!stand.label().contains(QLatin1String("chosen")));
    }

    void where_all_rows_are_there_the_chosen_one_alone_is_named() {
        Stand stand(small_session("causal"));
        ViewState all = with_view(stand.document, ViewKind::steps);
        all.decoding_step.reset();
        all.selection.query = 3;
        stand.document.looking().look_at(all);
        QVERIFY2(stand.label().startsWith(QLatin1String("step 4 of 4: ")), qPrintable(stand.label()));
        all.selection.query = 1;
        stand.document.looking().look_at(all);
        QCOMPARE(stand.label(), QStringLiteral("step 2 of 4: river"));
        QCOMPARE(stand.find<QSlider>("player-scrubber")->value(), 1);
        QVERIFY(!stand.view().decoding_step);
        stand.press("player-first");
        QVERIFY2(stand.label().startsWith(QLatin1String("step 1 of 4: ")), qPrintable(stand.label()));
    }

    void only_what_is_decoded_has_decoding_steps_data() {
        QTest::addColumn<QString>("mechanism");
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("place");
        QTest::newRow("sees all") << "scaled_dot_product"
                                  << "By row"
                                  << "row 2 of 4: river";
        QTest::newRow("causal") << "causal"
                                << "By decoding step"
                                << "step 2 of 4: river";
        QTest::newRow("causal by its algorithm") << "retention"
                                                 << "By decoding step"
                                                 << "step 2 of 4: river";
        QTest::newRow("another sequence") << "cross"
                                          << "By decoding step"
                                          << "step 2 of 4: river";
    }
    void only_what_is_decoded_has_decoding_steps() {
        QFETCH(QString, mechanism);
        QFETCH(QString, words);
        QFETCH(QString, place);
        Session session = small_session(mechanism.toStdString());
        session.sequence.key_text = "a bank of the river";
        Stand stand(session);
        stand.player->set_mode(PlayMode::step);
        stand.press("player-first");
        stand.press("player-forward");
        QCOMPARE(stand.find<QComboBox>("player-mode")->currentText(), words);
        QCOMPARE(stand.label(), place);
    }

    void mode_follows_the_view() {
        Stand stand(small_session("multi_head"));
        stand.document.looking().look_at(with_view(stand.document, ViewKind::grid));
        QCOMPARE(stand.player->mode(), PlayMode::head);
        stand.press("player-first");
        stand.press("player-forward");
        QVERIFY(stand.label().startsWith(QStringLiteral("head 2 of ")));
        QCOMPARE(stand.view().selection.head, Index(1));
        QCOMPARE(stand.view().view, ViewKind::grid);
    }

    void plays_to_the_end_and_stops() {
        Stand stand(small_session("causal"));
        stand.player->set_interval(std::chrono::milliseconds(15));
        stand.player->set_mode(PlayMode::step);
        QSignalSpy playing(stand.player, &PlayerBar::playing_changed);
        stand.player->last();
        stand.press("player-play");  // at the end: starts over
        QVERIFY(stand.player->is_playing());
        QCOMPARE(*stand.view().decoding_step, Index(0));
        QTRY_VERIFY(!stand.player->is_playing());
        QCOMPARE(*stand.view().decoding_step, Index(3));
        QCOMPARE(playing.count(), 2);
        QCOMPARE(playing.last().first().toBool(), false);
        QCOMPARE(stand.find<QToolButton>("player-play")->accessibleName(), QStringLiteral("Play"));
    }

    void playing_can_be_paused() {
        Stand stand(small_session());
        stand.player->set_interval(std::chrono::milliseconds(60000));
        stand.press("player-first");
        stand.press("player-play");
        QVERIFY(stand.player->is_playing());
        QCOMPARE(stand.find<QToolButton>("player-play")->accessibleName(), QStringLiteral("Pause"));
        stand.press("player-play");
        QVERIFY(!stand.player->is_playing());
    }

    void keys_work_from_anywhere_that_does_not_use_them() {
        Stand stand(small_session("multi_head"));
        const std::vector<std::string> stages = visible_stages(*stand.document.run()->trace);
        stand.window.setFocus();
        QTest::keyClick(&stand.window, Qt::Key_Home);
        QCOMPARE(stand.view().selection.stage, stages.front());
        QTest::keyClick(&stand.window, Qt::Key_Right);
        QCOMPARE(stand.view().selection.stage, stages[1]);
        QTest::keyClick(&stand.window, Qt::Key_Left);
        QCOMPARE(stand.view().selection.stage, stages.front());
        QTest::keyClick(&stand.window, Qt::Key_End);
        QCOMPARE(stand.view().selection.stage, stages.back());
        QTest::keyClick(&stand.window, Qt::Key_2);
        QCOMPARE(stand.view().selection.head, Index(1));
        stand.player->set_interval(std::chrono::milliseconds(60000));
        QTest::keyClick(&stand.window, Qt::Key_Space);
        QVERIFY(stand.player->is_playing());
        stand.player->pause();
        stand.field->setFocus();
        QTest::keyClicks(stand.field, QStringLiteral("3 4"));
        QCOMPARE(stand.field->text(), QStringLiteral("3 4"));
        QCOMPARE(stand.view().selection.head, Index(1));
        QVERIFY(!stand.player->is_playing());
    }

    void the_space_bar_presses_the_button_that_has_the_focus() {
        Stand stand(small_session());
        auto* first = stand.find<QToolButton>("player-first");
        first->setFocus();
        QTest::keyClick(first, Qt::Key_Space);
        QVERIFY(!stand.player->is_playing());
        QCOMPARE(stand.view().selection.stage, visible_stages(*stand.document.run()->trace).front());
    }

    void the_scrubber_goes_anywhere() {
        Stand stand(small_session("causal"));
        stand.player->set_mode(PlayMode::step);
        auto* scrubber = stand.find<QSlider>("player-scrubber");
        QCOMPARE(scrubber->maximum(), 3);
        scrubber->setValue(2);
        QCOMPARE(*stand.view().decoding_step, Index(2));
        QCOMPARE(stand.view().selection.query, Index(2));
        QCOMPARE(scrubber->accessibleDescription(), stand.label());
    }

    void a_stage_that_the_mechanism_lacks_is_the_one_that_the_picture_shows() {
        Stand stand(small_session("additive"));
        Selection energy = stand.view().selection;
        energy.stage = "energy";
        stand.document.looking().select(energy);
        Session other = stand.document.session();
        other.mechanism = "dot";
        stand.document.edit({"Choose another", other});
        QVERIFY(stand.label().endsWith(QString::fromStdString(stage_title("weights"))));
        const auto figure = stand.document.figure(ViewKind::stages);
        const bool in_focus =
            std::any_of(figure->panels.begin(), figure->panels.end(),
                        [](const Panel& panel) { return panel.in_focus && panel.stage == "weights"; });
        QVERIFY(in_focus);
        stand.press("player-back");
        QVERIFY(stand.view().selection.stage != "weights");
    }

    void a_shorter_sentence_leaves_no_position_behind() {
        Stand stand(small_session("causal"));
        stand.player->set_mode(PlayMode::step);
        stand.player->last();
        Session shorter = stand.document.session();
        shorter.sequence.query_text = "the river";
        open_session(stand.document, shorter);
        QCOMPARE(stand.find<QSlider>("player-scrubber")->maximum(), 1);
        QCOMPARE(stand.label(), QStringLiteral("step 2 of 2: river"));
    }
};

QTEST_MAIN(PlayerBarTest)

}  // namespace headlight::player_bar_test

#include "player_bar_test.moc"

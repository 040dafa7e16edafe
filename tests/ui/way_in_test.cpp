// From the map through heads and one head to the arithmetic of a cell, and back.

#include "tests/ui/canvas_stand.h"
#include "ui/views/way_in.h"

namespace headlight::way_in_test {

using canvas_stand::Stand;

class WayInTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }

    void it_has_a_stop_for_the_heads_where_there_are_several_data() {
        QTest::addColumn<QString>("mechanism");
        QTest::addColumn<QString>("stage");
        QTest::addColumn<bool>("has_heads");
        QTest::newRow("several") << QStringLiteral("multi_head") << QStringLiteral("weights") << true;
        QTest::newRow("one") << QStringLiteral("scaled_dot_product") << QStringLiteral("weights") << false;
        QTest::newRow("no map") << QStringLiteral("multi_head") << QStringLiteral("tokens") << false;
    }
    void it_has_a_stop_for_the_heads_where_there_are_several() {
        QFETCH(QString, mechanism);
        QFETCH(QString, stage);
        QFETCH(bool, has_heads);
        Stand stand(session_at(mechanism.toStdString(), stage.toStdString()), ViewKind::map);
        WayIn& way = WayIn::of(stand.document);
        if (has_heads) {
            QVERIFY(way.go_in());
            QVERIFY(stand.document.view().view == ViewKind::grid);
        }
        QVERIFY(way.go_in());
        QVERIFY(stand.document.view().view == ViewKind::heatmap);
        QVERIFY(way.go_in());
        QCOMPARE(stand.document.view().level, std::optional(Level::arithmetic));
        QVERIFY(!way.go_in());
        QVERIFY(way.go_out());
        QVERIFY(!stand.document.view().level);
        QVERIFY(stand.document.view().view == ViewKind::heatmap);
        if (has_heads) {
            QVERIFY(way.go_out());
            QVERIFY(stand.document.view().view == ViewKind::grid);
        }
        QVERIFY(way.go_out());
        QVERIFY(stand.document.view().view == ViewKind::map);
        QVERIFY(!way.go_out());
        QCOMPARE(stand.selection().stage, stage.toStdString());
    }

    void keys_lead_along_it() {
        Stand stand(session_at("multi_head", "weights"), ViewKind::map);
        QTest::keyClick(stand.canvas.get(), Qt::Key_Return);
        QVERIFY(stand.document.view().view == ViewKind::grid);
        WayIn& way = WayIn::of(stand.document);
        QVERIFY(way.come_back());  // what Esc does
        QVERIFY(stand.document.view().view == ViewKind::map);
        QVERIFY(!way.come_back());
        QTest::keyClick(stand.canvas.get(), Qt::Key_Plus);
        QVERIFY(stand.document.view().view == ViewKind::grid);
    }

    void enter_goes_on_along_it_from_the_heads() {
        Stand stand(session_at("multi_head", "weights"), ViewKind::map);
        WayIn& way = WayIn::of(stand.document);
        QVERIFY(way.go_in());
        FigureCanvas heads(stand.document, ViewKind::grid);
        heads.setAccessibleName(QStringLiteral("Heads"));
        heads.resize(900, 700);
        heads.show();
        QTest::keyClick(&heads, Qt::Key_Return);
        QVERIFY(stand.document.view().view == ViewKind::heatmap);
        QVERIFY(way.come_back());
        QVERIFY(stand.document.view().view == ViewKind::grid);
        QVERIFY(way.come_back());
        QVERIFY(stand.document.view().view == ViewKind::map);
    }

    void who_goes_elsewhere_does_not_come_back_by_it() {
        Stand stand(session_at("multi_head", "weights"), ViewKind::map);
        WayIn& way = WayIn::of(stand.document);
        QVERIFY(way.go_in());
        stand.document.looking().look_at(in_view(stand.document.view(), ViewKind::lines));
        QVERIFY(!way.come_back());
        QVERIFY(!way.go_in() && !way.go_out());
    }

    void a_wheel_leads_along_it_with_control() {
        Stand stand(session_at("multi_head", "weights"), ViewKind::map);
        const auto turn = [&](int angle, Qt::KeyboardModifiers with) {
            const QPointF at = stand.canvas->rect().center();
            QWheelEvent event(at, stand.canvas->mapToGlobal(at), {}, {0, angle}, Qt::NoButton, with,
                              Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(stand.canvas.get(), &event);
        };
        for (int step = 0; step < 4; ++step)
            turn(120, Qt::NoModifier);
        QVERIFY(stand.document.view().view == ViewKind::map);
        turn(120, Qt::ControlModifier);
        turn(-120, Qt::ControlModifier);
        turn(120, Qt::ControlModifier);
        QVERIFY(stand.document.view().view == ViewKind::map);
        turn(120, Qt::ControlModifier);
        QVERIFY(stand.document.view().view == ViewKind::grid);
    }

    void a_matrix_that_cannot_be_zoomed_leads_on() {
        Stand stand(session_at("scaled_dot_product", "weights", ViewKind::heatmap), ViewKind::heatmap);
        QTest::keyClick(stand.canvas.get(), Qt::Key_Minus);
        QVERIFY(stand.document.view().view == ViewKind::map);
    }

private:
    static Session session_at(const std::string& mechanism, const std::string& stage,
                              ViewKind view = ViewKind::map) {
        Session session = small_session(mechanism);
        session.view.view = view;
        session.view.selection.stage = stage;
        return session;
    }
};

QTEST_MAIN(WayInTest)

}  // namespace headlight::way_in_test

#include "way_in_test.moc"

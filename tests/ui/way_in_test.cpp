// From the map through heads, one head, its matrix and a cell to the arithmetic of that and the formula, and
// back: stop by stop, and through every place between two.

#include "tests/ui/canvas_stand.h"
#include "ui/views/motion_clock.h"
#include "ui/views/way_in.h"

#include <QSignalSpy>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace headlight::way_in_test {

using canvas_stand::Stand;

class WayInTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }

    void it_has_a_stop_for_all_that_there_is_data() {
        QTest::addColumn<QString>("mechanism");
        QTest::addColumn<QString>("stage");
        QTest::addColumn<QStringList>("stops");
        const QStringList first{QStringLiteral("map")}, heads{QStringLiteral("grid")},
            matrix{QStringLiteral("stages"), QStringLiteral("heatmap")},
            products{QStringLiteral("query_key")},
            levels{QStringLiteral("arithmetic"), QStringLiteral("formula")};
        const QString multi_head = QStringLiteral("multi_head"), weights = QStringLiteral("weights");
        QTest::newRow("several heads") << multi_head << weights << first + heads + matrix + products + levels;
        QTest::newRow("one head") << QStringLiteral("scaled_dot_product") << weights
                                  << first + matrix + products + levels;
        QTest::newRow("no map") << multi_head << QStringLiteral("tokens") << first + matrix + levels;
        QTest::newRow("no products") << QStringLiteral("additive") << weights << first + matrix + levels;
    }
    void it_has_a_stop_for_all_that_there_is() {
        QFETCH(QString, mechanism);
        QFETCH(QString, stage);
        QFETCH(QStringList, stops);
        Stand stand(session_at(mechanism.toStdString(), stage.toStdString()), ViewKind::map);
        WayIn& way = WayIn::of(stand.document);
        QCOMPARE(way.stops().size(), std::size_t(stops.size()));
        const ViewState begun = stand.document.view();
        for (qsizetype at = 0; at < stops.size(); ++at) {
            QCOMPARE(place(stand.document), stops[at]);
            QCOMPARE(way.go_in(), at + 1 < stops.size());
        }
        for (qsizetype at = stops.size(); at-- > 0;) {
            QCOMPARE(place(stand.document), stops[at]);
            QCOMPARE(way.go_out(), at > 0);
        }
        QVERIFY(stand.document.view() == begun);
    }

    void its_stops_are_found_once_for_a_place() {
        Stand stand(session_at("multi_head", "weights"), ViewKind::map);
        WayIn& way = WayIn::of(stand.document);
        const std::vector<DepthStop> found = way.stops();
        const DepthStop* kept = way.stops().data();
        for (const double held : {0.125, 0.25, 0.375}) {
            way.hold(held);
            QCOMPARE(way.stops().data(), kept);
        }
        Selection tokens = stand.document.view().selection;
        tokens.stage = "tokens";
        stand.document.looking().select(tokens);
        QVERIFY(way.stops() != found);
        Selection weights = tokens;
        weights.stage = "weights";
        stand.document.looking().select(weights);
        QVERIFY(way.stops() == found);
        open_session(stand.document, session_at("scaled_dot_product", "weights"));
        QVERIFY(way.stops() != found);  // there is one head
    }

    void a_tick_says_how_much_time_has_gone_by() {
        FrameTicks ticks;
        QSignalSpy passed(&ticks, &FrameTicks::passed);
        ticks.start();
        QVERIFY(ticks.are_running());
        QTest::qSleep(300);
        QTRY_VERIFY(!passed.isEmpty());
        QCOMPARE(passed.first().first().toDouble(), 100.0);  // as of a computer that slept
        ticks.stop();
        QVERIFY(!ticks.are_running());
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

    void enter_goes_on_along_it_from_each_picture() {
        Stand stand(session_at("multi_head", "weights"), ViewKind::map);
        WayIn& way = WayIn::of(stand.document);
        const std::vector<ViewKind> pictures{ViewKind::map, ViewKind::grid, ViewKind::stages,
                                             ViewKind::heatmap, ViewKind::query_key};
        for (const ViewKind picture : pictures) {
            QCOMPARE(stand.document.view().view, picture);
            FigureCanvas canvas(stand.document, picture);
            canvas.setAccessibleName(QStringLiteral("Picture of a stop"));
            canvas.resize(900, 700);
            canvas.show();
            QTest::keyClick(&canvas, Qt::Key_Return);
        }
        QCOMPARE(stand.document.view().level, std::optional(Level::arithmetic));
        for (std::size_t at = pictures.size(); at-- > 0;) {
            QVERIFY(way.come_back());
            QCOMPARE(stand.document.view().view, pictures[at]);
            QVERIFY(!stand.document.view().level);
        }
        QVERIFY(!way.come_back());
    }

    void a_double_click_on_a_cell_goes_one_depth_in() {
        Stand stand(session_at("multi_head", "weights", ViewKind::heatmap), ViewKind::heatmap);
        const auto click_twice = [&](FigureCanvas& canvas, QPoint at, Qt::KeyboardModifiers with = {}) {
            QTest::mouseClick(&canvas, Qt::LeftButton, with, at);
            QTest::mouseDClick(&canvas, Qt::LeftButton, with, at);
        };
        click_twice(*stand.canvas, stand.middle(2, 1), Qt::ControlModifier);
        QCOMPARE(stand.document.view().view, ViewKind::heatmap);
        click_twice(*stand.canvas, stand.middle(2, 1));
        QCOMPARE(stand.document.view().view, ViewKind::query_key);
        QCOMPARE(stand.selection().query, 2);
        QCOMPARE(stand.selection().key, 1);
        WayIn& way = WayIn::of(stand.document);
        QVERIFY(way.come_back());
        QCOMPARE(stand.document.view().view, ViewKind::heatmap);
        // A row is no cell.
        const QRectF first = stand.canvas->cell_rect(0, 2, 0);
        click_twice(*stand.canvas, QPointF(first.left() - 12, first.center().y()).toPoint());
        QCOMPARE(stand.document.view().view, ViewKind::heatmap);
    }

    void a_double_click_on_the_products_goes_on_to_the_arithmetic() {
        Stand stand(session_at("multi_head", "weights", ViewKind::query_key), ViewKind::query_key);
        const QPoint at = stand.middle(0, 0);
        QVERIFY(stand.canvas->place_at(at));
        QTest::mouseDClick(stand.canvas.get(), Qt::LeftButton, {}, at);
        QCOMPARE(stand.document.view().level, std::optional(Level::arithmetic));
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
        QVERIFY(stand.document.view().view == ViewKind::stages);
        QVERIFY(WayIn::of(stand.document).go_out());
        QVERIFY(stand.document.view().view == ViewKind::map);
    }

    void any_place_between_two_stops_can_be_held() {
        Stand stand(session_at("multi_head", "weights"), ViewKind::map);
        WayIn& way = WayIn::of(stand.document);
        const std::vector<DepthStop> stops = way.stops();
        for (const double held : {0.25, 0.75, 1.0, 2.5, 4.125, 6.0, 3.375, 0.125, 0.0}) {
            way.hold(held);
            QCOMPARE(way.depth().place(), held);
            QCOMPARE(way.is_between(), !is_at(way, held));
            QVERIFY(std::abs(static_cast<double>(index_of(stops, *way.stop())) - held) <= 0.5);
        }
        way.hold(-2);
        QCOMPARE(way.depth().place(), 0.0);
        way.hold(99);
        QCOMPARE(way.depth().place(), static_cast<double>(stops.size() - 1));
        way.hold(2.25);
        way.settle();
        way.advance(10'000);
        QVERIFY(!way.is_between());
        QCOMPARE(way.stop(), std::optional(stops[2]));
    }

    void a_way_to_a_stop_takes_time_and_comes_nearer_all_along() {
        Stand stand(session_at("multi_head", "weights"), ViewKind::map);
        WayIn& way = WayIn::of(stand.document);
        QVERIFY(way.go_in());
        QVERIFY(stand.document.view().view == ViewKind::grid);  // at once: what follows is the picture
        QVERIFY(way.is_between() && way.is_moving());
        double before = way.depth().place();
        QVERIFY(before < 1);
        for (int frame = 0; frame < 100 && way.is_between(); ++frame) {
            way.advance(16);
            QVERIFY(way.depth().place() > before);
            before = way.depth().place();
        }
        QVERIFY(!way.is_between() && !way.is_moving());
        QCOMPARE(before, 1.0);
        QVERIFY(way.go_in() && way.go_in());  // goes on from where it is
        QVERIFY(way.depth().place() < 2);
        QVERIFY(way.go_out() && way.go_out());
        QCOMPARE(way.stop(), std::optional(DepthStop::layer));
    }

    void a_wheel_that_rests_between_two_stops_leads_to_the_nearest() {
        Stand stand(session_at("multi_head", "weights"), ViewKind::map);
        WayIn& way = WayIn::of(stand.document);
        way.set_rest(std::chrono::milliseconds(20));
        way.turn_wheel(120);
        QCOMPARE(way.depth().place(), 0.25);
        QTRY_VERIFY(!way.is_between());
        QCOMPARE(stand.document.view().view, ViewKind::map);
        way.turn_wheel(360);
        QTRY_VERIFY(!way.is_between());
        QCOMPARE(stand.document.view().view, ViewKind::grid);
        way.spread(0.5);  // two fingers come to half of their distance
        QTRY_VERIFY(!way.is_between());
        QCOMPARE(stand.document.view().view, ViewKind::map);
    }

    void reduced_motion_jumps() {
        Stand stand(session_at("multi_head", "weights"), ViewKind::map);
        MotionClock::of(stand.document).set_reduced(true);
        WayIn& way = WayIn::of(stand.document);
        QVERIFY(way.go_in());
        QVERIFY(!way.is_between() && !way.is_moving());
        QCOMPARE(way.depth().place(), 1.0);
        way.hold(1.25);
        QVERIFY(!way.is_between());
        QCOMPARE(way.depth().place(), 1.0);
        way.hold(1.75);
        QCOMPARE(stand.document.view().view, ViewKind::stages);
        QCOMPARE(way.depth().place(), 2.0);
    }

    void an_open_question_leaves_no_place_between() {
        Stand stand(session_at("multi_head", "weights"), ViewKind::map);
        WayIn& way = WayIn::of(stand.document);
        way.hold(0.25);
        QVERIFY(way.is_between());
        stand.document.withhold_answer(ViewKind::heatmap);
        QVERIFY(!way.is_between());
        way.hold(0.25);
        QVERIFY(!way.is_between());
        QVERIFY(way.go_in());
        QVERIFY(!way.is_between());
        QCOMPARE(stand.document.view().view, ViewKind::grid);
    }

    void a_stop_of_its_own_choice_is_gone_to_at_once() {
        Stand stand(session_at("multi_head", "weights"), ViewKind::map);
        WayIn& way = WayIn::of(stand.document);
        way.go_to(DepthStop::formula);
        QCOMPARE(stand.document.view().level, std::optional(Level::formula));
        QCOMPARE(stand.document.view().view, ViewKind::query_key);
        way.go_to(DepthStop::layer);
        QCOMPARE(place(stand.document), QStringLiteral("grid"));
        way.advance(10'000);
        stand.document.looking().look_at(in_view(stand.document.view(), ViewKind::lines));
        QVERIFY(way.stops().empty());
        way.go_to(DepthStop::matrix);
        QCOMPARE(stand.document.view().view, ViewKind::lines);
    }

private:
    static Index index_of(const std::vector<DepthStop>& stops, DepthStop stop) {
        return std::ranges::find(stops, stop) - stops.begin();
    }
    static bool is_at(const WayIn& way, double place) {
        return static_cast<double>(index_of(way.stops(), *way.stop())) == place;
    }
    /// The level, else the view.
    static QString place(const Document& document) {
        const ViewState& view = document.view();
        if (view.level)
            return view.level == Level::arithmetic ? QStringLiteral("arithmetic") : QStringLiteral("formula");
        return QString::fromUtf8(view.view.word().data(), static_cast<qsizetype>(view.view.word().size()));
    }
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

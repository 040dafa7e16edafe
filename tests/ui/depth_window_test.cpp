// Between two depths: what is drawn over the picture, what leads there and away, and the sign beside the
// player.

#include "tests/ui/room_support.h"
#include "ui/views/depth_sign.h"
#include "ui/views/motion_clock.h"
#include "ui/views/zoom_picture.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QTextDocumentFragment>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace headlight::depth_window_test {

class DepthWindowTest : public RoomTest {
    Q_OBJECT
private slots:
    void both_pictures_are_drawn_and_the_real_one_is_back_at_rest() {
        open("multi_head", ViewKind::map);
        QVERIFY(!zoom().isVisible());
        way().hold(0.25);
        QVERIFY(zoom().isVisible());
        QCOMPARE(zoom().parentWidget(), &canvas());
        QCOMPARE(zoom().geometry(), canvas().rect());
        QCOMPARE(view().view, ViewKind::map);
        QTRY_VERIFY(zoom().has_picture(DepthStop::model) && zoom().has_picture(DepthStop::layer));
        way().hold(0.5);
        QCOMPARE(view().view, ViewKind::grid);  // the nearest
        QVERIFY(zoom().isVisible());
        QCOMPARE(zoom().parentWidget(), &canvas());
        way().hold(1);
        QVERIFY(!zoom().isVisible());
        QVERIFY(!zoom().has_picture(DepthStop::model));  // nothing is kept that nobody sees
        way().hold(0);
        QCOMPARE(view().view, ViewKind::map);
        QVERIFY(!zoom().isVisible());
    }

    void each_place_between_has_a_picture_of_its_own() {
        open("multi_head", ViewKind::map);
        way().hold(0.1);
        QTRY_VERIFY(zoom().has_picture(DepthStop::model) && zoom().has_picture(DepthStop::layer));
        std::vector<QImage> pictures;
        for (const double place : {0.1, 0.2, 0.3, 0.4}) {
            way().hold(place);
            pictures.push_back(zoom().grab().toImage());
        }
        for (std::size_t at = 1; at < pictures.size(); ++at)
            QVERIFY(pictures[at] != pictures[at - 1]);
        way().hold(0.1);
        QCOMPARE(zoom().grab().toImage(), pictures.front());  // in and out again
    }

    void a_picture_that_is_held_is_smoothed_when_it_rests() {
        open("multi_head", ViewKind::map);
        way().hold(0.3);
        QTRY_VERIFY(zoom().has_picture(DepthStop::model) && zoom().has_picture(DepthStop::layer));
        way().hold(0.3);
        const QImage moving = zoom().grab().toImage();
        QTRY_VERIFY(zoom().grab().toImage() != moving);
        way().hold(0.3);
        QCOMPARE(zoom().grab().toImage(), moving);
    }

    void all_depths_are_gone_through_with_many_words() {
        Session session = small_session("multi_head");
        session.sequence.query_text = long_text(32);
        open_session(test_->document(), session);
        test_->document().looking().look_at(in_view(view(), ViewKind::map));
        const std::vector<DepthStop> stops = way().stops();
        QCOMPARE(std::ssize(stops), depth_count);
        for (std::size_t at = 0; at + 1 < stops.size(); ++at) {
            way().hold(static_cast<double>(at) + 0.375);
            QTRY_VERIFY(zoom().has_picture(stops[at]) && zoom().has_picture(stops[at + 1]));
        }
        way().go_to(DepthStop::model);
        QTRY_VERIFY(!way().is_between());
        QCOMPARE(view().view, ViewKind::map);
        QVERIFY(!view().level);
    }

    void what_is_chosen_and_the_focus_stay() {
        open("multi_head", ViewKind::map);
        Selection chosen = view().selection;
        chosen.stage = "scores";
        chosen.head = 3;
        chosen.query = 2;
        test_->document().looking().select(chosen);
        canvas().setFocus();
        for (const ViewKind next : {ViewKind::grid, ViewKind::stages, ViewKind::heatmap}) {
            QTest::keyClick(&canvas(), Qt::Key_Return);
            QCOMPARE(view().view, next);
            QVERIFY(view().selection == chosen);
            QCOMPARE(test_->window().focusWidget(), &canvas());
            QTRY_VERIFY(!zoom().isVisible());
        }
        for (const ViewKind next : {ViewKind::stages, ViewKind::grid, ViewKind::map}) {
            QTest::keyClick(&canvas(), Qt::Key_Escape);
            QCOMPARE(view().view, next);
        }
    }

    void plus_and_minus_move_the_picture() {
        open("multi_head", ViewKind::map);
        canvas().setFocus();
        QTest::keyClick(&canvas(), Qt::Key_Plus);
        QCOMPARE(view().view, ViewKind::grid);
        QVERIFY(zoom().isVisible() && way().is_moving());
        QTRY_VERIFY(!zoom().isVisible());
        QTest::keyClick(&canvas(), Qt::Key_Minus);
        QCOMPARE(view().view, ViewKind::map);
        QVERIFY(zoom().isVisible());
        QTRY_VERIFY(!zoom().isVisible());
    }

    void a_click_between_shows_the_nearest() {
        open("multi_head", ViewKind::map);
        const Selection before = view().selection;
        way().hold(0.375);
        QTest::mouseClick(&zoom(), Qt::LeftButton);
        QVERIFY(!zoom().isVisible());
        QCOMPARE(view().view, ViewKind::map);
        QVERIFY(view().selection == before);  // nothing is chosen that is not seen
    }

    void a_wheel_goes_on_between_whatever_is_held() {
        open("multi_head", ViewKind::map);
        way().hold(0.25);
        turn(120);
        QCOMPARE(way().depth().place(), 0.5);
        QCOMPARE(view().view, ViewKind::grid);
        turn(-240);
        QCOMPARE(way().depth().place(), 0.0);
        QCOMPARE(view().view, ViewKind::map);
    }

    void who_goes_elsewhere_has_the_real_picture() {
        open("multi_head", ViewKind::map);
        for (const ViewKind elsewhere : {ViewKind::lines, ViewKind::statistics, ViewKind::scatter}) {
            test_->document().looking().look_at(in_view(view(), ViewKind::map));
            way().hold(0.25);
            QVERIFY(zoom().isVisible());
            test_->document().looking().look_at(in_view(view(), elsewhere));
            QVERIFY(!zoom().isVisible() && !way().is_between());
        }
    }

    void reduced_motion_shows_stops_alone() {
        open("multi_head", ViewKind::map);
        MotionClock::of(test_->document()).set_reduced(true);
        QVERIFY(way().go_in());
        QVERIFY(!zoom().isVisible());
        QCOMPARE(view().view, ViewKind::grid);
        way().hold(1.25);
        QVERIFY(!zoom().isVisible());
    }

    void the_sign_says_where_one_is_and_leads_there() {
        open("multi_head", ViewKind::map);
        widen();
        QCOMPARE(sign().accessibleName(), QStringLiteral("Depth: Model"));
        QTest::mouseClick(&sign(), Qt::LeftButton, {}, sign().place_of(3).toPoint());
        QCOMPARE(view().view, ViewKind::heatmap);
        QTRY_VERIFY(!way().is_between());
        QCOMPARE(sign().accessibleName(), QStringLiteral("Depth: Matrix"));
        QCOMPARE(sign().value(), 300);
        sign().setFocus();
        QTest::keyClick(&sign(), Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(view().view, ViewKind::stages);
        QTest::keyClick(&sign(), Qt::Key_Home);
        QCOMPARE(view().view, ViewKind::map);
        sign().setValue(100);  // as a screen reader does
        QCOMPARE(view().view, ViewKind::grid);
        QTRY_VERIFY(!way().is_between());
        test_->document().looking().look_at(in_view(view(), ViewKind::lines));
        QVERIFY(!sign().isEnabled());
    }

    void its_tips_name_the_tabs_and_its_name_is_no_stop() {
        open("multi_head", ViewKind::stages);
        widen();
        const auto tip_at = [this](QPointF point) {
            const QPoint there = point.toPoint();
            QHelpEvent help(QEvent::ToolTip, there, sign().mapToGlobal(there));
            QApplication::sendEvent(&sign(), &help);
            return QTextDocumentFragment::fromHtml(QToolTip::text()).toPlainText().simplified();
        };
        const QString here = tip_at(sign().place_of(2)), layer = tip_at(sign().place_of(1));
        QVERIFY2(here.startsWith(QLatin1String("Head:")) &&
                     here.endsWith(QLatin1String("Among the tabs: Stages")),
                 qPrintable(here));
        QVERIFY2(layer.endsWith(QLatin1String("Among the tabs: Heads")), qPrintable(layer));
        const QPointF name(sign().width() - 4, sign().height() / 2.0);
        QVERIFY(name.x() > sign().place_of(6).x() + 8);
        QCOMPARE(tip_at(name), here);
        QTest::mouseClick(&sign(), Qt::LeftButton, {}, name.toPoint());
        QVERIFY2(view().view == ViewKind::stages && !view().level, "a click on the name leads nowhere");
        QToolTip::hideText();
    }

    void a_depth_that_is_not_there_is_not_gone_to() {
        open("scaled_dot_product", ViewKind::map);
        widen();
        QTest::mouseClick(&sign(), Qt::LeftButton, {}, sign().place_of(1).toPoint());  // there is one head
        QCOMPARE(view().view, ViewKind::map);
        QVERIFY2(QToolTip::text().simplified().contains(QLatin1String("one head")),
                 qPrintable(QToolTip::text()));
        QToolTip::hideText();
    }

    void a_model_is_gone_into_down_to_its_formula() {
        open("multi_head", ViewKind::map);
        widen();
        Session session = test_->session();
        session.model.emplace().name = "reverse-transformer";
        session.model->request.source = "abc";
        test_->document().edit({"", session});
        QTRY_VERIFY(test_->document().run() && test_->document().run()->transcript);
        test_->document().looking().look_at(in_view(view(), ViewKind::map));
        const std::vector<DepthStop> stops = way().stops();
        QVERIFY(std::ranges::count(stops, DepthStop::arithmetic) == 1);
        QCOMPARE(stops.back(), DepthStop::formula);
        for (const DepthStop stop : {DepthStop::cell, DepthStop::arithmetic, DepthStop::formula}) {
            QTest::mouseClick(&sign(), Qt::LeftButton, {}, sign().place_of(static_cast<int>(stop)).toPoint());
            QTRY_VERIFY(!way().is_between());
            QCOMPARE(way().stop(), std::optional(stop));
            QCOMPARE(view().view, ViewKind::query_key);
            QCOMPARE(view().level, level_of(stop));
            QCOMPARE(sign().accessibleName(),
                     QStringLiteral("Depth: %1").arg(QString::fromStdString(depth_name(stop))));
        }
        way().hold(static_cast<double>(stops.size()) - 1.25);
        QTRY_VERIFY(zoom().has_picture(DepthStop::arithmetic) && zoom().has_picture(DepthStop::formula));
        way().go_to(DepthStop::model);
        QTRY_VERIFY(!way().is_between());
        QCOMPARE(view().view, ViewKind::map);
        QVERIFY(!view().level);
    }

    void a_page_about_the_run_leaves_the_depth_of_the_picture() {
        open("multi_head", ViewKind::stages);
        ViewState with_box = view();
        with_box.level = Level::box;
        test_->document().looking().look_at(with_box);
        QCOMPARE(way().stop(), std::optional(DepthStop::head));
        QVERIFY(way().go_in());
        QTRY_VERIFY(!way().is_between());
        QCOMPARE(view().view, ViewKind::heatmap);
        QCOMPARE(view().level, std::optional(Level::box));
        QVERIFY(way().come_back());
        QCOMPARE(view().view, ViewKind::stages);
        with_box.level.reset();
        test_->document().looking().look_at(with_box);
    }

    void a_page_that_is_none_of_the_depths_is_called_what_it_is() {
        open("multi_head", ViewKind::stages);
        widen();
        QCOMPARE(sign().accessibleName(), QStringLiteral("Depth: Head"));
        const double place = way().depth().place();
        for (const auto& [level, name] :
             {std::pair(Level::box, "Black box"), std::pair(Level::parts, "Parts"),
              std::pair(Level::spreadsheet, "Spreadsheet"), std::pair(Level::code, "Code")}) {
            ViewState beside = view();
            beside.level = level;
            test_->document().looking().look_at(beside);
            QCOMPARE(sign().accessibleName(), QStringLiteral("Depth: %1").arg(QLatin1String(name)));
            QCOMPARE(way().depth().place(), place);
        }
        const QPoint on_name(sign().width() - 4, sign().height() / 2);
        QHelpEvent help(QEvent::ToolTip, on_name, sign().mapToGlobal(on_name));
        QApplication::sendEvent(&sign(), &help);
        const QString said = QTextDocumentFragment::fromHtml(QToolTip::text()).toPlainText().simplified();
        QVERIFY2(said.startsWith(QLatin1String("Code:")) && said.endsWith(QLatin1String("depth Head")),
                 qPrintable(said));
        QToolTip::hideText();
        ViewState alone = view();
        alone.level.reset();
        test_->document().looking().look_at(alone);
        QCOMPARE(sign().accessibleName(), QStringLiteral("Depth: Head"));
    }

    void dragging_on_the_sign_holds_any_place() {
        open("multi_head", ViewKind::map);
        widen();
        const QPointF from = sign().place_of(0);
        const QPointF to = sign().place_of(2) + QPointF(0.25 * (sign().place_of(1).x() - from.x()), 0);
        send(QEvent::MouseButtonPress, from);
        send(QEvent::MouseMove, to);
        QVERIFY(std::abs(way().depth().place() - 2.25) < 1e-9);
        QVERIFY(!way().is_moving() && zoom().isVisible());
        QCOMPARE(view().view, ViewKind::stages);
        send(QEvent::MouseButtonRelease, to);
        QVERIFY(way().is_moving());
        QTRY_VERIFY(!way().is_between());
        QCOMPARE(view().view, ViewKind::stages);
    }

    void a_narrow_window_has_the_sign_without_names() {
        open("multi_head", ViewKind::map);
        widen();
        const int with_names = sign().sizeHint().width();
        test_->window().resize(1024, 768);
        QTRY_VERIFY(sign().isVisible() && sign().width() < with_names);
        QVERIFY(test_->find("player-scrubber")->width() >= 80);
        QTest::mouseClick(&sign(), Qt::LeftButton, {}, sign().place_of(3).toPoint());
        QCOMPARE(view().view, ViewKind::heatmap);
        QTRY_VERIFY(!way().is_between());
        QCOMPARE(sign().accessibleName(), QStringLiteral("Depth: Matrix"));
        test_->window().resize(800, 600);
        QTRY_VERIFY(!sign().isVisible());
        widen();
        QCOMPARE(sign().sizeHint().width(), with_names);
    }

private:
    WayIn& way() { return WayIn::of(test_->document()); }
    ZoomPicture& zoom() { return *test_->find<ZoomPicture>("zoom_picture"); }
    DepthSign& sign() { return *test_->find<DepthSign>("depth_sign"); }
    const ViewState& view() { return test_->document().view(); }
    void open(const char* mechanism, ViewKind kind) {
        open_session(test_->document(), small_session(mechanism));
        test_->document().looking().look_at(in_view(view(), kind));
    }
    void widen() {
        test_->window().resize(1600, 800);
        QTRY_VERIFY(sign().isVisible());
    }
    void turn(int angle) {
        const QPointF at = canvas().rect().center();
        QWheelEvent event(at, canvas().mapToGlobal(at), {}, {0, angle}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&zoom(), &event);
    }
    void send(QEvent::Type type, QPointF at) {
        const bool is_move = type == QEvent::MouseMove;
        QMouseEvent event(type, at, sign().mapToGlobal(at), is_move ? Qt::NoButton : Qt::LeftButton,
                          type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, {});
        QCoreApplication::sendEvent(&sign(), &event);
    }
};

QTEST_MAIN(DepthWindowTest)

}  // namespace headlight::depth_window_test

#include "depth_window_test.moc"

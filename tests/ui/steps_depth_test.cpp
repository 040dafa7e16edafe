// The view of steps is a matrix among the depths; a view that is none says so.

#include "tests/ui/canvas_stand.h"
#include "tests/ui/windowed_test.h"
#include "ui/views/depth_sign.h"
#include "ui/views/way_in.h"

namespace headlight::steps_depth_test {

using canvas_stand::Stand;

class StepsDepthTest : public WindowedTest {
    Q_OBJECT
private slots:
    void who_comes_in_from_steps_goes_out_to_them() {
        Session session = small_session("multi_head");
        session.view.view = ViewKind::steps;
        Stand stand(session, ViewKind::steps);
        WayIn& way = WayIn::of(stand.document);
        QVERIFY(way.stop() == DepthStop::matrix);
        QVERIFY(way.go_in());
        QCOMPARE(stand.document.view().view, ViewKind::query_key);
        QVERIFY(way.go_out());
        QCOMPARE(stand.document.view().view, ViewKind::steps);
        QVERIFY(!way.come_back());  // one is where one came from
        QVERIFY(way.go_in());
        QVERIFY(way.come_back());
        QCOMPARE(stand.document.view().view, ViewKind::steps);
        QVERIFY(!way.come_back());
        QVERIFY(way.go_out());
        QCOMPARE(stand.document.view().view, ViewKind::stages);
        QVERIFY(way.go_in());
        QCOMPARE(stand.document.view().view, ViewKind::heatmap);
    }

    void a_wheel_leads_on_from_steps() {
        open("multi_head", ViewKind::steps);
        way().turn_wheel(120);
        QCOMPARE(way().depth().fraction, 0.25);
        way().arrive();
        QCOMPARE(view().view, ViewKind::steps);
    }

    void the_sign_names_where_one_is() {
        open("multi_head", ViewKind::steps);
        auto* sign = test_->find<DepthSign>("depth_sign");
        QVERIFY(sign->isEnabled());
        QCOMPARE(sign->accessibleName(), QStringLiteral("Depth: Matrix"));
        test_->document().looking().look_at(in_view(view(), ViewKind::scatter));
        QVERIFY(!sign->isEnabled());
        QCOMPARE(sign->accessibleName(), QStringLiteral("Depth: No depth"));
    }

private:
    WayIn& way() { return WayIn::of(test_->document()); }
    const ViewState& view() { return test_->document().view(); }
    void open(const char* mechanism, ViewKind kind) {
        open_session(test_->document(), small_session(mechanism));
        test_->document().looking().look_at(in_view(view(), kind));
    }
};

QTEST_MAIN(StepsDepthTest)

}  // namespace headlight::steps_depth_test

#include "steps_depth_test.moc"

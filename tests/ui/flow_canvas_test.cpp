// The map of parts in its canvas: what a click, a key and a screen reader meet.

#include "tests/ui/screen_reader.h"
#include "tests/ui/view_stand.h"
#include "ui/views/flow_walk.h"
#include "ui/views/wrapped_tip.h"

#include <QApplication>
#include <QHelpEvent>
#include <QToolTip>

#include <algorithm>

namespace headlight::flow_canvas_test {

using view_stand::Stand;
using view_stand::ViewOf;
using PartsView = ViewOf<ViewKind::map>;

namespace {

Session session_of(const std::string& mechanism) {
    Session session = small_session(mechanism);
    session.view.view = ViewKind::map;
    return session;
}

Index part_of_stage(const FigureCanvas& canvas, const std::string& stage) {
    const std::vector<Flow::Node>& nodes = canvas.figure()->panels.front().flow->nodes;
    return std::ranges::find_if(nodes, [&](const Flow::Node& node) { return node.place.stage == stage; }) -
           nodes.begin();
}

}  // namespace

class FlowCanvasTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }

    void a_click_on_a_part_goes_to_its_stage() {
        const Stand<PartsView> stand(session_of("multi_head"));
        FigureCanvas& canvas = stand.canvas();
        for (const std::string stage : {"query", "scores", "context", "tokens"}) {
            const QRectF box = canvas.area_of({0, part_of_stage(canvas, stage), 0});
            QVERIFY(QRectF(canvas.rect()).contains(box));
            QTest::mouseClick(&canvas, Qt::LeftButton, {}, box.center().toPoint());
            QCOMPARE(stand.selection().stage, stage);
            QCOMPARE(canvas.current_rect(), canvas.area_of({0, part_of_stage(canvas, stage), 0}));
        }
        // Beside the parts nothing is chosen.
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, canvas.rect().bottomLeft() + QPoint(2, -2));
        QCOMPARE(stand.selection().stage, std::string("tokens"));
    }

    void keys_lead_from_part_to_part() {
        const Stand<PartsView> stand(session_of("scaled_dot_product"));
        FigureCanvas& canvas = stand.canvas();
        QTest::keyClick(&canvas, Qt::Key_Home);
        QCOMPARE(stand.selection().stage, std::string("tokens"));
        QTest::keyClick(&canvas, Qt::Key_End);
        const std::string last = canvas.figure()->panels.front().flow->nodes.back().place.stage;
        QCOMPARE(stand.selection().stage, last);
    }

    void what_is_in_view_is_heard() {
        const Stand<PartsView> stand(session_of("scaled_dot_product"));
        const FigureCanvas& canvas = stand.canvas();
        QVERIFY2(canvas.current_sentence().startsWith(QStringLiteral("Weights, 4 queries × 4 keys, in view")),
                 qPrintable(canvas.current_sentence()));
        const auto cell = canvas.current_cell();
        QVERIFY(cell);
        QCOMPARE(cell->row, part_of_stage(canvas, "weights"));
    }

    void tips_of_parts_are_no_wider_than_a_sentence_is_read() {
        const Stand<PartsView> stand(session_of("multi_head"));
        FigureCanvas& canvas = stand.canvas();
        const QPoint at = canvas.area_of({0, part_of_stage(canvas, "context"), 0}).center().toPoint();
        QHelpEvent help(QEvent::ToolTip, at, canvas.mapToGlobal(at));
        QApplication::sendEvent(&canvas, &help);
        const QStringList lines = QToolTip::text().split(QLatin1Char('\n'));
        QVERIFY(lines.constFirst().startsWith(QStringLiteral("Context, ")));
        for (const QString& line : lines)
            QVERIFY2(line.size() <= 64, qPrintable(line));
        QToolTip::hideText();
    }

    void tips_break_between_words() {
        QCOMPARE(wrapped_tip({}), QString());
        QCOMPARE(wrapped_tip(QStringLiteral("one\ntwo words")), QStringLiteral("one\ntwo words"));
        const QString longer =
            QStringLiteral("“le” → “cat”: ") + QString(80, u'x') + QStringLiteral(" and on");
        QCOMPARE(wrapped_tip(longer),
                 QStringLiteral("“le” → “cat”:\n") + QString(80, u'x') + QStringLiteral("\nand on"));
    }

    void keys_pass_over_tokens() {
        Flow flow;
        flow.nodes.resize(3);
        for (Flow::Node& node : flow.nodes) {
            node.title = "part";
            node.place.stage = "weights";
        }
        flow.nodes[1].kind = Flow::Node::Kind::word;
        const std::vector<QRectF> boxes{{0, 0, 10, 10}, {20, 0, 10, 10}, {40, 0, 10, 10}};
        QCOMPARE(walked_part(flow, boxes, 0, Qt::Key_Right), std::optional<Index>(2));
        QCOMPARE(walked_part(flow, boxes, 2, Qt::Key_Right), std::optional<Index>());
        QCOMPARE(walked_part(flow, boxes, 2, Qt::Key_Left), std::optional<Index>(0));
        QCOMPARE(walked_part(flow, boxes, 0, Qt::Key_Down), std::optional<Index>());
        QCOMPARE(walked_part(flow, boxes, 0, Qt::Key_End), std::optional<Index>(2));
        QCOMPARE(walked_part(flow, boxes, 0, Qt::Key_A), std::optional<Index>());
    }

    void keys_go_on_in_the_next_row() {
        Flow flow;
        flow.nodes.resize(4);
        for (std::size_t at = 0; at < flow.nodes.size(); ++at) {
            flow.nodes[at].title = "part";
            flow.nodes[at].place.stage = "weights";
            flow.nodes[at].column = static_cast<Index>(at);
        }
        const std::vector<QRectF> boxes{{0, 0, 10, 10}, {20, 0, 10, 10}, {0, 30, 10, 10}, {20, 30, 10, 10}};
        QCOMPARE(walked_part(flow, boxes, 1, Qt::Key_Right), std::optional<Index>(2));
        QCOMPARE(walked_part(flow, boxes, 2, Qt::Key_Left), std::optional<Index>(1));
        QCOMPARE(walked_part(flow, boxes, 3, Qt::Key_Right), std::optional<Index>());
        QCOMPARE(walked_part(flow, boxes, 1, Qt::Key_Down), std::optional<Index>(3));
    }
};

QTEST_MAIN(FlowCanvasTest)

}  // namespace headlight::flow_canvas_test

#include "flow_canvas_test.moc"

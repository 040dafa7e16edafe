// The little map beside the picture: when it is there, where its parts lead, and what it remembers.

#include "core/figure/theme_table.h"
#include "tests/ui/contrast.h"
#include "tests/ui/room_support.h"
#include "ui/panels/fold_strip.h"
#include "ui/panels/map_strip.h"
#include "ui/render/figure_style.h"
#include "ui/views/little_map.h"

#include <QAction>
#include <QSignalSpy>
#include <QtMath>

#include <algorithm>

namespace headlight::map_strip_test {

class MapStripTest : public RoomTest {
    Q_OBJECT
private slots:
    void a_small_window_has_it_when_it_is_asked_for() {
        QVERIFY(!test_->find("map_strip")->isVisible());
        QVERIFY(!test_->find<QAction>("fold_map")->isChecked());
        const auto before = places(test_->window());
        unfold();
        QVERIFY(map().isVisible() && !test_->find("unfold_map")->isVisible());
        QVERIFY(canvas().width() > map().width());
        QCOMPARE(test_->window().size(), QSize(1280, 720));
        test_->trigger("fold_map");
        QTRY_COMPARE(moved(before, test_->window()), QString());
    }

    void a_large_window_has_it_and_folds_it_to_a_strip() {
        test_->window().resize(1900, 720);
        settle();
        QVERIFY(map().isVisible());
        QTest::keyClick(&test_->window(), Qt::Key_F9, Qt::ControlModifier);
        auto* folded = test_->find<FoldStrip>("unfold_map");
        QTRY_VERIFY(folded->isVisible() && !map().isVisible());
        QTest::mouseClick(folded, Qt::LeftButton);
        QTRY_VERIFY(map().isVisible());
    }

    void it_comes_into_a_narrow_window_or_says_why_not() {
        test_->window().resize(1024, 768);
        settle();
        QSignalSpy told(test_->find<MapStrip>("map_strip"), &MapStrip::notice);
        test_->trigger("fold_map");
        settle();
        QVERIFY(map().isVisible() != !told.isEmpty());
        QCOMPARE(test_->find<QAction>("fold_map")->isChecked(), map().isVisible());
        QVERIFY(test_->find<QAction>("fold_map")->text().contains(QLatin1String("Show")));
    }

    void beside_the_large_map_it_says_where_it_is() {
        test_->document().looking().look_at(in_view(test_->session().view, ViewKind::map));
        settle();
        QSignalSpy told(test_->find<MapStrip>("map_strip"), &MapStrip::notice);
        if (test_->find<QAction>("fold_map")->isChecked())
            test_->trigger("fold_map");
        QCOMPARE(told.count(), 0);
        test_->trigger("fold_map");
        QCOMPARE(told.count(), 1);
        QVERIFY(told.first().first().toString().contains(QLatin1String("in view already")));
    }

    void only_a_press_and_a_release_on_one_part_go_there() {
        open_session(test_->document(), small_session("multi_head"));
        unfold();
        const ViewState before = test_->session().view;
        const QPoint scores = middle_of("scores"), query = middle_of("query");
        QTest::mousePress(&map(), Qt::LeftButton, {}, scores);
        QTest::mouseRelease(&map(), Qt::LeftButton, {}, query);
        QVERIFY(same_place(before, test_->session().view));
        QTest::mousePress(&map(), Qt::LeftButton, {}, QPoint(1, 1));
        QTest::mouseRelease(&map(), Qt::LeftButton, {}, scores);
        QVERIFY(same_place(before, test_->session().view));
        QTest::mouseClick(&map(), Qt::LeftButton, {}, scores);
        QCOMPARE(test_->session().view.selection.stage, std::string("scores"));
    }

    void keys_of_the_picture_work_while_a_button_has_the_focus() {
        open_session(test_->document(), small_session("multi_head"));
        test_->document().looking().look_at(in_view(test_->session().view, ViewKind::map));
        QWidget* button = test_->find("player-play");
        button->setFocus();
        QTest::keyClick(button, Qt::Key_Plus);
        QVERIFY(test_->session().view.view == ViewKind::grid);
        button->setFocus();
        for (int press = 0; press < 2 && test_->session().view.view == ViewKind::grid; ++press)
            QTest::keyClick(button, Qt::Key_Escape);  // the first may close a message
        QVERIFY(test_->session().view.view == ViewKind::map);
    }

    void it_is_remembered() {
        unfold();
        test_->close();
        test_->start();
        QTRY_VERIFY(map().isVisible());
        QVERIFY(test_->find<QAction>("fold_map")->isChecked());
    }

    void a_click_on_a_part_goes_there() {
        open_session(test_->document(), small_session("multi_head"));
        unfold();
        for (const std::string stage : {"scores", "query", "weights"}) {
            QTest::mouseClick(&map(), Qt::LeftButton, {}, middle_of(stage));
            QCOMPARE(test_->session().view.selection.stage, stage);
        }
        const ViewState before = test_->session().view;
        QTest::mouseClick(&map(), Qt::LeftButton, {}, QPoint(1, 1));
        QVERIFY(same_place(before, test_->session().view));
    }

    void a_part_that_the_view_cannot_show_is_shown_as_a_stage() {
        open_session(test_->document(), small_session("multi_head"));
        test_->document().looking().look_at(in_view(test_->session().view, ViewKind::lines));
        unfold();
        QTest::mouseClick(&map(), Qt::LeftButton, {}, middle_of("query"));
        QCOMPARE(test_->session().view.selection.stage, std::string("query"));
        QVERIFY(test_->session().view.view == ViewKind::stages);
    }

    void keys_lead_from_part_to_part_and_to_the_large_map() {
        unfold();
        map().setFocus();
        QTest::keyClick(&map(), Qt::Key_Home, Qt::ShiftModifier);
        QCOMPARE(test_->session().view.selection.stage, std::string("tokens"));
        QTest::keyClick(&map(), Qt::Key_Down, Qt::ShiftModifier);
        QVERIFY(test_->session().view.selection.stage != "tokens");
        QTest::keyClick(&map(), Qt::Key_Return);
        QVERIFY(test_->session().view.view == ViewKind::map);
        QTRY_VERIFY(!map().isVisible());  // the large one is there
        test_->document().looking().go_back();
    }

    void the_part_in_view_is_heard() {
        unfold();
        const auto current = map().current_cell();
        QVERIFY(current);
        QVERIFY(map().sentence_of(*current).contains(QLatin1String("in view")));
        QVERIFY(map().accessible_description().contains(QLatin1String("In view: ")));
        QCOMPARE(map().table(0)->rows, std::ssize(map().flow()->nodes));
    }

    void its_boxes_are_seen_in_every_theme_data() {
        QTest::addColumn<int>("theme");
        for (const FigureTheme theme : window_themes())
            QTest::newRow(theme_row(theme).word) << int(theme);
    }
    void its_boxes_are_seen_in_every_theme() {
        QFETCH(int, theme);
        constexpr double of_shapes = 3;  // the least contrast by WCAG 2, 1.4.11
        open_session(test_->document(), small_session("multi_head"));
        unfold();
        test_->trigger((std::string("theme_") + theme_row(FigureTheme(theme)).word).c_str());
        settle();
        QVERIFY(map().flow());
        const QColor ground = figure_style(FigureTheme(theme)).background;
        const QImage image = map().grab().toImage();
        int boxes = 0;
        for (Index number = 0; number < std::ssize(map().flow()->nodes); ++number) {
            const Flow::Node& node = flow_node(*map().flow(), number);
            if (node.kind != Flow::Node::Kind::box || node.light == Flow::Light::lit)
                continue;
            ++boxes;
            const QRectF box = map().part_rect(number);
            double most = 1;
            for (int away = -1; away <= 1; ++away)
                most = std::max(
                    most,
                    contrast(image.pixelColor(qFloor(box.left()) + away, qFloor(box.center().y())), ground));
            QVERIFY2(
                most >= of_shapes,
                qPrintable(QStringLiteral("%1: %2 to 1").arg(QString::fromStdString(node.title)).arg(most)));
        }
        QVERIFY(boxes > 2);
    }

    void the_picture_alone_is_alone() {
        unfold();
        test_->trigger("only_picture");
        QTRY_VERIFY(!test_->find("map_strip")->isVisible());
        test_->trigger("only_picture");
        QTRY_VERIFY(map().isVisible());
    }

private:
    LittleMap& map() { return *test_->find<LittleMap>("little_map"); }
    void unfold() {
        test_->trigger("fold_map");
        settle();
        QTRY_VERIFY(map().isVisible() && map().flow());
    }
    QPoint middle_of(const std::string& stage) {
        const std::vector<Flow::Node>& nodes = map().flow()->nodes;
        const auto found =
            std::ranges::find_if(nodes, [&](const Flow::Node& node) { return node.place.stage == stage; });
        return map().part_rect(found - nodes.begin()).center().toPoint();
    }
};

QTEST_MAIN(MapStripTest)

}  // namespace headlight::map_strip_test

#include "map_strip_test.moc"

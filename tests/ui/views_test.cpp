// What the views have in common: heads, marks of what is pointed at, and themes. Their arithmetic is in
// views_arithmetic_test.cpp, formula and stages in views_stages_test.cpp.

#include "core/figure/theme_table.h"
#include "resources/resources.h"
#include "tests/ui/view_stand.h"
#include "ui/panels/theme.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/shown_figure.h"

#include <QComboBox>

#include <algorithm>
#include <set>

namespace headlight::views_test {

using view_stand::HeadsView;
using view_stand::HeatmapView;
using view_stand::LinesView;
using view_stand::StagesView;
using view_stand::Stand;
using view_stand::StepsView;

class ViewsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { initialise_resources(); }
    void init() { fail_on_warnings(); }

    void one_sequence_on_both_sides_is_marked_as_both() {
        Session session = small_session();
        session.view.selection = Selection{"", "scores", 0, 3, 1, 0};
        const Stand<StagesView> stand(session);
        const auto& panels = stand.canvas().figure()->panels;
        const auto operand =
            std::find_if(panels.begin(), panels.end(), [](const Panel& panel) { return panel.transposed; });
        QVERIFY(operand != panels.end());
        QCOMPARE(operand->stage, std::string("tokens"));
        QCOMPARE(operand->selected_column, std::optional<Index>(1));
        QVERIFY(!operand->selected_row);
        const auto index = operand - panels.begin();
        const auto queries = std::find_if(panels.begin(), panels.end(), [](const Panel& panel) {
            return panel.stage == "tokens" && !panel.transposed;
        });
        QCOMPARE(queries->selected_row, std::optional<Index>(3));
        QTest::mouseClick(&stand.canvas(), Qt::LeftButton, {},
                          stand.canvas().cell_rect(index, 2, 0).center().toPoint());
        QCOMPARE(stand.selection().key, Index(2));
        QCOMPARE(stand.selection().query, Index(3));
    }

    void hovered_operands_are_linked() {
        Session session = small_session();
        session.view.selection.stage = "scores";
        const Stand<StagesView> stand(session);
        const auto& panels = stand.canvas().figure()->panels;
        // Whatever way round an operand lies, its cells are those of its stage.
        for (std::size_t i = 0; i < panels.size(); ++i) {
            const auto place =
                stand.canvas().place_at(stand.canvas().cell_rect(static_cast<Index>(i), 3, 1).center());
            QVERIFY(place);
            QCOMPARE(*place->row, Index(3));
            QCOMPARE(*place->column, Index(1));
        }
    }

    void heads_are_dealt_as_the_window_has_room() {
        const Stand<HeadsView> stand(small_session("multi_head"));
        Figure figure = *stand.canvas().figure();
        figure.panels.resize(4);
        figure.columns = 2;
        const auto rows_in = [&figure](const QRectF& area) {
            const ShownFigure shown(figure, Zoom(), area, 96 / 72.0);
            std::set<double> tops;
            for (Index i = 0; i < shown.panel_count(); ++i)
                tops.insert(shown.panel_layout(i).cells.top());
            return tops.size();
        };
        QCOMPARE(rows_in({0, 0, 1000, 260}), std::size_t(1));
        QCOMPARE(rows_in({0, 0, 700, 640}), std::size_t(2));
    }

    void behind_the_heads_all_of_them_are_offered_as_one_map() {
        const Stand<HeatmapView> stand(small_session("multi_head"));
        auto* heads = stand.view->findChild<QComboBox*>(QStringLiteral("head-choice"));
        QCOMPARE(heads->itemText(8), QStringLiteral("Mean of 8 heads"));
        emit heads->activated(9);
        QCOMPARE(heads->currentText(), QStringLiteral("Largest of 8 heads"));
        QCOMPARE(stand.canvas().figure()->panels[0].title, std::string("Weights, largest of 8 heads"));
        emit heads->activated(2);
        QCOMPARE(heads->currentText(), QStringLiteral("Head 3 of 8"));
        QCOMPARE(stand.canvas().figure()->panels[0].title, std::string("Weights, head 3 of 8"));
        // The arithmetic of a head is that of one.
        const Stand<StagesView> stages(small_session("multi_head"));
        QCOMPARE(stages.view->findChild<QComboBox*>(QStringLiteral("head-choice"))->count(), 8);
    }

    void one_head_needs_no_choice() {
        const Stand<HeatmapView> stand(small_session());
        QVERIFY(!stand.view->findChild<QComboBox*>(QStringLiteral("head-choice"))->isVisible());
    }

    void all_heads_share_a_scale_and_a_click_enlarges_one() {
        const Stand<HeadsView> stand(small_session("multi_head"));
        const Figure& figure = *stand.canvas().figure();
        QCOMPARE(static_cast<Index>(figure.panels.size()), stand.document.run()->plan->heads);
        for (const Panel& panel : figure.panels)
            QCOMPARE(panel.scale, figure.panels[0].scale);
        QTest::mouseClick(&stand.canvas(), Qt::LeftButton, {},
                          stand.canvas().cell_rect(2, 1, 3).center().toPoint());
        QCOMPARE(stand.document.session().view.view, ViewKind::heatmap);
        QCOMPARE(stand.selection(), (Selection{"", "weights", 2, 1, 3, 0}));
    }

    void a_hovered_cell_is_marked_in_every_head() {
        const Stand<HeadsView> stand(small_session("multi_head"));
        const QImage before = stand.canvas().grab().toImage();
        stand.hover(stand.canvas().cell_rect(0, 1, 2).center().toPoint());
        const QImage after = stand.canvas().grab().toImage();
        for (Index head = 0; head < stand.document.run()->plan->heads; ++head) {
            const QPoint edge = stand.canvas().cell_rect(head, 1, 2).topLeft().toPoint() + QPoint(4, 0);
            QVERIFY2(before.pixel(edge) != after.pixel(edge), qPrintable(QString::number(head)));
        }
    }

    void rows_arrive_one_by_one() {
        Session session = small_session("causal");
        const Stand<StepsView> stand(session);
        for (Index step = 0; step < 4; ++step) {
            ViewState settings = with_view(stand.document, ViewKind::steps);
            settings.decoding_step = step;
            const_cast<Document&>(stand.document).looking().look_at(settings);
            const Panel& panel = stand.canvas().figure()->panels[0];
            QCOMPARE(*panel.newest_row, step);
            QVERIFY(!panel.forbidden.empty());
        }
    }

    void every_view_paints_in_every_theme_data() {
        QTest::addColumn<int>("theme");
        for (const FigureTheme theme : window_themes())
            QTest::newRow(theme_row(theme).word) << int(theme);
    }
    void every_view_paints_in_every_theme() {
        QFETCH(int, theme);
        Session session = small_session("multi_head");
        session.view.theme = FigureTheme(theme);
        const Stand<HeatmapView> heatmap(session);
        const Stand<HeadsView> heads(session);
        const Stand<StepsView> steps(session);
        const Stand<LinesView> lines(session);
        const Stand<StagesView> stages(session);
        for (const QWidget* view :
             std::initializer_list<const QWidget*>{heatmap.view.get(), heads.view.get(), steps.view.get(),
                                                   lines.view.get(), stages.view.get()}) {
            const QImage image = const_cast<QWidget*>(view)->grab().toImage();
            QVERIFY(image.size().width() >= 1000);
            const QColor paper = image.pixelColor(image.width() / 2, image.height() - 150);
            QVERIFY(paper.isValid());
        }
    }
};

QTEST_MAIN(ViewsTest)

}  // namespace headlight::views_test

#include "views_test.moc"

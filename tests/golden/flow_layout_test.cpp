// Maps of parts: no two meet, no text is cut or lies over another, and every part is found where it stands.

#include "core/figure/build_figure.h"
#include "tests/golden/drawn_widths.h"
#include "tests/support/sample_traces.h"
#include "ui/render/figure_style.h"
#include "ui/render/flow_plan.h"
#include "ui/render/smallest_text.h"

#include <QLineF>
#include <QPainterPath>
#include <QPen>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace headlight::flow_layout_test {

using drawn_widths::Drawn;
using drawn_widths::drawn_at;

namespace {

/// Two stacks of so many layers, over texts of so many words.
Trace translation(Index layers, Index source, Index target) {
    std::vector<Stage> stages;
    const auto add = [&](const std::string& site, Index queries, Index keys) {
        stages.push_back({site, "weights", {Axis::head, Axis::query, Axis::key}, {2, queries, keys}});
    };
    for (Index layer = 0; layer < layers; ++layer)
        add("encoder." + std::to_string(layer) + ".self", source, source);
    for (Index layer = 0; layer < layers; ++layer) {
        add("decoder." + std::to_string(layer) + ".self", target, target);
        add("decoder." + std::to_string(layer) + ".cross", target, source);
    }
    Trace trace(std::move(stages));
    const auto words = [](const char* word, Index count) {
        std::vector<std::string> all;
        for (Index at = 0; at < count; ++at)
            all.push_back(word + std::to_string(at + 1));
        return all;
    };
    for (const Stage& stage : trace.stages()) {
        std::size_t at = 0;
        for (double& number : trace.values(stage))
            number = 0.1 + 0.9 * std::abs(std::sin(static_cast<double>(++at)));
        const bool is_read = stage.site.starts_with("encoder"), is_cross = stage.site.ends_with("cross");
        trace.joined_tokens[stage.site].query = is_read ? words("river", source) : words("Fluss", target);
        trace.joined_tokens[stage.site].key =
            is_read || is_cross ? words("river", source) : words("Fluss", target);
    }
    return trace;
}

Figure map_of(const Trace& trace, FigureTheme theme, const std::string& site = "") {
    ViewSettings settings;
    settings.view = ViewKind::map;
    settings.theme = theme;
    settings.selection.site = site;
    settings.selection.query = 2;
    return build_figure(trace, settings);
}

struct Sample {
    const char* name;
    Trace trace;
    std::string site;
};

std::vector<Sample> samples_of_maps() {
    return {{"stages", samples::sentence(), ""},
            {"one layer", translation(1, 6, 4), "decoder.0.cross"},
            {"own text", translation(2, 6, 5), "decoder.1.self"},
            {"encoder", translation(2, 6, 5), "encoder.1.self"},
            {"folded", translation(9, 30, 12), "decoder.4.cross"},
            {"long", translation(2, 64, 64), "decoder.1.cross"},
            {"one word", translation(1, 1, 1), "decoder.0.cross"}};
}

/// A box and the frame around it are no two parts that meet.
bool is_around(const Flow& flow, std::size_t one, std::size_t other) {
    return flow.nodes[one].inside == static_cast<Index>(other) ||
           flow.nodes[other].inside == static_cast<Index>(one);
}

/// So many stages one after another, the last of which also needs the first.
Flow long_flow(Index stages) {
    Flow flow;
    flow.pitch = 3;
    flow.lines = 5;
    flow.gaps.assign(static_cast<std::size_t>(stages), 1.6);
    for (Index stage = 0; stage < stages; ++stage) {
        Flow::Node node;
        node.title = "A stage";
        node.shape = "8 × 12 × 12";
        node.column = stage;
        node.line = 1;
        node.height = 2;
        flow.nodes.push_back(node);
        if (stage > 0)
            flow.edges.push_back({stage - 1, stage});
    }
    Flow::Edge far{0, stages - 1};
    far.via.assign(static_cast<std::size_t>(stages - 2), 4);
    flow.edges.push_back(far);
    return flow;
}

void compare_parts(const Flow& flow, const PanelLayout& place) {
    QCOMPARE(place.parts.size(), flow.nodes.size());
    for (std::size_t one = 0; one < place.parts.size(); ++one) {
        QVERIFY2(place.cells.adjusted(-1, -1, 1, 1).contains(place.parts[one]),
                 flow.nodes[one].title.c_str());
        for (std::size_t other = 0; other < one; ++other)
            QVERIFY2(is_around(flow, one, other) || !place.parts[one].intersects(place.parts[other]),
                     flow.nodes[one].title.c_str());
    }
}

}  // namespace

class FlowLayoutTest : public QObject {
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    void parts_and_texts_are_apart_data() {
        QTest::addColumn<int>("sample");
        QTest::addColumn<double>("width");
        QTest::addColumn<FigureTheme>("theme");
        const std::vector<Sample> all = samples_of_maps();
        for (int sample = 0; sample < int(all.size()); ++sample)
            for (const double width : {85.0, 180.0, 420.0})
                for (const FigureTheme theme :
                     {FigureTheme::paper, FigureTheme::light, FigureTheme::dark, FigureTheme::projector})
                    QTest::addRow("%s, %d mm, theme %d", all[std::size_t(sample)].name, int(width),
                                  int(theme))
                        << sample << width << theme;
    }
    void parts_and_texts_are_apart() {
        QFETCH(int, sample);
        QFETCH(double, width);
        QFETCH(FigureTheme, theme);
        const Sample shown = samples_of_maps()[std::size_t(sample)];
        const Figure figure = map_of(shown.trace, theme, shown.site);
        const Flow& flow = *figure.panels.front().flow;
        const Drawn drawn = drawn_at(figure, width);
        compare_parts(flow, drawn.layout.panels.front());
        for (std::size_t at = 0; at < drawn.texts.size(); ++at) {
            const QRectF area = drawn.texts[at].area.boundingRect();
            QVERIFY2(drawn.layout.area.contains(area), qPrintable(drawn.texts[at].text));
            const bool is_of_map = drawn.layout.panels.front().cells.contains(area.center());
            QVERIFY2(!is_of_map || !drawn.texts[at].text.contains(QChar(u'…')),
                     qPrintable(drawn.texts[at].text));
            for (std::size_t other = 0; other < at; ++other)
                QVERIFY2(!area.intersects(drawn.texts[other].area.boundingRect()),
                         qPrintable(drawn.texts[at].text));
        }
    }

    void text_on_a_screen_is_large_enough() {
        constexpr double unit = 96.0 / 72;
        for (const QSizeF size : {QSizeF(700, 480), QSizeF(1000, 700), QSizeF(560, 440)}) {
            for (const Sample& sample : samples_of_maps()) {
                const Figure figure = map_of(sample.trace, FigureTheme::light, sample.site);
                const FittedLayout fitted = fit_layout(figure, QRectF(QPointF(), size), unit);
                const auto smallest = smallest_shrunk_text(figure, fitted.layout, fitted.unit);
                QVERIFY(smallest);
                const double pixels = *smallest * fitted.unit;
                QVERIFY2(pixels >= 9, qPrintable(QString::number(pixels) + QLatin1String(sample.name)));
            }
        }
    }

    void all_text_of_a_map_grows_with_a_large_window() {
        constexpr double unit = 96.0 / 72, largest = 28, rounding = 0.5;
        for (const Sample& sample : samples_of_maps()) {
            const Figure figure = map_of(sample.trace, FigureTheme::light, sample.site);
            const QRectF small(0, 0, 420, 300), large(0, 0, 3000, 1900);
            QVERIFY2(fit_layout(figure, small, unit).unit <= unit, sample.name);
            const FittedLayout fitted = fit_layout(figure, large, unit);
            QVERIFY2(fitted.unit >= 1.4 * unit, sample.name);
            compare_parts(*figure.panels.front().flow, fitted.layout.panels.front());
            TextRecorder recorder(large.size().toSize());
            QPainter painter(&recorder);
            paint_figure(painter, figure, fitted.layout, fitted.unit);
            painter.end();
            for (const PaintedText& each : recorder.texts()) {
                QVERIFY2(each.pixels <= largest + rounding, qPrintable(each.text));
                QVERIFY2(large.contains(each.area.boundingRect()), qPrintable(each.text));
            }
        }
        // In print, and where a person has chosen a size, text has the size that it is given.
        const Figure printed = map_of(translation(1, 6, 4), FigureTheme::paper, "decoder.0.cross");
        QCOMPARE(fit_layout(printed, QRectF(0, 0, 3000, 1900), unit).unit, unit);
    }

    /// Type is rounded to whole units of a device, which must not decide where rows end.
    void a_flow_has_one_form_at_every_resolution() {
        std::vector<Figure> figures;
        for (const Sample& sample : samples_of_maps())
            figures.push_back(map_of(sample.trace, FigureTheme::paper, sample.site));
        for (const Index stages : {5, 9, 16}) {
            figures.push_back(map_of(samples::sentence(), FigureTheme::paper));
            figures.back().panels.front().flow = std::make_shared<const Flow>(long_flow(stages));
        }
        for (const Figure& figure : figures)
            for (const double width : {170, 240, 290, 340, 480}) {
                const QSizeF size(width, natural_height(figure, width));
                const auto form_at = [&](double unit) {
                    return layout_figure(figure, QRectF(QPointF(), unit * size), unit)
                        .panels.front()
                        .flow_form;
                };
                const FlowForm form = form_at(fine_units);
                for (const double dpi : {72, 96, 150, 300})
                    QVERIFY2(form_at(dpi / 72) == form,
                             qPrintable(QStringLiteral("%1 points at %2 dpi").arg(width).arg(dpi)));
            }
    }

    void long_flows_go_on_below() {
        constexpr double unit = 96.0 / 72;
        const FigureStyle& style = figure_style(FigureTheme::light);
        const Flow flow = long_flow(16);
        for (const QSizeF size : {QSizeF(700, 480), QSizeF(1000, 700), QSizeF(1200, 500)}) {
            const FlowPlan plan = flow_in_room(flow, size, style, unit);
            QVERIFY(plan.form().rows > 1 || plan.form().goes_down);
            QVERIFY(plan.fits(size));
            QVERIFY2(plan.size() >= 0.9 * style.label * unit, qPrintable(QString::number(plan.size())));
            const QRectF area(QPointF(10, 20), size);
            const std::vector<QRectF> boxes = plan.boxes(area);
            for (std::size_t one = 0; one < boxes.size(); ++one) {
                QVERIFY(area.contains(boxes[one]));
                for (std::size_t other = 0; other < one; ++other)
                    QVERIFY(!boxes[one].intersects(boxes[other]));
            }
            for (const Flow::Edge& edge : flow.edges) {
                const QPainterPath way = plan.way(edge, area, 0);
                QVERIFY(
                    area.contains(way.boundingRect().adjusted(-0.1, -0.1, 0.1, 0.1)));  // one may be a line
                QVERIFY(QLineF(way.currentPosition(), plan.tip(edge, area).point).length() < 0.01);
                const QPainterPath drawn = QPainterPathStroker(QPen(Qt::black, 0.5)).createStroke(way);
                for (std::size_t node = 0; node < boxes.size(); ++node) {
                    const bool is_end = Index(node) == edge.from || Index(node) == edge.to;
                    QVERIFY(is_end || !drawn.intersects(boxes[node].adjusted(1, 1, -1, -1)));
                }
            }
        }
    }

    void what_only_passes_a_row_goes_down_beside_it() {
        const Flow flow = long_flow(9);
        const auto extents =
            std::make_shared<const FlowExtents>(flow, figure_style(FigureTheme::light).family);
        const FlowPlan plan(flow, extents, 10, {.rows = 3});
        const QRectF area(0, 0, plan.width(), plan.height());
        const std::vector<QRectF> boxes = plan.boxes(area);
        const FlowRows rows(flow, 3, std::vector<double>(9, 1), std::vector<double>(9, 1));
        QCOMPARE(rows.first(1), Index(3));
        QCOMPARE(rows.next_column(flow, flow.edges.back(), 2), Index(6));
        QCOMPARE(rows.next_column(flow, flow.edges.front(), 0), Index(1));
        QVERIFY2(rows.lines(1) < rows.lines(0), "room for what passes beside it");
        const QPainterPath way = plan.way(flow.edges.back(), area, 0);
        QVERIFY(area.contains(way.boundingRect()));
        const QRectF& passed = boxes[3];
        for (int at = 0; at <= 1000; ++at) {
            const QPointF point = way.pointAtPercent(at / 1000.0);
            const bool is_in_row = point.y() > passed.top() && point.y() < passed.bottom();
            QVERIFY2(!is_in_row || point.x() < passed.left(), qPrintable(QString::number(point.x())));
        }
    }

    void short_flows_stay_in_one_row() {
        const Flow flow = long_flow(4);
        const FlowPlan plan =
            flow_in_room(flow, QSizeF(1000, 500), figure_style(FigureTheme::light), 96.0 / 72);
        QCOMPARE(plan.form(), FlowForm());
    }

    void parts_move_closer_before_words_are_small() {
        constexpr double unit = 96.0 / 72;
        const FigureStyle& style = figure_style(FigureTheme::light);
        const Figure figure = map_of(translation(2, 6, 5), FigureTheme::light, "decoder.1.cross");
        const Flow& flow = *figure.panels.front().flow;
        const auto extents = std::make_shared<const FlowExtents>(flow, style.family);
        const double label = std::round(style.label * unit);
        const double wide = FlowPlan(flow, extents, label, {}).width() + 1,
                     narrow = FlowPlan(flow, extents, label, {.is_dense = true}).width() + 1;
        QVERIFY(narrow < 0.9 * wide);
        const FlowPlan spread = flow_in_room(flow, QSizeF(wide, 600), style, unit),
                       dense = flow_in_room(flow, QSizeF(narrow, 600), style, unit);
        QCOMPARE(spread.form(), FlowForm());
        QVERIFY(dense.form().is_dense);
        for (const FlowPlan* plan : {&spread, &dense})
            QVERIFY2(plan->size() >= 0.9 * label, qPrintable(QString::number(plan->size())));
    }

    /// A width in which dense columns leave words a pixel smaller.
    void columns_are_tight_where_words_gain_by_it() {
        constexpr double unit = 96.0 / 72;
        const FigureStyle& style = figure_style(FigureTheme::light);
        const Figure figure = map_of(translation(2, 6, 5), FigureTheme::light, "decoder.1.cross");
        const Flow& flow = *figure.panels.front().flow;
        const auto extents = std::make_shared<const FlowExtents>(flow, style.family);
        const double small = std::ceil(0.9 * style.label * unit) - 1;  // to be read with effort
        const double width = FlowPlan(flow, extents, small, {.is_dense = true}).width() - 1;
        const FlowPlan plan = flow_in_room(flow, QSizeF(width, 600), style, unit);
        QVERIFY(plan.form().is_tight && plan.fits(QSizeF(width, 600)));
        QVERIFY2(plan.size() >= small, qPrintable(QString::number(plan.size())));
        const std::vector<QRectF> boxes = plan.boxes(QRectF(0, 0, width, 600));
        for (const Flow::Edge& edge : flow.edges)
            if (const Index from = flow_node(flow, edge.from).column, to = flow_node(flow, edge.to).column;
                from < to)
                QVERIFY2(boxes[std::size_t(edge.from)].right() + 0.9 * plan.size() <
                             boxes[std::size_t(edge.to)].left(),
                         "an arrow needs a way");
    }

    void what_a_model_says_stays_where_sizes_are_left_out() {
        Flow flow;
        flow.gaps = {0, 1};
        flow.lines = 2;
        Flow::Node states, said;
        states.title = "States";
        states.shape = "6 × 256";
        states.line = said.line = 1;
        states.height = said.height = 2;
        said.title = "Word said";
        said.shape = "“chat” 1.00";
        said.column = 1;
        said.is_answer = true;
        flow.nodes = {states, said};
        const FigureStyle style = figure_style(FigureTheme::light);
        const auto extents = std::make_shared<const FlowExtents>(flow, style.family);
        for (const bool has_shapes : {true, false}) {
            const FlowPlan plan(flow, extents, 10, {.has_shapes = has_shapes});
            QCOMPARE(plan.has_second_line(flow.nodes[0]), has_shapes);
            QVERIFY(plan.has_second_line(flow.nodes[1]));
            const QRectF box = plan.box(1, QRectF(0, 0, 1000, 100));
            QVERIFY(box.width() >= 10 * extents->shape_width(1));
        }
    }

    void flows_are_folded_where_the_words_gain_much() {
        constexpr double unit = 96.0 / 72;
        const FigureStyle& style = figure_style(FigureTheme::light);
        const Flow flow = long_flow(9);
        const auto plan_in = [&](double width, double height) {
            return flow_in_room(flow, QSizeF(width, height), style, unit);
        };
        // As wide as one row of readable words needs: in a low room it stays one, a high one has two.
        double width = 300;
        while (plan_in(width, 120).form().rows > 1 || plan_in(width, 120).form().goes_down ||
               plan_in(width, 120).size() < 0.9 * style.label * unit)
            width += 20;
        const FlowPlan low = plan_in(width, 120), high = plan_in(width, 600);
        QVERIFY(low.size() < 1.2 * style.label * unit);
        QVERIFY(high.form().rows > 1 || high.form().goes_down);
        QVERIFY2(high.size() >= 1.25 * low.size(), qPrintable(QString::number(high.size())));
        QVERIFY(high.fits(QSizeF(width, 600)));
    }

    void rows_are_about_as_wide() {
        const Flow flow = long_flow(6);
        const std::vector<double> gaps(6, 1);
        const FlowRows rows(flow, 2, {10, 1, 1, 1, 1, 1}, gaps);
        QCOMPARE(rows.first(1), Index(1));
        QCOMPARE(rows.last(1), Index(5));
        QCOMPARE(rows.most_columns(), Index(5));
        QCOMPARE(rows.place_in_row(3), Index(2));
        QCOMPARE(rows.crossing(0), (std::vector<Index>{0, 5}));  // the stage's own line is the higher one
        const FlowRows even(flow, 3, {2, 2, 2, 2, 2, 2}, gaps);
        QCOMPARE(even.first(1), Index(2));
        QCOMPARE(even.first(2), Index(4));
    }

    void every_part_is_found() {
        const Figure figure = map_of(samples::sentence(), FigureTheme::light);
        const FittedLayout fitted = fit_layout(figure, QRectF(0, 0, 900, 600), 96.0 / 72);
        const Flow& flow = *figure.panels.front().flow;
        const std::vector<QRectF>& parts = fitted.layout.panels.front().parts;
        for (std::size_t node = 0; node < parts.size(); ++node) {
            const auto hit = hit_test(figure, fitted.layout, parts[node].center());
            QVERIFY(hit && hit->row);
            QCOMPARE(flow_node(flow, *hit->row).title, flow.nodes[node].title);
        }
        const auto beside = hit_test(figure, fitted.layout, fitted.layout.panels.front().cells.topLeft());
        QVERIFY(!beside || !beside->row);
    }
};

QTEST_MAIN(FlowLayoutTest)

}  // namespace headlight::flow_layout_test

#include "flow_layout_test.moc"

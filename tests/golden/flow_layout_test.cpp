// Maps of parts: no two meet, no text is cut or lies over another, and every part is found where it stands.

#include "tests/golden/drawn_widths.h"
#include "tests/support/sample_traces.h"
#include "ui/render/figure_style.h"
#include "ui/render/smallest_text.h"

#include <QTest>

#include <algorithm>

namespace headlight::flow_layout_test {

using drawn_widths::Drawn;
using drawn_widths::drawn_at;

namespace {

Figure map_of(FigureTheme theme) {
    return drawn_widths::figure_of(samples::sentence(), ViewKind::map, theme);
}

/// A box and the frame around it are no two parts that meet.
bool is_around(const Flow& flow, std::size_t one, std::size_t other) {
    return flow.nodes[one].inside == static_cast<Index>(other) ||
           flow.nodes[other].inside == static_cast<Index>(one);
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
        QTest::addColumn<double>("width");
        QTest::addColumn<FigureTheme>("theme");
        for (const double width : {85.0, 180.0, 420.0})
            for (const FigureTheme theme :
                 {FigureTheme::paper, FigureTheme::light, FigureTheme::dark, FigureTheme::projector})
                QTest::addRow("%d mm, theme %d", int(width), int(theme)) << width << theme;
    }
    void parts_and_texts_are_apart() {
        QFETCH(double, width);
        QFETCH(FigureTheme, theme);
        const Figure figure = map_of(theme);
        const Flow& flow = *figure.panels.front().flow;
        const Drawn drawn = drawn_at(figure, width);
        compare_parts(flow, drawn.layout.panels.front());
        for (std::size_t at = 0; at < drawn.texts.size(); ++at) {
            const QRectF area = drawn.texts[at].area.boundingRect();
            QVERIFY2(drawn.layout.area.contains(area), qPrintable(drawn.texts[at].text));
            QVERIFY2(!drawn.texts[at].text.contains(QChar(u'…')), qPrintable(drawn.texts[at].text));
            for (std::size_t other = 0; other < at; ++other)
                QVERIFY2(!area.intersects(drawn.texts[other].area.boundingRect()),
                         qPrintable(drawn.texts[at].text));
        }
    }

    void text_on_a_screen_is_large_enough() {
        constexpr double unit = 96.0 / 72;
        for (const QSizeF size : {QSizeF(700, 480), QSizeF(1000, 700), QSizeF(480, 400)}) {
            const Figure figure = map_of(FigureTheme::light);
            const FittedLayout fitted = fit_layout(figure, QRectF(QPointF(), size), unit);
            const auto smallest = smallest_shrunk_text(figure, fitted.layout, fitted.unit);
            QVERIFY(smallest);
            QVERIFY2(*smallest * fitted.unit >= 9, qPrintable(QString::number(*smallest * fitted.unit)));
        }
    }

    void every_part_is_found() {
        const Figure figure = map_of(FigureTheme::light);
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

// The pictures of the whole catalogue: every name is there, whole and apart from the others.

#include "core/catalog/mechanism.h"
#include "core/figure/catalogue_figures.h"
#include "core/figure/catalogue_walk.h"
#include "tests/golden/drawn_widths.h"
#include "ui/render/export.h"
#include "ui/render/named_places.h"
#include "ui/render/names_plan.h"
#include "ui/render/painter.h"

#include <QTest>

#include <algorithm>
#include <cmath>

namespace headlight::catalogue_pictures_test {

using drawn_widths::Drawn;
using drawn_widths::drawn_at;

namespace {

void compare_texts(const Drawn& drawn, const QByteArray& place) {
    for (std::size_t at = 0; at < drawn.texts.size(); ++at) {
        const QRectF area = drawn.texts[at].area.boundingRect();
        const QByteArray text = place + ": " + drawn.texts[at].text.toUtf8();
        QVERIFY2(drawn.layout.area.contains(area), text);
        for (std::size_t other = 0; other < at; ++other)
            QVERIFY2(!area.intersects(drawn.texts[other].area.boundingRect()), text);
    }
}

}  // namespace

class CataloguePicturesTest : public QObject {
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    void names_are_apart_data() {
        QTest::addColumn<double>("width");
        QTest::addColumn<FigureTheme>("theme");
        for (const double width : {297.0, 420.0, 700.0})
            for (const FigureTheme theme : {FigureTheme::paper, FigureTheme::dark})
                QTest::addRow("%d mm, theme %d", int(width), int(theme)) << width << theme;
    }
    void names_are_apart() {
        QFETCH(double, width);
        QFETCH(FigureTheme, theme);
        const Figure timeline = timeline_figure(mechanisms(), theme);
        std::size_t lines = 0;
        const NameTable& table = *timeline.panels.front().names;
        for (const NameTable::Name& each : table.names)
            lines += each.lines.size();
        const Drawn drawn = drawn_at(timeline, width);
        QVERIFY(drawn.texts.size() >= lines + table.row_titles.size() + table.column_titles.size());
        compare_texts(drawn, "timeline");
        const Figure tree = family_tree_figure(mechanisms(), theme);
        const Drawn drawn_tree = drawn_at(tree, width);
        QVERIFY(drawn_tree.texts.size() >= 2 * mechanisms().size());
        compare_texts(drawn_tree, "tree");
    }

    /// As a click in the window finds it.
    void each_name_stands_where_it_is_said_to_stand_data() { names_are_apart_data(); }
    void each_name_stands_where_it_is_said_to_stand() {
        QFETCH(double, width);
        QFETCH(FigureTheme, theme);
        for (const CataloguePicture& picture : catalogue_pictures()) {
            const Figure figure = picture.build(mechanisms(), theme);
            const Drawn drawn = drawn_at(figure, width);
            const Panel& panel = figure.panels.front();
            const std::vector<QRectF> places =
                named_places(drawn_in_width(figure, width * points_per_mm), drawn.layout, drawn_widths::unit);
            QCOMPARE(std::ssize(places), name_count(panel));
            for (Index name = 0; name < name_count(panel); ++name) {
                const std::vector<std::string> lines =
                    panel.tree ? std::vector{panel.tree->nodes[static_cast<std::size_t>(name)].word}
                               : panel.names->names[static_cast<std::size_t>(name)].lines;
                for (const std::string& line : lines) {
                    // Letters of several alphabets are painted one after another.
                    const auto is_part = [&](const PaintedText& text) {
                        return QString::fromStdString(line).contains(text.text) &&
                               places[static_cast<std::size_t>(name)].contains(
                                   text.area.boundingRect().center());
                    };
                    QVERIFY2(std::ranges::any_of(drawn.texts, is_part), line.c_str());
                }
            }
            if (panel.tree) {  // no strip is blank beside it or below
                QRectF all;
                for (const QRectF& place : places)
                    all |= place;
                const QRectF& cells = drawn.layout.panels.front().cells;
                QVERIFY(std::abs(all.right() - cells.right()) < 1 &&
                        std::abs(all.bottom() - cells.bottom()) < 1);
            }
            constexpr double rounding = 0.1;
            for (std::size_t at = 0; at < places.size(); ++at)
                for (std::size_t other = 0; other < at; ++other)
                    QVERIFY(!places[at]
                                 .adjusted(rounding, rounding, -rounding, -rounding)
                                 .intersects(places[other]));
        }
    }

    void a_name_of_several_lines_is_seen_to_be_one() {
        const Figure figure = timeline_figure(mechanisms(), FigureTheme::paper);
        const NameTable& table = *figure.panels.front().names;
        const NamesPlan plan(table, drawn_widths::unit, {});
        const QRectF area(QPointF(), QSizeF(plan.width(), plan.height()));
        for (const NameTable::Name& name : table.names)
            for (std::size_t line = 1; line < name.lines.size(); ++line) {
                const QRectF first = plan.line(name, 0, area), further = plan.line(name, line, area);
                QVERIFY2(further.left() > first.left() + 0.5 * plan.size(), name.id.c_str());
                QCOMPARE(further.right(), first.right());
            }
    }

    void nothing_is_blank_below_the_timeline_in_its_own_size_data() {
        QTest::addColumn<FigureTheme>("theme");
        for (const FigureTheme theme :
             {FigureTheme::light, FigureTheme::dark, FigureTheme::paper, FigureTheme::projector})
            QTest::addRow("theme %d", int(theme)) << theme;
    }
    void nothing_is_blank_below_the_timeline_in_its_own_size() {
        QFETCH(FigureTheme, theme);
        const Figure figure = timeline_figure(mechanisms(), theme);
        const QSizeF whole = natural_size(figure) * drawn_widths::unit;
        const FigureLayout layout = layout_figure(figure, QRectF(QPointF(), whole), drawn_widths::unit);
        const QRectF& cells = layout.panels.front().cells;
        double bottom = 0;
        for (const QRectF& place : named_places(figure, layout, drawn_widths::unit))
            bottom = std::max(bottom, place.bottom());
        QVERIFY2(cells.bottom() - bottom < 0.05 * cells.height(),
                 qPrintable(QString::number((cells.bottom() - bottom) / cells.height())));
    }

    void are_legible_in_the_size_that_nobody_asked_for() {
        for (const Figure& figure : {timeline_figure(mechanisms(), FigureTheme::paper),
                                     family_tree_figure(mechanisms(), FigureTheme::paper)}) {
            QCOMPARE(missing_room(figure, ExportFormat::pdf, {}), std::string());
            QCOMPARE(illegible_text(figure, ExportFormat::pdf, {}), std::string());
            const QByteArray svg = export_figure(figure, ExportFormat::svg, {});
            for (const Mechanism& each : {mechanism("window"), mechanism("rope"), mechanism("kda")}) {
                const QString word = QString::fromStdString(each.name).section(QChar(' '), 0, 0);
                QVERIFY2(svg.contains(word.toUtf8()), qPrintable(word));
            }
        }
    }
};

QTEST_MAIN(CataloguePicturesTest)

}  // namespace headlight::catalogue_pictures_test

#include "catalogue_pictures_test.moc"

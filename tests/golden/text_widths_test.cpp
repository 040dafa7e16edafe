// What is written in figures of every width: titles, numbers and labels are whole or left out and said, and
// keep clear of one another.

#include "tests/golden/drawn_widths.h"
#include "tests/support/sample_traces.h"
#include "tests/support/test_file.h"
#include "ui/render/export.h"
#include "ui/render/figure_style.h"

#include <QPainter>
#include <QTest>

#include <utility>

namespace headlight::text_widths_test {

using drawn_widths::compared;
using drawn_widths::Drawn;
using drawn_widths::drawn_at;
using drawn_widths::figure_of;
using drawn_widths::layout_in;
using drawn_widths::unit;

namespace {

/// Three steps of a decoder.
Figure strip_of_steps() {
    Figure figure =
        figure_of(samples::band(9, 9), ViewKind::heatmap, FigureTheme::paper, {"head=1", "head=1", "head=1"});
    for (std::size_t at = 0; at < 3; ++at) {
        Panel& panel = figure.panels[at];
        panel.title = "Step " + std::to_string(2 * at + 2);
        panel.newest_row = static_cast<Index>(2 * at + 1);
        panel.forbidden.clear();
        for (std::size_t row = 0; row < 9; ++row)
            panel.row_axis.labels[row] = "w" + std::to_string(row);
    }
    return figure;
}

}  // namespace

class TextWidthsTest : public QObject {
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    /// As the note says that stands below, and as the labels of a matrix do.
    void an_unknown_word_of_a_text_lies_over_dots() {
        Figure figure = figure_of(samples::band(5, 5), ViewKind::text, FigureTheme::paper);
        ExportOptions options;
        options.width_mm = 100;
        const QImage known = render_image(figure, options);
        figure.panels.front().column_axis.marked = {false, true, false, false, false};
        const QImage unknown = render_image(figure, options);
        QCOMPARE(unknown.size(), known.size());
        const QRectF token = layout_in(figure, 100).panels.front().tokens[1];
        const double pixels = options.dpi / 72 / unit;
        const QRect there = QRectF(token.topLeft() * pixels, token.size() * pixels).toAlignedRect();
        QVERIFY(unknown.copy(there) != known.copy(there));
        QCOMPARE(unknown.copy(0, 0, there.left(), unknown.height()),
                 known.copy(0, 0, there.left(), known.height()));
    }

    void a_subtitle_of_single_words_is_left_out_and_said() {
        Figure figure = figure_of(samples::sentence(), ViewKind::heatmap, FigureTheme::paper,
                                  {"head=1", "head=2", "head=3"});
        figure.columns_are_asked = true;
        const std::string subtitle = "softmax of each row";
        QCOMPARE(figure.panels.front().subtitle, subtitle);
        ExportOptions options;
        options.dpi = 72 * unit;
        int whole = 0, left_out = 0;
        for (double mm = 45; mm <= 178; mm += 7) {
            options.width_mm = mm;
            const Drawn drawn = drawn_at(figure, mm);
            const auto subtitles = std::ranges::count_if(drawn.texts, [](const PaintedText& each) {
                return each.text.startsWith(QLatin1String("soft"));
            });
            const bool is_said =
                given_way(figure, options).find("No room for the subtitle \"" + subtitle + '"') !=
                std::string::npos;
            QVERIFY2(subtitles == (is_said ? 0 : 3), QByteArray::number(mm));
            for (const PanelLayout& place : drawn.layout.panels)
                QVERIFY2(place.subtitle_lines.size() <= 2, QByteArray::number(mm));
            ++(is_said ? left_out : whole);
        }
        QVERIFY(whole > 0 && left_out > 0);
    }

    void titles_keep_clear_of_what_stands_below_them() {
        Figure figure = figure_of(samples::sentence(), ViewKind::heatmap, FigureTheme::paper,
                                  {"stage=scores", "stage=weights", "stage=exponentials"});
        figure.columns_are_asked = true;
        int seen = 0;
        for (double mm = 45; mm <= 120; mm += 3) {
            const Drawn drawn = drawn_at(figure, mm);
            for (const PanelLayout& place : drawn.layout.panels) {
                const QRectF above(place.title.topLeft(), QPointF(place.title.right(), place.cells.top()));
                QList<QRectF> areas;
                for (const PaintedText& each : drawn.texts) {
                    const QRectF area = each.area.boundingRect();
                    if (!above.contains(area.center()))
                        continue;
                    for (const QRectF& other : areas)
                        QVERIFY2(!area.intersects(other), QByteArray::number(mm) + ": " + each.text.toUtf8());
                    areas += area;
                }
                seen += areas.size() > 1;
            }
        }
        QVERIFY(seen > 0);
    }

    void bars_write_both_ends_inside() {
        const Figure figure = compared();
        for (double mm = narrowest_certain_mm; mm <= 220; mm += 5) {
            const Drawn drawn = drawn_at(figure, mm);
            QStringList numbers;
            for (const PaintedText& each : drawn.texts) {
                QVERIFY2(drawn.layout.area.adjusted(-1, -1, 1, 1).contains(each.area.boundingRect()),
                         QByteArray::number(mm) + ' ' + each.text.toUtf8());
                numbers += each.text;
            }
            // Where there is no room for three numbers the ends lose digits, and 0 stays.
            for (const auto& [end, brief] : {std::pair("−0.506", "−0.5"), std::pair("0.506", "0.5")}) {
                const bool is_told = std::ranges::any_of(numbers, [&](const QString& number) {
                    return number.startsWith(QString::fromUtf8(brief));
                });
                const bool may_be_brief = numbers.contains(QStringLiteral("0"));
                QVERIFY2(numbers.contains(QString::fromUtf8(end)) || (is_told && may_be_brief),
                         QByteArray::number(mm) + ": " + numbers.join(u' ').toUtf8());
            }
        }
    }

    void an_upright_bar_has_its_zero_where_that_fits() {
        Figure figure = figure_of(samples::sentence(), ViewKind::heatmap, FigureTheme::paper);
        figure.panels.front().scale = {.map = "diverging", .low = -8.53, .high = 8.53};
        for (const double mm : {57.0, 85.0, 120.0}) {
            const Drawn drawn = drawn_at(figure, mm);
            QStringList numbers;
            for (const PaintedText& each : drawn.texts)
                numbers += each.text;
            const QByteArray at = QByteArray::number(mm) + ": " + numbers.join(u' ').toUtf8();
            QVERIFY2(!drawn.layout.colour_bar.isEmpty(), at);
            QVERIFY2(numbers.contains(QStringLiteral("8.53")), at);
            QVERIFY2(numbers.contains(QStringLiteral("0")) || numbers.contains(QStringLiteral("0.0")), at);
        }
    }

    void no_bar_ends_at_another_number_than_its_range() {
        Figure figure = compared();
        figure.panels[2].scale = {.map = "diverging", .low = -0.529, .high = 0.529};
        for (double mm = narrowest_certain_mm; mm <= 120; mm += 5)
            for (const PaintedText& each : drawn_at(figure, mm).texts)
                QVERIFY2(each.text != QString::fromUtf8("−0.5"), QByteArray::number(mm));
    }

    /// Where the 0 has a stub and no number.
    void numbers_of_ends_keep_apart_beside_a_stub() {
        Figure figure = compared();
        figure.panels[2].scale = {.map = "diverging", .low = -0.447, .high = 0.447};
        for (double mm = narrowest_certain_mm; mm <= 100; mm += 3) {
            const Drawn drawn = drawn_at(figure, mm);
            const auto found = [&](const char* label) {
                return std::ranges::find_if(drawn.texts, [&](const PaintedText& each) {
                    return each.text == QString::fromUtf8(label);
                });
            };
            const auto low = found("−0.447"), high = found("0.447");
            const bool has_zero = found("0") != drawn.texts.end() || found("0.0") != drawn.texts.end();
            if (has_zero || low == drawn.texts.end() || high == drawn.texts.end())
                continue;
            const QRectF below = low->area.boundingRect(), above = high->area.boundingRect();
            QVERIFY2(below.right() < above.left(), QByteArray::number(mm));
        }
    }

    void a_difference_has_numbers_where_the_maps_beside_it_have() {
        Figure figure = figure_of(samples::sentence(), ViewKind::grid, FigureTheme::paper);
        figure.panels.resize(2);
        figure.columns = 2;
        Panel& difference = figure.panels[1];
        std::vector<double> values = difference.values.copy();
        for (double& value : values)
            value = -value;
        difference.values = std::move(values);
        difference.scale = {.map = "diverging", .low = -1, .high = 1};
        difference.is_difference = true;
        for (double mm = narrowest_certain_mm; mm <= 180; mm += 4) {
            const FigureLayout layout = layout_in(figure, mm);
            QVERIFY2(!layout.panels[0].values || layout.panels[1].values, QByteArray::number(mm));
        }
    }

    void a_map_with_a_minus_has_numbers_where_its_difference_has() {
        Figure figure = figure_of(samples::sentence(), ViewKind::grid, FigureTheme::paper);
        figure.panels.resize(2);
        figure.columns = 2;
        figure.panels[1].is_difference = true;
        std::vector<double> values = figure.panels[0].values.copy();
        values.front() = -values.front();
        figure.panels[0].values = std::move(values);
        for (double mm = narrowest_certain_mm; mm <= 180; mm += 4) {
            const FigureLayout layout = layout_in(figure, mm);
            QVERIFY2(!layout.panels[1].values || layout.panels[0].values, QByteArray::number(mm));
        }
    }

    /// −0.001 is written 0.00, and takes no more room than that.
    void a_minus_that_is_not_written_takes_no_room() {
        Figure figure = figure_of(samples::sentence(), ViewKind::grid, FigureTheme::paper);
        figure.panels.resize(2);
        figure.columns = 2;
        for (Panel& panel : figure.panels)
            panel.digits = 2;
        std::vector<double> values = figure.panels[0].values.copy();
        values.front() = -0.001;
        figure.panels[0].values = std::move(values);
        for (double mm = narrowest_certain_mm; mm <= 180; mm += 4) {
            const FigureLayout layout = layout_in(figure, mm);
            QCOMPARE(layout.panels[0].values, layout.panels[1].values);
            QCOMPARE(layout.panels[0].value_size, layout.panels[1].value_size);
        }
    }

    void numbers_stand_apart() {
        const Trace trace = samples::sentence();
        for (const ViewKind view : {ViewKind::compare, ViewKind::statistics, ViewKind::scatter})
            for (const double mm : {40.0, 57.0, 85.0, 100.0, 160.0}) {
                std::vector<PaintedText> numbers =
                    drawn_at(figure_of(trace, view, FigureTheme::paper), mm).texts;
                std::erase_if(numbers, [](const PaintedText& each) {
                    const bool is_number = !each.text.isEmpty() && each.text.back().isDigit();
                    return !is_number || each.area.boundingRect().height() > 1.5 * each.pixels;
                });
                for (std::size_t one = 0; one < numbers.size(); ++one)
                    for (std::size_t other = one + 1; other < numbers.size(); ++other) {
                        const double apart = 0.15 * numbers[one].pixels;
                        const QRectF area = numbers[one].area.boundingRect();
                        const bool are_level =
                            std::abs(numbers[one].baseline.y() - numbers[other].baseline.y()) < 1;
                        QVERIFY2(!are_level || !area.adjusted(-apart, 0, apart, 0)
                                                    .intersects(numbers[other].area.boundingRect()),
                                 qPrintable(QStringLiteral("%1 mm: %2 and %3")
                                                .arg(mm)
                                                .arg(numbers[one].text, numbers[other].text)));
                    }
            }
    }

    /// In a low figure the title of the rows would reach over the caption, and is written shorter.
    void a_title_of_rows_keeps_clear_of_the_caption() {
        Figure figure = figure_of(samples::band(2, 12), ViewKind::heatmap, FigureTheme::paper);
        figure.caption = "Σ: row sums.";
        const auto title_at = [&](double height) {
            const QRectF area(0, 0, unit * 240, unit * height);
            const FigureLayout layout = layout_figure(figure, area, unit);
            TextRecorder recorder(area.size().toSize());
            QPainter painter(&recorder);
            paint_figure(painter, figure, layout, unit);
            painter.end();
            for (const PaintedText& each : recorder.texts()) {
                const QRectF drawn = each.area.boundingRect();
                if (!each.text.startsWith(QLatin1String("query")) || drawn.height() < drawn.width())
                    continue;
                const bool is_clear = drawn.bottom() <= layout.caption.top() + 1;
                return std::pair(each.text, is_clear);
            }
            return std::pair(QString(), false);
        };
        const QString whole = QStringLiteral("query (who looks)"), shorter = QStringLiteral("query");
        QCOMPARE(title_at(300).first, whole);
        QCOMPARE(title_at(80).first, shorter);
        for (double height = 100; height <= 300; height += 4) {
            const auto [text, is_clear] = title_at(height);
            QVERIFY2((text == whole || text == shorter) && is_clear,
                     qPrintable(QStringLiteral("%1 at %2 points").arg(text).arg(height)));
        }
    }

    /// One bar for neighbours lies below the titles of rows that stand between them.
    void a_title_of_rows_keeps_clear_of_the_bar_of_neighbours() {
        Figure figure = figure_of(samples::sentence(), ViewKind::heatmap, FigureTheme::paper,
                                  {"head=1 rows=1..6 range=fitted share=a",
                                   "head=2 rows=1..6 range=fitted share=a", "stage=scaled_scores rows=1..6"});
        for (const std::size_t at : {1, 2})
            figure.panels[at].row_axis.labels.front() = "money";
        int titles = 0;
        for (double mm = narrowest_certain_mm; mm <= 130; mm += 3) {
            const Drawn drawn = drawn_at(figure, mm);
            for (const PaintedText& each : drawn.texts) {
                const QRectF area = each.area.boundingRect();
                if (!each.text.startsWith(QLatin1String("query")) || area.height() < area.width())
                    continue;
                ++titles;
                for (const PanelLayout& place : drawn.layout.panels)
                    QVERIFY2(!place.colour_bar.intersects(area), QByteArray::number(mm));
            }
        }
        QVERIFY(titles > 30);
    }

    /// Both sides of lines stand in the height alone, and what is said of them is what is drawn.
    void labels_of_lines_that_are_left_out_are_counted() {
        const Figure figure = figure_of(samples::band(60, 60), ViewKind::lines, FigureTheme::paper);
        for (const double mm : {50.0, 85.0, 120.0}) {
            const Drawn drawn = drawn_at(figure, mm);
            const PanelLayout& place = drawn.layout.panels.front();
            const auto count = [&](const QRectF& side) {
                return std::ranges::count_if(drawn.texts, [&](const PaintedText& each) {
                    return side.adjusted(0, -unit, 0, unit).contains(each.area.boundingRect().center());
                });
            };
            const auto each = [](auto labels) {
                return std::lround(std::ceil(60.0 / static_cast<double>(labels)));
            };
            QCOMPARE(long(place.row_stride), each(count(place.row_label_area)));
            QCOMPARE(long(place.column_stride), each(count(place.column_label_area)));
        }
    }

    void subscripts_of_titles_are_lowered_and_names_stay() {
        Figure figure = figure_of(samples::sentence(), ViewKind::heatmap, FigureTheme::paper);
        figure.title = "With W_q and top_k";
        const std::vector<PaintedText> texts = drawn_at(figure, 120).texts;
        const auto find = [&](const char* text) {
            return std::ranges::find(texts, QLatin1String(text), &PaintedText::text);
        };
        const auto letter = find("With W"), lowered = find("q");
        QVERIFY(letter != texts.end() && lowered != texts.end());
        QVERIFY(lowered->pixels < letter->pixels);
        QVERIFY(lowered->baseline.y() > letter->baseline.y());
        QVERIFY(find("and top_k") != texts.end());
    }

    void subscripts_between_matrices_are_lowered_too() {
        Figure figure = figure_of(samples::sentence(), ViewKind::heatmap, FigureTheme::paper);
        figure.panels.push_back(figure.panels.front());
        figure.panels.back().operator_before = "× W_q\n=";
        figure.columns = 2;
        const Drawn drawn = drawn_at(figure, 160);
        const auto find = [&](const char* text) {
            return std::ranges::find(drawn.texts, QString::fromUtf8(text), &PaintedText::text);
        };
        const auto letter = find("× W"), lowered = find("q");
        QVERIFY(letter != drawn.texts.end() && lowered != drawn.texts.end());
        QVERIFY(lowered->pixels < letter->pixels && lowered->baseline.y() > letter->baseline.y());
        const double middle =
            0.5 * (letter->area.boundingRect().left() + lowered->area.boundingRect().right());
        QVERIFY(std::abs(middle - drawn.layout.panels.back().operation.center().x()) < 0.3 * letter->pixels);
        QVERIFY(find("=") != drawn.texts.end());
    }

    void titles_of_chosen_panels_are_whole_where_a_column_fewer_has_room() {
        const Figure figure =
            figure_of(samples::sentence(), ViewKind::heatmap, FigureTheme::paper,
                      {"head=1 title=Untouched", "head=2 title=Exponentials", "head=3 title=Intervention"});
        for (double mm = 57; mm <= 120; mm += 3) {
            QStringList written;
            for (const PaintedText& each : drawn_at(figure, mm).texts)
                written += each.text;
            for (const Panel& panel : figure.panels)
                QVERIFY2(written.contains(QString::fromStdString(panel.title)), QByteArray::number(mm));
        }
    }

    /// One matrix names the rows of all: those that the others have come to, too.
    void newest_rows_of_a_strip_are_named() {
        const Figure figure = strip_of_steps();
        for (const double mm : {85.0, 120.0}) {
            const Drawn drawn = drawn_at(figure, mm);
            for (const Panel& panel : figure.panels) {
                const QString wanted = QString::fromStdString(
                    panel.row_axis.labels[static_cast<std::size_t>(*panel.newest_row)]);
                QVERIFY2(std::ranges::any_of(drawn.texts,
                                             [&](const PaintedText& each) {
                                                 return each.text == wanted &&
                                                        drawn.layout.panels.front().row_label_area.contains(
                                                            each.area.boundingRect().center());
                                             }),
                         qPrintable(wanted));
            }
        }
    }

    void the_frame_of_a_row_leaves_the_row_to_be_seen() {
        const Figure figure = strip_of_steps();
        const double width = 40 * points_per_mm;
        const Figure drawn = drawn_in_width(figure, width);
        const QSizeF size = unit * QSizeF(width, natural_height(drawn, width));
        const FigureLayout layout = layout_figure(drawn, QRectF(QPointF(), size), unit);
        QImage image(size.toSize(), QImage::Format_RGB32);
        QPainter painter(&image);
        paint_figure(painter, drawn, layout, unit);
        painter.end();
        const QRectF cells = layout.panels.back().cells;
        const double height = cells.height() / static_cast<double>(figure.panels.back().rows);
        const int top = static_cast<int>(cells.top() + 5 * height), end = static_cast<int>(top + height);
        int framed = 0;
        for (int y = top; y < end; ++y)
            framed += image.pixelColor(static_cast<int>(cells.center().x()), y) == figure_style(drawn).mark;
        QVERIFY2(framed > 0 && framed < 0.4 * height, QByteArray::number(framed / height));
    }

    void a_title_goes_on_over_the_bar() {
        const Figure figure = figure_of(samples::band(60, 60), ViewKind::heatmap, FigureTheme::paper);
        const QString subtitle = QString::fromStdString(figure.panels.front().subtitle);
        QVERIFY(subtitle.contains(u' '));
        const Drawn drawn = drawn_at(figure, 50);
        QVERIFY(std::ranges::find(drawn.texts, subtitle, &PaintedText::text) != drawn.texts.end());
        for (const PaintedText& each : drawn.texts)
            QVERIFY(drawn.layout.area.contains(each.area.boundingRect()));
    }
};

QTEST_MAIN(TextWidthsTest)

}  // namespace headlight::text_widths_test

#include "text_widths_test.moc"

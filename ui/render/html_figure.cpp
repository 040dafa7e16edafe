#include "ui/render/html_figure.h"

#include "core/figure/cell_codes.h"
#include "core/figure/forbidden_by.h"
#include "core/figure/panel_numbers.h"
#include "ui/render/export_formats.h"
#include "ui/render/figure_style.h"
#include "ui/render/painter.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

extern "C" const std::byte headlight_html_script[], headlight_html_script_end[];
extern "C" const std::byte headlight_html_style[], headlight_html_style_end[];

namespace headlight {
namespace {

constexpr std::size_t most_numbers = 4'000'000;  // 16 MB of text

QByteArray embedded(const std::byte* begin, const std::byte* end) {
    return {reinterpret_cast<const char*>(begin), static_cast<qsizetype>(end - begin)};
}

/// figure.js counts from 1 where there are none.
QJsonArray labels_of(const AxisLabels& axis, Index extent) {
    QJsonArray labels;
    if (!axis.labels.empty() || axis.first > 0)
        for (const std::string& label : labels_in_full(axis, extent))
            labels.append(QString::fromStdString(label));
    return labels;
}

/// A number as three bytes, which bring back the four digits that the page shows of it, and their power of
/// ten: figure.js reads them.
std::uint32_t packed_number(double value) {
    constexpr std::uint32_t zero = 0, missing = 1, forbidden = 2, infinite = 3, first = 4;
    constexpr std::uint32_t mantissas = 9000;  // 1000 to 9999
    constexpr int least_power = -330;
    if (value == 0 || std::isnan(value))
        return value == 0 ? zero : missing;
    if (std::isinf(value))
        return value < 0 ? forbidden : infinite;
    char text[16];
    const auto end =
        std::to_chars(text, text + sizeof text, std::abs(value), std::chars_format::scientific, 3);
    const auto digit = [&](int at) { return static_cast<std::uint32_t>(text[at] - '0'); };
    const std::uint32_t mantissa =
        1000 * digit(0) + 100 * digit(2) + 10 * digit(3) + digit(4);  // "1.234e-05"
    int power = 0;
    std::from_chars(text + (text[6] == '+' ? 7 : 6), end.ptr, power);
    const std::uint32_t size =
        static_cast<std::uint32_t>(power - 3 - least_power) * mantissas + mantissa - 1000;
    return first + 2 * size + (value < 0 ? 1 : 0);
}

QString packed_numbers(const Panel& panel) {
    QByteArray bytes;
    for (std::size_t i = 0; i < panel.values.size(); ++i) {
        const bool forbidden = !panel.forbidden.empty() && panel.forbidden[i];
        const std::uint32_t packed =
            packed_number(forbidden ? -std::numeric_limits<double>::infinity() : panel.values[i]);
        for (const int shift : {0, 8, 16})
            bytes += static_cast<char>(packed >> shift & 0xFF);
    }
    return QString::fromLatin1(bytes.toBase64());
}

/// Without what every element has by itself, or from the first one around it: QSvgGenerator writes it for
/// each.
QByteArray lean_svg(QByteArray svg) {
    for (const char* usual : {" stroke-opacity=\"1\"", " fill-opacity=\"1\"", " stroke-width=\"1\"",
                              " stroke-linecap=\"square\" stroke-linejoin=\"bevel\"",
                              " transform=\"matrix(1,0,0,1,0,0)\"", " stroke-dashoffset=\"0\"",
                              " vector-effect=\"none\"", " font-weight=\"400\"", " font-style=\"normal\""})
        svg.replace(usual, "");
    // A line of each group has the font, which its text has once more.
    constexpr QByteArrayView font = "\nfont-family=\"", end = "\n>";
    QByteArray lean;
    lean.reserve(svg.size());
    qsizetype kept = 0;
    for (qsizetype at = svg.indexOf(font); at >= 0; at = svg.indexOf(font, kept)) {
        lean += QByteArrayView(svg).sliced(kept, at - kept);
        kept = svg.indexOf(end, at);
    }
    return lean += QByteArrayView(svg).sliced(kept);
}

/// Whether a place in the picture means a cell, and its number is at hand.
bool answers(const Panel& panel, std::size_t room) {
    if (panel.flow)
        return true;
    const bool has_cells = panel.kind == Panel::Kind::heatmap || panel.kind == Panel::Kind::mosaic;
    return has_cells && !panel.large && !panel.blank && !panel.values.empty() && panel.values.size() <= room;
}

/// Where the parts of a flow stand, each with what there is to say of it; those that nothing is said of have
/// none.
QJsonArray named_parts_of(const Panel& panel, const PanelLayout& place) {
    QJsonArray parts;
    for (std::size_t node = 0; node < place.parts.size(); ++node) {
        const QRectF& box = place.parts[node];
        const std::string words = node_in_words(*panel.flow, static_cast<Index>(node));
        if (!words.empty() && panel.flow->nodes[node].kind != Flow::Node::Kind::frame)
            parts.append(
                QJsonArray{box.x(), box.y(), box.width(), box.height(), QString::fromStdString(words)});
    }
    return parts;
}

QJsonObject answers_of(const Panel& panel, const PanelLayout& place, bool has_steps) {
    const QRectF& cells = place.cells;
    if (panel.flow)
        return {
            {QStringLiteral("x"), cells.x()},     {QStringLiteral("y"), cells.y()},
            {QStringLiteral("w"), cells.width()}, {QStringLiteral("h"), cells.height()},
            {QStringLiteral("columns"), 1},       {QStringLiteral("parts"), named_parts_of(panel, place)}};
    const double labels = place.row_label_area.isEmpty() ? cells.left() : place.row_label_area.left();
    QJsonObject object{{QStringLiteral("x"), cells.x()},
                       {QStringLiteral("labels"), labels},
                       {QStringLiteral("y"), cells.y()},
                       {QStringLiteral("w"), cells.width()},
                       {QStringLiteral("h"), cells.height()},
                       {QStringLiteral("rows"), static_cast<qint64>(panel.rows)},
                       {QStringLiteral("columns"), static_cast<qint64>(panel.columns)},
                       {QStringLiteral("title"), QString::fromStdString(panel.title)},
                       {QStringLiteral("rowLabels"), labels_of(panel.row_axis, panel.rows)},
                       {QStringLiteral("columnLabels"), labels_of(panel.column_axis, panel.columns)},
                       {QStringLiteral("numbers"), packed_numbers(panel)},
                       {QStringLiteral("steps"), has_steps}};
    if (const std::string words = forbidden_in_words(panel.forbidden_by); !words.empty())
        object.insert(QStringLiteral("forbidden"), QString::fromStdString(words));
    if (panel.marks) {
        QJsonArray names;
        for (const HeadMarks::Head& head : panel.marks->heads)
            names.append(QString::fromStdString(head.name));
        object.insert(QStringLiteral("names"), names);
    }
    return object;
}

}  // namespace

QByteArray html_figure(const Figure& shown, QSizeF points, const ExportOptions& options) {
    // All rows are in the picture; the page covers those that come later.
    Figure figure = shown;
    Index steps = 0, step = 0;
    for (Panel& panel : figure.panels)
        if (panel.newest_row && !shown.is_composed) {  // a strip of steps stays one
            steps = std::max(steps, panel.rows);
            step = std::max(step, *panel.newest_row + 1);
            panel.newest_row.reset();
        }
    const QByteArray svg = lean_svg(write_svg(figure, points, options, SvgViewer::browser));
    const FigureLayout layout = layout_figure(figure, QRectF(QPointF(), points * svg_unit), svg_unit);
    QJsonArray panels;
    std::size_t room = most_numbers;
    for (std::size_t at = 0; at < figure.panels.size(); ++at) {
        const Panel& panel = figure.panels[at];
        if (!answers(panel, room))
            continue;
        room -= panel.values.size();
        const bool has_steps = shown.panels[at].newest_row.has_value() && !shown.is_composed;
        panels.append(answers_of(panel, layout.panels[at], has_steps));
    }
    const FigureStyle& style = figure_style(figure.theme);
    const QJsonObject known{{QStringLiteral("panels"), panels},
                            {QStringLiteral("unit"), svg_unit},
                            {QStringLiteral("accent"), style.accent.name()},
                            {QStringLiteral("background"), style.background.name()}};
    QByteArray json = QJsonDocument(known).toJson(QJsonDocument::Compact);
    json.replace("<", "\\u003c");  // ends no script, and begins no comment in one
    QByteArray html = "<figure class=\"headlight\">\n";
    // Behind the XML declaration, which has no place inside of a page; reached by the Tab key.
    QByteArray picture = svg.mid(svg.indexOf("<svg"));
    picture.replace(0, 4, "<svg tabindex=\"0\" role=\"img\"");
    html += picture;
    html += "\n<div class=\"reading\" role=\"status\"></div>\n";
    if (steps > 1)
        html += "<label class=\"steps\">Step <input type=\"range\" min=\"1\" max=\"" +
                QByteArray::number(steps) + "\" value=\"" + QByteArray::number(step) +
                "\"/><output></output></label>\n";
    return html + "<script type=\"application/json\">" + json + "</script>\n</figure>\n";
}

QByteArray html_page(const std::string& title, const QByteArray& style, const QByteArray& body) {
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
           "<meta name=\"viewport\" content=\"width=device-width\"/>\n"
           "<meta name=\"generator\" content=\"Headlight\"/>\n<title>" +
           QString::fromStdString(title).toHtmlEscaped().toUtf8() + "</title>\n<style>\n" + style +
           embedded(headlight_html_style, headlight_html_style_end) + "</style>\n</head>\n<body>\n" + body +
           "<script>\n" + embedded(headlight_html_script, headlight_html_script_end) +
           "</script>\n</body>\n</html>\n";
}

}  // namespace headlight

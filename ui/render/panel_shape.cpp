#include "ui/render/panel_shape.h"

#include "core/figure/panel_numbers.h"
#include "ui/render/flow_plan.h"
#include "ui/render/names_plan.h"
#include "ui/render/typeface.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace headlight {
namespace {

bool counts_features(const Panel& panel) {
    return panel.row_axis.labels.empty() || panel.column_axis.labels.empty();
}

}  // namespace

bool is_lines(const Panel& panel) { return panel.kind == Panel::Kind::lines; }

bool has_labels(const Panel& panel) {
    const bool is_sorted = panel.marks && panel.marks->are_named;
    return panel.kind == Panel::Kind::heatmap || (panel.kind == Panel::Kind::mosaic && !is_sorted);
}

bool names_same_rows(const Panel& one, const Panel& other) {
    return one.rows == other.rows && one.row_axis == other.row_axis;
}

bool names_rows_of_others(const Figure& figure, const Panel& panel) {
    return figure.is_composed && std::ranges::any_of(figure.panels, [&](const Panel& other) {
               return names_same_rows(other, panel) &&
                      (other.newest_row != panel.newest_row || other.selected_row != panel.selected_row);
           });
}

std::vector<std::optional<Index>> named_rows(const Figure& figure, const Panel& panel) {
    if (!names_rows_of_others(figure, panel))
        return {panel.newest_row, panel.selected_row};
    std::vector<std::optional<Index>> rows{panel.newest_row};
    for (const Panel& other : figure.panels)
        if (names_same_rows(other, panel))
            rows.push_back(other.newest_row);
    return rows;
}

bool names_same_columns(const Panel& one, const Panel& other) {
    return one.columns == other.columns && one.column_axis == other.column_axis;
}

bool names_other_tokens(const Panel& one, const Panel& other) {
    const std::vector<std::string>&ours = one.row_axis.labels, &theirs = other.row_axis.labels;
    return !one.blank && !ours.empty() && !theirs.empty() && ours != theirs;
}

namespace {

/// About so many ems of a text are a line that is comfortable to read.
constexpr double ems_a_line = 30;
double text_lines(const Panel& panel) {
    double ems = 0;
    for (Index token = 0; token < panel.columns; ++token)
        ems += 0.5 * static_cast<double>(axis_label(panel.column_axis, token).size()) + 0.6;
    return std::ceil(std::max(ems, 1.1 * static_cast<double>(panel.columns)) / ems_a_line);
}

}  // namespace

namespace {

Index tree_rows(const Panel& panel) {
    Index rows = 0;
    for (const Tree::Node& node : panel.tree->nodes)
        rows = std::max(rows, node.row + 1);
    return rows;
}

/// Letters of UTF-8, about.
double letters_in(const std::string& text) {
    return static_cast<double>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Width to height, about, in type of one size: what paint_tree() needs for words, numbers and rows.
double tree_proportion(const Panel& panel) {
    std::vector<double> widths;  // [depth], in ems
    for (const Tree::Node& node : panel.tree->nodes) {
        const auto depth = static_cast<std::size_t>(node.depth);
        widths.resize(std::max(widths.size(), depth + 1));
        widths[depth] =
            std::max(widths[depth], 0.55 * (letters_in(node.word) + letters_in(node.number)) + 2.8);
    }
    return std::accumulate(widths.begin(), widths.end(), 0.0) / (2.3 * static_cast<double>(tree_rows(panel)));
}

}  // namespace

bool is_of_words(const Panel& panel) {
    return panel.kind == Panel::Kind::tree || panel.kind == Panel::Kind::names ||
           panel.kind == Panel::Kind::flow || panel.kind == Panel::Kind::text;
}

bool is_elastic(const Panel& panel) {
    return is_of_words(panel) || panel.kind == Panel::Kind::curves || panel.kind == Panel::Kind::lines;
}

double shape_of(const Panel& panel) {
    if (panel.fills_row)
        return 0;
    if (panel.kind == Panel::Kind::curves)
        return 1.25 * panel.weight;
    if (panel.kind == Panel::Kind::tree)
        return panel.weight * std::clamp(tree_proportion(panel), 0.6, 40.0);
    if (panel.kind == Panel::Kind::names)
        return panel.weight * std::clamp(names_shape(*panel.names), 0.6, 40.0);
    if (panel.kind == Panel::Kind::flow)
        return panel.weight * std::clamp(flow_shape(*panel.flow), 0.6, 12.0);
    if (panel.kind == Panel::Kind::points)
        return 1.5;
    if (panel.kind == Panel::Kind::text)
        return std::clamp(ems_a_line / (2 * text_lines(panel) + 1.5), 0.8, 6.0);
    if (panel.kind == Panel::Kind::mosaic) {
        const HeadMarks& marks = *panel.marks;
        return std::clamp(static_cast<double>(panel.columns * std::max<Index>(1, marks.map_columns)) /
                              static_cast<double>(std::max<Index>(1, panel.rows * marks.map_rows)),
                          0.2, 8.0);
    }
    if (is_lines(panel))
        return 0.9 * panel.weight;
    if (panel.overlay) {
        const Picture& picture = *panel.overlay->picture;
        return std::clamp(static_cast<double>(picture.width) / static_cast<double>(picture.height), 0.2, 5.0);
    }
    const double ratio =
        static_cast<double>(panel.columns) / static_cast<double>(std::max<Index>(1, panel.rows));
    const bool loose = counts_features(panel);
    return panel.weight * std::clamp(ratio, loose ? 0.55 : 0.4, loose ? 1.35 : 2.6);
}

double natural_cells(const Panel& panel, const FigureStyle& style) {
    if (panel.kind == Panel::Kind::mosaic)
        return std::clamp(3.0 * static_cast<double>(panel.rows), 8.0, 26.0);
    if (panel.kind == Panel::Kind::curves)
        return 7;
    if (panel.kind == Panel::Kind::tree)
        return 0.75 * static_cast<double>(tree_rows(panel)) + 0.5;
    if (panel.kind == Panel::Kind::names) {
        constexpr double spare = 1.08;  // type is rounded up to whole units, and letters differ in width
        return spare * names_height(*panel.names) * style.label / style.natural_cell;
    }
    if (panel.kind == Panel::Kind::flow)
        return 0.48 * panel.flow->lines + 0.3;
    if (panel.kind == Panel::Kind::points)
        return 12;
    if (panel.kind == Panel::Kind::text)
        return std::clamp(1.4 * text_lines(panel) + 1.2, 2.6, 30.0);
    if (panel.overlay)  // the image, in however many patches it is cut
        return 14 / std::max(1.0, shape_of(panel));
    const double rows =
        static_cast<double>(is_lines(panel) ? std::max(panel.rows, panel.columns) : panel.rows);
    return std::clamp(rows <= 10 ? rows : 10 + 0.3 * (rows - 10), 3.0, 22.0);
}

std::string on_one_line(std::string operation) {
    std::ranges::replace(operation, '\n', ' ');
    return operation;
}

bool is_cut(const std::string& title, const QStringList& lines) {
    constexpr QChar ellipsis(u'…');
    return !lines.isEmpty() && lines.back().contains(ellipsis) &&
           !QString::fromStdString(title).contains(ellipsis);
}

QStringList title_lines(const Panel& panel, double width, const FigureStyle& style, double unit) {
    const TextMeasure text(type_size(style.panel_title, unit), Face::bold, style.family);
    constexpr int usual = 2, most = 5;
    const QString title = QString::fromStdString(panel.title);
    const QStringList lines = text.lines(title, width * 1.001, usual);
    return is_cut(panel.title, lines) ? text.lines(title, width * 1.001, most) : lines;
}

bool is_short_and_numbered(const std::string& title) {
    constexpr std::size_t longest = 10;
    const std::size_t space = title.find(' ');
    return space != std::string::npos && space + 1 < title.size() && title.size() <= longest &&
           title.find_first_not_of("0123456789", space + 1) == std::string::npos;
}

int lines_of_subtitle(const Panel& panel, double width, const FigureStyle& style, double unit) {
    if (panel.subtitle.empty())
        return 0;
    const int usual = 2, most = panel.is_difference ? 5 : 3;  // it names two mechanisms
    QStringList lines = subtitle_lines(panel, width, usual, style, unit);
    if (panel.is_difference || is_cut(panel.subtitle, lines))
        lines = subtitle_lines(panel, width, most, style, unit);
    constexpr double fewest = 1.5;  // words a line: "softmax / of each / row" has less
    const auto count = static_cast<double>(lines.size()),
               words = 1.0 + static_cast<double>(lines.join(u' ').count(u' '));
    const bool is_column =
        !panel.is_difference && panel.subtitle.find(' ') != std::string::npos && words < fewest * count;
    return is_column ? 0 : static_cast<int>(lines.size());
}

QStringList subtitle_lines(const Panel& panel, double width, int lines, const FigureStyle& style,
                           double unit) {
    if (lines == 0)
        return {};
    const TextMeasure text(type_size(style.subtitle, unit), Face::regular, style.family);
    return text.lines(QString::fromStdString(panel.subtitle), width * 1.001, lines);
}

bool leaves_out_subtitle(const Panel& panel, const PanelLayout& place) {
    const bool is_drawn = panel.thumbnail || panel.blank || panel.lies_over || place.subtitle_beside ||
                          !place.subtitle_lines.isEmpty();
    return !panel.subtitle.empty() && !is_drawn;
}

}  // namespace headlight

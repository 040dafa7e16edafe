#include "ui/render/panel_shape.h"

#include <algorithm>
#include <cmath>

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

namespace {

/// Of a text in lines that are comfortable to read, how many there are, about.
constexpr double ems_a_line = 30;
double text_lines(const Panel& panel) {
    double ems = 0;
    for (const std::string& label : panel.column_axis.labels)
        ems += 0.5 * static_cast<double>(label.size()) + 0.6;
    return std::ceil(std::max(ems, 1.1 * static_cast<double>(panel.columns)) / ems_a_line);
}

}  // namespace

double shape_of(const Panel& panel) {
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

double natural_cells(const Panel& panel) {
    if (panel.kind == Panel::Kind::mosaic)
        return std::clamp(3.0 * static_cast<double>(panel.rows), 8.0, 26.0);
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

}  // namespace headlight

#include "ui/render/strip.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr double slot_per_height = 2.1;  // width of a thumbnail's slot, at most, in its heights
constexpr double name_lines = 2.3;       // of the names under the thumbnails, in their sizes
constexpr double strip_gap = 1.4;        // below the strip, in sizes of the names

Index thumbnails(const Figure& figure) { return std::ranges::count(figure.panels, true, &Panel::thumbnail); }

double name_size(const FigureStyle& style, double unit) {
    return std::max(style.least_label, 0.75 * style.label) * unit;
}

struct Slot {
    double width, height;  ///< of the slot, of the matrix in it
};

Slot slot(Index count, double width, const FigureStyle& style, double unit) {
    const double height = style.thumbnail * unit;
    const double fitting = width / static_cast<double>(count);
    return {std::min(slot_per_height * height, fitting), std::min(height, 0.7 * fitting)};
}

}  // namespace

double strip_height(const Figure& figure, double width, const FigureStyle& style, double unit) {
    const Index count = thumbnails(figure);
    if (count == 0)
        return 0;
    return slot(count, width, style, unit).height + (name_lines + strip_gap) * name_size(style, unit);
}

double strip_width(const Figure& figure, const FigureStyle& style) {
    return static_cast<double>(thumbnails(figure)) * slot_per_height * style.thumbnail;
}

void place_strip(const Figure& figure, const QRectF& area, const FigureStyle& style, double unit,
                 FigureLayout& layout) {
    const Index count = thumbnails(figure);
    if (count == 0)
        return;
    const Slot size = slot(count, area.width(), style, unit);
    const double name = name_size(style, unit);
    double x = area.center().x() - 0.5 * size.width * static_cast<double>(count);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const Panel& panel = figure.panels[i];
        if (!panel.thumbnail)
            continue;
        PanelLayout& place = layout.panels[i];
        const double shape =
            static_cast<double>(panel.columns) / static_cast<double>(std::max<Index>(1, panel.rows));
        const double width = std::min(std::clamp(shape, 0.5, 1.5) * size.height, 0.72 * size.width);
        place.frame = QRectF(x, area.top(), size.width, size.height + name_lines * name);
        place.cells = QRectF(x + 0.5 * (size.width - width), area.top(), width, size.height);
        place.title = QRectF(x, area.top() + size.height + 0.25 * name, size.width, name_lines * name);
        place.row_labels = place.column_labels = false;
        place.label_size = name;
        if (!panel.operator_before.empty())
            place.operation = QRectF(layout.panels[i - 1].cells.right(), area.top(),
                                     place.cells.left() - layout.panels[i - 1].cells.right(), size.height);
        x += size.width;
    }
}

}  // namespace headlight

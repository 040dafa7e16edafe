#include "ui/render/strip.h"

#include "ui/render/typeface.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr double slot_per_height = 2.1;  // width of a thumbnail's slot, at most, in its heights
constexpr double name_line = 1.25;       // of a name under a thumbnail, in its size
constexpr double strip_gap = 1.4;        // below the strip, in sizes of the names

Index thumbnails(const Figure& figure) { return std::ranges::count(figure.panels, true, &Panel::thumbnail); }

double name_size(const FigureStyle& style, double unit) {
    return type_size(std::max(style.least_label, 0.75 * style.label), unit);
}

struct Slot {
    double width;    ///< of the place of one thumbnail
    double height;   ///< of its matrix
    bool staggered;  ///< names stand alternately on two lines, because they are too wide for one
};

Slot slot(const Figure& figure, double width, const FigureStyle& style, double unit) {
    const double height = style.thumbnail * unit;
    const double fitting = width / static_cast<double>(thumbnails(figure));
    Slot slot{std::min(slot_per_height * height, fitting), std::min(height, 0.7 * fitting), false};
    const TextMeasure text(name_size(style, unit), Face::regular, style.family);
    slot.staggered = std::ranges::any_of(figure.panels, [&](const Panel& panel) {
        return panel.thumbnail && text.width(QString::fromStdString(panel.title)) > slot.width;
    });
    return slot;
}

}  // namespace

double strip_height(const Figure& figure, double width, const FigureStyle& style, double unit) {
    if (thumbnails(figure) == 0)
        return 0;
    const Slot size = slot(figure, width, style, unit);
    return size.height + ((size.staggered ? 2 : 1) * name_line + strip_gap) * name_size(style, unit);
}

double strip_width(const Figure& figure, const FigureStyle& style) {
    return static_cast<double>(thumbnails(figure)) * slot_per_height * style.thumbnail;
}

double strip_left(const Figure& figure, const QRectF& area, const FigureStyle& style, double unit) {
    const double width =
        slot(figure, area.width(), style, unit).width * static_cast<double>(thumbnails(figure));
    return area.center().x() - 0.5 * width;
}

void place_strip(const Figure& figure, const QRectF& area, const FigureStyle& style, double unit,
                 FigureLayout& layout) {
    if (thumbnails(figure) == 0)
        return;
    const Slot size = slot(figure, area.width(), style, unit);
    const double name = name_size(style, unit);
    double x = strip_left(figure, area, style, unit);
    bool lower = false;
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const Panel& panel = figure.panels[i];
        if (!panel.thumbnail)
            continue;
        PanelLayout& place = layout.panels[i];
        const double shape =
            static_cast<double>(panel.columns) / static_cast<double>(std::max<Index>(1, panel.rows));
        const double width = std::min(std::clamp(shape, 0.5, 1.5) * size.height, 0.72 * size.width);
        place.frame =
            QRectF(x, area.top(), size.width, size.height + (size.staggered ? 2 : 1) * name_line * name);
        place.cells = QRectF(x + 0.5 * (size.width - width), area.top(), width, size.height);
        const double spread = size.staggered ? 0.45 * size.width : 0;
        const double left = std::max(x - spread, area.left());
        const double right = std::min(x + size.width + spread, area.right());
        place.title = QRectF(left, place.cells.bottom() + 0.25 * name + (lower ? name_line * name : 0),
                             right - left, name_line * name);
        place.row_labels = place.column_labels = false;
        place.label_size = name;
        if (!panel.operator_before.empty())
            place.operation = QRectF(layout.panels[i - 1].cells.right(), area.top(),
                                     place.cells.left() - layout.panels[i - 1].cells.right(), size.height);
        x += size.width;
        lower = size.staggered && !lower;
    }
}

}  // namespace headlight

#include "ui/render/strip.h"

#include "ui/render/typeface.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr double slot_per_height = 2.1;  // width of a thumbnail's slot, at most, in its heights
constexpr double name_gap = 0.3;         // between the names of two neighbours, in their size
constexpr double row_gap = 0.6;          // between two rows of thumbnails
constexpr double strip_gap = 1.4;        // below the strip
constexpr Index most_strip_rows = 2;
constexpr int most_name_lines = 2;

Index thumbnails(const Figure& figure) { return std::ranges::count(figure.panels, true, &Panel::thumbnail); }

double name_size(const FigureStyle& style, double unit) {
    return type_size(std::max(style.least_label, 0.75 * style.label), unit);
}

/// The place of one thumbnail, and how many there are beside each other. The names of a row begin on one
/// line.
struct Slot {
    double width;
    double height;  ///< of its matrix
    Index columns, rows;
    int name_lines;

    /// From the top of a row to that of the next one; `name` is the size of the names.
    double pitch(double name) const { return height + (name_lines * thumbnail_name_line + row_gap) * name; }
};

/// The widest word of all names, none of which is written shorter where there is room for it.
double widest_word(const Figure& figure, const TextMeasure& text) {
    double widest = 0;
    for (const Panel& panel : figure.panels)
        for (const QString& word : QString::fromStdString(panel.title).split(u' '))
            widest = std::max(widest, panel.thumbnail ? text.width(word) : 0);
    return widest;
}

/// Whether every name stands whole on so many lines of that width, broken between its words.
bool names_have_room(const Figure& figure, const TextMeasure& text, double width, int lines) {
    return std::ranges::all_of(figure.panels, [&](const Panel& panel) {
        const QString name = QString::fromStdString(panel.title);
        return !panel.thumbnail || text.lines(name, width, lines).join(u' ') == name;
    });
}

/// On as many rows as the names ask for.
Slot slot(const Figure& figure, double width, const FigureStyle& style, double unit) {
    const double height = style.thumbnail * unit, name = name_size(style, unit);
    const TextMeasure text(name, Face::bold, style.family);  // as the name of the one in focus is
    const double widest = widest_word(figure, text) + name_gap * name;
    Slot slot{};
    do {
        ++slot.rows;
        slot.columns = (thumbnails(figure) + slot.rows - 1) / slot.rows;
        const double fitting = width / static_cast<double>(slot.columns);
        slot.width = std::min(std::max(slot_per_height * height, widest), fitting);
        slot.height = std::min(height, 0.7 * fitting);
    } while (slot.rows < std::min(most_strip_rows, thumbnails(figure)) &&
             !names_have_room(figure, text, slot.width - name_gap * name, most_name_lines));
    slot.name_lines = names_have_room(figure, text, slot.width - name_gap * name, 1) ? 1 : most_name_lines;
    return slot;
}

}  // namespace

double strip_height(const Figure& figure, double width, const FigureStyle& style, double unit) {
    if (thumbnails(figure) == 0)
        return 0;
    const Slot size = slot(figure, width, style, unit);
    const double name = name_size(style, unit);
    return static_cast<double>(size.rows) * size.pitch(name) + (strip_gap - row_gap) * name;
}

double strip_width(const Figure& figure, const FigureStyle& style) {
    return static_cast<double>(thumbnails(figure)) * slot_per_height * style.thumbnail;
}

double strip_left(const Figure& figure, const QRectF& area, const FigureStyle& style, double unit) {
    const Slot size = slot(figure, area.width(), style, unit);
    return area.center().x() - 0.5 * size.width * static_cast<double>(size.columns);
}

void place_strip(const Figure& figure, const QRectF& area, const FigureStyle& style, double unit,
                 FigureLayout& layout) {
    if (thumbnails(figure) == 0)
        return;
    const Slot size = slot(figure, area.width(), style, unit);
    const double name = name_size(style, unit);
    const double left = strip_left(figure, area, style, unit);
    Index placed = 0;
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const Panel& panel = figure.panels[i];
        if (!panel.thumbnail)
            continue;
        PanelLayout& place = layout.panels[i];
        const double shape =
            static_cast<double>(panel.columns) / static_cast<double>(std::max<Index>(1, panel.rows));
        const double width = std::min(std::clamp(shape, 0.5, 1.5) * size.height, 0.72 * size.width);
        const double x = left + static_cast<double>(placed % size.columns) * size.width,
                     y = area.top() + static_cast<double>(placed / size.columns) * size.pitch(name);
        const double names = size.name_lines * thumbnail_name_line * name;
        place.frame = QRectF(x, y, size.width, size.height + names);
        place.cells = QRectF(x + 0.5 * (size.width - width), y, width, size.height);
        place.title = QRectF(x + 0.5 * name_gap * name, place.cells.bottom() + 0.25 * name,
                             size.width - name_gap * name, names);
        place.row_labels = place.column_labels = false;
        place.label_size = name;
        if (!panel.operator_before.empty()) {
            const double from = placed % size.columns == 0 ? x : layout.panels[i - 1].cells.right();
            place.operation = QRectF(from, y, place.cells.left() - from, size.height);
        }
        ++placed;
    }
}

}  // namespace headlight

#include "core/figure/markdown.h"
#include "core/figure/panel_numbers.h"
#include "ui/render/export_formats.h"
#include "ui/render/exporter_declarations.h"
#include "ui/render/painter.h"

#include <algorithm>
#include <vector>

namespace headlight {
namespace {

/// The decimals that the cells are drawn with where the figure has the size that is comfortable to read.
std::vector<int> drawn_decimals(const Figure& figure) {
    const FigureLayout layout =
        layout_figure(figure, QRectF(QPointF(), natural_size(figure) * svg_unit), svg_unit);
    std::vector<int> decimals;
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const Panel& panel = figure.panels[i];
        const int drawn = layout.panels[i].value_decimals;
        // A difference has fewer in cells that are narrow; a table has room.
        const int written = panel.is_difference ? std::max(drawn, usual_decimals(panel)) : drawn;
        decimals.push_back(panel.digits.value_or(written));
    }
    return decimals;
}

}  // namespace

Exporter declare_exporter_md() {
    Exporter exporter{ExportFormat::md};
    exporter.order = 21;
    exporter.title = "Markdown, tables of numbers";
    exporter.about = "Markdown is the numbers of the view with the digits of the picture";
    exporter.is_picture = false;
    exporter.write = [](const Figure& figure, QSizeF, const ExportOptions&) {
        return QByteArray::fromStdString(to_markdown(figure, drawn_decimals(figure)));
    };
    return exporter;
}

}  // namespace headlight

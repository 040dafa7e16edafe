#include "core/figure/markdown.h"
#include "ui/render/export_formats.h"
#include "ui/render/exporter_declarations.h"
#include "ui/render/painter.h"

#include <vector>

namespace headlight {
namespace {

/// The decimals that the cells are drawn with where the figure has the size that is comfortable to read.
std::vector<int> drawn_decimals(const Figure& figure) {
    const FigureLayout layout =
        layout_figure(figure, QRectF(QPointF(), natural_size(figure) * svg_unit), svg_unit);
    std::vector<int> decimals;
    for (std::size_t i = 0; i < figure.panels.size(); ++i)
        decimals.push_back(figure.panels[i].digits.value_or(layout.panels[i].value_decimals));
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

#include "ui/render/smallest_text.h"

#include "ui/render/paint_context.h"

#include <algorithm>

namespace headlight {

std::optional<double> smallest_shrunk_text(const Figure& figure, const FigureLayout& layout, double unit) {
    std::optional<double> smallest;
    PaintOptions options;
    options.draw_text = [&](QPainter& painter, const PlacedText&) {
        const double size = painter.font().pixelSize() / unit;
        smallest = std::min(size, smallest.value_or(size));
        return true;
    };
    QImage ground(1, 1, QImage::Format_RGB32);
    QPainter painter(&ground);
    const FigureStyle style = figure_style(figure);
    const PaintContext context{painter, figure, style, unit * figure.length_scale, options};
    for (std::size_t at = 0; at < figure.panels.size(); ++at) {
        const Panel& panel = figure.panels[at];
        if (panel.blank || panel.thumbnail)
            continue;
        if (panel.kind == Panel::Kind::tree)
            paint_tree(context, panel, layout.panels[at]);
        else if (panel.kind == Panel::Kind::names)
            paint_name_table(context, panel, layout.panels[at]);
        else if (panel.kind == Panel::Kind::flow)
            paint_flow(context, panel, layout.panels[at]);
        else if (panel.kind == Panel::Kind::curves)
            paint_curves(context, panel, layout.panels[at]);
    }
    return smallest;
}

}  // namespace headlight

#include "ui/render/named_places.h"

#include "ui/render/figure_style.h"
#include "ui/render/names_plan.h"
#include "ui/render/tree_plan.h"

namespace headlight {

std::vector<QRectF> named_places(const Figure& figure, const FigureLayout& layout, double unit) {
    const Panel& panel = figure.panels.front();
    const PanelLayout& place = layout.panels.front();
    const FigureStyle style = figure_style(figure);
    const double scaled = unit * figure.length_scale;
    std::vector<QRectF> places;
    if (panel.tree) {
        const TreePlan plan = tree_in_room(*panel.tree, place.cells.size(), style, scaled);
        for (const Tree::Node& node : panel.tree->nodes)
            places.push_back(plan.box(node, place.cells));
    } else if (panel.names) {
        const NamesPlan plan = names_in_room(*panel.names, place.cells.size(), style, scaled);
        for (const NameTable::Name& name : panel.names->names) {
            QRectF area;
            for (std::size_t line = 0; line < name.lines.size(); ++line)
                area |= plan.line(name, line, place.cells);
            places.push_back(area);
        }
    } else if (panel.flow) {
        places = place.parts;
    }
    return places;
}

}  // namespace headlight

#include "ui/render/catalogue_heads.h"

#include "ui/render/names_plan.h"
#include "ui/render/paint_context.h"

#include <algorithm>

namespace headlight {
namespace {

/// A family is a step below the one node that all come from.
constexpr Index family_depth = 1;

CatalogueHeads heads_of_table(const NameTable& table, const QRectF& cells, const FigureStyle& style,
                              double unit) {
    CatalogueHeads heads;
    heads.unit = unit;
    const NamesPlan plan = names_in_room(table, cells.size(), style, unit);
    heads.size = plan.size();
    heads.corner = QRectF(cells.topLeft(), QPointF(plan.left_of_column(0, cells), plan.top_of_row(0, cells)));
    for (Index row = 0; row < std::ssize(table.row_titles); ++row) {
        heads.rows.push_back(plan.row_title(row, cells));
        heads.row_ends.push_back(plan.top_of_row(row + 1, cells));
    }
    for (Index column = 0; column < std::ssize(table.column_titles); ++column)
        heads.columns.push_back(plan.column_title(column, cells));
    return heads;
}

CatalogueHeads heads_of_tree(const Tree& tree, const QRectF& cells, const FigureStyle& style, double unit) {
    CatalogueHeads heads;
    heads.unit = unit;
    heads.tree = tree_in_room(tree, cells.size(), style, unit);
    heads.size = heads.tree->size();
    for (Index node = 0; node < std::ssize(tree.nodes); ++node) {
        const Tree::Node& each = tree.nodes[static_cast<std::size_t>(node)];
        const QRectF box = heads.tree->box(each, cells);
        if (each.depth == family_depth) {
            heads.nodes.push_back(node);
            heads.rows.push_back(box);
            heads.row_ends.push_back(box.bottom());
        } else if (!heads.row_ends.empty()) {
            heads.row_ends.back() = std::max(heads.row_ends.back(), box.bottom());
        }
    }
    if (!heads.rows.empty()) {
        const double beside = heads.tree->padding();
        heads.corner = QRectF(heads.rows.front().topLeft() - QPointF(beside, 0),
                              QSizeF(heads.rows.front().width() + 2 * beside, 0));
    }
    return heads;
}

bool is_beside(const CatalogueHeads& heads, QPointF origin, const QRectF& corner) {
    return corner.left() > heads.corner.left() + origin.x();
}

/// A title where it is seen: at the left of `corner`, and below it as long as its row lasts.
QRectF shown_title(const CatalogueHeads& heads, std::size_t row, QPointF origin, const QRectF& corner) {
    QRectF title = heads.rows[row].translated(origin);
    const double end = heads.row_ends[row] + origin.y() - title.height();
    title.moveTop(std::max(title.top(), std::min(corner.bottom(), end)));
    title.moveLeft(corner.left() + heads.rows[row].left() - heads.corner.left());
    return title;
}

}  // namespace

CatalogueHeads catalogue_heads(const Figure& figure, const FigureLayout& layout, double unit) {
    const Panel& panel = figure.panels.front();
    const QRectF& cells = layout.panels.front().cells;
    const double scaled = unit * figure.length_scale;
    if (panel.names)
        return heads_of_table(*panel.names, cells, figure_style(figure), scaled);
    if (panel.tree)
        return heads_of_tree(*panel.tree, cells, figure_style(figure), scaled);
    return {};
}

QRectF shown_corner(const CatalogueHeads& heads, QPointF origin, const QRectF& room) {
    QRectF corner = heads.corner.translated(origin);
    if (heads.rows.empty())
        return corner;
    // Behind the last row stands what is said of all of them.
    const double lowest = heads.row_ends.back() + origin.y() - corner.height();
    corner.moveLeft(std::max(corner.left(), room.left()));
    corner.moveTop(std::max(corner.top(), std::min(room.top(), lowest)));
    return corner;
}

bool is_under_heads(const CatalogueHeads& heads, QPointF origin, const QRectF& room, QPointF point) {
    if (heads.rows.empty())
        return false;
    const QRectF corner = shown_corner(heads, origin, room);
    if (!heads.tree)
        return point.x() < corner.right() || point.y() < corner.bottom();
    // What stands left of the families is seen until they have to move.
    return is_beside(heads, origin, corner) && point.x() < corner.right();
}

void paint_catalogue_heads(QPainter& painter, const Figure& figure, const CatalogueHeads& heads,
                           QPointF origin, const QRectF& room) {
    if (heads.rows.empty())
        return;
    const FigureStyle style = figure_style(figure);
    const PaintOptions options;
    const PaintContext context{painter, figure, style, heads.unit, options};
    const Panel& panel = figure.panels.front();
    const QRectF corner = shown_corner(heads, origin, room);
    const bool are_beside = is_beside(heads, origin, corner);
    const bool are_below = !heads.columns.empty() && corner.top() > heads.corner.top() + origin.y();
    const auto cover = [&](const QRectF& area) { painter.fillRect(area.toAlignedRect(), style.background); };
    const double bottom =
        std::max(corner.bottom(), std::min(room.bottom(), heads.row_ends.back() + origin.y()));
    if (are_beside) {
        cover(QRectF(corner.topLeft(), QPointF(corner.right(), bottom)));
        context.set_line(context.scaled(style.frame_line), style.frame);
        painter.drawLine(corner.topRight(), QPointF(corner.right(), bottom));
    }
    for (std::size_t row = 0; row < heads.rows.size(); ++row) {
        const QRectF title = shown_title(heads, row, origin, corner);
        if (!are_beside && title.top() <= heads.rows[row].top() + origin.y())
            continue;
        if (heads.tree)
            paint_tree_node(context, *heads.tree,
                            panel.tree->nodes[static_cast<std::size_t>(heads.nodes[row])], title);
        else
            write_name(context, heads.size, panel.names->row_titles[row], title, Face::bold, style.text);
    }
    if (are_below) {
        cover(QRectF(room.left(), corner.top(), room.width(), corner.height()));
        context.set_line(context.scaled(style.frame_line), style.frame);
        painter.drawLine(QPointF(room.left(), corner.bottom()), QPointF(room.right(), corner.bottom()));
        for (std::size_t column = 0; column < heads.columns.size(); ++column) {
            QRectF title = heads.columns[column].translated(origin);
            title.moveTop(corner.top());
            write_name(context, heads.size, panel.names->column_titles[column], title, Face::bold,
                       style.text);
        }
    }
    if (are_below || (are_beside && !heads.tree))
        cover(corner);  // a year may have come under the families
}

}  // namespace headlight

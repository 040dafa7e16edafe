#include "ui/render/paint_context.h"
#include "ui/render/tree_plan.h"

#include <QPainterPath>

namespace headlight {
namespace {

void add_branch(QPainterPath& path, const QPointF& start, const QPointF& end) {
    const QPointF half(0.5 * (end.x() - start.x()), 0);
    path.moveTo(start);
    path.cubicTo(start + half, end - half, end);
}

/// From a node to one of the next step. Where that stands in the next line, the branch leaves the one line
/// beside the node, and comes into the other in the row that it left.
void paint_branch(const PaintContext& context, const TreePlan& plan, const Tree::Node& parent,
                  const Tree::Node& node, const QRectF& area) {
    const FigureStyle& style = context.style;
    const QRectF from = plan.box(parent, area), to = plan.box(node, area);
    const QPointF start(from.right(), from.center().y()), end(to.left(), to.center().y());
    QPainterPath path;
    if (plan.line_of(parent) == plan.line_of(node)) {
        add_branch(path, start, end);
    } else {
        Tree::Node beside = node;
        beside.row = parent.row;
        path.moveTo(start);
        path.lineTo(start + QPointF(plan.stub(), 0));
        add_branch(path, QPointF(end.x() - plan.stub(), plan.box(beside, area).center().y()), end);
    }
    const bool says_something = node.is_kept && node.bond != Tree::Node::Bond::none;
    QPen pen(node.is_chosen   ? style.accent
             : says_something ? style.text
                              : style.frame,
             context.scaled(node.is_chosen ? 1.6 * style.mark_line : style.frame_line));
    if (!node.is_kept || node.bond == Tree::Node::Bond::loose)
        pen.setStyle(Qt::DashLine);
    context.painter.setPen(pen);
    context.painter.setBrush(Qt::NoBrush);
    context.painter.drawPath(path);
}

}  // namespace

void paint_tree_node(const PaintContext& context, const TreePlan& plan, const Tree::Node& node,
                     const QRectF& box) {
    const FigureStyle& style = context.style;
    QPen frame(node.is_chosen ? style.accent
               : node.is_kept ? style.frame
                              : style.hatch,
               context.scaled(node.is_chosen ? style.mark_line : style.frame_line));
    if (!node.is_kept)
        frame.setStyle(Qt::DashLine);
    context.painter.setPen(frame);
    context.painter.setBrush(style.background);
    const double radius = 0.3 * plan.size();
    context.painter.drawRoundedRect(box, radius, radius);
    context.painter.setBrush(Qt::NoBrush);
    const QString word = QString::fromStdString(node.word), number = QString::fromStdString(node.number);
    const Face face = node.is_chosen ? Face::bold : Face::regular;
    const TextMeasure words(plan.size(), face, style.family),
        numbers(plan.size(), Face::regular, style.family);
    const double baseline = box.center().y() + words.middle_to_baseline();
    context.set_type(plan.size(), face, node.is_kept ? style.text : style.quiet_text, word);
    context.draw_sentence(QPointF(box.left() + plan.padding(), baseline), word);
    if (number.isEmpty())
        return;
    context.set_type(plan.size(), Face::regular, style.quiet_text, number);
    context.draw_plain(QPointF(box.right() - plan.padding() - numbers.width(number), baseline), number, 1);
}

void paint_tree(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    const Tree& tree = *panel.tree;
    const TreePlan plan = tree_in_room(tree, place.cells.size(), context.style, context.unit);
    // A window shows a part of many nodes, whose words take longest.
    const QRectF clip = context.painter.clipBoundingRect();
    const auto is_seen = [&](const QRectF& area) { return clip.isEmpty() || clip.intersects(area); };
    // Pale branches first, so that what matters lies on top.
    for (const bool of_chosen : {false, true})
        for (const Tree::Node& node : tree.nodes) {
            if (node.parent < 0 || node.is_chosen != of_chosen)
                continue;
            const Tree::Node& parent = tree.nodes[static_cast<std::size_t>(node.parent)];
            if (is_seen(plan.box(parent, place.cells) | plan.box(node, place.cells)))
                paint_branch(context, plan, parent, node, place.cells);
        }
    for (const Tree::Node& node : tree.nodes)
        if (const QRectF box = plan.box(node, place.cells); is_seen(box))
            paint_tree_node(context, plan, node, box);
}

}  // namespace headlight

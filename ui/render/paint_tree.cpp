#include "ui/render/paint_context.h"

#include <QPainterPath>

#include <algorithm>
#include <vector>

namespace headlight {
namespace {

/// Where the nodes of a tree stand in an area, in type of one size.
class TreePlan {
public:
    TreePlan(const Tree& tree, double size, const QString& family) : size_(size) {
        const TextMeasure words(size, Face::bold, family), numbers(size, Face::regular, family);
        for (const Tree::Node& node : tree.nodes) {
            const auto depth = static_cast<std::size_t>(node.depth);
            widths_.resize(std::max(widths_.size(), depth + 1));
            double width = words.width(QString::fromStdString(node.word)) + 2 * padding();
            if (!node.number.empty())
                width += numbers.width(QString::fromStdString(node.number)) + padding();
            widths_[depth] = std::max(widths_[depth], width);
            rows_ = std::max(rows_, node.row + 1);
        }
    }

    double padding() const { return 0.45 * size_; }
    double size() const { return size_; }
    double height() const { return (1.9 * static_cast<double>(rows_) - 0.4) * size_; }
    double width() const {
        double width = -column_gap();
        for (const double column : widths_)
            width += column + column_gap();
        return width;
    }
    /// With more room the columns stand further apart.
    QRectF box(const Tree::Node& node, const QRectF& area) const {
        const double more = widths_.size() > 1 ? std::max(0.0, area.width() - width()) /
                                                     static_cast<double>(widths_.size() - 1)
                                               : 0;
        const double pitch = std::min(2.6 * size_, (area.height() - 1.5 * size_) /
                                                       std::max(1.0, static_cast<double>(rows_ - 1)));
        double left = area.left();
        const auto depth = static_cast<std::size_t>(node.depth);
        for (std::size_t column = 0; column < depth; ++column)
            left += widths_[column] + column_gap() + std::min(more, 2 * column_gap());
        return {left, area.top() + static_cast<double>(node.row) * pitch, widths_[depth], 1.5 * size_};
    }

private:
    double column_gap() const { return 1.4 * size_; }

    double size_;
    std::vector<double> widths_;  ///< [depth]
    Index rows_ = 0;
};

void paint_branch(const PaintContext& context, const Tree::Node& node, const QRectF& from, const QRectF& to) {
    const FigureStyle& style = context.style;
    const QPointF start(from.right(), from.center().y()), end(to.left(), to.center().y());
    const QPointF half(0.5 * (end.x() - start.x()), 0);
    QPainterPath path(start);
    path.cubicTo(start + half, end - half, end);
    QPen pen(node.is_chosen ? style.accent
             : node.is_kept ? style.text
                            : style.frame,
             context.scaled(node.is_chosen ? 1.6 * style.mark_line : style.frame_line));
    if (!node.is_kept)
        pen.setStyle(Qt::DashLine);
    context.painter.setPen(pen);
    context.painter.setBrush(Qt::NoBrush);
    context.painter.drawPath(path);
}

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

}  // namespace

void paint_tree(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    const Tree& tree = *panel.tree;
    // In the type of labels, or in smaller type where it has no room.
    constexpr double step = 0.94, least = 0.4;
    double size = context.type(context.style.label);
    const double smallest = least * size;
    const auto fits = [&](double tried) {
        const TreePlan plan(tree, tried, context.style.family);
        return plan.width() <= place.cells.width() && plan.height() <= place.cells.height();
    };
    while (size > smallest && !fits(size))
        size *= step;
    const TreePlan plan(tree, size, context.style.family);
    const auto box = [&](const Tree::Node& node) { return plan.box(node, place.cells); };
    // Pale branches first, so that what matters lies on top.
    for (const bool of_chosen : {false, true})
        for (const Tree::Node& node : tree.nodes)
            if (node.parent >= 0 && node.is_chosen == of_chosen)
                paint_branch(context, node, box(tree.nodes[static_cast<std::size_t>(node.parent)]),
                             box(node));
    for (const Tree::Node& node : tree.nodes)
        paint_tree_node(context, plan, node, box(node));
}

}  // namespace headlight

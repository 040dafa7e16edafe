#include "ui/render/tree_plan.h"

#include "ui/render/figure_style.h"
#include "ui/render/typeface.h"

#include <algorithm>
#include <optional>

namespace headlight {

namespace {

constexpr double box_height = 1.5;                                        // ems
constexpr double least_pitch = 1.9, usual_pitch = 2.3, most_pitch = 2.6;  // ems between rows

}  // namespace

TreePlan::TreePlan(const Tree& tree, double size, const QString& family, Index lines)
    : size_(size), fills_(tree.is_on_one_line) {
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
    const Index steps = std::max<Index>(1, std::ssize(widths_));
    columns_ = parts_of_size(steps, lines);
    lines_ = parts_of_size(steps, columns_);
}

double TreePlan::width_of_line(Index line) const {
    const Index first = line * columns_, end = std::min(first + columns_, std::ssize(widths_));
    double width = -column_gap();
    for (Index depth = first; depth < end; ++depth)
        width += widths_[static_cast<std::size_t>(depth)] + column_gap();
    return width + (line > 0 ? stub() : 0) + (line + 1 < lines_ ? stub() : 0);
}

double TreePlan::width() const {
    double width = 0;
    for (Index line = 0; line < lines_; ++line)
        width = std::max(width, width_of_line(line));
    return width;
}

double TreePlan::height() const {
    const double line = (least_pitch * static_cast<double>(rows_ - 1) + box_height) * size_;
    return static_cast<double>(lines_) * line + static_cast<double>(lines_ - 1) * line_gap();
}

double TreePlan::shape() const {
    const double line = usual_pitch * static_cast<double>(rows_) * size_;
    return width() / (static_cast<double>(lines_) * line + static_cast<double>(lines_ - 1) * line_gap());
}

double TreePlan::row_pitch(double height) const {
    const double line = (height - static_cast<double>(lines_ - 1) * line_gap()) / static_cast<double>(lines_);
    const double pitch = (line - box_height * size_) / std::max(1.0, static_cast<double>(rows_ - 1));
    return fills_ ? pitch : std::min(most_pitch * size_, pitch);
}

QRectF TreePlan::box(const Tree::Node& node, const QRectF& area) const {
    const double more =
        columns_ > 1 ? std::max(0.0, area.width() - width()) / static_cast<double>(columns_ - 1) : 0;
    const double pitch = row_pitch(area.height());
    const Index line = line_of(node);
    const double line_height = pitch * static_cast<double>(rows_ - 1) + box_height * size_ + line_gap();
    double left = area.left() + (line > 0 ? stub() : 0);
    for (Index depth = line * columns_; depth < node.depth; ++depth)
        left += widths_[static_cast<std::size_t>(depth)] + column_gap() +
                (fills_ ? more : std::min(more, 2 * column_gap()));
    return {left,
            area.top() + static_cast<double>(line) * line_height + static_cast<double>(node.row) * pitch,
            widths_[static_cast<std::size_t>(node.depth)], box_height * size_};
}

namespace {

TreePlan largest_on_lines(const Tree& tree, const QSizeF& room, double most, const QString& family,
                          Index lines) {
    constexpr double step = 0.98;
    TreePlan plan(tree, most, family, lines);
    const double share = std::min(room.width() / plan.width(), room.height() / plan.height());
    if (share >= 1)
        return plan;
    // What rounding type to whole units leaves of it.
    constexpr double rounding = 1.1;
    double size = std::min(most, rounding * share * most);
    do
        plan = TreePlan(tree, std::max(1.0, size), family, lines);
    while (!plan.fits(room) && (size *= step) >= 1);
    return plan;
}

}  // namespace

TreePlan tree_in_room(const Tree& tree, const QSizeF& room, const FigureStyle& style, double unit) {
    const double least = type_size(style.least_label, unit), most = type_size(style.label, unit);
    TreePlan best = largest_on_lines(tree, room, most, style.family, 1);
    Index steps = 1;
    for (const Tree::Node& node : tree.nodes)
        steps = std::max(steps, node.depth + 1);
    for (Index lines = 2; !tree.is_on_one_line && lines <= steps && best.size() < least; ++lines)
        if (TreePlan plan = largest_on_lines(tree, room, most, style.family, lines);
            plan.size() > best.size())
            best = std::move(plan);
    return best;
}

}  // namespace headlight

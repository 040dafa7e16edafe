#include "ui/render/flow_plan.h"

#include <QLineF>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace headlight {
namespace {

using NodeKind = Flow::Node::Kind;

constexpr double lanes_apart = 1.2;  // downwards, in ems

bool is_word(const Flow::Node& node) { return node.kind == NodeKind::word; }

}  // namespace

FlowPlan::FlowPlan(const Flow& flow, std::shared_ptr<const FlowExtents> extents, double size, FlowForm form)
    : flow_(flow), extents_(std::move(extents)), size_(size), form_(form), rows_(flow) {
    for (Index node = 0; node < std::ssize(flow.nodes); ++node)
        own_widths_.push_back(width_of(node));
    // A frame is as wide as what stands in it.
    for (std::size_t node = 0; node < flow.nodes.size(); ++node)
        if (const Index frame = flow.nodes[node].inside; frame >= 0) {
            double& around = own_widths_[static_cast<std::size_t>(frame)];
            around = std::max(around, own_widths_[node] + 2 * padding());
        }
    if (form.goes_down)
        place_downwards();
    else
        place_across();
}

bool FlowPlan::has_second_line(const Flow::Node& node) const {
    return (form_.has_shapes || node.is_answer) && !node.shape.empty() && node.kind == NodeKind::box;
}

double FlowPlan::square(const Flow::Node& node) const {
    return form_.has_shapes && node.rows > 0 && node.kind == NodeKind::box ? line() : 0;
}

double FlowPlan::gap(std::size_t column) const {
    constexpr double dense = 0.55, tight = 0.45;
    return (form_.is_tight ? tight : form_.is_dense ? dense : 1) * flow_.gaps[column] * line();
}

double FlowPlan::width_of(Index index) const {
    const Flow::Node& node = flow_node(flow_, index);
    switch (node.kind) {
    case NodeKind::mark:
        return 0.6 * size_;
    case NodeKind::word:
        return (extents_->title_width(index) + (node.is_named ? 0.5 : 0.3)) * size_;
    case NodeKind::gap:
        return size_;
    case NodeKind::box:
    case NodeKind::frame:
        break;
    }
    const double shape = has_second_line(node) ? extents_->shape_width(index) : 0,
                 words = std::max(extents_->title_width(index), shape) * size_, beside = square(node);
    return words + 2 * padding() + (beside > 0 ? beside + padding() : 0);
}

void FlowPlan::place_across() {
    const std::size_t columns = flow_.gaps.size();
    widths_.assign(columns, 0);
    for (std::size_t node = 0; node < flow_.nodes.size(); ++node) {
        double& width = widths_[static_cast<std::size_t>(flow_.nodes[node].column)];
        width = std::max(width, own_widths_[node]);
    }
    if (form_.rows > 1) {
        std::vector<double> gaps;
        for (std::size_t column = 0; column < columns; ++column)
            gaps.push_back(gap(column));
        rows_ = FlowRows(flow_, form_.rows, widths_, gaps);
        beside_ = size_ + static_cast<double>(rows_.most_crossing()) * apart();
    }
    double widest = 1, bottom = 0;
    for (Index row = 0; row < rows_.count(); ++row) {
        double right = beside_;
        for (Index column = rows_.first(row); column <= rows_.last(row) && column < std::ssize(widths_);
             ++column) {
            lefts_.push_back(right + (column > rows_.first(row) ? gap(static_cast<std::size_t>(column)) : 0));
            right = lefts_.back() + widths_[static_cast<std::size_t>(column)];
        }
        widest = std::max(widest, right + beside_);
        tops_.push_back(bottom);
        bottom += rows_.lines(row) * line();
        if (row + 1 < rows_.count())
            bottom += static_cast<double>(std::ssize(rows_.crossing(row)) + 1) * apart() + 0.6 * size_;
    }
    least_ = {widest, std::max(bottom, 1.0)};
}

void FlowPlan::place_downwards() {
    const auto columns = static_cast<double>(flow_.gaps.size());
    double widest = 0, highest = 1;
    for (std::size_t node = 0; node < flow_.nodes.size(); ++node) {
        widest = std::max(widest, own_widths_[node]);
        highest = std::max(highest, flow_.nodes[node].height);
    }
    const double lanes = 1 + (flow_.lines - highest) / flow_.pitch;
    if (!form_.has_shapes)
        highest = 1.1;                                // a line of words each
    const double apart = form_.is_dense ? 0.6 : 1.3;  // lines
    lane_ = widest + lanes_apart * size_;
    widths_.assign(flow_.gaps.size(), highest * line());
    for (std::size_t column = 0; column < flow_.gaps.size(); ++column)
        lefts_.push_back(static_cast<double>(column) * (highest + apart) * line());
    least_ = {(lanes - 1) * lane_ + widest, (columns * highest + (columns - 1) * apart) * line()};
}

double FlowPlan::more_between(const QRectF& area) const {
    const Index most = rows_.most_columns();
    if (form_.goes_down || most < 2)
        return 0;
    double gaps = 0;  // of one row
    for (std::size_t column = 1; column < flow_.gaps.size(); ++column)
        gaps += gap(column) / static_cast<double>(rows_.count());
    const double spare = std::max(0.0, area.width() - width());
    return std::min(spare, gaps) / static_cast<double>(most - 1);
}

/// From the place in the least room to that in the middle of the area.
QPointF FlowPlan::shift(const QRectF& area) const {
    const double more =
        more_between(area) * static_cast<double>(std::max<Index>(rows_.most_columns(), 1) - 1);
    return {area.left() + 0.5 * std::max(0.0, area.width() - width() - more),
            area.top() + 0.5 * std::max(0.0, area.height() - height())};
}

double FlowPlan::left_of(Index column, const QRectF& area) const {
    return shift(area).x() + lefts_[static_cast<std::size_t>(column)] +
           static_cast<double>(rows_.place_in_row(column)) * more_between(area);
}

double FlowPlan::height_of(double line_of_flow, Index column, const QRectF& area) const {
    const Index row = rows_.row_of(column);
    return shift(area).y() + tops_[static_cast<std::size_t>(row)] + (line_of_flow - rows_.top(row)) * line();
}

QRectF FlowPlan::box(Index index, const QRectF& area) const {
    const Flow::Node& node = flow_node(flow_, index);
    const auto column = static_cast<std::size_t>(node.column);
    const double own = own_widths_[static_cast<std::size_t>(index)];
    if (form_.goes_down) {
        const double middle =
            (node.line - 0.5 * node.height) / flow_.pitch * lane_ + 0.5 * lane_ - 0.5 * lanes_apart * size_;
        return QRectF(middle - 0.5 * own, lefts_[column], own, widths_[column]).translated(shift(area));
    }
    double left = left_of(node.column, area), width = widths_[column];
    if (is_word(node)) {
        // The first column ends where its arrows begin.
        left += column == 0 ? width - own : 0;
        width = own;
    } else if (node.kind == NodeKind::mark || node.kind == NodeKind::gap) {
        left += 0.5 * (width - own);
        width = own;
    } else if (node.inside >= 0) {
        left += padding();
        width -= 2 * padding();
    }
    const double height =
        node.kind == NodeKind::mark ? std::min(own, node.height * line()) : node.height * line();
    return {left, height_of(node.line, node.column, area) - 0.5 * height, width, height};
}

std::vector<QRectF> FlowPlan::boxes(const QRectF& area) const {
    std::vector<QRectF> boxes;
    boxes.reserve(flow_.nodes.size());
    for (Index node = 0; node < std::ssize(flow_.nodes); ++node)
        boxes.push_back(box(node, area));
    return boxes;
}

bool FlowPlan::leads_along_column(const Flow::Edge& edge) const {
    return flow_node(flow_, edge.from).column == flow_node(flow_, edge.to).column;
}

QPointF FlowPlan::start(const Flow::Edge& edge, const QRectF& area) const {
    const QRectF from = box(edge.from, area), to = box(edge.to, area);
    if (form_.goes_down != leads_along_column(edge))
        return {from.center().x(), from.center().y() < to.center().y() ? from.bottom() : from.top()};
    return {leads_right(edge, area) ? from.right() : from.left(), from.center().y()};
}

bool FlowPlan::leads_right(const Flow::Edge& edge, const QRectF& area) const {
    if (form_.goes_down)
        return box(edge.from, area).center().x() < box(edge.to, area).center().x();
    return flow_node(flow_, edge.from).column < flow_node(flow_, edge.to).column;
}

FlowPlan::Tip FlowPlan::tip(const Flow::Edge& edge, const QRectF& area) const {
    const QRectF to = box(edge.to, area);
    const QPointF from = start(edge, area);
    // Arrows that come from far away end apart from each other.
    const auto spread = [](double beside, double length, double whole) {
        return length * std::clamp(0.7 * beside / std::max(whole, 1.0), -0.35, 0.35);
    };
    if (form_.goes_down != leads_along_column(edge)) {
        const bool is_down = from.y() < to.center().y();
        const double aside =
            leads_along_column(edge) ? 0 : spread(from.x() - to.center().x(), to.width(), width());
        return {{to.center().x() + aside, is_down ? to.top() : to.bottom()}, {0, is_down ? 1.0 : -1.0}};
    }
    const double lines = flow_node(flow_, edge.from).line - flow_node(flow_, edge.to).line;
    const double aside = form_.goes_down ? spread(from.y() - to.center().y(), to.height(), height())
                                         : spread(lines, to.height(), flow_.lines);
    const bool is_right = leads_right(edge, area);
    return {{is_right ? to.left() : to.right(), to.center().y() + aside}, {is_right ? 1.0 : -1.0, 0}};
}

QPainterPath FlowPlan::way(const Flow::Edge& edge, const QRectF& area, double short_of) const {
    const Tip end = tip(edge, area);
    const QPointF last = end.point - short_of * end.direction;
    QPainterPath path(start(edge, area));
    if (leads_along_column(edge))
        path.lineTo(last);
    else if (form_.goes_down)
        add_way_downwards(path, edge, area, last);
    else
        add_way_across(path, edge, area, last);
    return path;
}

namespace {

/// Bent in the middle between where the path is and where it goes to.
void curve_across(QPainterPath& path, QPointF to) {
    const QPointF from = path.currentPosition(), half(0.5 * (to.x() - from.x()), 0);
    path.cubicTo(from + half, to - half, to);
}

void curve_downwards(QPainterPath& path, QPointF to) {
    const QPointF from = path.currentPosition(), half(0, 0.5 * (to.y() - from.y()));
    path.cubicTo(from + half, to - half, to);
}

/// Straight from point to point, with round corners between.
void add_corners(QPainterPath& path, std::initializer_list<QPointF> corners, QPointF to, double radius) {
    for (const QPointF* corner = corners.begin(); corner != corners.end(); ++corner) {
        const QLineF before(*corner, path.currentPosition()),
            behind(*corner, corner + 1 == corners.end() ? to : *(corner + 1));
        const auto along = [&](QLineF line, double share) {
            line.setLength(std::min(radius, share * line.length()));
            return line.p2();
        };
        path.lineTo(along(before, 1));
        path.quadTo(*corner, along(behind, 0.5));
    }
    path.lineTo(to);
}

}  // namespace

void FlowPlan::add_way_downwards(QPainterPath& path, const Flow::Edge& edge, const QRectF& area,
                                 QPointF last) const {
    const QPointF origin = shift(area);
    auto column = static_cast<std::size_t>(flow_node(flow_, edge.from).column);
    for (const double line_of_way : edge.via) {
        ++column;
        const double x =
            origin.x() + (line_of_way - 1) / flow_.pitch * lane_ + 0.5 * lane_ - 0.5 * lanes_apart * size_;
        curve_downwards(path, {x, origin.y() + lefts_[column]});
        path.lineTo(x, origin.y() + lefts_[column] + widths_[column]);
    }
    curve_downwards(path, last);
}

void FlowPlan::add_way_across(QPainterPath& path, const Flow::Edge& edge, const QRectF& area,
                              QPointF last) const {
    const auto right_of = [&](Index column) {
        return left_of(column, area) + widths_[static_cast<std::size_t>(column)];
    };
    const Index to = flow_node(flow_, edge.to).column;
    Index column = flow_node(flow_, edge.from).column;
    const bool goes_right = column < to;
    // From a part that is narrower than its column, straight to and from the column's edge: something wider
    // may stand above it.
    path.lineTo(goes_right ? right_of(column) : left_of(column, area), path.currentPosition().y());
    const auto go_on_to = [&](Index next, QPointF point) {
        if (rows_.row_of(next) == rows_.row_of(column)) {
            curve_across(path, point);
            return;
        }
        add_way_to_next_row(path, edge, column, point.y(), area);
        path.lineTo(point);
    };
    const Index last_passed = column + std::ssize(edge.via);
    for (Index next = rows_.next_column(flow_, edge, column); next <= last_passed;
         next = rows_.next_column(flow_, edge, column)) {
        const double y = height_of(line_in_column(flow_, edge, next), next, area);
        go_on_to(next, {left_of(next, area), y});
        path.lineTo(right_of(next), y);
        column = next;
    }
    const QPointF before(goes_right ? left_of(to, area) : right_of(to), last.y());
    const QRectF box_there = box(edge.to, area);
    const bool is_narrow = std::abs(before.x() - (goes_right ? box_there.left() : box_there.right())) > size_;
    go_on_to(to, is_narrow ? before : last);
    if (is_narrow)
        path.lineTo(last);
}

void FlowPlan::add_way_to_next_row(QPainterPath& path, const Flow::Edge& edge, Index column, double height,
                                   const QRectF& area) const {
    const Index row = rows_.row_of(column), next = rows_.first(row + 1);
    const std::vector<Index>& crossing = rows_.crossing(row);
    const auto is_this = [&](Index number) {
        const Flow::Edge& each = flow_.edges[static_cast<std::size_t>(number)];
        return each.from == edge.from && each.to == edge.to;
    };
    // The highest has the outer corners at the right and the lower way back, so that none cross each other.
    const auto place = static_cast<double>(std::ranges::find_if(crossing, is_this) - crossing.begin());
    const auto inner = static_cast<double>(std::ssize(crossing)) - place;
    const double right = left_of(column, area) + widths_[static_cast<std::size_t>(column)] + inner * apart(),
                 left = left_of(next, area) - size_ - place * apart(),
                 back = height_of(rows_.top(row) + rows_.lines(row), column, area) + inner * apart();
    add_corners(path, {{right, path.currentPosition().y()}, {right, back}, {left, back}, {left, height}},
                {left_of(next, area) - 0.5 * size_, height}, 0.4 * apart());
}

}  // namespace headlight

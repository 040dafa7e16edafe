#include "ui/render/flow_plan.h"

#include "ui/render/figure_style.h"
#include "ui/render/typeface.h"

#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace headlight {
namespace {

using NodeKind = Flow::Node::Kind;

constexpr double lanes_apart = 1.2;  // downwards, in ems

bool is_word(const Flow::Node& node) { return node.kind == NodeKind::word; }

}  // namespace

FlowPlan::FlowPlan(const Flow& flow, std::shared_ptr<const FlowExtents> extents, double size, FlowForm form)
    : flow_(flow), extents_(std::move(extents)), size_(size), form_(form) {
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

double FlowPlan::square(const Flow::Node& node) const {
    return form_.has_shapes && node.rows > 0 && node.kind == NodeKind::box ? line() : 0;
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
    const double shape = form_.has_shapes ? extents_->shape_width(index) : 0,
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
    double right = 0;
    for (std::size_t column = 0; column < columns; ++column) {
        const double before = column > 0 ? gap(column) : 0;
        lefts_.push_back(right + before);
        right += before + widths_[column];
    }
    least_ = {std::max(right, 1.0), std::max(flow_.lines * line(), 1.0)};
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
    if (form_.goes_down || lefts_.size() < 2)
        return 0;
    double gaps = 0;
    for (std::size_t column = 1; column < flow_.gaps.size(); ++column)
        gaps += gap(column);
    const double spare = std::max(0.0, area.width() - width());
    return std::min(spare, gaps) / static_cast<double>(lefts_.size() - 1);
}

/// From the place in the least room to that in the middle of the area.
QPointF FlowPlan::shift(const QRectF& area) const {
    const double more = more_between(area) * static_cast<double>(std::max<std::size_t>(lefts_.size(), 1) - 1);
    return {area.left() + 0.5 * std::max(0.0, area.width() - width() - more),
            area.top() + 0.5 * std::max(0.0, area.height() - height())};
}

QRectF FlowPlan::box(Index index, const QRectF& area) const {
    const Flow::Node& node = flow_node(flow_, index);
    const auto column = static_cast<std::size_t>(node.column);
    const double own = own_widths_[static_cast<std::size_t>(index)];
    const QPointF origin = shift(area);
    if (form_.goes_down) {
        const double middle =
            (node.line - 0.5 * node.height) / flow_.pitch * lane_ + 0.5 * lane_ - 0.5 * lanes_apart * size_;
        return QRectF(middle - 0.5 * own, lefts_[column], own, widths_[column]).translated(origin);
    }
    double left = lefts_[column] + static_cast<double>(column) * more_between(area), width = widths_[column];
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
    return QRectF(left, node.line * line() - 0.5 * height, width, height).translated(origin);
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
    return {from.center().x() < to.center().x() ? from.right() : from.left(), from.center().y()};
}

FlowPlan::Tip FlowPlan::tip(const Flow::Edge& edge, const QRectF& area) const {
    const QRectF to = box(edge.to, area);
    const QPointF from = start(edge, area);
    // Arrows that come from far away end apart from each other.
    const auto spread = [](double at, double middle, double length, double whole) {
        return middle + length * std::clamp(0.7 * (at - middle) / std::max(whole, 1.0), -0.35, 0.35);
    };
    if (form_.goes_down != leads_along_column(edge)) {
        const bool is_down = from.y() < to.center().y();
        return {{leads_along_column(edge) ? to.center().x()
                                          : spread(from.x(), to.center().x(), to.width(), width()),
                 is_down ? to.top() : to.bottom()},
                {0, is_down ? 1.0 : -1.0}};
    }
    const bool is_right = from.x() < to.center().x();
    return {{is_right ? to.left() : to.right(), spread(from.y(), to.center().y(), to.height(), height())},
            {is_right ? 1.0 : -1.0, 0}};
}

QPainterPath FlowPlan::way(const Flow::Edge& edge, const QRectF& area, double short_of) const {
    const Tip end = tip(edge, area);
    const QPointF origin = shift(area);
    QPainterPath path(start(edge, area));
    // From a part that is narrower than its column, straight to and from the column's edge: something wider may
    // stand above it.
    const auto at_edge = [&](Index node, QPointF point, bool is_right) {
        const auto of = static_cast<std::size_t>(flow_node(flow_, node).column);
        const double left = origin.x() + lefts_[of] + static_cast<double>(of) * more_between(area);
        return QPointF(is_right ? left + widths_[of] : left, point.y());
    };
    const bool is_straight = leads_along_column(edge), goes_right = end.direction.x() > 0;
    if (!form_.goes_down && !is_straight)
        path.lineTo(at_edge(edge.from, path.currentPosition(), goes_right));
    const auto curve_to = [&](QPointF to) {
        const QPointF from = path.currentPosition();
        const QPointF half =
            form_.goes_down ? QPointF(0, 0.5 * (to.y() - from.y())) : QPointF(0.5 * (to.x() - from.x()), 0);
        path.cubicTo(from + half, to - half, to);
    };
    auto column = static_cast<std::size_t>(flow_node(flow_, edge.from).column);
    for (const double line_of_way : edge.via) {
        ++column;
        const double along = lefts_[column] + static_cast<double>(column) * more_between(area),
                     length = widths_[column];
        if (form_.goes_down) {
            const double x = origin.x() + (line_of_way - 1) / flow_.pitch * lane_ + 0.5 * lane_ -
                             0.5 * lanes_apart * size_;
            curve_to({x, origin.y() + along});
            path.lineTo(x, origin.y() + along + length);
        } else {
            const double y = origin.y() + line_of_way * line();
            curve_to({origin.x() + along, y});
            path.lineTo(origin.x() + along + length, y);
        }
    }
    const QPointF last = end.point - short_of * end.direction;
    if (is_straight) {
        path.lineTo(last);
        return path;
    }
    const QPointF before = at_edge(edge.to, last, !goes_right);
    const bool is_narrow = !form_.goes_down && std::abs(before.x() - end.point.x()) > size_;
    curve_to(is_narrow ? before : last);
    if (is_narrow)
        path.lineTo(last);
    return path;
}

namespace {

FlowPlan largest_flow(const Flow& flow, const std::shared_ptr<const FlowExtents>& extents, const QSizeF& room,
                      double most, FlowForm form) {
    constexpr double step = 0.98;
    std::optional<FlowPlan> plan(std::in_place, flow, extents, most, form);
    const double share = std::min(room.width() / plan->width(), room.height() / plan->height());
    // All of it grows with the type: what is smaller by that share fits, but for rounding.
    for (double size = std::floor(share * most); share < 1;
         size = std::floor(std::min(size - 1, step * size))) {
        size = std::max(1.0, size);
        plan.emplace(flow, extents, size, form);
        if (size == 1 || plan->fits(room))
            break;
    }
    return *plan;
}

}  // namespace

FlowPlan flow_in_room(const Flow& flow, const QSizeF& room, const FigureStyle& style, double unit) {
    constexpr double grown = 1.4;  // of labels: the words are the picture, where there is room for it
    const double least = type_size(style.least_label, unit),
                 most = type_size(style.largest_text > 0 ? std::min(grown * style.label, style.largest_text)
                                                         : style.label,
                                  unit);
    constexpr std::array forms{FlowForm{false, true, false}, FlowForm{false, true, true},
                               FlowForm{true, true, false},  FlowForm{true, true, true},
                               FlowForm{false, false, true}, FlowForm{true, false, true}};
    const auto extents = std::make_shared<const FlowExtents>(flow, style.family);
    std::optional<FlowPlan> best;
    for (const FlowForm& form : forms) {
        if (form.goes_down && flow.pitch == 0)
            continue;
        const FlowPlan plan = largest_flow(flow, extents, room, most, form);
        if (plan.size() >= least)
            return plan;
        if (!best || plan.size() > best->size())
            best.emplace(plan);
    }
    return *best;
}

}  // namespace headlight

#include "ui/render/compact_flow.h"

#include "ui/render/flow_colours.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {
namespace {

using NodeKind = Flow::Node::Kind;

/// How wide a part is beside others in its little map.
double units_of(NodeKind kind) {
    switch (kind) {
    case NodeKind::box:
    case NodeKind::frame:
        return 4;
    case NodeKind::word:
        return 2;
    case NodeKind::mark:
    case NodeKind::gap:
        break;
    }
    return 1;
}

/// Thin lines that step back: the frames of the theme, which suit large figures, would vanish here.
const QColor& thin_line_colour(const FigureStyle& style, Flow::Light light) {
    return light == Flow::Light::quiet ? style.quiet_text : flow_line_colour(style, light);
}

/// The same box where a line one pixel wide is one pixel, not half the colour of two.
QRectF around_pixels(const QRectF& box) {
    return QRectF(std::floor(box.left()) + 0.5, std::floor(box.top()) + 0.5, std::round(box.width()),
                  std::round(box.height()));
}

double lane_of(const Flow& flow, double line) { return (line - 1) / flow.pitch; }

}  // namespace

CompactFlow::CompactFlow(const Flow& flow, const QRectF& area) : flow_(flow), bottom_(area.top()) {
    if (flow.pitch > 0)
        place_stages(area);
    else
        place_model(area);
    for (const QRectF& box : boxes_)
        bottom_ = std::max(bottom_, box.bottom());
}

void CompactFlow::place_stages(const QRectF& area) {
    constexpr double most_step = 26, most_lane = 44, widest = 0.72, highest = 0.6;
    double lanes = 1;
    for (const Flow::Node& node : flow_.nodes)
        lanes = std::max(lanes, 1 + lane_of(flow_, node.line));
    for (const Flow::Edge& edge : flow_.edges)
        for (const double line : edge.via)
            lanes = std::max(lanes, 1 + lane_of(flow_, line));
    const auto columns = static_cast<double>(std::max<std::size_t>(1, flow_.gaps.size()));
    step_ = std::min(most_step, area.height() / columns);
    lane_ = std::min(most_lane, area.width() / lanes);
    first_ = {area.center().x() - 0.5 * (lanes - 1) * lane_, area.top() + 0.5 * step_};
    for (const Flow::Node& node : flow_.nodes) {
        QRectF box(0, 0, widest * lane_, highest * step_);
        box.moveCenter(lane_point(node.column, node.line));
        boxes_.push_back(box);
    }
}

QPointF CompactFlow::lane_point(Index column, double line) const {
    return first_ + QPointF(lane_of(flow_, line) * lane_, static_cast<double>(column) * step_);
}

void CompactFlow::place_model(const QRectF& area) {
    constexpr double most_unit = 9, most_line = 9, units_a_line = 0.4;
    std::vector<double> widths(flow_.gaps.size(), 0);
    for (const Flow::Node& node : flow_.nodes) {
        double& width = widths[static_cast<std::size_t>(node.column)];
        width = std::max(width, units_of(node.kind));
    }
    double units = 0;
    std::vector<double> lefts;
    for (std::size_t column = 0; column < widths.size(); ++column) {
        units += column > 0 ? units_a_line * flow_.gaps[column] : 0;
        lefts.push_back(units);
        units += widths[column];
    }
    const double unit = std::min(most_unit, area.width() / std::max(1.0, units)),
                 line = std::min(most_line, area.height() / std::max(1.0, flow_.lines)),
                 left = area.center().x() - 0.5 * units * unit;
    for (const Flow::Node& node : flow_.nodes) {
        const auto column = static_cast<std::size_t>(node.column);
        const double inset = node.inside >= 0 ? 0.3 : 0,
                     width = node.kind == NodeKind::frame ? widths[column] : units_of(node.kind) - 2 * inset,
                     from = lefts[column] + 0.5 * (widths[column] - width);
        boxes_.emplace_back(left + from * unit, area.top() + (node.line - 0.5 * node.height) * line,
                            width * unit, node.height * line);
    }
}

QPolygonF CompactFlow::way(const Flow::Edge& edge) const {
    const QRectF &from = boxes_[static_cast<std::size_t>(edge.from)],
                 &to = boxes_[static_cast<std::size_t>(edge.to)];
    const bool is_in_column = flow_node(flow_, edge.from).column == flow_node(flow_, edge.to).column;
    if (flow_.pitch > 0 || is_in_column) {
        const bool is_down = from.center().y() < to.center().y();
        QPolygonF points{QPointF(from.center().x(), is_down ? from.bottom() : from.top())};
        Index column = flow_node(flow_, edge.from).column;
        for (const double line : edge.via)
            points << lane_point(++column, line);
        return points << QPointF(to.center().x(), is_down ? to.top() : to.bottom());
    }
    const bool is_right = from.center().x() < to.center().x();
    return {QPointF(is_right ? from.right() : from.left(), from.center().y()),
            QPointF(is_right ? to.left() : to.right(), to.center().y())};
}

std::optional<Index> CompactFlow::part_at(QPointF point) const {
    constexpr double nearly = 3;
    std::optional<Index> found;
    double nearest = std::numeric_limits<double>::infinity();
    for (Index node = 0; node < std::ssize(flow_.nodes); ++node) {
        const QRectF& box = boxes_[static_cast<std::size_t>(node)];
        if (!is_selectable(flow_node(flow_, node)) ||
            !box.adjusted(-nearly, -nearly, nearly, nearly).contains(point))
            continue;
        const double away = (box.center() - point).manhattanLength();
        if (away < nearest) {
            nearest = away;
            found = node;
        }
    }
    return found;
}

void CompactFlow::paint_part(QPainter& painter, const FigureStyle& style, Index number) const {
    const Flow::Node& node = flow_node(flow_, number);
    const QRectF& box = boxes_[static_cast<std::size_t>(number)];
    const QColor& colour = thin_line_colour(style, node.light);
    const bool is_lit = node.light == Flow::Light::lit;
    switch (node.kind) {
    case NodeKind::gap: {
        painter.setPen(Qt::NoPen);
        painter.setBrush(style.quiet_text);
        const double radius = 0.1 * std::min(box.width(), box.height());
        for (const double down : {-0.3, 0.0, 0.3})
            painter.drawEllipse(box.center() + QPointF(0, down * box.height()), radius, radius);
        return;
    }
    case NodeKind::word: {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        const double height = std::min(0.5 * box.height(), is_lit ? 3.0 : 1.5);
        painter.drawRect(QRectF(box.left(), box.center().y() - 0.5 * height, box.width(), height));
        return;
    }
    case NodeKind::mark:
    case NodeKind::box:
    case NodeKind::frame:
        break;
    }
    painter.setPen(QPen(colour, is_lit ? 2 : 1));
    painter.setBrush(is_lit ? style.accent : style.background);
    const double radius = node.kind == NodeKind::mark ? 0 : 2;
    painter.drawRoundedRect(around_pixels(box), radius, radius);
}

void CompactFlow::paint(QPainter& painter, const FigureStyle& style) const {
    constexpr double thickest = 4;
    painter.setRenderHint(QPainter::Antialiasing);
    const auto paint_frames = [&](bool are_frames) {
        for (Index node = 0; node < std::ssize(flow_.nodes); ++node)
            if ((flow_node(flow_, node).kind == NodeKind::frame) == are_frames)
                paint_part(painter, style, node);
    };
    paint_frames(true);
    for (const bool matters : {false, true})
        for (const Flow::Edge& edge : flow_.edges)
            if ((edge.light != Flow::Light::quiet) == matters) {
                const QColor& colour = edge.weight && edge.light == Flow::Light::firm
                                           ? style.quiet_text
                                           : thin_line_colour(style, edge.light);
                painter.setBrush(Qt::NoBrush);
                painter.setPen(QPen(colour, std::max(1.0, thickest * edge.share),
                                    edge.is_dashed ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap));
                painter.drawPolyline(way(edge));
            }
    paint_frames(false);
}

}  // namespace headlight

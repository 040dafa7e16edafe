#include "ui/views/flow_walk.h"

#include <Qt>

#include <cmath>

namespace headlight {
namespace {

bool is_stop(const Flow::Node& node) { return node.kind == Flow::Node::Kind::box && is_selectable(node); }

/// How far it is to a part in the direction of the key, ways to the side counted twice; nothing where it is
/// not there.
std::optional<double> distance_ahead(QPointF way, int key) {
    const bool is_across = key == Qt::Key_Left || key == Qt::Key_Right;
    const double sign = key == Qt::Key_Left || key == Qt::Key_Up ? -1 : 1;
    const double ahead = sign * (is_across ? way.x() : way.y()),
                 aside = std::abs(is_across ? way.y() : way.x());
    constexpr double least = 1;  // pixel
    return ahead >= least && (is_across || ahead >= 0.3 * aside) ? std::optional(ahead + 2 * aside)
                                                                 : std::nullopt;
}

/// At the end of a row, the part of the flow's next column, or at its beginning of the one before.
std::optional<Index> part_in_next_row(const Flow& flow, Index from, int key) {
    if (key != Qt::Key_Left && key != Qt::Key_Right)
        return std::nullopt;
    const Flow::Node& here = flow_node(flow, from);
    std::optional<Index> found;
    const auto columns_away = [&](Index node) {
        const Index away = flow_node(flow, node).column - here.column;
        return key == Qt::Key_Right ? away : -away;
    };
    const auto is_nearer = [&](Index node, Index other) {
        const auto aside = [&](Index at) { return std::abs(flow_node(flow, at).line - here.line); };
        return columns_away(node) < columns_away(other) ||
               (columns_away(node) == columns_away(other) && aside(node) < aside(other));
    };
    for (Index node = 0; node < std::ssize(flow.nodes); ++node)
        if (is_stop(flow_node(flow, node)) && columns_away(node) > 0 && (!found || is_nearer(node, *found)))
            found = node;
    return found;
}

}  // namespace

CellPlace place_of_part(const Flow::Node& node) {
    return {node.place.site, node.place.stage, node.place.head, node.place.query, node.place.key};
}

std::vector<Index> nodes_of_token(const Flow& flow, const std::string& site, bool is_query, Index token) {
    std::vector<Index> nodes;
    for (Index at = 0; at < std::ssize(flow.nodes); ++at) {
        const Flow::Node& node = flow_node(flow, at);
        if (node.kind == Flow::Node::Kind::word && node.place.site == site &&
            (is_query ? node.place.query : node.place.key) == token)
            nodes.push_back(at);
    }
    return nodes;
}

std::optional<Index> walked_part(const Flow& flow, const std::vector<QRectF>& boxes, Index from, int key) {
    const Index count = std::ssize(boxes);
    if (key == Qt::Key_Home || key == Qt::Key_End) {
        const bool is_end = key == Qt::Key_End;
        for (Index at = is_end ? count - 1 : 0; at >= 0 && at < count; at += is_end ? -1 : 1)
            if (is_stop(flow_node(flow, at)))
                return at;
        return std::nullopt;
    }
    if (key != Qt::Key_Left && key != Qt::Key_Right && key != Qt::Key_Up && key != Qt::Key_Down)
        return std::nullopt;
    const QPointF here = boxes[static_cast<std::size_t>(from)].center();
    std::optional<Index> nearest;
    double least = 0;
    for (Index at = 0; at < count; ++at) {
        if (at == from || !is_stop(flow_node(flow, at)))
            continue;
        const auto way = distance_ahead(boxes[static_cast<std::size_t>(at)].center() - here, key);
        if (way && (!nearest || *way < least)) {
            nearest = at;
            least = *way;
        }
    }
    return nearest ? nearest : part_in_next_row(flow, from, key);
}

}  // namespace headlight

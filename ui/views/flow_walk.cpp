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
    return nearest;
}

}  // namespace headlight

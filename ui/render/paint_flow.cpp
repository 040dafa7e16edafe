#include "ui/render/flow_colours.h"
#include "ui/render/flow_plan.h"
#include "ui/render/paint_context.h"

#include <QPainterPath>

#include <algorithm>

namespace headlight {
namespace {

using FlowLight = Flow::Light;

const QColor& words_colour(const FigureStyle& style, const Flow::Node& node) {
    if (node.light == FlowLight::lit && node.kind == Flow::Node::Kind::word)
        return style.accent;  // nothing is around it that could have it
    return node.light == FlowLight::quiet ? style.quiet_text : style.text;
}

void paint_flow_arrow(const PaintContext& context, const FlowPlan& plan, const Flow::Edge& edge,
                      const QRectF& area) {
    constexpr double thickest = 0.5;  // in the size of the type
    const FigureStyle& style = context.style;
    const double thin = context.scaled(style.frame_line),
                 thickness = std::max(thin, edge.share * thickest * plan.size()),
                 head = std::max(0.45 * plan.size(), 1.7 * thickness);
    const QColor& colour =
        edge.weight && edge.light == FlowLight::firm ? style.quiet_text : flow_line_colour(style, edge.light);
    QPen pen(colour, thickness, edge.is_dashed ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap);
    context.painter.setPen(pen);
    context.painter.setBrush(Qt::NoBrush);
    context.painter.drawPath(plan.way(edge, area, 0.8 * head));
    const auto [point, direction] = plan.tip(edge, area);
    const QPointF back = point - head * direction, side = 0.5 * head * QPointF(-direction.y(), direction.x());
    context.painter.setPen(Qt::NoPen);
    context.painter.setBrush(colour);
    context.painter.drawPolygon(QPolygonF({point, back + side, back - side}));
    context.painter.setBrush(Qt::NoBrush);
}

/// A tensor in the proportion of its last two axes.
void paint_tensor(const PaintContext& context, const Flow::Node& node, const QRectF& square) {
    constexpr double least = 0.08;  // of the longer side
    const double rows = static_cast<double>(node.rows),
                 columns = static_cast<double>(std::max<Index>(1, node.columns)),
                 longest = std::max(rows, columns);
    const QSizeF size(square.width() * std::max(least, columns / longest),
                      square.height() * std::max(least, rows / longest));
    const QRectF area(square.center() - QPointF(0.5 * size.width(), 0.5 * size.height()), size);
    context.painter.setPen(QPen(context.style.frame, context.scaled(context.style.frame_line)));
    context.painter.setBrush(context.style.missing);
    context.painter.drawRect(area);
    context.painter.setBrush(Qt::NoBrush);
}

constexpr double least_on_screen = 9;  // pixels: smaller type is not read but guessed

/// A file can be enlarged until its type is read, a screen cannot.
bool can_be_read(const PaintContext& context, const FlowPlan& plan) {
    return !context.figure.uses_height || plan.size() >= least_on_screen;
}

/// What a picture says whose words are too small: the title of the part in view and the word that is
/// selected, over what is beside them. All others have their tooltips.
void paint_lit_word(const PaintContext& context, const FlowPlan& plan, Index number, const QRectF& box,
                    const QRectF& area) {
    const QString title = plan.title(number);
    if (title.isEmpty() || flow_node(plan.flow(), number).light != FlowLight::lit)
        return;
    const TextMeasure text(least_on_screen, Face::bold, context.style.family);
    const QString shown = text.elided(title, area.width());
    QRectF plate(0, 0, text.width(shown) + 0.6 * least_on_screen, 1.4 * least_on_screen);
    plate.moveCenter(box.center());
    plate.moveLeft(
        std::clamp(plate.left(), area.left(), std::max(area.left(), area.right() - plate.width())));
    context.painter.fillRect(plate, context.style.background);
    context.set_type(least_on_screen, Face::bold, words_colour(context.style, flow_node(plan.flow(), number)),
                     shown);
    context.draw_sentence(
        QPointF(plate.left() + 0.3 * least_on_screen, plate.center().y() + text.middle_to_baseline()), shown);
}

void paint_part_words(const PaintContext& context, const FlowPlan& plan, Index number, const QRectF& box) {
    const Flow::Node& node = flow_node(plan.flow(), number);
    const FigureStyle& style = context.style;
    const Face face = node.light == FlowLight::lit ? Face::bold : Face::regular;
    const TextMeasure text(plan.size(), face, style.family);
    const QString title = plan.title(number), shape = QString::fromStdString(node.shape);
    const bool has_shape = plan.has_second_line(node);
    double left = box.left() + (node.kind == Flow::Node::Kind::word ? 0.25 * plan.size() : plan.padding());
    if (const double side = plan.square(node); side > 0) {
        paint_tensor(context, node, QRectF(left, box.center().y() - 0.5 * side, side, side));
        left += side + plan.padding();
    }
    const double apart = std::max(0.84 * plan.line(), 1.2 * plan.size());  // of the two lines
    double middle = box.center().y() - (has_shape ? 0.5 * apart : 0);
    if (node.kind == Flow::Node::Kind::frame)
        middle = box.top() + 0.6 * plan.line();
    if (!can_be_read(context, plan))
        return;
    context.set_type(plan.size(), face, words_colour(style, node), title);
    context.draw_sentence(QPointF(left, middle + text.middle_to_baseline()), title);
    if (!has_shape)
        return;
    context.set_type(plan.size(), Face::regular, style.quiet_text, shape);
    context.draw_plain(QPointF(left, middle + apart + text.middle_to_baseline()), shape);
}

/// Three dots, one below the other, where layers are folded.
void paint_dots(const PaintContext& context, const QRectF& box) {
    const double radius = 0.08 * box.width();
    context.painter.setPen(Qt::NoPen);
    context.painter.setBrush(context.style.quiet_text);
    for (const double down : {-0.25, 0.0, 0.25})
        context.painter.drawEllipse(box.center() + QPointF(0, down * box.height()), radius, radius);
    context.painter.setBrush(Qt::NoBrush);
}

void paint_part(const PaintContext& context, const FlowPlan& plan, std::size_t number, const QRectF& box) {
    const Flow::Node& node = plan.flow().nodes[number];
    const FigureStyle& style = context.style;
    const QPen frame(flow_line_colour(style, node.light),
                     context.scaled(node.light == FlowLight::lit ? style.mark_line : style.frame_line));
    const double radius = 0.3 * plan.size();
    switch (node.kind) {
    case Flow::Node::Kind::gap:
        paint_dots(context, box);
        return;
    case Flow::Node::Kind::mark:
        context.painter.setPen(frame);
        context.painter.setBrush(node.light == FlowLight::quiet ? style.background : style.missing);
        context.painter.drawRect(box);
        context.painter.setBrush(Qt::NoBrush);
        return;
    case Flow::Node::Kind::word:
        if (node.is_named)
            paint_part_words(context, plan, static_cast<Index>(number), box);
        return;
    case Flow::Node::Kind::box:
    case Flow::Node::Kind::frame:
        break;
    }
    context.painter.setPen(frame);
    context.painter.setBrush(style.background);
    context.painter.drawRoundedRect(box, radius, radius);
    context.painter.setBrush(Qt::NoBrush);
    paint_part_words(context, plan, static_cast<Index>(number), box);
}

}  // namespace

void paint_flow(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    const Flow& flow = *panel.flow;
    const FlowPlan plan =
        flow_in_room(flow, place.cells.size(), context.style, context.unit, place.flow_form);
    const std::vector<QRectF> boxes = plan.boxes(place.cells);
    // Frames below what stands in them, and quiet arrows below those that matter.
    for (std::size_t node = 0; node < boxes.size(); ++node)
        if (flow.nodes[node].kind == Flow::Node::Kind::frame)
            paint_part(context, plan, node, boxes[node]);
    for (const bool matters : {false, true})
        for (const Flow::Edge& edge : flow.edges)
            if ((edge.light != FlowLight::quiet) == matters)
                paint_flow_arrow(context, plan, edge, place.cells);
    for (std::size_t node = 0; node < boxes.size(); ++node)
        if (flow.nodes[node].kind != Flow::Node::Kind::frame)
            paint_part(context, plan, node, boxes[node]);
    if (!can_be_read(context, plan))
        for (std::size_t node = 0; node < boxes.size(); ++node)
            if (flow.nodes[node].kind != Flow::Node::Kind::frame)
                paint_lit_word(context, plan, static_cast<Index>(node), boxes[node], place.cells);
}

}  // namespace headlight

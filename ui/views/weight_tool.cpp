#include "ui/views/weight_tool.h"

#include "ui/models/document.h"
#include "ui/models/intervention_edit.h"
#include "ui/views/canvas_accessibility.h"
#include "ui/views/cell_text.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/hover.h"
#include "ui/views/weight_drag.h"
#include "ui/views/weight_popup.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScreen>

#include <algorithm>

namespace headlight {

WeightTool::WeightTool(FigureCanvas& canvas) : canvas_(canvas) {}

WeightTool::~WeightTool() = default;

CanvasTool::Takes WeightTool::press(const QMouseEvent& event) {
    const auto place =
        event.modifiers() & Qt::ShiftModifier ? canvas_.place_at(event.position()) : std::nullopt;
    const auto weight = place ? changeable_weight(canvas_.document(), *place) : std::nullopt;
    if (!weight)
        return Takes::nothing;
    canvas_.choose(*place);
    drag_ = std::make_unique<WeightDrag>(canvas_.document(), *place, *weight, event.position());
    canvas_.setCursor(Qt::SizeVerCursor);
    canvas_.update();
    return Takes::everything;
}

void WeightTool::drag(QPointF to) {
    drag_->move(to);
    HoverState::of(canvas_.document()).set(drag_->place());
    canvas_.update();
}

bool WeightTool::release(QPointF) {
    drag_->release();
    drag_.reset();
    canvas_.update();
    return false;
}

void WeightTool::paint(QPainter& painter) const {
    if (drag_)
        paint_weight(painter, canvas_.rect_of(drag_->place()), canvas_.palette(), drag_->weight());
}

QString WeightTool::hint(const CellPlace& place) const {
    return changeable_weight(canvas_.document(), place)
               ? FigureCanvas::tr(
                     "Shift+drag up or down, or press W, to change it:\n"
                     "the rest of the row shares what is left, and the model decodes on from here.")
               : QString();
}

bool WeightTool::ask(const CellPlace& place) {
    Document& document = canvas_.document();
    const auto weight = changeable_weight(document, place);
    if (!weight)
        return false;
    canvas_.choose(place);
    const TokenLabels& tokens = document.run()->trace->tokens_at(place.site);
    // Not by its word, which is what may change.
    const QString which = FigureCanvas::tr("How much step %1 looks at %2")
                              .arg(*place.row + 1)
                              .arg(quoted_token(index_label(tokens, Axis::key, *place.column)));
    auto* popup = new WeightPopup(document, *weight, which, &canvas_);
    const QRect screen = canvas_.screen()->availableGeometry();
    const QPoint below = canvas_.rect_of(place).bottomLeft().toPoint() + QPoint(0, 6);
    QRect area(canvas_.mapToGlobal(below), popup->sizeHint());
    area.moveLeft(std::min(area.left(), screen.right() - area.width()));
    area.moveTop(std::min(area.top(), screen.bottom() - area.height()));
    popup->move(area.topLeft());
    popup->show();
    popup->setFocus(Qt::PopupFocusReason);
    return true;
}

bool WeightTool::key(const QKeyEvent& event) {
    const auto place = canvas_.current_place();
    if (!place)
        return false;
    if (event.key() == Qt::Key_W && !(event.modifiers() & ~Qt::KeypadModifier))
        return ask(*place);
    const bool up = event.key() == Qt::Key_Up, down = event.key() == Qt::Key_Down;
    return event.modifiers() == Qt::AltModifier && (up || down) && nudge(*place, up);
}

bool WeightTool::nudge(const CellPlace& place, bool up) {
    Document& document = canvas_.document();
    auto weight = changeable_weight(document, place);
    if (!weight)
        return false;
    if (document.is_running())
        return true;  // of a key that is held, what the model can follow
    constexpr double step = 0.05;
    weight->weight = std::clamp(weight->weight + (up ? step : -step), 0.0, 1.0);
    const QString merge = QStringLiteral("weight:%1/%2/%3/%4")
                              .arg(QString::fromStdString(place.site))
                              .arg(place.head)
                              .arg(*place.row)
                              .arg(*place.column);
    document.edit(FigureCanvas::tr("Set a weight"), with_weight(document.session(), *weight), merge);
    announce_cell(canvas_);
    return true;
}

}  // namespace headlight

#include "ui/views/canvas_shell.h"

#include "ui/actions/context_menu.h"
#include "ui/views/canvas_accessibility.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPointer>

#include <algorithm>
#include <utility>

namespace headlight {

CanvasShell::CanvasShell(QWidget* parent) : QWidget(parent) {
    make_canvases_accessible();
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

CanvasShell::~CanvasShell() = default;

void CanvasShell::paint_tools(QPainter& painter) const {
    for (const std::unique_ptr<CanvasTool>& tool : tools_)
        tool->paint(painter);
}

void CanvasShell::let_go() {
    if (held_ && held_->tool)
        held_->tool->abandon();
    held_.reset();
}

void CanvasShell::click(QPointF, const QMouseEvent& event) {
    for (const std::unique_ptr<CanvasTool>& tool : tools_)
        if (tool->click(event))
            return;
}

bool CanvasShell::event(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        restyle();
    return QWidget::event(event);
}

void CanvasShell::mousePressEvent(QMouseEvent* event) {
    const Qt::MouseButton button = event->button();
    for (const std::unique_ptr<CanvasTool>& tool : tools_) {
        const auto takes = tool->buttons() & button ? tool->press(*event) : CanvasTool::Takes::nothing;
        if (takes == CanvasTool::Takes::nothing)
            continue;
        held_ = Held{tool.get(), button, event->position(), takes == CanvasTool::Takes::everything};
        return;
    }
    if (button == Qt::LeftButton)
        held_ = Held{nullptr, button, event->position(), false};
}

void CanvasShell::mouseMoveEvent(QMouseEvent* event) {
    const QPointF point = event->position();
    if (!held_ || !(event->buttons() & held_->button))
        return hover(point);
    held_->is_dragged |= (point - held_->start).manhattanLength() >= QApplication::startDragDistance();
    if (held_->tool && held_->is_dragged)
        held_->tool->drag(point);
}

void CanvasShell::mouseReleaseEvent(QMouseEvent* event) {
    if (!held_ || event->button() != held_->button)
        return;
    const Held held = *std::exchange(held_, std::nullopt);
    setCursor(Qt::ArrowCursor);
    if (held.tool && held.is_dragged && !held.tool->release(event->position()))
        return;
    if (held.button == Qt::LeftButton)
        click(held.start, *event);
}

void CanvasShell::keyPressEvent(QKeyEvent* event) {
    if (!use_key(*event))
        QWidget::keyPressEvent(event);
}

std::unique_ptr<ContextMenu> CanvasShell::menu_here() { return nullptr; }

void CanvasShell::run_menu(std::unique_ptr<ContextMenu> menu, QPoint at) {
    const QPointer<ContextMenu> open = menu.release();  // its canvas deletes it as well
    open->exec(at);
    delete open;
}

bool CanvasShell::use_key(const QKeyEvent& event) {
    return std::ranges::any_of(tools_, [&event](const auto& tool) { return tool->key(event); });
}

}  // namespace headlight

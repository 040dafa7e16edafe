// What a person does with a picture of the catalogue: pointer and keys.

#include "ui/views/catalogue_view.h"
#include "ui/views/zoom.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

namespace headlight {

void CatalogueView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        drag_ = Drag{event->position(), event->position()};
}

void CatalogueView::mouseMoveEvent(QMouseEvent* event) {
    if (!drag_) {
        const auto name = name_at(event->position());
        const bool can_be_chosen = name && !id_of_name(picture(), *name).empty();
        viewport()->setCursor(can_be_chosen ? Qt::PointingHandCursor : Qt::OpenHandCursor);
        return;
    }
    const QPointF way = event->position() - drag_->start;
    drag_->moved = drag_->moved || way.manhattanLength() >= QApplication::startDragDistance();
    if (drag_->moved) {
        viewport()->setCursor(Qt::ClosedHandCursor);
        scroll_by(drag_->last - event->position());
        drag_->last = event->position();
    }
}

void CatalogueView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !drag_)
        return;
    const bool is_click = !drag_->moved;
    drag_.reset();
    viewport()->setCursor(Qt::OpenHandCursor);
    const auto name = is_click ? name_at(event->position()) : std::nullopt;
    if (!name)
        return;
    go_to(*name);
    choose(*name);
}

void CatalogueView::wheelEvent(QWheelEvent* event) {
    zoom_by(wheel_factor(*event), event->position());
    event->accept();  // at its end, too: the picture does not begin to scroll instead
}

void CatalogueView::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers().testAnyFlags(Qt::AltModifier | Qt::ControlModifier))
        return QAbstractScrollArea::keyPressEvent(event);
    const auto step = [&](NameStep way) { go_to(stepped(picture(), current_, way)); };
    switch (event->key()) {
    case Qt::Key_Left:
        return step(NameStep::left);
    case Qt::Key_Right:
        return step(NameStep::right);
    case Qt::Key_Up:
        return step(NameStep::up);
    case Qt::Key_Down:
        return step(NameStep::down);
    case Qt::Key_Home:
        return step(NameStep::first);
    case Qt::Key_End:
        return step(NameStep::last);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        return choose(current_);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom_in();
    case Qt::Key_Minus:
        return zoom_out();
    case Qt::Key_0:
        return show_all();
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void CatalogueView::focusInEvent(QFocusEvent*) {
    viewport()->update();
    announce_cell(*this);
}

bool CatalogueView::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto name = name_at(help->pos());
    QToolTip::showText(help->globalPos(),
                       name ? QString::fromStdString(name_in_words(picture(), *name)) : QString(), this);
    return true;
}

}  // namespace headlight

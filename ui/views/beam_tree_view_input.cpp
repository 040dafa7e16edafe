// What a person does with the tree of a beam: pointer and keys.

#include "ui/views/beam_tree_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>

namespace headlight {

void BeamTreeView::mousePressEvent(QMouseEvent* event) {
    const auto node = node_at(event->position().toPoint());
    if (event->button() == Qt::LeftButton && node.value_or(0) > 0)
        emit node_chosen(*node);
}

void BeamTreeView::mouseMoveEvent(QMouseEvent* event) {
    const bool is_node = node_at(event->position().toPoint()).value_or(0) > 0;
    viewport()->setCursor(is_node ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void BeamTreeView::keyPressEvent(QKeyEvent* event) {
    if (!beams())
        return QAbstractScrollArea::keyPressEvent(event);
    const Index here = beams()->followed;
    Index next = 0;
    switch (event->key()) {
    case Qt::Key_Left:
        next = layout_.before(here);
        break;
    case Qt::Key_Right:
        next = layout_.behind(here);
        break;
    case Qt::Key_Up:
        next = layout_.above(here);
        break;
    case Qt::Key_Down:
        next = layout_.below(here);
        break;
    case Qt::Key_Home:
        next = layout_.behind(0);
        break;
    case Qt::Key_End:
        next = beams()->tree.best;
        break;
    default:
        return QAbstractScrollArea::keyPressEvent(event);
    }
    if (next != here)
        emit node_chosen(next);
}

void BeamTreeView::focusInEvent(QFocusEvent*) {
    viewport()->update();
    announce_cell(*this);
}

bool BeamTreeView::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto node = node_at(help->pos());
    QToolTip::showText(help->globalPos(),
                       node ? QString::fromStdString(node_description(*transcript_, *node)) : QString(),
                       this);
    return true;
}

}  // namespace headlight

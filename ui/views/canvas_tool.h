#pragma once

#include "ui/views/cell_place.h"

#include <QPointF>
#include <QString>
#include <Qt>

class QKeyEvent;
class QMouseEvent;
class QPainter;

namespace headlight {

class ContextMenu;

/// One thing that a person does with a canvas: with the pointer, and with the keys that do the same. A canvas
/// has a list of them and asks each in its order; the first that takes an event has it. What a canvas shows,
/// and that it shows it, is the canvas's own.
class CanvasTool {
public:
    enum class Takes {
        nothing,
        /// From where the pointer has moved far enough to be no click.
        drags,
        everything,
    };

    CanvasTool() = default;
    CanvasTool(const CanvasTool&) = delete;
    CanvasTool& operator=(const CanvasTool&) = delete;
    virtual ~CanvasTool() = default;

    virtual Qt::MouseButtons buttons() const { return Qt::LeftButton; }
    /// One of these buttons was pressed. Who takes something has what follows until it is released.
    virtual Takes press(const QMouseEvent&) { return Takes::nothing; }
    virtual void drag(QPointF) {}
    /// After a drag. Returns whether it was no more than a click after all.
    virtual bool release(QPointF) { return false; }
    /// What it was dragged over is gone.
    virtual void abandon() {}
    /// The left button was pressed and released there, without a drag.
    virtual bool click(const QMouseEvent&) { return false; }
    virtual bool key(const QKeyEvent&) { return false; }

    /// What it draws over the picture while it is used.
    virtual void paint(QPainter&) const {}
    /// What it can do with the place under the pointer, for its tooltip; empty where it can do nothing.
    virtual QString hint(const CellPlace&) const { return {}; }
    /// Its entries in the context menu.
    virtual void fill_menu(ContextMenu&) {}
};

}  // namespace headlight

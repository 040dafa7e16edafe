#pragma once

#include "tests/ui/context_menu.h"
#include "tests/ui/views_support.h"
#include "ui/views/figure_canvas.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMouseEvent>

#include <memory>

namespace headlight::canvas_stand {

/// A canvas on a document, shown at a size.
struct Stand {
    Document document;
    std::unique_ptr<FigureCanvas> canvas;

    Stand(const Session& session, ViewKind view, QSize size = {900, 700}) {
        open_session(document, session);
        canvas = std::make_unique<FigureCanvas>(document, view);
        canvas->setAccessibleName(QStringLiteral("Picture"));
        canvas->resize(size);
        canvas->show();
    }
    const Selection& selection() const { return document.session().view.selection; }
    QPoint middle(Index row, Index column, Index panel = 0) const {
        return canvas->cell_rect(panel, row, column).center().toPoint();
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers) const {
        QTest::mousePress(canvas.get(), Qt::LeftButton, modifiers, from);
        for (const QPoint& point : {(from + to) / 2, to}) {
            QMouseEvent move(QEvent::MouseMove, point, canvas->mapToGlobal(point), Qt::NoButton,
                             Qt::LeftButton, modifiers);
            QCoreApplication::sendEvent(canvas.get(), &move);
        }
        QTest::mouseRelease(canvas.get(), Qt::LeftButton, modifiers, to);
    }
    /// What the entry of the menu puts on the clipboard.
    QString copied_at(const char* id, QPoint at,
                      QContextMenuEvent::Reason reason = QContextMenuEvent::Mouse) const {
        QGuiApplication::clipboard()->clear();
        choose_context_entry(*canvas, QLatin1String(id), at, reason);
        return QGuiApplication::clipboard()->text();
    }
    QString copied(const char* id) const {
        return copied_at(id, canvas->rect().center(), QContextMenuEvent::Keyboard);
    }
    void hover(QPoint point) const {
        // Two moves, because the first one only enters the widget.
        QTest::mouseMove(canvas.get(), point + QPoint(1, 1));
        QTest::mouseMove(canvas.get(), point);
    }
};

}  // namespace headlight::canvas_stand

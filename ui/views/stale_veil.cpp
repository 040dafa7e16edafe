#include "ui/views/stale_veil.h"

#include "ui/models/document.h"
#include "ui/views/canvas_marks.h"

#include <QEvent>
#include <QPainter>

namespace headlight {

StaleVeil::StaleVeil(const Document& document, QWidget* shown) : QWidget(shown), document_(document) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setObjectName(QStringLiteral("stale_veil"));
    shown->installEventFilter(this);
    connect(&document_, &Document::error_changed, this, &StaleVeil::follow);
    follow();
}

void StaleVeil::follow() {
    setGeometry(parentWidget()->rect());
    setVisible(document_.error().has_value());
    raise();
}

bool StaleVeil::eventFilter(QObject*, QEvent* event) {
    if (event->type() == QEvent::Resize)
        follow();
    return false;
}

void StaleVeil::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paint_stale(painter, rect(), palette());
}

}  // namespace headlight

#include "ui/panels/panel_area.h"

#include <QEvent>
#include <QScrollBar>

namespace headlight {

PanelArea::PanelArea(QWidget* panel, QWidget* parent) : QScrollArea(parent) {
    setWidget(panel);
    setWidgetResizable(true);
    setFrameShape(NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    panel->installEventFilter(this);
}

QSize PanelArea::minimumSizeHint() const {
    const int scroll_bar = verticalScrollBar()->sizeHint().width();
    return {widget()->minimumSizeHint().width() + scroll_bar, 8 * fontMetrics().lineSpacing()};
}

QSize PanelArea::sizeHint() const { return minimumSizeHint().expandedTo({0, widget()->sizeHint().height()}); }

void PanelArea::show_top() { verticalScrollBar()->setValue(0); }

bool PanelArea::eventFilter(QObject* watched, QEvent* event) {
    // The theme has changed the size of the text, or a control has come or gone.
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        updateGeometry();
    return QScrollArea::eventFilter(watched, event);
}

}  // namespace headlight

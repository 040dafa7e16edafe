#include "ui/views/panel_area.h"

#include <QEvent>
#include <QLayout>
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
    // One that is shown is told the size that its text needed while it was hidden; the smaller one that it is
    // given at that moment Qt does not tell it, and its controls would stand in a wider panel.
    if (watched == widget() && event->type() == QEvent::Show && widget()->layout())
        widget()->layout()->setGeometry(widget()->contentsRect());
    return QScrollArea::eventFilter(watched, event);
}

}  // namespace headlight

#include "ui/views/line_icon_button.h"

#include "ui/views/icon.h"

#include <QEvent>

namespace headlight {

LineIconButton::LineIconButton(const QString& icon, QWidget* parent) : QToolButton(parent), icon_(icon) {
    setAutoRaise(true);
    setFocusPolicy(Qt::StrongFocus);
    draw();
}

void LineIconButton::show_icon(const QString& name) {
    if (name == icon_)  // drawing one takes a millisecond
        return;
    icon_ = name;
    draw();
}

void LineIconButton::draw() {
    if (!icon_.isEmpty())
        setIcon(line_icon(icon_, palette()));
    const int size = fontMetrics().height() * 3 / 2;
    setIconSize({size, size});
}

void LineIconButton::changeEvent(QEvent* event) {
    QToolButton::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        draw();
}

}  // namespace headlight

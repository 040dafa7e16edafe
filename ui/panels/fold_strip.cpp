#include "ui/panels/fold_strip.h"

#include <QPainter>
#include <QStyleOption>

namespace headlight {

FoldStrip::FoldStrip(const QString& text, QWidget* parent) : QAbstractButton(parent) {
    setText(text);
    setFixedWidth(strip_width);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
}

void FoldStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(underMouse() ? QPalette::Midlight : QPalette::Window));
    painter.setPen(palette().color(QPalette::PlaceholderText));
    // Read upwards, from the middle.
    painter.save();
    painter.translate(0, height());
    painter.rotate(-90);
    painter.drawText(QRect(0, 0, height(), width()), Qt::AlignCenter, text());
    painter.restore();
    if (hasFocus()) {
        QStyleOptionFocusRect option;
        option.initFrom(this);
        style()->drawPrimitive(QStyle::PE_FrameFocusRect, &option, &painter, this);
    }
}

}  // namespace headlight

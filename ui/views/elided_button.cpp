#include "ui/views/elided_button.h"

#include <QStyleOptionToolButton>
#include <QStylePainter>

#include <algorithm>

namespace headlight {

ElidedButton::ElidedButton(QWidget* parent) : QToolButton(parent) {
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
}

int ElidedButton::frame_width() const {
    return sizeHint().width() - fontMetrics().size(Qt::TextShowMnemonic, text()).width();
}

QSize ElidedButton::minimumSizeHint() const {
    constexpr int letters = 5;
    const int least = frame_width() + letters * fontMetrics().averageCharWidth();
    return {std::min(least, sizeHint().width()), sizeHint().height()};
}

void ElidedButton::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    QStyleOptionToolButton option;
    initStyleOption(&option);
    option.text = fontMetrics().elidedText(text(), Qt::ElideRight, width() - frame_width());
    painter.drawComplexControl(QStyle::CC_ToolButton, option);
}

}  // namespace headlight

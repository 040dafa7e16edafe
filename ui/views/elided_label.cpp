#include "ui/views/elided_label.h"

#include <QStyle>
#include <QStylePainter>

namespace headlight {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) { setTextFormat(Qt::PlainText); }

QString ElidedLabel::shown_text() const {
    return fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
}

QSize ElidedLabel::minimumSizeHint() const { return {0, QLabel::minimumSizeHint().height()}; }

void ElidedLabel::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    // Signs of formulas come from fonts whose letters reach lower than those that give the line its height.
    const int whole = static_cast<int>(alignment()) | Qt::TextDontClip;
    style()->drawItemText(&painter, contentsRect(), whole, palette(), isEnabled(), shown_text(),
                          foregroundRole());
}

}  // namespace headlight

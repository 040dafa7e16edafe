#include "ui/views/wrapping_button.h"

#include <QFontMetrics>
#include <QStyleOptionToolButton>
#include <QStylePainter>

#include <algorithm>

namespace headlight {

WrappingButton::WrappingButton(QWidget* parent) : QToolButton(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);  // a tool button's own is its hint
}

QString WrappingButton::wrapped(int width) const {
    const QFontMetrics metrics = fontMetrics();
    const int frame = sizeHint().width() - metrics.size(Qt::TextShowMnemonic, text()).width();
    QStringList lines;
    for (const QString& word : text().split(QChar(' '), Qt::SkipEmptyParts)) {
        const QString longer = lines.isEmpty() ? word : lines.back() + QChar(' ') + word;
        if (lines.isEmpty() || metrics.size(Qt::TextShowMnemonic, longer).width() + frame > width)
            lines += word;
        else
            lines.back() = longer;
    }
    return lines.join(QChar('\n'));
}

int WrappingButton::heightForWidth(int width) const {
    const auto breaks = static_cast<int>(wrapped(width).count(QChar('\n')));
    return sizeHint().height() + breaks * fontMetrics().lineSpacing();
}

QSize WrappingButton::minimumSizeHint() const {
    constexpr int characters = 12;  // the longest word of most texts
    const QSize hint = sizeHint();
    return {std::min(hint.width(), characters * fontMetrics().averageCharWidth()), hint.height()};
}

void WrappingButton::paintEvent(QPaintEvent* /*event*/) {
    QStylePainter painter(this);
    QStyleOptionToolButton option;
    initStyleOption(&option);
    option.text = width() < sizeHint().width() ? wrapped(width()) : text();
    painter.drawComplexControl(QStyle::CC_ToolButton, option);
}

}  // namespace headlight

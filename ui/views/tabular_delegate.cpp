#include "ui/views/tabular_delegate.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

qreal digit_width(const QFontMetricsF& metrics) {
    qreal widest = 0;
    for (char digit = '0'; digit <= '9'; ++digit)
        widest = std::max(widest, metrics.horizontalAdvance(QLatin1Char(digit)));
    return widest;
}

qreal advance(const QFontMetricsF& metrics, QChar character, qreal digit) {
    return character >= QLatin1Char('0') && character <= QLatin1Char('9')
               ? digit
               : metrics.horizontalAdvance(character);
}

qreal text_width(const QFontMetricsF& metrics, const QString& text) {
    const qreal digit = digit_width(metrics);
    qreal width = 0;
    for (const QChar character : text)
        width += advance(metrics, character, digit);
    return width;
}

bool is_right_aligned(const QModelIndex& index) {
    return index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight;
}

constexpr int side = 6;  // between a number and the edges of its cell

}  // namespace

void TabularDelegate::paint(QPainter* painter, const QStyleOptionViewItem& given,
                            const QModelIndex& index) const {
    if (!is_right_aligned(index)) {
        QStyledItemDelegate::paint(painter, given, index);
        return;
    }
    const auto [option, text, colour, is_selected] = paint_background(painter, given, index);
    const QFontMetricsF metrics(option.font);
    const qreal digit = digit_width(metrics);
    painter->save();
    painter->setFont(option.font);
    painter->setPen(colour);
    qreal x = option.rect.right() + 1 - side - text_width(metrics, text);
    const qreal baseline =
        std::round(option.rect.center().y() + 0.5 + (metrics.ascent() - metrics.descent()) / 2);
    for (const QChar character : text) {
        const qreal width = advance(metrics, character, digit);
        painter->drawText(QPointF(x + (width - metrics.horizontalAdvance(character)) / 2, baseline),
                          QString(character));
        x += width;
    }
    painter->restore();
}

QSize TabularDelegate::sizeHint(const QStyleOptionViewItem& given, const QModelIndex& index) const {
    QStyleOptionViewItem option(given);
    initStyleOption(&option, index);
    const QSize plain = QStyledItemDelegate::sizeHint(given, index);
    if (!is_right_aligned(index))
        return plain;
    return {static_cast<int>(std::ceil(text_width(QFontMetricsF(option.font), option.text))) + 2 * side,
            plain.height()};
}

}  // namespace headlight

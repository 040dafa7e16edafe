#include "ui/panels/wide_combo.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QToolTip>

#include <algorithm>

namespace headlight {

WideCombo::WideCombo(QWidget* parent) : LazyCombo(8, parent) {}

void WideCombo::showPopup() {
    constexpr int frame = 16;
    view()->setMinimumWidth(view()->sizeHintForColumn(0) + frame);
    LazyCombo::showPopup();
}

qsizetype WideCombo::shared_beginning() const {
    const QString separator = QStringLiteral(", "), chosen = currentText();
    qsizetype shared = 0;
    for (int row = 0; row < count(); ++row) {
        if (row == currentIndex())
            continue;
        const QString other = itemText(row);
        for (qsizetype end = chosen.indexOf(separator); end >= 0;
             end = chosen.indexOf(separator, end + separator.size())) {
            const qsizetype length = end + separator.size();
            if (!other.startsWith(chosen.left(length)))
                break;
            shared = std::max(shared, length);
        }
    }
    return shared;
}

QString WideCombo::shown_text() const {
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const int icon = option.currentIcon.isNull() ? 0 : option.iconSize.width() + 4;
    const int room =
        style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width() -
        icon;
    const QString whole = currentText();
    if (fontMetrics().horizontalAdvance(whole) <= room)
        return whole;
    const qsizetype shared = shared_beginning();
    return fontMetrics().elidedText(shared > 0 ? QChar(0x2026) + whole.mid(shared) : whole, Qt::ElideMiddle,
                                    room);
}

bool WideCombo::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || shown_text() == currentText())
        return LazyCombo::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(),
                       QStringLiteral("%1\n%2").arg(currentText(), toolTip()), this);
    return true;
}

void WideCombo::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    option.currentText = shown_text();
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

}  // namespace headlight

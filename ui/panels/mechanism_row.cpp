#include "ui/panels/mechanism_row.h"

#include "ui/models/mechanism_model.h"

#include <QApplication>
#include <QPainter>

namespace headlight {

void MechanismRow::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
    const QString summary = index.data(MechanismModel::SummaryRole).toString();
    if (summary.isEmpty())
        return QStyledItemDelegate::paint(painter, option, index);
    constexpr int gap = 12;
    QStyleOptionViewItem row = option;
    initStyleOption(&row, index);
    row.text.clear();
    const QStyle* style = row.widget ? row.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &row, painter, row.widget);

    const bool selected = row.state.testFlag(QStyle::State_Selected);
    const QColor strong = row.palette.color(selected ? QPalette::HighlightedText : QPalette::Text);
    const QColor weak = selected ? strong : row.palette.color(QPalette::PlaceholderText);
    QRect room = row.rect.adjusted(4, 0, -8, 0);
    painter->save();
    painter->setFont(row.font);
    const auto draw = [&](const QColor& colour, int flags, const QString& text) {
        painter->setPen(colour);
        painter->drawText(room, flags | Qt::AlignVCenter | Qt::TextSingleLine, text);
    };
    if (const QVariant year = index.data(MechanismModel::YearRole); year.isValid()) {
        draw(weak, Qt::AlignRight, year.toString());
        room.setRight(room.right() - row.fontMetrics.horizontalAdvance(QStringLiteral("0000")) - gap);
    }
    const QString name = row.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, room.width());
    draw(strong, Qt::AlignLeft, name);
    // Summaries begin below one another, where the names leave room.
    const int column =
        std::max(row.fontMetrics.horizontalAdvance(name) + gap, row.fontMetrics.averageCharWidth() * 32);
    room.setLeft(room.left() + column);
    if (room.width() > 8 * row.fontMetrics.averageCharWidth())
        draw(weak, Qt::AlignLeft, row.fontMetrics.elidedText(summary, Qt::ElideRight, room.width()));
    painter->restore();
}

QSize MechanismRow::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    constexpr int between_rows = 6;
    return QStyledItemDelegate::sizeHint(option, index) + QSize(0, between_rows);
}

}  // namespace headlight

#include "ui/panels/command_row.h"

#include "ui/models/command_model.h"

#include <QPainter>
#include <QStyle>

#include <algorithm>

namespace headlight {
namespace {

constexpr int command_padding = 3;  // above its lines, and below

}  // namespace

void CommandRow::paint(QPainter* painter, const QStyleOptionViewItem& given, const QModelIndex& index) const {
    constexpr int gap = 12;
    const Item item = paint_background(painter, given, index);
    const QStyleOptionViewItem& option = item.option;
    const QFontMetrics& metrics = option.fontMetrics;
    const QColor quiet = item.is_selected ? item.colour : option.palette.color(QPalette::PlaceholderText);
    const QColor strong = index.data(CommandModel::EnabledRole).toBool() ? item.colour : quiet;
    const QRect whole = option.rect;
    painter->save();
    painter->setFont(option.font);
    // Laid out from left to right, and mirrored where people read the other way.
    const auto draw = [&](const QColor& pen, const QRect& room, int side, const QString& text) {
        painter->setPen(pen);
        painter->drawText(QStyle::visualRect(option.direction, whole, room),
                          side | Qt::AlignVCenter | Qt::TextSingleLine,
                          metrics.elidedText(text, Qt::ElideRight, room.width()));
    };
    QRect line = whole.adjusted(4, command_padding, -8, 0);
    line.setHeight(metrics.lineSpacing());
    if (const QString lack = index.data(CommandModel::LackRole).toString(); !lack.isEmpty())
        draw(quiet, line.translated(0, line.height()), Qt::AlignLeft, lack);
    if (const QString keys = index.data(CommandModel::KeysRole).toString(); !keys.isEmpty()) {
        draw(quiet, line, Qt::AlignRight, keys);
        line.setRight(line.right() - metrics.horizontalAdvance(keys) - gap);
    }
    draw(strong, line, Qt::AlignLeft, item.text);
    // Menus stand below one another, where the texts leave room.
    line.setLeft(line.left() +
                 std::max(metrics.horizontalAdvance(item.text) + gap, metrics.averageCharWidth() * 32));
    if (line.width() > 6 * metrics.averageCharWidth())
        draw(quiet, line, Qt::AlignLeft, index.data(CommandModel::PathRole).toString());
    painter->restore();
}

QSize CommandRow::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const int lines = index.data(CommandModel::LackRole).toString().isEmpty() ? 1 : 2;
    return {option.fontMetrics.averageCharWidth() * 32,
            lines * option.fontMetrics.lineSpacing() + 2 * command_padding};
}

}  // namespace headlight

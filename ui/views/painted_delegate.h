#pragma once

#include <QStyledItemDelegate>

namespace headlight {

/// A delegate that writes its items itself, on what the style draws behind them.
class PaintedDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    /// The option of the item that is to be written.
    struct Item {
        QStyleOptionViewItem option;
        QString text;
        QColor colour;  ///< of the text
        bool is_selected = false;
    };

    /// Draws everything but the text.
    Item paint_background(QPainter* painter, const QStyleOptionViewItem& given,
                          const QModelIndex& index) const;
};

}  // namespace headlight

#pragma once

#include <QStyledItemDelegate>

namespace headlight {

/// Numbers in a table: every digit is as wide as the widest, so that they stand below one another.
class TabularDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace headlight

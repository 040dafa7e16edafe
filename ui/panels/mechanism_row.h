#pragma once

#include <QStyledItemDelegate>

namespace headlight {

/// A mechanism in the tree: its name, a line about it as far as there is room, its year.
class MechanismRow : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace headlight

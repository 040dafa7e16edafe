#pragma once

#include "ui/views/painted_delegate.h"

namespace headlight {

/// Numbers in a table: every digit is as wide as the widest, so that they stand below one another.
class TabularDelegate : public PaintedDelegate {
    Q_OBJECT
public:
    using PaintedDelegate::PaintedDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace headlight

#pragma once

#include "ui/views/painted_delegate.h"

namespace headlight {

/// A command as CommandModel has it: its text, the menus that lead to it as far as there is room, its keys.
/// What is disabled is pale, and says below what it lacks.
class CommandRow : public PaintedDelegate {
    Q_OBJECT
public:
    using PaintedDelegate::PaintedDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace headlight

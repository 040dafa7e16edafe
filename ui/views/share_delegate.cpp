#include "ui/views/share_delegate.h"

#include <QPainter>

namespace headlight {

void ShareDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
    const QVariant share = index.data(role_);
    if (share.isValid() && !(option.state & QStyle::State_Selected)) {
        QColor bar = option.palette.color(QPalette::Highlight);
        bar.setAlphaF(0.18F);
        QRectF place = QRectF(option.rect).adjusted(2, 2, -2, -2);
        place.setWidth(share.toDouble() * place.width());
        painter->fillRect(place, bar);
    }
    TabularDelegate::paint(painter, option, index);
}

}  // namespace headlight

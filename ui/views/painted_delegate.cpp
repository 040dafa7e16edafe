#include "ui/views/painted_delegate.h"

#include <QApplication>

#include <utility>

namespace headlight {

PaintedDelegate::Item PaintedDelegate::paint_background(QPainter* painter, const QStyleOptionViewItem& given,
                                                        const QModelIndex& index) const {
    Item item{given, {}, {}, false};
    QStyleOptionViewItem& option = item.option;
    initStyleOption(&option, index);
    item.text = std::exchange(option.text, QString());
    const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);
    item.is_selected = option.state & QStyle::State_Selected;
    item.colour = option.palette.color(item.is_selected ? QPalette::HighlightedText : QPalette::Text);
    return item;
}

}  // namespace headlight

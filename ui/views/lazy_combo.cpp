#include "ui/views/lazy_combo.h"

#include "ui/views/inside_qt.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QStandardItemModel>
#include <QStyleOptionComboBox>

#include <algorithm>

namespace headlight {

LazyCombo::LazyCombo(QWidget* parent) : QComboBox(parent) {}

LazyCombo::LazyCombo(int letters, QWidget* parent) : QComboBox(parent), letters_(letters) {}

void LazyCombo::fit_chosen() {
    fits_chosen_ = true;
    connect(this, &QComboBox::currentIndexChanged, this, [this] { updateGeometry(); });
    updateGeometry();
}

void LazyCombo::insert_heading(int row, const QString& text) {
    insertItem(row, text);
    auto* item = qobject_cast<QStandardItemModel*>(model())->item(row);
    item->setFlags(Qt::NoItemFlags);
    QFont bold;  // and nothing else, so that it grows with the list
    bold.setBold(true);
    item->setFont(bold);
}

void LazyCombo::showPopup() {
    constexpr int frame = 16;
    if (fits_chosen_)
        view()->setMinimumWidth(view()->sizeHintForColumn(0) + frame);
    QComboBox::showPopup();
}

QSize LazyCombo::sizeHint() const {
    constexpr int beside_icon = 4, above_and_below = 2;
    bool has_icon = letters_ > 0;  // room for one, so that texts are cut the same in every list
    int width = letters_ * fontMetrics().horizontalAdvance(QChar('X'));
    for (int row = 0; letters_ == 0 && row < count(); ++row) {
        if (fits_chosen_ && row != currentIndex())
            continue;
        has_icon = has_icon || !itemIcon(row).isNull();
        width = std::max(width, fontMetrics().horizontalAdvance(itemText(row)));
    }
    const int icon = has_icon ? iconSize().width() + beside_icon : 0;
    const int height = std::max(fontMetrics().height(), has_icon ? iconSize().height() : 0);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    return style()->sizeFromContents(QStyle::CT_ComboBox, &option, {width + icon, height + above_and_below},
                                     this);
}

void LazyCombo::changeEvent(QEvent* event) {
    // QComboBox would make the window to tell it of the font, which its entries ask for anyway.
    if (event->type() == QEvent::FontChange && !has_made_list(*this))
        return QWidget::changeEvent(event);  // NOLINT(bugprone-parent-virtual-call)
    QComboBox::changeEvent(event);
}

}  // namespace headlight

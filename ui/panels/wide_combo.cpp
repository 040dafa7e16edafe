#include "ui/panels/wide_combo.h"

#include <QAbstractItemView>

namespace headlight {

WideCombo::WideCombo(QWidget* parent) : LazyCombo(8, parent) {}

void WideCombo::showPopup() {
    constexpr int frame = 16;
    view()->setMinimumWidth(view()->sizeHintForColumn(0) + frame);
    LazyCombo::showPopup();
}

}  // namespace headlight

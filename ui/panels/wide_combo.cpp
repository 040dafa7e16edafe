#include "ui/panels/wide_combo.h"

#include <QAbstractItemView>

namespace headlight {

WideCombo::WideCombo(QWidget* parent) : QComboBox(parent) {
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(8);
}

void WideCombo::showPopup() {
    constexpr int frame = 16;
    view()->setMinimumWidth(view()->sizeHintForColumn(0) + frame);
    QComboBox::showPopup();
}

}  // namespace headlight

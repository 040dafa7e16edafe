#include "ui/panels/wrap_rows.h"

#include <QFormLayout>
#include <QWidget>

#include <algorithm>

namespace headlight {

void wrap_rows(QFormLayout& form, int width) {
    int label = 0, field = 0;
    const auto width_of = [&](int row, QFormLayout::ItemRole role) {
        const QLayoutItem* item = form.itemAt(row, role);
        return item && item->widget() ? item->widget()->minimumSizeHint().width() : 0;
    };
    for (int row = 0; row < form.rowCount(); ++row) {
        label = std::max(label, width_of(row, QFormLayout::LabelRole));
        field = std::max(field, width_of(row, QFormLayout::FieldRole));
    }
    const QMargins margins = form.contentsMargins();
    const int needed = margins.left() + label + form.horizontalSpacing() + field + margins.right();
    const auto policy = needed <= width ? QFormLayout::DontWrapRows : QFormLayout::WrapAllRows;
    if (form.rowWrapPolicy() != policy)
        form.setRowWrapPolicy(policy);
}

}  // namespace headlight

#include "ui/panels/wrap_rows.h"

#include <QFormLayout>
#include <QWidget>

#include <algorithm>

namespace headlight {

namespace {

/// The widths of the widest label and of the widest field.
struct Widths {
    int label = 0, field = 0;
};

Widths widths_of(const QFormLayout& form) {
    const auto width_of = [&](int row, QFormLayout::ItemRole role) {
        const QLayoutItem* item = form.itemAt(row, role);
        return item && item->widget() ? item->widget()->minimumSizeHint().width() : 0;
    };
    Widths widths;
    for (int row = 0; row < form.rowCount(); ++row) {
        widths.label = std::max(widths.label, width_of(row, QFormLayout::LabelRole));
        widths.field = std::max(widths.field, width_of(row, QFormLayout::FieldRole));
    }
    return widths;
}

}  // namespace

void wrap_rows(QFormLayout& form, int width) {
    const auto [label, field] = widths_of(form);
    const QMargins margins = form.contentsMargins();
    const int needed = margins.left() + label + form.horizontalSpacing() + field + margins.right();
    const auto policy = needed <= width ? QFormLayout::DontWrapRows : QFormLayout::WrapAllRows;
    if (form.rowWrapPolicy() != policy)
        form.setRowWrapPolicy(policy);
}

int wrapped_width(const QFormLayout& form) {
    const auto [label, field] = widths_of(form);
    const QMargins margins = form.contentsMargins();
    return margins.left() + std::max(label, field) + margins.right();
}

}  // namespace headlight

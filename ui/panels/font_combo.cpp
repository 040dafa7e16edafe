#include "ui/panels/font_combo.h"

#include "ui/render/typeface.h"

#include <QSignalBlocker>

#include <utility>

namespace headlight {

FontCombo::FontCombo(QWidget* parent) : LazyCombo(10, parent) {
    addItem(tr("The program’s own"), QString());
    connect(this, &QComboBox::activated, this,
            [this](int row) { emit family_chosen(itemData(row).toString()); });
}

void FontCombo::show_family(const QString& name) {
    const QSignalBlocker quiet(this);
    if (findData(name) < 0)
        addItem(name, name);
    setCurrentIndex(findData(name));
}

void FontCombo::fill() {
    if (std::exchange(is_filled_, true))
        return;
    const QSignalBlocker quiet(this);
    const QString shown = currentData().toString();
    for (const QString& family : font_families())
        if (findData(family) < 0)
            addItem(family, family);
    setCurrentIndex(findData(shown));
}

void FontCombo::showPopup() {
    fill();
    LazyCombo::showPopup();
}

void FontCombo::focusInEvent(QFocusEvent* event) {
    fill();
    LazyCombo::focusInEvent(event);
}

}  // namespace headlight

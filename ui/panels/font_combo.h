#pragma once

#include "ui/views/lazy_combo.h"

namespace headlight {

/// The font families of the system, which are looked up when the list is first wanted. An empty name is the
/// program's own font, the first entry.
class FontCombo : public LazyCombo {
    Q_OBJECT
public:
    explicit FontCombo(QWidget* parent = nullptr);

    /// Also one that the system lacks.
    void show_family(const QString& name);

    void showPopup() override;

signals:
    void family_chosen(const QString& name);

protected:
    void focusInEvent(QFocusEvent* event) override;

private:
    void fill();

    bool is_filled_ = false;
};

}  // namespace headlight

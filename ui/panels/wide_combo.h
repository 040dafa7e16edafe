#pragma once

#include "ui/views/lazy_combo.h"

namespace headlight {

/// A combo box in a narrow column whose list is as wide as its longest entry.
class WideCombo : public LazyCombo {
    Q_OBJECT
public:
    explicit WideCombo(QWidget* parent = nullptr);

    void showPopup() override;
};

}  // namespace headlight

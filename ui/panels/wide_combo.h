#pragma once

#include <QComboBox>

namespace headlight {

/// A combo box in a narrow column whose list is as wide as its longest entry.
class WideCombo : public QComboBox {
    Q_OBJECT
public:
    explicit WideCombo(QWidget* parent = nullptr);

    void showPopup() override;
};

}  // namespace headlight

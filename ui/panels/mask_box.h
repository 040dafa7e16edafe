#pragma once

#include <QGroupBox>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;

namespace headlight {

class Document;

/// Where the mask stands in the formula and what a forbidden score becomes, with what the other order would
/// change. Shown only where the mechanism has a mask.
class MaskBox : public QGroupBox {
    Q_OBJECT
public:
    explicit MaskBox(Document& document, QWidget* parent = nullptr);

private:
    void refresh();

    Document& document_;
    QComboBox* order_;
    QCheckBox* infinite_;
    QDoubleSpinBox* value_;
    QLabel* difference_;
};

}  // namespace headlight

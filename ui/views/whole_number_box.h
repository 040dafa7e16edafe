#pragma once

#include <QLocale>
#include <QSpinBox>

namespace headlight {

/// A field for a whole number, in the digits and with the commas that all numbers of the window have, in
/// every locale: "1.000" beside a rate of 0.002 would be read as one.
class WholeNumberBox : public QSpinBox {
public:
    explicit WholeNumberBox(QWidget* parent = nullptr) : QSpinBox(parent) {
        setLocale(QLocale(QLocale::English));
    }
};

}  // namespace headlight

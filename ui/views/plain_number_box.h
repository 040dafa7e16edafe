#pragma once

#include "ui/views/decimal_box.h"

namespace headlight {

/// A field that shows its number in as few digits as it needs: "1", "0.25", "0.002".
class PlainNumberBox : public DecimalBox {
public:
    using DecimalBox::DecimalBox;

    QString textFromValue(double value) const override {
        return decimals() == 0 ? QLocale::c().toString(value, 'f', 0) : QLocale::c().toString(value, 'g', 6);
    }
};

}  // namespace headlight

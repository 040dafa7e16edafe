#pragma once

#include <QDoubleSpinBox>
#include <QLocale>

namespace headlight {

/// A field for a number, which has a decimal point in every locale, as all numbers of the window have. A
/// comma that is typed becomes a point: people write what their keyboard offers.
class DecimalBox : public QDoubleSpinBox {
public:
    explicit DecimalBox(QWidget* parent = nullptr) : QDoubleSpinBox(parent) { setLocale(QLocale::c()); }

    QValidator::State validate(QString& text, int& cursor) const override {
        if (text != specialValueText())
            text.replace(QLatin1Char(','), QLatin1Char('.'));
        return QDoubleSpinBox::validate(text, cursor);
    }
};

}  // namespace headlight

#pragma once

#include <QAbstractSpinBox>

#include <cstdint>

namespace headlight {

/// A field for a seed, a whole number of 64 bits: QSpinBox holds an int, and QDoubleSpinBox loses the last
/// digits.
class SeedBox : public QAbstractSpinBox {
    Q_OBJECT
public:
    explicit SeedBox(QWidget* parent = nullptr);

    quint64 value() const { return value_; }
    /// Emits valueChanged() when it is another one, as a QSpinBox does.
    void setValue(quint64 value);

    void stepBy(int steps) override;
    QValidator::State validate(QString& text, int& position) const override;
    QSize sizeHint() const override;

signals:
    void valueChanged(quint64 value);

protected:
    StepEnabled stepEnabled() const override;

private:
    void take_text();

    quint64 value_ = 0;
};

}  // namespace headlight

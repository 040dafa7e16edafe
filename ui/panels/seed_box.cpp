#include "ui/panels/seed_box.h"

#include <QLineEdit>
#include <QStyle>
#include <QStyleOptionSpinBox>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace headlight {
namespace {

constexpr quint64 largest = std::numeric_limits<quint64>::max();

}  // namespace

SeedBox::SeedBox(QWidget* parent) : QAbstractSpinBox(parent) {
    lineEdit()->setText(QString::number(value_));
    connect(lineEdit(), &QLineEdit::textEdited, this, &SeedBox::take_text);
    connect(this, &QAbstractSpinBox::editingFinished, this,
            [this] { lineEdit()->setText(QString::number(value_)); });
}

void SeedBox::setValue(quint64 value) {
    if (lineEdit()->text() != QString::number(value))
        lineEdit()->setText(QString::number(value));
    if (value == value_)
        return;
    value_ = value;
    update();  // the arrows, of which one ends at a bound
    emit valueChanged(value_);
}

void SeedBox::take_text() {
    bool is_number = false;
    const quint64 typed = lineEdit()->text().toULongLong(&is_number);
    if (is_number && typed != value_) {
        value_ = typed;
        emit valueChanged(value_);
    }
}

void SeedBox::stepBy(int steps) {
    const auto distance = static_cast<quint64>(std::abs(static_cast<qint64>(steps)));
    if (steps < 0)
        setValue(value_ - std::min(distance, value_));
    else
        setValue(value_ + std::min(distance, largest - value_));
    selectAll();
}

QAbstractSpinBox::StepEnabled SeedBox::stepEnabled() const {
    StepEnabled enabled = StepNone;
    enabled.setFlag(StepDownEnabled, value_ > 0);
    enabled.setFlag(StepUpEnabled, value_ < largest);
    return enabled;
}

QValidator::State SeedBox::validate(QString& text, int&) const {
    if (text.isEmpty())
        return QValidator::Intermediate;
    const bool has_digits_alone =
        std::all_of(text.cbegin(), text.cend(), [](QChar c) { return c >= u'0' && c <= u'9'; });
    bool is_number = false;
    text.toULongLong(&is_number);
    return has_digits_alone && is_number ? QValidator::Acceptable : QValidator::Invalid;
}

/// As wide as a QSpinBox of seven digits: longer seeds scroll, or have the room that the layout gives.
QSize SeedBox::sizeHint() const {
    ensurePolished();
    QStyleOptionSpinBox option;
    initStyleOption(&option);
    const QSize text(fontMetrics().horizontalAdvance(QStringLiteral("0000000 ")),
                     lineEdit()->sizeHint().height());
    return style()->sizeFromContents(QStyle::CT_SpinBox, &option, text, this);
}

}  // namespace headlight

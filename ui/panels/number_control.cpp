#include "ui/panels/number_control.h"

#include "ui/views/describe.h"
#include "ui/views/inside_qt.h"
#include "ui/views/plain_number_box.h"
#include "ui/views/word_at_minimum.h"

#include <QDoubleSpinBox>
#include <QFocusEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>
#include <QTimer>

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr int slider_positions = 1000;

class StoppingNumberBox : public PlainNumberBox {
public:
    explicit StoppingNumberBox(const std::vector<double>& stops) : stops_(stops) {}

    /// The longest number or word of the range has its width where there is room, and scrolls where there is
    /// none.
    QSize minimumSizeHint() const override {
        const int usual = fontMetrics().horizontalAdvance(QStringLiteral("0.00000")) + 32;
        return {usual, QDoubleSpinBox::minimumSizeHint().height()};
    }
    QSize sizeHint() const override { return QDoubleSpinBox::sizeHint().expandedTo(minimumSizeHint()); }
    void stepBy(int steps) override {
        if (stops_.empty())
            return QDoubleSpinBox::stepBy(steps);
        const auto above = std::upper_bound(stops_.begin(), stops_.end(), value());
        const auto from = std::lower_bound(stops_.begin(), stops_.end(), value());
        const auto last = static_cast<std::ptrdiff_t>(stops_.size()) - 1;
        const auto target = steps > 0 ? above - stops_.begin() + steps - 1 : from - stops_.begin() + steps;
        setValue(stops_[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(target, 0, last))]);
    }

private:
    const std::vector<double>& stops_;
};

/// A word that is longer than its field is read from its beginning.
void show_beginning(const QDoubleSpinBox& field) {
    if (!field.hasFocus())
        typed_text(field).home(false);
}

/// Leaves the wheel to the panel unless the control was clicked: one that has the focus by Tab may come under
/// the pointer while its panel is scrolled.
class PassingWheel : public QObject {
public:
    explicit PassingWheel(QWidget* control) : QObject(control), control_(*control) {
        control->installEventFilter(this);
        if (const auto* field = qobject_cast<QAbstractSpinBox*>(control))
            typed_text(*field).installEventFilter(this);
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::MouseButtonPress)
            is_clicked_ = true;
        if (watched != &control_)
            return false;
        if (event->type() == QEvent::FocusIn && by_keys(static_cast<QFocusEvent*>(event)->reason()))
            is_clicked_ = false;
        if (event->type() != QEvent::Wheel || (control_.hasFocus() && is_clicked_))
            return false;
        event->ignore();
        return true;
    }

private:
    static bool by_keys(Qt::FocusReason reason) {
        return reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason ||
               reason == Qt::ShortcutFocusReason;
    }

    QWidget& control_;
    bool is_clicked_ = false;
};

}  // namespace

void ignore_passing_wheel(QWidget* control) {
    control->setFocusPolicy(Qt::StrongFocus);
    new PassingWheel(control);
}

NumberControl::NumberControl(const QString& id, const QString& name, const QString& effect,
                             const NumberBounds& range, QWidget* parent)
    : QWidget(parent), range_(range), slider_(new QSlider(Qt::Horizontal)),
      field_(new StoppingNumberBox(stops_)) {
    describe(slider_, id + "_slider", tr("%1, slider").arg(name), effect);
    describe(field_, id, name, effect);
    setToolTip(effect);
    setFocusProxy(field_);

    field_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    field_->setDecimals(range.integer ? 0 : 6);
    field_->setRange(range.minimum, range.maximum);
    show_word_at_minimum(*field_, range.minimum_word);
    if (!range.minimum_word.isEmpty())  // which may be longer than the field
        field_->setToolTip(tr("%1 The least is: %2").arg(effect, range.minimum_word));
    field_->setStepType(range.integer ? QAbstractSpinBox::DefaultStepType
                                      : QAbstractSpinBox::AdaptiveDecimalStepType);
    field_->setKeyboardTracking(false);
    field_->setAccelerated(true);
    const bool one_position_each =
        range.integer && !range.logarithmic && range.maximum - range.minimum <= slider_positions;
    slider_->setRange(0,
                      one_position_each ? static_cast<int>(range.maximum - range.minimum) : slider_positions);
    slider_->setPageStep(std::max(1, slider_->maximum() / 10));
    slider_->setMinimumWidth(40);
    ignore_passing_wheel(slider_);
    ignore_passing_wheel(field_);
    slider_->installEventFilter(this);
    field_->installEventFilter(this);

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(slider_, 1);
    layout->addWidget(field_);

    set_value(range.minimum);
    connect(slider_, &QSlider::sliderPressed, this, [this] { ++gesture_; });
    connect(slider_, &QSlider::valueChanged, this, [this](int position) { change(at_position(position)); });
    connect(field_, &QDoubleSpinBox::valueChanged, this, &NumberControl::change);
}

void NumberControl::set_value(double value) {
    const QSignalBlocker quiet_slider(slider_), quiet_field(field_);
    value_ = value;
    // A slider that is being dragged stays under the hand even where its positions are finer than the
    // numbers.
    if (!slider_->isSliderDown())
        slider_->setValue(position_of(value));
    field_->setValue(value);
    show_beginning(*field_);
}

void NumberControl::set_stops(std::vector<double> stops) {
    if (stops == stops_)
        return;
    stops_ = std::move(stops);
    QStringList offered;
    for (const double stop : stops_)
        offered << field_->textFromValue(stop);
    field_->setToolTip(tr("%1 What works here: %2").arg(toolTip(), offered.join(QStringLiteral(", "))));
}

bool NumberControl::eventFilter(QObject*, QEvent* event) {
    if (event->type() == QEvent::FocusIn)
        ++gesture_;
    if (event->type() == QEvent::FocusOut)  // the field has not yet tidied what was typed
        QTimer::singleShot(0, this, [this] { show_beginning(*field_); });
    return false;
}

/// A range from 0 on has no logarithm at its end: its slider moves as one from 1 on does.
double NumberControl::logarithm_shift() const { return range_.minimum > 0 ? 0 : 1 - range_.minimum; }

double NumberControl::at_position(int position) const {
    const double share = double(position) / slider_->maximum();
    const double shift = logarithm_shift();
    const double value = range_.logarithmic
                             ? (range_.minimum + shift) *
                                       std::pow((range_.maximum + shift) / (range_.minimum + shift), share) -
                                   shift
                             : range_.minimum + share * (range_.maximum - range_.minimum);
    if (range_.integer)
        return nearest_stop(std::round(value));
    // Three digits are what a hand can aim at.
    const double unit = std::pow(10, std::floor(std::log10(std::max(std::abs(value), 1e-9))) - 2);
    return std::clamp(std::round(value / unit) * unit, range_.minimum, range_.maximum);
}

double NumberControl::nearest_stop(double value) const {
    if (stops_.empty())
        return value;
    return *std::min_element(stops_.begin(), stops_.end(), [value](double a, double b) {
        return std::abs(a - value) < std::abs(b - value);
    });
}

int NumberControl::position_of(double value) const {
    const double inside = std::clamp(value, range_.minimum, range_.maximum);
    const double shift = logarithm_shift();
    const double share = range_.logarithmic
                             ? std::log((inside + shift) / (range_.minimum + shift)) /
                                   std::log((range_.maximum + shift) / (range_.minimum + shift))
                             : (inside - range_.minimum) / (range_.maximum - range_.minimum);
    return static_cast<int>(std::lround(share * slider_->maximum()));
}

void NumberControl::change(double value) {
    value = nearest_stop(value);
    if (value == value_)
        return set_value(value_);  // what was typed may not work, and gives way to what does
    set_value(value);
    emit edited(value, gesture_);
}

}  // namespace headlight

#pragma once

#include <QDoubleSpinBox>
#include <QString>
#include <QWidget>

#include <vector>

class QSlider;

namespace headlight {

/// What a number may be and how a slider moves through it.
struct NumberBounds {
    double minimum = 0, maximum = 1;
    bool integer = false;
    bool logarithmic = false;
    QString minimum_word = {};  ///< shown instead of the minimum: "all"
};

/// A number as a slider for playing and a field for typing. Changes that belong to one movement of the hand
/// (a drag, a run of arrow keys) share a gesture, so that undo takes them back together.
class NumberControl : public QWidget {
    Q_OBJECT
public:
    NumberControl(const QString& id, const QString& name, const QString& effect, const NumberBounds& range,
                  QWidget* parent = nullptr);

    double value() const { return value_; }
    /// Shows a value without emitting edited().
    void set_value(double value);
    /// The only numbers that work, ascending: heads must divide a width. Slider and arrows stop at them, what
    /// is typed becomes the nearest, and the tooltip lists them. Empty: no such rule.
    void set_stops(std::vector<double> stops);

    QSlider* slider() const { return slider_; }
    QDoubleSpinBox* field() const { return field_; }

signals:
    void edited(double value, int gesture);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    double at_position(int position) const;
    double nearest_stop(double value) const;
    int position_of(double value) const;
    double logarithm_shift() const;
    void change(double value);

    NumberBounds range_;
    double value_ = 0;
    std::vector<double> stops_;
    int gesture_ = 0;
    QSlider* slider_;
    QDoubleSpinBox* field_;
};

/// The wheel scrolls the panel, and changes only a control that has the focus: nobody turns a knob by
/// scrolling past it.
void ignore_passing_wheel(QWidget* control);

}  // namespace headlight

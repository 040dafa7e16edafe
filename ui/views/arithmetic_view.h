#pragma once

#include "core/attention/explain.h"
#include "ui/render/arithmetic_setting.h"

#include <QLabel>

#include <vector>

namespace headlight {

/// The arithmetic of a cell, step by step: a name and its number, under them how it came about, set as
/// mathematics. As a label it has all of that as plain text, which is what copying gives and a screen reader
/// reads. It is laid out once for its width, and as high as that takes.
class ArithmeticView : public QLabel {
    Q_OBJECT
public:
    explicit ArithmeticView(QWidget* parent = nullptr);

    void show_steps(const std::vector<ArithmeticStep>& steps);
    void copy() const;

    bool hasHeightForWidth() const override { return false; }
    QSize sizeHint() const override { return minimumSizeHint(); }
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// A step as it lies in the width of now.
    struct SetStep {
        SetLines name, result, expression;
        double top = 0;     ///< of name and result
        double below = 0;   ///< where the expression begins
        double bottom = 0;  ///< of the step, where a line parts it from the next
    };
    void fit();

    std::vector<ArithmeticStep> steps_;
    std::vector<SetStep> set_;
};

/// The steps as plain text, a line each: "weight = 0.038774 / 1.0388 = 0.03733".
QString arithmetic_lines(const std::vector<ArithmeticStep>& steps);

}  // namespace headlight

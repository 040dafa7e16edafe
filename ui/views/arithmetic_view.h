#pragma once

#include "core/attention/explain.h"
#include "ui/render/arithmetic_setting.h"

#include <QLabel>

#include <vector>

namespace headlight {

/// The arithmetic of a cell, step by step: a name and its number, how it came about between them where that
/// has room in a line, else below, set as mathematics. As a label it has all of that as plain text, which is
/// what copying gives and a screen reader reads. It is laid out once for its width, and as high as that
/// takes.
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
        QPointF name_at, result_at, expression_at;  ///< their top left corners
        double bottom = 0;                          ///< where a line parts it from the next
    };
    /// `top` is where it begins.
    SetStep set_step(const ArithmeticStep& step, bool is_last, double top) const;
    void fit();

    std::vector<ArithmeticStep> steps_;
    std::vector<SetStep> set_;
};

/// The steps as plain text, a line each: "weight = 0.038774 / 1.0388 = 0.03733".
QString arithmetic_lines(const std::vector<ArithmeticStep>& steps);

}  // namespace headlight

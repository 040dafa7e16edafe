#pragma once

#include <QWidget>

class QLabel;

namespace headlight {

class Document;
class FigureCanvas;
class FormulaView;

/// The pipeline from tokens to output: a strip of stages, the formula with the current term lit, the current
/// stage with its operands as matrices, and the arithmetic of the cell under the pointer.
class StagesView : public QWidget {
    Q_OBJECT
public:
    explicit StagesView(Document& document, QWidget* parent = nullptr);

    FigureCanvas* canvas() const { return canvas_; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void update_stage();
    void update_arithmetic();

    Document& document_;
    FormulaView* formula_;
    FigureCanvas* canvas_;
    QLabel* arithmetic_;
};

}  // namespace headlight

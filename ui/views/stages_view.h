#pragma once

#include <QWidget>

namespace headlight {

class Document;
class FigureCanvas;

/// The pipeline from tokens to output: the formula with the current term lit and the way through its stages
/// in one line, and the current stage with its operands as matrices.
class StagesView : public QWidget {
    Q_OBJECT
public:
    explicit StagesView(Document& document, QWidget* parent = nullptr);

    FigureCanvas* canvas() const { return canvas_; }

private:
    FigureCanvas* canvas_;
};

}  // namespace headlight

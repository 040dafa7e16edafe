#pragma once

#include <QWidget>

namespace headlight {

class Document;
class FigureCanvas;

/// The decoding steps: row t arrives, earlier rows keep their colours, what the mask forbids stays visible.
class StepsView : public QWidget {
    Q_OBJECT
public:
    explicit StepsView(Document& document, QWidget* parent = nullptr);

    FigureCanvas* canvas() const { return canvas_; }

private:
    FigureCanvas* canvas_;
};

}  // namespace headlight

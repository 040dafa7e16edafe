#pragma once

#include <QWidget>

namespace headlight {

class Document;
class FigureCanvas;

/// Tokens on both sides, weights as lines between them; pointing at a token leaves only its lines.
class LinesView : public QWidget {
    Q_OBJECT
public:
    explicit LinesView(Document& document, QWidget* parent = nullptr);

    FigureCanvas* canvas() const { return canvas_; }

private:
    FigureCanvas* canvas_;
};

}  // namespace headlight

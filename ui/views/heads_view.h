#pragma once

#include <QWidget>

namespace headlight {

class Document;
class FigureCanvas;

/// All heads side by side on one colour scale; clicking one enlarges it.
class HeadsView : public QWidget {
    Q_OBJECT
public:
    explicit HeadsView(Document& document, QWidget* parent = nullptr);

    FigureCanvas* canvas() const { return canvas_; }

private:
    FigureCanvas* canvas_;
};

}  // namespace headlight

#pragma once

#include <QWidget>

namespace headlight {

class Document;
class FigureCanvas;

/// One head large, with the numbers in its cells where they fit.
class HeatmapView : public QWidget {
    Q_OBJECT
public:
    explicit HeatmapView(Document& document, QWidget* parent = nullptr);

    FigureCanvas* canvas() const { return canvas_; }

private:
    FigureCanvas* canvas_;
};

}  // namespace headlight

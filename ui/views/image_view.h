#pragma once

#include <QWidget>

namespace headlight {

class Document;
class FigureCanvas;

/// The image whose patches are the tokens, under what one of them looks at: a click chooses it.
class ImageView : public QWidget {
    Q_OBJECT
public:
    explicit ImageView(Document& document, QWidget* parent = nullptr);

    FigureCanvas* canvas() const { return canvas_; }

private:
    FigureCanvas* canvas_;
};

}  // namespace headlight

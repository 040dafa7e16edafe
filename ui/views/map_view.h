#pragma once

#include "core/figure/view_kind.h"

#include <QWidget>

namespace headlight {

class Document;
class FigureCanvas;
class HeadSwatches;
class LineFocus;
class MapBar;

/// A view as its declaration has it: above, the formula and the stages and heads that it offers; below, the
/// picture. Where the picture has lines, pointing at a token leaves only its lines, and a click keeps them.
class MapView : public QWidget {
    Q_OBJECT
public:
    MapView(Document& document, ViewKind kind, QWidget* parent = nullptr);

    FigureCanvas* canvas() const { return canvas_; }
    /// What stands above the picture.
    MapBar& bar() const { return *bar_; }

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    FigureCanvas* canvas_;
    MapBar* bar_;
    LineFocus* lines_;
    HeadSwatches* heads_ = nullptr;
};

}  // namespace headlight

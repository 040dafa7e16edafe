#pragma once

#include "ui/views/cell_place.h"

#include <QObject>

#include <optional>

namespace headlight {

class Document;
class FigureCanvas;
class HoverState;
class LinesBar;
struct Figure;

/// Which lines of a picture are shown: those that the bar chooses, for the figure and its exports, and, while
/// the pointer is at a token or one was clicked, that token's alone. Does nothing to a picture without lines,
/// and hides the bar there.
class LineFocus : public QObject {
    Q_OBJECT
public:
    /// Belongs to the canvas.
    LineFocus(Document& document, FigureCanvas& canvas, LinesBar& bar);

    void filter(Figure& figure);
    /// Shows all lines again; false where no token's were kept.
    bool release();

private:
    /// Keeps the lines of a token; all lines come back when it is the one that is kept, or none.
    void hold(std::optional<CellPlace> place);
    void release_of_another_text();
    void choose(const LineChoice& choice);

    Document& document_;
    HoverState& hover_;
    FigureCanvas& canvas_;
    LinesBar& bar_;
    std::optional<CellPlace> held_;
    TokenLabels held_tokens_;  ///< among which that place is
};

}  // namespace headlight

#pragma once

#include <QRectF>
#include <QSvgRenderer>

#include <vector>

namespace headlight {

/// A stretch of a formula that stays on one line, and the gap before it.
struct FormulaPiece {
    QRectF ink;      ///< in the units of the renderer's default size
    double gap = 0;  ///< white space between it and the piece before it
};

/// A typeset formula cut where it has white space: between the formulas of a list, around words and
/// operators.
std::vector<FormulaPiece> formula_pieces(QSvgRenderer& formula);

/// The pieces as lines of at most `width`: cut at the widest spaces first, and at narrower ones only where a
/// line is still too long; around operators only a formula that is too long on its own. A piece that is
/// longer on its own gets a line on its own.
std::vector<QRectF> formula_lines(const std::vector<FormulaPiece>& pieces, double width);

}  // namespace headlight

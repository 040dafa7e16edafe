#pragma once

#include <QFont>
#include <QPointF>
#include <QPolygonF>
#include <QSizeF>
#include <QString>

#include <vector>

class QPainter;

namespace headlight {

/// A run of type or a stroke of a formula that is set.
struct SetPiece {
    QString text;
    QFont font;
    QPointF at;         ///< where the run's baseline begins
    QPolygonF stroke;   ///< in its place: the bar of a fraction, the sign of a root
    double weight = 1;  ///< of the stroke
};

/// Arithmetic or words laid out in a width, in the units of the font, from the top left corner.
struct SetLines {
    QSizeF size;
    std::vector<double> baselines;  ///< of each line
    std::vector<SetPiece> pieces;

    /// In the painter's pen.
    void paint(QPainter& painter, QPointF top_left) const;
};

/// A line as explain_cell() writes it, set as mathematics: fractions, roots, powers, lowered indices. It
/// begins with an equals sign and is one line where that fits into `width`; else each of its sides begins a
/// line, the equals signs under one another, and goes on behind them. A side is broken between terms; within
/// a term only where that is wider than a line by itself.
SetLines set_arithmetic(const QString& expression, const QFont& font, double width);

/// Words with their indices lowered, in as many lines as they need.
SetLines set_words(const QString& text, const QFont& font, double width);

}  // namespace headlight

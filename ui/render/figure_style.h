#pragma once

#include "core/figure/figure.h"
#include "core/figure/theme_table.h"

#include <QColor>
#include <QString>

namespace headlight {

/// How a theme looks, with what a figure asks for. Sizes and widths are in points.
struct FigureStyle : FigureLengths {
    double least_scale;  ///< all text shrinks to this share of its size where matrices have too little room
    double line_share;   ///< of the theme's width that lines are drawn with; in those lengths already

    QColor background, text, quiet_text, frame, grid, accent;
    QColor mark;              ///< frames over cells: beside the background seen on every colour of every map
    QColor forbidden, hatch;  ///< cells that the mask forbids
    QColor missing;           ///< cells without a number (NaN)

    /// What every colour of a map has at least beside the ground, by WCAG 2; 0 where all are shown.
    double least_cell_contrast;
    /// What a number that reads as zero has at least beside its cell, where any ink does.
    double least_zero_contrast;

    QString family;  ///< of all text; empty for the interface font's

    bool is_on_dark() const { return background.lightnessF() < 0.5f; }
};

const FigureStyle& figure_style(FigureTheme theme);

/// The theme's, with the type and the lines that the figure asks for; a font that the system lacks is passed
/// over. On the projector type may become larger than the theme has it at least, not smaller.
FigureStyle figure_style(const Figure& figure);

/// From one colour, 0, to another, 1.
QColor mixed(const QColor& from, const QColor& to, double share);

}  // namespace headlight

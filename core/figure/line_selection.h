#pragma once

#include "core/figure/figure.h"

namespace headlight {

/// A cell of a panel of lines, as it is drawn.
struct DrawnLine {
    Index row, column;
    double value;
    double
        strength;  ///< 0 to 1: the place of the value on the scale; of a diverging one its distance from zero
};

/// Which cells of a panel of lines are drawn.
struct LineSelection {
    std::vector<DrawnLine> lines;      ///< the strongest last, so that they lie on top
    Index left_out = 0;                ///< cells with a number other than 0 that are not drawn
    Index faint = 0;                   ///< of these, the ones that nobody would see
    double sum = 0, left_out_sum = 0;  ///< of the absolute values, of all and of those
};

/// Keeps of each row the strongest numbers that are not weaker than the least, as somebody chose: the others
/// are missing from `values`, and counted in `hidden_lines`. Among equal ones those of the first columns
/// stay.
void keep_chosen_lines(Panel& panel, const LineChoice& choice);

/// At most the 400 strongest, of at least 2 % of the scale: more would be a solid area, fainter ones a fog.
/// Forbidden cells and those without a finite number have no line.
LineSelection select_lines(const Panel& panel);

}  // namespace headlight

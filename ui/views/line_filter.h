#pragma once

#include "core/figure/figure.h"
#include "ui/views/cell_place.h"

namespace headlight {

/// Leaves only the lines of the place: one token's, or one line for a pair; all of them when it names
/// nothing. What goes is missing (NaN), not zero, so that it is not drawn at all.
void keep_lines(Panel& panel, const CellPlace& place);

/// Lets all other lines step back behind that of a pair, without taking them away: the pointer goes from one
/// to the next.
void point_out_line(Panel& panel, const CellPlace& place);

/// What a threshold hides of the lines of panels: how many, and which part of the sum of all absolute
/// numbers.
struct HiddenLines {
    Index count = 0;
    double hidden_sum = 0, sum = 0;

    HiddenLines& operator+=(const HiddenLines& other);
};

/// Leaves only lines of numbers whose absolute value is at least `least`; the others are missing (NaN).
HiddenLines hide_weak_lines(Panel& panel, double least);

}  // namespace headlight

#pragma once

#include "core/figure/figure.h"
#include "core/tensor/number_range.h"

#include <vector>

namespace headlight {

/// The range of a large map's colours: numbers that may be negative, and differences, are fitted where
/// weights go from 0 to 1; a difference is fitted to all of its numbers or to percentiles of them, and to
/// nothing else.
ColourRange range_of(const LargeMap& map, const ColourRange& range);

/// Large maps of which negative numbers have become known: gives them, and the panels that share their scale,
/// colours around zero, as far as `range` says if that starts below zero, and says in the caption which
/// number a point shows. What is fitted is fitted after that.
void show_signs(Figure& figure, const ColourRange& range);

/// Whether panels of one scale keep it when it is fitted to what they show: exponentials and weights of one
/// site both go from 0 to 1, and are numbers of two kinds.
bool are_of_one_kind(const Panel& a, const Panel& b);

/// What the scale of some panels is fitted to: their numbers that count, see range_of_numbers(). A large map
/// has those of the cells that it is read in, but for cells whose pairs are all forbidden.
struct FittedNumbers {
    NumberRange range;
    std::vector<double> sample;  ///< some of them, which percentiles alone need; else empty
};
FittedNumbers fitted_numbers(const std::vector<const Panel*>& panels, const ColourRange& range);

/// Fits the scales of panels, [panel] where one is to be, to the numbers that they show, as `range` says, to
/// all of them where that is from 0 to 1; panels that shared one still do. Of a large map, to what is known
/// of the numbers in sight: for percentiles to at most 512 x 512 cells, each the number of its block that is
/// furthest from 0, as they are drawn.
void fit_scales(Figure& figure, const std::vector<bool>& is_fitted, const ColourRange& range);

/// The range that gives another figure the colours of this one, which was drawn with `asked`: in numbers,
/// where these are not from 0 to 1, for what it was fitted to is in no other. Throws Error where it has no
/// colours.
ColourRange drawn_range(const Figure& figure, const ColourRange& asked);

/// Before a figure goes to a file: tiles of large maps are waited for, and scales that are to be fitted to
/// the numbers shown are.
void complete_large_maps(Figure& figure, const ColourRange& range);

}  // namespace headlight

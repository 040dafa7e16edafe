#pragma once

#include "core/figure/figure.h"

#include <optional>

namespace headlight {

inline constexpr double points_per_mm = 72 / 25.4;

/// From this width on, in millimetres, every figure is laid out: a column of a journal has more.
inline constexpr double narrowest_certain_mm = 40;

/// Smaller type is not read in print.
inline constexpr double legible_points = 5;
/// Under this nobody reads them.
inline constexpr double unreadable_points = 3;

/// In points: the side from which on a matrix of few is read, cell by cell.
inline constexpr double side_to_be_read = 28;

/// The figure as it is printed in a width in points. Its lengths are those of print, also in the colours of a
/// dark theme, and grow with what is wider than a sheet of paper, which is looked at from further away. Where
/// its panels have too little room they go on fewer columns, if they may, and then everything is drawn
/// smaller. Nothing where that would make it unreadable, which a width from narrowest_certain_mm on does
/// of panels alone that a person has put side by side.
std::optional<Figure> figure_in_width(const Figure& figure, double width);

/// The figure as in figure_in_width(), drawn although it has no room where it has none.
Figure drawn_in_width(const Figure& figure, double width);

}  // namespace headlight

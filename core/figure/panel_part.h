#pragma once

#include "core/figure/figure.h"

namespace headlight {

/// These cells of a panel as a panel of its own, whose labels are those of the whole.
Panel part_of(Panel panel, const AxisSlice& rows, const AxisSlice& columns);

/// The labels of a part of an axis, which are those of the whole.
AxisLabels part_of(const AxisLabels& axis, const AxisSlice& slice);

/// Where a cell of an axis lies in that part of it; nothing where it does not.
std::optional<Index> cell_of_part(std::optional<Index> cell, const AxisSlice& part);

/// Gives a part of a large map its numbers, where so few cells are left that they may be written, and all of
/// them are known.
void take_numbers(Panel& panel);

/// The figure with every number of its large maps, which a file of numbers has although no picture draws
/// them. Throws Error where they take more than memory_limit(), and what reading them throws.
Figure with_all_numbers(Figure figure, const std::string& operation);

}  // namespace headlight

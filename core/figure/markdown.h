#pragma once

#include "core/figure/figure.h"

#include <span>
#include <string>

namespace headlight {

/// The numbers of the view as tables of Markdown (GitHub's), one for each panel under its title, and the
/// figure's own table below. `decimals` [panel]: of the numbers of each. Cells that the mask forbids and
/// those without a number are empty.
std::string to_markdown(const Figure& figure, std::span<const int> decimals);

}  // namespace headlight

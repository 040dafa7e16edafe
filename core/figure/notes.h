#pragma once

#include "core/figure/panel_maker.h"

namespace headlight {

/// What a reader must know to read the figure rightly: hatching, unknown words, row sums, what was not
/// recorded.
std::string figure_caption(const PanelMaker& maker, const Figure& figure);

/// The figure in words, for screen readers and as the alternative text of exports: what it shows, and its
/// largest numbers by token.
std::string figure_description(const Figure& figure);

}  // namespace headlight

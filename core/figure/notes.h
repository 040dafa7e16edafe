#pragma once

#include "core/figure/panel_maker.h"

namespace headlight {

/// "Changed by hand: “cat” gets no weight, head 2.": what a person set in the run, with the site where that
/// is not the one that is shown; empty where nothing was.
std::string changes_in_words(const Trace& trace, const std::string& site);

/// What a reader must know to read the figure rightly: hatching, unknown words, row sums, what was not
/// recorded.
std::string figure_caption(const PanelMaker& maker, const Figure& figure);

/// The figure in words, for screen readers and as the alternative text of exports: what it shows, and its
/// largest numbers by token.
std::string figure_description(const Figure& figure);

}  // namespace headlight

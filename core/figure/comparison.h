#pragma once

#include "core/attention/trace.h"
#include "core/figure/figure.h"
#include "core/image/patches.h"

namespace headlight {

/// The weights of every site of a trace, the selected head (the last one where a site has fewer): the sites
/// one after another on one scale, or each on its own; after them the pinned maps. Throws Error when no site
/// has weights.
std::vector<Panel> comparison_panels(const Trace& trace, const ViewSettings& settings);

/// `maps` in rows of `columns`, and under each row another one: what each map has more or less than the
/// first. The places under the first, and under maps of another shape, stay empty.
std::vector<Panel> differences_below(std::vector<Panel> maps, Index columns, const ColourRange& range);

/// Two maps and behind them, in the same row, what the second has more or less than the first; where they
/// have not the same shape, the two alone.
std::vector<Panel> difference_beside(std::vector<Panel> maps, const ColourRange& range);

/// What a person's changes inside a model make of a map: build_figure() of the one trace minus that of the
/// other, which reads the same words, cell by cell in colours that diverge from zero. A view of every head
/// has how much each changes as one more statistic. Where the settings ask for no differences, or for a view
/// that is no map, and of a stage that the other one does not have, the picture of `changed` alone.
/// `image` as in build_figure().
Figure build_changed_figure(const Trace& changed, const Trace& untouched, const ViewSettings& settings,
                            const PatchedPicture& image = {});

/// The figure with the panels of its grid on fewer columns, 1 at least: maps and what stands under them keep
/// together. As it is when its panels are not to be wrapped.
Figure with_columns(Figure figure, Index columns);

/// From the least of the lows to the greatest of the highs; a map with negative weights makes it diverging.
ColourScale common_scale(const std::vector<Panel>& panels);

/// A place on the grid where nothing is drawn, as large as a map.
Panel empty_place(const Panel& like);

/// The sites that have weights, the trace's own first.
std::vector<std::string> sites_with_weights(const Trace& trace);

/// The pinned maps that the trace has.
std::vector<PinnedMap> pinned_maps(const Trace& trace, const FigureSettings& settings);

/// How many sites of the trace have weights.
Index compared_sites(const Trace& trace);

}  // namespace headlight

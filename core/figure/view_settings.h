#pragma once

#include "core/figure/colour_range.h"
#include "core/figure/figure_options.h"
#include "core/figure/view_kind.h"
#include "core/map/weight_lens.h"
#include "core/tensor/tensor.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// What is selected, everywhere at once: a cell chosen in one view is chosen in all.
struct Selection {
    std::string site;
    std::string stage = "weights";
    Index head = 0;
    Index query = 0;
    Index key = 0;
    Index feature = 0;  ///< column of a stage whose columns are features (query, context, ...)
    bool operator==(const Selection&) const = default;
};

enum class ScaleKind { linear, logarithmic };
/// The number of a row of theme_rows() in core/figure/theme_table.h; those that other code names have names.
enum class FigureTheme { paper, light, dark, projector, contrast };

/// What one press of "forward" moves by; a row moves on without any that comes later being hidden.
enum class PlayMode { stage, step, head, row };

/// How much of the inside of a run is shown beside its picture: the same thing, each time nearer.
enum class Level { box, parts, tensors, arithmetic, formula, spreadsheet, code };

/// The part of one axis of a matrix that is on screen, in cells and fractions of a cell.
struct AxisPart {
    Index extent = 0;  ///< of the whole axis
    double first = 0;
    double count = 0;
    bool operator==(const AxisPart&) const = default;
};

/// The part of the matrices of one size that is on screen.
struct ZoomedPart {
    AxisPart rows, columns;
    bool operator==(const ZoomedPart&) const = default;
};

/// A rectangle of cells that a person has selected in the matrices of a stage: of any head and site where
/// they have that size, so that its sums can be compared.
struct CellBlock {
    std::string stage;
    Index of_rows = 0, of_columns = 0;  ///< the size of the whole matrix
    Index first_row = 0, rows = 0, first_column = 0, columns = 0;
    bool operator==(const CellBlock&) const = default;
};

/// What places and colours a head in the scatter.
struct ScatterAxes {
    std::string across, up, colour;
    bool operator==(const ScatterAxes&) const = default;
};

/// How views of all heads arrange them, by the names of head_statistics().
struct HeadOrder {
    // The model grid.
    std::string sorted_by;       ///< by layer and head if empty
    std::string framed_by = {};  ///< whose number frames each map; none if empty
    // The scatter: along its axes, and as colour.
    std::string across = "distance";
    std::string up = "entropy";
    std::string colour = "first_token";
    /// The same where others have counted (CountedHeads), by the names of their metrics; the first ones where
    /// a name is empty, or the heads have no such metric.
    ScatterAxes metrics = {};
    bool operator==(const HeadOrder&) const = default;
};

/// Which axes of a stage the view of any stage draws, as to_string(Axis) has them; its last two if empty.
/// Along the others it shows what is selected.
struct DealtAxes {
    std::string rows, columns;
    bool operator==(const DealtAxes&) const = default;
};

/// Where one looks and in what light. Looking is not editing: it is remembered and saved with a session, and
/// Back and Forward lead through it; it is never undone and never leaves anything to save.
struct ViewState {
    ViewKind view = ViewKind::stages;
    Selection selection;
    std::optional<Index> decoding_step;  ///< steps view: the newest row; the last row if absent
    std::optional<CellBlock> block;
    std::optional<ZoomedPart> zoom;  ///< matrices of another size are shown whole; all are if absent
    std::optional<PlayMode> player;  ///< what it walks through, where that is not what suits the view
    double speed = 1;                ///< of the player, times its own; above 0
    HeadOrder heads;
    DealtAxes axes;
    std::optional<Level> level;  ///< shown beside the picture; none if absent
    FigureTheme theme = FigureTheme::light;
    bool operator==(const ViewState&) const = default;
};

/// `state` in another view, whose player walks through what suits it.
inline ViewState in_view(ViewState state, ViewKind kind) {
    if (state.view != kind)
        state.player.reset();
    state.view = kind;
    return state;
}

/// Whether two states look at the same place, in whatever light and however near.
inline bool same_place(const ViewState& a, const ViewState& b) {
    return a.view == b.view && a.selection == b.selection && a.decoding_step == b.decoding_step;
}

/// A head whose weights the comparison keeps, whichever head is looked at.
struct PinnedMap {
    std::string site;
    Index head = 0;
    bool operator==(const PinnedMap&) const = default;
};
/// At once; more would be too small to be read.
inline constexpr Index most_pinned = 8;

/// How numbers become a picture: part of the figure that somebody makes, and so an edit like any other.
struct FigureSettings : WeightLens {
    std::string colour_map = "viridis";  ///< see colour_maps()
    ScaleKind scale = ScaleKind::linear;
    ColourRange range;
    bool values_in_cells = true;  ///< where they fit
    bool own_scales = false;      ///< compare: each site fitted to its own numbers
    /// compare: under each site, how it differs from the first one. Of a model that a person changed inside:
    /// what the changes make of its maps.
    bool differences = false;
    /// compare: after the sites, in this order; those that a trace lacks are passed over.
    std::vector<PinnedMap> pinned;
    FigureOptions options;
    bool operator==(const FigureSettings&) const = default;
};

/// Both: with the trace, they determine a figure to the last cell.
struct ViewSettings : ViewState, FigureSettings {
    bool operator==(const ViewSettings&) const = default;
};

}  // namespace headlight

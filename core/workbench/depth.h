#pragma once

#include "core/figure/view_settings.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// How near a run is looked at, the farthest first: the map of all of it, the heads of the layer in view, one
/// head's stages, one matrix, the products of a cell, and the two levels of F6 that say how its number came
/// about. Each is a place that a session knows.
enum class DepthStop { model, layer, head, matrix, cell, arithmetic, formula };
inline constexpr std::array all_depths{DepthStop::model,  DepthStop::layer, DepthStop::head,
                                       DepthStop::matrix, DepthStop::cell,  DepthStop::arithmetic,
                                       DepthStop::formula};
inline constexpr auto depth_count = static_cast<Index>(all_depths.size());

/// What a level of F6 is called: "Code".
std::string level_name(Level level);
/// "Matrix".
std::string depth_name(DepthStop stop);
/// What is to be seen there, one sentence without its full stop.
std::string depth_shows(DepthStop stop);
/// What the views are called that are at a stop, which its tabs are: "Heatmap or Steps". Empty where it is a
/// level of F6. A depth says how near one is, a tab what is drawn there.
std::string depth_tabs(DepthStop stop);
/// Why there is nothing to see there, where it is none of the stops, and what to do: one sentence without its
/// full stop.
std::string depth_lacks(DepthStop stop);
/// The level of F6 that a stop is, a page of words beside a picture; nothing of stops that are pictures.
std::optional<Level> level_of(DepthStop stop);

/// What there is of the selected stage to go into.
struct DepthFacts {
    bool has_heads = false;     ///< several, which the view of heads draws
    bool has_stages = false;    ///< it was computed from others, which were recorded
    bool has_products = false;  ///< its cells belong to queries and keys of one width
    bool is_explained = false;  ///< it ran here, in a mechanism or a model: every step is known
};

/// The stops that there are, the farthest first: a map and a matrix always.
std::vector<DepthStop> depth_stops(const DepthFacts& facts);
/// The stop that `view` is at; nothing in views that are none. A matrix that grows step by step is one.
/// Arithmetic and formula are themselves beside any picture; other levels of F6 are pages about the whole
/// run, and leave the stop that the picture is.
std::optional<DepthStop> depth_of(const ViewState& view);
/// `here` at that one of `stops`; who looks at a matrix step by step goes on doing so. Arithmetic and formula
/// stand beside the picture of the nearest stop before them; a level of F6 that is no stop stays open.
ViewState at_depth(ViewState here, DepthStop stop, const std::vector<DepthStop>& stops);

/// A place between stops: the `fraction`, from 0 to less than 1, of the way from one to the next nearer one.
struct Depth {
    Index stop = 0;  ///< by its number among those that there are
    double fraction = 0;

    double place() const { return static_cast<double>(stop) + fraction; }
    bool operator==(const Depth&) const = default;
};

/// The depth at a place from 0, the farthest, to `stops` - 1, the nearest; beyond these, at the end.
Depth depth_at(double place, Index stops);
/// The stop whose picture is the real one at `place`, for who comes from the stop `here`: it is left where
/// half of the way to another one is done, in both directions.
Index settled_stop(double place, Index here);

/// Where a depth stands on a scale of all seven, on which stops that are not there have their place too: from
/// 0 to depth_count - 1.
double on_depth_scale(const std::vector<DepthStop>& stops, const Depth& depth);
/// The opposite; beyond the stops that there are, the end.
Depth from_depth_scale(const std::vector<DepthStop>& stops, double scale);

/// A rectangle of a picture, in any unit.
struct PictureRect {
    double x = 0, y = 0, width = 0, height = 0;
};

/// Where a picture is drawn: a point (x, y) of it is at (scale * x + across, scale * y + down).
struct PictureMove {
    double scale = 1, across = 0, down = 0;
};

/// Where the pictures of two neighbouring stops are drawn between them.
struct ZoomMoves {
    PictureMove outer, inner;
    double inner_opacity = 0;  ///< the outer one is opaque below
};

/// Both pictures fill `area`; `part` of the outer one is what becomes the inner one. At 0 the outer picture
/// is as it is, at 1 the inner one, and each step in `fraction` enlarges both by the same factor. The part is
/// drawn the wider or the higher for the shape of the area, so that nothing is distorted; one that fills the
/// area lets the pictures fade into one another where they are.
ZoomMoves zoom_moves(const PictureRect& part, const PictureRect& area, double fraction);

}  // namespace headlight

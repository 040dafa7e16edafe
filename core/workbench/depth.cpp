#include "core/workbench/depth.h"

#include "core/figure/view.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace headlight {
namespace {

/// In the order of Level.
constexpr const char* level_names[] = {"Black box", "Parts",       "Tensors", "Arithmetic",
                                       "Formula",   "Spreadsheet", "Code"};
static_assert(std::size(level_names) == static_cast<std::size_t>(Level::code) + 1);

constexpr const char* name_of(Level level) { return level_names[static_cast<std::size_t>(level)]; }

struct DepthRow {
    const char *name, *shows, *lacks;
};

/// In the order of DepthStop.
constexpr DepthRow depth_rows[] = {
    {"Model", "The map of all parts, the one in view lit", "nothing has run yet"},
    {"Layer", "All heads of the part in view",
     "what is selected has one head, or none: choose the weights of a part with several"},
    {"Head", "What the head's matrix is computed from",
     "what this is computed from was not recorded: choose the weights of a part that runs here"},
    {"Matrix", "One matrix, large", "nothing has run yet"},
    {"Cell", "The products of the query's and the key's numbers that a cell is made of",
     "no number of this stage belongs to a query and a key that are multiplied: choose Scores or Weights of "
     "attention by dot products"},
    {name_of(Level::arithmetic), "How the number of the cell came about",
     "how these numbers came about is not known: choose a part that attends, of a mechanism or a model that "
     "runs here"},
    {name_of(Level::formula), "The formula that all numbers follow from",
     "what attends here is not known: choose a part that attends, of a mechanism or a model that runs here"},
};
static_assert(std::size(depth_rows) == depth_count);

const DepthRow& row_of(DepthStop stop) { return depth_rows[static_cast<std::size_t>(stop)]; }

double scale_of(DepthStop stop) { return static_cast<double>(stop); }

/// The view whose picture a stop is, or stands beside.
ViewKind view_of(DepthStop stop) {
    switch (stop) {
    case DepthStop::model:
        return ViewKind::map;
    case DepthStop::layer:
        return ViewKind::grid;
    case DepthStop::head:
        return ViewKind::stages;
    case DepthStop::cell:
        return ViewKind::query_key;
    case DepthStop::matrix:
    case DepthStop::arithmetic:
    case DepthStop::formula:
        break;
    }
    return ViewKind::heatmap;
}

/// Whether a level of F6 is one of the depths.
bool is_stop(Level level) {
    return std::ranges::any_of(all_depths, [&](DepthStop stop) { return level_of(stop) == level; });
}

}  // namespace

std::string level_name(Level level) { return name_of(level); }

std::string depth_name(DepthStop stop) { return row_of(stop).name; }

std::string depth_shows(DepthStop stop) { return row_of(stop).shows; }

std::string depth_tabs(DepthStop stop) {
    if (level_of(stop))
        return {};
    std::string tabs;
    for (const View& each : views())
        if (depth_of(in_view({}, each.kind)) == stop)
            tabs += (tabs.empty() ? "" : " or ") + each.title;
    return tabs;
}

std::string depth_lacks(DepthStop stop) { return row_of(stop).lacks; }

std::optional<Level> level_of(DepthStop stop) {
    switch (stop) {
    case DepthStop::arithmetic:
        return Level::arithmetic;
    case DepthStop::formula:
        return Level::formula;
    default:
        return std::nullopt;
    }
}

std::vector<DepthStop> depth_stops(const DepthFacts& facts) {
    std::vector<DepthStop> stops{DepthStop::model};
    if (facts.has_heads)
        stops.push_back(DepthStop::layer);
    if (facts.has_stages)
        stops.push_back(DepthStop::head);
    stops.push_back(DepthStop::matrix);
    if (facts.has_products)
        stops.push_back(DepthStop::cell);
    if (facts.is_explained)
        stops.insert(stops.end(), {DepthStop::arithmetic, DepthStop::formula});
    return stops;
}

std::optional<DepthStop> depth_of(const ViewState& view) {
    if (view.view == ViewKind::steps)  // a matrix that grows row by row
        return depth_of(in_view(view, ViewKind::heatmap));
    std::optional<DepthStop> picture, page;
    for (const DepthStop stop : all_depths) {
        if (const std::optional<Level> level = level_of(stop)) {
            if (view.level == level)
                page = stop;
        } else if (view.view == view_of(stop)) {
            picture = stop;
        }
    }
    return picture && page ? page : picture;
}

ViewState at_depth(ViewState here, DepthStop stop, const std::vector<DepthStop>& stops) {
    if (here.view == ViewKind::steps) {
        ViewState there = at_depth(in_view(std::move(here), ViewKind::heatmap), stop, stops);
        return there.view == ViewKind::heatmap ? in_view(std::move(there), ViewKind::steps) : there;
    }
    const std::optional<Level> level = level_of(stop);
    const bool has_cell = std::ranges::find(stops, DepthStop::cell) != stops.end();
    ViewState there = in_view(std::move(here), view_of(level && has_cell ? DepthStop::cell : stop));
    if (level || (there.level && is_stop(*there.level)))
        there.level = level;
    return there;
}

Depth depth_at(double place, Index stops) {
    const double within = std::clamp(place, 0.0, static_cast<double>(std::max<Index>(stops - 1, 0)));
    const double stop = std::floor(within);
    return {static_cast<Index>(stop), within - stop};
}

Index settled_stop(double place, Index here) {
    const double way = place - static_cast<double>(here);
    const auto stops = static_cast<Index>(std::floor(std::abs(way) + 0.5));
    return way < 0 ? here - stops : here + stops;
}

double on_depth_scale(const std::vector<DepthStop>& stops, const Depth& depth) {
    const auto at = static_cast<std::size_t>(depth.stop);
    const double from = scale_of(stops[at]);
    return at + 1 < stops.size() ? from + depth.fraction * (scale_of(stops[at + 1]) - from) : from;
}

Depth from_depth_scale(const std::vector<DepthStop>& stops, double scale) {
    for (std::size_t at = 0; at + 1 < stops.size(); ++at) {
        const double from = scale_of(stops[at]), to = scale_of(stops[at + 1]);
        if (scale < to)
            return {static_cast<Index>(at), std::max(0.0, scale - from) / (to - from)};
    }
    return {std::ssize(stops) - 1, 0};
}

ZoomMoves zoom_moves(const PictureRect& part, const PictureRect& area, double fraction) {
    // How many times the part fits into the area along the side that it fills sooner.
    const double whole = std::max(
        1.0, std::min(area.width / std::max(part.width, 1e-9), area.height / std::max(part.height, 1e-9)));
    ZoomMoves moves;
    moves.inner_opacity = std::clamp(fraction, 0.0, 1.0);
    if (whole <= 1 + 1e-9)
        return moves;
    const double grown = std::pow(whole, fraction), inner = grown / whole;
    // The middle of the part moves to that of the area as fast as the picture grows: about one fixed point.
    const double moved = (grown - 1) / (whole - 1);
    const double part_x = part.x + part.width / 2, part_y = part.y + part.height / 2;
    const double area_x = area.x + area.width / 2, area_y = area.y + area.height / 2;
    const double x = part_x + (area_x - part_x) * moved, y = part_y + (area_y - part_y) * moved;
    moves.outer = {grown, x - grown * part_x, y - grown * part_y};
    moves.inner = {inner, x - inner * area_x, y - inner * area_y};
    return moves;
}

}  // namespace headlight

#include "core/io/view_json.h"

#include "core/analysis/head_statistics.h"
#include "core/figure/colour.h"
#include "core/figure/view.h"
#include "core/io/figure_options_json.h"
#include "core/io/session_words.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <limits>

namespace headlight {

using nlohmann::json;

namespace {

constexpr Index largest_hidden_key = 1'000'000'000;
constexpr Index most_zoomed = 1'000'000'000;  ///< cells along an axis
constexpr Index last_index = std::numeric_limits<Index>::max();

json to_json(const AxisPart& part) {
    return {{"of", part.extent}, {"first", part.first}, {"count", part.count}};
}

constexpr double slowest_play = 0.1, fastest_play = 10;  // times what suits a person

json to_json(const CellBlock& block) {
    return {{"stage", block.stage},
            {"rows", {{"of", block.of_rows}, {"first", block.first_row}, {"count", block.rows}}},
            {"columns", {{"of", block.of_columns}, {"first", block.first_column}, {"count", block.columns}}}};
}

CellBlock cell_block_from(JsonObject object) {
    CellBlock block;
    object.required("stage", "the stage that the rectangle is in");
    block.stage = object.text("stage", "");
    for (const char* axis : {"rows", "columns"})
        object.required(axis, "of, first and count of the selected " + std::string(axis));
    const auto read = [](JsonObject axis, Index& of, Index& first, Index& count) {
        for (const char* number : {"of", "first", "count"})
            axis.required(number, "a number of cells");
        of = axis.integer("of", 1, 1, most_zoomed);
        first = axis.integer("first", 0, 0, of - 1);
        count = axis.integer("count", 1, 1, of - first);
    };
    read(object.object("rows"), block.of_rows, block.first_row, block.rows);
    read(object.object("columns"), block.of_columns, block.first_column, block.columns);
    return block;
}

AxisPart axis_part_from(JsonObject object) {
    AxisPart part;
    part.extent = object.integer("of", 0, 0, most_zoomed);
    const auto number = [&](const char* name) {
        const double value = object.number(name, 0);
        if (!(value >= 0 && value <= static_cast<double>(part.extent)))
            object.refuse(name, "a number from 0 to " + std::to_string(part.extent), json(value).dump());
        return value;
    };
    part.first = number("first");
    part.count = number("count");
    return part;
}

Selection selection_from(JsonObject object) {
    Selection selection;
    selection.site = object.text("site", selection.site);
    selection.stage = object.text("stage", selection.stage);
    selection.head = object.integer("head", selection.head, 0, last_index);
    selection.query = object.integer("query", selection.query, 0, last_index);
    selection.key = object.integer("key", selection.key, 0, last_index);
    selection.feature = object.integer("feature", selection.feature, 0, last_index);
    return selection;
}

/// The name of a statistic, or an empty one where that may be.
std::string statistic_from(JsonObject& object, const std::string& name, const std::string& usual) {
    const std::string statistic = object.text(name, usual);
    const std::vector<std::string> names = statistic_names();
    if (statistic != usual && !find_statistic(statistic))
        object.refuse(name, list_of(names), quoted_with_hint(statistic, names));
    return statistic;
}

HeadOrder head_order_from(JsonObject object) {
    const HeadOrder usual;
    HeadOrder heads;
    heads.sorted_by = statistic_from(object, "sorted_by", usual.sorted_by);
    heads.framed_by = statistic_from(object, "framed_by", usual.framed_by);
    heads.across = statistic_from(object, "across", usual.across);
    heads.up = statistic_from(object, "up", usual.up);
    heads.colour = statistic_from(object, "colour", usual.colour);
    JsonObject metrics = object.object("metrics");
    heads.metrics = {metrics.text("across", {}), metrics.text("up", {}), metrics.text("colour", {})};
    return heads;
}

DealtAxes dealt_axes_from(JsonObject object) {
    DealtAxes axes;
    axes.rows = object.text("rows", "");
    axes.columns = object.text("columns", "");
    return axes;
}

std::vector<Index> hidden_keys_from(JsonObject& object) {
    std::vector<Index> keys;
    const json* list = object.find("hidden_keys");
    if (!list)
        return keys;
    if (!list->is_array())
        object.refuse("hidden_keys", "rising numbers of keys, from 0", list->dump());
    for (const json& key : *list) {
        const std::optional<Index> index = index_up_to(largest_hidden_key, key);
        if (!index || (!keys.empty() && *index <= keys.back()))
            object.refuse("hidden_keys", "rising numbers of keys, from 0", list->dump());
        keys.push_back(*index);
    }
    return keys;
}

std::vector<PinnedMap> pinned_from(JsonObject& object) {
    std::vector<PinnedMap> maps;
    const json* list = object.find("pinned");
    if (!list)
        return maps;
    if (!list->is_array() || std::ssize(*list) > most_pinned)
        object.refuse("pinned", "a list of at most " + std::to_string(most_pinned) + " maps",
                      describe(*list));
    for (std::size_t at = 0; at < list->size(); ++at) {
        JsonObject map((*list)[at], object.what(), pointer_to(object.pointer("pinned"), std::to_string(at)));
        maps.push_back({map.text("site", ""), map.integer("head", 0, 0, last_index)});
    }
    return maps;
}

}  // namespace

json view_to_json(const ViewSettings& view) {
    const Selection& selection = view.selection;
    json object = {{"view", to_word(view.view)},
                   {"selection",
                    {{"site", selection.site},
                     {"stage", selection.stage},
                     {"head", selection.head},
                     {"query", selection.query},
                     {"key", selection.key},
                     {"feature", selection.feature}}},
                   {"decoding_step", view.decoding_step ? json(*view.decoding_step) : json(nullptr)},
                   {"colour_map", view.colour_map},
                   {"scale", to_word(view.scale)},
                   {"range", range_word(view.range)},
                   {"theme", to_word(view.theme)},
                   {"values_in_cells", view.values_in_cells},
                   {"own_scales", view.own_scales},
                   {"differences", view.differences}};
    if (view.zoom)
        object["zoom"] = {{"rows", to_json(view.zoom->rows)}, {"columns", to_json(view.zoom->columns)}};
    if (view.block)
        object["block"] = to_json(*view.block);
    if (view.player)
        object["player"] = to_word(*view.player);
    if (view.speed != 1)
        object["speed"] = view.speed;
    if (view.level)
        object["level"] = to_word(*view.level);
    if (view.heads != HeadOrder())
        object["heads"] = {{"sorted_by", view.heads.sorted_by},
                           {"across", view.heads.across},
                           {"up", view.heads.up},
                           {"colour", view.heads.colour}};
    if (const ScatterAxes& metrics = view.heads.metrics; metrics != ScatterAxes())
        object["heads"]["metrics"] = {
            {"across", metrics.across}, {"up", metrics.up}, {"colour", metrics.colour}};
    if (!view.heads.framed_by.empty())
        object["heads"]["framed_by"] = view.heads.framed_by;
    if (view.weights != DrawnWeights::raw)
        object["weights"] = to_word(view.weights);
    if (view.pooled)
        object["pooled_heads"] = to_word(*view.pooled);
    if (view.pooled_layers)
        object["pooled_layers"] = to_word(*view.pooled_layers);
    if (!view.hidden_keys.empty())
        object["hidden_keys"] = view.hidden_keys;
    for (const PinnedMap& map : view.pinned)
        object["pinned"].push_back({{"site", map.site}, {"head", map.head}});
    if (view.axes != DealtAxes())
        object["axes"] = {{"rows", view.axes.rows}, {"columns", view.axes.columns}};
    if (view.options != FigureOptions())
        object["figure"] = figure_options_to_json(view.options);
    return object;
}

ViewSettings view_from_json(JsonObject object) {
    ViewSettings view;
    view.view = object.word("view", view.view);
    view.selection = selection_from(object.object("selection"));
    view.decoding_step = object.optional_integer("decoding_step", 0, last_index);
    if (object.find("zoom")) {
        JsonObject zoom = object.object("zoom");
        view.zoom = ZoomedPart{axis_part_from(zoom.object("rows")), axis_part_from(zoom.object("columns"))};
    }
    if (object.find("block"))
        view.block = cell_block_from(object.object("block"));
    if (object.find("player"))
        view.player = object.word("player", PlayMode::stage);
    if (object.find("level"))
        view.level = object.word("level", Level::box);
    view.speed = object.number("speed", view.speed);
    if (!(view.speed >= slowest_play && view.speed <= fastest_play))
        object.refuse("speed", "a number from 0.1 to 10", json(view.speed).dump());
    if (object.find("heads"))
        view.heads = head_order_from(object.object("heads"));
    if (object.find("axes"))
        view.axes = dealt_axes_from(object.object("axes"));
    view.colour_map = object.text("colour_map", view.colour_map);
    std::vector<std::string> maps;
    for (const ColourMap& map : colour_maps())
        maps.emplace_back(map.name);
    if (std::ranges::count(maps, view.colour_map) == 0)
        object.refuse("colour_map", list_of(maps), quoted_with_hint(view.colour_map, maps));
    view.scale = object.word("scale", view.scale);
    const std::string range = object.text("range", range_word(view.range));
    if (const auto known = range_from_word(range))
        view.range = *known;
    else
        object.refuse("range", range_words, excerpt(range));
    view.theme = object.word("theme", view.theme);
    view.values_in_cells = object.boolean("values_in_cells", view.values_in_cells);
    view.own_scales = object.boolean("own_scales", view.own_scales);
    view.differences = object.boolean("differences", view.differences);
    if (object.find("weights"))
        view.weights = object.word("weights", view.weights);
    if (object.find("pooled_heads"))
        view.pooled = object.word("pooled_heads", PooledHeads::mean);
    if (object.find("pooled_layers"))
        view.pooled_layers = object.word("pooled_layers", MapReduction::mean);
    view.hidden_keys = hidden_keys_from(object);
    view.pinned = pinned_from(object);
    if (object.find("figure"))
        view.options = figure_options_from_json(object.object("figure"));
    return view;
}

}  // namespace headlight

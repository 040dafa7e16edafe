#include "ui/views/cell_place.h"

#include "core/analysis/displayed_weights.h"
#include "core/figure/dealt_axes.h"
#include "core/figure/stage_chain.h"
#include "core/figure/view.h"
#include "core/figure/words.h"
#include "core/map/trace_maps.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {
namespace {

/// Whether column c of both means the same: of one stage, of queries and keys, which are multiplied feature
/// by feature, and of values and the context that they add up to. Tokens that are not projected are their own
/// values.
bool share_features(const CellPlace& a, const CellPlace& b) {
    const auto are = [&](std::string_view first, std::string_view second) {
        return (a.stage == first && b.stage == second) || (a.stage == second && b.stage == first);
    };
    const auto is_value = [](const CellPlace& place) {
        return place.stage == "value" || (place.stage == "tokens" && place.rows_are_keys);
    };
    return a.stage == b.stage || are("query", "key") || (a.stage == "context" && is_value(b)) ||
           (is_value(a) && b.stage == "context");
}

std::optional<Index> within(std::optional<Index> index, Index extent) {
    return index && *index >= 0 && *index < extent ? index : std::nullopt;
}

}  // namespace

MatrixAxes matrix_axes(const Stage& stage, bool rows_are_keys) {
    MatrixAxes axes{Axis::query, Axis::feature};
    if (stage.axes.size() >= 2)
        axes = {stage.axes[stage.axes.size() - 2], stage.axes.back()};
    if (rows_are_keys && axes.rows == Axis::query)
        axes.rows = Axis::key;
    return axes;
}

Selection shown_selection(const Trace& trace, const ViewState& view) {
    Selection shown = view.selection;
    const View& shows = headlight::view(view.view);
    if (shows.stages == View::Stages::weights && trace.find("weights", shown.site))
        shown.stage = "weights";
    const bool of_maps = shows.stages == View::Stages::maps || shows.stages == View::Stages::weights;
    const Stage* stage = trace.find(shown.stage, shown.site);
    if ((!stage || (of_maps && !(matrix_axes(*stage) == MatrixAxes()))) && trace.find("weights", shown.site))
        shown.stage = "weights";
    if (shows.rows_arrive && view.decoding_step)
        shown.query = std::min(shown.query, *view.decoding_step);
    return shown;
}

std::optional<CellPlace> selected_place(const Trace& trace, const Selection& selection) {
    const Stage* stage = trace.find(selection.stage, selection.site);
    if (!stage)
        return std::nullopt;
    const MatrixAxes axes = matrix_axes(*stage);
    auto clamped = [&](Axis axis) -> Index {
        Selection copy = selection;
        return std::clamp<Index>(place_along(axis, copy), 0, std::max<Index>(stage->extent(axis) - 1, 0));
    };
    return CellPlace{selection.site, selection.stage, stage->has_axis(Axis::head) ? clamped(Axis::head) : 0,
                     clamped(axes.rows), clamped(axes.columns)};
}

Selection select_place(const Trace& trace, Selection selection, const CellPlace& place) {
    const Stage* stage = trace.find(place.stage, place.site);
    if (!stage)
        return selection;
    const MatrixAxes axes = matrix_axes(*stage, place.rows_are_keys);
    selection.site = place.site;
    selection.stage = place.stage;
    if (stage->has_axis(Axis::head))
        selection.head = place.head;
    if (place.row)
        place_along(axes.rows, selection) = *place.row;
    if (place.column)
        place_along(axes.columns, selection) = *place.column;
    return selection;
}

CellPlace linked_place(const Trace& trace, const CellPlace& place, const std::string& stage, Index head,
                       bool rows_are_keys) {
    CellPlace linked{place.site, stage, head, {}, {}, rows_are_keys};
    const Stage* from = trace.find(place.stage, place.site);
    const Stage* to = trace.find(stage, place.site);
    if (!from || !to || to->shape.size() < 2)
        return linked;
    const MatrixAxes source = matrix_axes(*from, place.rows_are_keys),
                     target = matrix_axes(*to, rows_are_keys);
    const auto counterpart = [&](Axis axis) -> std::optional<Index> {
        if ((axis == Axis::feature || axis == Axis::attention) && !share_features(place, linked))
            return std::nullopt;
        if (axis == source.rows && place.row)
            return place.row;
        return axis == source.columns ? place.column : std::nullopt;
    };
    linked.row = within(counterpart(target.rows), to->shape[to->shape.size() - 2]);
    linked.column = within(counterpart(target.columns), to->shape.back());
    return linked;
}

bool is_of_pairs(const Stage& stage) {
    return stage.has_axis(Axis::query) && stage.has_axis(Axis::key) && stage.has_axis(Axis::attention);
}

Index recorded_row(const Stage& stage, Index row, Index query) {
    if (!is_of_pairs(stage))
        return row;
    return std::clamp<Index>(query, 0, stage.extent(Axis::query) - 1) * stage.extent(Axis::key) + row;
}

std::vector<double> large_numbers(const Trace& trace, const Stage& stage, Index head, const MapBlock& block) {
    std::vector<double> numbers(block.size());
    try {
        read_block(trace, stage, head, block, numbers);
    } catch (...) {  // also of a block that does not fit into memory
        std::ranges::fill(numbers, std::numeric_limits<double>::quiet_NaN());
    }
    return numbers;
}

std::optional<double> number_at(const Trace& trace, const CellPlace& place, const Selection& selection) {
    const Stage* stage = trace.find(place.stage, place.site);
    if (!stage || !place.is_cell())
        return std::nullopt;
    if (stage->is_large()) {
        const bool is_there = *place.row >= 0 && *place.row < stage->extent(Axis::query) &&
                              *place.column >= 0 && *place.column < stage->extent(Axis::key);
        return is_there ? std::optional(
                              large_numbers(trace, *stage, place.head, {*place.row, 1, *place.column, 1})[0])
                        : std::nullopt;
    }
    const auto matrix = trace.matrix(*stage, place.head);
    const Index at = recorded_row(*stage, *place.row, selection.query) * stage->shape.back() + *place.column;
    return at >= 0 && at < static_cast<Index>(matrix.size())
               ? std::optional(matrix[static_cast<std::size_t>(at)])
               : std::nullopt;
}

std::optional<std::vector<double>> drawn_weights(const Trace& trace, const CellPlace& place,
                                                 const WeightLens& lens) {
    const Stage* stage = trace.find(place.stage, place.site);
    const bool is_weight = stage && is_weight_stage(place.stage) && matrix_axes(*stage) == MatrixAxes();
    if (lens == WeightLens() || !is_weight || !(place.row || place.column) || is_sparse(trace, *stage))
        return std::nullopt;
    const Index keys = stage->extent(Axis::key);
    try {
        const DisplayedWeights seen(trace, place.site, lens);
        const Storage<const double> rows = place.row ? seen.rows(*stage, place.head, *place.row, 1).weights
                                                     : seen.map(*stage, place.head).weights;
        if (!place.column)
            return rows.copy();
        std::vector<double> column;
        for (auto at = static_cast<std::size_t>(*place.column); at < rows.size();
             at += static_cast<std::size_t>(keys))
            column.push_back(rows[at]);
        return column;
    } catch (...) {  // lazy rows that cannot be read or do not fit into memory, norms of what has no values
        return std::nullopt;
    }
}

std::optional<double> drawn_weight(const Trace& trace, const CellPlace& place, const WeightLens& lens) {
    const auto drawn = place.is_cell() ? drawn_weights(trace, place, lens) : std::nullopt;
    return drawn && !std::isnan(drawn->front()) ? std::optional(drawn->front()) : std::nullopt;
}

std::string index_label(const TokenLabels& tokens, Axis axis, Index index) {
    const auto at = static_cast<std::size_t>(index);
    const bool names_keys = axis == Axis::key && !tokens.key.empty();
    const std::vector<std::string>& labels = names_keys ? tokens.key : tokens.query;
    if ((axis == Axis::query || axis == Axis::key) && at < labels.size())
        return visible_token(labels[at]);
    return std::to_string(index + 1);
}

}  // namespace headlight

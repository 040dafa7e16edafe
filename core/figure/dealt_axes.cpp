#include "core/figure/dealt_axes.h"

#include "core/figure/words.h"
#include "core/tensor/visible_text.h"

#include <algorithm>

namespace headlight {
namespace {

std::optional<std::size_t> axis_named(const Stage& stage, std::string_view name) {
    for (std::size_t axis = 0; axis < stage.axes.size(); ++axis)
        if (to_string(stage.axes[axis]) == name)
            return axis;
    return std::nullopt;
}

/// In elements, from one place along the axis to the next.
Index stride_of(const Stage& stage, std::optional<std::size_t> axis) {
    Index stride = 1;
    for (std::size_t later = axis ? *axis + 1 : stage.shape.size(); later < stage.shape.size(); ++later)
        stride *= stage.shape[later];
    return stride;
}

Index extent_of(const Stage& stage, std::optional<std::size_t> axis) { return axis ? stage.shape[*axis] : 1; }

}  // namespace

DealtStage deal(const Stage& stage, const DealtAxes& asked) {
    DealtStage dealt;
    dealt.rows = axis_named(stage, asked.rows);
    dealt.columns = axis_named(stage, asked.columns);
    if (dealt.rows == dealt.columns)
        dealt.columns.reset();
    // From behind, the axes that nobody asked for.
    for (std::size_t axis = stage.axes.size(); axis-- > 0;) {
        if (dealt.rows == axis || dealt.columns == axis)
            continue;
        if (!dealt.columns)
            dealt.columns = axis;
        else if (!dealt.rows)
            dealt.rows = axis;
        else
            dealt.held.insert(dealt.held.begin(), axis);
    }
    // A stage of one axis is a column of numbers, as everywhere.
    if (!dealt.rows)
        std::swap(dealt.rows, dealt.columns);
    return dealt;
}

Index& place_along(Axis axis, Selection& selection) {
    switch (axis) {
    case Axis::head:
        return selection.head;
    case Axis::query:
        return selection.query;
    case Axis::key:
        return selection.key;
    case Axis::feature:
    case Axis::attention:
        break;
    }
    return selection.feature;
}

Index held_at(const Stage& stage, std::size_t axis, const Selection& selection) {
    Selection selected = selection;
    return std::clamp<Index>(place_along(stage.axes[axis], selected), 0,
                             std::max<Index>(1, stage.shape[axis]) - 1);
}

Storage<const double> dealt_matrix(std::span<const double> numbers, const Stage& stage,
                                   const DealtStage& dealt, const Selection& selection) {
    Index origin = 0;
    for (const std::size_t axis : dealt.held)
        origin += held_at(stage, axis, selection) * stride_of(stage, axis);
    const Index rows = extent_of(stage, dealt.rows), columns = extent_of(stage, dealt.columns);
    const Index down = stride_of(stage, dealt.rows), across = stride_of(stage, dealt.columns);
    std::vector<double> matrix;
    matrix.reserve(static_cast<std::size_t>(rows * columns));
    for (Index row = 0; row < rows; ++row)
        for (Index column = 0; column < columns; ++column)
            matrix.push_back(numbers[static_cast<std::size_t>(origin + row * down + column * across)]);
    return matrix;
}

std::string stage_axis_title(const Trace& trace, const Stage& stage, std::size_t axis, bool with_hint) {
    const MatrixSide side = axis + 1 == stage.axes.size() ? MatrixSide::columns : MatrixSide::rows;
    return axis_title(trace, stage.name, stage.site, stage.axes[axis], side, with_hint);
}

std::string held_in_words(const Trace& trace, const Stage& stage, std::size_t axis,
                          const Selection& selection) {
    const Index at = held_at(stage, axis, selection), extent = stage.shape[axis];
    const std::vector<std::string> labels =
        axis_labels(trace.tokens_at(stage.site), stage.axes[axis], extent);
    const std::string name = stage_axis_title(trace, stage, axis, false);
    return labels.empty() ? name + " " + std::to_string(at + 1) + " of " + std::to_string(extent)
                          : name + " " + in_quotes(labels[static_cast<std::size_t>(at)]);
}

}  // namespace headlight

#include "core/figure/unanswered_figure.h"

#include "core/figure/notes.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace headlight {
namespace {

/// Leaves the first `count` tokens of a text.
void shorten_text(Panel& panel, Index count) {
    if (count >= panel.columns)
        return;
    std::vector<double> values;
    for (Index row = 0; row < panel.rows; ++row)
        for (Index column = 0; column < count; ++column)
            values.push_back(panel.values[static_cast<std::size_t>(row * panel.columns + column)]);
    panel.values = std::move(values);
    panel.columns = count;
    AxisLabels& axis = panel.column_axis;
    const auto kept = static_cast<std::size_t>(count);
    axis.labels.resize(std::min(axis.labels.size(), kept));
    axis.marked.resize(std::min(axis.marked.size(), kept));
    axis.hidden.resize(std::min(axis.hidden.size(), kept));
    for (std::optional<Index>* selected : {&panel.selected_row, &panel.selected_column})
        if (*selected)
            *selected = std::min(**selected, count - 1);
}

/// The rows keep their places, without lines and names.
void empty_rows_behind(Panel& panel, Index newest) {
    std::vector<double> values = panel.values.copy();
    std::fill(values.begin() + static_cast<std::ptrdiff_t>((newest + 1) * panel.columns), values.end(),
              std::numeric_limits<double>::quiet_NaN());
    panel.values = std::move(values);
    panel.row_axis.hidden.resize(static_cast<std::size_t>(panel.rows), false);
    std::fill(panel.row_axis.hidden.begin() + static_cast<std::ptrdiff_t>(newest + 1),
              panel.row_axis.hidden.end(), true);
}

}  // namespace

Figure unanswered_figure(Figure figure, std::span<const std::string> written, std::optional<Index> newest) {
    for (Panel& panel : figure.panels) {
        const bool is_text = panel.kind == Panel::Kind::text;
        if (is_text) {
            panel.title = "Hidden until you answer.";
            panel.subtitle.clear();
        }
        const AxisLabels& axis = is_text ? panel.column_axis : panel.row_axis;
        const Index count = is_text ? panel.columns : panel.rows;
        if (!newest || panel.large || panel.newest_row || *newest + 1 >= count ||
            !std::ranges::equal(axis.labels, written))
            continue;
        if (is_text)
            shorten_text(panel, *newest + 1);
        else if (panel.kind == Panel::Kind::lines)
            empty_rows_behind(panel, *newest);
        else if (panel.kind == Panel::Kind::heatmap)
            panel.newest_row = *newest;
    }
    figure.description = figure_description(figure);
    return figure;
}

}  // namespace headlight

#include "core/figure/unanswered_figure.h"

#include "core/figure/notes.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

namespace headlight {
namespace {

constexpr const char* hidden_until_answered = "Hidden until you answer.";

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

/// What flows where is as much of an answer as the numbers themselves: the parts stay, without the arrows of
/// weights, what is said, and the tokens of decoding steps behind `newest`.
void hide_weights(Panel& panel, std::optional<Index> newest) {
    Flow flow = *panel.flow;
    std::erase_if(flow.edges, [](const Flow::Edge& edge) { return edge.weight.has_value(); });
    for (std::size_t at = 0; at < flow.nodes.size(); ++at) {
        Flow::Node& node = flow.nodes[at];
        const bool is_token = node.kind == Flow::Node::Kind::word || node.kind == Flow::Node::Kind::mark;
        if (is_token)
            node.number = std::numeric_limits<double>::quiet_NaN();
        if (node.is_answer || (is_token && newest && node.place.query.value_or(0) > *newest)) {
            node.title = node.is_answer ? "?" : "";
            node.shape.clear();
            node.words.clear();
            node.meaning.clear();
            node.is_named = node.is_answer;
        }
        if (at < panel.row_axis.labels.size())
            panel.row_axis.labels[at] = node.title;
    }
    flow.words = hidden_until_answered;
    panel.subtitle.clear();
    std::vector<double> values;
    for (const Flow::Node& node : flow.nodes)
        values.push_back(node.number);
    panel.values = std::move(values);
    panel.flow = std::make_shared<const Flow>(std::move(flow));
}

}  // namespace

Figure unanswered_figure(Figure figure, std::span<const std::string> written, std::optional<Index> newest) {
    for (Panel& panel : figure.panels) {
        if (panel.flow) {
            hide_weights(panel, newest);
            continue;
        }
        const bool is_text = panel.kind == Panel::Kind::text;
        if (is_text) {
            panel.title = hidden_until_answered;
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

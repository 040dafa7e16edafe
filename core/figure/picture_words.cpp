#include "core/figure/picture_words.h"

#include "core/attention/arithmetic_text.h"
#include "core/figure/cell_codes.h"
#include "core/figure/panel_numbers.h"
#include "core/tensor/visible_text.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string_view>

namespace headlight {
namespace {

constexpr std::size_t most_in_a_row = 3;  // numbers

/// "“noir”", or "query 3" where there are numbers alone.
std::string label_of_line(const AxisLabels& axis, Index at, std::string_view side) {
    if (at < std::ssize(axis.labels))
        return in_quotes(axis_label(axis, at));
    const std::string& title = own_title(axis);
    return (title.empty() ? std::string(side) : title) + ' ' + std::to_string(label_number(axis, at));
}

void add_lines(std::vector<std::string>& lines, const std::string& text) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(std::move(line));
}

void add_flow(std::vector<std::string>& lines, const Flow& flow) {
    for (Index node = 0; node < std::ssize(flow.nodes); ++node)
        if (!flow_node(flow, node).title.empty())
            lines.push_back("Part: " + node_in_words(flow, node));
    for (const Flow::Edge& edge : flow.edges) {
        const std::string &from = flow_node(flow, edge.from).title, &to = flow_node(flow, edge.to).title;
        if (from.empty() || to.empty())
            continue;
        std::string line = "Arrow: from " + from + " to " + to;
        if (edge.weight)
            line += ", " + format_number(*edge.weight, 3);
        lines.push_back(std::move(line));
    }
}

std::string row_of_matrix(const Panel& panel, Index row) {
    std::vector<Index> columns;
    Index forbidden = 0;
    const auto number = [&](Index column) {
        return panel.values[static_cast<std::size_t>(row * panel.columns + column)];
    };
    for (Index column = 0; column < panel.columns; ++column) {
        if (is_forbidden(panel, row, column))
            ++forbidden;
        else if (!std::isnan(number(column)))
            columns.push_back(column);
    }
    std::ranges::stable_sort(columns, std::ranges::greater(), number);
    std::string line = "Row " + label_of_line(panel.row_axis, row, "row") + ": ";
    if (columns.empty())
        return line + (forbidden > 0 ? "all forbidden" : "no numbers");
    for (std::size_t at = 0; at < std::min(columns.size(), most_in_a_row); ++at)
        line += (at == 0 ? "" : ", ") + label_of_line(panel.column_axis, columns[at], "column") + ' ' +
                format_number(number(columns[at]), 3);
    if (columns.size() > most_in_a_row)
        line += ", " + std::to_string(columns.size() - most_in_a_row) + " more";
    if (forbidden > 0)
        line += "; " + std::to_string(forbidden) + " forbidden";
    return line;
}

bool has_rows_in_words(const Panel& panel) {
    return panel.kind == Panel::Kind::heatmap && !panel.large && !panel.overlay &&
           panel.rows <= most_rows_in_words && std::ssize(panel.values) == panel.rows * panel.columns;
}

}  // namespace

std::vector<std::string> picture_in_words(const Figure& figure) {
    std::vector<std::string> lines;
    add_lines(lines, figure.description);
    const auto is_shown = [](const Panel& panel) {
        return !panel.thumbnail && !panel.blank && (panel.flow || has_rows_in_words(panel));
    };
    const bool are_several = std::ranges::count_if(figure.panels, is_shown) > 1;
    for (const Panel& panel : figure.panels) {
        if (!is_shown(panel))
            continue;
        if (are_several && !own_title(panel).empty())
            lines.push_back(own_title(panel) + ':');
        if (panel.flow)
            add_flow(lines, *panel.flow);
        else
            for (Index row = 0; row < drawn_rows(panel); ++row)
                lines.push_back(row_of_matrix(panel, row));
    }
    return lines;
}

std::vector<std::string> motion_in_words(const Motion& motion) {
    std::vector<std::string> stages;
    const auto add = [&](double moment) {
        std::string words = motion.at(moment).words;
        if (!words.empty() && (stages.empty() || stages.back() != words))
            stages.push_back(std::move(words));
    };
    add(0);
    if (motion.is_empty())
        return stages;
    for (double moment = 0; moment < 1;) {
        const double next = motion.stop_after(moment);
        if (next <= moment)
            break;
        add(moment = next);
    }
    return stages;
}

}  // namespace headlight

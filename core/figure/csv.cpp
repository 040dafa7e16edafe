#include "core/tensor/csv.h"
#include "core/figure/build_figure.h"
#include "core/tensor/error.h"

namespace headlight {

namespace {

std::string label(const AxisLabels& axis, Index at) {
    const auto i = static_cast<std::size_t>(at);
    return i < axis.labels.size() ? axis.labels[i] : std::to_string(at + 1);
}

void append(std::string& csv, const Panel& panel) {
    if (panel.large)
        throw Error({"write CSV", panel.title, "a map of which all numbers are drawn",
                     std::to_string(panel.rows) + " × " + std::to_string(panel.columns) + " of them"});
    csv += panel.is_implied ? "implied weights" : "";
    for (Index column = 0; column < panel.columns; ++column)
        (csv += ',') += csv_field(label(panel.column_axis, column));
    csv += "\r\n";
    for (Index row = 0; row < panel.rows; ++row) {
        csv += csv_field(label(panel.row_axis, row));
        for (Index column = 0; column < panel.columns; ++column)
            (csv += ',') += csv_number(panel.values[static_cast<std::size_t>(row * panel.columns + column)]);
        csv += "\r\n";
    }
}

}  // namespace

std::string to_csv(const Figure& figure) {
    std::string csv;
    std::size_t shown = 0;
    const auto is_shown = [&](const Panel& panel) {
        // Of heads the table has every number, by their names.
        const bool is_in_table = panel.marks && !figure.table.names.empty();
        return !panel.thumbnail && !panel.blank && !is_in_table;
    };
    for (const Panel& panel : figure.panels)
        shown += is_shown(panel);
    for (const Panel& panel : figure.panels) {
        if (!is_shown(panel))
            continue;
        if (!csv.empty())
            csv += "\r\n";
        if (shown > 1)
            csv += csv_field(panel.title) + "\r\n";
        append(csv, panel);
    }
    if (!figure.table.titles.empty()) {
        csv += csv.empty() ? "" : "\r\n";
        for (const std::vector<std::string>& line : lines_of(figure.table)) {
            for (std::size_t i = 0; i < line.size(); ++i)
                (csv += i > 0 ? "," : "") += csv_field(line[i]);
            csv += "\r\n";
        }
    }
    return csv;
}

std::vector<std::vector<std::string>> lines_of(const NumberTable& table) {
    std::vector<std::vector<std::string>> lines{table.titles};
    auto number = table.numbers.begin();
    for (const std::string& name : table.names) {
        lines.push_back({name});
        for (std::size_t column = 0; column < table.columns(); ++column, ++number)
            lines.back().push_back(*number ? csv_number(**number) : "");
    }
    return lines;
}

}  // namespace headlight

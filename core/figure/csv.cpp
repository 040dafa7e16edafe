#include "core/tensor/csv.h"
#include "core/figure/build_figure.h"
#include "core/figure/panel_numbers.h"

namespace headlight {

namespace {

void append_lines(std::string& csv, const std::vector<std::vector<std::string>>& lines) {
    for (const std::vector<std::string>& line : lines) {
        for (std::size_t i = 0; i < line.size(); ++i)
            (csv += i > 0 ? "," : "") += csv_field(line[i]);
        csv += "\r\n";
    }
}

void append(std::string& csv, const Panel& panel) {
    if (panel.flow) {
        append_lines(csv, lines_of(*panel.flow));
        return;
    }
    const std::vector<std::string> rows = labels_without_spaces(panel.row_axis, panel.rows),
                                   columns = labels_without_spaces(panel.column_axis, panel.columns);
    csv += panel.is_implied ? "implied weights" : "";
    for (const std::string& column : columns)
        (csv += ',') += csv_field(column);
    csv += "\r\n";
    for (Index row = 0; row < panel.rows; ++row) {
        csv += csv_field(rows[static_cast<std::size_t>(row)]);
        for (Index column = 0; column < panel.columns; ++column)
            (csv += ',') += csv_number(panel.values[static_cast<std::size_t>(row * panel.columns + column)]);
        csv += "\r\n";
    }
}

}  // namespace

std::string to_csv(const Figure& figure) {
    std::string csv;
    const std::vector<const Panel*> panels = panels_with_numbers(figure, "write CSV");
    for (const Panel* panel : panels) {
        if (!csv.empty())
            csv += "\r\n";
        if (panels.size() > 1)
            csv += csv_field(own_title(*panel)) + "\r\n";
        append(csv, *panel);
    }
    if (!figure.table.titles.empty()) {
        csv += csv.empty() ? "" : "\r\n";
        append_lines(csv, lines_of(figure.table));
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

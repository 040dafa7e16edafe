#include "core/figure/markdown.h"

#include "core/figure/build_figure.h"
#include "core/figure/cell_codes.h"
#include "core/figure/panel_numbers.h"

#include <cmath>
#include <string_view>

namespace headlight {
namespace {

/// A text that means nothing but itself (CommonMark 0.30, 2.4), on one line. GitHub makes links of what looks
/// like an address.
std::string markdown_text(const std::string& text) {
    constexpr std::string_view meaningful = "\\`*_[]<>|~&$:@";
    std::string escaped;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        const bool is_in_address = c == '.' && at >= 3 && text.compare(at - 3, 3, "www") == 0;
        if (meaningful.find(c) != std::string_view::npos || is_in_address)
            escaped += '\\';
        const bool is_control = static_cast<unsigned char>(c) < ' ' || c == '\x7f';
        escaped += is_control ? ' ' : c;
    }
    return escaped;
}

void append_row(std::string& markdown, const std::vector<std::string>& cells) {
    for (const std::string& cell : cells)
        ((markdown += "| ") += cell) += cell.empty() ? "" : " ";
    markdown += "|\n";
}

/// Names stand on the left, numbers on the right.
void append_rule(std::string& markdown, std::size_t numbers) {
    markdown += "|---|";
    for (std::size_t i = 0; i < numbers; ++i)
        markdown += "---:|";
    markdown += '\n';
}

void append_panel(std::string& markdown, const Panel& panel, int decimals) {
    std::vector<std::string> line{panel.is_implied ? "implied weights" : ""};
    for (Index column = 0; column < panel.columns; ++column)
        line.push_back(markdown_text(axis_label(panel.column_axis, column)));
    append_row(markdown, line);
    append_rule(markdown, static_cast<std::size_t>(panel.columns));
    for (Index row = 0; row < panel.rows; ++row) {
        line.assign({markdown_text(axis_label(panel.row_axis, row))});
        for (Index column = 0; column < panel.columns; ++column) {
            const double value = panel.values[static_cast<std::size_t>(row * panel.columns + column)];
            const bool is_empty = std::isnan(value) || is_forbidden(panel, row, column);
            line.push_back(is_empty ? "" : cell_text(value, decimals));
        }
        append_row(markdown, line);
    }
}

/// Lines below one of titles, the last columns of numbers.
void append_table(std::string& markdown, std::vector<std::vector<std::string>> lines, std::size_t numbers) {
    bool is_head = true;
    for (std::vector<std::string>& line : lines) {
        for (std::string& cell : line)
            cell = markdown_text(cell);
        append_row(markdown, line);
        if (is_head)
            append_rule(markdown, numbers);
        is_head = false;
    }
}

}  // namespace

std::string to_markdown(const Figure& figure, std::span<const int> decimals) {
    std::string markdown;
    const std::vector<const Panel*> panels = panels_with_numbers(figure, "write Markdown");
    for (const Panel* panel : panels) {
        markdown += markdown.empty() ? "" : "\n";
        if (panels.size() > 1 && !own_title(*panel).empty())
            markdown += "**" + markdown_text(own_title(*panel)) + "**\n\n";
        if (panel->flow) {
            std::vector<std::vector<std::string>> lines = lines_of(*panel->flow);
            const std::size_t columns = lines.front().size() - 1;
            append_table(markdown, std::move(lines), columns);
            continue;
        }
        append_panel(markdown, *panel, decimals[static_cast<std::size_t>(panel - figure.panels.data())]);
    }
    if (!figure.table.titles.empty()) {
        markdown += markdown.empty() ? "" : "\n";
        append_table(markdown, lines_of(figure.table), figure.table.columns());
    }
    return markdown;
}

}  // namespace headlight

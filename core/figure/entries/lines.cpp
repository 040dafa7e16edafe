#include "core/figure/declarations.h"
#include "core/figure/line_selection.h"
#include "core/figure/panel_part.h"
#include "core/figure/token_page.h"
#include "core/figure/view_titles.h"
#include "core/figure/words.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace headlight {
namespace {

/// As many tokens as are told apart as ends of lines, and as few rows as are read while somebody waits.
constexpr Index most_line_rows = 32, most_line_columns = 64;

/// What a person chose of an axis, at most so many; nothing where that is not there.
std::optional<AxisSlice> chosen_slice(const std::optional<AxisSlice>& chosen, Index extent, Index most) {
    if (!chosen || chosen->first >= extent)
        return std::nullopt;
    return AxisSlice{chosen->first, std::min({chosen->count, extent - chosen->first, most})};
}

/// The page of keys that rows [.., keys] look at most.
AxisSlice page_looked_at(std::span<const double> rows, Index keys) {
    std::vector<double> sums(static_cast<std::size_t>(parts_of_size(keys, most_line_columns)));
    for (std::size_t at = 0; at < rows.size(); ++at)
        if (std::isfinite(rows[at]))
            sums[at % static_cast<std::size_t>(keys) / most_line_columns] += std::abs(rows[at]);
    return page_of((std::ranges::max_element(sums) - sums.begin()) * most_line_columns, keys,
                   most_line_columns);
}

/// The weights of a row to keys that are not among those columns: no line ends there.
HiddenLines lines_outside(std::span<const double> row, const AxisSlice& columns) {
    HiddenLines outside;
    for (std::size_t key = 0; key < row.size(); ++key) {
        const auto at = static_cast<Index>(key);
        if (!std::isfinite(row[key]) || row[key] == 0 ||
            (at >= columns.first && at < columns.first + columns.count))
            continue;
        ++outside.count;
        outside.hidden_sum += std::abs(row[key]);
    }
    outside.sum = outside.hidden_sum;
    return outside;
}

/// Takes some rows and columns of a map that is too large to be drawn whole, with their numbers: those that a
/// person chose, else the page of the selected query and the keys that it looks at most. What the rows give
/// to other keys is counted as lines that are not drawn.
void take_page(const PanelMaker& maker, const std::string& stage, Index head, Panel& panel) {
    const FigureOptions& options = maker.settings().options;
    const Index of_rows = panel.rows, of_columns = panel.columns;
    const AxisSlice rows = chosen_slice(options.rows, of_rows, most_line_rows)
                               .value_or(page_of(maker.query(), of_rows, most_line_rows));
    const DisplayedWeights::Rows read = maker.rows(stage, head, rows.first, rows.count);
    const std::span<const double> all(read.weights.data(), read.weights.size());
    const AxisSlice columns = chosen_slice(options.columns, of_columns, most_line_columns)
                                  .value_or(page_looked_at(all, of_columns));
    panel = part_of(std::move(panel), rows, columns);
    panel.of_rows = of_rows;
    panel.of_columns = of_columns;
    std::vector<double> numbers;
    for (Index row = 0; row < rows.count; ++row) {
        const auto of_row =
            all.subspan(static_cast<std::size_t>(row * of_columns), static_cast<std::size_t>(of_columns));
        panel.hidden_lines += lines_outside(of_row, columns);
        const auto begin = of_row.begin() + columns.first;
        numbers.insert(numbers.end(), begin, begin + columns.count);
    }
    panel.values = std::move(numbers);
    panel.hidden_mass = read.hidden_mass;
    panel.large.reset();
    const auto in_words = [](const char* what, const AxisSlice& part, Index extent) {
        return std::string(what) + ' ' + std::to_string(part.first + 1) + " to " +
               std::to_string(part.first + part.count) + " of " + std::to_string(extent);
    };
    panel.subtitle =
        join({panel.subtitle, in_words("queries", rows, of_rows),
              in_words("keys", columns, of_columns) + (options.columns ? "" : ", which they look at most")},
             "; ");
}

Panel lines_of_head(const PanelMaker& maker, const std::string& stage, Index head) {
    Panel panel = head_panel(maker, stage, head);
    if (panel.large)
        take_page(maker, stage, head, panel);
    panel.kind = Panel::Kind::lines;
    panel.row_axis.title = axis_title(stage, Axis::query, false);
    panel.column_axis.title =
        axis_title(maker.trace(), stage, panel.site, maker.is_query_by_key(stage) ? Axis::key : Axis::feature,
                   MatrixSide::columns, false);
    panel.row_sums.clear();
    keep_chosen_lines(panel, maker.settings().options.lines);
    return panel;
}

/// One place and one title for all; the keyboard is in the selected head, or in the first.
void lay_over_one_another(std::vector<Panel>& panels, const std::string& title, Index selected) {
    const bool has_selected = std::ranges::count(panels, selected, &Panel::head) > 0;
    for (Panel& panel : panels) {
        panel.lies_over = &panel != panels.data();
        panel.head_title = std::exchange(panel.title, title);
        panel.in_focus = has_selected ? panel.head == selected : !panel.lies_over;
    }
}

void build_lines(const PanelMaker& maker, const PatchedPicture&, Figure& figure) {
    const std::string stage = map_stage(maker);
    const std::vector<Index> heads = maker.chosen_heads(stage);
    figure.of_heads = maker.heads_of(stage);
    for (const Index head : heads)
        figure.panels.push_back(lines_of_head(maker, stage, head));
    if (heads.size() > 1)
        lay_over_one_another(figure.panels,
                             maker.title(stage) + ", heads " + head_numbers(heads) + " of " +
                                 std::to_string(figure.of_heads),
                             maker.head_in(stage));
}

}  // namespace

View declare_view_lines() {
    View view{ViewKind::lines};
    view.order = 5;
    view.title = "Lines";
    view.shows = "Queries on the left, keys on the right, weights as lines between them";
    view.overlays_heads = true;
    view.draws_pages = true;
    view.build = build_lines;
    return view;
}

}  // namespace headlight

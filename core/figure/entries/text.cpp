#include "core/figure/declarations.h"
#include "core/figure/fitted_scale.h"
#include "core/figure/panel_part.h"
#include "core/figure/ticks.h"
#include "core/figure/token_page.h"
#include "core/figure/view_titles.h"
#include "core/figure/words.h"
#include "core/tensor/visible_text.h"

#include <algorithm>
#include <limits>

namespace headlight {
namespace {

constexpr Index most_page_tokens = 2'048;  // on a page of a text
constexpr double no_weight = std::numeric_limits<double>::quiet_NaN();

std::string named(const AxisLabels& axis, Index at, const char* otherwise) {
    return at < std::ssize(axis.labels) ? in_quotes(axis.labels[static_cast<std::size_t>(at)])
                                        : otherwise + std::to_string(label_number(axis, at));
}

/// "most at “cat”, 0.31"
std::string most(const std::string& words, const std::vector<double>& weights, const AxisLabels& axis) {
    const auto largest =
        std::ranges::max_element(weights, [](double a, double b) { return !(a >= b) && b == b; });
    if (largest == weights.end() || *largest != *largest)
        return {};
    return words + named(axis, largest - weights.begin(), "token ") + ", " + format_fixed(*largest, 2);
}

/// A text whose tokens `looks` at and `seen` by; either may be empty.
Panel text_panel(const Panel& map, const AxisLabels& tokens, const std::vector<double>& looks,
                 const std::vector<double>& seen) {
    const std::size_t count = std::max(looks.size(), seen.size());
    Panel panel;
    panel.kind = Panel::Kind::text;
    panel.site = map.site;
    panel.stage = map.stage;
    panel.head = map.head;
    panel.in_focus = true;
    panel.rows = 2;
    panel.columns = static_cast<Index>(count);
    panel.row_axis.labels = {"looks at", "is looked at by"};
    panel.column_axis = tokens;
    std::vector<double> values(2 * count, no_weight);
    std::ranges::copy(looks, values.begin());
    std::ranges::copy(seen, values.begin() + static_cast<std::ptrdiff_t>(count));
    panel.values = std::move(values);
    return panel;
}

/// Builds, for a map that is too large to be drawn whole, the page of keys that the selected query's
/// strongest weight is on, or the selected token where both axes are one text. The row alone is read: what
/// looks at a token is in as many rows as there are tokens.
void build_page(const PanelMaker& maker, const std::string& stage, const Panel& map, Figure& figure) {
    const Index query = std::clamp<Index>(maker.query(), 0, map.rows - 1);
    const DisplayedWeights::Rows row = maker.rows(stage, maker.head_in(stage), query, 1);
    const std::vector<double> looks = row.weights.copy();
    const bool is_one_text = map.rows == map.columns && map.row_axis.labels == map.column_axis.labels;
    const AxisSlice page =
        page_of(is_one_text ? query : maker.settings().selection.key, map.columns, most_page_tokens);
    const Panel part = part_of(map, {0, map.rows}, page);
    NumberRange range;
    for (const double weight : looks)
        range.include(weight);
    Panel panel = text_panel(
        part, part.column_axis,
        std::vector<double>(looks.begin() + page.first, looks.begin() + page.first + page.count), {});
    panel.title = most(named(map.row_axis, query, "query ") + " looks most at ", looks, map.column_axis);
    panel.subtitle =
        page_in_words("Tokens", page, map.columns) + "; who looks at it is not drawn of so many tokens";
    if (is_one_text && query >= page.first && query < page.first + page.count)
        panel.selected_row = query - page.first;
    panel.hidden_mass = row.hidden_mass;
    panel.pooled_heads = map.pooled_heads;
    panel.pooled_layers = map.pooled_layers;
    panel.scale.map = maker.settings().colour_map;
    panel.scale.low = 0;
    panel.scale.high = range.empty() || range.high <= 0 ? 1 : range.high;
    figure.panels = {std::move(panel)};
    figure.show_colour_bar = false;
    figure.title = join({figure.title, in_a_sentence(map.title, map.stage)}, ": ");
}

void build_text(const PanelMaker& maker, const PatchedPicture&, Figure& figure) {
    const std::string stage = map_stage(maker);
    const Panel map = head_panel(maker, stage);
    if (map.large)
        return build_page(maker, stage, map, figure);
    const Index query = std::clamp<Index>(maker.query(), 0, map.rows - 1),
                key = std::clamp<Index>(maker.settings().selection.key, 0, map.columns - 1);
    const bool is_one_text = map.rows == map.columns && map.row_axis.labels == map.column_axis.labels;
    const Index seen_key = is_one_text ? query : key;
    std::vector<double> looks, seen;
    for (Index column = 0; column < map.columns; ++column)
        looks.push_back(map.values[static_cast<std::size_t>(query * map.columns + column)]);
    for (Index row = 0; row < map.rows; ++row)
        seen.push_back(map.values[static_cast<std::size_t>(row * map.columns + seen_key)]);
    NumberRange range;
    for (const auto* weights : {&looks, &seen})
        for (const double weight : *weights)
            range.include(weight);

    const std::string looking = named(map.row_axis, query, "query "),
                      looked_at = named(map.column_axis, seen_key, "key ");
    const std::string at = most(looking + " looks most at ", looks, map.column_axis),
                      by = most(looked_at + " is looked at most by ", seen, map.row_axis);
    if (is_one_text) {
        figure.panels = {text_panel(map, map.column_axis, looks, seen)};
        figure.panels.back().title = at;
        figure.panels.back().subtitle = by;
    } else {
        figure.panels = {text_panel(map, map.row_axis, {}, seen),
                         text_panel(map, map.column_axis, looks, {})};
        figure.panels.front().title = by;
        figure.panels.back().title = at;
    }
    figure.panels.front().selected_row = query;
    figure.panels.back().selected_column = seen_key;
    for (Panel& panel : figure.panels) {
        panel.hidden_mass = map.hidden_mass;
        panel.pooled_heads = map.pooled_heads;
        panel.pooled_layers = map.pooled_layers;
        panel.scale.map = maker.settings().colour_map;
        panel.scale.low = 0;
        panel.scale.high = range.empty() || range.high <= 0 ? 1 : range.high;
    }
    figure.show_colour_bar = false;
    figure.title = join({figure.title, in_a_sentence(map.title, map.stage)}, ": ");
}

}  // namespace

View declare_view_text() {
    View view{ViewKind::text};
    view.order = 11;
    view.title = "Text";
    view.shows = "The text itself: shaded, what the chosen token looks at; underlined, who looks at it";
    view.draws_pages = true;
    view.build = build_text;
    return view;
}

}  // namespace headlight

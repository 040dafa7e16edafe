#include "core/figure/declarations.h"
#include "core/figure/fitted_scale.h"
#include "core/figure/grid_columns.h"
#include "core/figure/head_places.h"
#include "core/figure/panel_maker.h"
#include "core/figure/site_words.h"
#include "core/figure/view_titles.h"
#include "core/figure/words.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <limits>

namespace headlight {
namespace {

/// One statistic of every head: layers below one another, heads beside one another.
Panel panel_of(const std::vector<HeadRow>& table, std::size_t statistic, const HeadPlaces& places,
               const PanelMaker& maker) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    Panel panel;
    panel.title = title_with_unit(head_statistics()[statistic]);
    panel.stage = head_statistics()[statistic].title;
    panel.rows = places.rows();
    panel.columns = places.heads;
    std::vector<double> values(static_cast<std::size_t>(panel.rows * panel.columns), unknown);
    NumberRange range;
    for (const HeadRow& head : table)
        if (const auto& number = head.numbers[statistic]) {
            values[places.cell(head)] = *number;
            range.include(*number);
        }
    panel.values = std::move(values);
    panel.scale.map = maker.settings().colour_map;
    panel.scale = fitted_scale(panel.scale, range);
    const bool are_numbered = !heads_are_places(maker.overview());
    panel.column_axis.title = are_numbered ? "head" : "";
    for (Index head = 1; head <= places.heads; ++head)
        panel.column_axis.labels.push_back(std::to_string(head));
    if (!are_numbered)
        panel.column_axis.hidden.assign(panel.column_axis.labels.size(), true);
    const bool are_layers = has_layers(maker.trace());
    for (const std::string& site : places.sites)
        panel.row_axis.labels.push_back(site.empty() ? "1" : short_site_words(site, are_layers));
    panel.marks_gaps = true;
    panel.largest_cell = 5;
    panel.values_in_cells = maker.settings().values_in_cells;
    return panel;
}

void build_statistics(const PanelMaker& maker, const PatchedPicture&, Figure& figure) {
    maker.require_whole_rows("draw statistics");
    const std::vector<HeadRow>& table = maker.overview().heads;
    const HeadPlaces places(maker.overview());
    for (std::size_t statistic = 0; statistic < head_statistics().size(); ++statistic) {
        const bool is_known = std::ranges::any_of(
            table, [&](const HeadRow& head) { return head.numbers[statistic].has_value(); });
        if (is_known)
            figure.panels.push_back(panel_of(table, statistic, places, maker));
    }
    if (figure.panels.empty())
        throw Error({"draw statistics", "weights", "a row that looks at something, all of its weights known",
                     "none"});
    figure.title =
        join({trace_title(maker.trace()), "what each head looks at, the mean over its queries"}, ": ");
    figure.columns = grid_columns(std::ssize(figure.panels));
    figure.wrapped_rows = 1;
}

}  // namespace

View declare_view_statistics() {
    View view{ViewKind::statistics};
    view.order = 8;
    view.title = "Statistics";
    view.shows =
        "What each head looks at, in numbers: entropy, distance, and how much goes to the first, the "
        "previous or the next token, to repetitions and to delimiters";
    view.stages = View::Stages::weights;
    view.reads_every_head = true;
    view.plays = PlayMode::head;
    view.build = build_statistics;
    return view;
}

}  // namespace headlight

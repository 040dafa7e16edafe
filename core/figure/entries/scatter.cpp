#include "core/figure/declarations.h"
#include "core/figure/fitted_scale.h"
#include "core/figure/head_places.h"
#include "core/figure/panel_maker.h"
#include "core/figure/site_words.h"
#include "core/figure/view_titles.h"
#include "core/figure/words.h"
#include "core/map/site_name.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <array>

namespace headlight {
namespace {

const HeadStatistic& statistic(std::size_t place) { return head_statistics()[place]; }

/// The heads with what places and colours them.
struct Scattered {
    using Numbers = std::array<std::optional<double>, 3>;  ///< across, up, colour

    std::array<std::string, 3> titles;
    std::vector<HeadMarks::Head> heads;
    std::vector<Numbers> numbers;  ///< [head]
};

Scattered by_statistics(const PanelMaker& maker) {
    maker.require_whole_rows("draw heads by their statistics");
    const HeadOverview& overview = maker.overview();
    const HeadOrder &asked = maker.settings().heads, usual;
    const std::array places{find_statistic(asked.across).value_or(*find_statistic(usual.across)),
                            find_statistic(asked.up).value_or(*find_statistic(usual.up)),
                            find_statistic(asked.colour).value_or(*find_statistic(usual.colour))};
    Scattered all;
    all.heads = marks_of_heads(overview, has_layers(maker.trace()));
    all.numbers.resize(all.heads.size());
    for (std::size_t part = 0; part < places.size(); ++part) {
        all.titles[part] = title_with_unit(statistic(places[part]));
        for (std::size_t head = 0; head < all.heads.size(); ++head)
            all.numbers[head][part] = overview.number(head, places[part]);
    }
    return all;
}

Scattered by_metrics(const CountedHeads& counted, const ScatterAxes& asked) {
    const auto [across, up, colour] = shown_metrics(counted.metrics, asked);
    Scattered all;
    all.titles = {across, up, colour};
    std::array<std::size_t, 3> places{};
    std::ranges::transform(all.titles, places.begin(), [&](const std::string& metric) {
        return static_cast<std::size_t>(std::ranges::find(counted.metrics, metric) - counted.metrics.begin());
    });
    for (const CountedHeads::Head& head : counted.heads) {
        const std::string layer = std::to_string(head.layer + 1), number = std::to_string(head.head + 1);
        all.heads.push_back({site_of("", head.layer), head.head, "layer " + layer + ", head " + number,
                             layer + '.' + number});
        all.numbers.emplace_back();
        for (std::size_t part = 0; part < places.size(); ++part)
            all.numbers.back()[part] = head.numbers[places[part]];
    }
    return all;
}

void build_scatter(const PanelMaker& maker, const PatchedPicture&, Figure& figure) {
    const CountedHeads* counted = maker.trace().counted_heads.get();
    const bool has_metrics = counted && !counted->metrics.empty();
    Scattered all = has_metrics ? by_metrics(*counted, maker.settings().heads.metrics) : by_statistics(maker);
    const auto titled = [&](std::size_t part) {
        return has_metrics ? all.titles[part] : in_a_sentence(all.titles[part]);
    };
    const auto without_unit = [&](std::size_t part) {
        const std::string title = titled(part);
        return has_metrics ? title : title.substr(0, title.find(" ("));
    };

    auto marks = std::make_shared<HeadMarks>();
    Panel panel;
    panel.kind = Panel::Kind::points;
    panel.stage = "weights";
    panel.columns = 1;
    std::vector<double> colours;
    NumberRange range;
    figure.table.titles = {"head", all.titles[0], all.titles[1], all.titles[2]};
    for (std::size_t head = 0; head < all.heads.size(); ++head) {
        const auto& [x, y, colour] = all.numbers[head];
        if (!x || !y)
            continue;
        marks->heads.push_back(std::move(all.heads[head]));
        marks->x.push_back(*x);
        marks->y.push_back(*y);
        colours.push_back(colour.value_or(std::numeric_limits<double>::quiet_NaN()));
        range.include(colours.back());
        figure.table.names.push_back(marks->heads.back().name);
        figure.table.numbers.insert(figure.table.numbers.end(), {x, y, colour});
    }
    if ((has_metrics || maker.overview().has_statistics) && marks->heads.empty())
        throw Error(
            {"draw heads", "weights", "a head with " + without_unit(0) + " and " + without_unit(1), "none"});
    panel.rows = std::ssize(marks->heads);
    panel.values = std::move(colours);
    panel.scale.map = maker.settings().colour_map;
    panel.scale = fitted_scale(panel.scale, range);
    panel.column_axis.title = titled(0);
    panel.row_axis.title = titled(1);
    panel.marks = std::move(marks);
    figure.panels.push_back(std::move(panel));
    figure.title = has_metrics ? "The model’s heads, as its tree has counted them: a point is a head"
                               : join({trace_title(maker.trace()), "a point is a head"}, ": ");
    figure.bar_title = titled(2);
}

}  // namespace

View declare_view_scatter() {
    View view{ViewKind::scatter};
    view.order = 10;
    view.title = "Scatter";
    view.shows = "Every head as a point: any statistic against any other, coloured by a third";
    view.stages = View::Stages::weights;
    view.reads_every_head = true;
    view.plays = PlayMode::head;
    view.build = build_scatter;
    return view;
}

}  // namespace headlight

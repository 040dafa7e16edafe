#include "core/figure/declarations.h"
#include "core/figure/fitted_scale.h"
#include "core/figure/head_places.h"
#include "core/figure/panel_maker.h"
#include "core/figure/site_words.h"
#include "core/figure/view_titles.h"
#include "core/figure/words.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

const HeadStatistic& statistic(std::size_t place) { return head_statistics()[place]; }

void build_scatter(const PanelMaker& maker, const PatchedPicture&, Figure& figure) {
    maker.require_whole_rows("draw heads by their statistics");
    const HeadOverview& overview = maker.overview();
    const HeadOrder &asked = maker.settings().heads, usual;
    const std::size_t across = find_statistic(asked.across).value_or(*find_statistic(usual.across)),
                      up = find_statistic(asked.up).value_or(*find_statistic(usual.up)),
                      colour = find_statistic(asked.colour).value_or(*find_statistic(usual.colour));
    const bool are_layers = has_layers(maker.trace());

    auto marks = std::make_shared<HeadMarks>();
    Panel panel;
    panel.kind = Panel::Kind::points;
    panel.stage = "weights";
    panel.columns = 1;
    std::vector<double> colours;
    NumberRange range;
    figure.table.titles = {"head", std::string(statistic(across).title), std::string(statistic(up).title),
                           std::string(statistic(colour).title)};
    std::vector<HeadMarks::Head> named = marks_of_heads(overview, are_layers);
    for (std::size_t head = 0; head < overview.heads.size(); ++head) {
        const auto x = overview.number(head, across), y = overview.number(head, up);
        if (!x || !y)
            continue;
        const auto number = overview.number(head, colour);
        marks->heads.push_back(std::move(named[head]));
        marks->x.push_back(*x);
        marks->y.push_back(*y);
        colours.push_back(number.value_or(std::numeric_limits<double>::quiet_NaN()));
        range.include(colours.back());
        figure.table.names.push_back(marks->heads.back().name);
        figure.table.numbers.insert(figure.table.numbers.end(), {x, y, number});
    }
    if (overview.has_statistics && marks->heads.empty())
        throw Error({"draw heads", "weights",
                     "a head with " + in_a_sentence(std::string(statistic(across).title)) + " and " +
                         in_a_sentence(std::string(statistic(up).title)),
                     "none"});
    panel.rows = std::ssize(marks->heads);
    panel.values = std::move(colours);
    panel.scale.map = maker.settings().colour_map;
    panel.scale = fitted_scale(panel.scale, range);
    panel.column_axis.title = in_a_sentence(std::string(statistic(across).title));
    panel.row_axis.title = in_a_sentence(std::string(statistic(up).title));
    panel.marks = std::move(marks);
    figure.panels.push_back(std::move(panel));
    figure.title = join({trace_title(maker.trace()), "a point is a head"}, ": ");
    figure.bar_title = in_a_sentence(std::string(statistic(colour).title));
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

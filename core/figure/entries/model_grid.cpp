#include "core/attention/arithmetic_text.h"
#include "core/figure/declarations.h"
#include "core/figure/fitted_scale.h"
#include "core/figure/head_places.h"
#include "core/figure/panel_maker.h"
#include "core/figure/site_words.h"
#include "core/figure/view_titles.h"
#include "core/figure/words.h"
#include "core/map/trace_maps.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace headlight {
namespace {

/// Which head stands in which cell, [row, column]; nothing where none does.
struct Arrangement {
    Index rows = 0, columns = 0;
    std::vector<std::optional<std::size_t>> heads;
};

Arrangement by_layer(const HeadOverview& overview) {
    const HeadPlaces places(overview);
    Arrangement cells{places.rows(), places.heads, {}};
    cells.heads.resize(static_cast<std::size_t>(cells.rows * cells.columns));
    for (std::size_t head = 0; head < overview.heads.size(); ++head)
        cells.heads[places.cell(overview.heads[head])] = head;
    return cells;
}

/// The largest number first; heads without one come last.
Arrangement sorted(const HeadOverview& overview, std::size_t statistic) {
    std::vector<std::size_t> order(overview.heads.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::vector<double> keys(order.size());
    std::ranges::transform(order, keys.begin(), [&](std::size_t head) {
        return overview.number(head, statistic).value_or(-std::numeric_limits<double>::infinity());
    });
    std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t head) { return keys[head]; });
    const auto count = std::ssize(order);
    Arrangement cells;
    cells.columns = static_cast<Index>(std::ceil(std::sqrt(1.4 * static_cast<double>(count))));
    cells.rows = parts_of_size(count, cells.columns);
    cells.heads.assign(order.begin(), order.end());
    cells.heads.resize(static_cast<std::size_t>(cells.rows * cells.columns));
    return cells;
}

/// Gives every mark its map; with `own_scales` as shares of its largest weight. Returns what numbers there
/// are.
NumberRange give_maps(const HeadOverview& overview, const Arrangement& cells, bool own_scales,
                      HeadMarks& marks) {
    for (const Thumbnail& picture : overview.pictures) {
        marks.map_rows = std::max(marks.map_rows, picture.rows);
        marks.map_columns = std::max(marks.map_columns, picture.columns);
    }
    NumberRange range;
    for (std::size_t cell = 0; cell < cells.heads.size(); ++cell) {
        if (!cells.heads[cell])
            continue;
        const Thumbnail& picture = overview.pictures[*cells.heads[cell]];
        const double furthest = picture.range.furthest(), whole = own_scales && furthest > 0 ? furthest : 1;
        range.include_divided(picture.range, whole);
        marks.heads[cell].map = &picture;
        marks.heads[cell].whole = static_cast<float>(whole);
    }
    return range;
}

ColourScale scale_of(const ViewSettings& settings, const NumberRange& range, const HeadOverview& overview) {
    ColourScale scale;
    scale.map = settings.colour_map;
    scale.high = range.high > 1 + 1e-9 ? range.high : 1;
    if (range.low < 0) {
        scale.high = std::max(scale.high, -range.low);
        scale.low = -scale.high;
        scale.map = scale.map == "greys" ? scale.map : "diverging";
    }
    if (settings.scale == ScaleKind::logarithmic && !(range.low < 0)) {
        scale.kind = ScaleKind::logarithmic;
        scale.low = 1e-4;
    }
    if (settings.own_scales)
        return scale;
    std::size_t count = 0;
    for (const Thumbnail& picture : overview.pictures)
        count += picture.largest.size();
    EvenSample sample(count);
    if (settings.range.kind == RangeKind::percentiles)
        for (const Thumbnail& picture : overview.pictures)
            sample.take(std::vector<double>(picture.largest.begin(), picture.largest.end()),
                        picture.forbidden);
    return ranged_scale(scale, settings.range, range, sample.numbers());
}

/// Throws Error where no head has a number of the statistic: heads in their plain order would pass for
/// sorted.
void require_heads_with(const HeadOverview& overview, std::size_t statistic) {
    for (std::size_t head = 0; head < overview.heads.size(); ++head)
        if (overview.number(head, statistic))
            return;
    throw Error({"draw heads", "weights",
                 "a head with " + in_a_sentence(std::string(head_statistics()[statistic].title)), "none"});
}

/// Frames every mark by its number.
void give_frames(const HeadOverview& overview, const Arrangement& cells, std::size_t statistic,
                 HeadMarks& marks) {
    std::vector<double> numbers;
    NumberRange range;
    for (const auto& head : cells.heads) {
        const auto number = head ? overview.number(*head, statistic) : std::nullopt;
        numbers.push_back(number.value_or(std::numeric_limits<double>::quiet_NaN()));
        range.include(numbers.back());
    }
    const double extent = range.high - range.low;
    marks.framed.resize(numbers.size());
    std::ranges::transform(numbers, marks.framed.begin(), [&](double number) {
        return extent > 0 || std::isnan(number) ? (number - range.low) / extent : 1;
    });
    marks.frames_note = "Frames and bars: " + in_a_sentence(std::string(head_statistics()[statistic].title)) +
                        ", from " + format_number(range.low, 3) + " (pale, no bar) to " +
                        format_number(range.high, 3) + " (full).";
}

/// The numbers of every head, for the CSV and for whoever does not see the picture.
NumberTable table_of(const HeadOverview& overview, const HeadMarks& marks, const Arrangement& cells) {
    NumberTable table{{"head"}, {}, {}};
    const std::vector<std::size_t> statistics = known_statistics(overview.heads);
    for (const std::size_t statistic : statistics)
        table.titles.push_back(title_with_unit(head_statistics()[statistic]));
    if (overview.has_statistics)
        table.numbers.reserve(overview.heads.size() * statistics.size());
    for (std::size_t cell = 0; overview.has_statistics && cell < cells.heads.size(); ++cell) {
        if (!cells.heads[cell])
            continue;
        table.names.push_back(marks.heads[cell].name);
        for (const std::size_t statistic : statistics)
            table.numbers.push_back(overview.number(*cells.heads[cell], statistic));
    }
    return table;
}

void build_model_grid(const PanelMaker& maker, const PatchedPicture&, Figure& figure) {
    const HeadOverview& overview = maker.overview();
    const ViewSettings& settings = maker.settings();
    const bool are_layers = has_layers(maker.trace());
    const std::size_t statistics = head_statistics().size();
    // Sparse rows have no numbers to be sorted or framed by.
    const bool has_numbers = overview.has_statistics && !maker.is_sparse("weights");
    const auto asked = [&](const std::string& word) {
        return has_numbers ? find_statistic(word).value_or(statistics) : statistics;
    };
    const std::size_t statistic = asked(settings.heads.sorted_by);
    const std::size_t framed_by = asked(settings.heads.framed_by);
    const bool is_sorted = statistic < statistics, is_framed = framed_by < statistics;
    if (is_sorted)
        require_heads_with(overview, statistic);
    if (is_framed)
        require_heads_with(overview, framed_by);
    const Arrangement cells = is_sorted ? sorted(overview, statistic) : by_layer(overview);

    auto marks = std::make_shared<HeadMarks>();
    Panel panel;
    panel.kind = Panel::Kind::mosaic;
    panel.largest_cell = 2.5;
    panel.stage = "weights";
    panel.rows = cells.rows;
    panel.columns = cells.columns;
    std::vector<double> numbers;
    std::vector<HeadMarks::Head> named = marks_of_heads(overview, are_layers);
    marks->heads.reserve(cells.heads.size());
    for (const auto& head : cells.heads) {
        marks->heads.push_back(head ? std::move(named[*head]) : HeadMarks::Head());
        std::optional<double> number;
        if (head && is_sorted)
            number = overview.number(*head, statistic);
        else if (head && !overview.pictures[*head].range.empty())
            number = overview.pictures[*head].range.high;
        numbers.push_back(number.value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    panel.values = std::move(numbers);
    const NumberRange range = give_maps(overview, cells, settings.own_scales, *marks);
    marks->overview = maker.shared_overview();
    marks->are_named = is_sorted;
    if (is_framed)
        give_frames(overview, cells, framed_by, *marks);
    const bool are_norms = overview.lens.weights == DrawnWeights::value_norms;
    panel.scale = are_norms ? norm_scale(settings, range) : scale_of(settings, range, overview);
    if (!is_sorted) {
        panel.row_axis.title = are_layers ? "layer" : "";
        for (const std::string& site : HeadPlaces(overview).sites)
            panel.row_axis.labels.push_back(site.empty() ? "1" : short_site_words(site, are_layers));
        if (heads_are_places(overview)) {
            panel.column_axis.labels = {"1"};
            panel.column_axis.hidden = {true};
        } else {
            panel.column_axis.title = "head";
        }
    }
    figure.table = table_of(overview, *marks, cells);
    panel.marks = std::move(marks);
    figure.panels.push_back(std::move(panel));
    const std::string sorted_by =
        is_sorted ? "sorted by " + in_a_sentence(std::string(head_statistics()[statistic].title)) : "";
    const bool are_implied = has_implied_weights(maker.trace());
    figure.title = join({trace_title(maker.trace()),
                         join({"every head", are_implied ? "implied weights" : "", sorted_by}, ", ")},
                        ": ");
    const std::string weights = are_norms ? "norm" : are_implied ? "implied weights" : "weights";
    figure.bar_title = settings.own_scales ? "share of the head's largest" : weights;
}

}  // namespace

View declare_view_model_grid() {
    View view{ViewKind::model_grid};
    view.order = 9;
    view.title = "Model";
    view.shows =
        "Every head of every layer as a small map, by layer or sorted by a statistic; a cell is the largest "
        "weight of its block, or of negative ones the furthest from 0";
    view.stages = View::Stages::weights;
    view.reads_every_head = true;
    view.plays = PlayMode::head;
    view.build = build_model_grid;
    return view;
}

}  // namespace headlight

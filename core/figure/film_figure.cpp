#include "core/figure/film_figure.h"

#include "core/figure/comparison.h"
#include "core/figure/compose_figure.h"
#include "core/figure/fit_scales.h"
#include "core/figure/grid_columns.h"
#include "core/figure/notes.h"
#include "core/figure/site_words.h"
#include "core/figure/ticks.h"
#include "core/map/site_name.h"
#include "core/model/watched_training.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace headlight {
namespace {

bool looks_at_source(const FilmedMap& map) { return map.site.ends_with("cross"); }
bool guesses(const FilmedMap& map) { return parse_site(map.site).kind == query_stream; }
bool is_in_encoder(const FilmedMap& map) { return map.site.starts_with("encoder"); }

/// The words of an axis, if there are as many as it is long.
std::vector<std::string> fitting(const std::vector<std::string>& words, Index extent) {
    return std::ssize(words) == extent ? words : std::vector<std::string>();
}

TokenLabels labels_of(const FilmedMap& map, const GeneratedWords& words) {
    const std::vector<std::string>& looks = looks_at_source(map) || guesses(map) ? words.said
                                            : is_in_encoder(map)                 ? words.source
                                                                                 : words.read;
    const std::vector<std::string>& is_seen =
        looks_at_source(map) || is_in_encoder(map) ? words.source : words.read;
    TokenLabels labels;
    labels.query = fitting(looks, map.rows);
    labels.key = fitting(is_seen, map.columns);
    return labels;
}

Trace trace_of(const FilmedMap& map, const GeneratedWords& words) {
    Trace trace(
        {{"", "weights", {Axis::head, Axis::query, Axis::key}, {map.heads, map.rows, map.columns}, 0}});
    std::ranges::copy(map.weights, trace.values(trace.stages().front()).begin());
    trace.tokens = labels_of(map, words);
    return trace;
}

/// Whether the sum is 1 as far as floats tell, and files that keep three digits of them.
bool is_one(double sum) { return std::abs(sum - 1) < 5e-3; }

/// nullptr before the first point.
template <class Point>
const Point* last_until(const std::vector<Point>& points, Index step) {
    const auto after = std::ranges::upper_bound(points, step, {}, &Point::step);
    return after == points.begin() ? nullptr : &*std::prev(after);
}

/// "loss 0.532, 34 % right". A film's first frame has a line as well, or the picture would jump to the next.
std::string note_of(const TrainingRecord& record, Index step) {
    std::string note;
    if (const auto* loss = last_until(record.loss.points(), step))
        note = "loss " + format_fixed(loss->loss, 3);
    if (const auto* right = last_until(record.exact_match, step))
        note += (note.empty() ? "" : ", ") + format_fixed(100 * right->share, 0) + " % right";
    return note.empty() && step == 0 ? "not trained yet" : note;
}

struct Shown {
    const FilmShot* shot;
    const FilmedMap* map;
};

/// Those of pictures of every head, which have one scale, from 0 to 1: another range is that of the panels,
/// which know what is forbidden.
ViewSettings settings_of_panels(const FilmSettings& settings) {
    ViewSettings all_heads;
    all_heads.view = ViewKind::grid;
    all_heads.colour_map = settings.colour_map;
    all_heads.scale = settings.scale;
    all_heads.values_in_cells = settings.values_in_cells;
    return all_heads;
}

std::vector<Panel> panels_of(const Shown& shown, bool is_alone, const ViewSettings& settings) {
    const Trace trace = trace_of(*shown.map, shown.shot->frame->words);
    const PanelMaker maker(trace, settings);
    std::vector<Panel> panels;
    for (Index head = 0; head < shown.map->heads; ++head) {
        Panel panel = maker.panel("weights", head);
        if (std::ranges::all_of(panel.row_sums, is_one))
            panel.row_sums.clear();
        if (!shown.map->forbidden.empty()) {
            const auto first = shown.map->forbidden.begin() + head * std::ssize(panel.values);
            panel.forbidden.assign(first, first + std::ssize(panel.values));
            panel.forbidden_by.mask = true;
        }
        const std::string number = shown.map->heads > 1 ? "head " + std::to_string(head + 1) : std::string();
        const std::string step = "step " + std::to_string(shown.shot->frame->step);
        panel.title = is_alone ? (number.empty() ? "Weights" : number) : shown.shot->name;
        panel.subtitle = is_alone ? std::string() : step;
        if (!is_alone && !number.empty())
            panel.subtitle += ", " + number;
        panels.push_back(std::move(panel));
    }
    return panels;
}

std::string caption_of(const std::vector<Shown>& shown) {
    std::string caption;
    for (const auto& [shot, map] : shown) {
        if (shot->note.empty())
            continue;
        caption += caption.empty() ? "" : "   ";
        caption += shown.size() > 1 ? shot->name + ": " + shot->note : shot->note;
    }
    return caption;
}

std::string place_of(const Shown& shown) {
    return site_title(shown.map->site, has_layers(*shown.shot->frame));
}

}  // namespace

std::vector<FilmShot> shots_of(const std::vector<LearningRun>& runs, Index step) {
    std::vector<FilmShot> shots;
    for (const LearningRun& run : runs) {
        const auto frame = run.record->film.at(step);
        // How well it did when the frame was taken: between two frames it goes on learning.
        shots.push_back({run.name, frame, note_of(*run.record, frame ? frame->step : step)});
    }
    return shots;
}

bool has_layers(const FilmFrame& frame) {
    return std::ranges::any_of(frame.maps, [](const FilmedMap& map) { return is_of_later_layer(map.site); });
}

const FilmedMap* filmed_map(const FilmFrame& frame, std::string_view site) {
    if (const FilmedMap* map = frame.find(site))
        return map;
    for (auto each = frame.maps.rbegin(); each != frame.maps.rend(); ++each)
        if (looks_at_source(*each))
            return &*each;
    return frame.maps.empty() ? nullptr : &frame.maps.back();
}

Figure film_figure(std::span<const FilmShot> shots, const std::string& site, const FilmSettings& settings) {
    colour_map(settings.colour_map);  // refuses an unknown name before any work
    std::vector<Shown> shown;
    Index heads = 0;
    for (const FilmShot& shot : shots)
        if (const FilmedMap* map = shot.frame ? filmed_map(*shot.frame, site) : nullptr) {
            shown.push_back({&shot, map});
            heads = std::max(heads, map->heads);
        }
    if (shown.empty())
        throw Error({"draw a film", "", "a frame with the weights of a place that attends", "none"});
    const bool is_alone = shown.size() == 1;
    Figure figure;
    figure.theme = settings.theme;
    const bool has_rows =
        std::ranges::all_of(shown, [&](const Shown& each) { return each.map->heads == heads; });
    const ViewSettings of_panels = settings_of_panels(settings);
    for (const Shown& each : shown)
        std::ranges::move(panels_of(each, is_alone, of_panels), std::back_inserter(figure.panels));
    const auto maps = std::ssize(figure.panels);
    // A row for each run; where one has fewer heads than another that would leave most of its row empty.
    figure.columns = !has_rows ? grid_columns(maps) : heads > 1 ? heads : maps;
    const ColourScale scale = common_scale(figure.panels);
    for (Panel& panel : figure.panels)
        panel.scale = scale;
    if (settings.range.kind != RangeKind::unit)
        fit_scales(figure, std::vector<bool>(figure.panels.size(), true), settings.range);
    const Shown& first_shown = shown.front();
    figure.title = place_of(first_shown);
    for (const Shown& each : shown)
        if (const std::string place = place_of(each); place != place_of(first_shown))
            figure.title += " beside " + place;
    if (is_alone) {
        std::string prefix = first_shown.shot->name;
        prefix += ", step " + std::to_string(first_shown.shot->frame->step) + ": ";
        figure.title.insert(0, prefix);
    }
    figure.caption = caption_of(shown);
    tell_masks(figure);
    figure.description = figure_description(figure);
    return figure;
}

Figure with_loss_curve(Figure film, std::span<const LearningRun> runs, Index step, bool is_narrow) {
    std::vector<FigurePart> parts(2);
    parts[1].choice.starts_row = is_narrow || film.panels.size() > 1;
    ViewSettings settings;
    settings.theme = film.theme;
    settings.options.panel_columns = parts[1].choice.starts_row ? film.columns : 2;
    const std::string title = film.title;
    parts[0].figure = std::move(film);
    parts[1].figure = learning_figure(runs, LearningCurves::loss, step);
    Figure figure = compose_figure(std::move(parts), settings);
    figure.title = title;
    figure.description = figure_description(figure);
    return figure;
}

}  // namespace headlight

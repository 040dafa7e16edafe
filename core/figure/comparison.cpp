#include "core/figure/comparison.h"

#include "core/analysis/displayed_weights.h"
#include "core/figure/build_figure.h"
#include "core/figure/fit_scales.h"
#include "core/figure/fitted_scale.h"
#include "core/figure/notes.h"
#include "core/figure/panel_maker.h"
#include "core/figure/site_words.h"
#include "core/figure/view.h"
#include "core/figure/view_titles.h"
#include "core/figure/words.h"
#include "core/map/derived_maps.h"
#include "core/map/site_name.h"
#include "core/map/trace_maps.h"
#include "core/tensor/error.h"
#include "core/tensor/visible_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

namespace headlight {
namespace {

/// Differences below this are the rounding of two ways to compute one thing.
constexpr double rounding = 1e-9;

double largest_size(const Storage<const double>& values) {
    double largest = 0;
    for (const double value : values)
        if (std::isfinite(value))
            largest = std::max(largest, std::abs(value));
    return largest;
}

/// An arrow to one side would say that the one looks at the other.
constexpr std::string_view in_place_of = " ↔ ";

/// The tokens of two texts in each other's place: "cat ↔ dog" where they differ.
void name_both(std::vector<std::string>& labels, const std::vector<std::string>& others) {
    for (std::size_t at = 0; at < std::min(labels.size(), others.size()); ++at)
        if (labels[at] != others[at])
            (labels[at] += in_place_of) += others[at];
}

/// Whether each cell of one has one of the other to be subtracted from.
bool are_alike(const Panel& a, const Panel& b) {
    return a.rows == b.rows && a.columns == b.columns && a.large.has_value() == b.large.has_value();
}

/// The tiles of a large map minus another one, the same ones for every picture of the two.
std::shared_ptr<const MapTiles> difference_tiles(const LargeMap& map, const LargeMap& other) {
    const std::shared_ptr<const MapSource>&maps = map.tiles->maps(), &others = other.tiles->maps();
    const auto [layer, head] = other.place;
    if (map.place == other.place && maps->extents() == others->extents())
        return map.tiles->seen_as(
            "minus", [&] { return difference_of(maps, others); }, others.get());
    return map.tiles->seen_as(
        "minus " + std::to_string(layer) + " " + std::to_string(head),
        [&] { return difference_of(maps, others, other.place); }, others.get());
}

bool forbids(const std::vector<std::uint8_t>& by, std::size_t cell) {
    return cell < by.size() && by[cell] != 0;
}

/// What one forbids and the other does not has a difference of weights, since it has the weight 0 there, and
/// none of scores. Where the other one has no weight either it may be forbidden as well: of another text in
/// the places of this one nobody knows.
void forbid_as_both(Panel& panel, const Panel& other) {
    if (panel.forbidden == other.forbidden)
        return;
    const bool are_weights = is_weight_stage(panel.stage);
    std::vector<std::uint8_t> forbidden(std::max(panel.forbidden.size(), other.forbidden.size()));
    for (std::size_t cell = 0; cell < forbidden.size(); ++cell) {
        const bool a = forbids(panel.forbidden, cell), b = forbids(other.forbidden, cell);
        const bool differs =
            are_weights && a != b && std::isfinite(panel.values[cell]) && panel.values[cell] != 0;
        forbidden[cell] = differs ? 0 : a || b;
        panel.is_forbidden_in_one |= differs;
    }
    panel.forbidden = std::move(forbidden);
    if (!panel.forbidden_by.is_anybody())
        panel.forbidden_by = other.forbidden_by;
    if (std::ranges::count(panel.forbidden, 1) == 0) {
        panel.forbidden.clear();
        panel.forbidden_by = {};
    }
}

/// `panel` minus `other`, cell by cell; what both forbid stays forbidden. Of large maps numbers up to
/// `negligible` are none: nobody has looked at them yet.
Panel panel_difference(Panel panel, const Panel& other, double negligible) {
    name_both(panel.row_axis.labels, other.row_axis.labels);
    name_both(panel.column_axis.labels, other.column_axis.labels);
    panel.row_sums.clear();
    if (panel.large) {
        panel.large->tiles = difference_tiles(*panel.large, *other.large);
        panel.large->rounding = negligible;
        return panel;
    }
    std::vector<double> values = panel.values.copy();
    std::ranges::transform(values, other.values, values.begin(),
                           [](double a, double b) { return difference_of(a, b); });
    panel.values = std::move(values);
    forbid_as_both(panel, other);
    return panel;
}

/// "Additive − Scaled dot-product attention": what both titles end with stands once.
std::string difference_of_titles(std::string title, const std::string& first) {
    constexpr std::string_view tail = " attention";
    if (title.size() > tail.size() && title.ends_with(tail) && first.ends_with(tail))
        title.resize(title.size() - tail.size());
    return title + " − " + first;
}

Panel difference(const Panel& panel, const Panel& first) {
    Panel result = panel_difference(panel, first, rounding);
    result.subtitle.clear();
    result.in_focus = false;
    result.is_difference = true;
    const bool is_same = !result.large && largest_size(result.values) < rounding;
    result.title = is_same ? "the same as the first" : "Difference";
    if (!is_same)
        result.subtitle = difference_of_titles(panel.title, first.title);
    return result;
}

/// One scale for all differences, zero in its middle: to the largest one, or as the range says where that is
/// one of percentiles or starts below zero. Where all are rounding it is that of weights, so that what is the
/// same looks the same; of large maps until their numbers are known (fit_scales()).
ColourScale difference_scale(const std::vector<Panel>& differences, double negligible,
                             const ColourRange& range) {
    std::vector<const Panel*> known;
    for (const Panel& panel : differences)
        if (!panel.blank && !panel.large)
            known.push_back(&panel);
    FittedNumbers numbers = fitted_numbers(known, range);
    const bool is_nothing = numbers.range.furthest() < negligible;
    const double largest = is_nothing ? 1 : numbers.range.furthest();
    const ColourScale scale{.map = "diverging", .low = -largest, .high = largest};
    const bool has_ends = range.kind == RangeKind::numbers && range.from < 0;
    if (is_nothing || (range.kind != RangeKind::percentiles && !has_ends))
        return scale;
    return ranged_scale(scale, range, numbers.range, std::move(numbers.sample));
}

/// `maps` in rows of `columns`, and under each row that of `below`, as many.
std::vector<Panel> in_pairs_of_rows(const std::vector<Panel>& maps, const std::vector<Panel>& below,
                                    Index columns) {
    const auto width = static_cast<std::size_t>(columns);
    std::vector<Panel> rows;
    for (std::size_t first = 0; first < maps.size(); first += width) {
        std::vector<Panel> under;
        for (std::size_t at = first; at < first + width; ++at) {
            const bool exists = at < maps.size();
            rows.push_back(exists ? maps[at] : empty_place(maps.back()));
            under.push_back(exists ? below[at] : empty_place(below.back()));
        }
        while (first + width >= maps.size() && under.back().blank && under.size() > 1)
            under.pop_back();
        rows.insert(rows.end(), under.begin(), under.end());
    }
    return rows;
}

/// One scale for maps side by side, or where the settings say so one for each.
void share_scales(std::vector<Panel>& maps, const ViewSettings& settings) {
    const ColourScale scale = common_scale(maps);
    for (Panel& panel : maps)
        if (!settings.own_scales)
            panel.scale = scale;
        else if (panel.has_own_scale = true; panel.large)
            panel.large->has_own_scale = true;
}

}  // namespace

ColourScale common_scale(const std::vector<Panel>& panels) {
    ColourScale scale = panels.front().scale;
    for (const Panel& panel : panels) {
        if (colour_map(panel.scale.map).diverging)
            scale.map = panel.scale.map;
        scale.low = std::min(scale.low, panel.scale.low);
        scale.high = std::max(scale.high, panel.scale.high);
        scale.clips_low = scale.clips_low || panel.scale.clips_low;
        scale.clips_high = scale.clips_high || panel.scale.clips_high;
    }
    if (colour_map(scale.map).diverging) {
        scale.high = std::max(std::abs(scale.low), std::abs(scale.high));
        scale.low = -scale.high;
        scale.kind = ScaleKind::linear;
    }
    return scale;
}

Panel empty_place(const Panel& like) {
    Panel place = like;
    place.blank = true;
    place.title.clear();
    place.subtitle.clear();
    place.row_sums.clear();
    place.in_focus = false;
    place.large.reset();  // whose tiles nobody needs here
    return place;
}

std::vector<std::string> sites_with_weights(const Trace& trace) {
    std::vector<std::string> sites;
    for (const Stage& stage : trace.stages())
        if (stage.name == "weights" && stage.shape.size() >= 2)
            sites.push_back(stage.site);
    return sites;
}

Index compared_sites(const Trace& trace) { return std::ssize(sites_with_weights(trace)); }

namespace {

bool has_map(const Trace& trace, const PinnedMap& map) {
    const Stage* weights = trace.find("weights", map.site);
    return weights && map.head < weights->heads();
}

/// Which of the heads the map is of, or how all of them are pooled in it; empty of a single one.
std::string shown_head(const Trace& trace, const Panel& map, const ViewSettings& settings) {
    const Stage* weights = trace.find("weights", map.site);
    const Index heads = weights && weights->shape.size() == 3 ? weights->shape.front() : 1;
    if (settings.pooled && heads > 1)
        return pooled_title(*settings.pooled, heads, parse_site(map.site).layer.value_or(0));
    return head_title(map.head, heads);
}

/// What a picture calls a pinned map.
std::string pinned_title(const Trace& trace, const PinnedMap& pinned) {
    std::string title = (pinned.site.empty() ? "" : site_title(pinned.site, has_layers(trace)) + ", ") +
                        "head " + std::to_string(pinned.head + 1);
    if (pinned.site.empty())
        title.front() = 'H';
    return title;
}

}  // namespace

std::vector<PinnedMap> pinned_maps(const Trace& trace, const FigureSettings& settings) {
    std::vector<PinnedMap> maps = settings.pinned;
    std::erase_if(maps, [&](const PinnedMap& map) { return !has_map(trace, map); });
    return maps;
}

std::vector<Panel> comparison_panels(const Trace& trace, const ViewSettings& settings) {
    std::vector<Panel> maps;
    const auto maker_of = [&](const std::string& site) {
        ViewSettings of_site = settings;
        of_site.selection.site = site;
        if (settings.own_scales && !settings.range.follows_numbers())
            of_site.range = RangeKind::fitted;
        return PanelMaker(trace, of_site);
    };
    for (const std::string& site : sites_with_weights(trace)) {
        const PanelMaker maker = maker_of(site);
        Panel panel =
            maker.panel("weights", std::min(settings.selection.head, maker.heads_of("weights") - 1));
        panel.title = site.empty() ? trace_title(trace) : site_title(site, has_layers(trace));
        const bool has_heads = maker.heads_of("weights") > 1;
        panel.subtitle = join({maker.is_pooled("weights") ? shown_head(trace, panel, maker.settings())
                               : has_heads                ? "head " + std::to_string(panel.head + 1)
                                                          : "",
                               panel.is_implied ? "implied weights" : ""},
                              ", ");
        panel.in_focus = site == settings.selection.site;
        maps.push_back(std::move(panel));
    }
    if (maps.empty())
        throw Error({"compare", "weights", "a trace with the weights of at least one mechanism", "none"});
    for (const PinnedMap& pinned : pinned_maps(trace, settings)) {
        Panel panel = maker_of(pinned.site).panel("weights", pinned.head);
        panel.title = pinned_title(trace, pinned);
        panel.subtitle = "pinned";
        maps.push_back(std::move(panel));
    }
    share_scales(maps, settings);
    return maps;
}

namespace {

/// [map]: what it has more or less than the first, on one scale; an empty place for the first, and for maps
/// of another shape.
std::vector<Panel> differences_from_first(const std::vector<Panel>& maps, const ColourRange& range) {
    std::vector<Panel> differences;
    for (const Panel& map : maps) {
        const bool differs = !differences.empty() && are_alike(map, maps.front());
        differences.push_back(differs ? difference(map, maps.front()) : empty_place(map));
    }
    const ColourScale scale = difference_scale(differences, rounding, range);
    for (Panel& panel : differences)
        panel.scale = scale;
    return differences;
}

}  // namespace

std::vector<Panel> differences_below(std::vector<Panel> maps, Index columns, const ColourRange& range) {
    return in_pairs_of_rows(maps, differences_from_first(maps, range), columns);
}

std::vector<Panel> difference_beside(std::vector<Panel> maps, const ColourRange& range) {
    Panel difference = differences_from_first(maps, range).back();
    if (!difference.blank)
        maps.push_back(std::move(difference));
    return maps;
}

namespace {

/// What a picture of two calls one of them.
const std::string& name_beside(const Trace& trace) {
    return trace.compared_as.empty() ? trace.name : trace.compared_as;
}

/// A picture of two is not called by the name of one.
void name_both_in_title(Figure& figure, const Trace& changed, const Trace& other) {
    const std::string& name = name_beside(changed);
    if (const auto at = figure.title.find(name); !name.empty() && at != std::string::npos)
        figure.title.insert(at + name.size(), " and " + name_beside(other));
}

/// "Weights, head 1 of 8" becomes "Difference of weights, head 1 of 8"; a title that is no stage's stays.
void title_difference(std::string& title, const std::string& stage_title, const std::string& stage) {
    if (!stage_title.empty() && title.starts_with(stage_title))
        title.replace(0, stage_title.size(), "Difference of " + in_a_sentence(stage_title, stage));
}

/// What rows of decoding steps are called that two models followed by other words.
std::string other_words_note(const Figure& figure) {
    for (const Panel& panel : figure.panels)
        for (const std::string& label : panel.row_axis.labels)
            if (const auto at = label.find(in_place_of); at != std::string::npos)
                return in_quotes(label) + ": the changed model says " + in_quotes(label.substr(0, at)) +
                       " there, the untouched one would say " +
                       in_quotes(label.substr(at + in_place_of.size())) + ".";
    return {};
}

/// What the difference of two traces is called below a panel's title.
std::string difference_words(const Trace& changed, const Trace& other) {
    // A model that a person has changed inside gives both its name.
    return changed.name == other.name ? "changed − untouched, both reading the same words"
                                      : name_beside(changed) + " − " + name_beside(other);
}

/// What the bar of a difference is called: the panels say of which two it is.
std::string difference_bar_title(const Figure& figure, const Trace& changed, const Trace& other) {
    if (changed.name == other.name)
        return "changed − untouched";
    const auto differs = [&](const Panel& panel) { return panel.stage != figure.panels.front().stage; };
    if (figure.panels.empty() || std::ranges::any_of(figure.panels, differs))
        return "difference";
    const Panel& first = figure.panels.front();
    return "difference of " + (figure.bar_title.empty()
                                   ? in_a_sentence(stage_title_at(first.stage, first.site), first.stage)
                                   : figure.bar_title);
}

/// One map would be drawn as it is, under the name of a difference.
void require_alike(const Panel& panel, const Panel& other) {
    const auto words = [](const Panel& of) {
        return std::to_string(of.rows) + " × " + std::to_string(of.columns) + " numbers" +
               (of.large ? ", drawn from tiles" : ", kept as a whole");
    };
    if (!are_alike(panel, other))
        throw Error({"draw a difference", panel.stage, words(panel) + ", in both", words(other)});
}

/// The map of one head in both, [changed, other], each called what its run is.
std::vector<Panel> in_both(const Figure& changed, const Figure& other, const std::string& name,
                           const std::string& other_name, const std::string& subtitle) {
    require_alike(changed.panels.front(), other.panels.front());
    std::vector<Panel> maps{changed.panels.front(), other.panels.front()};
    maps[0].title = name;
    maps[1].title = other_name;
    maps[0].subtitle = maps[1].subtitle = subtitle;
    maps[1].in_focus = false;
    return maps;
}

/// In rows: the head that is looked at in both, and what the first has more or less than the second; below,
/// the same of the pinned maps that both have.
Figure side_by_side(const Trace& changed, const Trace& other, const ViewSettings& settings) {
    ViewSettings of_map = settings;
    of_map.view = ViewKind::heatmap;
    of_map.selection.stage = "weights";
    of_map.pooled_layers.reset();  // as every view of all sites
    Figure figure = build_figure(changed, of_map);
    const std::string &name = name_beside(changed), &other_name = name_beside(other);
    name_both_in_title(figure, changed, other);
    std::vector<std::vector<Panel>> rows{in_both(figure, build_figure(other, of_map), name, other_name,
                                                 shown_head(changed, figure.panels.front(), settings))};
    for (const PinnedMap& pinned : pinned_maps(changed, settings)) {
        if (!has_map(other, pinned))
            continue;
        of_map.selection.site = pinned.site;
        of_map.selection.head = pinned.head;
        rows.push_back(in_both(build_figure(changed, of_map), build_figure(other, of_map), name, other_name,
                               "pinned: " + pinned_title(changed, pinned)));
        rows.back()[0].in_focus = false;
    }
    std::vector<Panel> maps, differences;
    for (const std::vector<Panel>& row : rows)
        maps.insert(maps.end(), row.begin(), row.end());
    share_scales(maps, settings);
    for (std::size_t at = 0; at < rows.size(); ++at) {
        std::vector<Panel>& row = rows[at];
        row = {maps[2 * at], maps[2 * at + 1]};
        differences.push_back(difference(row[0], row[1]));
        differences.back().title = "first − second";  // both names stand beside it
        differences.back().subtitle = row[0].subtitle;
    }
    const ColourScale of_differences = difference_scale(differences, rounding, settings.range);
    figure.panels.clear();
    for (std::size_t at = 0; at < rows.size(); ++at) {
        std::ranges::move(rows[at], std::back_inserter(figure.panels));
        figure.panels.push_back(std::move(differences[at]));
        figure.panels.back().scale = of_differences;
    }
    figure.columns = 3;
    figure.wrapped_rows = 1;
    tell_masks(figure);
    figure.description = figure_description(figure);
    return figure;
}

/// Names the difference once above several panels that all say the same below their titles: it holds two
/// names and is wider than any of the maps.
void say_subtitle_once(Figure& figure, const FigureOptions& options) {
    const auto is_drawn = [](const Panel& panel) { return !panel.thumbnail && !panel.blank; };
    const auto first = std::ranges::find_if(figure.panels, is_drawn);
    if (first == figure.panels.end() || std::ranges::count_if(figure.panels, is_drawn) < 2)
        return;
    const std::string said = first->subtitle;
    if (!std::ranges::all_of(figure.panels,
                             [&](const Panel& panel) { return !is_drawn(panel) || panel.subtitle == said; }))
        return;
    if (!options.subtitle && options.panel_titles)
        figure.subtitle = said;
    for (Panel& panel : figure.panels)
        panel.subtitle.clear();
}

/// Whether a view of every head has a number of how much each changes.
bool shows_change(const ViewSettings& settings) {
    constexpr std::string_view change = "change";
    const HeadOrder& heads = settings.heads;
    if (settings.view == ViewKind::model_grid)
        return heads.sorted_by == change || heads.framed_by == change;
    if (settings.view == ViewKind::scatter)
        return heads.across == change || heads.up == change || heads.colour == change;
    return true;
}

/// What is known of every head, and how much each changes. The traces outlive the maps, which nobody keeps.
std::shared_ptr<const HeadOverview> overview_of_both(const Trace& changed, const Trace& other,
                                                     const ViewSettings& settings) {
    const auto borrowed = [](const Trace& trace) {
        return std::shared_ptr<const Trace>(std::shared_ptr<const Trace>(), &trace);
    };
    const auto maps = seen_maps(borrowed(changed), borrowed(other), drawn_lens(settings.view, settings));
    return std::make_shared<const HeadOverview>(with_statistics(pictured_heads(maps), maps));
}

}  // namespace

Figure build_changed_figure(const Trace& changed, const Trace& untouched, const ViewSettings& settings,
                            const PatchedPicture& image) {
    if (view(settings.view).reads_every_head) {
        Figure figure = build_figure(changed, settings, {}, overview_of_both(changed, untouched, settings));
        if (!shows_change(settings))
            drop_pairing_note(figure);
        return figure;
    }
    const bool are_two_texts = changed.name != untouched.name;
    if (are_two_texts && view(settings.view).all_sites)
        return side_by_side(changed, untouched, settings);
    Figure figure = build_figure(changed, settings, image);
    if (!settings.differences || !view(settings.view).shows_difference) {
        drop_pairing_note(figure);
        return figure;
    }
    const Figure before = build_figure(untouched, settings);
    const auto is_same_stage = [](const Panel& a, const Panel& b) { return a.stage == b.stage; };
    // Another text may have nothing but weights, which would be subtracted from scores.
    if (!std::ranges::equal(figure.panels, before.panels, is_same_stage))
        return figure;
    constexpr double rounding_of_a_model = 1e-6;  // its numbers are floats
    bool has_large = false;
    const PanelMaker maker(changed, settings);
    for (std::size_t at = 0; at < std::min(figure.panels.size(), before.panels.size()); ++at) {
        Panel& panel = figure.panels[at];
        const Panel& other = before.panels[at];
        if (panel.large)
            require_alike(panel, other);
        // Where one has no such site, the picture of the other is of what it has.
        if (panel.values.size() != other.values.size() || panel.site != other.site)
            continue;
        has_large |= panel.large.has_value();
        const std::string stage_title = maker.title(panel.stage);
        panel = panel_difference(std::move(panel), other, rounding_of_a_model);
        title_difference(panel.title, stage_title, panel.stage);
        title_difference(panel.head_title, stage_title, panel.stage);
        panel.subtitle = difference_words(changed, untouched);
    }
    if (are_two_texts)
        name_both_in_title(figure, changed, untouched);
    say_subtitle_once(figure, settings.options);
    figure.bar_title = difference_bar_title(figure, changed, untouched);
    const ColourScale scale = difference_scale(figure.panels, rounding_of_a_model, settings.range);
    for (Panel& panel : figure.panels)
        panel.scale = scale;
    figure.caption = join(
        {difference_caption(maker, figure), are_two_texts ? "" : other_words_note(figure), untouched.left_out,
         has_large ? "Each point shows the difference under it that is furthest from 0." : ""},
        "  ");
    figure.description = figure_description(figure);
    return figure;
}

Figure with_columns(Figure figure, Index columns) {
    columns = std::clamp<Index>(columns, 1, figure.columns);
    if (figure.wrapped_rows == 0 || columns == figure.columns)
        return figure;
    if (figure.wrapped_rows == 2) {
        std::vector<Panel> maps, below;
        for (std::size_t at = 0; at < figure.panels.size(); ++at) {
            const bool is_map = static_cast<Index>(at) / figure.columns % 2 == 0;
            (is_map ? maps : below).push_back(figure.panels[at]);
        }
        while (maps.size() > 1 && maps.back().blank)  // what filled the last row
            maps.pop_back();
        while (below.size() < maps.size())
            below.push_back(empty_place(maps.back()));
        figure.panels = in_pairs_of_rows(maps, below, columns);
        if (columns == 1)
            std::erase_if(figure.panels, [](const Panel& panel) { return panel.blank; });
    } else {
        std::erase_if(figure.panels, &Panel::fills_row);
    }
    figure.columns = columns;
    return figure;
}

}  // namespace headlight

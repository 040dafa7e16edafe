#include "app/cli/frames.h"

#include "core/figure/apply_options.h"
#include "core/figure/build_figure.h"
#include "core/figure/comparison.h"
#include "core/figure/film_figure.h"
#include "core/figure/panel_choice.h"
#include "core/figure/site_layers.h"
#include "core/figure/view.h"
#include "core/map/site_name.h"
#include "core/tensor/words.h"
#include "ui/render/motion_film.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr Index most_frames = 1000;

Index extent_at(const Trace& trace, const ViewSettings& view, Axis axis) {
    const Stage* stage = trace.find(view.selection.stage, view.selection.site);
    if (!stage || !stage->has_axis(axis))
        stage = trace.find("weights", view.selection.site);
    return stage && stage->has_axis(axis) ? stage->extent(axis) : 1;
}

/// The option that walks: --frames or --each.
std::string_view walking(const Arguments& arguments) {
    return arguments.has(each_option.name) ? each_option.name : frames_option.name;
}

/// The views that a walk changes: that of the figure, or those of its panels that leave open what is walked
/// through.
using Followers = std::vector<const View*>;

bool any_follows(const Followers& followers, bool (*can)(const View&)) {
    return std::ranges::any_of(followers, [&](const View* each) { return can(*each); });
}

[[noreturn]] void refuse_view(const Arguments& arguments, const std::string& expected,
                              const Followers& followers) {
    arguments.refuse(walking(arguments), expected, std::string(to_word(followers.front()->kind)));
}

std::vector<ViewSettings> step_frames(const Arguments& arguments, const ViewSettings& view,
                                      const Followers& followers, const Trace& trace) {
    const bool rows_arrive = any_follows(followers, [](const View& each) { return each.rows_arrive; });
    const bool plays_steps = any_follows(followers, [](const View& each) {
        return each.plays == PlayMode::step || each.plays_of_model == PlayMode::step;
    });
    if (!rows_arrive && !plays_steps)
        refuse_view(arguments, "a view that has steps, such as steps", followers);
    if (arguments.has("--step"))
        arguments.refuse(walking(arguments), "no --step beside it, as each step has its own picture",
                         "--step " + *arguments.value("--step"));
    std::vector<ViewSettings> all;
    for (Index step = 0; step < extent_at(trace, view, Axis::query); ++step) {
        all.push_back(view);
        if (rows_arrive)
            all.back().decoding_step = step;
        if (!rows_arrive || followers.size() > 1)
            all.back().selection.query = step;
    }
    return all;
}

std::vector<ViewSettings> stage_frames(const Arguments& arguments, const ViewSettings& view,
                                       const Followers& followers, const Trace& trace) {
    const bool draws_all =
        any_follows(followers, [](const View& each) { return each.stages == View::Stages::all; });
    if (!draws_all &&
        !any_follows(followers, [](const View& each) { return each.stages == View::Stages::maps; }))
        refuse_view(arguments, "a view of any stage, such as heatmap", followers);
    std::vector<ViewSettings> all;
    for (const std::string& name : visible_stages(trace, view.selection.site)) {
        const Stage* stage = trace.find(name, view.selection.site);
        const bool is_map = stage && stage->has_axis(Axis::query) && stage->has_axis(Axis::key);
        if (!draws_all && !is_map)
            continue;
        all.push_back(view);
        all.back().selection.stage = name;
    }
    return all;
}

/// The sites whose heads are walked through: that of the selected layer, and for --each those of all layers
/// of its kind unless somebody has chosen one.
std::vector<std::string> walked_layers(const Arguments& arguments, const ViewSettings& view,
                                       const Trace& trace) {
    const std::string& selected = view.selection.site;
    const SiteName name = parse_site(selected);
    const auto& panels = view.options.panels;
    const auto follows = [](const PanelWords& panel) {
        return !panel.contains("layer") && !panel.contains("site") && !panel.contains("head");
    };
    const bool is_chosen = arguments.has("--layer") || arguments.has("--site") || view.pooled_layers ||
                           (!panels.empty() && std::ranges::none_of(panels, follows));
    if (!arguments.has(each_option.name) || is_chosen || !name.layer)
        return {selected};
    const SiteLayers all = site_layers(trace);
    std::vector<std::string> sites;
    for (const auto& [layer, site] : all.by_kind.at(name.kind))
        if (trace.find(view.selection.stage, site) || trace.find("weights", site))
            sites.push_back(site);
    return sites;
}

std::vector<ViewSettings> head_frames(const Arguments& arguments, const ViewSettings& view,
                                      const Followers& followers, const Trace& trace) {
    if (!any_follows(followers, [](const View& each) { return !each.all_heads && !each.reads_every_head; }))
        refuse_view(arguments, "a view of one head, such as heatmap", followers);
    if (view.pooled && arguments.has("--head"))
        arguments.refuse(walking(arguments), "no --head beside it, as each head has its own picture",
                         "--head " + *arguments.value("--head"));
    std::vector<ViewSettings> all;
    ViewSettings there = view;
    for (const std::string& site : walked_layers(arguments, view, trace)) {
        there.selection.site = site;
        for (Index head = 0; head < extent_at(trace, there, Axis::head); ++head) {
            all.push_back(there);
            all.back().selection.head = head;
            all.back().pooled.reset();
            if (any_follows(followers, [](const View& each) { return each.overlays_heads; }))
                all.back().options.heads.clear();  // each by itself
        }
    }
    return all;
}

std::vector<ViewSettings> site_frames(const Arguments& arguments, const ViewSettings& view, const Followers&,
                                      const Trace& trace) {
    if (view.pooled_layers && arguments.has("--layer"))
        arguments.refuse(walking(arguments), "no --layer beside it, as each layer has its own picture",
                         "--layer " + *arguments.value("--layer"));
    std::vector<ViewSettings> all;
    for (const std::string& site : sites_with_weights(trace)) {
        all.push_back(view);
        all.back().selection.site = site;
        all.back().pooled_layers.reset();
    }
    return all;
}

/// The frames of a training, which no view of a run has.
constexpr std::string_view film_frames = "film";
/// The moments between a stage and what it is computed from, which are all of one view.
constexpr std::string_view motion_frames = "motion";

using Walk = std::vector<ViewSettings> (*)(const Arguments&, const ViewSettings&, const Followers&,
                                           const Trace&);
struct NamedWalk {
    /// "steps": a frame each; "step": a file each; empty where there is none. Both are words of a panel that
    /// has its own.
    std::string_view frames, each;
    Walk walk;
};
constexpr NamedWalk walks[] = {{"steps", "step", step_frames}, {"stages", "stage", stage_frames},
                               {"heads", "head", head_frames}, {motion_frames, "", nullptr},
                               {film_frames, "", nullptr},     {"", "site", site_frames}};

std::vector<std::string> walk_words(std::string_view NamedWalk::*word) {
    std::vector<std::string> list;
    for (const NamedWalk& each : walks)
        if (!(each.*word).empty())
            list.emplace_back(each.*word);
    return list;
}

/// By the word of the option that walks.
const NamedWalk& asked_walk(const Arguments& arguments) {
    const std::string_view option = walking(arguments);
    const auto word = option == each_option.name ? &NamedWalk::each : &NamedWalk::frames;
    const std::string typed = *arguments.value(option);
    for (const NamedWalk& each : walks)
        if (each.*word == typed && !typed.empty())
            return each;
    const std::vector<std::string> known = walk_words(word);
    arguments.refuse(option, list_of(known), quoted_with_hint(typed, known));
}

Followers followers_of(const NamedWalk& walk, const ViewSettings& view) {
    if (view.options.panels.empty())
        return {&headlight::view(view.view)};
    Followers followers;
    for (const PanelWords& panel : view.options.panels) {
        const bool has_its_own =
            panel.contains(std::string(walk.each)) || panel.contains(std::string(walk.frames));
        const PanelChoice choice = panel_choices(panel, view).front();
        if (!has_its_own && choice.shows == PanelSubject::view)
            followers.push_back(&headlight::view(choice.view.view));
    }
    return followers;
}

/// "2-3": counted from 1, as in the pictures.
std::string layer_and_head(const Selection& selection) {
    return std::to_string(*parse_site(selection.site).layer + 1) + '-' + std::to_string(selection.head + 1);
}

std::vector<ViewSettings> walked(const Arguments& arguments, const ViewSettings& view, const Trace& trace) {
    const NamedWalk& walk = asked_walk(arguments);
    if (!walk.walk)
        arguments.refuse(walking(arguments),
                         "what a training wrote about itself (headlight train --record FILE)", "maps");
    const Followers followers = followers_of(walk, view);
    if (followers.empty())
        arguments.refuse(walking(arguments), "a panel without a " + std::string(walk.each) + " of its own",
                         "none");
    std::vector<ViewSettings> all = walk.walk(arguments, view, followers, trace);
    if (all.empty() || static_cast<Index>(all.size()) > most_frames)
        arguments.refuse(walking(arguments), "1 to " + std::to_string(most_frames) + " pictures",
                         std::to_string(all.size()));
    return all;
}

/// "stages or map"
std::string moving_views() {
    std::vector<std::string> words;
    for (const View& each : views())
        if (each.moves)
            words.emplace_back(each.kind.word());
    return list_in_words(words, "or");
}

double frame_rate(const Arguments& arguments) {
    constexpr double usual = 2;  // each picture is looked at
    return arguments.number(rate_option.name, is_motion(arguments) ? usual_motion_rate : usual, 0.1, 50);
}

}  // namespace

std::vector<std::string> frame_words() { return walk_words(&NamedWalk::frames); }

std::vector<std::string> each_words() { return walk_words(&NamedWalk::each); }

std::optional<ViewKind> view_of_walk(const Arguments& arguments) {
    if (is_motion(arguments))
        return ViewKind::stages;
    const bool walks_at_all = arguments.has(frames_option.name) || arguments.has(each_option.name);
    const bool are_steps = walks_at_all && asked_walk(arguments).walk == step_frames;
    return are_steps ? std::optional(ViewKind::steps) : std::nullopt;
}

bool is_film(const Arguments& arguments) {
    return arguments.has(frames_option.name) && asked_walk(arguments).frames == film_frames;
}

bool is_motion(const Arguments& arguments) {
    return arguments.has(frames_option.name) && asked_walk(arguments).frames == motion_frames;
}

FilmStrip motion_of(const Arguments& arguments, const std::function<Figure()>& draw, const Trace& trace,
                    const ViewSettings& view) {
    if (!headlight::view(view.view).moves || !view.options.panels.empty())
        arguments.refuse(frames_option.name, "the view " + moving_views() + ", without panels of a figure",
                         view.options.panels.empty() ? std::string(to_word(view.view)) : "--panel");
    const auto still = std::make_shared<const Figure>(draw());
    return motion_film(still, Motion(still, trace, view.selection), frame_rate(arguments));
}

FilmStrip film_of(const Arguments& arguments, const FigureSource& source, ViewSettings view) {
    const LearningRun& run = source.learning.front();
    const auto& frames = run.record->film.frames();
    if (frames.empty())
        throw Error({"draw a film", run.name, "a training whose film has a frame",
                     run.record->film_problem.empty() ? "none" : run.record->film_problem});
    const std::string site = arguments.value("--site").value_or(std::string());
    std::vector<std::string> sites;
    for (const FilmedMap& map : frames.front()->maps)
        sites.push_back(map.site);
    if (!site.empty() && std::ranges::count(sites, site) == 0)
        arguments.refuse("--site", list_of(sites), quoted_with_hint(site, sites));
    const bool shows_loss = arguments.value("--view") == "learning";
    view.options.panels.clear();
    return {frames.size(), [learning = source.learning, frames, site, shows_loss, view](std::size_t number) {
                const Index step = frames[number]->step;
                Figure figure = film_figure(shots_of(learning, step), site, view);
                apply_options(figure, view);
                if (!shows_loss || learning.front().record->loss.points().empty())
                    return figure;
                return with_loss_curve(std::move(figure), learning, step, false);
            }};
}

int frame_time(const Arguments& arguments) {
    return static_cast<int>(std::lround(1000 / frame_rate(arguments)));
}

std::vector<ViewSettings> frames(const Arguments& arguments, const ViewSettings& view, const Trace& trace) {
    return walked(arguments, view, trace);
}

std::vector<Walked> each_of(const Arguments& arguments, const ViewSettings& view, const Trace& trace) {
    const Walk walk = asked_walk(arguments).walk;
    const std::vector<ViewSettings> views = walked(arguments, view, trace);
    const bool has_layers =
        walk == head_frames && views.front().selection.site != views.back().selection.site;
    std::vector<Walked> all;
    for (const ViewSettings& one : views) {
        std::string name = walk == stage_frames  ? one.selection.stage
                           : walk == site_frames ? one.selection.site
                           : has_layers          ? layer_and_head(one.selection)
                                                 : "";
        std::ranges::replace(name, '/', '-');  // of a capture it may be any text
        all.push_back({name.empty() ? std::to_string(all.size() + 1) : name, one});
    }
    return all;
}

std::filesystem::path numbered(const std::filesystem::path& output, const std::string& name) {
    std::string file = output.filename().string();
    const std::string extension = output.extension().string();
    if (const std::size_t place = file.find("{}"); place != std::string::npos)
        file.replace(place, 2, name);
    else
        file = output.stem().string() + '-' + name + extension;
    return output.parent_path() / file;
}

}  // namespace headlight

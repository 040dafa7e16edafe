#include "app/cli/frames.h"

#include "core/figure/build_figure.h"
#include "core/figure/view.h"

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

[[noreturn]] void refuse_view(const Arguments& arguments, const std::string& expected,
                              const ViewSettings& view) {
    arguments.refuse(frames_option.name, expected, std::string(to_word(view.view)));
}

std::vector<ViewSettings> step_frames(const Arguments& arguments, const ViewSettings& view,
                                      const Trace& trace) {
    const View& shown = headlight::view(view.view);
    if (!shown.rows_arrive && shown.plays != PlayMode::step)
        refuse_view(arguments, "a view that has steps, such as steps", view);
    std::vector<ViewSettings> all;
    for (Index step = 0; step < extent_at(trace, view, Axis::query); ++step) {
        all.push_back(view);
        (shown.rows_arrive ? all.back().decoding_step.emplace() : all.back().selection.query) = step;
    }
    return all;
}

std::vector<ViewSettings> stage_frames(const Arguments& arguments, const ViewSettings& view,
                                       const Trace& trace) {
    const View::Stages drawn = headlight::view(view.view).stages;
    if (drawn != View::Stages::all && drawn != View::Stages::maps)
        refuse_view(arguments, "a view of any stage, such as heatmap", view);
    std::vector<ViewSettings> all;
    for (const std::string& name : visible_stages(trace, view.selection.site)) {
        const Stage* stage = trace.find(name, view.selection.site);
        const bool is_map = stage && stage->has_axis(Axis::query) && stage->has_axis(Axis::key);
        if (drawn == View::Stages::maps && !is_map)
            continue;
        all.push_back(view);
        all.back().selection.stage = name;
    }
    return all;
}

std::vector<ViewSettings> head_frames(const Arguments& arguments, const ViewSettings& view,
                                      const Trace& trace) {
    const View& shown = headlight::view(view.view);
    if (shown.all_heads || shown.reads_every_head)
        refuse_view(arguments, "a view of one head, such as heatmap", view);
    std::vector<ViewSettings> all;
    for (Index head = 0; head < extent_at(trace, view, Axis::head); ++head) {
        all.push_back(view);
        all.back().selection.head = head;
    }
    return all;
}

using Walk = std::vector<ViewSettings> (*)(const Arguments&, const ViewSettings&, const Trace&);
constexpr std::pair<std::string_view, Walk> walks[] = {
    {"steps", step_frames}, {"stages", stage_frames}, {"heads", head_frames}};

Walk asked_walk(const Arguments& arguments) {
    const std::string typed = *arguments.value(frames_option.name);
    for (const auto& [word, walk] : walks)
        if (word == typed)
            return walk;
    arguments.refuse(frames_option.name, list_of(frame_words()), quoted_with_hint(typed, frame_words()));
}

}  // namespace

std::vector<std::string> frame_words() {
    std::vector<std::string> list;
    for (const auto& [word, walk] : walks)
        list.emplace_back(word);
    return list;
}

std::optional<ViewKind> view_of_frames(const Arguments& arguments) {
    const bool are_steps = arguments.has(frames_option.name) && asked_walk(arguments) == step_frames;
    return are_steps ? std::optional(ViewKind::steps) : std::nullopt;
}

int frame_time(const Arguments& arguments) {
    return static_cast<int>(std::lround(1000 / arguments.number(rate_option.name, 2, 0.1, 50)));
}

std::vector<ViewSettings> frames(const Arguments& arguments, const ViewSettings& view, const Trace& trace) {
    std::vector<ViewSettings> all = asked_walk(arguments)(arguments, view, trace);
    if (all.empty() || static_cast<Index>(all.size()) > most_frames)
        arguments.refuse(frames_option.name, "1 to " + std::to_string(most_frames) + " frames",
                         std::to_string(all.size()));
    return all;
}

}  // namespace headlight

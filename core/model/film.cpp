#include "core/model/film.h"

#include "core/model/prompt.h"
#include "core/model/step_rows.h"

#include <algorithm>
#include <span>

namespace headlight {

namespace {

/// What the site weighed in all steps of the generation.
FilmedMap map_of(const SiteDescription& site, const std::vector<const SiteStep*>& steps) {
    const StepRows all = step_rows(steps);
    FilmedMap map{site.name, all.heads, all.rows, all.columns,
                  std::vector<float>(static_cast<std::size_t>(all.size()))};
    for_each_weight(steps, [&](std::size_t to, const SiteStep& step, Index row, Index column) {
        map.weights[to] = step.weights(row, column);
    });
    return map;
}

/// Lets the generation say the text, and returns what it was followed by.
std::vector<Index> said(const TaskModel& model, Generation& generation, const Prompt& prompt,
                        const FilmedText& text) {
    begin(generation, prompt);
    if (model.task.kind == TaskKind::language_model)  // its text is all given
        return generate(model, generation, 1, {}, 0);
    if (!text.target)
        return generate(model, generation, longest_answer(model, prompt), {}, 0);
    std::vector<Index> tokens = forced_tokens(model, prompt, *text.target);
    force(generation, tokens);
    return tokens;
}

}  // namespace

FilmedText filmed_example(const Task& task, Index number) {
    constexpr std::uint64_t seed = 1;
    const Example drawn = example(task, seed, number, Split::held_out);
    if (task.kind == TaskKind::language_model) {
        constexpr Index most = 32;  // a picture of more has no room for the words
        const auto length = static_cast<std::size_t>(std::min<Index>(std::ssize(drawn.target), most));
        return {text_of(task, std::span(drawn.target).first(length), Side::target), {}};
    }
    return {text_of(task, drawn.source, Side::source), text_of(task, drawn.target, Side::target)};
}

const FilmedMap* FilmFrame::find(std::string_view site) const {
    const auto found = std::ranges::find(maps, site, &FilmedMap::site);
    return found == maps.end() ? nullptr : &*found;
}

std::size_t FilmFrame::bytes() const {
    std::size_t sum = 0;
    for (const FilmedMap& map : maps)
        sum += map.weights.size() * sizeof(float);
    return sum;
}

FilmFrame film_frame(const TaskModel& model, std::span<const float> weights, const FilmedText& text,
                     Index step) {
    const Prompt read = prompt(model, text.source);
    Generation generation(*model.host, weights, read.source);
    const std::vector<Index> tokens = said(model, generation, read, text);
    FilmFrame frame{step, generated_words(model, generation, tokens), {}};
    for (const SiteDescription& site : model.host->sites())
        if (const auto steps = steps_of(site, generation);
            !steps.empty() && steps.front()->weights.size() > 0)
            frame.maps.push_back(map_of(site, steps));
    return frame;
}

void Film::add(std::shared_ptr<const FilmFrame> frame) {
    if (!frames_.empty() && frames_.back()->step == frame->step)
        frames_.pop_back();
    frames_.push_back(std::move(frame));
    while (frames_.size() > 2 && (frames_.size() > limits_.frames || bytes() > limits_.bytes)) {
        every_ *= 2;
        const Index newest = frames_.back()->step;
        std::erase_if(frames_, [&](const auto& each) { return each->step != newest && !wants(each->step); });
    }
}

void Film::cut_after(Index step) {
    std::erase_if(frames_, [&](const auto& each) { return each->step > step; });
}

std::shared_ptr<const FilmFrame> Film::at(Index step) const {
    if (frames_.empty())
        return nullptr;
    const auto after = std::ranges::upper_bound(frames_, step, {}, &FilmFrame::step);
    return after == frames_.begin() ? *after : *std::prev(after);
}

std::size_t Film::bytes() const {
    std::size_t sum = 0;
    for (const auto& frame : frames_)
        sum += frame->bytes();
    return sum;
}

}  // namespace headlight

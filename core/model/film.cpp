#include "core/model/film.h"

#include "core/attention/allowed_pairs.h"
#include "core/model/prompt.h"
#include "core/model/step_rows.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <limits>
#include <span>

namespace headlight {

namespace {

/// [head, row, column], 1 = forbidden by the mask of a site that is computed by its program, whose scores
/// nobody has; nothing of a mask that is only known for other lengths.
std::vector<std::uint8_t> forbidden_by_mask(const AttentionSpec& spec, const StepRows& all) {
    std::vector<std::uint8_t> forbidden(static_cast<std::size_t>(all.size()));
    if (spec.mask_value)
        return forbidden;
    try {
        const AllowedPairs allowed(spec.mask, all.rows, all.columns);
        auto to = forbidden.begin();
        for (Index head = 0; head < all.heads; ++head)
            for (Index row = 0; row < all.rows; ++row)
                for (const std::uint8_t cell : allowed.row(row))
                    *to++ = !cell;
    } catch (const Error&) {
        std::ranges::fill(forbidden, std::uint8_t(0));
    }
    return forbidden;
}

/// What the site weighed in all steps of the generation.
FilmedMap map_of(const SiteDescription& site, const std::vector<const SiteStep*>& steps) {
    const StepRows all = step_rows(steps);
    FilmedMap map{site.name, all.heads, all.rows, all.columns,
                  std::vector<float>(static_cast<std::size_t>(all.size()))};
    const bool has_scores = steps.front()->scores.size() == steps.front()->weights.size();
    // To a step the keys of later ones are not there.
    map.forbidden = has_scores ? std::vector<std::uint8_t>(map.weights.size(), std::uint8_t(1))
                               : forbidden_by_mask(site.spec, all);
    for_each_weight(steps, [&](std::size_t to, const SiteStep& step, Index row, Index column) {
        map.weights[to] = step.weights(row, column);
        if (has_scores)
            map.forbidden[to] = step.scores(row, column) == -std::numeric_limits<float>::infinity();
    });
    if (std::ranges::count(map.forbidden, 1) == 0)
        map.forbidden.clear();
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
        sum += map.weights.size() * sizeof(float) + map.forbidden.size();
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

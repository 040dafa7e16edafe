#include "core/model/tasks/task.h"

#include "core/model/tasks/declarations.h"
#include "core/tensor/error.h"
#include "core/tensor/words.h"

#include <algorithm>

namespace headlight {
namespace {

std::vector<Task> declared_tasks() {
    std::vector<Task> all;
    for (const Declaration<Task>& each : task_declarations())
        all.push_back(each.declare());
    std::ranges::sort(all, {}, [](const Task& each) { return std::pair(each.order, each.id); });
    return all;
}

}  // namespace

Tokens Sound::times(Index frames) const {
    Tokens times;
    for (Index frame = 0; frame < frames; ++frame)
        times.push_back(std::to_string(frame * milliseconds) + " ms");
    return times;
}

Tokens names_of_pairs(const Tokens& tokens, Index points) {
    Tokens names;
    for (const std::string& token : tokens) {
        const Index pair = std::ssize(names);
        names.push_back(std::to_string(1 + pair / points) + "→" + std::to_string(1 + pair % points) + ' ' +
                        token);
    }
    return names;
}

std::span<const Task> tasks() {
    static const std::vector<Task> all = declared_tasks();
    return all;
}

const Task& task(std::string_view id) {
    std::vector<std::string> ids;
    for (const Task& each : tasks()) {
        if (each.id == id)
            return each;
        ids.push_back(each.id);
    }
    throw Error({.what = "find a task",
                 .where = {},
                 .expected = list_of(ids),
                 .got = quoted_with_hint(std::string(id), ids)});
}

namespace {

/// What the split goes by.
Tokens key_of(const Task& task, const Example& example) {
    if (task.split_by != nullptr)
        return task.split_by(example);
    return example.source.empty() ? example.target : example.source;
}

}  // namespace

Split split_of(const Task& task, const Example& example) {
    const Tokens key = key_of(task, example);
    if (task.shown && key == key_of(task, *task.shown))
        return Split::held_out;
    std::uint64_t hash = 0;  // independent of the seeds: what is held out for one training is for all
    for (const std::string& token : key)
        hash = substream(hash, token);
    return hash % 100 < static_cast<std::uint64_t>(task.held_out_percent) ? Split::held_out : Split::training;
}

Example example(const Task& task, std::uint64_t seed, Index number, Split split) {
    const std::uint64_t stream = substream(substream(seed, task.id), split == Split::training ? 0u : 1u);
    Random random(substream(stream, static_cast<std::uint64_t>(number)));
    constexpr int patience = 100'000;  // of a split that holds 10 % nobody draws this many others in a row
    for (int tries = 0; tries < patience; ++tries) {
        Example drawn = task.make(random);
        if (split_of(task, drawn) == split)
            return drawn;
    }
    throw Error({.what = "draw an example of task " + task.id,
                 .where = {},
                 .expected = split == Split::training ? "examples for training" : "held-out examples",
                 .got = std::to_string(patience) + " examples of the other split (" +
                        std::to_string(task.held_out_percent) + " % are held out)"});
}

Example as_one_text(const Example& example) {
    Example text;
    text.target = example.source;
    text.target.emplace_back(text_separator);
    text.given = static_cast<Index>(text.target.size());
    text.target.insert(text.target.end(), example.target.begin(), example.target.end());
    return text;
}

}  // namespace headlight

#include "core/model/attention_choices.h"

#include "core/attention/spec_words.h"
#include "core/catalog/mechanism.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <string>
#include <utility>

namespace headlight {

namespace {

/// What tells the attention of two models apart.
struct Weighing {
    Score score;
    Normalizer normalizer;
    LocalWindow window;
    std::optional<AttentionSpec> mechanism;
    bool operator==(const Weighing&) const = default;
};

Weighing weighing_of(const ModelSpec& spec) {
    const CommonSettings& common = spec.common();
    const AttentionSpec* mechanism = spec.mechanism();
    return {common.score, common.normalizer, spec.window(),
            mechanism ? std::optional(*mechanism) : std::nullopt};
}

/// What a host can learn with does not depend on its size, and a small one is tried in a fraction of the
/// time: four heads of eight numbers each, in which every part of a mechanism has room.
constexpr Index tried_width = 32, tried_heads = 4;

Recipe recipe_of(const Task& task, HostType host, std::string_view attention) {
    Recipe recipe;
    recipe.task = task.id;
    recipe.host = host;
    recipe.attention = attention;
    recipe.width = tried_width;
    return recipe;
}

/// What a model of the host that learns the task would weigh with. Throws Error where it cannot.
Weighing try_attention(const Task& task, HostType host, std::string_view attention) {
    return weighing_of(prepare(recipe_of(task, host, attention)).settings.model);
}

}  // namespace

std::vector<AttentionChoice> all_attentions() {
    using Kind = AttentionChoice::Kind;
    std::vector<AttentionChoice> all;
    const auto add = [&all](std::string_view name, std::string_view meaning, Kind kind) {
        if (std::ranges::find(all, name, &AttentionChoice::name) == all.end())
            all.push_back({std::string(name), std::string(meaning), kind});
    };
    for (const Word<ScoreType>& word : words<ScoreType>())
        add(word.word, word.meaning, Kind::score);
    for (const Word<NormalizerType>& word : words<NormalizerType>())
        add(word.word, word.meaning, Kind::normalizer);
    for (const Mechanism& mechanism : mechanisms())
        add(mechanism.id, mechanism.name, Kind::mechanism);
    // Scores and normalisers by their names, mechanisms as they are taught.
    std::ranges::stable_sort(all, {}, [](const AttentionChoice& each) {
        return std::pair(each.kind, each.kind == Kind::mechanism ? "" : each.name);
    });
    return all;
}

bool is_possible_attention(const Task& task, HostType host, std::string_view attention) {
    try {
        try_attention(task, host, attention);
        return true;
    } catch (const Error&) {
        return false;
    }
}

std::optional<Error> why_impossible(const Task& task, HostType host, const AttentionSpec& own) {
    Recipe recipe = recipe_of(task, host, {});
    recipe.own = own;
    recipe.heads = tried_heads;  // its own need not divide that width
    try {
        prepare(recipe);
        return std::nullopt;
    } catch (const Error& error) {
        return error;
    }
}

std::vector<AttentionChoice> possible_attentions(const Task& task, HostType host) {
    std::vector<Weighing> seen;
    std::vector<AttentionChoice> possible;
    for (AttentionChoice& each : all_attentions()) {
        Interruption::check();
        try {
            Weighing weighing = try_attention(task, host, each.name);
            if (std::ranges::find(seen, weighing) != seen.end())
                continue;
            seen.push_back(std::move(weighing));
            possible.push_back(std::move(each));
        } catch (const Error&) {
            continue;  // not for this host
        }
    }
    return possible;
}

}  // namespace headlight

#include "core/model/attention_choices.h"

#include "core/attention/spec_words.h"
#include "core/catalog/mechanism.h"
#include "core/tensor/error.h"

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
constexpr Index tried_width = 32;

Recipe recipe_of(const Task& task, HostType host, std::string_view attention) {
    Recipe recipe;
    recipe.task = task.id;
    recipe.host = host;
    recipe.attention = attention;
    recipe.width = tried_width;
    return recipe;
}

class Choices {
public:
    Choices(const Task& task, HostType host) : task_(task), host_(host) {}

    void add(std::string_view name, std::string_view meaning, AttentionChoice::Kind kind) {
        try {
            const Weighing weighing = weighing_of(prepare(recipe_of(task_, host_, name)).settings.model);
            if (std::ranges::find(seen_, weighing) != seen_.end())
                return;
            seen_.push_back(weighing);
            found_.push_back({std::string(name), std::string(meaning), kind});
        } catch (const Error&) {
            return;  // not for this host
        }
    }
    /// Scores and normalisers by their names, mechanisms as they are taught.
    std::vector<AttentionChoice> found() && {
        std::ranges::stable_sort(found_, {}, [](const AttentionChoice& each) {
            return std::pair(each.kind, each.kind == AttentionChoice::Kind::mechanism ? "" : each.name);
        });
        return std::move(found_);
    }

private:
    const Task& task_;
    HostType host_;
    std::vector<Weighing> seen_;
    std::vector<AttentionChoice> found_;
};

}  // namespace

std::vector<AttentionChoice> possible_attentions(const Task& task, HostType host) {
    using Kind = AttentionChoice::Kind;
    Choices choices(task, host);
    for (const Word<ScoreType>& word : words<ScoreType>())
        choices.add(word.word, word.meaning, Kind::score);
    for (const Word<NormalizerType>& word : words<NormalizerType>())
        choices.add(word.word, word.meaning, Kind::normalizer);
    for (const Mechanism& mechanism : mechanisms())
        choices.add(mechanism.id, mechanism.name, Kind::mechanism);
    return std::move(choices).found();
}

}  // namespace headlight

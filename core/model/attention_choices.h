#pragma once

#include "core/model/recipe.h"
#include "core/tensor/error.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// An attention that a model can be trained with, by the name that a Recipe takes.
struct AttentionChoice {
    enum class Kind { score, normalizer, mechanism };
    std::string name;
    std::string meaning;
    Kind kind = Kind::score;
};

/// Scores, normalisers, and the mechanisms of the catalogue that are called like none of these: whatever some
/// host may be able to attend with, one kind behind the other, the first two by their names.
std::vector<AttentionChoice> all_attentions();

/// Whether a host that learns the task can attend with it. Tries it: a matter of milliseconds.
bool is_possible_attention(const Task& task, HostType host, std::string_view attention);

/// Why a host that learns the task cannot attend with a mechanism that is in no catalogue; nothing where it
/// can. Tries it.
std::optional<Error> why_impossible(const Task& task, HostType host, const AttentionSpec& own);

/// What a host that learns the task can attend with: scores, normalisers, and the mechanisms of the catalogue
/// that come to something else than these, in the order of all_attentions(). Tries each: a
/// matter of seconds, not for a thread that draws.
std::vector<AttentionChoice> possible_attentions(const Task& task, HostType host);

}  // namespace headlight

#pragma once

#include "core/model/recipe.h"

#include <vector>

namespace headlight {

/// An attention that a model can be trained with, by the name that a Recipe takes.
struct AttentionChoice {
    enum class Kind { score, normalizer, mechanism };
    std::string name;
    std::string meaning;
    Kind kind = Kind::score;
};

/// What a host that learns the task can attend with: scores, normalisers, and the mechanisms of the catalogue
/// that come to something else than these, one kind behind the other, the first two by their names. Tries
/// each: a matter of seconds, not for a thread that draws.
std::vector<AttentionChoice> possible_attentions(const Task& task, HostType host);

}  // namespace headlight

#pragma once

#include "core/model/recipe.h"

#include <QString>

namespace headlight {

/// "GRU", "Transformer"
QString host_title(HostType host);

/// What a person calls a run of the recipe: what is learned, what attends, and in which model. "Copy ·
/// additive · copying · GRU".
QString training_title(const Recipe& recipe);

}  // namespace headlight

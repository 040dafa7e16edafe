#pragma once

#include "core/model/recipe.h"

#include <QString>

namespace headlight {

/// What each layer attends with, a line for each: "1–5: Sliding window attention (size=4)". Neighbours that
/// are alike share one.
QString layer_list_text(const LayerList& list);

}  // namespace headlight

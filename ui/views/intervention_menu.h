#pragma once

#include "core/figure/view_settings.h"

#include <functional>

namespace headlight {

class ContextMenu;
class Document;
struct CellPlace;

/// Adds to `menu` what a person can change at this place of a model's weights, each an undoable step; nothing
/// for a mechanism. `ask_weight` lets the person say a weight.
void add_interventions(ContextMenu& menu, Document& document, const CellPlace& place,
                       const std::function<void()>& ask_weight);

}  // namespace headlight

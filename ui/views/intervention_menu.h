#pragma once

#include "core/figure/view_settings.h"

#include <functional>
#include <memory>

class QMenu;
class QWidget;

namespace headlight {

class Document;
struct CellPlace;

/// What a person can change at this place of a model's weights, each an undoable step: null where there is
/// nothing, as for a mechanism. `ask_weight` lets the person say a weight.
std::unique_ptr<QMenu> intervention_menu(Document& document, const CellPlace& place,
                                         const std::function<void()>& ask_weight, QWidget* parent);

}  // namespace headlight

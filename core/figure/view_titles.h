#pragma once

#include "core/figure/panel_maker.h"

#include <initializer_list>
#include <string>

namespace headlight {

// What the builders of several views share.

/// The parts that are not empty.
std::string join(std::initializer_list<std::string> parts, const std::string& separator);

/// "weights" for "Weights".
std::string in_a_sentence(std::string title);

/// A stage with axes [query, key]: the selected one, or the weights where that has another shape.
std::string map_stage(const PanelMaker& maker);

/// The panel of a stage in a head, titled with both, in focus.
Panel head_panel(const PanelMaker& maker, const std::string& stage, Index head);
/// In the selected head.
Panel head_panel(const PanelMaker& maker, const std::string& stage);

}  // namespace headlight

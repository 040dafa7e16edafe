#pragma once

#include "core/figure/panel_maker.h"

#include <initializer_list>
#include <string>
#include <string_view>

namespace headlight {

// What the builders of several views share.

/// The parts that are not empty.
std::string join(std::initializer_list<std::string> parts, const std::string& separator);

/// "weights" for "Weights".
std::string in_a_sentence(std::string title);
/// The same of a title that begins with that of a stage: the name of a line that a person typed stays as it
/// was written, "Attn" as well as "A".
std::string in_a_sentence(std::string title, std::string_view stage);

/// A stage with axes [query, key]: the selected one, or the weights where that has another shape.
std::string map_stage(const PanelMaker& maker);

/// The panel of a stage in a head, titled with both, in focus.
Panel head_panel(const PanelMaker& maker, const std::string& stage, Index head);
/// In the selected head.
Panel head_panel(const PanelMaker& maker, const std::string& stage);

}  // namespace headlight

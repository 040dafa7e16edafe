#pragma once

#include "core/figure/panel_maker.h"

namespace headlight {

/// The panels of the stages view: a strip of every visible stage, then the stage in focus with what it is
/// computed from, joined by operators: query × keyᵀ = scores.
std::vector<Panel> stage_panels(const PanelMaker& maker);

/// The stages that a visible one is computed from, each as the chain shows it; empty where it is given, or
/// nobody says.
std::vector<std::string> sources_of(const PanelMaker& maker, const std::string& stage);

}  // namespace headlight

#pragma once

#include "core/figure/arriving_weights.h"
#include "core/figure/flow.h"
#include "core/figure/panel_maker.h"

namespace headlight {

/// Whether the trace is of a model: it has sites, and not a mechanism's stages.
bool is_of_model(const Trace& trace);

/// The parts of a model: its texts, the layers of each stack, what an encoder hands on and what is said. The
/// site in view is lit, and from each of its keys comes an arrow as thick as the weight that the selected
/// query and head give it.
Flow model_flow(const PanelMaker& maker, const ArrivingWeights& arriving);

}  // namespace headlight

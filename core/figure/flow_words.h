#pragma once

#include "core/figure/arriving_weights.h"
#include "core/figure/flow.h"
#include "core/figure/panel_maker.h"

namespace headlight {

/// "head 1 of 2, query “noir”": whose weights the arrows are; empty where nothing attends.
std::string row_in_words(const PanelMaker& maker, const ArrivingWeights& arriving);

/// "In view: decoder layer 2, looks at the source, head 1 of 2, query “noir”. ... Thickest arrows: “black”
/// 0.61, ...": where in the model one is, and what flows in.
std::string model_in_words(const PanelMaker& maker, const Flow& flow, const ArrivingWeights& arriving);

}  // namespace headlight

#pragma once

#include "core/model/recipe.h"

namespace headlight {

/// How large a model learns a task, and how long.
struct Preset {
    Index width = 0;
    Index steps = 0;
    double peak = 2e-3;  ///< of the learning rate
    // Only in Transformers:
    Index layers = 2;  ///< of the encoder and of the decoder
    PositionEncoding places = PositionEncoding::sinusoidal;
};

/// One with which this host has been seen to learn the task; for a task that has none, one to begin with.
const Preset& preset(std::string_view task, HostType host);

}  // namespace headlight

#pragma once

#include "app/cli/arguments.h"
#include "core/attention/trace.h"
#include "core/figure/view_settings.h"

#include <optional>

namespace headlight {

/// The heads of --head that stand for all; nothing where it names one, or is not there.
std::optional<PooledHeads> pooled_heads(const Arguments& arguments);

/// What --layer makes of all layers; nothing where it names one, or is not there.
std::optional<MapReduction> pooled_layers(const Arguments& arguments);

/// Site, stage, head, query and step, which must be in the trace: a script must never get the picture of
/// another head. `is_of_one_head`: --layer and --head have chosen the file.
ViewSettings with_selection(const Arguments& arguments, ViewSettings view, const Trace& trace,
                            bool is_of_one_head);

}  // namespace headlight

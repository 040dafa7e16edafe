#pragma once

#include "core/attention/trace.h"

#include <string>
#include <vector>

namespace headlight {

/// The weights at the sites of one kind ("encoder", "decoder", "cross", or those of a capture without kinds),
/// the first layer first. Empty where the site is of no layer.
std::vector<const Stage*> weights_of_layers(const Trace& trace, const std::string& site);

/// Why one map cannot stand for those of all layers of the site's kind, in words; empty if it can: they need
/// to be of one size and of as many heads.
std::string layers_lack(const Trace& trace, const std::string& site);

}  // namespace headlight

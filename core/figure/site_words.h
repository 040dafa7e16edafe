#pragma once

#include "core/attention/trace.h"

#include <string>

namespace headlight {

// Files name the places of a model that attend, and count its layers from 0: "decoder.1.cross". People read
// "decoder layer 2, looks at the source".

/// Whether the site is of another layer than the first: then layers have to be told apart.
bool is_of_later_layer(const std::string& site);

/// Whether the trace has sites of several layers.
bool has_layers(const Trace& trace);

/// "decoder layer 2, looks at the source" for "decoder.1.cross"; "decoder, looks at itself" for
/// "decoder.0.self" where there is only one layer; "decoder, query stream" for "decoder.0.query"; "layer 2"
/// for "layer.1" of a capture. The name itself where it names no layer.
std::string site_in_words(const std::string& site, bool has_layers);

/// The same where there is little room, as beside the rows of a grid: "decoder 2 → source", "encoder 1".
std::string short_site_words(const std::string& site, bool has_layers);

/// site_in_words() with a capital letter, for lists.
std::string site_title(const std::string& site, bool has_layers);

}  // namespace headlight

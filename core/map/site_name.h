#pragma once

#include "core/map/map_source.h"

#include <optional>
#include <string>
#include <string_view>

namespace headlight {

/// Files name the places of a model that attend "encoder.0.self", "decoder.1.cross" or, of a model without
/// layers, "decoder.cross", and count layers from 0; a capture of maps without a name has "layer.0". The
/// streams of a decoder that has two are "decoder.0.content" and "decoder.0.query".
struct SiteName {
    std::string kind;            ///< "encoder", "decoder", "cross" or a stream; empty for "layer.0"
    std::optional<Index> layer;  ///< nothing where the site has none
};

/// The kinds of the streams. A capture may have maps that are called "content" or "query".
inline constexpr std::string_view content_stream = "decoder.content", query_stream = "decoder.query";
bool is_stream(std::string_view kind);

/// Splits a site's name. The kind of any other site is the site, without its layer where it ends with one.
SiteName parse_site(const std::string& site);

/// The site of a layer, from 0: parse_site() of it gives both back.
std::string site_of(const std::string& kind, Index layer);

/// The place of a site's first query in the text of its keys: a query of two streams stands where its word
/// will, behind what has been read, and its row is one less than its place.
Index first_query_place(const std::string& site);
/// That of a layer of the maps.
Index first_query_place(const LabelledMaps& maps, Index layer);

/// Where a layer of the maps is in their trace, or would be in one.
std::string site_at(const LabelledMaps& maps, Index layer);

/// The number in the model, from 0, of a layer of the maps: its place among them where nobody gave it one.
Index layer_in_model(const LabelledMaps& maps, Index layer);

}  // namespace headlight

#pragma once

#include "core/attention/trace.h"
#include "core/map/map_source.h"

#include <span>
#include <string>
#include <vector>

namespace headlight {

/// The weights of a trace. Of a model the sites of one kind are one source, a layer each: "encoder" has
/// encoder.0.self, encoder.1.self and so on. Throws Error when the trace has recorded no weights.
std::vector<LabelledMaps> maps_of(const std::shared_ptr<const Trace>& trace);

/// The same, compared with those of another trace at the same sites, where it has as many queries and keys.
std::vector<LabelledMaps> maps_of(const std::shared_ptr<const Trace>& trace,
                                  const std::shared_ptr<const Trace>& other);
/// Says in words which weights of a stage with sparse rows are missing (MapSource::left_out()).
std::string left_out_of(const Trace& trace, const Stage& stage);
inline bool is_sparse(const Trace& trace, const Stage& stage) { return !left_out_of(trace, stage).empty(); }
/// Whether a stage is the weights that a linear layer implies and never forms: those of a capture
/// (MapSource::is_implied()), and those of a mechanism whose algorithm keeps a state in place of a map.
bool is_implied(const Trace& trace, const Stage& stage);
/// Whether numbers of a lazy stage may be negative, of which nobody can tell without reading them all.
bool may_be_negative(const Trace& trace, const Stage& stage);
/// Whether some stage is.
bool has_implied_weights(const Trace& trace);

/// A part of a head's map, [block.rows, block.columns] in `to`, also of a map that is too large to be kept.
/// The stage is [head, query, key]. Throws Error where lazy numbers cannot be read.
void read_block(const Trace& trace, const Stage& stage, Index head, const MapBlock& block,
                std::span<double> to);

}  // namespace headlight

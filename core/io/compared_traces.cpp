#include "core/io/compared_traces.h"

#include "core/map/aligned_maps.h"
#include "core/map/maps_trace.h"
#include "core/map/trace_maps.h"

#include <utility>

namespace headlight {
namespace {

/// Two texts, models or files may be called alike; a picture of both has to tell them apart.
std::string other_name(const std::string& name, const std::string& of_first) {
    return name == of_first ? name + " (2)" : name;
}

}  // namespace

ComparedTraces compared_traces(const NamedMaps& first, const NamedMaps& second) {
    const AlignedMaps maps = aligned(first.maps, second.maps);
    ComparedTraces traces{trace_of(maps.first, first.name), {}};
    traces.trace.left_out = maps.left_out;
    traces.other = std::make_shared<const Trace>(trace_of(maps.second, other_name(second.name, first.name)));
    return traces;
}

ComparedTraces compared_traces(Trace first, Trace second) {
    second.name = other_name(second.name, first.name);
    const auto own = std::make_shared<Trace>(std::move(first));
    auto other = std::make_shared<const Trace>(std::move(second));
    const SpreadMaps others = spread(maps_of(own), maps_of(other));
    own->left_out = others.without_partner;
    if (!others.is_whole)
        other = std::make_shared<const Trace>(trace_of(others.maps, other->name));
    return {std::move(*own), other};  // nobody reads it any more
}

ComparedMaps compared_maps(const std::vector<LabelledMaps>& first, const std::vector<LabelledMaps>& second) {
    AlignedMaps maps = aligned(first, second);
    for (std::size_t i = 0; i < maps.first.size(); ++i)
        maps.first[i].other = maps.second[i].maps;
    return {std::move(maps.first), std::move(maps.left_out)};
}

}  // namespace headlight

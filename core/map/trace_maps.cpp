#include "core/map/trace_maps.h"

#include "core/attention/component.h"
#include "core/attention/forbidden_pairs.h"
#include "core/map/forwarding_maps.h"
#include "core/map/map_tiles.h"
#include "core/map/site_name.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <map>
#include <mutex>

namespace headlight {
namespace {

MapSource::Extents extents_of(const Stage& weights, Index layers) {
    return {layers, weights.heads(), weights.extent(Axis::query), weights.extent(Axis::key)};
}

/// Where a stage's maps are made as they are looked at; null where the trace has the numbers.
std::shared_ptr<const MapSource> origin_of_stage(const Trace& trace, const Stage& stage) {
    if (!stage.is_lazy)
        return nullptr;
    const MapOrigin& origin = trace.lazy_maps(stage).origin();
    return origin.tiles ? origin.tiles->maps() : nullptr;
}

ForwardingMaps::Sources origins_of_stages(const Trace& trace, const std::vector<const Stage*>& stages) {
    ForwardingMaps::Sources origins;
    for (const Stage* stage : stages)
        if (auto origin = origin_of_stage(trace, *stage); std::ranges::find(origins, origin) == origins.end())
            origins.push_back(std::move(origin));
    return origins;
}

class TraceMaps : public ForwardingMaps {
public:
    TraceMaps(std::shared_ptr<const Trace> trace, std::vector<const Stage*> layers)
        : ForwardingMaps(extents_of(*layers.front(), std::ssize(layers)), origins_of_stages(*trace, layers)),
          trace_(std::move(trace)), layers_(std::move(layers)) {}

    void read_rows(MapPlace place, Index first, Index count, std::span<double> to) const override {
        trace_->read_rows(layer(place), place.head, first, count, to);
    }

    void read_block(MapPlace place, const MapBlock& block, std::span<double> to) const override {
        if (const MapSource* origin = origin_of(place))
            return origin->read_block(place, block, to);
        MapSource::read_block(place, block, to);
    }

    void read_folded(MapPlace place, Index first, Index count, Index width,
                     std::span<FoldedCell> to) const override {
        if (const MapSource* origin = origin_of(place))
            return origin->read_folded(place, first, count, width, to);
        MapSource::read_folded(place, first, count, width, to);
    }

    std::vector<std::uint8_t> forbidden_pairs(MapPlace place) const override {
        if (layer(place).is_large() || origin_of(place))
            return {};
        return forbidden_at(place.layer).of_head(place.head);
    }

private:
    /// A map of a layer is read outside the lock, by many threads at once: nothing moves or ends what is
    /// kept.
    const ForbiddenPairs& forbidden_at(Index layer) const {
        const std::lock_guard lock(mutex_);
        const std::string& site = layers_[static_cast<std::size_t>(layer)]->site;
        return forbidden_.try_emplace(layer, *trace_, site).first->second;
    }

    void for_each_origin(MapPlace place, const Visit& visit) const override {
        if (const MapSource* origin = origin_of(place))
            visit(*origin, place);
    }

    const Stage& layer(MapPlace place) const { return *layers_[static_cast<std::size_t>(place.layer)]; }

    /// Who can do with less than rows, and the place there; null where the trace has the numbers.
    const MapSource* origin_of(MapPlace& place) const {
        if (!layer(place).is_lazy)
            return nullptr;
        const MapOrigin& origin = trace_->lazy_maps(layer(place)).origin();
        if (!origin.tiles)
            return nullptr;
        place.layer = origin.layer;
        return origin.tiles->maps().get();
    }

    std::shared_ptr<const Trace> trace_;
    std::vector<const Stage*> layers_;
    mutable std::mutex mutex_;
    mutable std::map<Index, ForbiddenPairs> forbidden_;  ///< by layer, as they are asked for
};

/// An algorithm that keeps a state declares it as a stage. With a mask that no state tells, such as a window,
/// it compares pairs.
bool keeps_state(const AttentionSpec& spec) {
    const AlgorithmComponent* algorithm = component_of(spec.algorithm.type);
    const bool compares_pairs = algorithm && algorithm->takes_any_mask && !steps_know_mask(*algorithm, spec);
    return algorithm && !compares_pairs &&
           std::ranges::count(algorithm->declared_stages, "state", &DeclaredStage::name) > 0;
}

}  // namespace

std::vector<LabelledMaps> maps_of(const std::shared_ptr<const Trace>& trace) {
    struct Kind {
        std::string name;
        std::vector<const Stage*> layers;
    };
    std::vector<Kind> kinds;
    for (const Stage& stage : trace->stages()) {
        if (stage.name != "weights" || !stage.has_axis(Axis::query) || !stage.has_axis(Axis::key))
            continue;
        const std::string name = parse_site(stage.site).kind;
        const auto same = std::ranges::find_if(kinds, [&](const Kind& kind) {
            return kind.name == name && extents_of(*kind.layers.front(), 1) == extents_of(stage, 1);
        });
        if (same == kinds.end())
            kinds.push_back({name, {&stage}});
        else
            same->layers.push_back(&stage);
    }
    if (kinds.empty())
        throw Error({"read maps", "weights", "a trace that has recorded them", "none"});
    std::vector<LabelledMaps> maps;
    for (Kind& kind : kinds) {
        const TokenLabels& tokens = trace->tokens_at(kind.layers.front()->site);
        std::vector<std::string> sites;
        for (const Stage* layer : kind.layers)
            sites.push_back(layer->site);
        maps.push_back({kind.name, std::make_shared<TraceMaps>(trace, std::move(kind.layers)), tokens,
                        std::move(sites)});
    }
    return maps;
}

std::vector<LabelledMaps> maps_of(const std::shared_ptr<const Trace>& trace,
                                  const std::shared_ptr<const Trace>& other) {
    std::vector<LabelledMaps> maps = maps_of(trace);
    if (!other)
        return maps;
    const std::vector<LabelledMaps> others = maps_of(other);
    for (LabelledMaps& each : maps) {
        const auto same = std::ranges::find_if(others, [&](const LabelledMaps& candidate) {
            return candidate.sites == each.sites && candidate.maps->extents() == each.maps->extents();
        });
        if (same != others.end())
            each.other = same->maps;
    }
    return maps;
}

std::string left_out_of(const Trace& trace, const Stage& stage) {
    const MapTiles* tiles = stage.is_lazy ? trace.lazy_maps(stage).origin().tiles.get() : nullptr;
    return tiles ? tiles->maps()->left_out() : std::string();
}

bool is_implied(const Trace& trace, const Stage& stage) {
    const AttentionSpec* const spec = stage.name == "weights" ? trace.known_spec_at(stage.site) : nullptr;
    return (spec && keeps_state(*spec)) || may_be_negative(trace, stage);
}

bool may_be_negative(const Trace& trace, const Stage& stage) {
    if (!stage.is_lazy)
        return false;
    const MapOrigin& origin = trace.lazy_maps(stage).origin();
    return origin.tiles && origin.tiles->maps()->is_implied(origin.layer);
}

bool has_implied_weights(const Trace& trace) {
    return std::ranges::any_of(trace.stages(), [&](const Stage& stage) { return is_implied(trace, stage); });
}

void read_block(const Trace& trace, const Stage& stage, Index head, const MapBlock& block,
                std::span<double> to) {
    if (stage.is_lazy)
        if (const MapOrigin& origin = trace.lazy_maps(stage).origin(); origin.tiles)
            return origin.tiles->maps()->read_block({origin.layer, head}, block, to);
    std::vector<double> row(static_cast<std::size_t>(stage.extent(Axis::key)));
    for (Index each = 0; each < block.rows; ++each) {
        trace.read_rows(stage, head, block.first_row + each, 1, row);
        std::copy_n(row.begin() + block.first_column, block.columns, to.begin() + each * block.columns);
    }
}

}  // namespace headlight

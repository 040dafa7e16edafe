#include "core/map/trace_maps.h"

#include "core/map/site_name.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {
namespace {

MapSource::Extents extents_of(const Stage& weights, Index layers) {
    return {layers, std::max<Index>(1, weights.extent(Axis::head)), weights.extent(Axis::query),
            weights.extent(Axis::key)};
}

class TraceMaps : public MapSource {
public:
    TraceMaps(std::shared_ptr<const Trace> trace, std::vector<const Stage*> layers)
        : MapSource(extents_of(*layers.front(), std::ssize(layers))), trace_(std::move(trace)),
          layers_(std::move(layers)) {}

    void read_rows(MapPlace place, Index first, Index count, std::span<double> to) const override {
        read_block(place, {first, count, 0, extents().keys}, to);
    }

    void read_block(MapPlace place, const MapBlock& block, std::span<double> to) const override {
        const auto map = trace_->matrix(*layers_[static_cast<std::size_t>(place.layer)], place.head);
        for (Index row = 0; row < block.rows; ++row)
            std::copy_n(map.data() + (block.first_row + row) * extents().keys + block.first_column,
                        block.columns, to.data() + row * block.columns);
    }

private:
    std::shared_ptr<const Trace> trace_;
    std::vector<const Stage*> layers_;
};

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

}  // namespace headlight

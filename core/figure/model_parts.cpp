#include "core/figure/model_parts.h"

#include "core/map/site_name.h"
#include "core/model/generation_trace.h"

#include <algorithm>

namespace headlight {
namespace {

bool stack_looks_at_source(const ModelStack& stack) {
    return std::ranges::any_of(stack.layers,
                               [](const ModelStack::Layer& layer) { return !layer.cross.empty(); });
}

ModelStack& stack_of(ModelParts& parts, const std::string& kind) {
    const auto found = std::ranges::find(parts.stacks, kind, &ModelStack::kind);
    return found != parts.stacks.end() ? *found : parts.stacks.emplace_back(ModelStack{kind, {}});
}

void add_site(ModelParts& parts, const std::string& site) {
    const SiteName name = parse_site(site);
    const bool is_of_cross = name.kind == "cross", is_of_query = name.kind == query_stream;
    const bool is_of_decoder = is_of_cross || is_of_query || name.kind == content_stream;
    ModelStack& stack = stack_of(parts, is_of_decoder ? "decoder" : name.kind);
    auto layer = std::ranges::find(stack.layers, name.layer, &ModelStack::Layer::number);
    if (layer == stack.layers.end())
        layer = stack.layers.insert(stack.layers.end(), ModelStack::Layer{name.layer, {}, {}, {}});
    (is_of_cross ? layer->cross : is_of_query ? layer->query : layer->self) = site;
}

}  // namespace

std::vector<std::string> ModelStack::Layer::sites() const {
    std::vector<std::string> all;
    for (const std::string* site : {&self, &query, &cross})
        if (!site->empty())
            all.push_back(*site);
    return all;
}

std::optional<std::size_t> ModelStack::layer_of(const std::string& site) const {
    const auto found = std::ranges::find_if(layers, [&](const Layer& layer) { return layer.has(site); });
    return found == layers.end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(found - layers.begin()));
}

const ModelStack* ModelParts::decoder() const {
    return !stacks.empty() && stack_looks_at_source(stacks.back()) ? &stacks.back() : nullptr;
}

bool ModelParts::is_recurrent() const {
    return stacks.size() == 1 && stacks.front().layers.size() == 1 && decoder() &&
           stacks.front().layers.front().self.empty() && !stacks.front().layers.front().number;
}

ModelParts model_parts(const Trace& trace) {
    ModelParts parts;
    std::string last;
    for (const Stage& stage : trace.stages()) {
        if (stage.site == last)
            continue;
        last = stage.site;
        if (last == says_in_decoder || last == says_in_encoder)
            parts.output = last;
        else
            add_site(parts, last);
    }
    std::ranges::stable_sort(parts.stacks, {}, stack_looks_at_source);  // encoders come first
    for (ModelStack& stack : parts.stacks)
        std::ranges::stable_sort(stack.layers, {}, &ModelStack::Layer::number);
    return parts;
}

std::vector<std::optional<std::size_t>> unfolded(std::size_t layers, std::optional<std::size_t> in_view) {
    constexpr std::size_t few = 6;
    std::vector<std::optional<std::size_t>> drawn;
    if (layers <= few) {
        for (std::size_t layer = 0; layer < layers; ++layer)
            drawn.emplace_back(layer);
        return drawn;
    }
    std::vector<std::size_t> kept{0, layers - 1};
    if (in_view)
        kept.push_back(*in_view);
    std::ranges::sort(kept);
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    for (std::size_t at = 0; at < kept.size(); ++at) {
        const std::size_t before = at > 0 ? kept[at - 1] : 0;
        if (at > 0 && kept[at] == before + 2)
            drawn.emplace_back(before + 1);  // three dots would take as much room
        else if (at > 0 && kept[at] > before + 1)
            drawn.emplace_back(std::nullopt);
        drawn.emplace_back(kept[at]);
    }
    return drawn;
}

std::vector<std::optional<std::size_t>> unfolded(const ModelStack& stack,
                                                 std::optional<std::size_t> in_view) {
    std::vector<std::optional<std::size_t>> drawn;
    for (const std::optional<std::size_t>& layer : unfolded(stack.layers.size(), in_view)) {
        const bool follows_layer = layer && !drawn.empty() && drawn.back();
        if (follows_layer) {
            const auto before = stack.layers[*drawn.back()].number, here = stack.layers[*layer].number;
            if (before && here && *here > *before + 1)
                drawn.emplace_back(std::nullopt);
        }
        drawn.push_back(layer);
    }
    return drawn;
}

}  // namespace headlight

// Which mechanism attends where in a Transformer, and what cannot be there.

#include "core/model/mechanism_site.h"
#include "core/model/transformer_model.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <deque>

namespace headlight {

using namespace nn;

namespace {

/// The mechanisms of one model at their places: layers that attend alike share the programs of all lengths.
class PlacedMechanisms {
public:
    struct Placed {
        AttentionSpec mechanism;
        SitePlace place;
        std::shared_ptr<const GraphAttention> graph;
        std::optional<Error> refusal;                             ///< why there is no graph
        std::shared_ptr<const GraphAttention> with_other_keys{};  ///< once it was asked for
    };

    PlacedMechanisms(Index width, Index longest) : width_(width), longest_(longest) {}

    Placed& at(const AttentionSpec& mechanism, SitePlace place) {
        for (Placed& each : placed_)
            if (each.place == place && each.mechanism == mechanism)
                return each;
        Placed& made = placed_.emplace_back(Placed{mechanism, place, nullptr, std::nullopt});
        try {
            made.graph = mechanism_at(mechanism, place, width_, longest_);
        } catch (const Error& error) {
            made.refusal = error;
        }
        return made;
    }

    /// One that could be placed, with keys and values of another layer, which `maker` names in errors. Throws
    /// Error where that cannot be.
    std::shared_ptr<const GraphAttention> sharing(Placed& placed, const GraphAttention& made_by,
                                                  const std::string& maker) {
        require_same_keys(*placed.graph, made_by, maker);
        if (!placed.with_other_keys)
            placed.with_other_keys = with_keys_of_another(*placed.graph, placed.place, width_, longest_);
        return placed.with_other_keys;
    }

    /// Throws the first refusal if every place has one.
    void require_any() const {
        if (!placed_.empty() &&
            std::ranges::all_of(placed_, [](const Placed& each) { return each.refusal.has_value(); }))
            throw *placed_.front().refusal;
    }

private:
    Index width_, longest_;
    std::deque<Placed> placed_;  ///< whose elements stay where they are
};

}  // namespace

TransformerModel::ModelGraphs TransformerModel::make_graphs() const {
    const TransformerConfiguration& c = configuration_;
    const bool has_both = c.has_encoder() && c.has_decoder();
    PlacedMechanisms placed(c.width, c.longest);
    const auto place_self = [&](const LayerSpec& layer, SitePlace place, std::vector<LayerGraphs>& before) {
        AttentionSpec of_text = *layer.mechanism;
        if (place == SitePlace::decoder)
            of_text.mask = within_segments(of_text.mask);
        PlacedMechanisms::Placed& self = placed.at(of_text, place);
        if (self.refusal && !layer.where_possible)
            throw Error(*self.refusal);
        LayerGraphs made{.self = self.graph, .cross = nullptr, .shares = std::nullopt};
        if (layer.shares) {
            const auto maker = static_cast<std::size_t>(*layer.shares);
            made.shares = maker;
            made.self = placed.sharing(self, *before[maker].self, "layer " + std::to_string(maker + 1));
        }
        before.push_back(std::move(made));
    };
    const auto place_in = [&](SitePlace place, const std::vector<LayerSpec>& layers) {
        std::vector<LayerGraphs> graphs;
        for (const LayerSpec& layer : layers) {
            const std::size_t number = graphs.size() + 1;
            try {
                if (layer.mechanism && !convolves())
                    place_self(layer, place, graphs);
                else
                    graphs.emplace_back();
            } catch (const Error& error) {
                const char* side = place == SitePlace::encoder ? " of the encoder" : " of the decoder";
                throw error.within("layer " + std::to_string(number) + (has_both ? side : ""));
            }
            if (layer.mechanism && has_both && place == SitePlace::decoder)
                graphs.back().cross = placed.at(*layer.mechanism, SitePlace::cross).graph;
        }
        return graphs;
    };
    ModelGraphs graphs;
    if (c.has_encoder())
        graphs.encoder = place_in(SitePlace::encoder, c.encoder);
    if (c.has_decoder())
        graphs.decoder = place_in(SitePlace::decoder, c.decoder);
    placed.require_any();
    return graphs;
}

}  // namespace headlight

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

/// Throws Error unless there is a mechanism for each layer, or for none, and only such layers share.
void require_mechanism_of_each(const std::vector<AttentionSpec>& mechanisms, const SharedKeys& shares,
                               std::size_t layers, const char* side) {
    if (!shares.empty() && shares.size() != mechanisms.size())
        throw Error({"make a Transformer", side,
                     std::to_string(mechanisms.size()) + " shares, one for each mechanism, or none",
                     std::to_string(shares.size())});
    if (!mechanisms.empty() && mechanisms.size() != layers)
        throw Error({"make a Transformer", side,
                     std::to_string(layers) + " mechanisms, one for each layer, or none",
                     std::to_string(mechanisms.size())});
}

}  // namespace

TransformerModel::ModelGraphs TransformerModel::make_graphs() const {
    const TransformerConfiguration& c = configuration_;
    const bool has_both = c.kind == TransformerKind::encoder_decoder;
    ModelGraphs graphs;
    if (c.kind != TransformerKind::decoder)
        graphs.encoder.resize(static_cast<std::size_t>(c.encoder_layers));
    if (c.kind != TransformerKind::encoder)
        graphs.decoder.resize(static_cast<std::size_t>(c.decoder_layers));
    require_mechanism_of_each(c.encoder_mechanisms, c.encoder_shares, graphs.encoder.size(), "encoder");
    require_mechanism_of_each(c.decoder_mechanisms, c.decoder_shares, graphs.decoder.size(), "decoder");
    PlacedMechanisms placed(c.width, c.longest);
    const auto share = [&](const SharedKeys& shares, std::size_t i, PlacedMechanisms::Placed& self,
                           std::vector<LayerGraphs>& layers) {
        require_earlier_keys(shares, i, "make a Transformer", "shares");
        const auto maker = static_cast<std::size_t>(*shares[i]);
        layers[i].shares = maker;
        layers[i].self = placed.sharing(self, *layers[maker].self, "layer " + std::to_string(maker + 1));
    };
    const auto place_in = [&](SitePlace place, const std::vector<AttentionSpec>& listed,
                              const SharedKeys& shares, std::vector<LayerGraphs>& layers) {
        for (std::size_t i = 0; i < layers.size(); ++i) {
            if (listed.empty() && !c.mechanism)
                continue;
            const AttentionSpec& own = listed.empty() ? *c.mechanism : listed[i];
            if (convolves()) {
                if (place == SitePlace::decoder)
                    layers[i].cross = placed.at(own, SitePlace::cross).graph;
                continue;
            }
            AttentionSpec of_text = own;
            if (place == SitePlace::decoder)
                of_text.mask = within_segments(own.mask);
            PlacedMechanisms::Placed& self = placed.at(of_text, place);
            const auto refuse = [&](const Error& refusal) {
                const char* side = place == SitePlace::encoder ? " of the encoder" : " of the decoder";
                throw refusal.within("layer " + std::to_string(i + 1) + (has_both ? side : ""));
            };
            if (!listed.empty() && self.refusal)
                refuse(*self.refusal);
            layers[i].self = self.graph;
            try {
                if (!shares.empty() && shares[i])
                    share(shares, i, self, layers);
            } catch (const Error& error) {
                refuse(error);
            }
            if (has_both && place == SitePlace::decoder)
                layers[i].cross = placed.at(own, SitePlace::cross).graph;
        }
    };
    place_in(SitePlace::encoder, c.encoder_mechanisms, c.encoder_shares, graphs.encoder);
    place_in(SitePlace::decoder, c.decoder_mechanisms, c.decoder_shares, graphs.decoder);
    if (c.mechanism)
        placed.require_any();
    return graphs;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_polarized() {
    Mechanism mechanism;
    mechanism.name = "Polarized self-attention";
    mechanism.also_known_as = {"PSA", "channel-only and spatial-only attention"};
    mechanism.family = "Images";
    mechanism.order = 3968;
    mechanism.formula =
        R"(@output{o_i} = @query{x_i} \odot @feature_factors{\left(@channel_gate{\sigma()"
        R"(\operatorname{norm}(z\,W_z))} + @spatial_gate{\sigma(x_i\,W_v \cdot a)}\right)},\quad )"
        R"(@place_summary{z = \sum_j @place_shares{\operatorname{softmax}_j(x_j \cdot w)}\,x_j\,W},\quad )"
        R"(@channel_shares{a = \operatorname{softmax}_c(\bar{x}\,W_q)},\quad )"
        R"(@weights{A_{ii} = \frac{1}{d} \sum_c g_{ic}})";
    mechanism.papers = {
        {"Liu, Liu, Fan and Huang, Polarized Self-Attention: Towards High-quality Pixel-wise Regression",
         2021}};
    mechanism.explanation =
        "As in polarised light, one direction is let through whole and everything across it is "
        "squeezed. For the gates of the channels all places are squeezed into one: a softmax over the "
        "places says which of them count, and their mean by these shares, in half the channels, goes "
        "through a layer and a norm to one gate for each channel. For the gates of the places all "
        "channels are squeezed into one number: a softmax over half the channels, made from the mean "
        "of the image, says which of them count. The softmax is there to sharpen what the squeeze "
        "would wash out, and the sigmoid to map it to a gate. Both gates act side by side, and what "
        "they let through is added; or one behind the other. The paper uses it where every pixel must "
        "be right, for the outlines of bodies. Where places stand does not matter.";
    mechanism.cost =
        "About 2 n d² multiply-adds for the layers to half the channels, d² / 2 for the gates of the "
        "channels, n d for those of the places and n d to multiply; no map of tokens by tokens.";
    mechanism.correction =
        "Side by side the results are added, so that a factor lies between 0 and 2. The shares of the "
        "places sum to 1, the gates do not. The norm is over the channels of the one vector and comes "
        "before the sigmoid; its gain and its shift, and the shifts of the layers, are left out here.";
    mechanism.related = {"squeeze_excitation", "bam", "cbam", "gcnet"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::polarized, {}};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "red blue cat dog green black horse cow";
    mechanism.example.stage = "place_shares";
    mechanism.example.look_for =
        "One row: what each word has of the vector that the gates of all channels are made from. It "
        "sums to 1, and a word that stands twice would have one number twice. Step to the gates of the "
        "places, which are no shares: each word has its own, and they sum to anything.";
    mechanism.properties = {
        .row_stochastic = false, .permutation_equivariant = true, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight

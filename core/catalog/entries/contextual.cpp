#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_contextual() {
    Mechanism mechanism;
    mechanism.name = "Contextual Transformer (CoT)";
    mechanism.also_known_as = {"CoTNet", "CoT block"};
    mechanism.family = "Images";
    mechanism.order = 3949;
    mechanism.formula =
        R"(@output{o_{ic}} = @fusion_shares{a_{c1}}\,@static_context{k^1_{ic}} + @fusion_shares{a_{c2}}\,)"
        R"(@dynamic_context{k^2_{ic}},\quad @static_context{k^1 = @key{k} \ast W},\quad )"
        R"(@dynamic_context{k^2_i = \sum_{j \in N(i)} @weights{A_{ij}}\,@value{v_j}},\quad )"
        R"(@weights{A_i = @contextual_hidden{\operatorname{relu}([k^1_i, @query{q_i}]\,W_\theta)})"
        R"(\,W_\delta})";
    mechanism.papers = {
        {"Li, Yao, Pan and Mei, Contextual Transformer Networks for Visual Recognition", 2023}};
    mechanism.explanation =
        "Plain attention compares a query with one key at a time, as if the keys knew nothing of each other. "
        "In an image neighbours say much about a place, and here they are asked first. A convolution of the "
        "keys around each place makes the static context: static, since its kernel is the same everywhere. "
        "The static context and the query, side by side, go through two small layers, which make one number "
        "for each place of the window: these mix the values, and what comes out is the dynamic context, for "
        "its weights depend on what is there. Both are fused. Each channel takes a share of the one and a "
        "share of the other, which a softmax makes from the means over the whole image, as selective kernels "
        "do. No query meets a key, and no pair of places is compared, so that the block takes the place of a "
        "convolution of 3 × 3 at much the same cost. Here words stand for the patches, four in a row.";
    mechanism.cost =
        "n k² d d_v multiply-adds for the static context of each head and n k² d_v for the dynamic one, and "
        "n h (2 d + k²) for the numbers of a window with h hidden units. Here the map of n² pairs is made, "
        "of k² in each row.";
    mechanism.correction =
        "The weights are the numbers of the second layer as they are: they may be negative, and their rows "
        "sum to anything. That is the paper’s formula; its code puts normalisations behind the layers, and "
        "activations behind some, which are left out here. A much copied short form of the code takes the "
        "mean over the window and a softmax over the whole image, so that no neighbour is weighed at all; it "
        "is another formula. Keys are the image itself in the paper, as here without projections. Its "
        "convolution is in groups of channels, here the heads; its numbers of a window are made of all "
        "channels, here of the head’s own.";
    mechanism.related = {"outlook", "selective_kernel", "dynamic_convolution", "neighbourhood"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::contextual, {{"columns", Index(4)}}};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "red blue cat dog green black horse cow music sheep pig goat";
    mechanism.example.look_for =
        "Red, in the corner, has numbers for itself and its three neighbours, blue, green and black; horse, "
        "in the middle, for nine words. Some numbers are negative. Step on to the shares: each channel has "
        "two, which sum to 1. With a window of 1x1 each word sees itself alone.";
    mechanism.properties = {
        .row_stochastic = false, .sparse = true, .is_signed = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight

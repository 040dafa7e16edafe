#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_danet() {
    Mechanism mechanism;
    mechanism.name = "Dual attention (DANet)";
    mechanism.also_known_as = {"dual attention network", "position and channel attention"};
    mechanism.family = "Images";
    mechanism.order = 3978;
    mechanism.formula =
        R"(@context{o_i = (\alpha\,@attended{\sum_j A_{ij}\,v_j} + v_i) + (\beta\,@mixed_channels{X\,v_i} )"
        R"(+ v_i)},\quad @weights{A = \operatorname{softmax}(@scores{@query{Q}\,@key{K}^\top})},\quad )"
        R"(@feature_weights{X = \operatorname{softmax}(@feature_scores{@value{V}^\top V})})";
    mechanism.papers = {{"Fu et al., Dual Attention Network for Scene Segmentation", 2019}};
    mechanism.explanation =
        "Two attentions side by side on one image. In the first, places look at places, as everywhere: a "
        "place takes values from the places that are like it, however far away, so that both ends of a bus "
        "are seen as one bus. In the second, channels look at channels: each is a picture of where something "
        "is, two that light up at the same places have a large product, and a channel takes from those that "
        "are like it. The one map has a cell for each pair of places, the other for each pair of channels. "
        "Each result is multiplied by a number that is learned from 0, so that at first nothing changes, and "
        "added to the image; then both are added up. The map of channels is made of the values as they are, "
        "with no matrices of its own.";
    mechanism.cost =
        "n² (d + d_v) multiply-adds for the places and 2 n d_v² for the channels of each head; memory n² and "
        "d_v².";
    mechanism.correction =
        "Neither softmax has a scale: the products of channels are sums over all places and grow with the "
        "image, and the softmax is then next to a choice of the strongest channel. The paper writes the "
        "products as they are; its code takes the largest of the row less each, by which a channel takes "
        "most from those that are least like it, and the two are far apart. A much copied short form divides "
        "the products of channels by √n and gives each branch a convolution of its own. In the paper keys "
        "and queries of the places have an eighth of the channels, and convolutions stand around both "
        "branches.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "places alone, with a scale, are scaled dot-product attention",
                   {.here = {{"residual", false}, {"beta", 0.0}, {"scaled", true}}}),
    };
    mechanism.related = {"non_local", "cross_covariance", "cbam", "polarized"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::dual;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "king queen prince princess dog cat horse cow";
    mechanism.example.stage = "feature_weights";
    mechanism.example.look_for =
        "The picture is of 64 × 64 features and stays as it is when the words change places; its rows sum to "
        "1. Step back to the weights of the words, the other half. Let channels look at those that are "
        "unlike them, as the code does, and the picture is turned over.";
    mechanism.properties = {.permutation_equivariant = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight

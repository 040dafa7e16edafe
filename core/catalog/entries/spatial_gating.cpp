#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_spatial_gating() {
    Mechanism mechanism;
    mechanism.name = "Spatial gating (gMLP)";
    mechanism.also_known_as = {"gMLP", "spatial gating unit"};
    mechanism.family = "Low rank";
    mechanism.order = 3562;
    mechanism.formula =
        R"(@output{@context{o_i} = @query{q_i} \circ @place_gate{\left(@attended{\sum_j @weights{W_{ij}}\,)"
        R"(\operatorname{LN}(@value{v_j})} + b_i\right)}})";
    mechanism.papers = {{"Liu, Dai, So and Le, Pay Attention to MLPs", 2021}};
    mechanism.explanation =
        "How much of attention does a model need? gMLP has none. Each token is projected to twice as many "
        "features, of which one half is mixed over the places and then multiplies the other. The mixing is a "
        "matrix W of the places, learned once and the same for every text: the word in place 3 gets so much "
        "of the word in place 5, whatever they are. What depends on the text is the product: a gate that "
        "other tokens have a say in. W begins near 0 and b with 1, so that the gate is 1 and the layer a "
        "plain feed-forward one; what it looks at, it learns from there. Here the one half is the query and "
        "the other the value.";
    mechanism.cost =
        "n m d_v multiply-adds per head, and n d_v for the product; n m parameters, for texts of "
        "at most n tokens.";
    mechanism.correction =
        "The weights are no shares: they may be negative, and a row has any sum. The b belongs to the place "
        "and is the same for all features. The paper passes all through GELU before it is split, and has one "
        "W for all features; heads, each with a W of its own, are those of later code. Its aMLP adds a small "
        "attention to the gate, which is left out. MLP-Mixer mixes places without the product.";
    mechanism.related = {"random_synthesizer", "fourier", "aft", "dense_synthesizer"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::spatial_gating;
    compose(mechanism, spec, component_knobs(spec) + causal_knob() + projections_knob());

    mechanism.example.query = "two boys played football and three girls played music";
    mechanism.example.look_for =
        "The map is the parameter W: any other nine words have the same one. Step on to the gate, which "
        "differs from word to word, for it is made of the others.";
    mechanism.properties = {.row_stochastic = false, .is_signed = true};
    return mechanism;
}

}  // namespace headlight

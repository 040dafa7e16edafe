#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_hedgehog() {
    Mechanism mechanism;
    mechanism.name = "Hedgehog";
    mechanism.also_known_as = {"learned feature maps", "softmax mimicry", "T2R", "focused linear attention"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3305;
    mechanism.formula =
        R"(@output{o_i = \sum_{j \le i} @weights{A_{ij}}\,@value{v_j}},\quad )"
        R"(@weights{A_{ij} = \frac{@similarities{@query_features{\phi_q(@query{q_i})} \cdot @key_features{)"
        R"(\phi_k(@key{k_j})}}}{\sum_{j \le i} \phi_q(q_i) \cdot \phi_k(k_j)}},\quad )"
        R"(\phi(x) = \operatorname{softmax}\left([x W + b,\,-x W - b]\right))";
    mechanism.papers = {
        {"Zhang, Bhatia, Kumbong and Ré, The Hedgehog & the Porcupine: Expressive Linear Attentions with "
         "Softmax Mimicry",
         2024},
        {"Kasai et al., Finetuning Pretrained Transformers into RNNs", 2021},
        {"Han et al., FLatten Transformer: Vision Transformer using Focused Linear Attention", 2023}};
    mechanism.explanation =
        "Linear attention compares features of queries and keys, and what these are is a choice. elu(x) + 1 "
        "gives flat rows: softmax attention has peaks, and larger weights for larger products, which it has "
        "not. Hedgehog lets each head learn its features: a small layer, the exponentials of what it makes "
        "and of the same with the other sign, over their sum. Exponentials are spiky, and with both signs a "
        "feature that is far below 0 counts as much as one far above. The layers are trained to give the map "
        "that softmax attention has, and the rest of a model may stay as it is, which so becomes a recurrent "
        "network. T2R, three years before, took what is above 0 of such a layer. Focused linear attention "
        "learns nothing here: it takes what is above 0 of the vector itself to a power, at the length that "
        "it had, so that vectors turn towards their largest feature and like ones come closer together.";
    mechanism.cost =
        "n d² multiply-adds per head for each of both layers, and 2 n r d_v to write and to read a "
        "state of r d_v numbers, r = 2 d features with the softmax and d with the other maps. As computed "
        "here, with the map, n m (r + d_v).";
    mechanism.correction =
        "The map is of low rank whatever is learned, at most r. How Hedgehog is trained, to a map and not to "
        "an answer, is no part of what is computed; layers that are drawn, as here, mimic nothing. The "
        "layers begin with the unit matrix in the authors’ code, and flash-linear-attention doubles what "
        "they make. T2R has one layer for queries and keys of a head, which two equal ones are. Focused "
        "attention first divides all features by learned numbers, and adds a filter over the image to the "
        "context: set `convolution`, which lies along the tokens. A row in which no feature of query and key "
        "meets is 0; softmax features always do.";
    mechanism.related = {"linear", "performer", "rebased", "based"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::learned_features;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "once upon a time there lived a wise old king";
    mechanism.example.values = {{"map", std::string("focused")}};
    mechanism.example.look_for =
        "With the focused map most rows have a peak at the word itself, where linear attention is flat. Set "
        "the power to 1: what is left is what lies above 0.";
    mechanism.example.beside = "linear";
    mechanism.properties = {.row_stochastic = false, .causal = true};
    return mechanism;
}

}  // namespace headlight

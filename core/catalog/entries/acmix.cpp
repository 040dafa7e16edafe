#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_acmix() {
    Mechanism mechanism;
    mechanism.name = "Attention and convolution out of one projection (ACmix)";
    mechanism.also_known_as = {"ACmix", "integration of self-attention and convolution"};
    mechanism.family = "Images";
    mechanism.order = 3952;
    mechanism.formula =
        R"(@context{o_i = \alpha\,@attended{\sum_j @weights{A_{ij}}\,@value{v_j}} + \beta\,@shifted_sum{)"
        R"(\sum_r \sum_h W_{r,h}\,[q_h;\, k_h;\, v_h]_{i + r}}},\quad )"
        R"(@weights{A_i = \operatorname{softmax}(@scores{\tfrac{1}{\sqrt{d}}\,@query{q_i} \cdot (@key{k_j} )"
        R"(+ (p_i - p_j)\,W_p)})})";
    mechanism.papers = {
        {"Pan, Ge, Lu, Song, Chen, Huang and Huang, On the Integration of Self-Attention and Convolution",
         2022}};
    mechanism.explanation =
        "A convolution with a kernel of 3 × 3 places is nine layers of one place each, whose outputs are "
        "moved by a step and added. Attention begins with layers of one place too: the projections to "
        "queries, keys and values. Both spend most of their arithmetic there, and ACmix does it once. What "
        "was projected goes two ways. In one, each place looks at a window around it, by products of query "
        "and key and by where the key lies. In the other, a small layer mixes the heads of queries, keys "
        "and values into one map of features for each place of the kernel; each is moved by its step, and "
        "their sum is the convolution. Two learned numbers say how much each way counts. In their networks, "
        "early layers come to lean on the convolution and late ones on the attention. Here words stand for "
        "the places, four in a row.";
    mechanism.cost =
        "n w² (d + d_v) multiply-adds per head for a window of w² places, and 3 h n k² d for the layers of a "
        "kernel of k² places. Here the map of n² pairs is made.";
    mechanism.correction =
        "The map is not all of it: the convolution passes it by. The authors let the shifts learn, as "
        "kernels that begin as shifts, and have one small layer for all heads; here shifts stay, and each "
        "head has a layer of its own, which is what such kernels could make of it. At the edges their "
        "window is filled with a mirror image; here it ends. Their window has 7 × 7 places.";
    mechanism.related = {"neighbourhood", "contextual", "muse", "outlook"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::convolution_mix, {{"columns", Index(4)}}};
    compose(mechanism, spec, component_knobs(spec) + heads_knob() + projection_knobs());

    mechanism.example.query = "red blue cat dog green black horse cow music sheep pig goat";
    mechanism.example.look_for =
        "Each word looks at its neighbours on the grid alone. Step on to the convolution, which has no map: "
        "it is made of queries, keys and values as they are.";
    mechanism.properties = {.sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight

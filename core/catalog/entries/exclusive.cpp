#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_exclusive() {
    Mechanism mechanism;
    mechanism.name = "Exclusive self-attention";
    mechanism.also_known_as = {"XSA"};
    mechanism.family = "Heads";
    mechanism.order = 5722;
    mechanism.formula =
        R"(@context{o_i = y_i - @own_share{\frac{y_i \cdot v_i}{|v_i|^2}}\,@value{v_i}},\quad )"
        R"(@attended{y_i = \sum_j @weights{\operatorname{softmax}_j\left(@scores{\frac{@query{q_i} \cdot )"
        R"(@key{k_j}}{\sqrt{d}}}\right)}\,@value{v_j}})";
    mechanism.papers = {{"Zhai, Exclusive Self Attention", 2026}};
    mechanism.explanation =
        "A token mostly finds itself, and what it then gets is much like what it already has: the residual "
        "stream carries that past the layer anyhow. Here attention is as always, its output y, and then the "
        "part of each head’s output that points along the token’s own value is taken out. What is left is at "
        "right angles to it, so that a head can only add what the token does not say itself. How much weight "
        "the token gives itself no longer matters for the direction: it can leave there what no other key "
        "deserves, as in a sink. Nothing is learned for it. Written as a map, only the diagonal differs from "
        "the softmax: Σⱼ Aᵢⱼ (vⱼ · vᵢ) / |vᵢ|² comes off it, which is usually more than stands there.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head and 3 n d_v for the projection; memory n m";
    mechanism.correction =
        "It is not a mask over the diagonal: without its own key a token would still get what of the "
        "other values points along its own. The weights shown are those of the softmax, before anything "
        "is taken out. Where keys and values are shared, a head’s own value is that of its group.";
    mechanism.related = {"scaled_dot_product", "off_by_one", "gated", "shaped"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::exclusive;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + causal_knob());

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.stage = "context";
    mechanism.example.look_for =
        "The rows of “a” are nearly empty: 0.97 of its own value came back to it, and next to nothing is "
        "left when that is out. For “met” it was 0.74, and what remains is 0.65 as long as what it got.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

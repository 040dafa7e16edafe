#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_attention_residuals() {
    Mechanism mechanism;
    mechanism.name = "Attention residuals";
    mechanism.also_known_as = {"AttnRes", "attention over depth", "depth-wise attention"};
    mechanism.family = "Memory";
    mechanism.order = 5766;
    mechanism.formula =
        R"(@layer_input{x^l = \sum_{i<l} @depth_weights{\operatorname{softmax}_i\left(w_l \cdot )"
        R"(\operatorname{RMSNorm}(u_i)\right)}\,u_i},\quad u_0 = x,\quad )"
        R"(u_l = @layer_weights{A^l}\,v^l W_o,\quad )"
        R"(@output{o = @context{@weights{\operatorname{softmax}\left(@scores{\frac{q^L \cdot k^L}{)"
        R"(\sqrt{d}}}\right)}\,v^L}},\quad q^1 = @query{Q},\ k^1 = @key{K},\ v^1 = @value{V},\quad )"
        R"(@depth_map{D_{li} = \text{mean of the tokens}})";
    mechanism.papers = {{"Kimi Team, Attention Residuals (full AttnRes)", 2026}};
    mechanism.explanation =
        "A residual connection adds: what layer ten reads is the token and everything that nine layers have "
        "put on top of it, all with the weight 1, whether it has a use for it or not. Here a layer chooses. "
        "The outputs of all layers below, and the token itself, are like the words of a short text that "
        "runs upwards; each layer has one learned vector w that asks them, and every token gets, by a "
        "softmax over the layers, its own mixture. So there is an attention along the text and one along "
        "the depth, and the second has a map too: a row for each layer, a column for each thing below it. "
        "Outputs are normalised before they are compared, so that a layer that shouts is not chosen for "
        "that, and taken as they are. With w = 0, where training begins, it is the mean of all of them.";
    mechanism.cost = "Per layer n m (d + d_v) multiply-adds per head; layer l adds 2 l n D for its attention "
                     "over depth, D the width of a token, and all outputs, L n D numbers, are kept.";
    mechanism.correction =
        "What is mixed are the outputs of layers, and not the sums that a residual stream has there; and "
        "the weights differ from token to token, though the question w does not depend on the token. In the "
        "paper feed-forward layers are layers of this kind too, and have outputs of their own; in blocks "
        "(Block AttnRes) only the sums of a few layers are kept. Here there are layers of attention alone, "
        "and the gain of the norm is a part of w.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "one layer reads the tokens", {.here = {{"layers", Index(1)}}})};
    mechanism.related = {"realformer", "value_residual", "memory_hops"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::layer_stack, {{"layers", Index(4)}, {"link", std::string("outputs")}}};
    compose(mechanism, spec, without(component_knobs(spec), {"among"}) + projections_knob() + causal_knob());

    mechanism.example.query = "the king and the queen drink tea";
    mechanism.example.stage = "depth_map";
    mechanism.example.look_for =
        "A row for each layer, and a column for the tokens and for each layer below: the first row has the "
        "tokens alone, each further row shares out 1 over one column more. Step to the weights over depth: "
        "the last row, token by token, and the same for both “the”.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

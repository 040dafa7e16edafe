#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_realformer() {
    Mechanism mechanism;
    mechanism.name = "Residual attention (RealFormer)";
    mechanism.also_known_as = {"RealFormer", "residual attention scores", "layer stack"};
    mechanism.family = "Scores";
    mechanism.order = 5238;
    mechanism.formula =
        R"(@scores{S^l = @layer_scores{\frac{q^l \cdot k^l}{\sqrt{d}}} + S^{l-1}},\quad )"
        R"(@layer_weights{A^l} = @weights{\operatorname{softmax}(S^l)},\quad )"
        R"(@layer_input{x^{l+1} = x^l + A^l v^l W_o},\quad @output{o = @context{A^L v^L}},\quad )"
        R"(q^1 = @query{Q},\ k^1 = @key{K},\ v^1 = @value{V})";
    mechanism.papers = {{"He et al., RealFormer: Transformer Likes Residual Attention", 2021}};
    mechanism.explanation =
        "In a Transformer every layer adds to what the layers below have made of a token, but who looks at "
        "whom each layer works out from nothing. Here scores have a path of their own upwards: a layer adds "
        "to its products q · k those scores that the layer below had, which had those of the layer below "
        "them. So a layer only says what is to change, and a pair that matters in the first layer goes on "
        "mattering unless somebody objects. Nothing is learned for it. Several layers are needed to see "
        "it, and so there are several inside: each finds something, adds it to its input, and hands the sum "
        "on; the map shown is that of the last. The first layer is unchanged.";
    mechanism.cost = "Per layer n m (d + d_v) multiply-adds per head, as without it, and n m additions; "
                     "scores of one layer, n m per head, are kept for the next.";
    mechanism.correction =
        "It is scores that are added, before the mask and the softmax, and not weights; and they are never "
        "averaged, so that they grow with the layers and maps become sharper. The paper’s layers have norms "
        "and feed-forward layers too, which look at each token alone and are left out here. A kernel that "
        "never writes the scores down, such as FlashAttention, has none to add.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "one layer has none below", {.here = {{"layers", Index(1)}}})};
    mechanism.related = {"scaled_dot_product", "value_residual", "attention_residuals"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::layer_stack, {{"link", std::string("scores")}}};
    compose(mechanism, spec, without(component_knobs(spec), {"among"}) + projections_knob() + causal_knob());

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.look_for =
        "The second layer remembers what the first one thought: “woman” gives itself 0.60, and with the link "
        "“none”, where each layer begins anew, 0.31. Look at the weights of all layers too: in the first, "
        "which is the same with every link, it was 0.35.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_head_scale() {
    Mechanism mechanism;
    mechanism.name = "Head scale";
    mechanism.also_known_as = {"HeadScale", "NormFormer’s head scaling", "head gates"};
    mechanism.family = "Heads";
    mechanism.order = 5726;
    mechanism.formula =
        R"(@output{o = \sum_{h} @context{\xi_h\,@attended{@weights{\operatorname{softmax}\left(@scores{)"
        R"(\frac{@query{Q_h}\,@key{K_h}^\top}{\sqrt{d}}}\right)}\,@value{V_h}}}\,W_h})";
    mechanism.papers = {
        {"Shleifer, Weston and Ott, NormFormer: Improved Transformer Pretraining with Extra Normalization",
         2021},
        {"Voita et al., Analyzing Multi-Head Self-Attention: Specialized Heads Do the Heavy Lifting, the "
         "Rest Can Be Pruned (gates: l0)",
         2019}};
    mechanism.explanation =
        "A number for each head, learned like any other parameter, multiplies what the head gives. It "
        "begins at 1, and is multi-head attention then. The rows of W_o could say the same, for ξ W is only "
        "another W; but one number that scales a whole head learns in another way than the many numbers of "
        "a matrix that each move a little, and it can be read: heads with a small ξ hardly count. With ξ = "
        "0 a head is cut out, which is how one asks what a head is good for. A number that is learned hardly "
        "ever becomes 0, though. Gates of the kind l0 do: a sigmoid is stretched a little beyond 0 and 1 and "
        "cut there, so that a head can be shut for good. While such gates are learned they are drawn anew in "
        "each step, around how open they are; then a loss can count, on average, how many are above 0, and "
        "shut the heads that are not needed. As another setting, values are normalised before they are "
        "mixed.";
    mechanism.cost = "n d_v multiply-adds per head more than multi-head attention; H parameters.";
    mechanism.correction =
        "The number belongs to the head and is the same for every word and text: gates that follow from the "
        "word are other mechanisms. A small ξ alone does not say that a head is useless, for its rows of "
        "W_o may be large.";
    mechanism.equivalences = {equal_when("multi_head", "with ξ = 1 every head counts as it is",
                                         {.parameters = {{"s_head", "ones"}}})};
    mechanism.related = {"multi_head", "headwise_gate", "drop_head", "head_mixture"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .heads = 8};
    spec.algorithm.type = AlgorithmType::head_scale;
    compose(mechanism, spec,
            std::vector<Knob>{heads_knob()} + without(component_knobs(spec), {"dropped"}) + causal_knob() +
                projection_bias_knob() + source_knob());

    mechanism.example.query = "two boys played football and three girls played music";
    mechanism.example.look_for =
        "The maps are those of multi-head attention, whatever ξ is, for what is "
        "scaled is what they fetch. With ξ = 1, as here, the output is the same too.";
    mechanism.example.beside = "multi_head";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

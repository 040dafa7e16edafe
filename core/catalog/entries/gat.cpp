#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_gat() {
    Mechanism mechanism;
    mechanism.name = "Graph attention (GAT)";
    mechanism.also_known_as = {"graph attention network", "static graph attention"};
    mechanism.family = "Scores";
    mechanism.order = 5200;
    mechanism.formula = R"(@scores{s_{ij} = \operatorname{LeakyReLU}(w^\top [ @query{q_i};\, @key{k_j} ])},)"
                        R"(\quad @output{@weights{\operatorname{softmax}(@scores{S})}\,@value{V}})";
    mechanism.papers = {{"Veličković et al., Graph Attention Networks (equation 3)", 2018}};
    mechanism.explanation =
        "Each node of a graph looks at its neighbours: the mask says who they are, and the score is one "
        "number of the node plus one of the neighbour, through a ReLU that lets a fifth of negative sums "
        "through. As the function always grows, the neighbour with the largest number of its own is the "
        "favourite of every node that sees it: the ranking is the same for all. Unlike with a linear score "
        "the weights may differ, since sums below zero are squeezed. Without a mask, as here, everybody is "
        "everybody’s neighbour. In the original q and k are the same vector, times one matrix.";
    mechanism.cost = "(n + m) d + n m (1 + d_v) multiply-adds per head, over the edges alone where "
                     "the mask is sparse; memory n m";
    mechanism.correction =
        "It is often described as nodes choosing which neighbours matter to them. A single head "
        "cannot: its order of preference is the same for all nodes (Brody, Alon and Yahav 2022).";
    mechanism.related = {"gatv2", "linear_score", "additive"};

    AttentionSpec spec;
    spec.score.type = ScoreType::graph;
    compose(mechanism, spec, component_knobs(spec) + score_bias_knob() + source_knob() + projections_knob());

    mechanism.example.query = "she plays the violin and he plays football";
    mechanism.example.look_for =
        "Every row has its largest weight on the same word, “football”: who asks changes how strong the "
        "preference is, never which it is.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

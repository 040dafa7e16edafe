#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_multi_dimensional() {
    Mechanism mechanism;
    mechanism.name = "Multi-dimensional attention (DiSAN)";
    mechanism.also_known_as = {"directional self-attention", "feature-wise attention"};
    mechanism.family = "Scores";
    mechanism.order = 5252;
    mechanism.formula =
        R"(@context{o_{ic} = \sum_j \operatorname{softmax}_j(s_{ijc})\,@value{v_{jc}}},\quad )"
        R"(s_{ij} = c \tanh\left(\frac{@query_part{@query{q_i}\,W_1 + b} + @key_part{@key{k_j}\,W_2}}{c})"
        R"(\right),\quad @weights{A_{ij} = \frac{1}{d} \sum_c \operatorname{softmax}_j(s_{ijc})})";
    mechanism.papers = {{"Shen et al., DiSAN: Directional Self-Attention Network for RNN/CNN-Free Language "
                         "Understanding (equation 15)",
                         2018}};
    mechanism.explanation =
        "A word means several things at once, and features tell them apart: for its kind a token may look "
        "elsewhere than for its tense. A single weight for each pair cannot say so; every feature of the "
        "value is taken in the same measure. Here each feature has a score of its own. It is an additive "
        "score, of which the last step is left out: the hidden layer is not summed up to one number but is "
        "the score, one for each feature, and over the keys there is one softmax for each. Heads do "
        "something of the kind, a map for each group of features; this is the end of that road, a map for "
        "each feature. The tangent, stretched by c, keeps all scores between −c and c. The picture is the "
        "mean over all maps. With masks that let a word see only those before or only those after it, two "
        "such layers together know directions, which gave the network its name.";
    mechanism.cost = "(n + m) d d_v multiply-adds for both parts of the scores, n m d_v tangents and "
                     "exponentials, and n m d_v for the values of each head; memory n m d_v, d_v times that "
                     "of one map.";
    mechanism.correction =
        "The paper adds a gate by which each feature keeps some of the token itself, and dense layers "
        "before; they are left out here. Its mask forbids the token itself: it looks at others only. There "
        "is no vector v as in additive attention, and without it the tangent’s place is another: outside, as "
        "a bound.";
    mechanism.related = {"additive", "aft", "multi_head", "laser"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::multi_dimensional;
    compose(mechanism, spec, component_knobs(spec) + causal_knob() + token_knobs());

    mechanism.example.query = "the government raises the tax while my kitten sleeps";
    mechanism.example.look_for =
        "The picture is the mean of 64 maps, one for each feature, and so paler than each of them; rows sum "
        "to 1. With a small bound all scores are next to 0, and every row is the plain mean.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_simplicial() {
    Mechanism mechanism;
    mechanism.name = "2-simplicial attention";
    mechanism.also_known_as = {"trilinear attention", "attention to pairs of keys"};
    mechanism.family = "Scores";
    mechanism.order = 5249;
    mechanism.formula =
        R"(@context{o_i = \sum_{j, l} @pair_weights{A_{ijl}}\,(@value{v_j} \circ @second_value{v'_l})},)"
        R"(\quad )"
        R"(@pair_weights{A_i = \operatorname{softmax}_{j,l}\left(@pair_scores{\frac{\sum_c @query{q_{ic}}\,)"
        R"(@key{k_{jc}}\,@second_key{k'_{lc}}}{\sqrt{d}}}\right)},\quad @weights{\sum_l A_{ijl}})";
    mechanism.papers = {{"Clift et al., Logic and the 2-Simplicial Transformer", 2020},
                        {"Roy et al., Fast and Simplex: 2-Simplicial Attention in Triton", 2025}};
    mechanism.explanation =
        "A score of attention is about two words, one that asks and one that is asked. Some questions are "
        "about three: whether two words together sum to what the third needs takes a look at both at once. "
        "Here every word asks all pairs of others. A word has two keys and two values, one for the first "
        "place in a pair and one for the second; the score of a pair is the sum over the features of query "
        "times key times second key, and one softmax runs over all pairs. What the query gets of a pair is "
        "the product of both values. A dot product joins two points by a line, and three points span a "
        "triangle, a 2-simplex. The weights are a cube, and the map shown adds up the second keys: what each "
        "word gets as the first of a pair.";
    mechanism.cost = "n m² (d + d_v) multiply-adds per head, and as many numbers of pairs as n m²; with a "
                     "window of w second keys n m w (d + d_v).";
    mechanism.correction =
        "The sum of three factors is not symmetric in the two keys, which have projections of their own. It "
        "does not see rotations: turning all three vectors by their places does not leave their distance, as "
        "it does for two, and the paper on Triton uses a determinant for that, left out here. Its windows "
        "lie before the query, of 512 first and 32 second keys; here the window of the second key ends at "
        "the first, and a mask says which first keys there are.";
    mechanism.related = {"trilinear", "higher_order", "area", "multi_token"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::simplicial;
    compose(mechanism, spec, component_knobs(spec) + causal_knob() + projections_knob() + source_knob());

    mechanism.example.query = "the old man and the young man saw the sea";
    mechanism.example.look_for = "Look at the weights of pairs: of the hundred pairs of a row, ten by ten, "
                                 "some few have most. The map of the weights shows their first words alone.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

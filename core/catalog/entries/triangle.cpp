#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_triangle() {
    Mechanism mechanism;
    mechanism.name = "Triangle attention";
    mechanism.also_known_as = {"AlphaFold 2", "triangular self-attention"};
    mechanism.family = "Scores";
    mechanism.order = 5250;
    mechanism.formula =
        R"(@output{o_{ij}} = \sum_k @weights{a_{ijk}}\,@value{v_{ik}},\quad )"
        R"(@weights{a_{ijk} = \operatorname{softmax}_k\left(@scores{\frac{@query{q_{ij}} \cdot )"
        R"(@key{k_{ik}}}{\sqrt{d}}} + @triangle_biases{b_{jk}}\right)},\quad )"
        R"(@side_biases{b_{jk} = x_{jk}\,W_b})";
    mechanism.papers = {{"Jumper et al., Highly Accurate Protein Structure Prediction with AlphaFold "
                         "(supplement, algorithms 13 and 14)",
                         2021}};
    mechanism.explanation =
        "The tokens are no words in a line but edges: one for each pair of amino acids of a protein, which "
        "holds what is known of the two, such as how far apart they may be. Edges of one figure are not "
        "free. Where i is close to j, and j to k, i cannot be far from k. So edge (i, j) looks at all edges "
        "(i, k) that start where it starts, with a query and keys as usual, and the third side of each "
        "triangle, (j, k), adds a bias to the score: one number for each head, which the edge makes of its "
        "own features. A second layer does the same for edges that end at the same node. A full map of N² "
        "edges would have N⁴ cells; here each edge sees N others. On the grid that the edges fill, a row for "
        "each start and a column for each end, that is attention along rows or along columns, with the bias "
        "as what is new. Here the words stand for edges between three nodes.";
    mechanism.cost = "n √n (d + d_v) multiply-adds per head for n edges of √n nodes, and n d h for the "
                     "biases. Here the map of n² pairs is made.";
    mechanism.correction =
        "The edge (j, k) has no vote in what is taken: its value is not mixed in, only its bias counts. "
        "Around the ending node the bias is that of (k, i), and keys and values are those of (k, j): the "
        "same layer on the mirrored grid. In the paper tokens are normalised first, and a sigmoid gate of "
        "the edge stands before W_o, the gate of gated attention; both are left to what surrounds this. An "
        "edge is not its own mirror: (i, j) and (j, i) are two tokens.";
    mechanism.related = {"axial", "gated", "graphormer", "simplicial"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::triangle;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "red blue cat dog green black horse cow music";
    mechanism.example.look_for =
        "Three nodes and nine edges. Edges with the same start see each other, three blocks along the "
        "diagonal; around the ending node they are every third one. Step back to the biases of the "
        "triangles: blue, the edge from 0 to 1, gets one of dog (1 to 0), of green (1 to 1) and of black (1 "
        "to 2).";
    mechanism.properties = {.sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight

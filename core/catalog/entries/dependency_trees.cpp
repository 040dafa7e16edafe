#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_dependency_trees() {
    Mechanism mechanism;
    mechanism.name = "Dependency-tree structured attention";
    mechanism.also_known_as = {"matrix-tree attention", "syntactic attention"};
    mechanism.family = "Normalisers";
    mechanism.order = 5565;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{P_{ij}}\,@value{v_j},\quad )"
        R"(@weights{P_{ij} = @head_shares{A_{ij}}\,(@visits{M_{ii}} - @visits{M_{ji}})},\quad )"
        R"(@visits{M} = @laplacian{L}^{-1},\quad @laplacian{L = I - @head_shares{A}},\quad )"
        R"(@head_shares{A_{ij} = \frac{e^{s_{ij}}}{e^{\rho} + \sum_{l \ne i} e^{s_{il}}}})";
    mechanism.papers = {{"Kim et al., Structured Attention Networks", 2017},
                        {"Liu and Lapata, Learning Structured Text Representations", 2018},
                        {"Koo et al., Structured Prediction Models via the Matrix-Tree Theorem", 2007}};
    mechanism.explanation =
        "In a sentence each word depends on one other, its head, and the last on nothing: that is a tree. A "
        "softmax over the other words and a root would let each word choose its head, but two words can "
        "choose each other, and then there is no tree. Here the choices are made together: of all ways to "
        "choose, those that run in a circle are struck out, and a weight is the chance, among the rest, that "
        "j is the head of i. There are more trees than anybody can count, yet their sum is a determinant "
        "(Kirchhoff 1847), and the chances are made of the inverse of one matrix. That inverse has a "
        "meaning: a walk that goes from word to word, to each with the share it would be chosen with, passes "
        "word j so often before it comes to the root. With a causal mask no circle can be and it is the "
        "softmax.";
    mechanism.cost = "n² (d + d_v) multiply-adds per head and n³ for the inverse; memory n²";
    mechanism.correction =
        "Rows are the words that choose, so that each row and its root sum to 1; code that has heads in rows "
        "says so of columns. Several words may hang on the root, as in Koo et al.; Liu and Lapata allow one, "
        "with root scores of each word, which a low score of the root comes near to. Every row leaves the "
        "root at least 10⁻⁵, without which some maps would have no tree. Looking at a second sequence nobody "
        "can choose in a circle, and it is a softmax with a root.";
    mechanism.related = {"linear_chain", "sink_logit", "slot"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::tree;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + projection_knobs() + causal_knob());

    mechanism.example.query = "the cat sleeps on the sofa while the dog eats";
    mechanism.example.look_for =
        "By themselves “cat” would take “dog” for its head with 0.58 and “dog” “cat” with 0.54. Both at once "
        "would be a circle: 0.38 and 0.34 are left. The root would get 0.01 from each; now it has 0.11, "
        "since every tree needs one. Nobody is its own head.";
    mechanism.properties = {.row_stochastic = false, .permutation_equivariant = true};
    return mechanism;
}

}  // namespace headlight

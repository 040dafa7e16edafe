#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_euclidean() {
    Mechanism mechanism;
    mechanism.name = "L2 attention";
    mechanism.also_known_as = {"Euclidean distance attention", "Lipschitz attention"};
    mechanism.family = "Scores";
    mechanism.order = 5150;
    mechanism.formula = R"(@scores{s_{ij} = -|@query{q_i} - @key{k_j}|^2},\quad )"
                        R"(@output{@weights{\operatorname{softmax}(@scaled_scores{\frac{@scores{S}}{)"
                        R"(\sqrt{d_k}}})}\,@value{V}})";
    mechanism.papers = {
        {"Kim, Papamakarios and Mnih, The Lipschitz Constant of Self-Attention (section 3.2)", 2021}};
    mechanism.explanation =
        "The score is the squared distance between query and key with its sign turned: the nearest key wins, "
        "not the longest. Dot-product attention can change its output without bound when its input changes a "
        "little; with distances, and one matrix for queries and keys, the change is bounded, which is what "
        "proofs about deep networks need. It is Gaussian kernel regression whose width grows with the width "
        "of the vectors, 2σ² = √d_k. Compared with the scaled dot product every row gains a term −|k|²/√d_k "
        "that puts long keys at a disadvantage, and a factor of 2.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head; memory n m";
    mechanism.correction =
        "Replacing the dot product alone does not make the layer Lipschitz: W_q and W_k must also "
        "be the same matrix.";
    mechanism.related = {"gaussian_kernel", "scaled_dot_product", "cosine"};

    AttentionSpec spec;
    spec.score.type = ScoreType::euclidean;
    compose(mechanism, spec, {source_knob(), projections_knob()});

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.look_for =
        "Each row has its largest weight on its own word, and like words share it. Step back to the scores: "
        "on the diagonal they are 0, the largest that there is, for nothing is nearer to a word than itself, "
        "however long the other vectors are.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_memorizing() {
    Mechanism mechanism;
    mechanism.name = "Memorizing attention (kNN)";
    mechanism.also_known_as = {"Memorizing Transformer", "nearest-neighbour memory"};
    mechanism.family = "Selections";
    mechanism.order = 5477;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j},\quad )"
        R"(A_i = \sigma(\beta)\,@found_weights{\operatorname{softmax}\left(s_{ij},\ j \in N_k(i)\right)} + )"
        R"((1 - \sigma(\beta))\,@local_weights{\operatorname{softmax}\left(s_{ij},\ j \in \text{segment})"
        R"(\right)},\quad @scores{s_{ij} = \frac{@query{q_i} \cdot @key{k_j}}{\sqrt{d}}},\quad )"
        R"(N_k(i) = \text{the } k \text{ largest of earlier segments})";
    mechanism.papers = {{"Wu et al., Memorizing Transformers", 2022}};
    mechanism.explanation =
        "A text too long for attention is read in segments, but what was read is not thrown away: keys and "
        "values go into a store, as they are, and stay there. A query looks for the k keys of the store that "
        "fit it best, which search trees do in little time however large the store is, and attends to those "
        "alone. Beside that it attends to its own segment as usual. The two softmaxes do not compete; a "
        "number β of each head decides how much the store counts. A name, a definition or a lemma can be "
        "taken up again word by word after a hundred pages, where a memory of fixed size would only have a "
        "mean of it. No gradient goes into the store: its keys are those of earlier steps of training.";
    mechanism.cost =
        "n (w + k) (d + d_v) multiply-adds per head for segments of w tokens, beside the search; the store "
        "grows with the text, m (d + d_v).";
    mechanism.correction =
        "It is not top-k of all keys: near ones have a softmax of their own, and the shares of the two sum "
        "to 1 by the gate. In the first segment there is nothing to find, and a row sums to 1 − σ(β). The "
        "paper has one such layer, near the top, keys and queries of length 1, a bias of the distance in "
        "the segment, and a sliding one; it finds neighbours approximately.";
    mechanism.related = {"top_k", "infini", "landmark", "quest"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::memorizing;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "Segments of four words. In the row of the second “door” the first one has the most of what is "
        "found, from a segment before. The third segment begins with “was”, and finds the “was” of the "
        "first one.";
    mechanism.properties = {.row_stochastic = false, .causal = true, .streaming = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_infini() {
    Mechanism mechanism;
    mechanism.name = "Infini-attention";
    mechanism.also_known_as = {"compressive memory", "infinite context attention"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3580;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j} = \sigma(\beta)\,\frac{\varphi(@query{q_i}))"
        R"(\,M_s}{\varphi(q_i)\,z_s} + (1 - \sigma(\beta)) @local_weights{\operatorname{softmax}\left()"
        R"(@scores{\frac{q_i\,@key{K_s}^\top}{\sqrt{d}}}\right)}\,V_s,\quad )"
        R"(M_{s+1} = M_s + \sum_{j \in s} \varphi(k_j)^\top \left(v_j - \frac{\varphi(k_j)\,M_s}{)"
        R"(\varphi(k_j)\,z_s}\right),\quad z_{s+1} = z_s + \sum_{j \in s} \varphi(k_j),\quad )"
        R"(\varphi(x) = \operatorname{elu}(x) + 1)";
    mechanism.papers = {
        {"Munkhdalai et al., Leave No Context Behind: Efficient Infinite Context Transformers "
         "with Infini-attention",
         2024}};
    mechanism.explanation =
        "A text without end is cut into segments. Within its own segment a token attends as usual. Before "
        "the next segment comes, all keys and values of this one go into a matrix M, as linear attention "
        "keeps them, and are forgotten themselves. A query of a later segment asks the matrix, φ(q) M over "
        "φ(q) z, and gets a mean of all that was stored, weighed by how well the keys fit. A learned number "
        "β of each head decides how much the memory counts and how much the segment. By the delta rule a "
        "value is stored without what the memory answers to its key already: what is known is not written "
        "twice. All tokens of a segment ask the memory as it was before the segment, and so they know "
        "nothing of one another there.";
    mechanism.cost =
        "n w (d + d_v) multiply-adds per head within segments of w tokens, and 2 n d d_v to store and to "
        "ask, 3 n d d_v with the delta rule; state d (d_v + 1), whatever n. As computed here, where the map "
        "is shown, of the order of n³ with the delta rule.";
    mechanism.correction =
        "In the first segment the memory is empty and answers 0, so that a row sums to 1 − σ(β) there, as "
        "the paper’s formulas have it; a widely read reimplementation leaves the gate out until there is a "
        "memory. With the delta rule the divisor z still counts every key in full, though what is stored "
        "has become less: from the third segment on rows sum to less than 1, and a weight may be negative. "
        "Keys and queries of the memory have no positions; here none are turned at all.";
    mechanism.related = {"linear", "delta", "blocks", "transformer_xl", "titans"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::infini;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "Segments of four words. The first has only itself, and its rows sum to 0.5, for half of each answer "
        "is that of an empty memory. The second sees all words of the first, whatever their places, and its "
        "rows sum to 1. In the third the memory has stored the second without what it knew, and the rows sum "
        "to less; with `update` linear to 1.";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight

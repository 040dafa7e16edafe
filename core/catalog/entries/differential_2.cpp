#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_differential_2() {
    Mechanism mechanism;
    mechanism.name = "Differential attention, version 2";
    mechanism.also_known_as = {"DIFF V2", "DIFF Transformer V2", "grouped differential attention"};
    mechanism.family = "Heads";
    mechanism.order = 3801;
    mechanism.formula =
        R"(@weights{A = @first_weights{\operatorname{softmax}\left(@first_scores{\frac{@query{Q_1}\,)"
        R"(@key{K}^\top}{\sqrt{d}}}\right)} - @second_share{\sigma(X w_\lambda)} \circ @second_weights{)"
        R"(\operatorname{softmax}\left(@second_scores{\frac{@second_query{Q_2}\,K^\top}{\sqrt{d}}})"
        R"(\right)}},\quad @context{O = A\,@value{V}})";
    mechanism.papers = {{"Ye, Dong, Sun and Wei, Differential Transformer V2", 2026},
                        {"Lim et al., Grouped Differential Attention (noise: group)", 2025},
                        {"Lim et al., Motif 3: Technical Report (section 2.2, noise: group)", 2026}};
    mechanism.explanation =
        "As in differential attention a head draws two maps and takes the second off the first, so that what "
        "both give to words of no interest cancels. The first version halves queries and keys for it, has "
        "one λ for a whole layer, and a norm that blows each result up again, which made training unsteady. "
        "Here a head has two full queries that look through the same keys and take from the same values, and "
        "each word says for each head, by a sigmoid, how much is taken off: nothing, where one map is all "
        "that it needs, or nearly the whole of the second. There is no norm. A row sums to 1 − λ of its word "
        "and may come near 0: a head can say that it found nothing, which a softmax cannot. What is of no "
        "interest is much the same for heads that read the same keys: in the grouped form these have one "
        "second query together, a head of noise for four of signal in Motif 3, and each takes off its own "
        "share of the one map.";
    mechanism.cost =
        "n m (2 d + d_v) multiply-adds per head and two maps of n m numbers; a cache as small as that of "
        "attention with as many heads of keys and values. FlashAttention with 2 H heads and a subtraction of "
        "two contexts, which is the same, costs n m (2 d + 2 d_v). In the grouped form there is one second "
        "map for each group: W_second_query is as narrow as W_k, and H + H_kv maps are enough for 2 H.";
    mechanism.correction =
        "The two queries of a pair have one head of keys and values. In the authors’ code they are heads 2 i "
        "and 2 i + 1 of one projection, neighbours in a group; subtracting heads of different groups is "
        "another mechanism and works worse, they say. Here the odd ones have a matrix of their own, which is "
        "the same with other names. λ has no start value that grows with the layer: σ is 0.5 at first. "
        "The paper on grouped differential attention, and Motif 2 with it, still has the first version’s λ "
        "and norm, and heads of noise with keys of their own; a second query for each group is what "
        "Motif 3 has, beside narrow latents and an output gate.";
    mechanism.related = {"differential", "grouped_query", "gated", "off_by_one"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads.type = HeadsType::grouped_query;
    spec.algorithm.type = AlgorithmType::differential_2;
    compose(mechanism, spec,
            std::vector<Knob>{heads_knob(), kv_heads_knob()} + component_knobs(spec) + causal_knob() +
                projection_bias_knob() + source_knob());

    mechanism.example.query = "the king and the queen lived in a great castle";
    mechanism.example.look_for = "Each row sums to 1 less the share that its word takes off, another one in "
                                 "every row and head; some cells are negative.";
    mechanism.properties = {.row_stochastic = false, .permutation_equivariant = true, .is_signed = true};
    return mechanism;
}

}  // namespace headlight

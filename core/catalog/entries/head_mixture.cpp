#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_head_mixture() {
    Mechanism mechanism;
    mechanism.name = "Mixture of heads (MoH)";
    mechanism.also_known_as = {"mixture-of-head attention", "routed heads", "heads as experts"};
    mechanism.family = "Heads";
    mechanism.order = 5725;
    mechanism.formula =
        R"(@output{o_i = \sum_{h} @head_gates{g_{ih}}\,@attended{(@weights{A_h}\,@value{V_h})_i}\,W_h},)"
        R"(\quad )"
        R"(@head_gates{g_i = \left[\alpha_{i1} \operatorname{softmax}(W_s x_i),\; \alpha_{i2}\,)"
        R"(\operatorname{top}_k\left(\operatorname{softmax}(W_r x_i)\right)\right]},\quad )"
        R"(\alpha_i = \operatorname{softmax}(W_\alpha x_i))";
    mechanism.papers = {{"Jin et al., MoH: Multi-Head Attention as Mixture-of-Head Attention", 2025}};
    mechanism.explanation =
        "What multi-head attention gives is a sum over the heads, each of which has its rows of W_o. In the "
        "sum every head counts the same for every word, whether it found something or not. Here the heads "
        "are experts: a router looks at each word, gives each head a share by a softmax, and keeps the k "
        "largest; the word gets nothing of the other heads, which need not be computed for it. Some heads "
        "are shared: every word has them, for what all words need, and a second softmax says how much they "
        "count against the chosen ones. The number of parameters hardly grows, and the authors report "
        "better results with 50 to 90 per cent of the heads.";
    mechanism.cost = "n d (H + 2) multiply-adds for the router; n m (d + d_v) for each head that is computed "
                     "for all words, or a share k / H of it where rows that nobody chose are left out.";
    mechanism.correction =
        "Every word chooses among the heads, not every head among the words; and it is what the query’s "
        "word gets that is gated, while all heads keep keys and values of all words. Gates of the paper are "
        "shares of a softmax, so that with all heads chosen it is not multi-head attention: each head "
        "counts for a part of 1. The authors’ code divides the chosen ones by their sum and multiplies by "
        "the number of heads, which can be set here. A loss that keeps the heads in balance belongs to the "
        "training.";
    mechanism.related = {"multi_head", "headwise_gate", "head_scale", "compositional"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .heads = 8};
    spec.algorithm.type = AlgorithmType::head_mixture;
    compose(mechanism, spec,
            std::vector<Knob>{heads_knob()} + component_knobs(spec) + causal_knob() + projection_bias_knob() +
                source_knob());

    mechanism.example.query = "the king met the queen and the man met the woman";
    mechanism.example.look_for = "Look at the gates: head 1 has some for every word, and of heads 2 to 8 "
                                 "each word has two. The four copies of “the” chose the same ones.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_gau() {
    Mechanism mechanism;
    mechanism.name = "Gated attention unit (GAU)";
    mechanism.also_known_as = {"FLASH", "squared ReLU attention"};
    mechanism.family = "Normalisers";
    mechanism.order = 5516;
    mechanism.formula =
        R"(@weights{A_{ij} = \max\left(0, @scores{\frac{@offset_query{q_i} \cdot @offset_key{k_j}}{n}})"
        R"(\right)^2},\quad q = \gamma_q \circ \operatorname{silu}(@query{z}) + \beta_q,\quad )"
        R"(k = \gamma_k \circ \operatorname{silu}(z) + \beta_k,\quad )"
        R"(@output{O = @context{@attended{A\,@activated_value{\operatorname{silu}(V)}} \circ @output_gate{)"
        R"(\operatorname{silu}(@tokens{X} W_u)}}\,W_o})";
    mechanism.papers = {{"Hua et al., Transformer Quality in Linear Time", 2022}};
    mechanism.explanation =
        "A Transformer block has attention and, behind it, a feed-forward layer, which in good models is a "
        "gated linear unit: one half of it multiplies the other. Here the two are one: the values are the "
        "half that is to be gated, attention mixes them over the tokens, and silu(x W_u) of the token opens "
        "the result number by number. The gate does so much that attention itself may be weak: one head is "
        "enough, query and key are one vector z, which each scales and shifts feature by feature, and the "
        "softmax is replaced by a square of what is above 0. A pair whose product is negative has the weight "
        "0, one that is twice as large counts four times, and no pair knows of another. Dividing by n keeps "
        "the sum of a long row in bounds.";
    mechanism.cost = "n m (s + d_v) multiply-adds for queries of s numbers, and n D d_v for the gate; memory "
                     "n m. No sum over the row.";
    mechanism.correction =
        "n divides before the square, so that weights are over n²; it is the number of keys, the same for "
        "every row of a causal map. The paper adds a learned bias of the distance to the scores and turns "
        "queries and keys by their places; both are left out here, for SiLU would change turned vectors. Its "
        "linear form, FLASH, is this map within chunks and a sum of keys times values for the chunks before. "
        "MEGA takes z from an exponential moving average of the tokens, and a softmax or a smooth step for "
        "the square.";
    mechanism.related = {"hstu", "relu", "gated", "mega", "shared_query_key"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::gau;
    spec.heads.sharing = Sharing::query_key;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "coffee tea coffee bread coffee milk coffee tea";
    mechanism.example.look_for =
        "Each “coffee” gives the same number to the row of a later one: nothing is shared out, and four cups "
        "count four times as much as one. Set `length` to 1: every weight is 64 times as large, the square "
        "of eight words.";
    mechanism.properties = {
        .row_stochastic = false, .causal = true, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_rwkv6() {
    Mechanism mechanism;
    mechanism.name = "RWKV-5 and RWKV-6 time mixing";
    mechanism.also_known_as = {"Eagle", "Finch", "WKV with matrix states"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3435;
    mechanism.formula =
        R"(@output{o_i} = \sum_{j \le i} @weights{A_{ij}}\,@value{v_j},\quad )"
        R"(@faded_products{A_{ij} = \sum_c @query{r_{ic}}\,@key{k_{jc}} \prod_{j < t < i} w_{tc}},\quad )"
        R"(@own_products{A_{ii} = \sum_c r_{ic}\,u_c\,k_{ic}},\quad )"
        R"(w_t = e^{@log_decay{-\exp(x_t W_w + b_w)}},\quad )"
        R"(o_i = r_i \left(S_{i-1} + \operatorname{diag}(u)\,k_i^\top v_i\right),\quad )"
        R"(S_i = \operatorname{diag}(w_i)\,S_{i-1} + k_i^\top v_i)";
    mechanism.papers = {
        {"Peng et al., Eagle and Finch: RWKV with Matrix-Valued States and Dynamic Recurrence", 2024}};
    mechanism.explanation =
        "RWKV-4 keeps a weighted mean for each channel. RWKV-5 and 6 keep a matrix for each head instead, as "
        "linear attention does, and the query, called receptance r, reads it. Each feature of the keys fades "
        "at a pace w of its own: in RWKV-5 (Eagle) one that was learned for good, in RWKV-6 (Finch) one that "
        "every token sets anew. Two exponentials keep w between 0 and 1, whatever is put into them. The "
        "newest token is no part of the state yet when it is read: its key counts by u, which is learned and "
        "may be more than 1. So the token before it has not faded at all, and only from there on does w act. "
        "The model divides neither row nor output by a sum; it normalises each head’s output afterwards and "
        "gates it by SiLU. Both are left out here, as is the mixing of each token with the one before.";
    mechanism.cost =
        "3 n d d_v multiply-adds per head: to fade, to write and to read; state d d_v; decays n D d";
    mechanism.correction =
        "The paper makes the decays by a narrow matrix, tanh and a second one, b_w + tanh(x A) B, of x mixed "
        "with the token before; here it is one matrix, x W_w + b_w. The decay of token i acts after i "
        "was read: gated linear attention lets it act before. So the product runs over the tokens strictly "
        "between the two, and u stands in the place of its first factor. There is no division by √d in "
        "the models; kernels that take a scale are called with 1.";
    mechanism.related = {"rwkv4", "rwkv7", "gla", "retention", "mamba2"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::rwkv6;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "In the last row compare the first “the”, “door” and “was” with their copies six places on. With a "
        "constant decay each has 0.44 of what its copy has, which is w⁶. Here they have 0.39, 0.34 and 0.22: "
        "the features that matter to each have met other decays. Set `decay` to constant to see the 0.44.";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight

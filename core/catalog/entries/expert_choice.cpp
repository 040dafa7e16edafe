#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_expert_choice() {
    Mechanism mechanism;
    mechanism.name = "Mixture of sparse attention heads (MoSA)";
    mechanism.also_known_as = {"MoSA", "expert-choice attention"};
    mechanism.family = "Selections";
    mechanism.order = 5481;
    mechanism.formula =
        R"(@output{o_i = \sum_j @weights{\sigma(r_i)\,@chosen_weights{\operatorname{softmax}_{j \in S})"
        R"(\left(@scores{\frac{@query{q_i} \cdot @key{k_j}}{\sqrt{d}}}\right)}}\,@value{v_j}},\quad )"
        R"(i \in S,\quad @chosen{S = \operatorname{top}_k\left(r\right)},\quad r = X w_h)";
    mechanism.papers = {
        {"Piękos, Csordás and Schmidhuber, Mixture of Sparse Attention: Content-Based Learnable "
         "Sparse Attention via Expert-Choice Routing",
         2025}};
    mechanism.explanation =
        "Heads are experts that choose their tokens. Each head has a vector that says of every token how "
        "well it fits, and takes the k best of the whole text: these ask, answer and are read in this head, "
        "and all others pass it by. So a head works on k tokens, and its map is k by k: with the same work "
        "there can be many more heads, each for something of its own. What a token gets is multiplied by the "
        "sigmoid of how well it fits, through which the choice learns. Every head takes the same number of "
        "tokens, so that none is idle, but a token may be taken by many heads or by none. The paper has a "
        "few heads of full attention beside them.";
    mechanism.cost = "n d for the choice and k² (d + d_v) multiply-adds per head; memory k². Here the map is "
                     "drawn in full, [n, n].";
    mechanism.correction = "The choice is made over the whole text, later tokens included: with a causal "
                           "mask no token reads a later one, but whether it was chosen depends on them, and "
                           "a model that writes word by word has to choose in another way. It is the head "
                           "that chooses tokens, not the token that chooses heads, as in a mixture of heads.";
    mechanism.related = {"head_mixture", "switch_head", "routing", "dynamic_mask"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::expert_choice;
    spec.mask.rule = CausalMask{};
    spec.heads.type = HeadsType::multi;
    compose(mechanism, spec, component_knobs(spec) + heads_knob(4) + projections_knob());

    mechanism.example.query = "the king and the queen drink tea in the garden";
    mechanism.example.look_for = "Each head has four rows and columns, not the same ones; all other rows are "
                                 "empty. The three “the” fit "
                                 "a head alike: it takes all of them, none, or as many as it has room for.";
    mechanism.properties = {
        .row_stochastic = false, .data_dependent_mask = true, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight

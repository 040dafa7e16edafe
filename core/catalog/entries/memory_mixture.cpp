#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_memory_mixture() {
    Mechanism mechanism;
    mechanism.name = "Mixture of memories";
    mechanism.also_known_as = {"MoM", "mixture-of-memories"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3512;
    mechanism.formula =
        R"(@output{o_i = \sum_m r_{im}\,\frac{@query{q_i}}{\sqrt{d}}\,S_i^{(m)}},\quad )"
        R"(S_i^{(m)} = \alpha_i^{(m)} S_{i-1}^{(m)} + \beta_i^{(m)}\,k_i^{(m)\top} (v_i^{(m)} - )"
        R"(\alpha_i^{(m)} k_i^{(m)} S_{i-1}^{(m)}) \text{ if } r_{im} > 0 \text{, else } S_{i-1}^{(m)},)"
        R"(\quad )"
        R"(@memory_routes{r_i = \operatorname{softmax}\left(\text{the largest of } x_i W_r\right) \text{, )"
        R"(else } 0},\quad @weights{A_{ij} = \sum_m @weights_of_memories{A_{ij}^{(m)}}})";
    mechanism.papers = {
        {"Du et al., MoM: Linear Sequence Modeling with Mixture-of-Memories", 2026},
        {"Yang, Kautz and Hatamizadeh, Gated Delta Networks: Improving Mamba2 with Delta Rule", 2025}};
    mechanism.explanation =
        "A recurrent layer writes every token to one state, and each fades and disturbs what was there. A "
        "larger state helps less than it costs: all of it is still touched each time. A mixture of memories "
        "keeps several states and sends each token to a few of them, as a mixture of experts sends it to a "
        "few networks. Only these forget, are written to and are read, by the rule of Gated DeltaNet; for "
        "the others the token has not come, so that what a memory holds is as old as the tokens that were "
        "sent to it, not as the text. Each memory has projections of its own for keys and values. What the "
        "chosen memories answer is added up by their shares, and beside them one shared memory takes every "
        "token, for what all of the text has in common.";
    mechanism.cost = "4 n d d_v multiply-adds per head for each memory that takes a token, and n d M for the "
                     "router; state M d d_v. As computed here, with the maps of all memories, of the order "
                     "of M n³.";
    mechanism.correction =
        "A token reads the memories that it is written to and no others: what was sent elsewhere it can find "
        "only in the shared memory. The sum is over states after the token has been written. The "
        "convolutions, the SiLU of queries, keys and values, the length 1 of the queries and the gated norm "
        "behind are left out here, and so is what keeps the router balanced while it learns. The rule of the "
        "states may be another, such as that of GLA or of gated slots; the authors’ models have Gated "
        "DeltaNet.";
    mechanism.equivalences = {
        equal_when("gated_delta", "one memory is Gated DeltaNet",
                   {.here = {{"memories", Index(1)}, {"shared", false}}, .tolerance = 1e-12})};
    mechanism.related = {"gated_delta", "raven", "gsa", "head_mixture"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::memory_mixture;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.values = {{"active", Index(1)}, {"shared", false}, {"own_keys", false}};
    mechanism.example.look_for =
        "The router sends “was” to a memory of its own and all other words to another one. The second “was” "
        "finds the first with 0.15, a third of its own weight, for no word came between; in Gated DeltaNet "
        "0.005 are left of it. Switch `shared` on: in the shared memory all words meet again.";
    mechanism.example.beside = "gated_delta";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight

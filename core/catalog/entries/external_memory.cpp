#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_external_memory() {
    Mechanism mechanism;
    mechanism.name = "External attention";
    mechanism.also_known_as = {"learned memory slots"};
    mechanism.family = "Memory";
    mechanism.order = 5740;
    mechanism.formula =
        R"(@slot_weights{A = \operatorname{norm}\left(@slot_scores{@query{Q}\,M_k^\top}\right)},\quad )"
        R"(@output{O = @slot_weights{A}\,M_v},\quad )"
        R"(@weights{W_{ij} = \sum_s @slot_weights{A_{is}}\,@slot_shares{C_{sj}}})";
    mechanism.papers = {{"Guo, Liu, Mu and Hu, Beyond Self-attention: External Attention Using Two Linear "
                         "Layers for Visual Tasks",
                         2021}};
    mechanism.explanation =
        "Tokens do not look at each other at all. Each looks at a small memory of learned slots, the same "
        "for every sentence, and reads their values; time grows with the number of tokens, not its square. "
        "The scores are normalised twice: each slot shares itself out over the tokens by a softmax, then "
        "each token’s shares are divided by their sum, so that long vectors cannot claim everything. There "
        "is no map of tokens by tokens in it. What is drawn as weights here is how much of what a token "
        "reads comes from slots that another token has a share in: a link through the memory, whose rows sum "
        "to 1.";
    mechanism.cost = "n s (d + d_v) multiply-adds per head for s slots; memory n s. Nothing is cached: the "
                     "slots are parameters.";
    mechanism.correction = "The first softmax runs over the tokens, not over the slots; printed formulas "
                           "that say only norm hide that a token’s result depends on the others through it.";
    mechanism.related = {"persistent_memory", "hopfield", "slot", "inducing_points"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::external_memory;
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "red green blue dog cat horse bread cheese";
    mechanism.example.look_for = "Step to the slot weights: words of like meaning choose like slots, even "
                                 "though the slots are random, and that is all that links them.";
    mechanism.properties = {.permutation_equivariant = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight

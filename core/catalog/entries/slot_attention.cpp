#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_slot_attention() {
    Mechanism mechanism;
    mechanism.name = "Slot attention in rounds";
    mechanism.also_known_as = {"slot attention module", "object slots", "iterative slot attention"};
    mechanism.family = "Memory";
    mechanism.order = 5764;
    mechanism.formula =
        R"(s_{t+1} = s' + \operatorname{MLP}(\operatorname{norm}(s')),\quad )"
        R"(s' = \operatorname{GRU}\left(@attended{@weights{A}\,@value{V}}, s_t\right),\quad )"
        R"(@weights{A_{ij} = \frac{a_{ij}}{\sum_l a_{il}}},\quad )"
        R"(a_{ij} = \frac{e^{z_{ij}}}{\sum_l e^{z_{lj}}},\quad )"
        R"(@scores{z = \frac{\operatorname{norm}(s_t)\,W_q\,@key{K}^\top}{\sqrt{d}}},\quad @output{o = s_T})";
    mechanism.papers = {
        {"Locatello et al., Object-Centric Learning with Slot Attention (algorithm 1)", 2020}};
    mechanism.explanation =
        "A picture of three balls should become three vectors, one for each, though nobody says which pixel "
        "belongs to which ball. Slot attention begins with a few vectors, the slots, and lets them compete. "
        "In a round every place of the picture is shared out among the slots by a softmax over the slots, so "
        "that what one gets another loses; each slot takes the mean of what it has won, and a gated "
        "recurrent unit makes the new slot of that mean and of the old slot. A small layer follows. Then "
        "they compete again, as what they have become: a slot that had a little more of a ball resembles it "
        "now, and gets nearly all of it in the next round. That is clustering, with a distance that is "
        "learned. In the paper slots begin as random numbers around one learned vector, which is why any "
        "slot may come to hold any object; here they begin as the tokens that ask, so that you can see "
        "which is which.";
    mechanism.cost =
        "T n m (d + d_v) multiply-adds per head for T rounds, and T n (6 d² + 4 d² + d²) for the "
        "cell, the layer and the queries; memory n m of one round, of all rounds here.";
    mechanism.correction =
        "Weights are not the shares: a softmax over the slots shares out each place, and only then each row "
        "is divided by its sum. Without the competition all slots would end alike. Keys and values stay the "
        "same in all rounds. The norm of the inputs is left out here, as are the gains of the others, which "
        "matrices behind them can take over, and so is the small number that the paper adds to the shares.";
    mechanism.equivalences = {
        equal_when("slot", "one round in which slots become what they find is the normaliser of this name",
                   {.here = {{"rounds", Index(1)}, {"cell", false}, {"layer", false}, {"norm", false}},
                    .tolerance = 1e-12})};
    mechanism.related = {"slot", "memory_hops", "clustered", "inducing_points", "attention_pooling"};

    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.algorithm.type = AlgorithmType::slot_attention;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "animal city food music science sport";
    mechanism.example.key = "the dog ate bread while london played a song";
    mechanism.example.stage = "round_weights";
    mechanism.example.look_for =
        "Three maps side by side, one for each round, nine words wide. In the first the slots are the words "
        "that ask; then they are what an untrained cell has made of them. Leave out the cell and the layer: "
        "now a slot is a mean of what it has won, and from round to round “animal” has more of “dog” and "
        "“food” more of “bread”.";
    mechanism.properties = {.permutation_equivariant = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_slot() {
    Mechanism mechanism;
    mechanism.name = "Slot attention";
    mechanism.also_known_as = {"inverted attention", "competition of queries"};
    mechanism.family = "Normalisers";
    mechanism.order = 5580;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{\frac{a_{ij}}{\sum_k a_{ik}}}\,@value{v_j},\quad@shares{a_{ij}} )"
        R"(= \frac{e^{s_{ij}}}{\sum_l e^{s_{lj}}})";
    mechanism.papers = {{"Locatello et al., Object-Centric Learning with Slot Attention", 2020}};
    mechanism.explanation =
        "The softmax runs the other way: along the queries of each key. Every key, a patch of an "
        "image say, divides itself among the queries, the slots, and these compete to explain it. "
        "A slot that explains a key best takes most of it, so that slots part the input among "
        "them instead of all looking at the same bright spot. Then each row is divided by its "
        "sum, and the output is a mean of what the slot has won. The original repeats this three "
        "times and updates the slots with a recurrent cell in between.";
    mechanism.cost = "n m (d + d_v) multiply-adds and n m exponentials per head; memory n m.";
    mechanism.correction =
        "The shares sum to 1 over the queries of a key, the weights over the keys of a query: the "
        "division comes after. Only the first makes slots compete.";
    mechanism.related = {"sinkhorn", "soft", "capsules"};

    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.normalizer.type = NormalizerType::slot;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + projection_knobs());

    mechanism.example.query = "animal city food music science sport";
    mechanism.example.key = "the dog ate bread while london played a song";
    mechanism.example.look_for =
        "Each column of the shares sums to 1: “dog” goes most to “animal”, “bread” to “food”, "
        "“song” to “music”, and “science”, which wins nothing, spreads over what is left.";
    mechanism.example.stage = "shares";
    mechanism.properties = {.permutation_equivariant = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_aft() {
    Mechanism mechanism;
    mechanism.name = "Attention-free Transformer";
    mechanism.also_known_as = {"AFT", "AFT-simple", "AFT-full", "AFT-local", "AFT-conv"};
    mechanism.family = "Low rank";
    mechanism.order = 3630;
    mechanism.formula = R"(@output{o_{ic} = @receptance{\sigma(@query{q_{ic}})}\,@means{\frac{\sum_{j \le )"
                        R"(i} \exp(@key{k_{jc}} + w_{ij})\,@value{v_{jc}}}{\sum_{j \le i} \exp(k_{jc} + )"
                        R"(w_{ij})}}},\quad @weights{A_{ij} = \frac{1}{d} \sum_c @channel_weights{a_{ijc}}})";
    mechanism.papers = {{"Zhai et al., An Attention Free Transformer", 2021}};
    mechanism.explanation =
        "Each channel takes a weighted mean of its values over the keys, with weights exp(k) in that channel "
        "and, if wanted, a learned bias for each pair of places; the query does not choose among keys at "
        "all, it only opens or closes each channel with a sigmoid. Without biases (AFT-simple) two running "
        "sums suffice and the cost is n d, with biases for all pairs (AFT-full) n² d. Local biases are 0 "
        "outside a window, where pairs still take part; those of AFT-conv depend on the distance alone, each "
        "head has its own, and both sums are then a convolution with exp(w) − 1 and a sum over all. The "
        "paper gives a head of AFT-conv one number for each key, which is a W_k of equal columns here, and "
        "scales its filters by their mean and spread, which only changes how they are learned. Every channel "
        "has its own map; the map shown is their mean. RWKV grew out of it: its biases are a decay with "
        "distance.";
    mechanism.correction =
        "There are no scores of pairs: without biases all queries take the keys that they see in the same "
        "proportions, and what differs from row to row is the gate. The exponentials are of keys that no √d "
        "divides, so the largest is taken off first.";
    mechanism.cost = "n d per head without biases, n² d with; no product of tokens";
    mechanism.equivalences = {
        {"aft",
         {{"biases", std::string("full")}},
         {},
         "AFT-full with all biases 0 is AFT-simple.",
         1e-09,
         {{"position_biases", "zeros"}}},
    };
    mechanism.related = {"rwkv4", "linear"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::attention_free;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the small dog chased the big cat across the old street";
    mechanism.example.look_for =
        "Every row is the same as the one above, only spread over one more key: queries do not choose.";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight

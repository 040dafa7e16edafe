#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_rwkv4() {
    Mechanism mechanism;
    mechanism.name = "RWKV-4 time mixing";
    mechanism.also_known_as = {"WKV", "Receptance Weighted Key Value"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3430;
    mechanism.formula = R"(@output{o_{ic} = @receptance{\sigma(@query{q_{ic}})}\,@means{\sum_{j \le i} )"
                        R"(@channel_weights{a_{ijc}}\,@value{v_{jc}}}},\quad )"
                        R"(a_{ijc} \sim \exp(@key{k_{jc}} - (i - 1 - j)\,w_c),\quad )"
                        R"(a_{iic} \sim \exp(u_c + k_{ic}),\quad )"
                        R"(@weights{A_{ij} = \frac{1}{d} \sum_c a_{ijc}})";
    mechanism.papers = {{"Peng et al., RWKV: Reinventing RNNs for the Transformer Era", 2023}};
    mechanism.explanation =
        "There is no product of queries and keys: each channel takes a weighted mean of its own past values, "
        "with weights exp(k) that the keys choose, less a learned decay w for each token that has passed, "
        "and a bonus u for the newest token. The query, called receptance, only opens or closes the channel "
        "by a sigmoid. Each channel thus has a map of its own; the map shown is their mean, and its rows sum "
        "to 1. As a recurrence three numbers for each channel suffice: numerator, denominator, and the "
        "largest exponent so far, which keeps the exponentials from overflowing.";
    mechanism.correction = "The bonus takes the place of the decay for the newest token and is not added to "
                           "it. The token before has no decay yet: it counts the tokens between.";
    mechanism.cost = "n d per head, without any product of tokens; state 3 d";
    mechanism.related = {"aft", "retention", "rwkv6"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::rwkv4;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the small dog chased the big cat across the old street";
    mechanism.example.look_for =
        "The rows of all queries are alike but for the fading: which keys count is decided by the "
        "keys alone.";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight

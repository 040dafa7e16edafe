#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_retention() {
    Mechanism mechanism;
    mechanism.name = "Retention";
    mechanism.also_known_as = {"RetNet"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3400;
    mechanism.formula =
        R"(@output{@weights{\left(@similarities{\frac{@query{Q}\,@key{K}^\top}{\sqrt{d}}} \odot )"
        R"(@decay_mask{D}\right)}\,@value{V}},\quad D_{ij} = \gamma^{i-j} \text{ for } j \le i,\quad )"
        R"(@state{S_i = \gamma S_{i-1} + k_i^\top v_i})";
    mechanism.papers = {
        {"Sun et al., Retentive Network: A Successor to Transformer for Large Language Models", 2023},
        {"MiniMax, MiniMax-01: Scaling Foundation Models with Lightning Attention", 2025}};
    mechanism.explanation =
        "Scores are used as they are, without a softmax, and a pair’s score is multiplied by γ for every "
        "token between the two. The same numbers come out in three ways: in parallel from the map with its "
        "decay mask; recurrently from a state that is multiplied by γ before each key is added; and chunk by "
        "chunk, with the state between chunks and the map within them. Heads have decays of their own, γ = 1 "
        "− 2^(−5−h), so that some look far and some near. Weights may be negative and rows do not sum to 1; "
        "the model normalises each head’s output afterwards. The rotation of queries and keys in the paper "
        "is the position part here: choose rope. Lightning attention is the same with other decays, exp(−s) "
        "with s = 2^(−8 (h + 1) / heads) in the first layer and next to 0 in the last, and with queries, "
        "keys and values that pass through SiLU first: set `decays` and `silu`.";
    mechanism.correction = "The decay multiplies a score, where ALiBi’s bias is added to it: no exponential "
                           "stands behind. Decays are given for each head and not learned.";
    mechanism.cost = "3 n d d_v multiply-adds per head recurrently: to fade, to write and to read; n² (d + "
                     "d_v) in parallel; state d d_v";
    mechanism.equivalences = {
        {"gla",
         {{"gamma", 1.0}},
         {{"forgets", false}},
         "With γ = 1 and open gates nothing fades: both are linear attention without features or "
         "normalisation.",
         1e-09},
    };
    mechanism.related = {"linear", "gla", "mlstm", "alibi"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::retention;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the old man and the young man saw the sea";
    mechanism.example.look_for =
        "The same word’s earlier copies fade with distance by the same factor in every row; set γ "
        "to 0.7 to see the wedge.";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight

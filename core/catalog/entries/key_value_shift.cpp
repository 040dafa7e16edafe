#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_key_value_shift() {
    Mechanism mechanism;
    mechanism.name = "Key-value shift";
    mechanism.also_known_as = {"KV shifting attention", "smeared keys", "token shift of keys"};
    mechanism.family = "Scores";
    mechanism.order = 5245;
    mechanism.formula =
        R"(@context{o_i = \sum_{j \le i} @weights{A_{ij}}\,@shifted_value{\hat{v}_j}},\quad )"
        R"(@weights{A_i = \operatorname{softmax}\left(@scores{\frac{@query{q_i} \cdot @shifted_key{)"
        R"(\hat{k}_j}}{\sqrt{d}}}\right)},\quad )"
        R"(@shifted_key{\hat{k}_j = \alpha_1\,@key{k_j} + \alpha_2\,k_{j-1}},\quad )"
        R"(@shifted_value{\hat{v}_j = \beta_1\,@value{v_j} + \beta_2\,v_{j-1}})";
    mechanism.papers = {{"Xu et al., KV Shifting Attention Enhances Language Modeling", 2025}};
    mechanism.explanation =
        "Who reads “the old king … the old” expects “king”. A Transformer finds it with two layers: in the "
        "first a head looks at the token before and writes it beside each token, in the second a head looks "
        "for tokens before which the present one stood, and copies them. That pair is called an induction "
        "head. One layer cannot do it, for a token’s key says what it is and not what stood before. Here "
        "each key is mixed with that of the token before, and each value too, by two numbers for every head. "
        "With the key of the token before and a value of its own (α = (0, 1), β = (1, 0)) one layer is an "
        "induction head; the other way round it gives what stood before. Models learn the numbers, and "
        "learn such copying sooner.";
    mechanism.cost =
        "n m (d + d_v) multiply-adds per head and 2 m (d + d_v) for the shift; a cache keeps the "
        "shifted keys and values, and one more of each.";
    mechanism.correction =
        "Keys and values are shifted, not the queries, and not the tokens as in RWKV. The first token has "
        "none before it, and gets α₁ k and β₁ v alone. A mask hides what is looked at, not what was mixed "
        "in: the first key of a document has something of the last token before it. Rotary positions would "
        "turn both keys by their own places, and are left out here. The four numbers begin at 0.5.";
    mechanism.equivalences = {equal_when("causal", "with α = β = (1, 0) nothing is shifted",
                                         {.here = {{"key_shift", 0.0}, {"value_shift", 0.0}}})};
    mechanism.related = {"causal", "castle", "multi_token", "rwkv6"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::key_value_shift;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "the old king met the young queen and the old";
    mechanism.example.values = {{"key_shift", 1.0}, {"value_shift", 0.0}};
    mechanism.example.look_for =
        "The last “old” gives 0.69 to “king”, which followed the first “old”, and next to nothing to “old” "
        "itself. The last “the” gives 0.37 each to “old” and “young”: both followed a “the”.";
    mechanism.example.beside = "causal";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight

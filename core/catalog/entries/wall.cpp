#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_wall() {
    Mechanism mechanism;
    mechanism.name = "Wall attention";
    mechanism.also_known_as = {"diagonal gates", "per-channel forgetting"};
    mechanism.family = "Positions";
    mechanism.order = 5335;
    mechanism.formula = R"(@output{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{1}{\sqrt{d_k}})"
                        R"(@scores{\sum_c @query{q_{ic}}\,@key{k_{jc}}\,\exp(@cumulative_gates{G_{ic}} - )"
                        R"(G_{jc})}}\right)}\,@value{V}},\quad )"
                        R"(G_{ic} = \sum_{t \le i} @log_gates{\ln \sigma(x_t W + b)_c})";
    mechanism.papers = {{"Averbuch et al., Wall Attention: Length Generalization With Diagonal Gates", 2026}};
    mechanism.explanation =
        "Forgetting attention gives every token one gate, and what lies before it fades as a whole: whatever "
        "is asked of it, it is as far away. Here each feature of queries and keys has a gate of its own, as "
        "in gated linear attention or Kimi Delta attention, but under a softmax over all keys. The product "
        "of two features is multiplied by the gates of the tokens from the key to the query. So a head can "
        "keep some features for the whole text, by which it finds a name again, and let others fade within "
        "a few words, by which it knows what is near. Since the gates come from the tokens, the text "
        "decides where things are forgotten, and no place is counted: there is no rotation and no length "
        "that training must have seen. As logarithms the gates add up along the text, so that a pair needs "
        "the difference of two rows alone. Here keys after the query, where a mask shows them, fade by the "
        "gates between in the same way.";
    mechanism.cost = "n d h d_k for the gates, and as many products as scores have, each times a power";
    mechanism.correction =
        "A closed gate does not hide a key: its product with the query goes to 0, which a softmax still "
        "gives a share. Forgetting attention subtracts from the score instead and can hide it. The gates "
        "must be between 0 and 1: with larger ones the powers overflow. The released code may add the gate "
        "of forgetting attention beside it; that is left out here.";
    mechanism.related = {"forgetting", "gla", "path", "kda"};

    AttentionSpec spec;
    spec.position.type = PositionType::wall;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "we won and then we lost and then we slept";
    mechanism.example.look_for =
        "The running sums of the gates’ logarithms: every column falls from word to word, and each at a pace "
        "of its own. Between two words the product of a feature keeps e to the power of what its column has "
        "fallen.";
    mechanism.example.stage = "cumulative_gates";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_deltaformer() {
    Mechanism mechanism;
    mechanism.name = "DeltaFormer";
    mechanism.also_known_as = {"softmax attention with the delta rule"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3540;
    mechanism.formula =
        R"(@output{o_t = \sum_{j \le t} @read_weights{\operatorname{softmax}_{j \le t}\left(@scores{\frac{)"
        R"(@query{q_t} \cdot @key{k_j}}{\sqrt{d}}}\right)}\,@solved_values{u_j}},\quad )"
        R"(u_t = @value{v_t} - @erasing_strengths{\beta_t} \sum_{j < t} @earlier_weights{)"
        R"(\operatorname{softmax}_{j < t}\left(@earlier_scores{\frac{k_t \cdot k_j}{\sqrt{d}}}\right)})"
        R"(\,u_j,\quad @weights{A = R\,@inverse{(I + \beta E)^{-1}}})";
    mechanism.papers = {
        {"Zhong et al., Understanding Transformer from the Perspective of Associative Memory", 2025}};
    mechanism.explanation =
        "A cache of keys and values only grows: what a new token says is stored beside what is there, also "
        "where that says the same. DeltaNet looks first what its state holds for the key, and stores the "
        "rest. DeltaFormer does so without a state. A new token asks those before it with its own key, by "
        "softmax attention, and what it finds is taken off its value, as far as a strength β says. The "
        "rest, u, is stored, and queries read the u of all tokens by softmax attention as before. Each u is "
        "made from earlier ones, so that a token may build on what its predecessors built: one layer can "
        "follow a chain of exchanges through a text, for which causal attention is thought to need the more "
        "layers the longer the chain is. R and E in the formula are the two softmax maps, of the tokens up "
        "to the own one and of those before it. Weights of the values as they were may be negative, and "
        "rows do not sum to 1.";
    mechanism.cost =
        "n² (d + d_v) multiply-adds per head by forward substitution: both maps, both sums. As computed "
        "here, where the inverse and the map are shown, of the order of n³. A cache keeps u in the place of "
        "v.";
    mechanism.correction =
        "The paper compares a vector w of the new token with the keys, and weighs v too. "
        "flash-linear-attention compares keys with keys in its layer, as here, and queries with keys in its "
        "plain reference, which is the other choice. In that library β is a linear function of the token, "
        "or 1 where the layer has none; here it passes through a sigmoid, as DeltaNet’s does, so that no "
        "more is taken out than was found. The first token finds nothing: its value stays.";
    mechanism.related = {"delta", "lucid", "causal", "path"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::deltaformer;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "the king met the queen and the man met the woman";
    mechanism.example.values = {{"strength", std::string("one")}};
    mechanism.example.look_for =
        "In the row of the last “the” causal attention gives each of the four copies 0.22. Here they have "
        "0.01, 0.08, 0.15 and 0.22: each copy was stored without what those before it had said. In the row "
        "of “king” the weight of “the” is −0.86: “king” has only “the” to ask, finds it whole, and stores "
        "itself less “the”.";
    mechanism.example.beside = "causal";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight

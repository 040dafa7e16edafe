#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_shaped() {
    Mechanism mechanism;
    mechanism.name = "Shaped attention";
    mechanism.also_known_as = {"centred attention"};
    mechanism.family = "Heads";
    mechanism.order = 5724;
    mechanism.formula =
        R"(@context{\text{head}_h = @weights{\left(\alpha_h I + \beta_h\,@soft_weights{A_h} - \gamma_h\,)"
        R"(@uniform_map{C}\right)}\,@value{V_h}},\quad )"
        R"(@soft_weights{A_h = \operatorname{softmax}\left(@scaled_scores{\frac{@scores{@query{Q_h}\,)"
        R"(@key{K_h}^\top}}{\sqrt{d_k}}}\right)},\quad C_{ij} = \frac{1}{|\{k : k \text{ seen by } i\}|})";
    mechanism.papers = {
        {"Noci et al., The Shaped Transformer: Attention Models in the Infinite Depth-and-Width Limit", 2023},
        {"He and Hofmann, Simplifying Transformer Blocks (equation 5)", 2024},
        {"He et al., Deep Transformers without Shortcuts: Modifying Self-attention for Faithful Signal "
         "Propagation (α I + β A)",
         2023}};
    mechanism.explanation =
        "At the start of training a softmax is nearly uniform, so that every token gets the same mean, "
        "and after some layers all tokens are one. A skip connection prevents that by carrying each token "
        "past the attention. Shaped attention does it inside: the map begins as the identity. α times I "
        "lets a token keep its own value, β times A is attention as ever, and γ times C takes off what "
        "the softmax gives when it has nothing to say, the same to every key that may be seen. With α = β "
        "= γ = 1 and all scores alike A and C cancel and each token is left as it is; only what tells "
        "keys apart comes through. The three numbers are learned for each head, beginning at 1. Blocks "
        "built so train without skip connections around the attention.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head and 3 n m for the sum; memory n m";
    mechanism.correction =
        "C is no constant 1/n: under a causal mask row i of it is 1/i for the keys up to i. Weights may "
        "be negative, and a row sums to α + β − γ. The papers start with W_q = 0, so that the first map "
        "is the identity exactly; here W_q is drawn like the others.";
    mechanism.equivalences = {equal_when(
        "multi_head", "with α = 0, β = 1 and γ = 0 the softmax is left as it is",
        {.parameters = {{"alpha_shaped", "zeros"}, {"beta_shaped", "ones"}, {"gamma_shaped", "zeros"}}})};
    mechanism.related = {"multi_head", "differential", "exclusive", "non_local"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.algorithm.type = AlgorithmType::shaped;
    compose(mechanism, spec,
            component_knobs(spec) + heads_knob() + causal_knob() + projections_knob(ProjectionType::learned) +
                projection_bias_knob() + temperature_knob());

    mechanism.example.query = "the king and the queen drink tea";
    mechanism.example.values = {{"heads", Index(4)}, {"projections", std::string("identity")}};
    mechanism.example.look_for =
        "Every word keeps its own value: the diagonal is above 1. In head 1 the row of “king” adds to "
        "“queen”, 0.07, and takes from the others, up to −0.09; what a softmax would give them all alike "
        "is gone.";
    mechanism.properties.row_stochastic = false;  // of what is learned: α + β − γ
    mechanism.properties.permutation_equivariant = true;
    mechanism.properties.is_signed = true;
    return mechanism;
}

}  // namespace headlight

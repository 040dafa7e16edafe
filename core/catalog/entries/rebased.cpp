#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_rebased() {
    Mechanism mechanism;
    mechanism.name = "ReBased";
    mechanism.also_known_as = {"squared linear attention"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3340;
    mechanism.formula =
        R"(@weights{A_{ij} = \frac{@similarities{(q'_i \cdot k'_j)^2}}{@row_sum{\sum_{j \le i} \ldots}}},)"
        R"(\quad @output{O = A\,@value{V}},\quad q'_i = \gamma_q @query{q_i} + \beta_q,\quad )"
        R"(k'_j = \gamma_k @key{k_j} + \beta_k)";
    mechanism.papers = {
        {"Aksenov et al., Linear Transformers with Learnable Kernel Functions are Better In-Context Models",
         2024}};
    mechanism.explanation =
        "Based cannot give a pair the weight 0, for its polynomial is nowhere below one half. ReBased takes "
        "the square of a product instead, which is 0 where query and key are orthogonal, and lets a learned "
        "scale and shift of every feature move where that is: with the shift the square contains constant "
        "and linear terms again. The features are all products of two entries, d² of them. A negative "
        "product weighs as much as a positive one, unlike in softmax. Before training, with scale 1 and "
        "shift 0, weights are the squared dot products over their row sum.";
    mechanism.cost = "2 n d² d_v multiply-adds per head; state d² d_v";
    mechanism.correction = "With vectors normalised first, 1e-5 is added to their variance under the root, "
                           "as in the authors’ code.";
    mechanism.related = {"based", "linear"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::rebased;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the king met the queen and the man met the woman";
    mechanism.example.look_for =
        "Pairs of unlike words can have weight near 0, where Based gives every pair at least its "
        "share of one half.";
    mechanism.example.beside = "based";
    mechanism.properties = {.row_stochastic = false, .causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_mesa() {
    Mechanism mechanism;
    mechanism.name = "MesaNet layer";
    mechanism.also_known_as = {"mesa layer", "in-context least squares"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3530;
    mechanism.formula = R"(@output{o_i = @state{G_i}^\top @solutions{(H_i + \lambda I)^{-1} @query{q_i}}},)"
                        R"(\quad G_i = \sum_{j \le i} @key{k_j}^\top @value{v_j},\quad )"
                        R"(H_i = \sum_{j \le i} k_j^\top k_j,\quad )"
                        R"(@weights{A_{ij} = k_j (H_i + \lambda I)^{-1} q_i^\top})";
    mechanism.papers = {
        {"von Oswald et al., MesaNet: Sequence Modeling by Locally Optimal Test-Time Training", 2026}};
    mechanism.explanation =
        "Linear attention answers a query with a sum over keys; the delta rule improves that by one step of "
        "gradient descent per token. The mesa layer goes all the way: at every token it answers with the "
        "linear map from keys to values that fits all pairs so far best in the sense of least squares, with "
        "a penalty λ on its size. It is ridge regression, solved anew for every prefix. Keys that occur "
        "often are discounted by the inverse of H. The model solves the system with a few steps of conjugate "
        "gradients and has gates that forget; here the inverse is updated exactly (Sherman and Morrison) and "
        "nothing is forgotten.";
    mechanism.correction = "λ is neither a learning rate nor a decay: it is added to the diagonal of H "
                           "before that is inverted, and without it the first tokens have no inverse.";
    mechanism.cost = "n (2.5 d² + 5 d d_v) multiply-adds per head, the keys being rotated into triangular "
                     "factors; state d² + d d_v";
    mechanism.related = {"delta", "linear"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::mesa;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the old man and the young man saw the sea";
    mechanism.example.look_for =
        "Frequent words such as “the” share one answer between their copies instead of adding up; "
        "a large λ brings linear attention back.";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_longhorn() {
    Mechanism mechanism;
    mechanism.name = "Longhorn";
    mechanism.also_known_as = {"implicit delta rule", "amortized online learner"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3528;
    mechanism.formula =
        R"(S_t = \arg\min_S\,|S - S_{t-1}|^2 + @write_strengths{\beta_t}\,|@key{k_t}\,S - @value{v_t}|^2 = )"
        R"(S_{t-1} + \varepsilon_t\,k_t^\top (v_t - k_t\,S_{t-1}),\quad )"
        R"(@implicit_steps{\varepsilon_t = \frac{\beta_t}{1 + \beta_t\,|k_t|^2}},\quad )"
        R"(@output{o_t = @query{q_t}\,S_t = \sum_{j \le t} @weights{A_{tj}}\,v_j},\quad )"
        R"(A = @read_products{R}\,@inverse{(I + @asked_products{L})^{-1}} \operatorname{diag}(\sqrt{)"
        R"(\varepsilon}))";
    mechanism.papers = {
        {"Liu et al., Longhorn: State Space Models are Amortized Online Learners (theorem 3.1)", 2025}};
    mechanism.explanation =
        "A state that is asked for values by keys can be seen as a small model that learns at each token. "
        "DeltaNet takes one step of gradient descent towards k S = v, and must have keys of length 1, lest "
        "the step go too far. Longhorn asks instead which state is best: near the one before, and right "
        "about the new pair, which counts by β. That has an answer in closed form, and it is a delta rule "
        "again, with a step ε that looks at the length of the key. It can never go too far: along the key, ε "
        "|k|² of the error is corrected, which is below 1 however long the key is. Short keys change little; "
        "long ones make the state answer with their value almost exactly. There is no forget gate, and none "
        "is needed, for what a key writes it first takes out. Weights may be negative, and rows do not sum "
        "to 1.";
    mechanism.cost = "3 n d d_v multiply-adds per head: to ask, to write and to read; state d d_v. As "
                     "computed here, where the map is shown, of the order of n³.";
    mechanism.correction =
        "With keys of length 1 it would be DeltaNet with β / (1 + β) in the place of β: it is by the length "
        "of the keys that they differ. The paper has a β for each feature of the value, and with it a map "
        "for each; here a head has one β, and one map. To compute it fast, the authors’ model keeps the "
        "squares of k alone in the place of k kᵀ: each feature of the state then fades by itself, and no key "
        "takes out what another has written along it. That is `erasure`, diagonal. Its convolution and the "
        "rest of the Mamba block around it are left out.";
    mechanism.related = {"delta", "mesa", "gla", "mamba2"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::longhorn;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "Words have vectors of length 6 here, and queries are keys: the diagonal is ε |k|², 0.96 for “door”, "
        "and the first “door” has 0.02 in the row of the second. What a word writes is nearly all that is "
        "left along it. With `erasure` diagonal the first keeps 0.69.";
    mechanism.example.beside = "delta";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight

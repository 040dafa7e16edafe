#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_rwkv7() {
    Mechanism mechanism;
    mechanism.name = "RWKV-7 time mixing";
    mechanism.also_known_as = {"Goose", "generalised delta rule", "diagonal plus low rank"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3437;
    mechanism.formula =
        R"(S_t = \operatorname{diag}(w_t)\,S_{t-1} - @removed_key{(a_t \odot \hat\kappa_t)}^\top \hat)"
        R"(\kappa_t\,S_{t-1} + @replacement_key{\tilde k_t}^\top @value{v_t},\quad )"
        R"(@output{o_t = @query{r_t}\,S_t + @own_products{(r_t \cdot (\rho \odot \tilde k_t))}\,v_t = )"
        R"(\sum_{j \le t} @weights{A_{tj}}\,v_j},\quad )"
        R"(w_t = \exp\left(@log_decay{-e^{-1/2}\,\sigma(x_t W_w + b_w)}\right),\quad )"
        R"(@learning_rates{a_t = \sigma(x_t W_a + b_a)},\quad )"
        R"(@removal_key_direction{\hat\kappa_t = \frac{@removal_key{@key{k_t} \odot \xi}}{|k_t \odot )"
        R"(\xi|}},\quad \tilde k_t = k_t \odot (1 + (a_t - 1) \odot \alpha))";
    mechanism.papers = {{"Peng et al., RWKV-7 “Goose” with Expressive Dynamic State Evolution", 2025}};
    mechanism.explanation =
        "RWKV-6 fades its state and adds to it; DeltaNet looks up what a key holds and replaces it. RWKV-7 "
        "does both, with more freedom in each. The state first answers to the removal key κ̂, and part of the "
        "answer is taken out again, along κ̂ but at a rate a of its own for each feature. The token sets "
        "these rates: they say how fast the state learns from the context. Then the value is written along "
        "the replacement key k̃, which need not be κ̂, and each feature of the state fades by w, never below "
        "0.545 at one token. As the state fades too, more may be taken out along a key than is left there, "
        "and what was written changes its sign: so one layer can keep track of states that follow one "
        "another, such as things that change places, which neither softmax attention nor fading alone can. "
        "ξ, α and ρ are learned, a number for each feature; ρ adds a bonus for the token’s own key. The map "
        "follows from solving for the answers F V: A = R_k − R_b F, where R_k and R_b are what queries read "
        "of what was written and taken out.";
    mechanism.cost =
        "5 n d d_v multiply-adds per head: to fade, to ask, to take out, to write and to read; state d d_v; "
        "decays and rates 2 n D d. As computed here, where the map is shown, of the order of n³ + n² d.";
    mechanism.correction =
        "It is asked for the state before it fades, and what is taken out does not fade with the rest: "
        "diag(w) − (a ∘ κ̂)ᵀ κ̂, not (I − …) diag(w) as in Kimi delta attention. The keys that are removed "
        "have length 1, those that are written have not. The paper makes w and a by two narrow matrices "
        "each, of tokens mixed with the one before, adds part of the first layer’s values, and normalises "
        "and gates the output; all this is left out, and the bonus, which comes after the norm there, is "
        "added here to what the state gives. The model does not divide by √d.";
    mechanism.related = {"rwkv6", "delta", "kda", "gated_delta_2"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::rwkv7;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "In the row of the second “door” the first one has 3.0, the second 21.9. In RWKV-6 beside it, where "
        "nothing is taken out, the first still has 0.435 of the second. Step to the learning rates: they lie "
        "between 0.11 and 0.95, and every word has a pattern of its own.";
    mechanism.example.beside = "rwkv6";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight

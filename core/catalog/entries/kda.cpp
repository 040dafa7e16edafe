#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_kda() {
    Mechanism mechanism;
    mechanism.name = "Kimi delta attention";
    mechanism.also_known_as = {"KDA", "Kimi Linear"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3520;
    mechanism.formula =
        R"(@state{S_i = (I - @write_strengths{\beta_i}\,@key_features{k_i}^\top k_i)\operatorname{diag}()"
        R"(@gates{\alpha_i})\,S_{i-1} + \beta_i k_i^\top @value{v_i}},\quad )"
        R"(@output{o_i = \frac{@query{q_i}}{\sqrt{d}}\,S_i = \sum_j @weights{A_{ij}} v_j})";
    mechanism.papers = {{"Kimi Team, Kimi Linear: An Expressive, Efficient Attention Architecture", 2025}};
    mechanism.explanation =
        "Gated DeltaNet with a gate for each feature of the key instead of one for the head: some features "
        "of the state can last for a whole text while others are cleared at every word. First each row of "
        "the state is multiplied by its gate, then the delta rule writes the error of the current key. It is "
        "to Gated DeltaNet what gated linear attention is to Mamba-2. In Kimi Linear three such layers are "
        "followed by one of full attention without positions, for the gates already tell near from far. "
        "Weights may be negative and rows do not sum to 1.";
    mechanism.correction = "The gates are of the key’s features, the rows of the state, not of the value’s. "
                           "They come before the delta rule, whose error is that of the dimmed state.";
    mechanism.cost = "4 n d d_v multiply-adds per head: to fade, to predict, to write and to read; state d "
                     "d_v; gates n D d";
    mechanism.equivalences = {
        {"delta", {{"forgets", false}}, {}, "With all gates 1 only the delta rule is left.", 1e-09},
    };
    mechanism.related = {"gated_delta", "gated_delta_2", "gla", "delta"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::kimi_delta;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "Compare with DeltaNet: the same overwriting, but older words fade as well, each feature "
        "at a pace of its own.";
    mechanism.example.beside = "delta";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight

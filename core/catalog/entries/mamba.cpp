#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_mamba() {
    Mechanism mechanism;
    mechanism.name = "Mamba (hidden attention)";
    mechanism.also_known_as = {"S6", "selective scan", "Mamba-1"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3418;
    mechanism.formula = R"(@output{o_{ic}} = @context{\sum_{j \le i} A^c_{ij}\,@value{x_{jc}}},\quad )"
                        R"(A^c_{ij} = \sum_s @query{C_{is}} \left(\prod_{l=j+1}^{i} e^{-@channel_steps{)"
                        R"(\Delta_{lc}}\,a_{cs}}\right) \Delta_{jc}\,@key{B_{js}},\quad )"
                        R"(@weights{A_{ij} = \frac{1}{d_v} \sum_c A^c_{ij}},\quad )"
                        R"(\Delta_{lc} = \operatorname{softplus}(x_l W_\Delta + b_\Delta)_c)";
    mechanism.papers = {
        {"Gu and Dao, Mamba: Linear-Time Sequence Modeling with Selective State Spaces", 2024},
        {"Ali et al., The Hidden Attention of Mamba Models", 2025}};
    mechanism.explanation =
        "Mamba was written as a state space model: every channel c of a token has a state of its own, some "
        "sixteen numbers that fade and are written to. How far they fade, and how much is written, is the "
        "step Δ of that channel, which the token sets; how a token is written, B, and read, C, it sets as "
        "well. Unrolled, the output is a sum over all earlier tokens, and its factors are a map, as "
        "attention has one: C is the query, B the key, and between them lie the products of the gates. But "
        "it is a map for each channel, and for each number of the state a fading of its own: a layer has "
        "thousands of maps where a Transformer has some ten. Shown here is their mean over the channels, as "
        "the authors of the hidden attention do; the context is computed with each channel’s own. Mamba-2 "
        "gave up this wealth, with one gate for all channels and states, to become plain matrix products; "
        "where steps and fading are alike, Mamba is Mamba-2.";
    mechanism.cost = "3 n N d_v multiply-adds per head, N numbers of the state in each channel; state N d_v. "
                     "As computed here, with all maps, n² N d_v.";
    mechanism.correction =
        "Σ A v with the map shown is not the output: the maps of the channels differ. The fading is exact, "
        "e^(Δ A), and Δ B for what is written is the paper’s code’s, where its text has (e^(Δ A) − 1) / A B. "
        "The authors begin with A = −1, −2, ... −N, and make Δ by way of fewer numbers; here A is drawn at "
        "random and Δ projected at once. The convolution, the skip connection D x and the gate of the block "
        "are left out.";
    mechanism.related = {"mamba2", "s4d", "gla", "rwkv4", "aft"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::selective_scan;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "Both “door” have one vector, and so the same steps: on the diagonal they have the same number. The "
        "first has less of it left in the row of the second, for every channel has faded by the steps of the "
        "words in between.";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight

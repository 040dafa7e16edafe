#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_sigmoid() {
    Mechanism mechanism;
    mechanism.name = "Sigmoid attention";
    mechanism.also_known_as = {"element-wise attention", "FlashSigmoid"};
    mechanism.family = "Normalisers";
    mechanism.order = 5510;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{\sigma\left(@scaled_scores{s_{ij}} + @row_bias{b}\right)}\,)"
        R"(@value{v_j},\quad @row_bias{b} = -\ln n)";
    mechanism.papers = {
        {"Ramapuram et al., Theory, Analysis, and Best Practices for Sigmoid Self-Attention", 2025}};
    mechanism.explanation =
        "Each pair is judged by itself: the weight is the sigmoid of its score, whatever the "
        "other keys score. Keys do not compete, a row may sum to anything from 0 to n, and no "
        "pass over the row is needed before the first weight is known. Without the bias a row of "
        "zero scores would sum to n/2 and drown the values; b = −ln(n) makes it about 1 at the "
        "start of training. The brightness of a cell now means the same in every row.";
    mechanism.correction = "The bias belongs to it: without it n keys of score 0 sum to n/2. To divide a row "
                           "by its sum would make the keys compete again.";
    mechanism.cost = "n m (d + d_v) multiply-adds and n m exponentials per head; memory n m. No sum over the "
                     "row.";
    mechanism.related = {"soft", "relu", "off_by_one"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::sigmoid;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + token_knobs());

    mechanism.example.query = "my sister and my brother like the sea";
    mechanism.example.look_for =
        "“my” stands here twice and neither takes from the other: its rows sum to nearly 7, that "
        "of “sister” to 5. Set b to −5 and only close relatives stay bright.";
    mechanism.properties = {.row_stochastic = false, .permutation_equivariant = true};
    return mechanism;
}

}  // namespace headlight

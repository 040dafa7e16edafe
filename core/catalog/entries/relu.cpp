#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_relu() {
    Mechanism mechanism;
    mechanism.name = "ReLU attention";
    mechanism.also_known_as = {"ReLU/n attention", "squared ReLU attention"};
    mechanism.family = "Normalisers";
    mechanism.order = 5520;
    mechanism.formula = R"(@output{o_i} = \sum_j @weights{\frac{\max\left(0,\,@scaled_scores{s_{ij}})"
                        R"(\right)^p}{@allowed_keys{n}}}\,@value{v_j})";
    mechanism.papers = {{"Wortsman et al., Replacing softmax with ReLU in Vision Transformers", 2023}};
    mechanism.explanation =
        "No exponential at all: negative scores give 0, positive ones themselves, and everything is divided "
        "by the number of keys n so that longer texts do not make larger outputs. A row may be empty, when "
        "no key fits, and has no upper limit, when many do. Being cheap and free of sums over the row, it "
        "splits over machines without talking between them. The squared form makes large scores count more. "
        "Without the division by n accuracy suffers; that dividing helps is what the paper shows.";
    mechanism.correction = "The division is by the number of keys and not by the sum of the row, which may "
                           "be 0. ReLU of a softmax’s weights would change nothing: none is negative.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head, no exponentials; memory n m.";
    mechanism.related = {"sigmoid", "softpick", "raw_scores"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::relu;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + token_knobs());

    mechanism.example.query = "the government raises the tax while my kitten sleeps";
    mechanism.example.look_for =
        "“kitten” has a score below 0 with “government” and “tax”, and so a weight of exactly 0. Row sums "
        "differ from word to word.";
    mechanism.properties = {.row_stochastic = false, .permutation_equivariant = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight

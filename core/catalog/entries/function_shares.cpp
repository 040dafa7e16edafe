#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_function_shares() {
    Mechanism mechanism;
    mechanism.name = "Softplus and StableMax";
    mechanism.also_known_as = {"softplus attention", "even polynomial attention"};
    mechanism.family = "Normalisers";
    mechanism.order = 5605;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j},\quad@weights{A_{ij}} = \frac{)"
        R"(@function_values{f(@scaled_scores{s_{ij}})}}{\sum_k f(s_{ik})},\quad )"
        R"(f(s) = \ln(1 + e^s),\text{ or } s + 1 \text{ from 0 up and } \tfrac{1}{1 - s} \text{ below, or )"
        R"(} s^p)";
    mechanism.papers = {
        {"Gao, Spratling and Gionfrida, Softplus Attention with Re-weighting Boosts Length Extrapolation in "
         "Large Language Models",
         2026},
        {"Prieto et al., Grokking at the Edge of Numerical Stability", 2025}};
    mechanism.explanation =
        "Softmax is two steps: exp makes every score positive, and the row is divided by its sum. Gao and "
        "others find that the second is the one that matters, and put the softplus ln(1 + e^s) in the place "
        "of exp. Above 0 it grows as a line does: a score twice as large has about twice the share, where "
        "exp would be squared, and nothing overflows. StableMax does without an exponential: s + 1 from 0 up "
        "and 1 / (1 − s) below, so that f(s) f(−s) = 1 as it is of exp. It was made for the last layer of "
        "classifiers, where rounding swallowed small shares and learning stopped. Both make paler rows than "
        "softmax. An even power is positive too, and a product of features, but cannot tell a score from its "
        "opposite. With none of them may a number be added to all scores of a row: it matters where 0 is.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head; memory n m";
    mechanism.correction =
        "This is the first half of the paper’s softplus attention. The whole of it multiplies the scores by "
        "a factor that grows with the length, and then sharpens the pale rows by a power of what "
        "stands out in them. StableMax’s paper has no attention.";
    mechanism.equivalences = {
        equal_when(
            "rebased", "the shares of squares are ReBased before training",
            {.here = {{"function", std::string("power")}, {"power", std::string("2")}, {"causal", true}},
             .tolerance = 1e-11}),
    };
    mechanism.related = {"taylor", "relu", "sigmoid", "rebased"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::function_shares;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + token_knobs() + causal_knob());

    mechanism.example.query = "the government raises the tax while my kitten sleeps";
    mechanism.example.look_for =
        "Paler than softmax: “tax” keeps a quarter of its row in place of four fifths, and “kitten”, whose "
        "score is below 0, has a fiftieth of it in place of a thousandth. With the power 2 it is a "
        "thousandth again, for the score is near 0, and “kitten” and “sleeps” keep to themselves.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

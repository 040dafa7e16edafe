#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_simam() {
    Mechanism mechanism;
    mechanism.name = "Simple attention without parameters";
    mechanism.also_known_as = {"SimAM", "energy gate"};
    mechanism.family = "Images";
    mechanism.order = 3965;
    mechanism.formula =
        R"(@output{o_{ic} = @query{x_{ic}}\,@feature_gates{\sigma\left(\frac{(x_{ic} - @squeeze{)"
        R"(\mu_c})^2}{4\,(@variances{\sigma_c^2} + \lambda)} + \frac{1}{2}\right)}},\quad )"
        R"(@weights{A_{ii} = \frac{1}{d} \sum_c g_{ic}})";
    mechanism.papers = {{"Yang, Zhang, Li and Xie, SimAM: A Simple, Parameter-Free Attention Module for "
                         "Convolutional Neural Networks",
                         2021}};
    mechanism.explanation =
        "What stands out deserves attention: that is all it says, and nothing is learned. In every channel "
        "the mean and the variance over the image are taken; a number far from the mean, as the variance "
        "measures it, gets a gate near 1, one at the mean σ(½), which is 0.62. The formula is the "
        "turned-over energy of a small linear classifier that has to tell one neuron from all others of its "
        "channel, after the finding that distinctive neurons suppress their neighbours. Every number has a "
        "gate of its own, neither a whole channel nor a whole place; the map shows the mean gate of each "
        "place. Here words stand for patches.";
    mechanism.cost = "About 5 n d multiply-adds; no parameters and no map of tokens by tokens.";
    mechanism.correction = "No gate is below σ(½) = 0.62: it cannot close. The authors’ code divides the "
                           "variance by one less than the number of places, as here.";
    mechanism.related = {"cbam", "squeeze_excitation", "basic_self_attention"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::energy_gate;
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "cat dog horse cow pig music sheep goat";
    mechanism.example.stage = "feature_gates";
    mechanism.example.look_for =
        "A gate for each feature of each word. The row of music is the brightest: among animals it stands "
        "out in more features than any other word. Step on to the weights: a diagonal, on which music has "
        "the largest number. Raise λ until all are 0.62.";
    mechanism.properties = {
        .row_stochastic = false, .permutation_equivariant = true, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight

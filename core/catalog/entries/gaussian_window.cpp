#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_gaussian_window() {
    Mechanism mechanism;
    mechanism.name = "Gaussian mixture window";
    mechanism.also_known_as = {"Graves window", "GMM attention"};
    mechanism.family = "Scores";
    mechanism.order = 1015;
    mechanism.formula =
        R"(@scores{s_{ij} = \sum_k @window_heights{a_{ik}}\,e^{-@window_precisions{b_{ik}}\,()"
        R"(@window_centres{\kappa_{ik}} - j)^2}},\quad )"
        R"(@window_centres{\kappa_{ik} = \kappa_{i-1,k} + @window_steps{e^{\hat{\kappa}_{ik}}}},\quad )"
        R"(@output{@weights{S}\,@value{V}})";
    mechanism.papers = {
        {"Graves, Generating Sequences With Recurrent Neural Networks (equations 46 to 51)", 2013},
        {"Battenberg et al., Location-Relative Attention Mechanisms for Robust Long-Form Speech Synthesis",
         2020}};
    mechanism.explanation =
        "The oldest attention of a sequence model, a year before Bahdanau’s: a network that writes by hand "
        "walks along the text that it writes. Each query says three numbers for each of K bells: how high it "
        "is, how narrow, and how far it goes on from where the query before left it. A step is an "
        "exponential and never below 0, so that a bell cannot go back; the keys are weighed by where they "
        "stand and not by what they are. A bell that stands between two letters looks at both, a wide one at "
        "a whole word. Nothing divides by a sum. For speech the bells became normal densities with a softmax "
        "of their heights and steps by softplus (GMM attention v2): those rows sum to nearly 1, and a voice "
        "trained on sentences reads whole pages without losing its place.";
    mechanism.cost = "3 n d K multiply-adds for what the queries say, n m (3 K + d_v) for the bells and the "
                     "values per head; memory n m. Nothing is compared with a key.";
    mechanism.correction =
        "The weights do not sum to 1: a softmax over them would be another mechanism. Graves counts letters "
        "from 1, which is kept here for both forms: bells that stand still stay before the first letter. "
        "Common code of v2 counts from 0 and has a hidden layer before the three numbers.";
    mechanism.related = {"location", "location_aware", "monotonic", "local_p"};

    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.score.type = ScoreType::gaussian_window;
    spec.normalizer.type = NormalizerType::none;
    compose(mechanism, spec, component_knobs(spec) + projections_knob() + key_lengths_knob());

    mechanism.example.query = "the cat sleeps on the sofa";
    mechanism.example.key = "a kitten rests on our couch";
    mechanism.example.look_for =
        "Step down the rows: the centres of the bells grow and never fall, and what a row looks at lies "
        "further right than what the row above it did, or past the end. Put the source into another order "
        "and the map stays as it is.";
    mechanism.properties = {.row_stochastic = false, .streaming = true};
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_random_synthesizer() {
    Mechanism mechanism;
    mechanism.name = "Random synthesizer";
    mechanism.also_known_as = {"fixed random attention", "learned static attention"};
    mechanism.family = "Scores";
    mechanism.order = 5190;
    mechanism.formula = R"(@output{@weights{\operatorname{softmax}(@scores{R})}\,@value{V}})";
    mechanism.papers = {
        {"Tay et al., Synthesizer: Rethinking Self-Attention for Transformer Models (section 3)", 2021}};
    mechanism.explanation =
        "The most radical attention: the scores are a matrix of parameters, one number for each pair of "
        "places, the same for every text. No token has a say. R may be trained, and is then a learned "
        "average over places, or be left as it was drawn. That translation still works tolerably shows how "
        "much of what attention does is a matter of places and not of words; the values still differ from "
        "text to text. With a rank, R is a product of two thin matrices and needs far fewer numbers. A "
        "convolution is the case where R only depends on the distance.";
    mechanism.cost = "n m d_v multiply-adds per head; memory n m; n m parameters, or (n + m) r";
    mechanism.correction = "It is not noise added at every run: R is drawn once and kept.";
    mechanism.related = {"dense_synthesizer", "location"};

    AttentionSpec spec;
    spec.score.type = ScoreType::random_synthesizer;
    compose(mechanism, spec, component_knobs(spec) + projections_knob() + causal_knob());

    mechanism.example.query = "the bank of the river and the bank that lends money";
    mechanism.example.look_for =
        "Change the words and keep their number: the map does not change at all, only the output does.";
    return mechanism;
}

}  // namespace headlight

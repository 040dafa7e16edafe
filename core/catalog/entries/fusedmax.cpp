#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_fusedmax() {
    Mechanism mechanism;
    mechanism.id = "fusedmax";
    mechanism.name = "Fusedmax and oscarmax";
    mechanism.also_known_as = {"fusedmax", "oscarmax", "structured sparse attention"};
    mechanism.family = "Normalisers";
    mechanism.order = 5613;
    mechanism.formula =
        R"(\class{stage-output}{o_i} = \sum_j \class{stage-weights}{\operatorname{sparsemax}_j)"
        R"(\left(\class{stage-drawn_scores}{z_{ij}}\right)}\,\class{stage-value}{v_j},\quad )"
        R"(\class{stage-drawn_scores}{z_i} = \operatorname{argmin}_z \frac{1}{2} \sum_j )"
        R"((z_j - \class{stage-scaled_scores}{s_{ij}})^2 + \lambda \sum_j |z_j - z_{j+1}|)";
    mechanism.papers = {
        {"Niculae and Blondel, A Regularized Framework for Sparse and Structured Neural Attention", 2017}};
    mechanism.explanation =
        "A softmax gives each word a weight of its own, and so does sparsemax. Yet words often belong "
        "together: a phrase is looked at as a whole or not at all. Fusedmax adds a price for every "
        "difference "
        "of neighbouring weights. Then whole runs of words get the same weight, and the map has steps in "
        "place of peaks, with exact zeros between them. Oscarmax has a price on pairs anywhere in the row, "
        "the larger one of each two weights, and draws those together that are nearly alike, neighbours or "
        "not. Both are sparsemax of scores that were drawn together first. Without the price they are "
        "sparsemax, and with a high one all words get the same.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head; here n m² steps for each halving of the search; "
                     "memory n m. With a sort the paper takes n m log m for both.";
    mechanism.correction =
        "The scores are drawn together before sparsemax cuts them off, not the weights after it: that both "
        "are one is what the paper proves for neighbours. A mask leaves keys out first, so that the keys on "
        "both sides of a gap are neighbours.";
    mechanism.equivalences = {
        {.id = "sparsemax",
         .here = {{"strength", 0.0}},
         .there = {},
         .when = "without the penalty nothing is drawn together"},
        {.id = "sparsemax",
         .here = {{"strength", 0.0}, {"penalty", std::string("pairs")}},
         .there = {},
         .when = "without the penalty nothing is drawn together"},
    };
    mechanism.related = {"sparsemax", "entmax", "constrained", "budget"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::fusedmax;
    compose(mechanism, spec,
            component_knobs(spec) + std::vector<Knob>{temperature_knob(), source_knob(),
                                                      projections_knob(ProjectionType::none),
                                                      projection_bias_knob()});

    mechanism.example.query = "the cat and the dog play with the ball";
    mechanism.example.look_for =
        "Runs of words with one colour, and nothing elsewhere. Set the strength to 0 and the runs fall apart "
        "into the cells of sparsemax; set the penalty to pairs and words far apart share a weight.";
    mechanism.example.beside = "sparsemax";
    mechanism.properties.sparse = true;
    return mechanism;
}

}  // namespace headlight

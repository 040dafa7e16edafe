#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_dustbin() {
    Mechanism mechanism;
    mechanism.name = "Optimal transport with a dustbin";
    mechanism.also_known_as = {"SuperGlue", "partial assignment", "Sinkhorn with a dustbin"};
    mechanism.family = "Normalisers";
    mechanism.order = 5572;
    mechanism.formula = R"(@output{o_i} = \sum_j @weights{e^{s_{ij} + r_i + c_j}}\,@value{v_j},\quad )"
                        R"(\sum_j @weights{A_{ij}} + @unassigned{e^{z + r_i + c_{m+1}}} = 1,\quad )"
                        R"(\sum_i @weights{A_{ij}} + e^{z + r_{n+1} + c_j} = 1)";
    mechanism.papers = {{"Sarlin, DeTone, Malisiewicz and Rabinovich, SuperGlue: Learning Feature Matching "
                         "with Graph Neural Networks (section 3.2)",
                         2020}};
    mechanism.explanation =
        "Two photographs show the same house, and each point of one is to find itself in the other. Some "
        "cannot: they are hidden there, or lie outside. Sinkhorn’s iterations, which give every query and "
        "every key its share, would have to pair them with something. So a row and a column are added, a bin "
        "on either side, in which every score is one learned number z. A query may give what it has to keys "
        "or to the bin, a key may get what it needs from queries or from the bin, and the bins have room for "
        "all of them. Rows and columns are then brought to their sums in turn, as before. Whoever has no "
        "partner that both want goes to the bin; the higher z is, the better a pair has to be. The weights "
        "of a row sum to 1 with the bin’s, which nothing is read from.";
    mechanism.cost = "n m (d + d_v) multiply-adds and 2 k (n + 1) (m + 1) exponentials per head for k "
                     "iterations; memory n m. One parameter per head.";
    mechanism.correction =
        "It looks at whole columns and so at later queries: with a causal mask the weights of early rows "
        "would still depend on later ones. The authors’ code brings the columns to their sums last and takes "
        "100 rounds, after which it hardly matters; here the rows come last, as in Sinkhorn attention, so "
        "that no query ever gives more than 1. z is compared with the scores after their scale, and a "
        "temperature divides these alone. SuperGlue reads matches off the map and weighs no values with it. "
        "A bin of score −∞ is not none: where there are more keys than queries, its row gives the rest of "
        "them what they need.";
    mechanism.related = {"sinkhorn", "matchability", "dual_softmax", "sink_logit", "cross"};

    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.normalizer.type = NormalizerType::sinkhorn;
    spec.normalizer.options = {{"dustbin", true}, {"bin_score", 1.0}};
    compose(mechanism, spec,
            without(component_knobs(spec), {"dustbin"}) + temperature_knob() + projection_knobs() +
                key_lengths_knob());

    mechanism.example.query = "the cat sleeps on the sofa";
    mechanism.example.key = "a kitten rests on our couch";
    mechanism.example.look_for =
        "“on”, which is in both, gives 0.48 to “on” and only 0.11 to the bin. “cat” still finds “kitten” "
        "(0.23) and “sofa” “couch” (0.25), but “sleeps” leaves 0.58 to the bin. Set the score of the bin to "
        "3, and only “the” and “on” keep more than a quarter for words.";
    mechanism.example.beside = "sinkhorn";
    mechanism.properties = {
        .row_stochastic = false, .permutation_equivariant = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight

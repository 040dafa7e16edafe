#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_normalized_additive() {
    Mechanism mechanism;
    mechanism.name = "Normalised additive attention";
    mechanism.also_known_as = {"normed Bahdanau", "weight-normalised Bahdanau attention"};
    mechanism.family = "Scores";
    mechanism.order = 710;
    mechanism.formula =
        R"(@scores{s_{ij} = \frac{v^\top}{|v|}\,@energy{\tanh\left(W_1^\top @query{q_i} + W_2^\top )"
        R"(@key{k_j} + b\right)}},\quad )"
        R"(@output{@weights{\operatorname{softmax}(@scaled_scores{g\,@scores{S}})}\,@value{V}})";
    mechanism.papers = {
        {"Salimans and Kingma, Weight Normalization", 2016},
        {"Luong, Brevdo and Zhao, Neural Machine Translation (seq2seq) Tutorial (“normed_bahdanau”)", 2017}};
    mechanism.explanation =
        "Additive attention in which the vector v is split into its direction v/|v| and a size g of "
        "its own. The scores can be the same as before, but learning is easier: changing the "
        "direction no longer changes the sharpness of the rows, and one number sets it for all. g "
        "starts at √(1/d_a), the size that a random v would have, b at 0. Making v ten times longer "
        "changes nothing at all. Neural translation systems of 2017 used it by default, because "
        "plain additive scores tend to sharpen too early.";
    mechanism.cost = "n m d_a (1 tanh each) + (n + m) d d_a + n m d_v multiply-adds per head; memory n m";
    mechanism.correction =
        "g starts at √(1/d_a), not at 1, in the code that made it known; with 1 the first rows are "
        "√d_a times sharper.";
    mechanism.related = {"additive", "concat", "cosine"};

    AttentionSpec spec;
    spec.score.type = ScoreType::normalized_additive;
    compose(mechanism, spec,
            {activation_knob(), attention_dimension_knob(), source_knob(), projections_knob()});

    mechanism.example.query = "she plays the violin and he plays football";
    mechanism.example.look_for =
        "The scores lie between −√d_a and √d_a whatever v is, because only its direction counts; "
        "the factor g then makes them small.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

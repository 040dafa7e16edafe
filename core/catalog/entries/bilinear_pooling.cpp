#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_bilinear_pooling() {
    Mechanism mechanism;
    mechanism.name = "Low-rank bilinear pooling";
    mechanism.also_known_as = {"MLB", "Hadamard product attention"};
    mechanism.family = "Scores";
    mechanism.order = 5175;
    mechanism.formula =
        R"(@scores{s_{ij} = v \cdot \left(@bilinear_query{\tanh(W_1^\top @query{q_i})} \circ @bilinear_key{)"
        R"(\tanh(W_2^\top @key{k_j})}\right)},\quad )"
        R"(@output{@weights{\operatorname{softmax}(@scores{S})}\,@value{V}})";
    mechanism.papers = {{"Kim et al., Hadamard Product for Low-rank Bilinear Pooling", 2017}};
    mechanism.explanation =
        "Where in the picture is the answer to the question? The general score q W k has a weight for every "
        "pair of a feature of the question and a feature of the image: a million, and a matrix of such a "
        "size learns slowly. Its rank is bounded instead: both sides are projected to the same few factors, "
        "multiplied factor by factor, and the products weighed by v. That is a matrix W_1 diag(v) W_2ᵀ "
        "written as its parts. A tanh on each side keeps one loud factor from deciding alone. The additive "
        "score adds the two projections where this one multiplies them: a sum asks whether either is large, "
        "a product whether both are and point the same way.";
    mechanism.cost = "(n + m) d d_a multiply-adds for the factors, n m (d_a + d_v) for scores and values per "
                     "head; memory n m";
    mechanism.correction =
        "v weighs the products before they are added; a score is one number. With two v’s (“glimpses”) the "
        "paper has two maps, as two heads would that share their factors. Its projections have biases and "
        "its map is that of one question over the cells of an image.";
    mechanism.related = {"general", "additive", "trilinear"};

    Knob activation = activation_knob();
    activation.parameter.help =
        "The function of both sides before they are multiplied. With identity the score is "
        "q W_1 diag(v) W_2ᵀ k.";
    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.score.type = ScoreType::bilinear_pooling;
    compose(mechanism, spec,
            {activation, attention_dimension_knob(), projections_knob(), key_lengths_knob()});

    mechanism.example.query = "where does the small cat sleep";
    mechanism.example.key = "a kitten rests on the couch in the sun";
    mechanism.example.look_for =
        "The matrices are drawn and not learned, so that nothing says who belongs to whom; but the two “the” "
        "of the source have one column. With the activation “identity” and the hidden width 1 a score is a "
        "number of the query times a number of the key: all rows rank the keys alike, or the other way "
        "round.";
    mechanism.properties = {.permutation_equivariant = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight

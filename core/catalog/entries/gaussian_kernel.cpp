#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_gaussian_kernel() {
    Mechanism mechanism;
    mechanism.name = "Gaussian kernel regression";
    mechanism.also_known_as = {"Nadaraya-Watson regression", "RBF attention", "kernel smoothing"};
    mechanism.family = "Scores";
    mechanism.order = 100;
    mechanism.formula = R"(@scores{s_{ij} = -|@query{q_i} - @key{k_j}|^2},\quad )"
                        R"(@output{@weights{\operatorname{softmax}(@scaled_scores{\frac{@scores{S}}{2)"
                        R"(\sigma^2}})}\,@value{V}})";
    mechanism.papers = {{"Nadaraya, On Estimating Regression", 1964},
                        {"Watson, Smooth Regression Analysis", 1964}};
    mechanism.explanation =
        "Attention half a century before its name. To guess the value at a place, take the mean of all known "
        "values, weighed by how near each lies: the weight falls off with the squared distance like a bell "
        "of width σ, and the row is divided by its sum. The query is the place, the keys are where the data "
        "lie, the values what was measured. A narrow bell copies the nearest key; a wide one forgets the "
        "query and gives everybody the mean. Since |q − k|² = |q|² − 2 q · k + |k|² and |q|² is the same for "
        "the whole row, this is a dot product with a penalty on long keys.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head; memory n m";
    mechanism.correction =
        "The minus sign belongs to the score, and the 2 to 2σ²: without it the same weights need a σ that is "
        "√2 times larger.";
    mechanism.related = {"euclidean", "dot", "soft"};

    AttentionSpec spec;
    spec.score.type = ScoreType::gaussian;
    spec.score.options["sigma"] = 3.0;
    compose(mechanism, spec, component_knobs(spec) + source_knob() + projections_knob());

    mechanism.example.query = "the king and the queen met a man and a woman";
    mechanism.example.look_for =
        "Each row is a bell around its own word: that word first, then the nearest in meaning, "
        "“queen” for “king”. Widen σ and all rows become alike.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_hyperbolic() {
    Mechanism mechanism;
    mechanism.name = "Hyperbolic attention";
    mechanism.also_known_as = {"hyperboloid distance", "Lorentz distance"};
    mechanism.family = "Scores";
    mechanism.order = 5157;
    mechanism.formula =
        R"(@scores{s_{ij} = -d(@query{q_i}, @key{k_j})},\quad )"
        R"(\cosh d = \cosh |@query{q_i}| \cosh |@key{k_j}| - \sinh |@query{q_i}| \sinh |@key{k_j}| \cos )"
        R"(\gamma_{ij},\quad )"
        R"(@output{@weights{\operatorname{softmax}(@scaled_scores{\beta\,@scores{S}})}\,@value{V}})";
    mechanism.papers = {{"Gülçehre et al., Hyperbolic Attention Networks", 2019}};
    mechanism.explanation =
        "On a flat sheet the room around a point grows as a power of the distance; in hyperbolic space it "
        "grows as an exponential, as the branches of a tree do with its depth. So trees fit into it: what is "
        "general lies near the middle, what is special far out, and the way from one branch to another leads "
        "back through the fork. Here each vector is a point of a hyperboloid, its length being how far out "
        "it lies and its direction which way, and the score is how far apart query and key are, measured "
        "within the space, with the sign turned. Two vectors that point different ways are nearly as far "
        "apart as the way over the middle, |q| + |k|, however close the angle would bring them on a flat "
        "sheet: short vectors, which stand for general words, are near to everybody.";
    mechanism.cost = "n m (d + d_v) multiply-adds and a root and a logarithm for each pair; memory n m";
    mechanism.correction =
        "The distance is arcosh of a difference of two large products; it is computed by the law of "
        "haversines, which loses no digits where query and key are close. The paper takes the radius from a "
        "feature of its own and not from the length, has a constant c beside β (which a softmax does not "
        "see) and averages the values in hyperbolic space as well; here the values are weighed as usual.";
    mechanism.related = {"euclidean", "gaussian_kernel", "manhattan", "cosine"};

    AttentionSpec spec;
    spec.score.type = ScoreType::hyperbolic;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + source_knob() + projections_knob());

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.values = {{"beta", 0.25}};
    mechanism.example.look_for =
        "“king” is 10.5 from “queen” and 12.4 from “a”, where the ways over the middle are 12.9 and 13.8. "
        "Nearly all distances are that long, and each word keeps most of its look for itself. Of the others "
        "“met”, the shortest vector, gets most from “king”: 0.049, more than “queen” with 0.046.";
    mechanism.example.beside = "euclidean";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

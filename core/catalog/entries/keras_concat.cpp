#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_keras_concat() {
    Mechanism mechanism;
    mechanism.name = "“Concat” attention as in Keras";
    mechanism.also_known_as = {"Attention(score_mode=\"concat\")", "sum-and-squash score"};
    mechanism.family = "Scores";
    mechanism.order = 910;
    mechanism.formula =
        R"(@scores{s_{ij} = \sum_c @energy{\tanh\left(s\,(q_{ic} + k_{jc})\right)}},\quad )"
        R"(@output{@weights{\operatorname{softmax}(@scaled_scores{g\,@scores{S}})}\,@value{V}})";
    mechanism.papers = {{"Keras, the layer Attention with score_mode=\"concat\"", 2022}};
    mechanism.explanation =
        "Despite its name nothing is concatenated: query and key are added feature by feature, "
        "multiplied by a number s, squashed, summed up and multiplied by a number g. These two are "
        "all that can be learned, and both start at 1. The score is large for keys whose features "
        "are positive where the query’s are, or anywhere. It is neither Luong’s concat, which has a "
        "matrix over [q; k] and a vector v, nor Bahdanau’s score. Without projections in front it "
        "is hardly more than a curiosity, and a good exercise in reading code instead of names.";
    mechanism.cost = "n m d (1 tanh each) + n m d_v multiply-adds per head; memory n m; 2 parameters";
    mechanism.correction =
        "The documentation says “the hyperbolic tangent of the concatenation of query and key”; the "
        "code adds them.";
    mechanism.related = {"concat", "keras_additive", "additive"};

    AttentionSpec spec;
    spec.score.type = ScoreType::elementwise_concat;
    compose(mechanism, spec, {activation_knob(), source_knob(), projections_knob()});

    mechanism.example.query = "she plays the violin and he plays football";
    mechanism.example.look_for = "The scores are symmetric, as those of a dot product, but few words prefer "
                                 "themselves: large features count more than like ones.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_keras_additive() {
    Mechanism mechanism;
    mechanism.name = "Additive attention as in Keras";
    mechanism.also_known_as = {"AdditiveAttention", "Bahdanau-style attention of Keras"};
    mechanism.family = "Scores";
    mechanism.order = 720;
    mechanism.formula = R"(@scores{s_{ij} = v^\top @energy{\tanh\left(@query{q_i} + @key{k_j}\right)}},)"
                        R"(\quad @output{@weights{\operatorname{softmax}(@scores{S})}\,@value{V}})";
    mechanism.papers = {{"Keras, the layer AdditiveAttention", 2019}};
    mechanism.explanation =
        "The layer of this name adds query and key as they are, squashes the sum and weighs it with "
        "a vector, which Keras calls scale. There are no matrices W_1 and W_2: whoever wants "
        "Bahdanau’s score must put a dense layer before it on each side, and query and key must "
        "have the same width. Since nothing turns the features, feature c of the query meets "
        "feature c of the key and no other. Opposite vectors give a sum of 0, and equal ones do not "
        "give a maximum: tanh(2x) of a positive feature is large, of a negative one as far below 0.";
    mechanism.cost = "n m d (1 tanh each) + n m d_v multiply-adds per head; memory n m; d parameters";
    mechanism.correction =
        "Its documentation calls it Bahdanau-style. Bahdanau’s score has two matrices inside the "
        "tanh; this one has none.";
    mechanism.equivalences = {
        equal_when("additive", "With W_1 = W_2 = I additive attention adds query and key as they are.",
                   {.parameters = {{"W_1", "identity"}, {"W_2", "identity"}}}),
        equal_when("keras_concat", "With v all ones only the sum of the energies is left.",
                   {.parameters = {{"v", "ones"}}}),
    };
    mechanism.related = {"additive", "keras_concat", "normalized_additive"};

    AttentionSpec spec;
    spec.score.type = ScoreType::elementwise_additive;
    compose(mechanism, spec, {activation_knob(), source_knob(), projections_knob()});

    mechanism.example.query = "she plays the violin and he plays football";
    mechanism.example.look_for =
        "Nothing makes a word prefer itself: the squashed sum of two vectors is no measure of likeness.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

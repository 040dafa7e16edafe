#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_additive() {
    Mechanism mechanism;
    mechanism.name = "Additive attention";
    mechanism.also_known_as = {"Bahdanau attention", "MLP attention"};
    mechanism.family = "Scores";
    mechanism.order = 700;
    mechanism.formula =
        R"(@scores{s_{ij} = v^\top @energy{\tanh\left(W_1^\top @query{q_i} + W_2^\top @key{k_j}\right)}},)"
        R"(\quad@output{@weights{\operatorname{softmax}(@scores{S})}\,@value{V}})";
    mechanism.papers = {
        {"Bahdanau, Cho and Bengio, Neural Machine Translation by Jointly Learning to Align and Translate",
         2015}};
    mechanism.explanation =
        "A small network with one hidden layer scores each pair: the projected query and the projected key "
        "are added, squashed and weighed by v. Query and key may have different widths, and W_2 k is worked "
        "out once per sentence. The squashing is what makes it work: with the identity the query’s part is "
        "the same for every key of its row, the softmax ignores it, and all queries get the same weights. A "
        "bias inside the activation matters, one added to the score afterwards cannot. It is often printed "
        "as v tanh(W [q; k]), which is Luong’s concat form of the same score, with W_1 on top of W_2.";
    mechanism.cost = "n m d_a (1 tanh each) + (n + m) d d_a + n m d_v multiply-adds per head; memory n m, or "
                     "n m d_a when all energies are kept";
    mechanism.correction = "“Energy” is two things: in Bahdanau’s paper the score e_ij itself, the output of "
                           "the alignment model; here and "
                           "in much code the vector tanh(q W_1 + k W_2) in front of v. "
                           "“Bahdanau: v tanh(W [h_t; h_i])” is Luong’s concat notation; Bahdanau writes v "
                           "tanh(W_a s_{i−1} + U_a h_j), with the decoder’s previous state. The dense layers "
                           "of many tutorials add biases: that of the last one cannot matter.";
    mechanism.equivalences = {equal_when("activations",
                                         "Without a squashing function every query gets the same weights.",
                                         {.here = {{"activation", std::string("identity")}}})};
    mechanism.related = {"concat", "activations", "normalized_additive", "keras_additive", "general"};

    AttentionSpec spec;
    spec.score.type = ScoreType::additive;
    compose(mechanism, spec,
            {activation_knob(), score_bias_knob(), attention_dimension_knob(), source_knob(),
             projections_knob(), projection_bias_knob()});

    mechanism.example.query = "she plays the violin and he plays football";
    mechanism.example.look_for =
        "Set the activation to identity: all rows become the same, because the query’s part of the score "
        "cancels in the softmax.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

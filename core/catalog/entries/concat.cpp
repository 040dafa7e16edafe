#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_concat() {
    Mechanism mechanism;
    mechanism.name = "Concat attention";
    mechanism.also_known_as = {"Luong concat", "concatenation attention"};
    mechanism.family = "Scores";
    mechanism.order = 900;
    mechanism.formula =
        R"(@scores{s_{ij} = v^\top @energy{\tanh\left(W^\top [@query{q_i};\, @key{k_j}]\right)}},\quad)"
        R"(@output{@weights{\operatorname{softmax}(@scores{S})}\,@value{V}})";
    mechanism.papers = {{"Luong, Pham and Manning, Effective Approaches to Attention-based Neural Machine "
                         "Translation (section 3.1, below equation 7)",
                         2015}};
    mechanism.explanation =
        "Query and key are put one after the other and go through one hidden layer. Since W [q; k] = W_1 q "
        "+ W_2 k, where W_1 is the part of W that meets the query, this is exactly additive attention. The "
        "order of the two only permutes the rows of W; here the query, the decoder’s side, comes first. "
        "Implementations often have a bias inside the activation that the printed formula lacks. The "
        "“concat” score of Keras is something else: it adds query and key without any matrix.";
    mechanism.cost = "n m d_a (1 tanh each) + (n + m) d d_a + n m d_v multiply-adds per head, since the "
                     "matrix splits; memory n m";
    mechanism.correction = "Energy is said here of the vector tanh(…) in front of v, as in additive "
                           "attention; some papers call the score itself the energy. Articles print v tanh(W "
                           "[h_s; y_i]) with the encoder first and code with the decoder first: both are "
                           "right, with the rows of W in another order. Printed beside code with a bias "
                           "inside, the formula lacks it.";
    mechanism.equivalences = {
        equal_when("additive",
                   "With W_1 the upper and W_2 the lower half of W it is additive attention; here all three "
                   "are filled with ones.",
                   {.parameters = {{"W", "ones"}, {"W_1", "ones"}, {"W_2", "ones"}}}),
        equal_when("mlp_score", "It is a network of one hidden layer over query and key.",
                   {.there = {{"features", std::string("pair")}, {"layers", Index(1)}}})};
    mechanism.related = {"additive", "keras_concat", "mlp_score", "general"};

    AttentionSpec spec;
    spec.score.type = ScoreType::concat;
    compose(mechanism, spec,
            {activation_knob(), score_bias_knob(), attention_dimension_knob(), source_knob(),
             projections_knob(), projection_bias_knob()});

    mechanism.example.query = "she plays the violin and he plays football";
    mechanism.example.look_for =
        "Each score has a small hidden layer of its own: point at a cell to see the energies that v weighs.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

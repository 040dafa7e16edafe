#include "core/catalog/knob.h"

namespace headlight {
namespace {

Knob identity_first() {
    Knob knob = activation_knob();
    knob.parameter.standard = std::string("identity");
    return knob;
}

}  // namespace

Mechanism declare_activations() {
    Mechanism mechanism;
    mechanism.name = "Additive attention without a squashing function";
    mechanism.also_known_as = {"additive attention with identity activation", "why the tanh is there"};
    mechanism.family = "Scores";
    mechanism.order = 800;
    mechanism.formula = R"(@scores{s_{ij} = v^\top @energy{\left(W_1^\top @query{q_i} + W_2^\top @key{k_j})"
                        R"(\right)}} = @query{a_i} + @key{b_j},\quad )"
                        R"(@output{@weights{\operatorname{softmax}(@scores{S})}\,@value{V}})";
    mechanism.papers = {{"Bahdanau, Cho and Bengio, Neural Machine Translation by Jointly Learning to Align "
                         "and Translate (with the tanh taken out)",
                         2015}};
    mechanism.explanation =
        "What is the tanh for? Take it out of additive attention and the score falls apart into a "
        "number a of the query and a number b of the key. Within a row a is a constant, the softmax "
        "does not see it, and every query gets the same weights: the mechanism no longer listens to "
        "its query. Turn the knob to tanh, sigmoid or ReLU and the rows part again. tanh and "
        "sigmoid are equally strong, since tanh(x) = 2 sigmoid(2x) − 1 and constants cancel; ReLU "
        "is not bounded, and a hidden unit that is negative for all words is dead.";
    mechanism.cost = "n m d_a + (n + m) d d_a + n m d_v multiply-adds per head; memory n m";
    mechanism.correction =
        "“Additive attention can use any activation” needs this exception: with the identity, or "
        "with none, it cannot attend.";
    mechanism.equivalences = {
        equal_when("additive", "It is additive attention with the identity as its activation.",
                   {.there = {{"activation", std::string("identity")}}}),
        equal_when("additive", "With the tanh put back it is additive attention.",
                   {.here = {{"activation", std::string("tanh")}}}),
    };
    mechanism.related = {"additive", "linear_score", "gat"};

    AttentionSpec spec;
    spec.score.type = ScoreType::additive;
    compose(mechanism, spec, {identity_first(), source_knob(), projections_knob()});

    mechanism.example.query = "she plays the violin and he plays football";
    mechanism.example.look_for =
        "All rows are the same, whichever word asks. Turn the activation to tanh and they part.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

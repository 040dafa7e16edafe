#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_gatv2() {
    Mechanism mechanism;
    mechanism.name = "Dynamic graph attention (GATv2)";
    mechanism.also_known_as = {"GATv2", "dynamic graph attention"};
    mechanism.family = "Scores";
    mechanism.order = 5210;
    mechanism.formula =
        R"(@scores{s_{ij} = v^\top @energy{\operatorname{LeakyReLU}\left(W_1^\top @query{q_i} + W_2^\top )"
        R"(@key{k_j}\right)}},\quad @output{@weights{\operatorname{softmax}(@scores{S})}\,@value{V}})";
    mechanism.papers = {
        {"Brody, Alon and Yahav, How Attentive are Graph Attention Networks? (equation 7)", 2022}};
    mechanism.explanation =
        "Graph attention with two steps in another order: first the matrices and the sum, then the "
        "LeakyReLU, then the vector v. That is all, and it repairs the defect of GAT: the kink now "
        "acts on every hidden unit before they are weighed, so a query can shift which units are "
        "on, and different nodes can have different favourites. It is Bahdanau’s additive score "
        "with another activation, and it costs no more than before. With a slope of 1 the kink is "
        "gone and with it the power to choose; with 0 it is the additive score with ReLU.";
    mechanism.correction = "The LeakyReLU stands between the matrices and the vector v. Behind the vector it "
                           "is GAT again, whose ranking of keys is the same for every query.";
    mechanism.cost = "n m d_a + (n + m) d d_a + n m d_v multiply-adds per head, over the edges "
                     "alone where the mask is sparse; memory n m";
    mechanism.equivalences = {
        equal_when("additive", "With a slope of 0 below zero it is additive attention with ReLU.",
                   {.here = {{"slope", 0.0}}, .there = {{"activation", std::string("relu")}}}),
        equal_when("activations", "With a slope of 1 the kink is gone, and all rows are the same.",
                   {.here = {{"slope", 1.0}}}),
    };
    mechanism.related = {"gat", "additive", "activations"};

    AttentionSpec spec;
    spec.score.type = ScoreType::dynamic_graph;
    compose(mechanism, spec,
            component_knobs(spec) + score_bias_knob() + attention_dimension_knob() + source_knob() +
                projections_knob());

    mechanism.example.query = "she plays the violin and he plays football";
    mechanism.example.look_for = "Compare with GAT: the order of the keys differs from row to row. Turn the "
                                 "slope to 1 and all rows are the same.";
    mechanism.example.beside = "gat";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

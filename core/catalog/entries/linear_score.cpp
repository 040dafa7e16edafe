#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_linear_score() {
    Mechanism mechanism;
    mechanism.name = "Linear attention score";
    mechanism.also_known_as = {"LinearAttention of AllenNLP", "additive score without a hidden layer"};
    mechanism.family = "Scores";
    mechanism.order = 5160;
    mechanism.formula = R"(@scores{s_{ij} = w^\top [ @query{q_i};\, @key{k_j} ]},\quad )"
                        R"(@output{@weights{\operatorname{softmax}(@scores{S})}\,@value{V}})";
    mechanism.papers = {{"Gardner et al., AllenNLP: A Deep Semantic Natural Language Processing Platform "
                         "(the layer LinearAttention)",
                         2018}};
    mechanism.explanation =
        "Query and key are put one after the other and weighed by one vector: the score is what the query "
        "adds plus what the key adds. The query’s part is the same for every key of its row, the softmax "
        "ignores it, and so all queries get the same weights, whatever they ask. It is attention that cannot "
        "attend. It is here because the formula looks harmless, because several libraries offer it, and "
        "because it shows in one line what the tanh of the additive score and the product of the dot score "
        "are for: query and key must meet inside something that is not a sum.";
    mechanism.cost = "(n + m) d + n m (1 + d_v) multiply-adds per head; memory n m";
    mechanism.correction =
        "It has nothing to do with linear attention in the sense of linear time, which replaces the "
        "softmax by a product of features.";
    mechanism.equivalences = {
        equal_when("gat", "A graph attention score whose slope below zero is 1 is linear.",
                   {.there = {{"slope", 1.0}}}),
    };
    mechanism.related = {"trilinear", "activations", "gat", "additive"};

    AttentionSpec spec;
    spec.score.type = ScoreType::linear;
    compose(mechanism, spec, {score_bias_knob(), source_knob(), projections_knob()});

    mechanism.example.query = "she plays the violin and he plays football";
    mechanism.example.look_for = "Every row is the same: which word is looked at depends on that word alone.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

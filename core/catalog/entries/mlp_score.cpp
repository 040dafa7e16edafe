#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_mlp_score() {
    Mechanism mechanism;
    mechanism.name = "Attention scored by a deep network";
    mechanism.also_known_as = {"feedforward alignment model", "MLP attention over pair features"};
    mechanism.family = "Scores";
    mechanism.order = 920;
    mechanism.formula =
        R"(@scores{s_{ij} = v^\top @energy{f_L(\ldots f_1([ @query{q_i};\, @key{k_j};\, q_i - k_j;\, q_i )"
        R"(\ast k_j ]) \ldots)}},\quad @output{@weights{\operatorname{softmax}(@scores{S})}\,@value{V}})";
    mechanism.papers = {
        {"Chen et al., Enhanced LSTM for Natural Language Inference (the pair features)", 2017},
        {"Bahdanau, Cho and Bengio, Neural Machine Translation by Jointly Learning to Align and Translate (a "
         "network as score)",
         2015}};
    mechanism.explanation =
        "Bahdanau calls the score an alignment model, a feedforward network of query and key. Here is the "
        "general case: any number of hidden layers, over the two vectors, their difference and their product "
        "feature by feature, which spare the network the work of finding out that two vectors are alike. "
        "With one layer over [q; k] alone it is Luong’s concat score, and so Bahdanau’s. Every layer after "
        "the first has to be worked out for every pair; that is why nobody goes deeper: the first layer "
        "splits into a query’s and a key’s part, the others do not.";
    mechanism.cost = "n m (L − 1) d_a² + n m d d_a + n m d_v multiply-adds per head; memory n m";
    mechanism.correction =
        "“A feed-forward network g(s, h)” is often printed as if it had one layer by definition; "
        "the formula of one layer is the paper’s choice, made for speed.";
    mechanism.equivalences = {
        equal_when("concat", "With one hidden layer over query and key alone it is the concat score.",
                   {.here = {{"features", std::string("pair")}, {"layers", Index(1)}}}),
    };
    mechanism.related = {"concat", "additive", "trilinear"};

    AttentionSpec spec;
    spec.score.type = ScoreType::mlp;
    compose(mechanism, spec,
            component_knobs(spec) + activation_knob() + score_bias_knob() + attention_dimension_knob() +
                source_knob() + projections_knob());

    mechanism.example.query = "she plays the violin and he plays football";
    mechanism.example.look_for =
        "Each score has a small deep network of its own; point at a cell to see its last hidden layer.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

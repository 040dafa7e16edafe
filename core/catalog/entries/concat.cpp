#include "core/catalog/knob.h"
#include "core/catalog/oracle.h"

namespace headlight {

Mechanism declare_concat() {
    Mechanism mechanism;
    mechanism.id = "concat";
    mechanism.name = "Concat attention";
    mechanism.also_known_as = {"Luong concat", "concatenation attention"};
    mechanism.family = "Scores";
    mechanism.order = 900;
    mechanism.formula =
        R"(\class{stage-scores}{s_{ij} = v^\top \class{stage-energy}{\tanh\left()"
        R"(W^\top [\class{stage-query}{q_i};\, \class{stage-key}{k_j}])"
        R"(\right)}},\quad)"
        R"(\class{stage-output}{\class{stage-weights}{\operatorname{softmax}(\class{stage-scores}{S})})"
        R"(\,\class{stage-value}{V}})";
    mechanism.paper = "Luong, Pham and Manning, Effective Approaches to Attention-based Neural Machine "
                      "Translation (equation 8)";
    mechanism.year = 2015;
    mechanism.explanation =
        "Query and key are put one after the other and go through one hidden layer. Since W [q; k] = W_1 q "
        "+ W_2 k, where W_1 is the part of W that meets the query, this is exactly additive attention. The "
        "order of the two only permutes the rows of W; here the query, the decoder’s side, comes first. "
        "Implementations often have a bias inside the activation that the printed formula lacks. The "
        "“concat” score of Keras is something else: it adds query and key without any matrix.";

    AttentionSpec spec;
    spec.score.type = ScoreType::concat;
    compose(mechanism, spec,
            {activation_knob(), score_bias_knob(), attention_dimension_knob(), source_knob(),
             projections_knob(ProjectionType::none), projection_bias_knob()});

    mechanism.example.query = "she plays the violin and he plays football";
    mechanism.example.look_for =
        "Each score has a small hidden layer of its own: point at a cell to see the energies that v weighs.";
    mechanism.properties.permutation_equivariant = true;
    mechanism.oracle = scalar_oracle;
    return mechanism;
}

}  // namespace headlight

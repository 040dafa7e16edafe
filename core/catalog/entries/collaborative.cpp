#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_collaborative() {
    Mechanism mechanism;
    mechanism.name = "Collaborative heads";
    mechanism.also_known_as = {"shared query and key projections", "mixing vectors"};
    mechanism.family = "Heads";
    mechanism.order = 5729;
    mechanism.formula = R"(@output{o = \left[@weights{\operatorname{softmax}\left(@scores{\frac{)"
                        R"(@mixed_query{@query{Q} \operatorname{diag}(m_h)}\,@key{K}^\top}{\sqrt{d}}})"
                        R"(\right)}\,@value{V_h}\right]_h W_o},\quad Q = X W_Q,\; K = Y W_K)";
    mechanism.papers = {
        {"Cordonnier, Loukas and Jaggi, Multi-Head Attention: Collaborate Instead of Concatenate", 2020}};
    mechanism.explanation =
        "Heads that are trained apart learn many of the same directions: the matrices W_q and W_k of all "
        "heads, side by side, have features that say nearly the same. Here the heads share one projection of "
        "queries and one of keys, as wide as all together, and each head weighs the features by a vector m "
        "of its own: score h is the sum over all features of m q k. A feature that several heads need is "
        "there once. With m that is 1 in a block of its own and 0 elsewhere, each head uses the features "
        "that no other does: that is multi-head attention. So a trained model can be rewritten in this form, "
        "and the shared projection then made narrower.";
    mechanism.cost =
        "H n m D multiply-adds for the scores, D the width that the heads share: as many times more as D is "
        "larger than a head’s d; H D parameters for the mixing. It pays where D is made small.";
    mechanism.correction =
        "Only queries and keys are shared; every head has values of its own. The scale is the √d of a head, "
        "not √D, for with blocks of ones the scores must be those of multi-head attention. Nothing is mixed "
        "between maps, as talking heads do: each head has one map, of features that it shares.";
    mechanism.related = {"multi_head", "talking_heads", "multi_query", "tensor_product"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .heads = 8};
    spec.algorithm.type = AlgorithmType::collaborative;
    compose(mechanism, spec, {heads_knob(), causal_knob(), projection_bias_knob(), source_knob()});

    mechanism.example.query = "the teacher gave the student a book about music";
    mechanism.example.look_for = "The mixed queries of a head are as wide as the queries of all heads "
                                 "together: every head looks at all features, in shares of its own.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

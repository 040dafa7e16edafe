#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_shared_query_key() {
    Mechanism mechanism;
    mechanism.name = "Shared queries and keys";
    mechanism.also_known_as = {"tied QK", "shared-QK attention"};
    mechanism.family = "Heads";
    mechanism.order = 5710;
    mechanism.formula =
        R"(@output{\left[@context{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{@scores{)"
        R"(@query{X W_{q,h}}\,(@key{X W_{q,h}})^\top}}{\sqrt{d_k}}}\right)}\,@value{V_h}}\right]_h W_o})";
    mechanism.papers = {
        {"Kitaev, Kaiser and Levskaya, Reformer: The Efficient Transformer (section 2)", 2020}};
    mechanism.explanation =
        "One matrix serves for queries and keys, so that what a token asks for is what it offers. The scores "
        "become symmetric and positive semidefinite: token i likes j as much as j likes i, and the diagonal, "
        "a sum of squares, tends to win its row. Reformer needs this for its hashing, where a query must "
        "fall into the bucket of keys like it; it also divides keys by their length and forbids a token to "
        "look at itself unless there is nobody else. The paper found no loss of quality. Parameters for keys "
        "disappear, the cache does not shrink.";
    mechanism.cost =
        "As multi-head attention, without the projection of the keys: m D H d multiply-adds less.";
    mechanism.correction =
        "Symmetric scores do not make symmetric weights: each row is normalised by its own sum.";
    mechanism.equivalences = {equal_when("multi_head", "the matrices of queries and keys are equal",
                                         {.parameters = {{"W_q", "identity"}, {"W_k", "identity"}}})};
    mechanism.related = {"multi_head", "shared_key_value", "reformer", "basic_self_attention"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .sharing = Sharing::query_key};
    compose(mechanism, spec, {heads_knob(), causal_knob(), projection_bias_knob(), temperature_knob()});

    mechanism.example.query = "a cat and a dog slept on the warm sofa";
    mechanism.example.look_for = "The scores mirror at the diagonal, and the diagonal is strong; the weights "
                                 "are no longer symmetric, for each row has its own sum.";
    mechanism.example.stage = "scores";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

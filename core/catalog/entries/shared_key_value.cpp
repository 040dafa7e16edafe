#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_shared_key_value() {
    Mechanism mechanism;
    mechanism.name = "Shared keys and values";
    mechanism.also_known_as = {"K = V", "tied KV"};
    mechanism.family = "Heads";
    mechanism.order = 5720;
    mechanism.formula =
        R"(@output{\left[@context{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{@scores{)"
        R"(@query{Q_h}\,@key{K_h}^\top}}{\sqrt{d_k}}}\right)}\,@value{K_h}}\right]_h W_o})";
    mechanism.papers = {{"Ramsauer et al., Hopfield Networks is All You Need (retrieval)", 2021},
                        {"DeepSeek-AI, DeepSeek-V4 (one head for both)", 2026}};
    mechanism.explanation =
        "What is looked at is what is read: the values are the keys, and no matrix of values is asked for. "
        "The output of a head is then a weighted mean of its keys, a point inside the cloud that the keys "
        "span, and one step of an associative memory that retrieves the stored pattern a query resembles. "
        "The cache halves, because one vector per token and head serves for both. What is lost is freedom: "
        "how a token is found and what it says can no longer be learned apart, except through W_o behind it. "
        "The early memory networks and content-based readers were of this kind.";
    mechanism.cost = "As multi-head attention, without the projection of the values; H d numbers per token "
                     "in the cache in place of 2 H d.";
    mechanism.correction = "Rotations and norms are applied to the keys as they are compared, not to what is "
                           "read: the values are the keys before that.";
    mechanism.equivalences = {equal_when("multi_head", "the matrices of keys and values are equal",
                                         {.parameters = {{"W_k", "identity"}, {"W_v", "identity"}}})};
    mechanism.related = {"multi_head", "shared_query_key", "hopfield"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .sharing = Sharing::key_value};
    compose(mechanism, spec, {heads_knob(), causal_knob(), projection_bias_knob(), temperature_knob()});

    mechanism.example.query = "a cat and a dog slept on the warm sofa";
    mechanism.example.look_for = "Key and value are one picture; the context of each word is a mean of keys.";
    mechanism.example.stage = "key";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

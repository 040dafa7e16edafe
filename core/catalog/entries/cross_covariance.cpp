#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_cross_covariance() {
    Mechanism mechanism;
    mechanism.name = "Cross-covariance attention (XCA)";
    mechanism.also_known_as = {"XCiT", "transposed attention", "attention over channels"};
    mechanism.family = "Images";
    mechanism.order = 3980;
    mechanism.formula =
        R"(@output{o_i = @feature_weights{A}\,@value{v_i}},\quad )"
        R"(@feature_weights{A = \operatorname{softmax}\left(@feature_scores{\tau\,@unit_query{)"
        R"(\hat{Q}}^\top @unit_key{\hat{K}}}\right)},\quad )"
        R"(@unit_query{\hat{Q}_{ic} = \frac{@query{q_{ic}}}{@query_feature_lengths{\sqrt{\sum_j )"
        R"(q_{jc}^2}}}},\quad )"
        R"(@unit_key{\hat{K}_{ic} = \frac{@key{k_{ic}}}{@key_feature_lengths{\sqrt{\sum_j k_{jc}^2}}}},)"
        R"(\quad @weights{W = I})";
    mechanism.papers = {{"El-Nouby et al., XCiT: Cross-Covariance Image Transformers", 2021}};
    mechanism.explanation =
        "Attention with tokens and features exchanged: it is features that look at features. A column of Q, "
        "one feature at all tokens, is compared with every column of K; the columns are divided by their "
        "length first, so that a product is a cosine, and τ, which each head learns, makes the softmax "
        "sharp. The map has d × d cells for each head, however long the text or large the image is, and the "
        "same map is applied to every token: each new feature is a weighted mean of the token’s own old "
        "ones. No token takes anything from another, so that the map of tokens, W, is a diagonal of ones. "
        "They know of each other through the sums that the map of features is made of. The paper therefore "
        "adds convolutions, by which neighbouring patches speak with each other.";
    mechanism.cost =
        "2 n d² multiply-adds per head, and 2 n d for the lengths; memory d² for the map. The map of tokens "
        "is none that has to be computed.";
    mechanism.correction =
        "The paper writes V softmax(K̂ᵀ Q̂ / τ) and means a softmax over each column, whose numbers are "
        "shares of the features of K; rows, as softmax is mostly read, would be those of Q. Its code has "
        "the transposed map, as it is here, and multiplies by τ, which starts at 1. It is not a covariance "
        "in the strict sense, for no mean is taken off.";
    mechanism.related = {"efficient", "cosine", "squeeze_excitation", "eca"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::cross_covariance;
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "king queen prince princess dog cat horse cow";
    mechanism.example.stage = "feature_weights";
    mechanism.example.look_for =
        "The picture is of 64 × 64 features, and it stays as it is when the words change places. Queries "
        "are keys here, so that each feature is most like itself: the diagonal stands out. With a sharpness "
        "of 1, where learning starts, no weight is above 0.05. Step to the weights: a diagonal of ones.";
    mechanism.example.values = {{"sharpness", 10.0}};
    mechanism.properties = {.permutation_equivariant = true, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight

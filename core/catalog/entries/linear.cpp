#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_linear() {
    Mechanism mechanism;
    mechanism.name = "Linear attention";
    mechanism.also_known_as = {"kernel attention", "elu + 1 attention", "fast autoregressive Transformer"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3300;
    mechanism.formula =
        R"(@output{o_i = \frac{\sum_{j \le i} @similarities{@query_features{\phi(@query{q_i})} \cdot )"
        R"(@key_features{\phi(@key{k_j})}}\,@value{v_j}}{@row_sum{\sum_{j \le i} \phi(q_i) \cdot )"
        R"(\phi(k_j)}}},\quad )"
        R"(@weights{A_{ij} = \frac{\phi(q_i) \cdot \phi(k_j)}{\sum_j \phi(q_i) \cdot \phi(k_j)}},\quad )"
        R"(\phi(x) = \operatorname{elu}(x) + 1)";
    mechanism.papers = {{"Katharopoulos et al., Transformers are RNNs: Fast Autoregressive Transformers with "
                         "Linear Attention",
                         2020}};
    mechanism.explanation =
        "Softmax compares exp(q · k); linear attention compares features of the two, φ(q) · φ(k) with φ(x) = "
        "elu(x) + 1, which are positive too. A product of features can be reordered: φ(q)ᵀ (Σ φ(k) vᵀ) "
        "instead of (φ(q)ᵀ Σ φ(k)) vᵀ. The bracket is a matrix of fixed size that every new token is added "
        "to, so that a causal Transformer becomes a recurrent network: time grows with the length, memory "
        "does not. The map shown here was never needed for the output; it is worked out afterwards. Its rank "
        "is at most d, so that it cannot single out one key of many as softmax does, and it looks blurred.";
    mechanism.cost = "2 n d d_v multiply-adds per head, as many to write as to read; state d d_v, whatever "
                     "the length; the map only for the picture";
    mechanism.correction =
        "Linear attention is not an approximation of softmax attention: elu(x) + 1 is another "
        "kernel, and a model is trained with it. Performer approximates.";
    mechanism.related = {"causal", "hedgehog", "performer", "retention", "delta"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::linear;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "once upon a time there lived a wise old king";
    mechanism.example.look_for =
        "The rows are nearly flat where causal softmax attention has peaks: a product of features "
        "cannot single out one key.";
    mechanism.example.beside = "causal";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight

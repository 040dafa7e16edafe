#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_dynamic_mask() {
    Mechanism mechanism;
    mechanism.name = "Dynamic mask attention";
    mechanism.also_known_as = {"DMA", "Doge attention"};
    mechanism.family = "Selections";
    mechanism.order = 5479;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@scores{\frac{@query{q_i} \cdot @key{k_j}}{)"
        R"(\sqrt{d}} + \delta_j},\ j \in \operatorname{top}_w \delta\right)}\,@value{V}},\quad )"
        R"(@dynamic_bias{\delta_j = \exp\left(a\,\operatorname{softplus}(v_j W)\right)})";
    mechanism.papers = {{"Shi et al., Trainable Dynamic Mask Sparse Attention", 2025}};
    mechanism.explanation =
        "What a token has to give decides whether it is looked at. A number is made of the values of all "
        "heads, for each head another one, and becomes δ, which is above 0: how much the token matters, "
        "whoever asks. Each query looks at the w tokens with the largest δ among those that it may see, and "
        "δ is added to their scores as well. So the choice can be learned, since δ has a gradient where it "
        "was chosen. Values are in the cache already, and what is chosen costs one number a token, not one a "
        "pair. It is the choice of the small models called Doge.";
    mechanism.cost = "m d_v h² for the numbers, then n w (d + d_v) multiply-adds per head where w keys are "
                     "kept; memory n w. Here scores of all keys are computed.";
    mechanism.correction =
        "The choice is of keys for all queries, not of keys for a query: without a causal mask all rows have "
        "the same zeros. δ has no end above: with a > 0 a single token can drown all others. The paper’s "
        "selections that know a query are those of other methods.";
    mechanism.equivalences = {equal_when("causal",
                                         "where values say nothing, δ is the same for all keys, and all tie",
                                         {.tolerance = 1e-12, .parameters = {{"W_value_step", "zeros"}}})};
    mechanism.related = {"top_k", "forgetting", "native_sparse", "dsa", "moba"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::dynamic_mask;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "we read the book and then the book was lost";
    mechanism.example.look_for =
        "Columns are on or off: once a later word matters more than one of the four that are kept, the "
        "column of that one stays empty for all rows below. Copies of “the” and of “book” matter alike, and "
        "stay or go together.";
    mechanism.properties = {.causal = true, .data_dependent_mask = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight

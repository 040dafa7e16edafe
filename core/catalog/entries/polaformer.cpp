#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_polaformer() {
    Mechanism mechanism;
    mechanism.name = "Polarity-aware linear attention";
    mechanism.also_known_as = {"PolaFormer"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3308;
    mechanism.formula =
        R"(@like_weights{A^{=}_{ij} = \frac{q^+_i \cdot k^+_j + q^-_i \cdot k^-_j}{\sum_l \left(q^+_i )"
        R"(\cdot k^+_l + q^-_i \cdot k^-_l\right)}},\quad )"
        R"(@unlike_weights{A^{\ne}_{ij} = \frac{q^-_i \cdot k^+_j + q^+_i \cdot k^-_j}{\sum_l \left(q^-_i )"
        R"(\cdot k^+_l + q^+_i \cdot k^-_l\right)}},\quad )"
        R"(x^+ = \max\left(\frac{x}{\operatorname{softplus}(c)}, 0\right)^{1 + \alpha\,\sigma(p)},\quad )"
        R"(x^- = (-x)^+,\quad @weights{A = \tfrac{1}{2}(A^{=} + A^{\ne})},\quad )"
        R"(@context{O = @signed_context{\left[A^{=}\,@value{V_1};\; A^{\ne}\,V_2\right]} \circ X W_g})";
    mechanism.papers = {
        {"Meng et al., PolaFormer: Polarity-aware Linear Attention for Vision Transformers", 2025}};
    mechanism.explanation =
        "Linear attention needs features that are nowhere negative, and so throws away half of every vector: "
        "what lies below 0. Here both halves are kept, as two vectors without signs, and met in both ways. "
        "Where query and key have a feature of one sign, the product counts as likeness; where their signs "
        "differ, as unlikeness. To take the second off the first would give negative sums and unsteady "
        "divisions. Instead each of the two maps is normalised by itself and carries one half of the values, "
        "and a projection of the token, feature by feature, learns what either is worth, and with which "
        "sign. Each feature is raised to a power of its own, learned, above 1, so that rows get peaks as a "
        "softmax has them.";
    mechanism.cost =
        "4 n d d_v multiply-adds per head for states of 2 d features and halves of the values, and "
        "n d h d_v for the gate. As computed here, with both maps, n m (4 d + d_v).";
    mechanism.correction =
        "Rows are divided by their mean and 1e-6, as in the code, so that they sum to a little less than 1. "
        "The gate has no sigmoid: it may turn signs round. The code adds learned positions to keys and a "
        "filter over the values, of 5 × 5 patches (`convolution`, along the tokens). The map that is shown "
        "is the mean of both; the context has one for each half of a value.";
    mechanism.related = {"linear", "hedgehog", "fmmformer", "differential", "mala"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::polarity;
    compose(mechanism, spec, component_knobs(spec) + causal_knob() + source_knob() + projections_knob());

    mechanism.example.query = "the cat and the dog sat in the garden";
    mechanism.example.stage = "unlike_weights";
    mechanism.example.look_for =
        "The diagonal is empty, for no word differs from itself in sign, and so are the cells of “cat” and "
        "“dog”; in the weights of like signs they are not.";
    mechanism.properties = {.row_stochastic = false, .permutation_equivariant = true};
    return mechanism;
}

}  // namespace headlight

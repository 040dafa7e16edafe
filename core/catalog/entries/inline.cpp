#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_inline() {
    Mechanism mechanism;
    mechanism.name = "Injective linear attention";
    mechanism.also_known_as = {"InLine attention"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3306;
    mechanism.formula =
        R"(@weights{A_{ij} = @similarities{\varphi(q_i) \cdot \varphi(k_j)} - @row_sum{\frac{1}{n} \sum_l )"
        R"(\varphi(q_i) \cdot \varphi(k_l)} + \frac{1}{n}},\quad @context{O = A\,@value{V}})";
    mechanism.papers = {
        {"Han et al., Bridging the Divide: Reconsidering Softmax and Linear Attention", 2024}};
    mechanism.explanation =
        "Linear attention divides each row by its sum, and so loses how long a query is: a query and its "
        "double have the same row, and with few features quite different queries may. A softmax tells them "
        "apart. Here nothing is divided. The mean of a row is taken off it and 1/n is added, so that it sums "
        "to 1 all the same; a longer query now has a sharper row, and different queries different ones, "
        "which the authors call injective. Features need not be above 0 any more: φ may be left out. Weights "
        "may be negative. The means of keys and of values are all that it takes beside the state, so that "
        "the cost stays linear in the number of tokens.";
    mechanism.cost =
        "n d d_v multiply-adds per head to write the state and as many to read it, and the means "
        "of keys and values. As computed here, with the map, n m (d + d_v).";
    mechanism.correction =
        "Equation 5 has no scale; in the code products are divided by √d and by n, which could as well be "
        "in φ: set `scaled`. The paper adds a second part, a filter over the nine nearest values of the "
        "image, which a small network makes of the mean token for each picture anew; it is not here. A "
        "learned filter that stays, along the tokens, is: `convolution`.";
    mechanism.related = {"mala", "linear", "hedgehog", "coda"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::balanced_linear;
    compose(mechanism, spec,
            without(component_knobs(spec), {"rule"}) + causal_knob() + source_knob() + projections_knob());

    mechanism.example.query = "the cat and the dog sat in the garden";
    mechanism.example.look_for =
        "“Cat” and “dog” look at each other, where linear attention is nearly flat. Some cells are negative, "
        "and every row sums to 1.";
    mechanism.example.beside = "linear";
    mechanism.properties = {.permutation_equivariant = true, .is_signed = true};
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_ufo() {
    Mechanism mechanism;
    mechanism.name = "UFO attention (XNorm)";
    mechanism.also_known_as = {"UFO-ViT", "unit force operated attention", "cross-normalisation"};
    mechanism.family = "Low rank";
    mechanism.order = 3675;
    mechanism.formula =
        R"(@output{O} = @context{@xnorm_query{\operatorname{XNorm}(@query{Q})}\;@unit_key_values{)"
        R"(\operatorname{XNorm}(@key{K}^\top @value{V})}},\quad )"
        R"(\operatorname{XNorm}(x) = \frac{\gamma\,x}{\lVert x \rVert} \text{ of each row},\quad )"
        R"(@weights{A_{ij} = \gamma^2 \sum_c \frac{q_{ic}}{\lVert q_i \rVert}\,\frac{k_{jc}}{\lVert )"
        R"((K^\top V)_c \rVert}})";
    mechanism.papers = {{"Song, UFO-ViT: High Performance Linear Vision Transformer without Softmax", 2021}};
    mechanism.explanation =
        "Without the softmax attention is a product of three matrices, and K with V can be multiplied first: "
        "a small matrix, a row for each feature of the keys, which does not grow with the image. But then "
        "nothing keeps the numbers in bounds; a large image has large sums. XNorm divides by lengths on both "
        "sides of the product. Each query gets the length γ, and so does each row of Kᵀ V: what a feature "
        "has gathered from all places counts by its direction and not by how much it is. An output is then a "
        "mixture of d directions, with the query for weights. As a map it is a product of queries and keys, "
        "where the feature c is divided by the length of what it gathers, and so the map depends on the "
        "values as well.";
    mechanism.cost = "2 n d d_v multiply-adds per head; memory d d_v. The map, as here, n² d more";
    mechanism.correction =
        "XNorm is not a norm of queries and keys, as in cosine attention: the second one divides the product "
        "of keys and values. Rows of the map sum to anything, and weights may be negative. A text that "
        "stands there twice gives the answers that it gives once, for the lengths of its sums are brought "
        "back. γ is one number of each head, used on both sides.";
    mechanism.related = {"efficient", "linear", "cross_covariance", "cosine"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::ufo;
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the storm was terrible but the harbour was safe";
    mechanism.example.look_for =
        "Step to the summary: a row for each feature of the keys, all of one length, whatever the text is; a "
        "longer text does not make it larger. In the map the copies of a word have one column, and some "
        "weights are below 0.";
    mechanism.properties = {.row_stochastic = false,
                            .permutation_equivariant = true,
                            .is_signed = true,
                            .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight

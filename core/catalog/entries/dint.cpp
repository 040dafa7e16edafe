#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_dint() {
    Mechanism mechanism;
    mechanism.name = "Differential-integral attention";
    mechanism.also_known_as = {"DINT Transformer", "DINT"};
    mechanism.family = "Heads";
    mechanism.order = 3802;
    mechanism.formula =
        R"(@weights{A = @first_weights{A_1} - \lambda\,@second_weights{A_2} + \lambda\,@importance{G}},)"
        R"(\quad @importance{G_{ij} = \frac{1}{n} \sum_l (A_1)_{lj}},\quad )"
        R"(A_r = \operatorname{softmax}\left(\frac{Q_r K_r^\top}{\sqrt{d}}\right),\quad )"
        R"(@context{(1 - \lambda_0)\,\operatorname{norm}(A\,@value{V})})";
    mechanism.papers = {{"Cang et al., DINT Transformer", 2025},
                        {"Ye et al., Differential Transformer", 2025}};
    mechanism.explanation =
        "Differential attention takes a second map off a first one, and what both agree on is gone. Two "
        "things go with it. Words that matter to the whole text, at which every query looks, are in both "
        "maps and cancel like noise. And the rows sum to 1 − λ, of a λ that is learned, so that the size of "
        "the result wanders. Here the average is given back: what each key gets of the first map, over all "
        "queries, is its importance, the same row for every query, and λ of it is added. As much is added as "
        "was taken off, and each row sums to 1 again. The difference looks for what stands out for this "
        "query, the sum, as an integral over a text, for what stands out for all.";
    mechanism.cost =
        "n m (d + d_v) multiply-adds per head, as differential attention has, d the width of both "
        "halves together; two maps of n m numbers and a row of m.";
    mechanism.correction =
        "One λ stands at both places: with two of them rows would not sum to 1. The average is over all "
        "queries, so that what a query gets depends on later ones: a text that is written on would need "
        "averages over the queries so far, of which the paper does not speak, and a causal mask is refused. "
        "The norm of each head and its factor 1 − λ₀ are those of the Differential Transformer; others who "
        "wrote DINT anew leave out the factor, or both: `norm` takes both away.";
    mechanism.related = {"differential", "differential_2", "external_memory", "fastformer"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .heads = 2};
    spec.algorithm.type = AlgorithmType::differential;
    spec.algorithm.options["layer"] = Index(8);  // λ is then large enough to see
    spec.algorithm.options["integral"] = true;
    compose(mechanism, spec,
            without(component_knobs(spec), {"integral"}) + projection_bias_knob() + source_knob());

    mechanism.example.query = "the king and the queen lived in a great castle";
    mechanism.example.look_for =
        "“Queen”, at which most words look in the first weights, keeps its column in every row; in "
        "differential attention most of it is taken off. Every row sums to 1, and some cells are negative.";
    mechanism.example.beside = "differential";
    mechanism.properties = {.permutation_equivariant = true, .is_signed = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight

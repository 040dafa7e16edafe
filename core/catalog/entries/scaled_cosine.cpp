#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_scaled_cosine() {
    Mechanism mechanism;
    mechanism.name = "Scaled cosine attention";
    mechanism.also_known_as = {"Swin V2 attention", "cosine attention with learned temperature"};
    mechanism.family = "Scores";
    mechanism.order = 5140;
    mechanism.formula =
        R"(@scores{s_{ij} = \frac{@query{q_i} \cdot @key{k_j}}{|@query{q_i}|\,|@key{k_j}|}},\quad )"
        R"(@output{@weights{\operatorname{softmax}(@scaled_scores{e^{\min(\ell_h,\, \ln 100)}\,)"
        R"(@scores{S}})}\,@value{V}})";
    mechanism.papers = {
        {"Liu et al., Swin Transformer V2: Scaling Up Capacity and Resolution (equation 2)", 2022}};
    mechanism.explanation =
        "Cosines between queries and keys, multiplied by a number that every head learns for "
        "itself. The number is stored as a logarithm ℓ, so that it stays positive, starts at 10, "
        "and is held below 100. In the large vision models that it was made for, a few heads with "
        "plain dot products came to be ruled by a few pairs of very long vectors; here a score "
        "never leaves the band from −τ to τ. The original adds a position bias from a small network "
        "afterwards, and attends within shifted windows of an image.";
    mechanism.cost = "n m (d + d_v) + (n + m) d multiply-adds per head; memory n m; h parameters";
    mechanism.correction =
        "The paper writes cos(q, k) / τ with τ above 0.01; its code learns the logarithm of 1/τ and "
        "cuts it off at ln 100, which is the same bound.";
    mechanism.equivalences = {
        equal_when("cosine", "Before training every head multiplies its cosines by 10.",
                   {.there = {{"beta", 10.0}}}),
    };
    mechanism.related = {"cosine", "qk_norm"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_cosine;
    compose(mechanism, spec, {source_knob(), projections_knob()});

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.look_for =
        "The scores stay between −1 and 1, the scaled scores between −10 and 10; each word is most "
        "similar to itself, then to its counterpart.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_sparsemax() {
    Mechanism mechanism;
    mechanism.name = "Sparsemax";
    mechanism.also_known_as = {"sparse softmax", "projection on the simplex"};
    mechanism.family = "Normalisers";
    mechanism.order = 2800;
    mechanism.formula = R"(@output{o_i} = \sum_j @weights{\max\left(0,\,@scaled_scores{s_{ij}} - )"
                        R"(@threshold{\tau_i}\right)}\,@value{v_j},\quad \sum_j @weights{A_{ij}} = 1)";
    mechanism.papers = {{"Martins and Astudillo, From Softmax to Sparsemax: A Sparse Model of Attention and "
                         "Multi-Label Classification",
                         2016}};
    mechanism.explanation =
        "Sparsemax gives a row of scores the nearest point of all rows that are positive and sum to 1. All "
        "scores lose the same threshold τ, what falls below 0 is cut off, and τ is chosen so that the rest "
        "sums to 1. Keys of low score so get a weight of exactly 0, which softmax never gives. One key gets "
        "everything as soon as it leads by 1. With two keys the weight is a straight ramp where softmax has "
        "its S. The gradient flows only among the keys that have weight.";
    mechanism.correction = "To cut the small weights of a softmax off is something else: what is left no "
                           "longer sums to 1, and keys that were cut off go on lowering the others.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head, and for each row a sort of the scores that are "
                     "within 1 of the largest; memory n m.";
    mechanism.equivalences = {
        equal_when("entmax", "with α = 2 entmax is sparsemax", {.there = {{"alpha", 2.0}}}),
        equal_when("budget", "with a budget of 1 no weight can pass 1, and the formulas are one",
                   {.there = {{"budget", 1.0}}})};
    mechanism.related = {"entmax", "soft", "hard"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::sparsemax;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + token_knobs());

    mechanism.example.query = "the cat and the dog play with the ball";
    mechanism.example.look_for =
        "The darkest cells are exactly 0, not small: “ball” keeps only itself, “cat” shares with “dog” "
        "alone. Raise the temperature and the zeros go.";
    mechanism.properties = {.permutation_equivariant = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight

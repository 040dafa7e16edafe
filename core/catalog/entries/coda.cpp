#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_coda() {
    Mechanism mechanism;
    mechanism.name = "Compositional de-attention";
    mechanism.also_known_as = {"CoDA", "quasi-attention"};
    mechanism.family = "Normalisers";
    mechanism.order = 5517;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j},\quad )"
        R"(@weights{A_{ij} = @affinities{\tanh\left(@scores{\frac{@query{q_i} \cdot @key{k_j}}{\sqrt{d}}})"
        R"(\right)}\; @distance_gates{2\,\sigma\left(-\frac{@distances{\lVert q_i - k_j \rVert_1}}{)"
        R"(\sqrt{d}}\right)}})";
    mechanism.papers = {{"Tay et al., Compositional De-Attention Networks", 2019}};
    mechanism.explanation =
        "A softmax can give a value much or little, but never take it off, and what it gives sums to 1. CoDA "
        "composes instead: each value is added, subtracted or left out. Two numbers decide. The first is the "
        "tanh of the product, between −1 and 1: its sign says whether to add or to subtract. The second says "
        "whether the pair counts at all: query and key are laid side by side, and the more their numbers "
        "differ, the nearer it is to 0. A sigmoid of a negative number stays below a half, so that it is "
        "doubled: where query and key are one it is 1. Neither looks at other keys. A row may sum to "
        "anything, and equal words with long vectors get nearly all of one another, however many there are.";
    mechanism.cost = "n m (2 d + d_v) multiply-adds per head, a second pass over every pair for the "
                     "distance; memory n m.";
    mechanism.correction =
        "The distances are the sum of amounts, not of squares. A sigmoid of minus a distance alone would "
        "never be above a half; the paper doubles it, as here, or moves the distances to have the mean 0. "
        "Nothing keeps the length of what is added up.";
    mechanism.related = {"hstu", "cog", "manhattan", "sigmoid"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::coda;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + source_knob() + causal_knob());

    mechanism.example.query = "the king and the queen drink tea";
    mechanism.example.look_for =
        "Each word has itself and its copies in full: both “the” are 1.00, where a softmax would share 1 "
        "between them. “king” and “queen” have a large product, and tanh of it is 1, but they differ in many "
        "numbers: the gate leaves 0.08. With learned projections some weights are negative.";
    mechanism.properties = {.row_stochastic = false, .permutation_equivariant = true, .is_signed = true};
    return mechanism;
}

}  // namespace headlight

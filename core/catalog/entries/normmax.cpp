#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_normmax() {
    Mechanism mechanism;
    mechanism.name = "Normmax";
    mechanism.also_known_as = {"norm-regularised argmax"};
    mechanism.family = "Normalisers";
    mechanism.order = 5620;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j},\quad@weights{A_i} = \arg\max_{p} \left(p )"
        R"(\cdot @scaled_scores{s_i} - \left|p\right|_\alpha\right))";
    mechanism.papers = {{"Blondel, Martins and Niculae, Learning with Fenchel-Young Losses", 2020}};
    mechanism.explanation =
        "Of all rows that are positive and sum to 1, take the one that earns most, weights times scores, "
        "less the α-norm of the weights. The norm is small when weight is spread, so that the row leans "
        "toward several keys. Like entmax it gives exact zeros below a threshold; unlike it, the keys that "
        "remain become more alike as α grows, until at large α they share almost evenly: a soft choice of a "
        "set. The price is the same search for a threshold that entmax needs.";
    mechanism.correction = "A large α is no hard choice: keys that remain share evenly. The hard choice is "
                           "at the other end, with α near 1; with any α one key takes all whose score is 1 "
                           "or more above the others.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head, and powers about ten times for the keys near the "
                     "top; memory n m.";
    mechanism.related = {"entmax", "sparsemax", "budget"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::normmax;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + token_knobs());

    mechanism.example.query = "the cat and the dog play with the ball";
    mechanism.example.look_for =
        "Raise α: the zeros stay, but the bright cells of a row become equally bright.";
    mechanism.properties = {.permutation_equivariant = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_entmax() {
    Mechanism mechanism;
    mechanism.name = "Entmax";
    mechanism.also_known_as = {"α-entmax", "1.5-entmax", "adaptively sparse attention"};
    mechanism.family = "Normalisers";
    mechanism.order = 2810;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{\max\left(0,\,(\alpha - 1)\,@scaled_scores{s_{ij}} - @threshold{)"
        R"(\tau_i}\right)^{\frac{1}{\alpha - 1}}}\,@value{v_j},\quad \sum_j @weights{A_{ij}} = 1)";
    mechanism.papers = {{"Peters, Niculae and Martins, Sparse Sequence-to-Sequence Models", 2019}};
    mechanism.explanation =
        "One family with softmax at one end and sparsemax further on. The number α says how the weight falls "
        "off toward the threshold: at α = 1 as an exponential that never ends, at α = 2 as a straight line "
        "that hits 0, at 1.5 as a parabola that arrives smoothly. Between 1 and 2 it is both, curved like "
        "softmax and with exact zeros. At 1.5 the threshold has a closed form from the sorted scores, at "
        "other α it is searched for. Heads can learn an α of their own.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head; α = 1.5 sorts each row, other α evaluate powers "
                     "about ten times; memory n m.";
    mechanism.correction = "α = 1 is the limit, not the formula: 1 / (α − 1) has no value there. Near 1 the "
                           "difference from softmax shrinks in proportion to α − 1.";
    mechanism.equivalences = {
        equal_when("sparsemax", "with α = 2 the power is 1: sparsemax", {.here = {{"alpha", 2.0}}}),
        equal_when("scaled_dot_product", "α = 1 is the limit of the formula: softmax",
                   {.here = {{"alpha", 1.0}}}),
        equal_when("scaled_dot_product", "close to α = 1 it is softmax but for about α − 1",
                   {.here = {{"alpha", 1.001}}, .tolerance = 2e-3})};
    mechanism.related = {"sparsemax", "soft", "normmax", "budget"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::entmax;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + token_knobs());

    mechanism.example.query = "the cat and the dog play with the ball";
    mechanism.example.look_for =
        "Move α from 1 to 4: zeros appear one by one, and the rows end on the one word that leads.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties = {.permutation_equivariant = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight

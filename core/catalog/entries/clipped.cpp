#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_clipped() {
    Mechanism mechanism;
    mechanism.name = "Clipped softmax";
    mechanism.also_known_as = {"stretched softmax"};
    mechanism.family = "Normalisers";
    mechanism.order = 5500;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{\operatorname{clip}\left((\zeta - \gamma)\,@soft_weights{)"
        R"(\operatorname{softmax}(s_i)_j} + \gamma,\,0,\,1\right)}\,@value{v_j})";
    mechanism.papers = {{"Bondarenko, Nagel and Blankevoort, Quantizable Transformers: Removing Outliers by "
                         "Helping Attention Heads Do Nothing",
                         2023}};
    mechanism.explanation =
        "To give a weight of nearly 0, softmax needs scores that are very far apart, and networks that want "
        "to do nothing therefore grow huge numbers, which quantised arithmetic cannot hold. Clipped softmax "
        "stretches the weights from [0, 1] to [γ, ζ] and cuts off what lies outside. With γ a little below 0 "
        "every small weight becomes exactly 0 at moderate scores, and with ζ above 1 a weight of exactly 1 "
        "is in reach. Where the cut is active no gradient flows, so that scores stop growing.";
    mechanism.cost = "n m (d + d_v) multiply-adds and n m exponentials per head; memory n m.";
    mechanism.correction =
        "The paper uses γ = −α / n in places, so that the cut depends on the length; here γ is a "
        "fixed number.";
    mechanism.equivalences = {equal_when("scaled_dot_product", "stretched from 0 to 1 nothing is cut off",
                                         {.here = {{"low", 0.0}, {"high", 1.0}}})};
    mechanism.related = {"soft", "softpick", "sparsemax"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::clipped;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + token_knobs());

    mechanism.example.query = "the cat and the dog play with the ball";
    mechanism.example.look_for =
        "Lower γ: small weights go out one after the other, large ones hardly change. Rows no "
        "longer sum to 1.";
    mechanism.properties = {.row_stochastic = false, .permutation_equivariant = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight

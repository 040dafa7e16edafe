#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_cog() {
    Mechanism mechanism;
    mechanism.name = "Cog attention";
    mechanism.also_known_as = {"signed softmax", "negative weights"};
    mechanism.family = "Normalisers";
    mechanism.order = 5590;
    mechanism.formula =
        R"(@output{o_i} = \sum_{j \le i} @weights{\operatorname{sign}(s_{ij})\,\frac{)"
        R"(@exponentials{e^{|s_{ij}|}}}{@row_sum{\sum_{k \le i} e^{|s_{ik}|}}}}\,@value{v_j})";
    mechanism.papers = {{"Lv et al., More Expressive Attention with Negative Weights", 2024}};
    mechanism.explanation =
        "A weight may be negative here. The size of a score decides how much a key counts, its sign whether "
        "the value is added or taken away. The absolute weights of a row sum to 1, the weights themselves to "
        "anything between −1 and 1. A head can so subtract what it does not want in one step, instead of "
        "only looking away from it, and earlier tokens lose less of their own in deep networks. Colour the "
        "picture with a diverging scale: blue and red are opposite, not little and much.";
    mechanism.cost = "n m (d + d_v) multiply-adds and n m exponentials per head; memory n m.";
    mechanism.correction =
        "That a score of 0 counts as positive is a choice made here; a sign of 0 would leave the key out. "
        "Adding a number to a row changes the weights, unlike in softmax.";
    mechanism.related = {"soft", "softpick", "relu"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::signed_softmax;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + token_knobs());

    mechanism.example.query = "the government raises the tax while my kitten sleeps";
    mechanism.example.look_for =
        "The row of “kitten” takes “government” and “tax” away, whose dot products with it are "
        "negative, and adds itself.";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight

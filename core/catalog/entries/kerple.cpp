#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_kerple() {
    Mechanism mechanism;
    mechanism.name = "KERPLE";
    mechanism.also_known_as = {"kernelized relative positions"};
    mechanism.family = "Positions";
    mechanism.order = 5350;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@biased_scores{@scaled_scores{\frac{@scores{)"
        R"(@query{Q}\,@key{K}^\top}}{\sqrt{d_k}}} @position_bias{{} - r_1 \ln(1 + r_2\,|i - j|)}}\right)}\,)"
        R"(@value{V}})";
    mechanism.papers = {
        {"Chi et al., KERPLE: Kernelized Relative Positional Embedding for Length Extrapolation", 2022},
        {"You, Sun and Iyyer, Hard-Coded Gaussian Attention for Neural Machine Translation (bells)", 2020}};
    mechanism.explanation =
        "ALiBi’s straight line is one of a family: any conditionally positive definite function of the "
        "distance can be the penalty, since the softmax removes the constant that would make it a kernel. "
        "KERPLE learns two positive numbers for each head. The logarithmic form, r_1 ln(1 + r_2 distance), "
        "falls fast among neighbours and ever more slowly after, so that far keys stay within reach; as a "
        "weight it is a power of the distance instead of an exponential. The power form has ALiBi as its "
        "exponent of 1. With an exponent of 2 the weights are multiplied by a bell, and a list of middles "
        "puts the bell of each head at the token before, the token itself, the token after. Bells alone, "
        "without scores of content, are the hard-coded Gaussian heads of You, Sun and Iyyer (2020), with "
        "which encoders and decoders translate nearly as well as with learned ones.";
    mechanism.correction = "Both numbers have to stay positive, so they are clamped or learned through a "
                           "function that keeps them so: with a negative r_1 far keys would be rewarded.";
    mechanism.cost = "n m additions beside n m (d_k + d_v); 2 h parameters";
    mechanism.equivalences = {
        equal_when("alibi", "a power of 1 is a straight line",
                   {.here = {{"form", std::string("power")},
                             {"r_1", 0.5},
                             {"r_2", 1.0},
                             {"heads", Index(1)},
                             {"causal", true}},
                    .there = {{"slope", 0.5}, {"heads", Index(1)}}}),
    };
    mechanism.related = {"alibi", "fire", "sandwich"};

    AttentionSpec spec;
    spec.position.type = PositionType::kerple;
    compose(mechanism, spec, component_knobs(spec) + heads_knob(1) + projections_knob() + causal_knob());

    mechanism.example.query = "once upon a time there lived a wise old king";
    mechanism.example.look_for =
        "The position bias falls steeply beside the diagonal and flattens out; with the power form "
        "and r₂ = 1 it is a straight wedge.";
    mechanism.example.stage = "position_bias";
    return mechanism;
}

}  // namespace headlight

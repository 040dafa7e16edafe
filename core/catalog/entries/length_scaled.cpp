#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_length_scaled() {
    Mechanism mechanism;
    mechanism.name = "Length-scaled softmax";
    mechanism.also_known_as = {"SSMax", "scalable softmax", "log-length scaling"};
    mechanism.family = "Normalisers";
    mechanism.order = 410;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@length_factor{s \ln n}\;@scaled_scores{\frac{Q )"
        R"(K^\top}{\sqrt{d_k}}}\right)}\,@value{V}})";
    mechanism.papers = {{"Nakanishi, Scalable-Softmax Is Superior for Attention", 2025}};
    mechanism.explanation =
        "The more keys a row has, the flatter its softmax: every key of no interest still takes a "
        "little, and a thousand of them take nearly everything. Here the scores are multiplied by "
        "s ln(n) before the softmax, n being the number of keys that the query may look at. The "
        "largest weight then stays what it was when the text grows. In the paper’s example one "
        "score of 3 among scores of −2 keeps a weight of 0.9999 among ten thousand keys, where "
        "plain softmax gives it 0.015. s is learned for each head, about 0.43.";
    mechanism.cost = "n m (d + d_v) multiply-adds and n m exponentials per head; memory n m.";
    mechanism.correction =
        "Not z − s ln(n), as one public library has it: subtracting the same number from a whole "
        "row changes nothing.";
    mechanism.related = {"soft", "scaled_dot_product", "entmax"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::length_scaled;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + token_knobs());

    mechanism.example.query = "the queen of the small island spoke to the king";
    mechanism.example.look_for =
        "Each row has one key more than the row above it, and its length factor grows with the logarithm: "
        "the second row is much flatter than softmax would have it, the last one as sharp. Raise s and all "
        "sharpen.";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_temperature_tuning() {
    Mechanism mechanism;
    mechanism.name = "Temperature of long texts (Llama 4)";
    mechanism.also_known_as = {"attention temperature tuning", "iRoPE without rotations"};
    mechanism.family = "Positions";
    mechanism.order = 2590;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{@scores{@tempered_query{)"
        R"(@temperature_factors{\tau_i}\,@query{q_i}} \cdot @key{k_j}}}{\sqrt{d_k}}}\right)}\,@value{V}},)"
        R"(\quad \tau_i = 1 + 0.1 \ln\left(1 + \left\lfloor \frac{i + 1}{8192} \right\rfloor\right))";
    mechanism.papers = {
        {"Meta, The Llama 4 herd: The beginning of a new era of natively multimodal AI innovation", 2025},
        {"Nakanishi, Scalable-Softmax Is Superior for Attention", 2025}};
    mechanism.explanation =
        "Every fourth layer of Llama 4 has no positions at all. Under a causal mask such a layer can look as "
        "far as the text goes, and no angle is one that training has not seen. What does change with the "
        "length is the softmax: a thousand keys of no interest take next to nothing each and most of a row "
        "together. So queries that stand far on are made longer, which sharpens their rows. Up to 8,192 "
        "tokens the factor is exactly 1, so that a short text gets what it got in training; beyond, it grows "
        "in steps, with the logarithm of the place. Scalable softmax, from which it is taken, multiplies by "
        "s ln(n) from the first token on and learns s.";
    mechanism.cost = "n h d_k beside n m (d_k + d_v)";
    mechanism.correction =
        "A factor above 1 is a temperature below 1. It follows from the place of the query and not from the "
        "keys that the mask lets it see. Layers with rotary positions do not have it.";
    mechanism.equivalences = {
        equal_when("causal", "a factor that does not grow is 1", {.here = {{"growth", 0.0}}})};
    mechanism.related = {"length_scaled", "rope", "causal"};

    AttentionSpec spec;
    spec.position.type = PositionType::temperature_tuning;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "the queen of the small island spoke to the king";
    mechanism.example.values = {{"length", Index(2)}, {"growth", 1.0}};
    mechanism.example.look_for =
        "With a length of 2 and a growth of 1 the factor rises at every second word, to 1 + ln 6 at the "
        "last: the lower rows are much sharper than without it.";
    mechanism.example.beside = "causal";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight

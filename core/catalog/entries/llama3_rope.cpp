#include "core/catalog/knob.h"
#include "core/catalog/rotary_formula.h"

namespace headlight {

Mechanism declare_llama3_rope() {
    Mechanism mechanism;
    mechanism.name = "Llama 3 rotary positions";
    mechanism.also_known_as = {"Llama 3.1 RoPE scaling"};
    mechanism.family = "Positions";
    mechanism.order = 2560;
    mechanism.formula =
        rotary_formula(R"(\theta'_m = (1 - \gamma_m)\,\frac{\theta_m}{s} + \gamma_m\,\theta_m)");
    mechanism.papers = {{"Grattafiori et al., The Llama 3 Herd of Models", 2024}};
    mechanism.explanation =
        "Llama 3 starts from a base of 500000 instead of 10000, which slows the slow pairs, and Llama 3.1 "
        "stretches it from 8192 tokens to 131072 with bands of wavelengths: pairs whose wave is longer than "
        "the original length are divided by 8, pairs whose wave is shorter than a quarter of it are kept, "
        "and those between are blended by their number of turns. It is YaRN’s idea with a ramp over "
        "frequency instead of the number of the pair, and without YaRN’s factor on the scores.";
    mechanism.correction = "Wavelengths are compared with the original length of 8192, not with the new one. "
                           "There is no factor on the scores, as YaRN has it.";
    mechanism.cost = "as RoPE";
    mechanism.equivalences = {
        equal_when("rope", "a stretch by 1 with the paper’s base is plain RoPE",
                   {.here = {{"factor", 1.0}, {"base", 10000.0}}}),
    };
    mechanism.related = {"rope", "yarn"};

    AttentionSpec spec;
    spec.position.type = PositionType::rope;
    spec.position.options = {{"scaling", std::string("llama3")},
                             {"base", 500000.0},
                             {"factor", 8.0},
                             {"original_length", Index(64)}};
    compose(mechanism, spec, component_knobs(spec) + projections_knob() + causal_knob());

    mechanism.example.query = "row row row row row row row row row row";
    mechanism.example.look_for =
        "One word ten times over: the band is wider than that of plain RoPE. In the stage of angles the "
        "first columns are kept, and all columns from the long waves on grow eight times slower.";
    mechanism.example.beside = "rope";
    return mechanism;
}

}  // namespace headlight

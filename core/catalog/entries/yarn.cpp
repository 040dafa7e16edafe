#include "core/catalog/knob.h"
#include "core/catalog/rotary_formula.h"

namespace headlight {

Mechanism declare_yarn() {
    Mechanism mechanism;
    mechanism.name = "YaRN";
    mechanism.also_known_as = {"yet another RoPE extension"};
    mechanism.family = "Positions";
    mechanism.order = 2550;
    mechanism.formula =
        rotary_formula(R"(\theta'_m = (1 - \gamma_m)\,\frac{\theta_m}{s} + \gamma_m\,\theta_m)");
    mechanism.papers = {
        {"Peng et al., YaRN: Efficient Context Window Extension of Large Language Models", 2024}};
    mechanism.explanation =
        "What a pair needs depends on how often it turned within the texts of the training. One that turned "
        "32 times or more knows only near differences and is left alone; one that turned less than once "
        "knows absolute places, would meet angles never seen, and is divided by s; between lies a ramp. In "
        "addition the cosines and sines are multiplied by 0.1 ln s + 1, so that the scores grow by its "
        "square: a sharper softmax against the dilution of a long row. LongRoPE (Ding et al. 2024, Phi-3) "
        "has a factor for each pair instead, which an evolutionary search finds, and multiplies cosines and "
        "sines by √(1 + ln s / ln L).";
    mechanism.cost = "as RoPE";
    mechanism.correction =
        "In the paper the ramp runs over the number of turns; in its released code, and in every library "
        "since, over the numbers of the pairs, between the two that turn 32 times and once, rounded "
        "outwards. Both can be had here. The factor 0.1 ln s + 1 is on queries and on keys, hence squared in "
        "the scores; the paper writes it as a temperature, √(1/t).";
    mechanism.equivalences = {
        equal_when("rope", "a stretch by 1 changes neither angle nor length", {.here = {{"factor", 1.0}}}),
    };
    mechanism.related = {"rope", "ntk_rope", "llama3_rope"};

    AttentionSpec spec;
    spec.position.type = PositionType::rope;
    spec.position.options = {
        {"scaling", std::string("yarn")}, {"factor", 8.0}, {"original_length", Index(64)}};
    compose(mechanism, spec, component_knobs(spec) + projections_knob() + causal_knob());

    mechanism.example.query = "row row row row row row row row row row";
    mechanism.example.look_for =
        "One word ten times over: the band is as narrow as that of plain RoPE, since the fast pairs turn "
        "as before, and a little sharper, since queries and keys are longer. In the stage of angles the "
        "columns after the ramp grow eight times slower.";
    mechanism.example.beside = "rope";
    return mechanism;
}

}  // namespace headlight

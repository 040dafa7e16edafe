#include "core/catalog/knob.h"
#include "core/catalog/rotary_formula.h"

namespace headlight {

Mechanism declare_position_interpolation() {
    Mechanism mechanism;
    mechanism.name = "Position interpolation";
    mechanism.also_known_as = {"linear RoPE scaling", "PI"};
    mechanism.family = "Positions";
    mechanism.order = 2530;
    mechanism.formula = rotary_formula(R"(\theta'_m = \frac{\theta_m}{s})");
    mechanism.papers = {
        {"Chen et al., Extending Context Window of Large Language Models via Positional Interpolation",
         2023}};
    mechanism.explanation =
        "To read texts s times longer than those of the training, every angle is divided by s: place 8000 "
        "then looks like place 1000, and all angles are among those seen before. It is the same as counting "
        "places in steps of 1/s. Reading between known places works far better than beyond them, and a "
        "little training on long texts repairs the rest. The price is at the near end: neighbours are now "
        "1/s apart for every pair, and the fast ones, which told them apart, have lost their resolution.";
    mechanism.correction = "Angles are divided, and the base stays. To raise the base is NTK-aware scaling, "
                           "which keeps the fast pairs as they were.";
    mechanism.cost = "as RoPE";
    mechanism.equivalences = {
        equal_when("rope", "a stretch by 1 changes no angle", {.here = {{"factor", 1.0}}}),
    };
    mechanism.related = {"rope", "ntk_rope", "yarn", "llama3_rope"};

    AttentionSpec spec;
    spec.position.type = PositionType::rope;
    spec.position.options = {
        {"scaling", std::string("linear")}, {"factor", 2.0}, {"original_length", Index(4)}};
    compose(mechanism, spec, component_knobs(spec) + projections_knob() + causal_knob());

    mechanism.example.query = "row row row row row row row row row row";
    mechanism.example.look_for =
        "One word ten times over: the band of plain RoPE, stretched. With places counted in halves word 8 "
        "stands where word 4 stood, and the weights fade half as fast.";
    mechanism.example.beside = "rope";
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"
#include "core/catalog/rotary_formula.h"

namespace headlight {

Mechanism declare_xpos() {
    Mechanism mechanism;
    mechanism.name = "xPos";
    mechanism.also_known_as = {"extrapolatable position embedding", "LeX"};
    mechanism.family = "Positions";
    mechanism.order = 2570;
    mechanism.formula = rotary_formula(
        R"(R \text{ as RoPE, times } \zeta_m^{p/s} \text{ for queries and } \zeta_m^{-p/s} \text{ for )"
        R"(keys},\ \zeta_m = \frac{2m/d + 0.4}{1.4},\ s = 512 \text{ in the paper})");
    mechanism.papers = {{"Sun et al., A Length-Extrapolatable Transformer", 2023}};
    mechanism.explanation =
        "Rotary scores swing with the distance without ever fading, so that a far key may score high for the "
        "angle alone. xPos multiplies queries by ζ to the power of their place and keys by the inverse: the "
        "product gets ζ to the power i − j, a decay that is stronger for the fast pairs, whose angles mean "
        "least at a distance. For keys after the query the factor grows instead, which is why it belongs "
        "under a causal mask. Retention has the same form with a decay for each head.";
    mechanism.cost = "as RoPE";
    mechanism.correction =
        "Over a long text the two powers alone overflow half precision; implementations count "
        "places from the middle, which leaves every product as it is.";
    mechanism.related = {"rope", "rope_interleaved", "alibi"};

    AttentionSpec spec;
    spec.position.type = PositionType::xpos;
    spec.mask.rule = CausalMask{};
    spec.position.options = {{"scale_base", 16.0}};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "row row row row row row row row row row";
    mechanism.example.look_for =
        "One word ten times over: row by row the first pairs of the rotated keys are drawn out, and those "
        "of the rotated queries shrink alike, so that their product fades with the distance.";
    mechanism.example.stage = "rotated_key";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight

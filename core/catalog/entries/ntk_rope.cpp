#include "core/catalog/knob.h"
#include "core/catalog/rotary_formula.h"

namespace headlight {

Mechanism declare_ntk_rope() {
    Mechanism mechanism;
    mechanism.name = "NTK-aware rotary positions";
    mechanism.also_known_as = {"NTK scaling", "dynamic NTK"};
    mechanism.family = "Positions";
    mechanism.order = 2540;
    mechanism.formula = rotary_formula(R"(\theta'_m = \left(b\,s^{d/(d-2)}\right)^{-2m/d})");
    mechanism.papers = {{"bloc97, NTK-Aware Scaled RoPE", 2023}, {"Peng et al., YaRN (section 3.1)", 2024}};
    mechanism.explanation =
        "Instead of dividing all angles by s, the base grows by s to the power d/(d − 2). The "
        "fastest pair then keeps its angle exactly and the slowest is divided by s exactly, with "
        "everything between in proportion: neighbours stay as distinct as they were, and far places "
        "become readable. It works to some extent without any further training. The dynamic variant "
        "computes s from the length of the text at hand and leaves short texts alone; with a cache "
        "it must then keep keys that are not turned yet, since all angles change with the length.";
    mechanism.cost = "as RoPE";
    mechanism.correction =
        "The exponent is d/(d − 2) and not 1: with a base of s·b the slowest pair would be slowed "
        "by less than s.";
    mechanism.equivalences = {
        equal_when("rope", "a base that grows by 1 is the base", {.here = {{"factor", 1.0}}}),
    };
    mechanism.related = {"rope", "position_interpolation", "yarn"};

    AttentionSpec spec;
    spec.position.type = PositionType::rope;
    spec.position.options = {{"scaling", std::string("ntk")}, {"factor", 8.0}, {"original_length", Index(4)}};
    compose(mechanism, spec, component_knobs(spec) + projections_knob() + causal_knob());

    mechanism.example.query = "row row row row row row row row row row";
    mechanism.example.look_for =
        "One word ten times over: the band is a little wider than that of plain RoPE. In the stage of "
        "angles the first column is the same and the last one grows eight times slower.";
    mechanism.example.beside = "rope";
    return mechanism;
}

}  // namespace headlight

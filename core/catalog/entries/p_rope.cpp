#include "core/catalog/knob.h"
#include "core/catalog/rotary_formula.h"

namespace headlight {

Mechanism declare_p_rope() {
    Mechanism mechanism;
    mechanism.name = "p-RoPE";
    mechanism.also_known_as = {"truncated RoPE", "RoPE without its lowest frequencies"};
    mechanism.family = "Positions";
    mechanism.order = 2525;
    mechanism.formula = rotary_formula(
        R"(\theta_m = 10000^{-2m/d} \text{ for } m < \left\lfloor p\,\tfrac{d}{2} \right\rfloor,\text{ )"
        R"(else } 0)");
    mechanism.papers = {
        {"Barbero et al., Round and Round We Go! What Makes Rotary Positional Encodings Useful?", 2025}};
    mechanism.explanation =
        "Trained models use the fast pairs of RoPE for patterns of places, such as the token before, and the "
        "slow ones for meaning, as channels that hardly know the place. But slow is not still: over a long "
        "enough text even the slowest pair turns, and what was written into it is lost. p-RoPE keeps the "
        "share p of the pairs, the fastest, and does not turn the rest at all, so that they carry meaning "
        "over any distance. The speeds are those of the whole range, unlike in partial rotary positions, "
        "where the turned features have fast and slow pairs of their own. With p = 1 it is RoPE, with p = 0 "
        "there are no positions.";
    mechanism.correction =
        "It is the slowest pairs that stay still, and the others keep their speeds. Partial rotary positions "
        "of the same share have other speeds: the two differ on the same weights.";
    mechanism.cost = "3 p (n + m) d_k for the turns beside n m (d_k + d_v)";
    mechanism.equivalences = {
        equal_when("rope", "with all pairs turned it is plain RoPE", {.here = {{"turned_share", 1.0}}}),
        equal_when("scaled_dot_product", "with no pair turned there are no positions",
                   {.here = {{"turned_share", 0.0}}}),
    };
    mechanism.related = {"rope", "partial_rope", "fope"};

    AttentionSpec spec;
    spec.position.type = PositionType::rope;
    spec.position.options = {{"turned_share", 0.25}};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + causal_knob());

    mechanism.example.query = "row row row row row row row row row row";
    mechanism.example.look_for =
        "One word ten times over: the narrow band of plain RoPE stays, for the fast pairs make it, but far "
        "from the diagonal all weights are alike: the slow pairs no longer fade with the distance. In the "
        "stage of angles only the first columns grow.";
    mechanism.example.beside = "rope";
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"
#include "core/catalog/rotary_formula.h"

namespace headlight {

Mechanism declare_rope() {
    Mechanism mechanism;
    mechanism.name = "Rotary positions";
    mechanism.also_known_as = {"RoPE", "half-split RoPE", "rotate half"};
    mechanism.family = "Positions";
    mechanism.order = 2500;
    mechanism.formula = rotary_formula(
        R"(\text{pair } (m, m + d/2) \text{ of row } p \text{ turned by } p\,\theta_m,\ \theta_m = )"
        R"(10000^{-2m/d})");
    mechanism.papers = {{"Su et al., RoFormer: Enhanced Transformer with Rotary Position Embedding", 2024}};
    mechanism.explanation =
        "Queries and keys are turned before they meet: pairs of features are hands of clocks, each turned by "
        "the place of its token times its own speed. The product of a query at i and a key at j then depends "
        "on the words and on i − j alone, while lengths stay what they were and the first place is not "
        "turned at all. Values are left alone. Nothing is learned and nothing is added. GPT-NeoX, Hugging "
        "Face’s port of Llama and most open models pair feature m with m + d/2; the paper, GPT-J and Meta’s "
        "own Llama pair neighbours. The two differ by a permutation of the columns of W_q and W_k. Heads can "
        "be left out, the first ones: those know words alone.";
    mechanism.cost = "3 (n + m) d_k for the turns beside n m (d_k + d_v); a cache keeps turned keys";
    mechanism.correction =
        "Half-split and interleaved pairs are not interchangeable on the same weights: a conversion "
        "has to permute the columns.";
    mechanism.equivalences = {
        equal_when("rope_interleaved", "with neighbours as pairs it is the paper’s layout",
                   {.here = {{"layout", std::string("interleaved")}}}),
        equal_when("position_interpolation", "a stretch by 1 changes no angle", {.there = {{"factor", 1.0}}}),
    };
    mechanism.related = {"rope_interleaved", "partial_rope", "p_rope",    "xpos", "yarn",
                         "grid_rope",        "pope",         "sinusoidal"};

    AttentionSpec spec;
    spec.position.type = PositionType::rope;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + causal_knob());

    mechanism.example.query = "row row row row row row row row row row";
    mechanism.example.look_for =
        "One word ten times over: without positions every weight would be a tenth. Turned by their places, "
        "a word sees itself best, its neighbours next and far ones least, in a band that is the same at "
        "every place but for the ends of the text.";
    return mechanism;
}

}  // namespace headlight

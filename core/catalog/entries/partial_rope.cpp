#include "core/catalog/knob.h"
#include "core/catalog/rotary_formula.h"

namespace headlight {

Mechanism declare_partial_rope() {
    Mechanism mechanism;
    mechanism.name = "Partial rotary positions";
    mechanism.also_known_as = {"partial RoPE"};
    mechanism.family = "Positions";
    mechanism.order = 2520;
    mechanism.formula =
        rotary_formula(R"(R \text{ turns the first } r \text{ features and leaves the others alone})");
    mechanism.papers = {{"Wang and Komatsuzaki, GPT-J-6B", 2021}, {"Black et al., GPT-NeoX-20B", 2022}};
    mechanism.explanation =
        "Only the first features of each head are turned, 64 of 256 in GPT-J and a quarter in GPT-NeoX and "
        "Qwen3-Next; the rest know no place. A head then has room for questions that do not care about "
        "order, whose answer does not fade or swing with the distance however long the text becomes. Slow "
        "pairs hardly turn within a text and are used in that way anyway; leaving them still makes it exact. "
        "The turned features have a full range of speeds among themselves; p-RoPE instead leaves the slowest "
        "of the whole range still. DeepSeek’s latent attention goes further and keeps the turned features in "
        "a part of their own.";
    mechanism.correction = "The speeds are spread over the r turned features alone, base^(−2m/r). Scores "
                           "are divided by the root of the whole width all the same.";
    mechanism.cost = "3 (n + m) r for the turns of r features beside n m (d_k + d_v)";
    mechanism.equivalences = {
        equal_when("rope", "with all features turned it is plain RoPE", {.here = {{"dimensions", Index(0)}}}),
    };
    mechanism.related = {"rope", "p_rope", "rope_interleaved"};

    AttentionSpec spec;
    spec.position.type = PositionType::rope;
    spec.position.options = {{"dimensions", Index(2)}};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + causal_knob());

    mechanism.example.query = "row row row row row row row row row row";
    mechanism.example.look_for =
        "One word ten times over: with only 2 of 64 features turned the place hardly counts, and all "
        "weights are nearly alike. Raise the number of features and the band of plain RoPE appears.";
    mechanism.example.beside = "rope";
    return mechanism;
}

}  // namespace headlight

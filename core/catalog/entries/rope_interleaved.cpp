#include "core/catalog/knob.h"
#include "core/catalog/rotary_formula.h"

namespace headlight {

Mechanism declare_rope_interleaved() {
    Mechanism mechanism;
    mechanism.name = "Rotary positions, interleaved";
    mechanism.also_known_as = {"GPT-J RoPE", "rotate every two"};
    mechanism.family = "Positions";
    mechanism.order = 2510;
    mechanism.formula = rotary_formula(
        R"(\text{pair } (2m, 2m + 1) \text{ of row } p \text{ turned by } p\,\theta_m,\ \theta_m = )"
        R"(10000^{-2m/d})");
    mechanism.papers = {
        {"Su et al., RoFormer: Enhanced Transformer with Rotary Position Embedding (section 3.4.2)", 2024}};
    mechanism.explanation =
        "The layout of the paper: neighbouring features 2m and 2m + 1 form a complex number, which is "
        "multiplied by e to the power i p θ_m. GPT-J, PaLM, Meta’s Llama and DeepSeek’s own code do it so. "
        "With complex numbers the proof takes one line: the product of a query turned by i and the conjugate "
        "of a key turned by j keeps i − j alone. The scores are those of the half-split layout for other "
        "columns of W_q and W_k, and only for those: with the word vectors themselves, as here, the two "
        "layouts give different weights.";
    mechanism.correction = "Weights that were trained with one layout give nonsense with the other, and no "
                           "error: who converts a checkpoint permutes the columns of W_q and W_k.";
    mechanism.cost = "3 (n + m) d_k for the turns beside n m (d_k + d_v)";
    mechanism.equivalences = {
        equal_when("rope",
                   "with pairs half a head apart it is the layout of GPT-NeoX and of Hugging Face’s Llama",
                   {.here = {{"layout", std::string("half")}}}),
    };
    mechanism.related = {"rope", "xpos"};

    AttentionSpec spec;
    spec.position.type = PositionType::rope;
    spec.position.options = {{"layout", std::string("interleaved")}};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + causal_knob());

    mechanism.example.query = "row row row row row row row row row row";
    mechanism.example.look_for =
        "One word ten times over, so that only distances count. The band is not that of the half-split "
        "layout: other features are paired, and on the same vectors the two are not interchangeable.";
    mechanism.example.beside = "rope";
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_gated_delta_2() {
    Mechanism mechanism;
    mechanism.name = "Gated DeltaNet-2";
    mechanism.also_known_as = {"GDN-2", "decoupled erase and write"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3524;
    mechanism.formula =
        R"(S_t = \left(I - @unit_key_direction{k_t}^\top @erasing_key{(@erase_gates{b_t} \odot k_t)}\right))"
        R"(\operatorname{diag}(\alpha_t)\,S_{t-1} + k_t^\top @gated_value{(@value_gates{w_t} \odot )"
        R"(@value{v_t})},\quad \alpha_t = e^{@log_gates{-e^{A} \operatorname{softplus}(x_t W + b)}},\quad )"
        R"(@output{o_t = \frac{@query{q_t}}{\sqrt{d}}\,S_t = \sum_{j \le t} @weights{A_{tj}}\,(w_j \odot )"
        R"(v_j)},\quad A = @read_products{R}\,@inverse{(I + @asked_products{L})^{-1}})";
    mechanism.papers = {
        {"Hatamizadeh, Choi and Kautz, Gated DeltaNet-2: Decoupling Erase and Write in Linear Attention",
         2026}};
    mechanism.explanation =
        "In the delta rule one number β says two things: how much of what the state holds for a key is taken "
        "out, and how much of the new value goes in. Gated DeltaNet-2 asks them apart. An erase gate b, a "
        "number for each feature of the key, says by which features the state is asked for what to take out; "
        "a write gate w, one for each feature of the value, says what of the value is written. So a token "
        "can clear a place and write nothing there, or add to what is there and clear nothing. Each feature "
        "of the state fades by a gate α as in Kimi delta attention. With L the products by which a token "
        "finds those before it, and R those by which it is read, the map of the gated values is R (I + L)⁻¹. "
        "Weights may be negative, and rows do not sum to 1.";
    mechanism.cost =
        "4 n d d_v multiply-adds per head: to fade, to ask, to write and to read; state d d_v; gates n D (2 "
        "d + d_v). As computed here, where the map is shown, of the order of n³ + n² d.";
    mechanism.correction =
        "The erase gate acts where the state is asked, not where it is written: k (b ∘ k)ᵀ, not (b ∘ k) kᵀ, "
        "so that what is taken out lies along the key. There is no β besides. The weights shown are those of "
        "w ∘ v: of one value feature by another they differ by w. An early reference of "
        "flash-linear-attention under this name has a single β still. The gates α pass through two narrow "
        "matrices there and one here; convolutions, the norm of the queries and the gated norm of the output "
        "are left out.";
    mechanism.related = {"kda", "gated_delta", "rwkv7", "comba"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::gated_delta_2;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.values = {{"forgets", false}};
    mechanism.example.look_for =
        "The diagonal is |q| / √d, 0.79 for “door”, for the key is written whole: how much of the value goes "
        "with it, the gated values say. The first “door” keeps 0.25, since about half of the key’s features "
        "count where the second one asks what to take out.";
    mechanism.example.beside = "delta";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_rope_and_alibi() {
    Mechanism mechanism;
    mechanism.name = "Rotary positions with ALiBi";
    mechanism.also_known_as = {"two positions at once"};
    mechanism.family = "Positions";
    mechanism.order = 2582;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@biased_scores{@scaled_scores{\frac{@scores{)"
        R"(@rotated_query{R(@query{Q})}\,@rotated_key{R(@key{K})}^\top}}{\sqrt{d_k}}} @position_bias{{} - )"
        R"(m_h\,(i - j)}}\right)}\,@value{V}})";
    mechanism.papers = {
        {"Su et al., RoFormer: Enhanced Transformer with Rotary Position Embedding", 2024},
        {"Press, Smith and Lewis, Train Short, Test Long: Attention with Linear Biases", 2022}};
    mechanism.explanation =
        "Two positions at once, each in its own place of the formula. RoPE turns queries and keys before "
        "they meet, so that a product says which words suit each other at which distance; ALiBi then takes "
        "off a penalty for every step between them, whatever the words are. Neither needs the other, and "
        "neither stands in its way: the first can ask for “the word three places back”, but its waves come "
        "back at far distances, where nothing was learned; the second never comes back, but knows “far” "
        "alone. With a slope of nearly 0 it is RoPE. Any two positions that do different things can stand "
        "together like this: a learned vector added to the tokens beside a turn, T5’s biases or a forget "
        "gate beside one, a path of reflections beside a forget gate.";
    mechanism.cost = "3 (n + m) d_k for the turns and n m additions beside n m (d_k + d_v); no parameters";
    mechanism.correction =
        "Two positions are not two votes on one thing: both cannot turn the vectors, nor both add to the "
        "scaled scores. The bias is added after the scale and is not turned. Rotary positions do not fade "
        "by themselves: for alike words a far pair can score as high as a near one.";
    mechanism.related = {"rope", "alibi", "xpos", "forgetting", "learned_positions"};

    AttentionSpec spec;
    spec.position.type = PositionType::rope;
    spec.position.second = PositionType::alibi;
    spec.mask.rule = CausalMask{};
    spec.heads = {.type = HeadsType::multi, .heads = 2};  // of a width that pairs of features divide
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "row row row row row row row row row row";
    mechanism.example.look_for =
        "One word ten times over. With RoPE alone the score swings with the distance; the wedge of ALiBi is "
        "laid over it, steep in the first head and nearly flat in the second, where the swing is left alone.";
    mechanism.example.stage = "masked_scores";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_alibi() {
    Mechanism mechanism;
    mechanism.name = "ALiBi";
    mechanism.also_known_as = {"attention with linear biases"};
    mechanism.family = "Positions";
    mechanism.order = 2400;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@biased_scores{@scaled_scores{\frac{@scores{)"
        R"(@query{Q}\,@key{K}^\top}}{\sqrt{d_k}}} @position_bias{{} - m_h\,(i - j)}}\right)}\,@value{V}},)"
        R"(\quad m_h = 2^{-8(h+1)/H} \text{ for } H = 1, 2, 4, 8, \ldots)";
    mechanism.papers = {
        {"Press, Smith and Lewis, Train Short, Test Long: Attention with Linear Biases", 2022}};
    mechanism.explanation =
        "Every score loses a penalty in proportion to the distance between query and key, with a "
        "fixed slope for each head: a half, a quarter, an eighth, and so on. Steep heads see a few "
        "words, flat ones the whole text. Nothing is learned and nothing is added to the words, and "
        "a model trained on short texts reads longer ones, since a farther key is merely less "
        "likely. The penalty comes after the scale. BLOOM adds m·j, the key’s place alone: in a "
        "causal row the missing m·i is the same for every key, and the softmax does not see it.";
    mechanism.cost = "n m additions beside n m (d_k + d_v); no parameters";
    mechanism.correction =
        "The printed slopes are those of a number of heads that is a power of two. Of any other number the "
        "authors’ code takes the slopes of the next lower power, and for the heads that are left every other "
        "one of the slopes of twice that power: with 3 heads 1/16, 1/256 and 1/4. Without a causal mask "
        "−m (i − j) rewards keys after the query; encoders use −m |i − j|.";
    mechanism.equivalences = {
        equal_when("alibi",
                   "the key’s place alone differs from the distance by the same number in a whole causal row",
                   {.here = {{"form", std::string("key_only")}}, .there = {{"form", std::string("signed")}}}),
        equal_when("alibi", "in causal rows no distance is negative",
                   {.here = {{"form", std::string("absolute")}}, .there = {{"form", std::string("signed")}}}),
        equal_when("kerple", "a power of 1 with strength m is a slope of m",
                   {.here = {{"slope", 0.5}, {"heads", Index(1)}},
                    .there = {{"form", std::string("power")},
                              {"r_1", 0.5},
                              {"r_2", 1.0},
                              {"heads", Index(1)},
                              {"causal", true}}}),
    };
    mechanism.related = {"t5", "kerple", "forgetting", "sandwich"};

    AttentionSpec spec;
    spec.position.type = PositionType::alibi;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + heads_knob() + projections_knob());

    mechanism.example.query = "once upon a time there lived a wise old king";
    mechanism.example.look_for =
        "The stage of the position bias is a wedge: head 1 fades within two words, head 8 hardly at all. "
        "What lies above the diagonal is cut off by the mask.";
    mechanism.example.stage = "position_bias";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight

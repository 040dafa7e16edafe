#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_self_extend() {
    Mechanism mechanism;
    mechanism.name = "Self-Extend";
    mechanism.also_known_as = {"grouped attention of LongLM", "ReRoPE", "Leaky ReRoPE"};
    mechanism.family = "Positions";
    mechanism.order = 2565;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{@scores{s_{ij}}}{\sqrt{d_k}}})"
        R"(\right)}\,@value{V}},\quad )"
        R"(@scores{s_{ij}} = @near_scores{@query{q_i} \cdot R_{j - i}\,@key{k_j}} \text{ if } i - j < w, )"
        R"(\text{ else } @far_scores{q_i \cdot R_{\lfloor j/G \rfloor - \lfloor i/G \rfloor - w + \lfloor )"
        R"(w/G \rfloor}\,k_j})";
    mechanism.papers = {
        {"Jin et al., LLM Maybe LongLM: Self-Extend LLM Context Window Without Tuning", 2024},
        {"Su, Rectified Rotary Position Embeddings (far distances that are constant, or “leaky”)", 2023},
        {"Xiao et al., Efficient Streaming Language Models with Attention Sinks (section 3.2: places within "
         "the cache)",
         2024}};
    mechanism.explanation =
        "A model that has learned from texts of 4,000 tokens has never met a distance of 5,000, and its "
        "rotary positions have no answer there. Position interpolation and YaRN make all angles smaller, "
        "also those of neighbours, whose order matters most. Self-Extend leaves near ones alone. Beyond a "
        "window w, groups of G tokens share a place: for what lies so far back it is enough to know "
        "roughly where. The places of queries are moved on by w − ⌊w/G⌋, so that the first far distance "
        "follows on the last near one, and the largest is about 1/G of the text’s length. Nothing is "
        "trained again. ReRoPE had done the same with one distance w for everything that is far, and its "
        "leaky form with w + (i − j − w)/G. In all three a query and a key meet in one of two turned forms, "
        "and which one the distance decides. Here keys after the query, where a mask shows them, have the "
        "same distances with the other sign. StreamingLLM counts in another way: keys have their places "
        "within the cache, so that the first tokens of a text, which it keeps for good, stand right before "
        "the window however long the text has become.";
    mechanism.cost = "2 n m d_k for both maps of scores, of which each pair keeps one";
    mechanism.correction =
        "Groups are of places in the text, ⌊i/G⌋ − ⌊j/G⌋, and not of distances, ⌊(i − j)/G⌋: two pairs of "
        "one distance may differ by a step. Keys are not averaged: each still has its own weight.";
    mechanism.equivalences = {equal_when("rope", "with a window as long as the text every distance is itself",
                                         {.here = {{"window", Index(65536)}}, .there = {{"causal", true}}}),
                              equal_when("rope", "with groups of one token every distance is itself",
                                         {.here = {{"group", Index(1)}}, .there = {{"causal", true}}})};
    mechanism.related = {"rope", "position_interpolation", "yarn", "t5", "dual_chunk"};

    AttentionSpec spec;
    spec.position.type = PositionType::self_extend;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "row row row row row row row row row row row row";
    mechanism.example.look_for =
        "One word twelve times over: within four places of the query each distance has a number of its own, "
        "in a band along the diagonal. Beyond, squares of two by two share one.";
    mechanism.example.stage = "scores";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight

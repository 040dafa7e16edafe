#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_transformer_xl() {
    Mechanism mechanism;
    mechanism.name = "Transformer-XL positions";
    mechanism.also_known_as = {"XLNet positions", "relative positions with global biases"};
    mechanism.family = "Positions";
    mechanism.order = 5300;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{@scores{@content_scores{q_i )"
        R"(\cdot k_j} + @content_position_scores{q_i \cdot W_r R_{i-j}} + @global_content_scores{u \cdot )"
        R"(k_j} + @global_position_scores{v \cdot W_r R_{i-j}}}}{\sqrt{d_k}}}\right)}\,@value{V}})";
    mechanism.papers = {
        {"Dai et al., Transformer-XL: Attentive Language Models beyond a Fixed-Length Context", 2019}};
    mechanism.explanation =
        "Multiply out (x_i + p_i) W_q against (x_j + p_j) W_k and four products appear: content with "
        "content, content with place, place with content, place with place. Transformer-XL keeps the four "
        "but makes them relative: the key’s place becomes the sinusoid of the distance with a matrix of its "
        "own, and the query’s place, which no longer matters, becomes two learned vectors, u for contents "
        "and v for distances. Each term is recorded here as a map of its own, and they add up to the scores. "
        "Memory of an earlier segment then works, for its keys merely lie farther back: a layer reads the "
        "keys and values that the same layer has had for the tokens before the segment. All segments at "
        "once, that is a mask: causal, and from the memory’s length before the query’s segment on (`halo` on "
        "one column, whose size is the segment and whose halo is the memory). In training no gradient goes "
        "back into the memory; the numbers are the same.";
    mechanism.cost = "n m d_k more than without positions for q · R, after (n + m) d d_k for the projected "
                     "distances";
    mechanism.correction =
        "The shift of a matrix of n columns that implementations use leaves garbage above the "
        "diagonal: it is right only under a causal mask.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "without the matrix of distances and without u the content is left",
                   {.parameters = {{"W_r", "zeros"}, {"u_content", "zeros"}}}),
    };
    mechanism.related = {"shaw", "deberta", "sinusoidal"};

    AttentionSpec spec;
    spec.position.type = PositionType::transformer_xl;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + causal_knob());

    mechanism.example.query = "the old man met the young man at the river";
    mechanism.example.look_for =
        "Four maps add up to the scores: one of words, one with diagonal traces, one of columns, one that "
        "is the same along every diagonal. The one with the traces is the query’s content against the "
        "key’s distance.";
    mechanism.example.stage = "content_position_scores";
    return mechanism;
}

}  // namespace headlight

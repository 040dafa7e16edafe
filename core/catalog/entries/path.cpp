#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_path() {
    Mechanism mechanism;
    mechanism.name = "PaTH attention";
    mechanism.also_known_as = {"accumulated Householder positions"};
    mechanism.family = "Positions";
    mechanism.order = 5340;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{@scores{@key{k_j}^\top )"
        R"(H_{j+1} \ldots H_i\,@query{q_i}}}{\sqrt{d_k}}}\right)}\,@value{V}},\quad )"
        R"(H_t = I - @path_strengths{\beta_t}\,@path_directions{w_t} w_t^\top)";
    mechanism.papers = {
        {"Yang et al., PaTH Attention: Position Encoding via Accumulating Householder Transformations",
         2025}};
    mechanism.explanation =
        "RoPE turns by a fixed angle for each token that lies between query and key. PaTH lets the "
        "tokens themselves say what happens: each has a direction w and a strength β from its own "
        "vector, and the part of the query along w is shrunk, removed or mirrored as β goes from 0 "
        "over 1 to 2. The product of all of them is the position. Because such products do not "
        "commute, the path can follow a state, as in swaps or parity, which no fixed rotation can. "
        "With β = 0 nothing happens and attention has no positions.";
    mechanism.correction = "The order counts, since these products do not commute: token by token from the "
                           "one after the key to the query itself. The key’s own is not among them.";
    mechanism.cost = "n m d_k for the walk, the same as the scores; (n d) d_k for directions and strengths";
    mechanism.equivalences = {
        equal_when("causal", "with β = 0 every matrix on the way is the identity",
                   {.here = {{"strength", 0.0}}}),
    };
    mechanism.related = {"rope", "forgetting", "causal"};

    AttentionSpec spec;
    spec.position.type = PositionType::path;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "swap one and two then swap two and three";
    mechanism.example.look_for =
        "Move the strength from 0 to 1 and watch far keys change while the diagonal, with no token "
        "between, keeps its scores.";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight

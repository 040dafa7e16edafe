#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_rotary_values() {
    Mechanism mechanism;
    mechanism.name = "Rotary values";
    mechanism.also_known_as = {"RoPE on values", "partial RoPE of shared keys and values"};
    mechanism.family = "Positions";
    mechanism.order = 2572;
    mechanism.formula =
        R"(@weights{A} = \operatorname{softmax}\left(@scaled_scores{\frac{@scores{@rotated_query{R_i )"
        R"(@query{q_i}} \cdot @rotated_key{R_j @key{k_j}}}}{\sqrt{d_k}}}\right),\quad )"
        R"(@output{o_i = @context{R_{-i}\,@turned_context{\sum_j @weights{A_{ij}}\,@rotated_value{R_j )"
        R"(@value{v_j}}}}} = \sum_j A_{ij}\, R_{j-i} v_j)";
    mechanism.papers = {
        {"DeepSeek-AI, DeepSeek-V4: Towards Highly Efficient Million-Token Context Intelligence (the "
         "rotation of the output)",
         2026},
        {"Su et al., RoFormer: Enhanced Transformer with Rotary Position Embedding (of queries and keys)",
         2024}};
    mechanism.explanation =
        "Rotary positions decide where a query looks. What it brings back, the sum of values, has no trace "
        "of where they stood. Turn the values by their places too, and the sum holds vectors turned by "
        "absolute places, of no use to a layer that should not care where a text begins. So the sum is "
        "turned back by the place of the query. What is left of each value is a turn by the distance alone, "
        "R_(j−i) v_j: the next layer can read off from how far it came. Moving the whole text along changes "
        "nothing. DeepSeek-V4 needs this for another reason: its keys and values are one vector, which is "
        "turned for the scores, and turning back undoes for the values what only the keys were to have.";
    mechanism.cost = "3 m d_v and 3 n d_v for the turns beside RoPE";
    mechanism.correction =
        "Turned back by the query’s place and not by the key’s: only a token’s own value comes out as it "
        "was. DeepSeek-V4 turns the last 64 features of a head; here all are turned.";
    mechanism.related = {"rope", "shaw", "shared_key_value", "xpos"};

    AttentionSpec spec;
    spec.position.type = PositionType::rotary_values;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + causal_knob());

    mechanism.example.query = "row row row row row row row row row row";
    mechanism.example.look_for =
        "One word ten times over: all values are one vector, and with RoPE every row of the context would be "
        "that vector. Here the rows differ, since what comes from before is turned one way and what comes "
        "from behind the other.";
    mechanism.example.stage = "context";
    return mechanism;
}

}  // namespace headlight

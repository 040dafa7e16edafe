#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_cope() {
    Mechanism mechanism;
    mechanism.name = "Contextual positions";
    mechanism.also_known_as = {"CoPE", "contextual position encoding"};
    mechanism.family = "Positions";
    mechanism.order = 5320;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@biased_scores{@scaled_scores{\frac{@scores{)"
        R"(@query{Q}\,@key{K}^\top}}{\sqrt{d_k}}} + @position_bias{q_i \cdot e[)"
        R"(@counted_positions{p_{ij}}]}}\right)}\,@value{V}},\quad )"
        R"(@counted_positions{p_{ij} = \sum_{t=j}^{i} @gates{\sigma\left(\frac{q_i \cdot k_t}{\sqrt{d_k}})"
        R"(\right)}})";
    mechanism.papers = {
        {"Golovneva et al., Contextual Position Encoding: Learning to Count What’s Important", 2024}};
    mechanism.explanation =
        "Distance is counted in what the query cares for instead of in tokens. Every pair has a gate, the "
        "sigmoid of its scaled score, and the place of a key is the sum of the gates from it up to the "
        "query: if only full stops open their gate, the count is one of sentences. Such a place is a "
        "fraction, and the learned vector for it lies between those of the two whole numbers around it. With "
        "every gate open the count is the ordinary distance plus one. The same query can thus find “the last "
        "verb” or “three sentences ago”, which a fixed distance cannot say.";
    mechanism.cost = "n m gates and n P d_k for P positions beside n m (d_k + d_v)";
    mechanism.correction =
        "The paper’s equation 3 has σ(q · k); its listing takes the scores after the division by "
        "√d_k, and so does this engine.";
    mechanism.equivalences = {
        equal_when("causal", "with a table of zeros counting changes nothing",
                   {.parameters = {{"e_p", "zeros"}}}),
    };
    mechanism.related = {"forgetting", "shaw", "causal"};

    AttentionSpec spec;
    spec.position.type = PositionType::cope;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "he came and he saw and then he left";
    mechanism.example.look_for =
        "The stage of counted positions grows to the left in steps of a gate, not of 1: keys that "
        "the query does not care for add little.";
    mechanism.example.stage = "counted_positions";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight

#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_forgetting() {
    Mechanism mechanism;
    mechanism.name = "Forgetting attention";
    mechanism.also_known_as = {"FoX", "forgetting transformer", "data-dependent ALiBi"};
    mechanism.family = "Positions";
    mechanism.order = 5330;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@biased_scores{@scaled_scores{\frac{@scores{)"
        R"(@query{Q}\,@key{K}^\top}}{\sqrt{d_k}}} + @position_bias{\sum_{t=j+1}^{i} \log )"
        R"(@forget_gates{f_t}}}\right)}\,@value{V}},\quad @forget_gates{f_t = \sigma(x_t \cdot w_f + b_f)})";
    mechanism.papers = {{"Lin et al., Forgetting Transformer: Softmax Attention with a Forget Gate", 2025}};
    mechanism.explanation =
        "Every token decides how much of what came before it may still be seen: its gate, between 0 and 1, "
        "multiplies the exponential of every score that crosses it. As logarithms the gates simply add up, "
        "so that the bias of a pair is the difference of two running sums and costs no more than ALiBi. With "
        "the same gate everywhere it is ALiBi; with all gates open it is plain attention. It is the forget "
        "gate of recurrent networks without their bottleneck. Keys after the query, where there are any, are "
        "held back by the gates between in the same way, or by gates of their own.";
    mechanism.correction = "What lies between are the gates from j + 1 to i: the query’s own counts, the "
                           "key’s does not, and a token sees itself undimmed.";
    mechanism.cost = "n d h for the gates and n m additions beside n m (d_k + d_v)";
    mechanism.equivalences = {
        equal_when("alibi", "a gate of 1/2 at every token is a slope of ln 2",
                   {.here = {{"heads", Index(1)}},
                    .there = {{"heads", Index(1)}, {"slope", 0.6931471805599453}},
                    .parameters = {{"W_f", "zeros"}, {"b_f", "zeros"}}}),
    };
    mechanism.related = {"alibi", "cope", "path", "two_sided_forgetting"};

    AttentionSpec spec;
    spec.position.type = PositionType::forgetting;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec,
            without(component_knobs(spec), {"two_sided"}) + heads_knob(1) + projections_knob());

    mechanism.example.query = "we won and then we lost and then we slept";
    mechanism.example.look_for =
        "The position bias drops in steps where a token’s gate is low: everything before it darkens "
        "at once, like a curtain.";
    mechanism.example.stage = "position_bias";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight

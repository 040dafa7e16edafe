#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_fire() {
    Mechanism mechanism;
    mechanism.name = "FIRE";
    mechanism.also_known_as = {"functional interpolation for relative positions"};
    mechanism.family = "Positions";
    mechanism.order = 5370;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@biased_scores{@scaled_scores{\frac{@scores{)"
        R"(@query{Q}\,@key{K}^\top}}{\sqrt{d_k}}} + @position_bias{f_h\left(\frac{\psi(i - j)}{\psi()"
        R"(\max(i, L))}\right)}}\right)}\,@value{V}},\quad \psi(x) = \ln(c\,x + 1))";
    mechanism.papers = {
        {"Li et al., Functional Interpolation for Relative Positions Improves Long Context Transformers",
         2024}};
    mechanism.explanation =
        "The bias is a curve learned by a small network, and its input is not the distance but its share of "
        "the longest distance that the query has: 0 for itself, 1 for the first token. A text of any length "
        "then asks the network only about numbers between 0 and 1, which it knows. The logarithm spends most "
        "of the curve on near keys, and the threshold L keeps short texts from being stretched. T5’s "
        "buckets, ALiBi and KERPLE are all curves that such a network can learn. Here its weights are drawn "
        "at random, so that the curve is some curve.";
    mechanism.correction = "The distance is divided by the query’s own place, or by L where that is larger, "
                           "and not by the length of the text: words that come later must not change a row.";
    mechanism.cost = "n m hidden for the network beside n m (d_k + d_v)";
    mechanism.equivalences = {
        equal_when(
            "scaled_dot_product", "with a network that ends in zeros no distance counts",
            {.here = {{"heads", Index(1)}}, .parameters = {{"W_fire_2", "zeros"}, {"b_fire_2", "zeros"}}}),
    };
    mechanism.related = {"t5", "kerple", "alibi", "dynamic_bias"};

    AttentionSpec spec;
    spec.position.type = PositionType::fire;
    spec.position.options = {{"L", 4.0}};
    compose(mechanism, spec, component_knobs(spec) + heads_knob(1) + projections_knob() + causal_knob());

    mechanism.example.query = "once upon a time there lived a wise old king";
    mechanism.example.look_for =
        "Below the threshold the position bias is the same along every diagonal; later rows spread "
        "the same curve over their whole length.";
    mechanism.example.stage = "position_bias";
    return mechanism;
}

}  // namespace headlight

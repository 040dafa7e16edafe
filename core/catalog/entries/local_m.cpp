#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_local_m() {
    Mechanism mechanism;
    mechanism.name = "Local attention, monotonic";
    mechanism.also_known_as = {"local-m", "monotonic alignment window"};
    mechanism.family = "Masks";
    mechanism.order = 2000;
    mechanism.formula = masked_formula(R"(|j - p_i| \le D,\quad p_i = \min(i, m - 1))");
    mechanism.papers = {{"Luong, Pham and Manning, Effective Approaches to Attention-based Neural Machine "
                         "Translation (section 3.2)",
                         2015}};
    mechanism.explanation =
        "A translation mostly runs along with its source. So target word i looks at source word i and at D "
        "words on each side of it, and at nothing else: the softmax runs over that window alone. Past the "
        "end of the source the window stays at its last word. Nothing is learned about where to look, which "
        "fails as soon as the languages order their words differently; local-p predicts the place instead. "
        "Luong scores without a scale; here the products are divided by √d, so that the picture is not "
        "saturated.";
    mechanism.cost = masked_cost(
        "n (2 D + 1) (d + d_v) multiply-adds per head when only the window is scored; memory n (2 D + 1).");
    mechanism.correction =
        "Called monotonic, it only assumes that both sides run in step; it is no monotonic attention in the "
        "sense of Raffel et al. 2017, where the place may stand still.";
    mechanism.equivalences = {
        equal_when("cross", "the window covers the whole source", {.here = {{"radius", Index(65536)}}})};
    mechanism.related = {"local_p", "cross", "symmetric_window"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.source.type = SourceType::cross;
    spec.mask.rule = PatternMask{MaskPattern::local, {{"radius", Index(1)}}};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + temperature_knob());

    mechanism.example.query = "we drank a cold beer last night";
    mechanism.example.key = "yesterday evening we drank one cold beer";
    mechanism.example.look_for = "A band along the diagonal, three keys wide: “beer” sees “drank one cold” "
                                 "and misses the other “beer” two places on.";
    return mechanism;
}

}  // namespace headlight

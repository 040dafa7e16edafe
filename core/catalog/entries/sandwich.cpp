#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_sandwich() {
    Mechanism mechanism;
    mechanism.name = "Sandwich";
    mechanism.also_known_as = {"sinusoidal relative bias"};
    mechanism.family = "Positions";
    mechanism.order = 5360;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@biased_scores{@scaled_scores{\frac{@scores{)"
        R"(@query{Q}\,@key{K}^\top}}{\sqrt{d_k}}} + @position_bias{\frac{1}{c_h} \sum_m \cos((i - j)\,)"
        R"(\omega_m)}}\right)}\,@value{V}},\quad c_h = \frac{8(h+1)}{H},\ \omega_m = 10000^{-2m/d})";
    mechanism.papers = {
        {"Chi et al., Dissecting Transformer Length Extrapolation via the Lens of Receptive Field Analysis",
         2023}};
    mechanism.explanation =
        "Add sinusoids to the words and multiply out: of the four products, only that of two places is kept, "
        "which depends on the distance alone and needs no projection. Summed over 64 frequencies it is a "
        "hump that falls roughly like a logarithm, so that it limits how far a head sees, much as ALiBi "
        "does, with ripples. Each head divides it by a ratio of its own, from 8/H to 8: the first head sees "
        "the shortest way. It is the link between the sinusoids of 2017 and the biases of 2022: the same "
        "numbers, added to the scores instead of to the words.";
    mechanism.correction =
        "The ratio of a head divides the hump; it is no slope that a distance is multiplied by. What is "
        "added is the product of two places alone, without words and projections.";
    mechanism.cost = "n m additions beside n m (d_k + d_v); no parameters";
    mechanism.related = {"sinusoidal", "alibi", "kerple"};

    AttentionSpec spec;
    spec.position.type = PositionType::sandwich;
    compose(mechanism, spec, component_knobs(spec) + heads_knob() + projections_knob() + causal_knob());

    mechanism.example.query = "once upon a time there lived a wise old king";
    mechanism.example.look_for =
        "The position bias is largest on the diagonal and falls on both sides; head 1 has the "
        "sharpest hump, head 8 the flattest.";
    mechanism.example.stage = "position_bias";
    return mechanism;
}

}  // namespace headlight

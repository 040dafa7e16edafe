#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_t5() {
    Mechanism mechanism;
    mechanism.name = "T5 relative bias";
    mechanism.also_known_as = {"bucketed relative position bias", "gated relative position bias"};
    mechanism.family = "Positions";
    mechanism.order = 2310;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@biased_scores{@scores{@query{Q}\,@key{K}^\top} + )"
        R"(@position_bias{b_h[\text{bucket}(j - i)]}}\right)}\,@value{V}})";
    mechanism.papers = {
        {"Raffel et al., Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer",
         2020},
        {"Chen et al., WavLM: Large-Scale Self-Supervised Pre-Training for Full Stack Speech Processing "
         "(gate)",
         2022}};
    mechanism.explanation =
        "One learned number for each head and each bucket of distances is added to the score, and nothing "
        "else tells the model about order. Near distances have a bucket each, farther ones share buckets "
        "that widen logarithmically, and from the largest distance on everything is one bucket, so that any "
        "length can be read. An encoder has half of the buckets for keys after the query; a decoder has all "
        "of them for keys before it. The first layer owns the table and all layers share it. T5 does not "
        "divide by √d_k: its initial weights are small instead. WavLM, which listens to speech, multiplies "
        "the biases of each query by a gate of two sigmoids of its token: the same distance may count for "
        "one thing in speech and for another in silence.";
    mechanism.cost = "n m additions beside n m (d_k + d_v); buckets × h parameters";
    mechanism.correction =
        "Often printed with a division by √d_k, which T5 does not have; WavLM has it. WavLM’s gate, "
        "2 + a (b c − 1), lies between 1 and 2 where c is 1, as at first: it takes no bias away. It is made "
        "of the head’s part of the token vector, not of the query. The paper writes 1 − a where the released "
        "code has a, and the code adds up four numbers for each of a and b: the same with other names.";
    mechanism.equivalences = {
        equal_when("dot", "with the same number in every bucket the softmax does not notice",
                   {.here = {{"heads", Index(1)}}, .parameters = {{"relative_bias", "ones"}}}),
    };
    mechanism.related = {"alibi", "shaw", "fire", "dot"};

    AttentionSpec spec;
    spec.score.type = ScoreType::dot;
    spec.position.type = PositionType::t5;
    compose(mechanism, spec, component_knobs(spec) + heads_knob(4) + projections_knob() + causal_knob());

    mechanism.example.query = "one two three four five six seven eight nine ten";
    mechanism.example.look_for =
        "The stage of the position bias: a number for each diagonal near the middle, and stairs "
        "that widen farther out; each head has its own.";
    mechanism.example.stage = "position_bias";
    return mechanism;
}

}  // namespace headlight

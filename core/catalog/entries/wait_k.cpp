#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_wait_k() {
    Mechanism mechanism;
    mechanism.name = "Wait-k";
    mechanism.also_known_as = {"prefix-to-prefix", "simultaneous translation mask"};
    mechanism.family = "Masks";
    mechanism.order = 2005;
    mechanism.formula = masked_formula(R"(j \le i + k - 1)");
    mechanism.papers = {{"Ma et al., STACL: Simultaneous Translation with Implicit Anticipation and "
                         "Controllable Latency using Prefix-to-Prefix Framework",
                         2019}};
    mechanism.explanation =
        "An interpreter does not wait for the end of a speech. She lets the speaker go k words ahead and "
        "then says one word for each that she hears. Wait-k trains a translator for that: the first target "
        "word sees the first k source words, the next one a word more, and so on until the source has "
        "ended. A model that was trained on whole sentences does badly when it sees half of one. Trained "
        "behind this mask it learns to guess what is still to come, such as a verb that stands at the end "
        "in German. With k = 1 both sides run in step and the mask is the causal one; with a k as long as "
        "the source it is usual cross-attention.";
    mechanism.cost =
        masked_cost("about n (k + n / 2) (d + d_v) multiply-adds per head, n m at most, when only the words "
                    "that have been read are scored.");
    mechanism.correction =
        "The encoder has to wait as well: its own attention must be causal, or be worked out anew for each "
        "word that is read. Otherwise the first keys already know of later words, and masking those is not "
        "enough.";
    mechanism.equivalences = {
        equal_when("causal", "each target word sees one source word more than the one before",
                   {.here = {{"k", Index(1)}}, .there = {{"source", std::string("cross")}}}),
        equal_when("cross", "it waits for the whole source", {.here = {{"k", Index(65536)}}})};
    mechanism.related = {"local_m", "causal", "cross", "monotonic"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.source.type = SourceType::cross;
    spec.mask.rule = PatternMask{MaskPattern::wait_k, {{"k", Index(2)}}};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + temperature_knob());

    mechanism.example.query = "we drank a cold beer last night";
    mechanism.example.key = "yesterday evening we drank one cold beer";
    mechanism.example.look_for =
        "A staircase that begins two words wide. “we” has to be said when only “yesterday evening” is "
        "known; “last night” comes late enough to see all.";
    return mechanism;
}

}  // namespace headlight

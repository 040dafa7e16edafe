#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_fixed() {
    Mechanism mechanism;
    mechanism.name = "Fixed attention";
    mechanism.also_known_as = {"Sparse Transformer, fixed", "summary columns"};
    mechanism.family = "Masks";
    mechanism.order = 2710;
    mechanism.formula =
        masked_formula(R"(j \le i \text{ and } (\lfloor j / l \rfloor = \lfloor i / l \rfloor \text{ or } )"
                       R"(j \bmod l \ge l - c))");
    mechanism.papers = {{"Child, Gray, Radford and Sutskever, Generating Long Sequences with Sparse "
                         "Transformers (section 4.3)",
                         2019}};
    mechanism.explanation =
        "The text is cut into blocks of l tokens. Part A sees what its own block has said so far; part B "
        "sees the last c tokens of every block so far, which come to carry a summary of their block. Two "
        "steps reach every token that stands before the summary of a finished block. Unlike strided "
        "attention the columns stand still: a summary is seen from everywhere, whatever the distance, which "
        "suits text. The paper takes l of 128 or 256 and c of 8 to 32, different ones for different heads.";
    mechanism.cost = masked_cost("n (l + c n / l) (d + d_v) multiply-adds per head when only allowed pairs "
                                 "are scored: n √n for l near √n.");
    mechanism.correction = "The paper’s two-step claim holds for finished blocks: a key of the middle of an "
                           "earlier block is reached through that block’s summary, which sees it.";
    mechanism.equivalences = {
        equal_when("causal", "one block holds the whole sequence", {.here = {{"stride", Index(65536)}}}),
        equal_when("causal", "every key is a summary", {.here = {{"summary", Index(65536)}}})};
    mechanism.related = {"strided", "blocks", "longformer"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = PatternMask{MaskPattern::fixed, {{"stride", Index(3)}}};
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "one two three four five six seven eight nine ten";
    mechanism.example.look_for =
        "Triangles along the diagonal, and a full column below the last token of each: the summaries.";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight

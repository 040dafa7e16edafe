#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_selective() {
    Mechanism mechanism;
    mechanism.name = "Selective attention";
    mechanism.also_known_as = {"token erasing", "selective self-attention"};
    mechanism.family = "Scores";
    mechanism.order = 5230;
    mechanism.formula =
        R"(@erased{F_{ij} = \sum_{t < i,\, t \neq j} @erasures{\max(0,\, s_{tj})}},\quad F_{i0} = 0,\quad )"
        R"(@scores{s_{ij}' = @token_scores{s_{ij}} - @erased{F_{ij}}},\quad )"
        R"(@output{@weights{\operatorname{softmax}(@masked_scores{S'})}\,@value{V}})";
    mechanism.papers = {{"Leviathan, Kalman and Matias, Selective Attention Improves Transformer", 2025}};
    mechanism.explanation =
        "A token may tell later ones that an earlier token is no longer needed. What it erases is its own "
        "positive score for that token, in the first head; all that has been erased before a query is "
        "subtracted from the query’s scores in every head. It costs no parameters. A token never erases "
        "itself, nor the first one, which serves as a resting place. F only grows: once gone, a token stays "
        "gone, so that a cache can drop it, which saves most of the memory. It must be trained so: in a "
        "model that was not, erasing what was looked at means erasing what matters.";
    mechanism.cost = "n m (d + 2 + d_v) multiply-adds per head; memory 2 n m";
    mechanism.correction =
        "The sum runs over the queries strictly before i: a token masks for the future, not for itself.";
    mechanism.related = {"causal", "coverage", "softcap"};

    AttentionSpec spec;
    spec.score.type = ScoreType::selective;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, {projections_knob()});

    mechanism.example.query = "once upon a time there was a king and a queen";
    mechanism.example.look_for = "Go down a column of what is erased: it only grows, and the weights below "
                                 "fade. The first word is never erased and keeps some weight in every row.";
    mechanism.example.stage = "erased";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight

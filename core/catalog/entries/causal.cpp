#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_causal() {
    Mechanism mechanism;
    mechanism.name = "Causal self-attention";
    mechanism.also_known_as = {"masked self-attention", "look-ahead mask", "autoregressive attention"};
    mechanism.family = "Masks";
    mechanism.order = 1300;
    mechanism.formula = R"(@output{@weights{\operatorname{softmax}\left(@masked_scores{@scaled_scores{)"
                        R"(\frac{@scores{@query{Q}\,@key{K}^\top}}{\sqrt{d_k}}} + M}\right)}\,@value{V}},)"
                        R"(\quad M_{ij} = 0 \text{ if } j \le i, \text{ else } -\infty)";
    mechanism.papers = {{"Vaswani et al., Attention Is All You Need (section 3.2.3)", 2017}};
    mechanism.explanation =
        "A token may look at itself and at what came before, never ahead: row t is what a decoder knows at "
        "step t. The mask adds minus infinity to forbidden scores, so that their weights are exactly 0. "
        "Printed inside the scale, (Q K^T + M)/√d_k, it is the same only because minus infinity divided by "
        "anything is minus infinity; a finite number there is divided too. Beware of the polarity: in some "
        "libraries 1 means forbidden, in others allowed. With fewer queries than keys it matters where the "
        "triangle starts: aligned at the top left, a single new query would see only the first key.";
    mechanism.cost =
        "n (n + 1) / 2 × (d + d_v) multiply-adds per head: half of what full attention takes, for "
        "keys after the query are skipped; memory n² for the weights, and n keys and values in the "
        "cache while generating.";
    mechanism.correction = "Printed as softmax((Q Kᵀ + M) / √d_k) the mask stands inside the scale: the same "
                           "for minus infinity, another thing for a finite number. A mask of −10⁹ in double "
                           "precision, or BERT’s −10000, gives a row that sees nothing its unmasked softmax, "
                           "for a shift of a whole row cancels.";
    mechanism.equivalences = {
        equal_when("prefix_lm", "the prefix of the other one is empty", {.there = {{"length", Index(0)}}})};
    mechanism.related = {"window", "prefix_lm", "documents", "scaled_dot_product"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec,
            {causal_alignment_knob(), source_knob(), projections_knob(), projection_bias_knob(),
             key_lengths_knob()});

    mechanism.example.query = "once upon a time there lived a wise old king";
    mechanism.example.look_for =
        "Row t arrives with step t and the cells right of the diagonal are forbidden: the first word can "
        "only look at itself.";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight

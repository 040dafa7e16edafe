#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_seer_attention() {
    Mechanism mechanism;
    mechanism.name = "SeerAttention";
    mechanism.also_known_as = {"learned gates of blocks", "AttnGate"};
    mechanism.family = "Selections";
    mechanism.order = 5471;
    mechanism.formula = masked_formula(
        R"(j \le i \text{ and } @gate_shares{\operatorname{softmax}_B\left(\frac{\bar q_{B(i)} \cdot )"
        R"(\tilde k_B}{\sqrt{d}}\right)_{B(j)}} > t,\quad )"
        R"(\tilde k_B = @block_pools{\left[\max_{j \in B} k_j,\ \min_{j \in B} k_j,\ )"
        R"(\operatorname{mean}_{j \in B} k_j\right]}\,W)");
    mechanism.papers = {
        {"Gao et al., SeerAttention: Self-distilled Attention Gating for Efficient Long-context Prefilling",
         2025}};
    mechanism.explanation =
        "Which blocks of a map matter can be guessed by a rule, means or corners or diagonals, or it can be "
        "learned. SeerAttention gives each head a small attention of its own over blocks: a block of queries "
        "is their mean; a block of keys is the largest, the smallest and the mean number of each feature, "
        "side by side, through a learned matrix. A softmax of their products says how much of its attention "
        "the block of queries will give to each block of keys, and only blocks above a threshold are "
        "computed. The model stays as it is: the matrix alone is trained, to tell beforehand the largest "
        "weight that full attention has in each block. Both sides are turned by the place of their block, "
        "for the keys are pooled before their own rotation.";
    mechanism.cost =
        masked_cost("(n / s) (3 d² + (m / s) d) multiply-adds per head for the gate of blocks of "
                    "s, and n k (d + d_v) for k keys in blocks that are kept.");
    mechanism.correction =
        "Nothing here has trained the gate, and a loss of the output would not: the choice has no gradient. "
        "Where no block is above the threshold a row has no key at all; with many blocks that are alike, or "
        "a high threshold, that is every row. The mean query of a block knows queries after the one that "
        "looks, as in every method for reading a prompt at once. Widths and pools are those of the authors’ "
        "standard setting, in which the mean query has no matrix; other settings, and the gates for "
        "decoding, of one query and for a group of heads, are not here. The code can also keep a number of "
        "blocks for each row, the rule “best”.";
    mechanism.equivalences = {
        equal_when("causal", "every block is kept",
                   {.here = {{"rule", std::string("best")}, {"blocks", Index(65536)}}}),
        equal_when("causal", "one block holds the text", {.here = {{"size", Index(4096)}}}),
        equal_when("causal", "all blocks are among the last ones", {.here = {{"dense", Index(65536)}}})};
    mechanism.related = {"moba", "minference", "xattention", "dsa"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = CausalMask{};
    spec.selection.type = SelectionType::pooled_gates;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "paris is in france and london is in england and rome in italy";
    mechanism.example.values = {{"threshold", 0.2}};
    mechanism.example.stage = "gate_shares";
    mechanism.example.look_for =
        "A row for each block of three words, a column for each block that they may look at. What is at most "
        "the threshold of 0.2 is gone from the map, for all three words alike: “is in england” does not look "
        "at the first block, and “italy” not even at itself. The gate is not trained: which blocks it keeps "
        "is chance.";
    mechanism.properties = {.row_stochastic = false,
                            .causal = true,
                            .data_dependent_mask = true,
                            .sparse = true,
                            .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight

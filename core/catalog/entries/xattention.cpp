#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_xattention() {
    Mechanism mechanism;
    mechanism.name = "XAttention";
    mechanism.also_known_as = {"antidiagonal scoring", "block-sparse prefilling"};
    mechanism.family = "Selections";
    mechanism.order = 5479;
    mechanism.formula = masked_formula(
        R"(j \le i \text{ and } B(j) \text{ is among the fewest blocks with } \sum_B @antidiagonal_sums{)"
        R"(\sum_{a \in B(i),\, b \in B} \operatorname{softmax}_b\left(\frac{1}{S} \sum_{s < S} s_{aS + S )"
        R"(- 1 - s,\; bS + s}\right)} \ge p)");
    mechanism.papers = {{"Xu et al., XAttention: Block Sparse Attention with Antidiagonal Scoring", 2025}};
    mechanism.explanation =
        "Which blocks of a map matter has to be guessed from a few of its cells. Means of queries and keys "
        "blur the one strong word in a block. Here cells are scored along antidiagonals, lines from lower "
        "left to upper right, S places apart. Each meets every query and every key of its piece once, and "
        "crosses both patterns that maps are made of: a column, which all queries look at, and a diagonal, "
        "one distance. The sums of the antidiagonals, through a softmax, say how much each block will get; "
        "of these the fewest that come to the share p are computed, so that a block of queries that looks "
        "about keeps many blocks and one that is sure of itself few.";
    mechanism.cost = masked_cost("n m d / S multiply-adds per head for the antidiagonals, one cell in S, and "
                                 "n k (d + d_v) for k keys in blocks that are kept.");
    mechanism.correction =
        "The authors put S neighbouring keys side by side, and S queries in inverse order, and multiply "
        "these long vectors, divided by S: the same sums. In a piece on the diagonal a part of the line lies "
        "above it, and is summed as well. In their code the first block and the own one are counted before "
        "all others and always stay; without that it is the plain rule of the paper.";
    mechanism.equivalences = {
        equal_when("causal", "one block holds the whole sequence", {.here = {{"groups", Index(4096)}}})};
    mechanism.related = {"minference", "top_p", "moba", "video_sparse", "seer_attention"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = CausalMask{};
    spec.selection.type = SelectionType::antidiagonals;
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query =
        "one two three four cat dog horse cow paris london france england cat dog horse cow";
    mechanism.example.look_for = "Four blocks of four words. The last one sees itself, the first, and the "
                                 "block of the same animals; that of the places is left out.";
    mechanism.example.beside = "causal";
    mechanism.properties = {
        .causal = true, .data_dependent_mask = true, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight

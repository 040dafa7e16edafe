#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_moba() {
    Mechanism mechanism;
    mechanism.name = "Mixture of block attention";
    mechanism.also_known_as = {"MoBA", "block top-k attention"};
    mechanism.family = "Selections";
    mechanism.order = 3700;
    mechanism.formula =
        masked_formula(R"(j \le i \text{ and } @block_gates{g_{i,B} = q_i \cdot \operatorname{mean}_{j )"
                       R"(\in B} k_j} \text{ is among the } k \text{ largest for its block } B)");
    mechanism.papers = {{"Lu et al., MoBA: Mixture of Block Attention for Long-Context LLMs", 2025}};
    mechanism.explanation =
        "The keys are cut into blocks, and each query chooses which blocks to attend to, as a mixture of "
        "experts chooses experts: the gate of a block is the product of the query with the mean of its keys, "
        "and the k largest are taken. The query’s own block always counts, with a causal mask inside it; "
        "blocks of the future never do. All tokens of the chosen blocks then share one softmax. There is no "
        "parameter, so a model can change between this and full attention, layer by layer or during "
        "training.";
    mechanism.cost = masked_cost("n (m / s) d multiply-adds per head for the gates of blocks of s keys and n "
                                 "k s (d + d_v) for k blocks.");
    mechanism.correction = "The gates are not scaled by √d and do not weigh the blocks: they only choose. "
                           "The reference code scales after adding the mask of minus infinity, which is the "
                           "same only because minus infinity stays what it is.";
    mechanism.equivalences = {
        equal_when("causal", "every block is kept", {.here = {{"blocks", Index(65536)}}}),
        equal_when("causal", "one block holds the whole sequence", {.here = {{"size", Index(65536)}}})};
    mechanism.related = {"quest", "dsa", "causal", "minimax_sparse", "seer_attention"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = CausalMask{};
    spec.selection.type = SelectionType::block_means;
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "paris is in france and london is in england now";
    mechanism.example.look_for =
        "Blocks of three columns: a row keeps its own block and the best one of the past, and the rest of "
        "the causal map is gone. In the gates every block has one number.";
    mechanism.example.beside = "causal";
    mechanism.properties = {.causal = true, .streaming = true, .data_dependent_mask = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight

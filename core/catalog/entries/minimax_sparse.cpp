#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_minimax_sparse() {
    Mechanism mechanism;
    mechanism.name = "MiniMax sparse attention";
    mechanism.also_known_as = {"MSA", "block indexer of groups"};
    mechanism.family = "Selections";
    mechanism.order = 5483;
    mechanism.formula = masked_formula(
        R"(j \le i \text{ and } \max_{j' \in B}\, @group_index_scores{q^I_{ig} \cdot k^I_{j'}} \text{ is )"
        R"(among the } k \text{ largest for its block } B)");
    mechanism.papers = {{"Lai et al., MiniMax Sparse Attention", 2026}};
    mechanism.explanation =
        "Grouped-query attention with a small attention in front of it that says where to look. That index "
        "has one query for each group of heads, the heads that share keys, and one key for all; it scores "
        "every token that a query may see, and a block of neighbouring keys counts as much as its best one. "
        "The k best blocks are read, and the query’s own is always one of them. Each group chooses for "
        "itself, for its heads read the same keys anyway and one load of a block serves them all; whole "
        "blocks are chosen, for a processor reads neighbours at once. What is read goes through plain "
        "softmax. The index learns from the maps of its group, by their Kullback-Leibler divergence, and not "
        "from the model’s loss; here it is untrained and its choice arbitrary. MiniMax-M3 reads 16 blocks of "
        "128 of up to a million tokens.";
    mechanism.cost =
        masked_cost("n m h_kv d_I multiply-adds for the index of h_kv groups, and n k s (d + d_v) "
                    "per head for k blocks of s keys: still n m, but with a small factor.");
    mechanism.correction =
        "The paper’s scores are divided by √d_I, which changes no choice; here they are shown over the "
        "largest numbers of the query and of the keys, which changes none either. In the model the index’s "
        "queries and keys are normed and turned by their places, as those of the attention are; here they "
        "are not.";
    mechanism.equivalences = {equal_when("grouped_query", "every block is kept",
                                         {.here = {{"blocks", Index(65536)}}, .there = {{"causal", true}}})};
    mechanism.related = {"moba", "dsa", "native_sparse", "grouped_query"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads.type = HeadsType::grouped_query;
    spec.mask.rule = CausalMask{};
    spec.selection.type = SelectionType::block_indexer;
    compose(mechanism, spec,
            component_knobs(spec) + heads_knob() + kv_heads_knob() + projection_bias_knob() + source_knob());

    mechanism.example.query = "the cat sat on the mat and the king saw paris";
    mechanism.example.look_for =
        "Blocks of three columns: a row keeps its own block and one of the past. From “and” on heads 1 to 4 "
        "look back at “the cat sat”, and heads 5 to 8 at “on the mat”: each group has an index of its own.";
    mechanism.properties = {.causal = true, .streaming = true, .data_dependent_mask = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight

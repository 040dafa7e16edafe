#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/selections/kept_pairs.h"

namespace headlight {
namespace {

/// Each head of keys has an index query of its own, all share an index key, and a block counts as much as the
/// best of its keys that the query sees (Lai et al. 2026, equations 5 to 7).
std::optional<Expression> define_block_indexer(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    const Index size = selection_count(composer, "size");
    const Expression queries =
        composer.let("index_query", composer.projected(composer.query_tokens, "W_index_q"));
    const Expression keys = of_seen_keys(
        composer, composer.let("index_key", composer.projected(composer.key_tokens, "W_index_k")));
    const Expression of_heads =
        composer.of_query_heads(split_heads(queries, plan.kv_heads > 1 ? plan.kv_heads : 0));
    const Expression scores =
        composer.let("group_index_scores", composer.open_or_forbidden(products_in_order(of_heads, keys)),
                     "how much each key is worth a look, over the largest numbers");
    std::vector<Expression> best;
    for (Index block = 0; block < blocks_of(composer, size); ++block) {
        const Index first = block * size;
        best.push_back(
            maximum_of_columns(some_columns(scores, counted(first, std::min(size, plan.keys - first)))));
    }
    const Expression of_blocks = composer.let(
        "best_of_blocks", best.size() > 1 ? join_columns(best) : best.front(), "the largest of each block");
    return best_blocks(composer, own_block_first(composer, of_blocks, size), size,
                       selection_count(composer, "blocks"));
}

}  // namespace

SelectionComponent declare_selections_block_indexer() {
    SelectionComponent component;
    component.reads_no_keys = true;
    component.meaning =
        "keys of as many blocks as are set: those in which some key has the largest q · k of a small "
        "attention of its own, with a query for each head of keys and one key for all; of equal ones the "
        "first. In self attention the query’s own block is always one of them (MiniMax sparse attention, Lai "
        "et al. 2026)";
    component.options = {
        count_option("size", "Block", 3, token_counts,
                     "How many keys a block has; the last may have fewer. The paper has 128."),
        count_option("blocks", "Blocks kept", 2, {1, 65536},
                     "How many blocks a query keeps, its own included; the paper has 16."),
        count_option("index_width", "Index width", 4, {1, 512},
                     "How many numbers the queries and keys of the index have.")};
    component.known_parameters = {
        {"W_index_q", "[d_q, heads × width of the index]",
         "projects token vectors to the queries of the index"},
        {"W_index_k", "[d_k, width of the index]", "projects token vectors to the keys of the index"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.selection().count("index_width");
        list.add("W_index_q", {plan.tokens.query_width, plan.kv_heads * width});
        list.add("W_index_k", {plan.tokens.key_width, width});
    };
    component.declared_stages = {
        made_stage("index_query", "Queries of the index", {},
                   {.has_features = true, .is_of_all_heads = true}),
        made_stage("index_key", "Keys of the index", {}, {.is_of_keys = true, .is_of_all_heads = true}),
        made_stage("group_index_scores", "Index scores of the groups",
                   {"q · k of the index, over the largest numbers",
                    {{"index_query"}, keys_of("index_key", "and")},
                    "q · k\n→"},
                   {.lights = "masked_scores", .leaves_out_masked = true})};
    component.define = define_block_indexer;
    component.reads_one_sequence = [](const AttentionSpec&) {
        return "a query’s own block is always kept here";
    };
    return component;
}

}  // namespace headlight

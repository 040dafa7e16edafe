#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/sigmoid.h"
#include "core/attention/softmax_rows.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <array>
#include <numeric>

namespace headlight {
namespace {

constexpr Index branches = 3;  // compressed, selected, window

struct Sizes {
    Index block, selected, window;
    Index blocks(Index keys) const { return parts_of_size(keys, block); }
};

Sizes sizes_of(const Plan& plan) {
    const Options& options = plan.algorithm();
    return {options.count("block"), options.count("selected"), options.count("window")};
}

/// Blocks that a query with `end` keys reads in full: its own, the first and the one before its own, then
/// those with the largest importance, the lower of equals; at most as many as asked for. 1 for each that is
/// chosen.
void choose_blocks(const Sizes& sizes, Index end, const double* importance, std::vector<double>& chosen) {
    std::ranges::fill(chosen, 0.0);
    if (end == 0)
        return;
    const Index own = (end - 1) / sizes.block;
    std::vector<Index> order(static_cast<std::size_t>(own + 1));
    std::iota(order.begin(), order.end(), Index(0));
    const auto rank = [&](Index block) {
        return block == own ? 0 : block == 0 ? 1 : block == own - 1 ? 2 : 3;
    };
    const Index count = std::min(sizes.selected, own + 1);
    std::ranges::partial_sort(order, order.begin() + count, [&](Index a, Index b) {
        if (rank(a) != rank(b))
            return rank(a) < rank(b);
        return importance[a] != importance[b] ? importance[a] > importance[b] : a < b;
    });
    for (Index i = 0; i < count; ++i)
        chosen[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] = 1;
}

/// Yuan et al. 2025, equations 5 to 12, with the mean of a block as its compression.
template <class Real>
class SparseHeads {
public:
    SparseHeads(const Plan& plan, Pipeline<Real>& pipeline)
        : plan_(plan), operands_(pipeline.operands), sizes_(sizes_of(plan)),
          blocks_(sizes_.blocks(plan.keys)),
          gates_(operands_.projected(operands_.query_tokens(), "W_branch", "b_branch")),
          compressed_(operands_.allocate(plan.heads * plan.queries * blocks_)) {}

    /// Before the rows: the weights of the compressed branch, which the whole group chooses blocks by.
    void compress(Index head, const Recorder& record) const {
        const Index d = plan_.head_key_width(), n = plan_.queries;
        const MatrixView<const Real> keys = operands_.compared_key(plan_.kv_head(head));
        const MatrixView<const Real> queries = operands_.compared_query(head);
        const SoftmaxRows<Real> rows;
        const auto& by = rows.arithmetic();
        std::vector<Real> means(static_cast<std::size_t>(blocks_ * d));
        for (Index key = 0; key < plan_.keys; ++key)
            by.add_scaled(Real(1) / static_cast<Real>(sizes_.block), keys.row(key), d,
                          means.data() + key / sizes_.block * d);
        for (Index i = 0; i < n; ++i) {
            Interruption::check();
            Real* row = compressed_ + (head * n + i) * blocks_;
            const Index whole = plan_.allowed.end(i) / sizes_.block;
            std::fill_n(row, blocks_, Real(0));
            by.inner_products(queries.row(i), row_major<const Real>(means.data(), whole, d),
                              static_cast<Real>(plan_.scale), row);
            rows.softmax(row, whole);
        }
        record.write("compressed_weights", head * n * blocks_, compressed_ + head * n * blocks_, n * blocks_);
    }

    void attend(const HeadTask<Real>& task, const Recorder& record) const {
        const Index m = plan_.keys;
        const SoftmaxRows<Real> rows;
        std::vector<Real> scratch, selected(static_cast<std::size_t>(m)), window(selected);
        std::vector<double> importance(static_cast<std::size_t>(blocks_)), chosen(importance);
        for (Index i = 0; i < plan_.queries; ++i) {
            const Index end = plan_.allowed.end(i), at = task.head * plan_.queries + i;
            weigh_blocks(task.head, i, importance);
            choose_blocks(sizes_, end, importance.data(), chosen);
            score(rows.arithmetic(), task, i, end, chosen, selected, window);
            record.write("masked_scores", at * m, selected.data(), m);
            rows.softmax(selected.data(), m);
            rows.softmax(window.data(), m);
            record.write("block_importance", at * blocks_, importance.data(), blocks_);
            record.write("chosen_blocks", at * blocks_, chosen.data(), blocks_);
            record.write("selected_weights", at * m, selected.data(), m);
            record.write("window_weights", at * m, window.data(), m);
            const auto gates = opened(i, task.head);
            record.write("branch_gates", at * branches, gates.data(), branches);
            Real* row = weights_row(task, i, scratch);
            const Real* compressed = compressed_ + at * blocks_;
            for (Index key = 0; key < m; ++key) {
                const auto k = static_cast<std::size_t>(key);
                row[key] = gates[0] * compressed[key / sizes_.block] / static_cast<Real>(sizes_.block) +
                           gates[1] * selected[k] + gates[2] * window[k];
            }
            rows.mix(row, task.value, task.context.row(i));
        }
    }

private:
    /// The mean over the heads that share keys and values, so that one read of a block serves all of them.
    void weigh_blocks(Index head, Index i, std::vector<double>& importance) const {
        const Index group = plan_.heads / plan_.kv_heads, first = plan_.kv_head(head) * group;
        std::ranges::fill(importance, 0.0);
        for (Index other = first; other < first + group; ++other)
            for (Index block = 0; block < blocks_; ++block)
                importance[static_cast<std::size_t>(block)] +=
                    static_cast<double>(compressed_[(other * plan_.queries + i) * blocks_ + block]) /
                    static_cast<double>(group);
    }

    /// Scores the keys in chosen blocks, and the newest keys; the others get -infinity.
    void score(const kernels::Arithmetic<Real>& by, const HeadTask<Real>& task, Index i, Index end,
               const std::vector<double>& chosen, std::vector<Real>& selected,
               std::vector<Real>& window) const {
        constexpr Real nothing = -std::numeric_limits<Real>::infinity();
        std::ranges::fill(selected, nothing);
        std::ranges::fill(window, nothing);
        const auto is_new = [&](Index key) { return key >= end - sizes_.window; };
        const auto in_block = [&](Index key) {
            return chosen[static_cast<std::size_t>(key / sizes_.block)] > 0;
        };
        for_each_stretch(
            end, [&](Index key) { return in_block(key) || is_new(key); },
            [&](Index first, Index count) {
                by.inner_products(task.query.row(i), task.key.row_range(first, count),
                                  static_cast<Real>(plan_.scale), selected.data() + first);
            });
        for (Index key = 0; key < end; ++key) {
            const auto at = static_cast<std::size_t>(key);
            if (is_new(key))
                window[at] = selected[at];
            if (!in_block(key))
                selected[at] = nothing;
        }
    }

    std::array<Real, branches> opened(Index i, Index head) const {
        std::array<Real, branches> gates;
        for (Index branch = 0; branch < branches; ++branch)
            gates[static_cast<std::size_t>(branch)] = sigmoid(gates_.row(i)[head * branches + branch]);
        return gates;
    }

    const Plan& plan_;
    Operands<Real>& operands_;
    Sizes sizes_;
    Index blocks_;
    MatrixView<const Real> gates_;  ///< [n, 3 h], before the sigmoid
    Real* compressed_;              ///< [h, n, blocks]
};

template <class Real>
void add_native_sparse_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const auto heads = std::make_shared<const SparseHeads<Real>>(plan, pipeline);
    pipeline.prepare.push_back(
        [heads](Index head, const Recorder& record) { heads->compress(head, record); });
    pipeline.algorithm = [heads](const HeadTask<Real>& task, const Recorder& record) {
        heads->attend(task, record);
    };
}

/// The weights of the means of blocks, [h, n, blocks]; none for a text shorter than a block, which has no
/// mean.
std::optional<Expression> write_compressed_weights(Composer& composer) {
    const Plan& plan = composer.plan;
    const Sizes sizes = sizes_of(plan);
    const Index n = plan.queries, m = plan.keys, size = sizes.block;
    const Index whole = m / size, blocks = sizes.blocks(m);
    if (whole == 0)
        return std::nullopt;
    const Expression pooling = composer.constant(
        "block_pooling", {0, whole, m}, "means of whole blocks", [=](Index, Index row, Index column) {
            return column / size == row ? 1.0 / static_cast<double>(size) : 0.0;
        });
    const Expression compressed =
        composer.let("compressed_key", product(pooling, composer.key), "the mean key of each block");
    const Expression seen = composer.truth(
        "seen_blocks", {0, n, whole}, "blocks that a query sees whole",
        [&plan, size](Index row, Index column) { return (column + 1) * size <= plan.allowed.end(row); });
    const Expression weights =
        normalized_of(composer, blocks > whole ? "block_shares" : "compressed_weights",
                      choose(seen, scaled_products(composer, composer.query, compressed), minus_infinity()),
                      "_of_blocks", true);
    if (blocks == whole)
        return weights;
    return composer.let(
        "compressed_weights",
        join_columns({weights, composer.zeros("last_block", {composer.heads, n, blocks - whole},
                                              "a block that is not whole")}));
}

/// How many blocks a query would rather read in full, [h, n, blocks]: its own, the first one and the one
/// before its own come before all others.
Expression write_block_ranks(Composer& composer, const std::optional<Expression>& compressed) {
    const Plan& plan = composer.plan;
    const Index size = sizes_of(plan).block, blocks = sizes_of(plan).blocks(plan.keys);
    const auto own_block = [&plan, size](Index query) { return newest_key(plan, query) / size; };
    const Expression first = composer.constant(
        "sure_blocks", {0, plan.queries, blocks}, "how far before all others a block comes",
        [own_block](Index, Index row, Index column) {
            const Index own = own_block(row);
            return column == own ? 3e100 : column == 0 ? 2e100 : column + 1 == own ? 1e100 : 0.0;
        });
    const Expression is_before =
        composer.truth("blocks_so_far", {0, plan.queries, blocks}, "blocks up to the query’s own",
                       [own_block](Index row, Index column) { return column <= own_block(row); });
    Expression importance = first;
    if (compressed) {
        const Index group = plan.heads / plan.kv_heads;
        const Expression of_group =
            composer.let("block_importance",
                         mix_heads(composer.constant("group_means", {0, plan.heads, plan.heads},
                                                     "means of heads that share keys",
                                                     [=](Index, Index row, Index column) {
                                                         return row / group == column / group
                                                                    ? 1.0 / static_cast<double>(group)
                                                                    : 0.0;
                                                     }),
                                   *compressed),
                         "of each block for the heads that share its keys");
        importance = first + of_group;
    }
    return composer.let("block_ranks",
                        rank_of(composer.let("block_order", choose(is_before, importance, minus_infinity()))),
                        "how many blocks come before");
}

/// Three maps, added up by gates: the means of blocks, the keys of the blocks that matter most, the newest
/// keys.
Expression define_native_sparse(Composer& composer) {
    const Plan& plan = composer.plan;
    const Sizes sizes = sizes_of(plan);
    const Index n = plan.queries, m = plan.keys, size = sizes.block, window = sizes.window;
    const auto end = [&plan](Index query) { return plan.allowed.end(query); };
    const std::optional<Expression> compressed = write_compressed_weights(composer);
    const Expression ranks = write_block_ranks(composer, compressed);
    std::vector<Index> block_of_key;
    for (Index key = 0; key < m; ++key)
        block_of_key.push_back(key / size);
    const Expression is_seen = composer.truth("seen_keys", {0, n, m}, "keys that a query sees",
                                              [end](Index row, Index column) { return column < end(row); });
    const Expression is_new = composer.truth(
        "newest_keys", {0, n, m}, "the newest keys that a query sees",
        [=](Index row, Index column) { return column < end(row) && column + window >= end(row); });
    const Expression scores =
        composer.let("products", scaled_products(composer, composer.query, composer.key), "q · k / √d");
    const Expression is_kept =
        both_of(is_seen, is_above(static_cast<double>(sizes.selected), some_columns(ranks, block_of_key)));
    const Expression selected =
        normalized_of(composer, "selected_weights",
                      composer.let("masked_scores", choose(is_kept, scores, minus_infinity()),
                                   "of the keys in chosen blocks"),
                      "_of_selected", true);
    const Expression newest = normalized_of(composer, "window_weights",
                                            choose(is_new, scores, minus_infinity()), "_of_window", true);
    const Expression gates =
        composer.let("branch_gates",
                     sigmoid_of(composer.projected_by_heads(composer.query_tokens, "W_branch", "b_branch")),
                     "how much of each of the three maps is taken");
    Expression weights = some_columns(gates, {1}) * selected + some_columns(gates, {2}) * newest;
    if (compressed) {
        const Index whole = m / size;
        for (Index& block : block_of_key)
            block = std::min(block, whole - 1);
        const Expression share =
            composer.constant("share_of_block", {0, 1, m}, "what a key has of its block’s share",
                              [=](Index, Index, Index column) {
                                  return column < whole * size ? 1.0 / static_cast<double>(size) : 0.0;
                              });
        weights = some_columns(gates, {0}) * some_columns(*compressed, block_of_key) * share + weights;
    }
    return write_attended_values(composer,
                                 composer.let("weights", weights, "what each query gives to each key"));
}

void check_native_sparse(const Plan& plan) {
    const NormalizerComponent* normalizer = component_of(plan.spec.normalizer.type);
    const bool looks_beside = normalizer && (normalizer->couples_rows || normalizer->reads_place ||
                                             normalizer->type == NormalizerType::chain);
    const bool draws =
        plan.spec.normalizer.type == NormalizerType::hard && plan.spec.normalizer.mode == HardMode::sample;
    if (looks_beside || draws)
        throw Error({"native_sparse algorithm", "normalizer",
                     "one that knows the weights of a row from its numbers alone: blocks have no places of "
                     "keys",
                     looks_beside ? normalizer->word : "a key that is drawn"});
}

}  // namespace

AlgorithmComponent declare_algorithms_native_sparse() {
    AlgorithmComponent component;
    component.meaning =
        "three gated branches: the means of whole blocks, the few blocks that matter in full, and a "
        "window of the newest keys (Yuan et al. 2025, NSA)";
    component.options = {
        count_option("block", "Block", 2, {1, 128},
                     "Keys in a block; one that is not wholly in a query’s past is not compressed for it."),
        count_option("selected", "Selected blocks", 2, {1, 128},
                     "How many blocks are read in full: a query’s own, the first and the one before come "
                     "first, then those with the largest compressed weights."),
        count_option("window", "Window", 2, {1, 512},
                     "How many of the newest keys the window holds, the query’s own included."),
    };
    component.known_parameters = {
        {"W_branch", "[d_q, 3 h]", "projects token vectors to each head’s gates of the three branches"},
        {"b_branch", "[3 h]", "is added to them before their sigmoid"},
    };
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add_with_bias("W_branch", {plan.tokens.query_width, plan.heads * branches});
    };
    component.stages = [](const Plan& plan, StageList& list) {
        const Index blocks = sizes_of(plan).blocks(plan.keys);
        for (const char* name : {"compressed_weights", "block_importance", "chosen_blocks"})
            list.add_vectors(name, Axis::query, blocks);
        for (const char* name : {"masked_scores", "selected_weights", "window_weights"})
            list.add_map(name);
        list.add_vectors("branch_gates", Axis::query, branches);
    };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        const Index blocks = sizes_of(plan).blocks(plan.keys);
        const double kept = elements(plan.queries, plan.heads, branches + blocks);
        const double rows = elements(3 * plan.keys) + elements(blocks, plan.head_key_width());
        return StepMemory{.kept = kept * needs.real,
                          .working = rows * needs.real + elements(4, blocks, sizeof(double))};
    };
    component.declared_stages = {
        made_stage(
            "compressed_weights", "Weights of compressed blocks", {},
            {.column = "block",
             .is_share = true,
             .said = "softmax over the blocks in the query’s past of the query with the mean key of each"}),
        made_stage("block_importance", "Importance of blocks", {"", {{"compressed_weights"}}},
                   {.column = "block",
                    .is_share = true,
                    .said = "the mean of the compressed weights over the heads that share these keys"}),
        made_stage("chosen_blocks", "Chosen blocks", {"", {{"block_importance"}}},
                   {.column = "block", .is_share = true, .said = "whether this block is read in full"}),
        declared_softmax_stage("masked_scores", "selected_weights", "Weights of the selected branch", "",
                               {.leaves_out_masked = true}),
        made_stage("window_weights", "Weights of the window branch", {},
                   {.is_share = true, .leaves_out_masked = true}),
        made_stage("branch_gates", "Gates of the branches", {"", {{"tokens"}}, "sigmoid\n→"},
                   {.column = "branch", .is_share = true}),
        made_stage("weights", "Weights",
                   {"",
                    {{"compressed_weights"},
                     {"selected_weights", "and"},
                     {"window_weights", "and"},
                     {"branch_gates", "and"}},
                    "gated\nsum\n→"})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_native_sparse_steps(plan, pipeline); };
    component.cost = [](const Plan& plan) -> AlgorithmCost {
        const Sizes sizes = sizes_of(plan);
        double keys = 0;
        for (Index i = 0; i < plan.queries; ++i) {
            const Index end = plan.allowed.end(i);
            const Index whole_blocks = end / sizes.block;
            keys += static_cast<double>(whole_blocks + std::min(end, sizes.selected * sizes.block) +
                                        std::min(end, sizes.window));
        }
        return {.multiply_adds = keys * static_cast<double>(
                                            plan.heads * (plan.head_key_width() + plan.head_value_width())),
                .map_numbers = keys * static_cast<double>(plan.heads),
                .cache_numbers = static_cast<double>(plan.key_width + plan.value_width)};
    };
    component.takes_normalizer = true;
    component.why_no_selection =
        "it chooses blocks by itself, and its three branches have keys of three kinds";
    component.check = check_native_sparse;
    component.define = define_native_sparse;
    return component;
}

}  // namespace headlight

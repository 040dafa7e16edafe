#include "core/attention/options.h"
#include "core/attention/selected_keys.h"
#include "core/attention/composer.h"

#include <algorithm>

namespace headlight {
namespace {

const Options& selection_options(const Composer& composer) { return composer.plan.spec.selection.options; }

Index selection_count(const Composer& composer, const char* name) {
    return option<Index>(selection_options(composer), name);
}

/// `x` where the pair may meet, and minus infinity elsewhere.
Expression among_allowed(Composer& composer, const Expression& x) {
    return composer.where_open(x, minus_infinity());
}

Expression and_allowed(Composer& composer, const Expression& kept) {
    return composer.mask_excludes() ? both_of(kept, composer.allowed()) : kept;
}

Expression of_each_key(const Composer& composer, const Expression& of_blocks, Index size) {
    std::vector<Index> blocks;
    for (Index key = 0; key < composer.plan.keys; ++key)
        blocks.push_back(key / size);
    return some_columns(of_blocks, blocks);
}

Index blocks_of(const Composer& composer, Index size) { return (composer.plan.keys + size - 1) / size; }

/// The keys of the blocks that have the largest numbers [h, n, blocks].
Expression best_blocks(Composer& composer, const Expression& numbers, Index size, Index kept) {
    const Expression ranks = composer.let("block_ranks", rank_of(numbers), "how many blocks come before");
    return and_allowed(composer, is_above(static_cast<double>(kept), of_each_key(composer, ranks, size)));
}

bool is_seen(const Composer& composer, Index query, Index key) {
    return !composer.mask_excludes() || composer.may_meet(query, key);
}

Expression best_means(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index size = selection_count(composer, "size"), blocks = blocks_of(composer, size);
    const Expression products = composer.let(
        "block_products", composer.where_open(product_transposed(composer.query, composer.key), 0),
        "q · k of the pairs that may meet");
    const Expression members =
        composer.constant("block_members", {0, plan.keys, blocks}, "1 where a key is in a block",
                          [=](Index, Index row, Index column) { return row / size == column ? 1.0 : 0.0; });
    const auto seen = [&](Index query, Index block) {
        double count = 0;
        for (Index key = block * size; key < std::min((block + 1) * size, plan.keys); ++key)
            count += is_seen(composer, query, key) ? 1 : 0;
        return count;
    };
    const Expression counts =
        composer.constant("block_counts", {0, plan.queries, blocks}, "keys of a block that a query sees",
                          [&](Index, Index row, Index column) { return seen(row, column); });
    // A query's own block comes before all others, in self attention.
    const bool has_own = plan.spec.source.type == SourceType::self;
    const Expression first = composer.truth(
        "own_block", {0, plan.queries, blocks}, "the block of a query’s own place",
        [&](Index row, Index column) { return has_own && row / size == column && seen(row, column) > 0; });
    constexpr double before_all = 1e200;
    const Expression means =
        composer.let("block_means",
                     choose(first, before_all,
                            choose(is_above(counts, 0), product(products, members) / larger_of(counts, 1),
                                   minus_infinity())),
                     "q · the mean key of each block");
    return best_blocks(composer, means, size, selection_count(composer, "blocks"));
}

Expression best_pages(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index size = selection_count(composer, "size");
    std::vector<Expression> bounds;
    for (Index block = 0; block < blocks_of(composer, size); ++block) {
        const std::string number = std::to_string(block + 1);
        std::optional<Expression> most;
        for (Index key = block * size; key < std::min((block + 1) * size, plan.keys); ++key) {
            const Expression row = composer.let(numbered("key_", key + 1), some_rows(composer.key, {key}));
            Expression term = composer.query * row;
            if (composer.mask_excludes())
                term = choose(some_columns(composer.allowed(), {key}), term, minus_infinity());
            const Expression named = composer.let(numbered("products_", key + 1), term);
            most = most ? larger_of(*most, named) : named;
        }
        const Expression largest =
            composer.let("largest_" + number, *most, "of the page, feature by feature");
        bounds.push_back(composer.let("bound_" + number, sum_of_columns(largest),
                                      "no key of the page can have a larger q · k"));
    }
    const Expression all = composer.let("bounds_of_pages", join_columns(bounds));
    return best_blocks(composer, all, size, selection_count(composer, "pages"));
}

/// One-hot rows of the largest number of each row, the first of equal ones.
Expression largest_of_row(Composer& composer, const std::string& name, const Expression& x) {
    const Expression is_largest =
        composer.let(name + "_largest", as_number(is_equal(x, maximum_of_columns(x))));
    return composer.let(name, as_number(is_equal(is_largest * cumulative_sum(is_largest), 1)),
                        "1 in the column of the bucket");
}

Expression same_buckets(Composer& composer) {
    const Index rounds = selection_count(composer, "rounds");
    const Expression R = composer.parameter("rotations");
    const Index directions = R.extent().columns / rounds;
    std::optional<Expression> together;
    for (Index round = 0; round < rounds; ++round) {
        const std::string number = std::to_string(round + 1);
        const Expression own =
            composer.let("rotations_" + number, some_columns(R, counted(round * directions, directions)));
        const auto buckets = [&](const std::string& name, const Expression& x) {
            const Expression along = composer.let(name + "_turned_" + number, product(x, own));
            const Expression ends = composer.let(name + "_ends_" + number, join_columns({along, -along}),
                                                 "both ends of each direction");
            return largest_of_row(composer, name + "_bucket_" + number, ends);
        };
        const Expression same =
            product_transposed(buckets("query", composer.query), buckets("key", composer.key));
        const Expression named =
            composer.let("same_bucket_" + number, same, "1 where both fall into one bucket");
        together = together ? *together + named : named;
    }
    return and_allowed(composer, is_above(*together, 0));
}

Expression indexed(Composer& composer) {
    const Expression q = composer.let("index_query", composer.projected(composer.query_tokens, "W_index_q"));
    const Expression k = composer.let("index_key", composer.projected(composer.key_tokens, "W_index_k"));
    const Expression w =
        composer.let("index_weights", composer.projected(composer.query_tokens, "W_index_w"));
    const Index width = k.extent().columns;
    std::optional<Expression> sum;
    for (Index head = 0; head < w.extent().columns; ++head) {
        const std::string number = std::to_string(head + 1);
        const Expression own =
            composer.let("index_query_" + number, some_columns(q, counted(head * width, width)));
        const Expression products = composer.let("index_products_" + number, product_transposed(own, k));
        const Expression term = relu_of(products) * some_columns(w, {head});
        sum = sum ? *sum + term : term;
    }
    const Expression scores =
        composer.let("index_scores", among_allowed(composer, *sum), "how much each key is worth a look");
    const Expression ranks = composer.let("index_ranks", rank_of(scores), "how many keys come before");
    return and_allowed(composer, is_above(static_cast<double>(selection_count(composer, "k")), ranks));
}

Expression same_clusters(Composer& composer) {
    const Plan& plan = composer.plan;
    const Expression centroids = direction_of(composer, "centroid", composer.parameter("centroids"));
    const Index clusters = centroids.extent().rows, given = selection_count(composer, "members");
    const std::vector<std::uint8_t> real = real_keys(plan);
    const auto members = [&](const std::string& name, const Expression& x, bool is_key) {
        const Index tokens = x.extent().rows;
        const Index counting = is_key ? std::ranges::count(real, 1) : tokens;
        const Index share = given > 0 ? given : (counting + clusters - 1) / clusters;
        const Expression cosines =
            product_transposed(centroids, direction_of(composer, name + "_cluster", x));
        Expression affinity = floor_of(1e6 * cosines + 0.5) / 1e6;  // what differs by less counts as equal
        if (is_key && counting < tokens)
            affinity = choose(
                composer.truth("real_keys", {0, 1, tokens}, "keys that some query sees",
                               [&](Index, Index key) { return real[static_cast<std::size_t>(key)] != 0; }),
                affinity, minus_infinity());
        const Expression affinities = composer.let(name + "_cosines", affinity, "cosines, to a millionth");
        const Expression ranks = composer.let(name + "_ranks", rank_of(affinities));
        return composer.let(name + "_members", as_number(is_above(static_cast<double>(share), ranks)),
                            "1 where a cluster takes a token");
    };
    const Expression queries = members("query", composer.query, false);
    const Expression keys = members("key", composer.key, true);
    const Expression together =
        composer.let("shared_clusters", product(transposed(queries), keys), "clusters that take both");
    return and_allowed(composer, is_above(together, 0));
}

/// Where each query expects to look, [h, n, 1].
Expression expected_places(Composer& composer) {
    if (composer.program.has("centres"))
        return composer.program.tensor("centres");
    const std::vector<std::uint8_t> real = real_keys(composer.plan);
    const auto length =
        static_cast<double>(real.rend() - std::ranges::find(real.rbegin(), real.rend(), std::uint8_t(1)));
    const Expression hidden =
        composer.let("centre_energy", tanh_of(product(composer.plain_query, composer.parameter("W_p"))));
    return composer.let("centres", length * sigmoid_of(product_transposed(hidden, composer.parameter("v_p"))),
                        "where each query expects to look");
}

}  // namespace

std::optional<Expression> write_selection(Composer& composer, const Expression& scores) {
    switch (composer.plan.spec.selection.type) {
    case SelectionType::none:
        return {};
    case SelectionType::top_k: {
        const Index k = std::min(selection_count(composer, "k"), composer.plan.keys);
        const Expression sorted = composer.let("sorted_scores", descending(among_allowed(composer, scores)),
                                               "each row, the largest first");
        return and_allowed(composer, is_at_least(scores, some_columns(sorted, {k - 1})));
    }
    case SelectionType::predicted_window: {
        const auto radius = static_cast<double>(selection_count(composer, "radius"));
        const Expression away = absolute_of(composer.key_places() - expected_places(composer));
        return and_allowed(composer, is_at_least(radius, away));
    }
    case SelectionType::hashing:
        if (selection_count(composer, "directions") == 0)
            return {};
        return same_buckets(composer);
    case SelectionType::pages:
        return best_pages(composer);
    case SelectionType::block_means:
        return best_means(composer);
    case SelectionType::indexer:
        return indexed(composer);
    case SelectionType::clusters:
        return same_clusters(composer);
    }
    return {};
}

Expression write_faded_weights(Composer& composer, const Expression& weights) {
    if (composer.plan.spec.selection.type != SelectionType::predicted_window)
        return weights;
    const auto radius = static_cast<double>(selection_count(composer, "radius"));
    const double given = option<double>(selection_options(composer), "sigma");
    const double sigma = given > 0 ? given : radius / 2;
    const Expression away = composer.key_places() - expected_places(composer);
    return weights * exp_of(-(away * away) / (2 * sigma * sigma));
}

}  // namespace headlight

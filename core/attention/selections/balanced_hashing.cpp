#include "core/attention/component.h"
#include "core/attention/refusals.h"
#include "core/attention/selected_keys.h"
#include "core/attention/selections/kept_pairs.h"
#include "core/attention/spec_words.h"
#include "core/tensor/random.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

bool hashes_by_signs(const AttentionSpec& spec) { return spec.selection.options.word("hash") == "signs"; }

/// Queries and keys with two features more, so that all have one length and the nearest key is that of the
/// largest product: [q; √(M − |q|²); 0] and [k; 0; √(M − |k|²)], M = max |q|² + max |k|². They are over the
/// largest number of all, which changes no order.
struct EqualLengths {
    EqualLengths(Composer& composer, const std::vector<std::uint8_t>& used)
        : query(0), key(0),
          is_real(
              composer.truth("is_hashed_key", {0, composer.plan.keys, 1}, "keys that some query may see",
                             [used](Index row, Index) { return used[static_cast<std::size_t>(row)] != 0; })) {
        const Expression real = composer.let("hashed_keys", choose(is_real, composer.key, 0));
        const Expression largest =
            composer.let("largest_hashed", not_zero(larger_of(maximum_of_rows(largest_amount(composer.query)),
                                                              maximum_of_rows(largest_amount(real)))));
        const Expression q = composer.let("query_over_largest_hashed", composer.query / largest,
                                          "over the largest number"),
                         k = composer.let("key_over_largest_hashed", real / largest,
                                          "over the largest number");
        const Expression of_queries = composer.let("hashed_query_squares", sum_of_columns(q * q), "|q|²"),
                         of_keys = composer.let("hashed_key_squares", sum_of_columns(k * k), "|k|²");
        const Expression most =
            composer.let("most_hashed_squares", maximum_of_rows(of_queries) + maximum_of_rows(of_keys), "M");
        query = lengthened(composer, "query", q, most - of_queries, true);
        key = lengthened(composer, "key", k, most - of_keys, false);
    }
    Expression query, key, is_real;

private:
    static Expression lengthened(Composer& composer, const std::string& name, const Expression& x,
                                 const Expression& squares, bool is_first) {
        const Expression more = composer.let(name + "_lacks", root_of(relu_of(squares)), "what is added");
        const Expression none = more * 0;
        return composer.let(name + "_of_one_length",
                            is_first ? join_columns({x, more, none}) : join_columns({x, none, more}),
                            "all have the same length");
    }
};

/// In which block each token lies when all are in the order of their product with a direction: [.., 1,
/// tokens]. Products count to a millionth, so that tokens that are alike stay in their order.
Expression write_blocks(Composer& composer, const std::string& name, const Expression& along, Index tokens,
                        Index clusters) {
    const Index size = std::max<Index>(parts_of_size(tokens, clusters), 1);
    const Expression rounded =
        composer.let(name + "_along", transposed(floor_of(along * 1e6 + 0.5)), "in millionths");
    return composer.let(name, floor_of(rank_of(rounded) / static_cast<double>(size)), "blocks of equal size");
}

/// Minus the place of each row in an order in which neighbours differ in one sign, [.., tokens, 1]: bit b of
/// the place says whether an odd number of the products with direction b and those behind it are above 0.
Expression write_sign_places(Composer& composer, const std::string& name, const Expression& x) {
    const Expression directions = composer.parameter("hash_signs");
    const Index bits = directions.extent().columns;
    std::vector<Index> last_first;
    for (Index bit = bits - 1; bit >= 0; --bit)
        last_first.push_back(bit);
    const Expression along = product(over_largest(x), some_columns(directions, last_first));
    const Expression signs =
        composer.let(name + "_signs", choose(is_above(along, 0), -1, 1),
                     "−1 where the product with a direction, the last one first, is above 0");
    const Expression counts = composer.constant(
        "counts_of_bits", {0, 1, bits}, "what each bit counts",
        [bits](Index, Index, Index column) { return std::exp2(static_cast<double>(bits - 1 - column)); });
    return composer.let(name + "_places", -sum_of_columns((1 - cumulative_product(signs)) / 2 * counts),
                        "minus the place where neighbours differ in one sign");
}

/// Where both lie in one block in that order (Han et al. 2024, sortLSH).
Expression write_blocks_by_signs(Composer& composer, const std::vector<std::uint8_t>& used, Index clusters) {
    const Expression is_real =
        composer.truth("is_hashed_key", {0, composer.plan.keys, 1}, "keys that some query may see",
                       [used](Index row, Index) { return used[static_cast<std::size_t>(row)] != 0; });
    const Expression of_queries =
        write_blocks(composer, "query_cluster_1", write_sign_places(composer, "query", composer.query),
                     composer.plan.queries, clusters);
    const Expression places = write_sign_places(composer, "key", choose(is_real, composer.key, 0));
    const Expression of_keys =
        write_blocks(composer, "key_cluster_1", choose(is_real, places, minus_infinity()),
                     std::ranges::count(used, 1), clusters);
    return as_number(is_equal(transposed(of_queries), of_keys));
}

bool adds_rounds(const AttentionSpec& spec) { return spec.selection.options.word("merge") == "sums"; }
bool draws_keys(const AttentionSpec& spec) { return spec.selection.options.count("samples") > 0; }
bool draws_by_values(const AttentionSpec& spec) { return spec.selection.options.word("chances") == "values"; }

/// Each key’s chance to be drawn, [h, 1, m]: in proportion to |(v, 1)| / σ² + 1 / m, σ the largest singular
/// value of all (v, 1), as KDEformer’s authors have it.
Expression write_chances_by_values(Composer& composer, const std::vector<std::uint8_t>& used) {
    constexpr Index rounds = 20;  // of the power method
    const Expression is_real =
        composer.truth("is_drawn_from", {0, composer.plan.keys, 1}, "keys that some query may see",
                       [used](Index row, Index) { return used[static_cast<std::size_t>(row)] != 0; });
    const Expression real = composer.let("drawn_values", choose(is_real, composer.value, 0));
    const Expression all = composer.let(
        "values_and_ones", join_columns({real, choose(is_real, 1 + 0 * sum_of_columns(real), 0)}), "(v, 1)");
    const Expression largest =
        composer.let("largest_drawn_value", not_zero(maximum_of_rows(largest_amount(all))));
    const Expression parts = composer.let("value_parts", all / largest, "over the largest number");
    const auto length = [](const Expression& x) { return not_zero(root_of(sum_of_columns(x * x))); };
    const Expression image =
        composer.let("value_image", 1 + 0 * sum_of_rows(parts), "comes to the direction of most values");
    composer.program.repeat(rounds, [&] {
        composer.let("value_image", product(product_transposed(image / length(image), parts), parts));
    });
    const double most = 1 / static_cast<double>(std::max<Index>(std::ranges::count(used, 1), 1));
    const Expression worth = composer.let(
        "worth_of_values",
        choose(is_real, root_of(sum_of_columns(parts * parts)) / (largest * length(image)) + most, 0),
        "|(v, 1)| / σ² + 1 / m");
    return composer.let("chances", transposed(worth / not_zero(sum_of_rows(worth))),
                        "of each key to be drawn");
}

/// How often each key is drawn by these, [h, 1, m].
Expression write_drawn_by_chances(Composer& composer, const std::vector<std::uint8_t>& used) {
    const Index samples = selection_count(composer, "samples");
    const Expression draws =
        composer.constant("draws", {0, samples, 1}, "a number between 0 and 1 for each draw",
                          [seed = composer.plan.seed](Index, Index row, Index) {
                              return uniform(substream(seed, static_cast<std::uint64_t>(row)));
                          });
    const Expression passes =
        composer.let("has_passed_draws",
                     as_number(is_above(cumulative_sum(write_chances_by_values(composer, used)), draws)),
                     "1 from the drawn key on");
    return composer.let("drawn_keys", sum_of_rows(as_number(is_equal(passes * cumulative_sum(passes), 1))),
                        "how often each key was drawn");
}

/// How often each key is drawn, [1, m]: all that are no padding have one chance.
Expression write_drawn_keys(Composer& composer, const std::vector<std::uint8_t>& used) {
    std::vector<Index> real;
    for (Index key = 0; key < composer.plan.keys; ++key)
        if (used[static_cast<std::size_t>(key)] != 0)
            real.push_back(key);
    std::vector<double> drawn(used.size(), 0.0);
    for (Index draw = 0; draw < selection_count(composer, "samples") && !real.empty(); ++draw) {
        const double share = uniform(substream(composer.plan.seed, static_cast<std::uint64_t>(draw)));
        drawn[static_cast<std::size_t>(
            real[static_cast<std::size_t>(share * static_cast<double>(real.size()))])] += 1;
    }
    return composer.constant(
        "drawn_keys", {0, 1, composer.plan.keys}, "how often each key was drawn",
        [drawn](Index, Index, Index column) { return drawn[static_cast<std::size_t>(column)]; });
}

/// In how many rounds both lie in one block.
Expression write_shared_rounds(Composer& composer, const std::vector<std::uint8_t>& used, Index clusters) {
    const Index rounds = selection_count(composer, "rounds");
    const EqualLengths lengths(composer, used);
    const Expression directions = composer.parameter("hash_directions");
    std::optional<Expression> together;
    for (Index round = 0; round < rounds; ++round) {
        const std::string number = std::to_string(round + 1);
        const Expression direction = some_columns(directions, {round});
        const Expression of_queries =
            write_blocks(composer, "query_cluster_" + number, product(lengths.query, direction),
                         composer.plan.queries, clusters);
        const Expression along = choose(lengths.is_real, product(lengths.key, direction), minus_infinity());
        const Expression of_keys =
            write_blocks(composer, "key_cluster_" + number, along, std::ranges::count(used, 1), clusters);
        const Expression same =
            composer.let("same_cluster_" + number, as_number(is_equal(transposed(of_queries), of_keys)),
                         "1 where both lie in one block");
        together = together ? *together + same : same;
    }
    return *together;
}

std::optional<Expression> define_balanced_hashing(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    const std::vector<std::uint8_t> used = real_keys(plan);
    const Index clusters = selection_count(composer, "clusters");
    const Expression together = hashes_by_signs(plan.spec) ? write_blocks_by_signs(composer, used, clusters)
                                                           : write_shared_rounds(composer, used, clusters);
    const Expression rounds_together =
        composer.let("shared_blocks", together, "in how many rounds both lie in one block");
    if (draws_keys(plan.spec)) {
        const Expression drawn = draws_by_values(plan.spec) ? write_drawn_by_chances(composer, used)
                                                            : write_drawn_keys(composer, used);
        return and_allowed(composer, is_above(rounds_together + drawn, 0.5));
    }
    return and_allowed(composer, is_above(rounds_together, 0.5));
}

/// Each key as often as it was found: in every round again where these are merged by their sums, and for so
/// many as there are for each that was drawn.
Expression define_counted_keys(Composer& composer, const Expression& weights) {
    const AttentionSpec& spec = composer.plan.spec;
    Expression count = composer.program.tensor("shared_blocks");
    if (!adds_rounds(spec))
        count = as_number(is_above(count, 0.5));
    if (draws_keys(spec)) {
        const std::vector<std::uint8_t> used = real_keys(composer.plan);
        const auto samples = static_cast<double>(selection_count(composer, "samples"));
        const Expression stands_for =
            draws_by_values(spec) ? 1 / (samples * not_zero(composer.program.tensor("chances")))
                                  : Expression(static_cast<double>(std::ranges::count(used, 1)) / samples);
        count = choose(is_above(count, 0.5), count, stands_for * composer.program.tensor("drawn_keys"));
    }
    const Expression counted = composer.let("counted_weights", weights * count, "as often as it was found");
    return counted / not_zero(sum_of_columns(counted));
}

}  // namespace

SelectionComponent declare_selections_balanced_hashing() {
    SelectionComponent component;
    component.meaning = "keys in the query’s block in some round: queries and keys, brought to one length by "
                        "features of their own, are put in the order of their product with a random "
                        "direction and cut into blocks of equal size (SMYRF, Daras et al. 2020), or in an "
                        "order of the signs of several products (HyperAttention, Han et al. 2024)";
    component.options = {
        count_option("clusters", "Clusters", 3, logarithmic_range(1, 4096),
                     "Into how many blocks of equal size queries and keys are cut; the last may have fewer. "
                     "1: every key."),
        count_option("rounds", "Rounds", 1, {1, 64},
                     "How many orders with a direction of their own; one block in common is enough."),
        word_option("hash", "Order", {"lengths", "signs"},
                    "Whether all are brought to one length and put in the order of their product with a "
                    "direction; or in an order of the signs of several products, in which neighbours differ "
                    "in one (HyperAttention, KDEformer)."),
        count_option("signs", "Signs", 7, {1, 20},
                     "With how many directions products are made whose signs are looked at."),
        word_option("merge", "Rounds are merged", {"once", "sums"},
                    "Whether a key of two shared blocks counts once, or, as in the paper, once for each: the "
                    "rounds attend by themselves and are merged by the sums of their exponentials."),
        count_option("samples", "Keys that are drawn", 0, {0, 4096},
                     "How many keys are drawn for all queries beside their blocks; each stands for m over so "
                     "many keys outside (HyperAttention).",
                     "none"),
        word_option("chances", "Chances of the draw", {"same", "values"},
                    "Whether all keys have one chance to be drawn, or a larger one where their values are "
                    "large: a drawn key then stands for 1 over what it can expect (KDEformer).")};
    component.known_parameters = {
        {"hash_directions", "[d_k + 2, rounds], shared by the heads",
         "the direction of each round, along which queries and keys are put in order"},
        {"hash_signs", "[d_k, signs], shared by the heads",
         "directions of which the signs of products with queries and keys put these in order"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        if (hashes_by_signs(plan.spec)) {
            list.add("hash_signs", {plan.head_key_width(), plan.selection().count("signs")});
            return;
        }
        list.add("hash_directions", {plan.head_key_width() + 2, plan.selection().count("rounds")});
    };
    component.check = [](const Plan& plan) {
        require_one_width(plan, "balanced_hashing");
        if (hashes_by_signs(plan.spec) && plan.selection().count("rounds") > 1)
            throw Error({"balanced_hashing selection", "selection/rounds", "1: signs make one order",
                         std::to_string(plan.selection().count("rounds"))});
        if (!adds_rounds(plan.spec) && !draws_keys(plan.spec))
            return;
        require_softmax(plan, "balanced_hashing selection",
                        "what is merged, and what a drawn key stands for, are sums of exponentials");
        if (changes_weights(plan.spec))
            throw Error({"balanced_hashing selection", "algorithm",
                         "none that goes on changing weights: they are counted last",
                         to_word(plan.spec.algorithm.type)});
    };
    component.fades = [](const AttentionSpec& spec) { return adds_rounds(spec) || draws_keys(spec); };
    component.define_faded = define_counted_keys;
    component.faded_note = "over the sum of the row";
    component.couples_queries = always;
    component.declared_stages = {
        made_stage("shared_blocks", "Blocks in common", {"in how many rounds both lie in one"},
                   {.lights = "weights", .role = StageRole::scores}),
        declared_shares_stage("soft_weights", "Soft weights", {"softmax of each row"}),
        made_stage("counted_weights", "Counted weights",
                   {"each as often as its key was found", {{"soft_weights"}, {"shared_blocks", "×"}}},
                   {.lights = "weights", .role = StageRole::weights, .leaves_out_masked = true})};
    component.define = define_balanced_hashing;
    return component;
}

}  // namespace headlight

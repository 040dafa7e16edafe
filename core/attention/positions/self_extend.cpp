#include "core/attention/positions/product_scores.h"
#include "core/attention/rotary.h"
#include "core/attention/turned_pairs.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

Index near_window(const Plan& plan) { return plan.position().count("window"); }

/// Where a far token stands: one place for a group of tokens, a part of its own, or one place for all.
std::function<double(double place)> far_places(const Plan& plan) {
    const std::string& form = plan.position().word("far");
    if (form == "constant")
        return [](double) { return 0.0; };
    const auto group = static_cast<double>(plan.position().count("group"));
    if (form == "leaky")
        return [group](double place) { return place / group; };
    return [group](double place) { return std::floor(place / group); };
}

PairTurns extend_turns(const Plan& plan) {
    return {.frequencies = rotary_frequencies(plan.head_query_width(), plan.position().number("base")),
            .is_interleaved = has_neighbouring_pairs(plan.position())};
}

void check_self_extend(const Plan& plan) { require_products_of_one_width(plan, "self_extend positions"); }

/// Some query may see a key that stands as far after it as the window is wide.
bool sees_far_ahead(const Composer& composer) {
    const Plan& plan = composer.plan;
    for (Index query = 0; query < plan.queries; ++query) {
        const Index end = composer.mask_excludes() ? plan.allowed.end(query) : plan.keys;
        if (end - 1 - query >= near_window(plan))
            return true;
    }
    return false;
}

/// The products of queries that stand `shift` places on from where their group does, and far keys.
Expression far_products(Composer& composer, const std::string& name, const Expression& keys, double shift) {
    PairTurns turns = extend_turns(composer.plan);
    turns.place = [place = far_places(composer.plan), shift](Index row, Index) {
        return place(static_cast<double>(row)) + shift;
    };
    return product_transposed(turned_by(composer, turns, name, composer.query), keys);
}

/// The query’s place within the cache less that of the key, [n, m]: how many keys that the query sees lie
/// between the two, with the sign of query − key.
Expression write_cache_places(Composer& composer) {
    const Index n = composer.plan.queries, m = composer.plan.keys;
    if (!composer.mask_excludes())
        return smaller_of(composer.query_places(), static_cast<double>(m)) - composer.key_places();
    const Expression none = composer.zeros("none_before", {0, n, 1}, "nothing before the first key");
    const Expression before =
        composer.let("kept_before", join_columns({none, cumulative_sum(as_number(composer.allowed()))}),
                     "how many keys the query sees before each place, and in all");
    const Expression own =
        pick(before, {n, 1, counted(0, n)}, {n, 1, {n, [m](Index query) { return std::min(query, m); }}});
    return own - some_columns(before, counted(0, m));
}

/// Scores of pairs between which keys have left the cache: their distance is that within it (Xiao et al.
/// 2024, section 3.2). Each pair has an angle of its own, so that features are turned in sums over the pairs
/// of features.
Expression define_cache_places(Composer& composer, const Expression& near) {
    const Plan& plan = composer.plan;
    const PairTurns turns = extend_turns(plan);
    const Expression places = composer.let("places_in_cache", write_cache_places(composer),
                                           "the query’s place within the cache less that of the key");
    std::optional<Expression> sum;
    for (Index pair = 0; pair < turns.pairs(); ++pair) {
        const std::string number = std::to_string(pair + 1);
        const Index first = turns.is_interleaved ? 2 * pair : pair, second = turns.partner(first);
        const Expression q =
            composer.let("query_pair_" + number, some_columns(composer.query, {first, second}));
        const Expression k = some_columns(composer.key, {first, second});
        const Expression crossed =
            join_columns({some_columns(composer.key, {second}), -some_columns(composer.key, {first})});
        const Expression angles =
            composer.let("cache_angles_" + number, places * turns.frequencies[static_cast<std::size_t>(pair)],
                         "place × turn");
        const Expression term = composer.let("cache_scores_" + number,
                                             product_transposed(q, k) * cos_of(angles) +
                                                 product_transposed(q, crossed) * sin_of(angles),
                                             "the query’s pair, turned by the angle, times the key’s");
        sum = sum ? *sum + term : term;
    }
    const Expression far = composer.let("far_scores", *sum, "by places within the cache");
    // Where every key between the two is still there.
    const Expression is_near = is_equal(places, composer.query_places() - composer.key_places());
    return choose(is_near, near, far);
}

Expression define_self_extend(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    const Extent map{0, plan.queries, plan.keys};
    const Index window = near_window(plan);
    const PairTurns turns = extend_turns(plan);
    const Expression near_queries = turned_by(composer, turns, "near_query", composer.query);
    const Expression near_keys = turned_by(composer, turns, "near_key", composer.key);
    const Expression near = composer.let("near_scores", product_transposed(near_queries, near_keys),
                                         "of queries and keys turned by their own places");
    if (plan.position().word("far") == "cache")
        return define_cache_places(composer, near);
    PairTurns far_turns = turns;
    far_turns.place = [place = far_places(plan)](Index row, Index) {
        return place(static_cast<double>(row));
    };
    const Expression far_keys = turned_by(composer, far_turns, "far_key", composer.key);
    // The first far distance follows on the last near one.
    const double shift = static_cast<double>(window) - far_places(plan)(static_cast<double>(window));
    Expression far = far_products(composer, "far_query", far_keys, shift);
    if (sees_far_ahead(composer)) {
        const Expression ahead = far_products(composer, "far_query_before", far_keys, -shift);
        const Expression is_after = composer.truth_of_places("is_after", map, "keys after the query",
                                                             [](Place at) { return at.column > at.row; });
        far = choose(is_after, ahead, far);
    }
    far = composer.let("far_scores", far, "of those turned by the places of their groups");
    const Expression is_near =
        composer.truth_of_places("is_near", map, "pairs nearer than the window is wide",
                                 [window](Place at) { return std::abs(at.row - at.column) < window; });
    return choose(is_near, near, far);
}

}  // namespace

PositionComponent declare_positions_self_extend() {
    PositionComponent component;
    component.meaning =
        "Rotary positions whose distance is i − j up to a window w and ⌊i/G⌋ − ⌊j/G⌋ + w − ⌊w/G⌋ beyond: "
        "far tokens share places in groups, so that no distance is longer than those of training "
        "(Self-Extend, Jin et al. 2024; ReRoPE, Su 2023), or that counts only keys which the mask has left "
        "between the two (StreamingLLM, Xiao et al. 2024)";
    component.options = {
        count_option("window", "Window w", 4, token_counts,
                     "Up to this distance, exclusive, every place is one of its own."),
        count_option("group", "Group G", 2, logarithmic_range(1, 4096),
                     "How many neighbours share a place beyond the window; with “leaky”, by what far "
                     "distances are divided. “constant” does not read it."),
        word_option(
            "far", "Far distances", {"groups", "leaky", "constant", "cache"},
            "Those of groups of tokens, rounded down (Self-Extend); w + (i − j − w) / G without rounding "
            "(Leaky ReRoPE); w for all (ReRoPE); or how many keys that the query sees lie between, which is "
            "the place within the cache of StreamingLLM and reads neither w nor G."),
        pairs_option(), base_option()};
    component.check = check_self_extend;
    component.paired = {turned_features()};
    component.acts_on_scores = true;
    component.declared_stages = {
        made_stage("near_scores", "Scores by places", {}, {.colours_of = "scores"}),
        made_stage("far_scores", "Scores by groups", {}, {.colours_of = "scores"}),
        made_stage("scores", "Scores", {"", {{"near_scores"}, {"far_scores", "or"}}, "by distance\n→"})};
    component.define_scores = define_self_extend;
    return component;
}

}  // namespace headlight

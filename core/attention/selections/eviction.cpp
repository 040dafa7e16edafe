#include "core/attention/component.h"
#include "core/attention/selections/kept_pairs.h"

#include <algorithm>
#include <cstdlib>

namespace headlight {
namespace {

/// When keys come into the cache: each with the first query that may see it.
struct Arrivals {
    explicit Arrivals(const Composer& composer, Index recent)
        : first(static_cast<std::size_t>(composer.plan.keys), composer.plan.queries) {
        const Plan& plan = composer.plan;
        const auto sees = [&](Index query, Index key) {
            return !composer.mask_excludes() || composer.may_meet(query, key);
        };
        for (Index key = 0; key < plan.keys; ++key)
            for (Index& query = first[static_cast<std::size_t>(key)] = 0;
                 query < plan.queries && !sees(query, key);)
                ++query;
        for (Index query = 0; query < plan.queries; ++query) {
            Index newest = plan.keys;
            for (Index left = recent, key = plan.keys - 1; key >= 0 && left > 0; --key)
                if (has_come(query, key)) {
                    newest = key;
                    --left;
                }
            first_recent.push_back(newest);
        }
    }
    bool has_come(Index query, Index key) const { return first[static_cast<std::size_t>(key)] <= query; }
    bool is_recent(Index query, Index key) const {
        return has_come(query, key) && key >= first_recent[static_cast<std::size_t>(query)];
    }
    Index count(Index query) const {
        return std::ranges::count_if(first, [query](Index of_key) { return of_key <= query; });
    }

    std::vector<Index> first;         ///< [key]
    std::vector<Index> first_recent;  ///< [query]: those from here on that have come are the newest
};

/// What all heads give in the mean, where they drop the same keys.
Expression votes_of_heads(Composer& composer, const std::string& name, const Expression& looks) {
    const Index heads = composer.heads;
    if (heads == 0 || !composer.plan.selection().flag("together"))
        return looks;
    const Expression shares =
        composer.constant("shares_of_heads", {0, heads, heads}, "each head counts the same",
                          [heads](Index, Index, Index) { return 1 / static_cast<double>(heads); });
    return composer.let(name, mix_heads(shares, looks), "in the mean of the heads");
}

struct EvictedCache {
    explicit EvictedCache(const Composer& composer)
        : budget(selection_count(composer, "budget")), recent(selection_count(composer, "recent")),
          policy(composer.plan.selection().word("policy")) {}
    Index budget, recent;
    std::string policy;
};

/// What a query leaves of the cache, [h, 1, m]: the newest keys, and then those of the most votes.
class Dropping {
public:
    Dropping(Composer& the_composer, const EvictedCache& cache)
        : composer_(the_composer), budget_(cache.budget),
          arrivals_(std::make_shared<const Arrivals>(the_composer, std::min(cache.recent, cache.budget))) {}

    bool is_needed(Index query) const { return arrivals_->count(query) > budget_; }
    Expression left(Index query, const Expression& cached, const Expression& votes) {
        const std::string number = std::to_string(query + 1);
        const Index n = composer_.plan.queries, m = composer_.plan.keys;
        if (!has_come_)
            has_come_ = composer_.truth_of_places(
                "has_come", {0, n, m}, "keys that some query has seen by then",
                [arrivals = arrivals_](Place at) { return arrivals->has_come(at.row, at.column); });
        if (!bonus_)
            bonus_ = composer_.of_places(
                "newest_bonus", {0, n, m}, "what lifts the newest keys above all votes",
                [arrivals = arrivals_, n](Place at) {
                    return arrivals->is_recent(at.row, at.column) ? static_cast<double>(n + 1) : 0.0;
                });
        const Expression come = some_rows(*has_come_, {query});
        const Expression worth =
            composer_.let("worth_" + number, choose(both_of(come, is_above(cached, 0.5)),
                                                    votes + some_rows(*bonus_, {query}), minus_infinity()));
        const Expression is_best = as_number(is_above(static_cast<double>(budget_), rank_of(worth)));
        return composer_.let("cache_" + std::to_string(query + 2), cached * choose(come, is_best, 1),
                             "1 for keys that are not dropped");
    }

private:
    Composer& composer_;
    Index budget_;
    std::shared_ptr<const Arrivals> arrivals_;
    std::optional<Expression> has_come_, bonus_;
};

/// Assigns `in_cache` and `key_votes` [h, n, m], one row below another: what a query leaves of the cache
/// follows from its own weights, or from all so far (Oren et al. 2024; Zhang et al. 2023, algorithm 1).
Expression write_cache_row_by_row(Composer& composer, const EvictedCache& cache, const Expression& open) {
    const Index n = composer.plan.queries, m = composer.plan.keys;
    Dropping dropping(composer, cache);
    Expression cached = composer.constant("cache_1", {composer.heads, 1, m}, "nothing is dropped yet",
                                          [](Index, Index, Index) { return 1.0; });
    std::vector<Expression> caches, votes;
    for (Index query = 0; query < n; ++query) {
        const std::string number = std::to_string(query + 1);
        const Expression row =
            composer.let("cache_scores_" + number,
                         choose(is_above(cached, 0.5), some_rows(open, {query}), minus_infinity()));
        const Expression looks =
            votes_of_heads(composer, "mean_looks_" + number, softmax_of(composer, "looks_" + number, row));
        const bool adds = cache.policy == "h2o" && query > 0;
        votes.push_back(adds ? composer.let("votes_" + number, votes.back() + looks) : looks);
        caches.push_back(cached);
        if (query + 1 < n && dropping.is_needed(query))
            cached = dropping.left(query, cached, votes.back());
    }
    composer.let("key_votes", n == 1 ? votes.front() : join_rows(votes), "what each key has been given");
    return composer.let("in_cache", n == 1 ? caches.front() : join_rows(caches),
                        "1 for keys that are not dropped when the query looks");
}

/// The same of SnapKV (Li et al. 2024): the last queries of the prompt choose once for all that come after
/// it.
Expression write_cache_of_prompt(Composer& composer, const EvictedCache& cache, Index prompt,
                                 const Expression& open) {
    const Index n = composer.plan.queries, m = composer.plan.keys;
    const Index window = std::clamp<Index>(cache.recent, 1, prompt), prefix = prompt - window;
    const Index reach = selection_count(composer, "pooling") / 2;
    const Expression looks = softmax_of(composer, "window_looks", some_rows(open, counted(prefix, window)));
    const Expression votes = votes_of_heads(
        composer, "mean_window_votes",
        composer.let("window_votes", sum_of_rows(looks), "what the window has given to each key"));
    const Expression pool = composer.of_places(
        "vote_neighbours", {0, m, m}, "means of neighbours before the window", [=](Place at) {
            const bool is_near =
                std::abs(at.row - at.column) <= reach && std::max(at.row, at.column) < prefix;
            return is_near ? 1 / static_cast<double>(2 * reach + 1) : 0.0;
        });
    const Expression pooled = composer.let("pooled_votes", product(votes, pool), "with those beside them");
    const Expression is_prefix = composer.truth("is_before_window", {0, 1, m}, "keys before the window",
                                                [=](Index, Index column) { return column < prefix; });
    const auto kept = static_cast<double>(std::max<Index>(cache.budget - window, 0));
    const Expression left = composer.let(
        "left_of_prompt",
        choose(is_prefix, as_number(is_above(kept, rank_of(choose(is_prefix, pooled, minus_infinity())))), 1),
        "1 for keys that are not dropped");
    const Expression is_prompt = composer.truth("is_of_prompt", {0, n, 1}, "queries of the prompt",
                                                [=](Index row, Index) { return row < prompt; });
    composer.let("key_votes", choose(is_prompt, 0, pooled), "what each key has been given");
    return composer.let("in_cache", choose(is_prompt, 1, left),
                        "1 for keys that are not dropped when the query looks");
}

std::optional<Expression> define_eviction(Composer& composer, const Expression& scores) {
    const EvictedCache cache(composer);
    const Expression open =
        composer.let("scores_of_cache", open_over_temperature(composer, scores), "whose softmax votes");
    const Index prompt = std::min(selection_count(composer, "prompt"), composer.plan.queries);
    const Expression in_cache = cache.policy == "snapkv"
                                    ? write_cache_of_prompt(composer, cache, prompt, open)
                                    : write_cache_row_by_row(composer, cache, open);
    return and_allowed(composer, is_above(in_cache, 0.5));
}

}  // namespace

SelectionComponent declare_selections_eviction() {
    SelectionComponent component;
    component.meaning =
        "keys that earlier queries have left in a cache of B: with each new key the one is dropped that all "
        "queries so far gave least (H2O, Zhang et al. 2023) or that the last gave least (TOVA, Oren et al. "
        "2024), the newest never, each head for itself or all in their mean; or the last queries of a prompt "
        "choose once (SnapKV, Li et al. 2024); of equal ones the first stays";
    component.options = {
        word_option("policy", "Who votes", {"h2o", "tova", "snapkv"},
                    "Whose weights count when a key is dropped: those of all queries so far, of the last "
                    "one, or of the last queries of the prompt, once for all."),
        count_option("budget", "Budget B", 4, token_counts,
                     "How many keys are left when a query has looked; the next one sees these and its own. "
                     "All: nothing is dropped."),
        count_option("recent", "Newest", 2, {0, 65536},
                     "How many of the newest keys always stay, no more than the budget; with SnapKV so many "
                     "of the prompt’s, whose queries vote, at least one.",
                     "none"),
        flag_option("together", "Heads drop together", false,
                    "All heads drop the same keys, by the mean of what they gave: as TOVA has it, and as "
                    "heads that share their keys must."),
        count_option("prompt", "Prompt", 6, token_counts,
                     "SnapKV: how many tokens the prompt has; keys after it all stay."),
        count_option("pooling", "Pooling", 1, {1, 63},
                     "SnapKV: over how many neighbours votes are averaged, so that keys stay with those "
                     "around them; an even number is taken as the next odd one.",
                     "none")};
    component.orders_scores = true;
    component.declared_stages = {
        made_stage("key_votes", "Votes", {"what each key has been given so far"},
                   {.lights = "weights", .role = StageRole::weights}),
        made_stage("in_cache", "Cache", {"1 for keys that are not dropped when the query looks"},
                   {.lights = "weights", .role = StageRole::weights, .is_share = true})};
    component.define = define_eviction;
    return component;
}

}  // namespace headlight

#include "core/attention/positions/product_scores.h"
#include "core/attention/rotary.h"
#include "core/attention/turned_pairs.h"

#include <algorithm>

namespace headlight {
namespace {

/// Where tokens stand whose places begin again in each chunk, and queries in front of keys of chunks before
/// theirs (An et al. 2024, equations 2, 5 and 7).
struct ChunkPlaces {
    Index chunk, window;

    Index within(Index row) const { return row % chunk; }
    /// The place of a query that looks at the chunk before its own: on from there, as far as the window
    /// reaches.
    Index after_one(Index row) const { return chunk + std::min(within(row), window - 1); }
    /// The place of one that looks at an earlier chunk: the farthest that there is.
    Index farthest() const { return chunk + window - 1; }
    /// How many chunks a query stands behind a key, below 0 before it.
    Index apart(Index query, Index key) const { return query / chunk - key / chunk; }
};

ChunkPlaces chunk_places(const Plan& plan) {
    return {plan.position().count("chunk"), plan.position().count("window")};
}

PairTurns chunk_turns(const Plan& plan, std::function<Index(Index row)> place) {
    return {
        .frequencies = rotary_frequencies(plan.head_query_width(), plan.position().number("base")),
        .is_interleaved = has_neighbouring_pairs(plan.position()),
        .place = [place = std::move(place)](Index row, Index) { return static_cast<double>(place(row)); }};
}

void check_dual_chunk(const Plan& plan) { require_products_of_one_width(plan, "dual_chunk positions"); }

/// Some query may see a key of a later chunk than its own.
bool sees_later_chunks(const Composer& composer) {
    const Plan& plan = composer.plan;
    for (Index query = 0; query < plan.queries; ++query) {
        const Index end = composer.mask_excludes() ? plan.allowed.end(query) : plan.keys;
        if (end > 0 && chunk_places(plan).apart(query, end - 1) < 0)
            return true;
    }
    return false;
}

Expression define_dual_chunk(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    const ChunkPlaces places = chunk_places(plan);
    const auto within = [places](Index row) { return places.within(row); };
    const Expression queries = turned_by(composer, chunk_turns(plan, within), "chunk_query", composer.query);
    const Expression keys = turned_by(composer, chunk_turns(plan, within), "chunk_key", composer.key);
    const auto pairs = [&](const std::string& name, const std::string& note,
                           std::function<bool(Index apart)> holds) {
        return composer.truth_of_places(
            name, {0, plan.queries, plan.keys}, note,
            [places, holds = std::move(holds)](Place at) { return holds(places.apart(at.row, at.column)); });
    };
    const bool looks_ahead = sees_later_chunks(composer);
    // What stands farther on is the later one of the two, a query or, where a mask shows it, a key.
    const auto between_chunks = [&](const std::string& name, const std::string& note,
                                    const std::function<Index(Index row)>& place) {
        const Expression asking =
            turned_by(composer, chunk_turns(plan, place), name + "_query", composer.query);
        Expression scores = product_transposed(asking, keys);
        if (looks_ahead) {
            const Expression told =
                turned_by(composer, chunk_turns(plan, place), name + "_key", composer.key);
            scores = choose(
                pairs(name + "_is_ahead", "keys of a later chunk", [](Index apart) { return apart < 0; }),
                product_transposed(queries, told), scores);
        }
        return composer.let(name + "_scores", scores, note);
    };
    const Expression inside = composer.let("intra_scores", product_transposed(queries, keys),
                                           "by places that begin again in each chunk");
    const Expression next = between_chunks("successive", "by places that go on from the chunk before",
                                           [places](Index row) { return places.after_one(row); });
    const Expression far =
        between_chunks("inter", "by the farthest place", [places](Index) { return places.farthest(); });
    return choose(pairs("in_one_chunk", "pairs of one chunk", [](Index apart) { return apart == 0; }), inside,
                  choose(pairs("in_next_chunks", "pairs of neighbouring chunks",
                               [](Index apart) { return apart == 1 || apart == -1; }),
                         next, far));
}

}  // namespace

PositionComponent declare_positions_dual_chunk() {
    PositionComponent component;
    component.meaning =
        "Rotary positions that begin again in each chunk of s tokens: a key stands at j mod s, a query at i "
        "mod s for its own chunk, at s + min(i mod s, w − 1) for the one before, and at s + w − 1 for all "
        "earlier ones, so that no distance is longer than those of training (dual chunk attention, An et al. "
        "2024)";
    component.options = {
        count_option("chunk", "Chunk s", 4, token_counts,
                     "How many tokens a chunk has; the paper has three quarters of the length of training."),
        count_option("window", "Window w", 2, token_counts,
                     "How many places a query goes on from the chunk before its own; with s it is as long as "
                     "the texts of training."),
        pairs_option(), base_option()};
    component.check = check_dual_chunk;
    component.paired = {turned_features()};
    component.acts_on_scores = true;
    component.declared_stages = {
        made_stage("intra_scores", "Scores within a chunk", {}, {.colours_of = "scores"}),
        made_stage("successive_scores", "Scores of neighbouring chunks", {}, {.colours_of = "scores"}),
        made_stage("inter_scores", "Scores of chunks farther apart", {}, {.colours_of = "scores"}),
        made_stage(
            "scores", "Scores",
            {"", {{"intra_scores"}, {"successive_scores", "or"}, {"inter_scores", "or"}}, "by chunks\n→"})};
    component.define_scores = define_dual_chunk;
    return component;
}

}  // namespace headlight

#include "core/attention/component.h"
#include "core/attention/selected_keys.h"
#include "core/attention/selections/kept_pairs.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <type_traits>

namespace headlight {
namespace {

struct Hashing {
    explicit Hashing(const Plan& plan)
        : directions(plan.selection().count("directions")), rounds(plan.selection().count("rounds")),
          chunk(plan.selection().count("chunk")),
          own_comes_last(plan.selection().word("own") == "otherwise") {}
    Index directions, rounds, chunk;
    bool own_comes_last;
};

/// argmax([x R; -x R]) over the columns of R that belong to the round: a vector's bucket depends on its
/// direction alone, and near directions often share one (Andoni et al. 2015). `buckets` [vector, rounds].
template <class Real>
void write_buckets(const Hashing& hashing, MatrixView<const Real> vectors, const Tensor& rotations,
                   Index* buckets) {
    constexpr Index together = 4;  // sums that do not wait for each other
    constexpr double infinity = std::numeric_limits<double>::infinity();
    struct Bucket {
        double largest = -infinity, smallest = infinity;
        Index of_largest = 0, of_smallest = 0;
    };
    for (Index first = 0; first < vectors.rows; first += together) {
        Interruption::check();
        const Index count = std::min(together, vectors.rows - first);
        std::array<const Real*, together> numbers{};
        for (Index k = 0; k < together; ++k)
            numbers[static_cast<std::size_t>(k)] = vectors.row(first + std::min(k, count - 1));
        for (Index round = 0; round < hashing.rounds; ++round) {
            std::array<Bucket, together> found;
            for (Index i = 0; i < hashing.directions; ++i) {
                const double* rotation = rotations.values().data() + round * hashing.directions + i;
                std::array<double, together> products{};
                for (Index c = 0; c < vectors.columns; ++c, rotation += rotations.cols())
                    for (std::size_t k = 0; k < together; ++k)
                        products[k] += static_cast<double>(numbers[k][c]) * *rotation;
                for (std::size_t k = 0; k < together; ++k) {
                    if (products[k] > found[k].largest) {
                        found[k].largest = products[k];
                        found[k].of_largest = i;
                    }
                    if (products[k] < found[k].smallest) {
                        found[k].smallest = products[k];
                        found[k].of_smallest = hashing.directions + i;
                    }
                }
            }
            for (Index k = 0; k < count; ++k) {
                const Bucket& bucket = found[static_cast<std::size_t>(k)];
                buckets[(first + k) * hashing.rounds + round] =
                    -bucket.smallest > bucket.largest ? bucket.of_smallest : bucket.of_largest;
            }
        }
    }
}

/// A token looks at itself where there is nothing else.
template <class Real>
void leave_own_place(const ScoreRow<Real>& row) {
    constexpr Real nothing = -std::numeric_limits<Real>::infinity();
    bool has_other = false;
    for (Index j = 0; j < row.size && !has_other; ++j)
        has_other = j != row.query && row.values[j] > nothing;
    if (has_other && row.query < row.size)
        row.values[row.query] = nothing;
}

/// In which chunk each token lies when all are in the order of their buckets, and in a bucket of their
/// places: `buckets` and `chunks` [tokens, rounds] of one head. Padding comes last.
void write_hash_chunks(const Hashing& hashing, const std::vector<std::uint8_t>& is_real, Index tokens,
                       const Index* buckets, Index* chunks) {
    std::vector<Index> order(static_cast<std::size_t>(tokens));
    for (Index round = 0; round < hashing.rounds; ++round) {
        std::iota(order.begin(), order.end(), Index(0));
        const auto bucket = [&](Index token) {
            return is_real[static_cast<std::size_t>(token)] != 0 ? buckets[token * hashing.rounds + round]
                                                                 : 2 * hashing.directions;
        };
        std::ranges::stable_sort(order, {}, bucket);
        for (Index place = 0; place < tokens; ++place)
            chunks[order[static_cast<std::size_t>(place)] * hashing.rounds + round] = place / hashing.chunk;
    }
}

template <class Real>
void add_hashing_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const Hashing hashing(plan);
    if (hashing.directions == 0) {
        if (hashing.own_comes_last)
            pipeline.select.push_back(
                [](const ScoreRow<Real>& row, const Recorder&) { leave_own_place(row); });
        return;
    }
    struct Buckets {
        std::vector<Index> of_query;                  ///< [h, n, rounds]
        std::vector<Index> of_key;                    ///< [g, m, rounds]
        std::vector<Index> query_chunks, key_chunks;  ///< the same; empty where a bucket is whole
        std::vector<std::uint8_t> is_query, is_key;
    };
    const auto buckets = std::make_shared<Buckets>();
    buckets->of_query.resize(static_cast<std::size_t>(plan.heads * plan.queries * hashing.rounds));
    buckets->of_key.resize(static_cast<std::size_t>(plan.kv_heads * plan.keys * hashing.rounds));
    if (hashing.chunk > 0) {
        buckets->query_chunks.resize(buckets->of_query.size());
        buckets->key_chunks.resize(buckets->of_key.size());
        buckets->is_key = real_keys(plan);
        buckets->is_query = mask_of_real_queries(plan);
    }
    const auto& operands = pipeline.operands;

    pipeline.prepare.push_back([=, &plan, &operands](Index head, const Recorder& record) {
        const Tensor& rotations = plan.parameter("rotations");
        const auto fill = [&](std::vector<Index>& to, Index first, MatrixView<const Real> vectors,
                              const char* stage) {
            write_buckets(hashing, vectors, rotations, to.data() + first);
            record.write(stage, first, to.data() + first, vectors.rows * hashing.rounds);
        };
        fill(buckets->of_query, head * plan.queries * hashing.rounds, operands.compared_query(head),
             "query_buckets");
        const Index kv_head = plan.kv_head(head);
        if (is_first_of_its_keys(plan, head))
            fill(buckets->of_key, kv_head * plan.keys * hashing.rounds, operands.compared_key(kv_head),
                 "key_buckets");
        if (hashing.chunk == 0)
            return;
        const auto cut = [&](const std::vector<std::uint8_t>& is_real, const std::vector<Index>& from,
                             std::vector<Index>& to, Index first, Index tokens, const char* stage) {
            write_hash_chunks(hashing, is_real, tokens, from.data() + first, to.data() + first);
            record.write(stage, first, to.data() + first, tokens * hashing.rounds);
        };
        cut(buckets->is_query, buckets->of_query, buckets->query_chunks, head * plan.queries * hashing.rounds,
            plan.queries, "query_chunks");
        if (is_first_of_its_keys(plan, head))
            cut(buckets->is_key, buckets->of_key, buckets->key_chunks, kv_head * plan.keys * hashing.rounds,
                plan.keys, "key_chunks");
    });

    pipeline.select.push_back([=, &plan](const ScoreRow<Real>& row, const Recorder&) {
        const bool is_cut = hashing.chunk > 0;
        const Index* query = (is_cut ? buckets->query_chunks : buckets->of_query).data() +
                             (row.head * plan.queries + row.query) * hashing.rounds;
        const Index* key = (is_cut ? buckets->key_chunks : buckets->of_key).data() +
                           plan.kv_head(row.head) * plan.keys * hashing.rounds;
        const Index chunk_before = is_cut ? 1 : 0;
        const auto forbid_others = [&](auto rounds) {
            for (Index j = 0; j < row.size; ++j) {
                bool meets = false;
                for (Index round = 0; round < rounds; ++round) {
                    const Index of_key = key[j * rounds + round];
                    meets |= (query[round] == of_key) | (query[round] == of_key + chunk_before);
                }
                row.values[j] = meets ? row.values[j] : -std::numeric_limits<Real>::infinity();
            }
        };
        if (hashing.rounds == 1)  // the compiler has a loop of its own for them
            forbid_others(std::integral_constant<Index, 1>());
        else
            forbid_others(hashing.rounds);
        if (hashing.own_comes_last)
            leave_own_place(row);
    });
}

/// One-hot rows of the largest number of each row, the first of equal ones.
Expression largest_of_row(Composer& composer, const std::string& name, const Expression& x) {
    const Expression is_largest =
        composer.let(name + "_largest", as_number(is_equal(x, maximum_of_columns(x))));
    return composer.let(name, as_number(is_equal(is_largest * cumulative_sum(is_largest), 1)),
                        "1 in the column of the bucket");
}

/// The chunks [.., 1, tokens] of tokens in the order of their buckets, given as rows with a single 1. Padding
/// comes last.
Expression write_sorted_chunks(Composer& composer, const std::string& name, const std::string& number,
                               const Expression& buckets, const std::vector<std::uint8_t>& is_real,
                               Index chunk) {
    const Index tokens = buckets.extent().rows, count = buckets.extent().columns;
    const Expression numbers =
        composer.constant("bucket_numbers", {0, 1, count}, "the buckets count from 0",
                          [](Index, Index, Index column) { return static_cast<double>(column); });
    const auto is_there = [is_real](Index token) { return is_real[static_cast<std::size_t>(token)] != 0; };
    const Expression places =
        composer.constant(name + "_hash_places", {0, 1, tokens},
                          "places, and those of padding behind all others", [=](Index, Index, Index column) {
                              return static_cast<double>(is_there(column) ? column : column + count * tokens);
                          });
    const Expression steps = composer.constant(name + "_hash_steps", {0, 1, tokens},
                                               "places from one bucket to the next; padding is in none",
                                               [is_there, tokens](Index, Index, Index column) {
                                                   return static_cast<double>(is_there(column) ? tokens : 0);
                                               });
    const Expression bucket = transposed(sum_of_columns(buckets * numbers));
    const Expression order = composer.let(name + "_hash_order_" + number, rank_of(-(bucket * steps + places)),
                                          "by their buckets, and in a bucket by their places");
    return composer.let(name + "_hash_chunk_" + number, floor_of(order / static_cast<double>(chunk)),
                        "the order is cut into chunks");
}

/// Nothing where there is one bucket.
std::optional<Expression> pairs_of_buckets(Composer& composer) {
    const Hashing hashing(composer.plan);
    if (hashing.directions == 0)
        return {};
    const Expression R = composer.parameter("rotations");
    std::optional<Expression> together;
    for (Index round = 0; round < hashing.rounds; ++round) {
        const std::string number = std::to_string(round + 1);
        const Expression own = composer.let(
            "rotations_" + number, some_columns(R, counted(round * hashing.directions, hashing.directions)));
        const auto buckets = [&](const std::string& name, const Expression& x) {
            const Expression along = composer.let(name + "_turned_" + number, product(x, own));
            const Expression ends = composer.let(name + "_ends_" + number, join_columns({along, -along}),
                                                 "both ends of each direction");
            return largest_of_row(composer, name + "_bucket_" + number, ends);
        };
        const Expression of_queries = buckets("query", composer.query),
                         of_keys = buckets("key", composer.key);
        if (hashing.chunk > 0) {
            const Expression behind = composer.let(
                "chunks_behind_" + number,
                transposed(write_sorted_chunks(composer, "query", number, of_queries,
                                               mask_of_real_queries(composer.plan), hashing.chunk)) -
                    write_sorted_chunks(composer, "key", number, of_keys, real_keys(composer.plan),
                                        hashing.chunk),
                "how many chunks the key lies before the query");
            const Expression near = composer.let(
                "near_in_order_" + number, as_number(both_of(is_at_least(behind, 0), is_at_least(1, behind))),
                "1 in the own chunk and in the one before");
            together = together ? *together + near : near;
            continue;
        }
        const Expression named =
            composer.let("same_bucket_" + number, product_transposed(of_queries, of_keys),
                         "1 where both fall into one bucket");
        together = together ? *together + named : named;
    }
    return and_allowed(composer, is_above(*together, 0));
}

/// `kept`, all where it is nothing, and of each token’s own place only where no other is kept.
Expression with_own_place_last(Composer& composer, const std::optional<Expression>& kept) {
    const Index n = composer.plan.queries;
    const Expression is_other = composer.truth("is_other_place", {0, n, n}, "another token",
                                               [](Index row, Index column) { return row != column; });
    const Expression others =
        composer.let("others_that_are_kept", as_number(kept ? both_of(*kept, is_other) : is_other),
                     "1 where the key of another token is kept");
    const Expression is_own = composer.truth("is_own_place", {0, n, n}, "each token and itself",
                                             [](Index row, Index column) { return row == column; });
    const Expression alone = both_of(is_own, is_equal(sum_of_columns(others), 0));
    return is_above(others + as_number(kept ? both_of(*kept, alone) : alone), 0);
}

std::optional<Expression> define_hashing(Composer& composer, const Expression&) {
    std::optional<Expression> kept = pairs_of_buckets(composer);
    if (!Hashing(composer.plan).own_comes_last)
        return kept;
    if (!kept && composer.mask_excludes())
        kept = composer.allowed();
    return with_own_place_last(composer, kept);
}

}  // namespace

SelectionComponent declare_selections_hashing() {
    SelectionComponent component;
    component.meaning = "keys that share a bucket with the query in some round; the bucket is argmax([x R; "
                        "−x R]) for random R (the hash of Reformer, Kitaev et al. 2020)";
    component.options = {
        count_option("directions", "Directions", 2, {0, 1024},
                     "Columns of R in each round: there are twice as many buckets, one for each end of each.",
                     "one bucket"),
        count_option("rounds", "Rounds", 1, {1, 64},
                     "How many hashes with an R of their own; one bucket in common is enough."),
        count_option(
            "chunk", "Chunk", 0, {0, 65536},
            "Tokens are put in the order of their buckets, which is cut into chunks of so many: a query sees "
            "its own chunk and the one before, as in the paper, whatever buckets they are of.",
            "whole buckets"),
        word_option("own", "Own place", {"always", "otherwise"},
                    "Whether a token may look at itself as at any other, or only where it sees nothing else, "
                    "as in the paper: its own key is always the nearest.")};
    component.known_parameters = {{"rotations", "[d_k, rounds × directions] per head, shared by the heads",
                                   "the directions that a hash compares a query or key with"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Hashing hashing(plan);
        if (hashing.directions > 0)
            list.add("rotations", {plan.head_key_width(), hashing.rounds * hashing.directions});
    };
    component.check = [](const Plan& plan) {
        require_one_width(plan, "hashing");
        if (Hashing(plan).own_comes_last && plan.spec.source.type != SourceType::self)
            throw Error({"hashing selection", "own", "always: of two sequences no key is a query’s own",
                         "otherwise"});
        if (const Hashing hashing(plan); hashing.directions == 0 && hashing.chunk > 0)
            throw Error({"hashing selection", "chunk", "0: with one bucket there is no order to cut",
                         std::to_string(hashing.chunk)});
    };
    component.stages = [](const Plan& plan, StageList& list) {
        const Hashing hashing(plan);
        if (hashing.directions == 0)
            return;
        list.add_vectors("query_buckets", Axis::query, hashing.rounds);
        list.add_vectors("key_buckets", Axis::key, hashing.rounds);
        if (hashing.chunk > 0) {
            list.add_vectors("query_chunks", Axis::query, hashing.rounds);
            list.add_vectors("key_chunks", Axis::key, hashing.rounds);
        }
    };
    component.copies_parameters = false;
    component.memory = [](const Plan& plan, const RunNeeds&) {
        const double tokens = elements(plan.heads, plan.queries) + elements(plan.kv_heads, plan.keys);
        const Hashing hashing(plan);
        const double lists = hashing.chunk > 0 ? 2 : 1;
        return StepMemory{.kept = lists * tokens * elements(hashing.rounds, sizeof(Index)) +
                                  (hashing.chunk > 0 ? elements(plan.queries + plan.keys) : 0),
                          .working = hashing.chunk > 0
                                         ? elements(std::max(plan.queries, plan.keys), 2 * sizeof(Index))
                                         : 0};
    };
    const std::string chunk = "where the token lies in the order of buckets, in chunks; they count from 0";
    const std::string bucket = "the largest of x R and −x R in each round; buckets count from 0";
    component.couples_queries = [](const AttentionSpec& spec) {
        return spec.selection.options.count("chunk") > 0;
    };
    component.declared_stages = {made_stage("query_buckets", "Buckets of the queries", {}, {.said = bucket}),
                                 made_stage("key_buckets", "Buckets of the keys", {}, {.said = bucket}),
                                 made_stage("query_chunks", "Chunks of the queries", {}, {.said = chunk}),
                                 made_stage("key_chunks", "Chunks of the keys", {}, {.said = chunk})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_hashing_steps(plan, pipeline); };
    component.define = define_hashing;
    return component;
}

}  // namespace headlight

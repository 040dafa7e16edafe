#include "core/attention/defined_algorithms.h"
#include "core/attention/rotary.h"
#include "core/attention/turned_pairs.h"
#include "core/graph/row_formulas.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

struct EntrySizes {
    explicit EntrySizes(const Plan& plan)
        : block(count(plan, "block")), kept(count(plan, "entries")), window(count(plan, "window")),
          rotated(count(plan, "rotated")), index_heads(count(plan, "index_heads")),
          index_width(count(plan, "index_width")), overlaps(plan.algorithm().flag("overlap")) {}
    Index block, kept, window, rotated, index_heads, index_width;
    bool overlaps;

    Index series() const { return overlaps ? 2 : 1; }
    bool chooses() const { return kept > 0; }

private:
    static Index count(const Plan& plan, const char* name) { return plan.algorithm().count(name); }
};

/// Entries of windows that the last query sees whole.
Index count_of_entries(const Plan& plan) {
    return plan.queries > 0 ? plan.allowed.end(plan.queries - 1) / EntrySizes(plan).block : 0;
}

/// x over the root of the mean of its squares.
Expression root_mean_normed(Composer& composer, const std::string& name, const Expression& x) {
    return direction_of(composer, name, x) * root_of(static_cast<double>(x.extent().columns));
}

/// Turns the first features of `x` by the places of its rows, or back.
Expression turned_entries(Composer& composer, const std::string& name, const Expression& x, double step) {
    const EntrySizes sizes(composer.plan);
    if (sizes.rotated == 0)
        return x;
    PairTurns turns{rotary_frequencies(sizes.rotated, standard_base), true};
    turns.place = [step](Index row, Index) { return static_cast<double>(row) * step; };
    turns.constants = "entry_";
    return turned_by(composer, turns, name, x);
}

/// What tokens become together: one vector for each window of so many tokens, and how much of each token is
/// in it in the mean of its features.
struct Entries {
    Expression vectors;                ///< [entries, d]
    std::optional<Expression> shares;  ///< [entries, m]; of those that are read
};

/// Compresses the tokens of each window, and with `overlaps` another series of those of the window before,
/// feature by feature: Σ softmax(Z + B) ∘ C over a root of mean squares (DeepSeek-AI 2026, section 2.3).
Entries write_entries(Composer& composer, const std::string& name, const std::string& suffix, Index width,
                      bool is_read) {
    const EntrySizes sizes(composer.plan);
    const Index block = sizes.block, m = composer.plan.keys, count = count_of_entries(composer.plan),
                used = count * block;
    const Expression tokens = composer.let(name + "_tokens", some_rows(composer.key_tokens, counted(0, used)),
                                           "those of whole windows");
    const Expression contents = composer.let(name + "_contents", composer.projected(tokens, "W_" + suffix));
    const Places rows{used, 1, {used, [block](Index token) { return token % block; }}};
    const Expression places = pick(composer.parameter("B_" + suffix), rows,
                                   {1, sizes.series() * width, counted(0, sizes.series() * width)});
    const Expression gates =
        composer.let(name + "_gates", composer.projected(tokens, "W_" + suffix + "_gate") + places,
                     "what each token says of its share, and what its place in the window does");
    std::vector<Expression> vectors, shares;
    for (Index entry = 0; entry < count; ++entry) {
        const std::string number = name + "_" + std::to_string(entry + 1);
        const auto of_window = [&](const Expression& x, Index window, Index series) {
            return some_columns(some_rows(x, counted(window * block, block)), counted(series * width, width));
        };
        const auto of_both = [&](const Expression& x) {
            const Expression own = of_window(x, entry, sizes.series() - 1);
            return sizes.overlaps && entry > 0 ? join_rows({of_window(x, entry - 1, 0), own}) : own;
        };
        const Expression logits = composer.let(number + "_logits", of_both(gates));
        const LetPart let = [&](const char* part, const Expression& value) {
            return composer.let(number + "_" + part, value);
        };
        const Expression share = composer.let(number + "_shares", softmax_along(AlongAxis::rows, logits, let),
                                              "softmax over the tokens, feature by feature");
        vectors.push_back(
            composer.let(number + "_sum", sum_of_rows(share * of_both(contents)), "the mixed tokens"));
        if (!is_read)
            continue;
        const Index first = sizes.overlaps && entry > 0 ? (entry - 1) * block : entry * block;
        const Expression tokens_of =
            composer.of_places(number + "_places", {0, share.extent().rows, m}, "where the tokens are",
                               [first](Place at) { return at.column == first + at.row ? 1.0 : 0.0; });
        shares.push_back(product(transposed(sum_of_columns(share) / static_cast<double>(width)), tokens_of));
    }
    const Expression normed =
        root_mean_normed(composer, name, composer.let(name + "_sums", all_rows(vectors)));
    return {composer.let(name + "_normed", normed * composer.parameter("g_" + suffix),
                         "over the root of the mean of their squares"),
            is_read ? std::optional(all_rows(shares)) : std::nullopt};
}

/// Entries that each query reads, [n, entries]: whole windows before it, of which the indexer chooses.
Expression write_read_entries(Composer& composer) {
    const Plan& plan = composer.plan;
    const EntrySizes sizes(plan);
    const Expression is_whole = composer.truth("seen_entries", {0, plan.queries, count_of_entries(plan)},
                                               "entries of windows that a query sees whole",
                                               [&plan, block = sizes.block](Index row, Index column) {
                                                   return (column + 1) * block <= plan.allowed.end(row);
                                               });
    if (!sizes.chooses())
        return is_whole;
    const Entries index = write_entries(composer, "index_entry", "index", sizes.index_width, false);
    const Expression q = composer.let("index_query", composer.projected(composer.query_tokens, "W_index_q")),
                     w = composer.let("index_gates", composer.projected(composer.query_tokens, "W_index_w"));
    std::optional<Expression> sum;
    for (Index head = 0; head < sizes.index_heads; ++head) {
        const std::string number = std::to_string(head + 1);
        const Expression own = composer.let(
            "index_query_" + number, some_columns(q, counted(head * sizes.index_width, sizes.index_width)));
        const Expression products =
            composer.let("index_products_" + number, product_transposed(own, index.vectors));
        const Expression term = relu_of(products) * some_columns(w, {head});
        sum = sum ? *sum + term : term;
    }
    const Expression scores = composer.let("entry_index", choose(is_whole, *sum, minus_infinity()),
                                           "how much each entry is worth a look");
    return both_of(is_whole, is_above(static_cast<double>(sizes.kept),
                                      composer.let("entry_ranks", rank_of(scores), "how many come before")));
}

/// One softmax over the newest tokens and over entries that stand for many, with a sink beside them
/// (DeepSeek-AI 2026).
Expression define_compressed_entries(Composer& composer) {
    const Plan& plan = composer.plan;
    const EntrySizes sizes(plan);
    const Index n = plan.queries, m = plan.keys, count = count_of_entries(plan);
    const Expression query = turned_entries(composer, "query", composer.query, 1),
                     key = turned_entries(composer, "key", composer.key, 1),
                     value = turned_entries(composer, "value", composer.value, 1);
    const Expression is_new = composer.truth_of_places(
        "newest_keys", {0, n, m}, "the newest keys that a query sees",
        [window = sizes.window,
         ends = std::vector<Index>(plan.allowed.ends().begin(), plan.allowed.ends().end())](Place at) {
            const Index end = ends[static_cast<std::size_t>(at.row)];
            return at.column < end && at.column + window >= end;
        });
    const auto scores_by = [&](const Expression& keys) { return scaled_products(composer, query, keys); };
    std::vector<Expression> scores{choose(is_new, scores_by(key), minus_infinity())};
    std::optional<Entries> entries;
    if (count > 0) {
        const Expression is_read = write_read_entries(composer);
        entries = write_entries(composer, "entry", "entry", plan.head_key_width(), true);
        const Expression vectors = composer.let(
            "entries", turned_entries(composer, "entry", entries->vectors, static_cast<double>(sizes.block)),
            "keys and values of whole windows");
        scores.push_back(choose(is_read, scores_by(vectors), minus_infinity()));
    }
    if (composer.plan.algorithm().flag("sink"))
        scores.push_back(composer.parameter_of_heads("entry_sink") +
                         composer.zeros("sink_column", {composer.heads, n, 1}, "one for each query"));
    const Expression shares =
        softmax_of(composer, "shares",
                   composer.let("joined_scores", all_columns(scores),
                                "of the newest tokens, of entries, and the sink, side by side"));
    const Expression of_tokens =
        composer.let("newest_weights", some_columns(shares, counted(0, m)), "of the newest tokens");
    Expression weights = of_tokens, context = product(of_tokens, value);
    if (entries) {
        const Expression of_entries =
            composer.let("entry_weights", some_columns(shares, counted(m, count)), "of the entries");
        weights =
            weights + product(of_entries, composer.let("entry_shares", *entries->shares,
                                                       "what an entry has of each token, in the mean of "
                                                       "its features"));
        context = context + product(of_entries, composer.program.tensor("entries"));
    }
    composer.let("weights", weights, "what each query gives to each key, also through entries");
    const bool is_turned = sizes.rotated > 0;
    const Expression mixed =
        composer.let(is_turned ? "mixed_context" : "context", context, "the newest values, and the entries");
    return is_turned ? composer.let("context", turned_entries(composer, "mixed_context", mixed, -1),
                                    "turned back by the query’s place")
                     : mixed;
}

void check_compressed_entries(const Plan& plan) {
    constexpr Index most_entries = 1024;  // each is written in lines of its own
    const EntrySizes sizes(plan);
    const auto refuse = [](const char* what, const std::string& expected, Index got) {
        throw Error({"compressed_entries algorithm", what, expected, std::to_string(got)});
    };
    require_one_sequence(plan, "compressed_entries", "entries stand for tokens before the query");
    refuse_turned_vectors(plan, "compressed_entries", "entries are turned by the first of their places here");
    if (plan.head_key_width() != plan.head_value_width())
        refuse("values",
               "as wide as keys, " + std::to_string(plan.head_key_width()) + ", for entries are both",
               plan.head_value_width());
    if (sizes.rotated % 2 != 0 || sizes.rotated > plan.head_key_width())
        refuse("rotated",
               "an even number, at most the " + std::to_string(plan.head_key_width()) + " features of a head",
               sizes.rotated);
    if (plan.keys / sizes.block > most_entries)
        refuse("block",
               "at least " + std::to_string(parts_of_size(plan.keys, most_entries)) + ", for no more than " +
                   std::to_string(most_entries) + " entries",
               sizes.block);
}

}  // namespace

AlgorithmComponent declare_algorithms_compressed_entries() {
    AlgorithmComponent component;
    component.meaning =
        "one softmax over the newest tokens and over entries, each Σ softmax(Z + B) ∘ C over the b tokens "
        "of a window, feature by feature, and over those of the window before by another series, brought "
        "to one length; an indexer chooses k entries, and a sink takes part (DeepSeek-V4, DeepSeek-AI 2026: "
        "CSA; without overlap and choice HCA)";
    component.options = {
        count_option("block", "Tokens of an entry b", 3, token_counts,
                     "How many tokens become one entry; the paper has 4 in CSA and 128 in HCA."),
        flag_option("overlap", "With the window before", true,
                    "Whether an entry is also made of the tokens of the window before, by contents and gates "
                    "of their own (CSA), or of its own window alone (HCA)."),
        count_option("entries", "Entries that are read", 2, {0, 65536},
                     "How many entries the indexer leaves to a query (CSA); all: there is no indexer (HCA).",
                     "all"),
        count_option("window", "Newest tokens", 3, token_counts,
                     "How many of the newest tokens a query sees as they are, its own included."),
        flag_option("sink", "Sink", true,
                    "A learned number of each head takes part in the softmax, and its share is dropped."),
        count_option("rotated", "Rotated features", 0, {0, 4096},
                     "How many of the first features of queries, keys, values and entries are turned by "
                     "their places (the last in the model), an entry’s being that of its window’s first "
                     "token; the context is turned back by the query’s.",
                     "none"),
        count_option("index_heads", "Heads of the indexer", 2, {1, 64},
                     "How many products of the indexer are added up for each entry."),
        count_option("index_width", "Width of the indexer", 4, logarithmic_range(1, 1024),
                     "Features of the indexer’s queries and entries.")};
    component.known_parameters = {
        {"W_entry", "[d, s d_k], s = 2 with overlap, else 1", "the contents of entries"},
        {"W_entry_gate", "[d, s d_k]", "what a token says of its share in an entry"},
        {"B_entry", "[b, s d_k]", "what its place in the window adds to that"},
        {"g_entry", "[d_k]", "the gain of the entries’ norm"},
        {"W_index", "[d, s d_i]", "the contents of the indexer’s entries"},
        {"W_index_gate", "[d, s d_i]", "what a token says of its share in an entry of the indexer"},
        {"B_index", "[b, s d_i]", "what its place in the window adds to that"},
        {"g_index", "[d_i]", "the gain of the norm of the indexer’s entries"},
        {"W_index_q", "[d_q, heads × width of the index]", "projects token vectors to the indexer’s queries"},
        {"W_index_w", "[d_q, heads of the index]",
         "projects token vectors to what each head of the indexer counts"},
        {"entry_sink", "[h]", "the score of the sink"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const EntrySizes sizes(plan);
        const Index d = plan.tokens.key_width;
        const auto add = [&](const std::string& suffix, Index width) {
            const Index all = sizes.series() * width;
            list.add("W_" + suffix, {d, all});
            list.add("W_" + suffix + "_gate", {d, all});
            list.add("B_" + suffix, {sizes.block, all});
            list.add("g_" + suffix, {width}, 1.0);
        };
        add("entry", plan.head_key_width());
        if (sizes.chooses()) {
            add("index", sizes.index_width);
            list.add("W_index_q", {plan.tokens.query_width, sizes.index_heads * sizes.index_width});
            list.add("W_index_w", {plan.tokens.query_width, sizes.index_heads});
        }
        if (plan.algorithm().flag("sink"))
            list.add("entry_sink", {plan.heads}, 0.0);
    };
    component.check = check_compressed_entries;
    component.changes_context = always;
    component.declared_stages = {
        made_stage(
            "entries", "Entries", {"keys and values of whole windows"},
            {.colours_of = "key", .lights = "entry_weights", .is_of_features = true, .has_features = true}),
        declared_shares_stage("newest_weights", "Weights of the window", {"of the newest tokens"}),
        made_stage("entry_weights", "Weights of the entries", {"of windows that the query sees whole"},
                   {.colours_of = "weights",
                    .lights = "weights",
                    .has_features = true,
                    .column = "entry",
                    .is_share = true}),
        declared_weights_stage({"of tokens, also through entries"}, {.is_share = true}),
        declared_own_context_stage(
            {"the newest values, and the entries",
             {{"newest_weights"}, keys_of("value", "×"), {"entry_weights", "and"}, {"entries", "×"}},
             "added\n→"})};
    component.define = define_compressed_entries;
    return component;
}

}  // namespace headlight

#include "core/attention/algorithms/softmax_heads.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

double steps_of_bits(const Composer& composer) {
    return std::ldexp(1.0, static_cast<int>(composer.plan.algorithm().count("bits"))) - 1;
}

/// x to the nearest of 2^bits numbers from `low` to `high`, which are as far from each other as they can be.
Expression write_rounded(Composer& composer, const std::string& name, const Expression& x,
                         const Expression& high, const Expression& low) {
    const Expression smallest = composer.let(name + "_low", low, "the smallest number");
    const Expression step =
        composer.let(name + "_step", high / steps_of_bits(composer) - smallest / steps_of_bits(composer),
                     "from one number to the next");
    const Expression code = composer.let(name + "_codes", floor_of((x - smallest) / not_zero(step) + 0.5),
                                         "what is kept: whole numbers from 0");
    return code * step + smallest;
}

/// Keys that some query sees.
Index seen_of_cache(const Plan& plan) { return plan.queries > 0 ? plan.allowed.end(0) : 0; }
/// Keys before the newest ones, which stay as they are.
Index rounded_of_cache(const Plan& plan) {
    return std::max<Index>(seen_of_cache(plan) - plan.algorithm().count("recent"), 0);
}

/// Rows of one token each: the smallest and the largest number of each.
Expression write_rounded_rows(Composer& composer, const std::string& name, const Expression& x) {
    return write_rounded(composer, name, x, maximum_of_columns(x), -maximum_of_columns(-x));
}

/// `rounded` in the cache’s old tokens, and `x` in its newest.
Expression with_newest(Composer& composer, const Expression& rounded, const Expression& x) {
    const Plan& plan = composer.plan;
    if (plan.algorithm().count("recent") == 0)
        return rounded;
    return choose(composer.truth("is_old", {0, plan.keys, 1}, "tokens that are not among the newest",
                                 [last = rounded_of_cache(plan)](Index row, Index) { return row < last; }),
                  rounded, x);
}

/// The mean of the keys that some query sees, [h, 1, d_k].
Expression write_mean_key(Composer& composer) {
    const Index m = composer.plan.keys, seen = seen_of_cache(composer.plan);
    Expression keys = composer.key;
    if (seen < m)
        keys = choose(composer.truth("is_seen_key", {0, m, 1}, "keys that are no padding",
                                     [=](Index row, Index) { return row < seen; }),
                      keys, 0);
    return composer.let("mean_key", sum_of_rows(keys / static_cast<double>(std::max<Index>(seen, 1))),
                        "what all keys have in common");
}

/// Channel by channel, each over so many tokens in a row. Keys that no query sees stay out of it, and so do
/// the newest.
Expression write_rounded_channels(Composer& composer, const Expression& keys) {
    const Plan& plan = composer.plan;
    const Index seen = rounded_of_cache(plan);
    const Index size = plan.algorithm().count("group");
    std::vector<Expression> parts;
    for (Index begin = 0; begin < seen; begin += size) {
        const Index count = std::min(size, seen - begin);
        const std::string name = numbered("key_group_", begin / size + 1);
        const Expression group =
            composer.let(name, some_rows(keys, counted(begin, count)), "keys that are rounded together");
        parts.push_back(
            composer.let(name + "_rounded", write_rounded(composer, name, group, maximum_of_rows(group),
                                                          -maximum_of_rows(-group))));
    }
    if (seen < plan.keys)
        parts.push_back(some_rows(keys, counted(seen, plan.keys - seen)));
    return all_rows(parts);
}

/// Assigns `rounded_key`: rounded channel by channel or token by token, and token by token also without what
/// all have in common, which is added again (Zhang et al. 2025, SageAttention: a softmax does not see it).
Expression write_rounded_keys(Composer& composer) {
    const Options& options = composer.plan.algorithm();
    const char* const note = "as they come out of the cache";
    if (options.word("keys") == "channel")
        return composer.let("rounded_key", write_rounded_channels(composer, composer.key), note);
    if (!options.flag("smooth"))
        return composer.let(
            "rounded_key",
            with_newest(composer, write_rounded_rows(composer, "key", composer.key), composer.key), note);
    const Expression mean = write_mean_key(composer);
    const Expression centred = composer.let("centred_key", composer.key - mean, "what is rounded");
    return composer.let(
        "rounded_key",
        with_newest(composer, write_rounded_rows(composer, "key", centred) + mean, composer.key), note);
}

/// Softmax attention by keys and values of few bits (Liu et al. 2024).
Expression define_quantized_cache(Composer& composer) {
    const Options& options = composer.plan.algorithm();
    const Expression key = write_rounded_keys(composer);
    Expression query = composer.query, value = composer.value;
    if (options.flag("queries"))
        query = composer.let("rounded_query", write_rounded_rows(composer, "query", query),
                             "rounded token by token");
    if (options.flag("values"))
        value = with_newest(composer, write_rounded_rows(composer, "value", value), value);
    value = composer.let("rounded_value", value, "as they come out of the cache");
    const auto weights_by = [&](const std::string& name, const std::string& scores_name,
                                const std::string& suffix, const Expression& queries,
                                const Expression& keys) {
        const Expression scores =
            composer.let(scores_name, scaled_products(composer, queries, keys), "q · k / √d");
        return normalized_of(composer, name, composer.open_or_forbidden(scores), suffix);
    };
    const Expression exact =
        weights_by("exact_weights", "exact_scores", "_by_exact_keys", composer.query, composer.key);
    const Expression weights = weights_by("weights", "scores", "_by_rounded_keys", query, key);
    composer.let("weight_errors", weights - exact, "what rounding changes");
    return composer.let("context", product(weights, value), "the values that each query gets");
}

}  // namespace

AlgorithmComponent declare_algorithms_quantized_cache() {
    AlgorithmComponent component;
    component.meaning =
        "softmax(q · k̂ / √d) v̂, x̂ = z + s ⌊(x − z) / s + ½⌋ with z the smallest number and s the spread "
        "over 2^bits − 1: of keys channel by channel over a group of tokens, of values token by token (Liu "
        "et al. 2024, KIVI), or of keys without their mean and of queries (Zhang et al. 2025, "
        "SageAttention); rounding has no slope: keys and values learn through z and s alone";
    component.options = {
        count_option("bits", "Bits", 2, {1, 16},
                     "How many bits each number of the cache has: with b bits it is one of 2^b."),
        count_option(
            "group", "Group", 32, token_counts,
            "How many tokens in a row share the smallest and the largest number of a channel of the keys."),
        word_option("keys", "Keys", {"channel", "token"},
                    "Whether keys are rounded channel by channel, since some channels are large in all "
                    "tokens, or token by token as values are."),
        count_option("recent", "Newest kept whole", 0, {0, 65536},
                     "How many of the newest tokens are not rounded, keys and values; KIVI keeps up to 128.",
                     "none"),
        flag_option("values", "Rounded values", true,
                    "Whether values are rounded, token by token; SageAttention rounds none."),
        flag_option("queries", "Rounded queries", false,
                    "Whether queries are rounded too, token by token, so that scores are products of whole "
                    "numbers (SageAttention)."),
        flag_option("smooth", "Smoothed keys", false,
                    "Whether keys that are rounded token by token are so without their mean over all tokens, "
                    "which no softmax sees (SageAttention). Channel by channel it changes nothing.")};
    component.check = [](const Plan& plan) {
        constexpr Index most_groups = 1024;  // each is written in lines of its own
        const Options& options = plan.algorithm();
        const Index size = options.count("group"), groups = parts_of_size(plan.keys, size);
        if (options.word("keys") == "channel" && groups > most_groups)
            throw Error({"quantized_cache algorithm", "group",
                         "at least " + std::to_string(parts_of_size(plan.keys, most_groups)) +
                             ", for no more than " + std::to_string(most_groups) + " groups",
                         std::to_string(size)});
    };
    component.needs_one_end = true;
    component.takes_normalizer = true;
    component.changes_context = always;
    component.declared_stages = {
        made_stage("rounded_key", "Rounded keys",
                   {"as they come out of the cache", {keys_of("key")}, "2^bits\nnumbers\n→"},
                   {.form_of = "key", .colours_of = "key", .lights = "key", .is_of_keys = true}),
        made_stage("rounded_value", "Rounded values",
                   {"as they come out of the cache", {keys_of("value")}, "2^bits\nnumbers\n→"},
                   {.form_of = "value", .colours_of = "value", .lights = "value", .is_of_keys = true}),
        made_stage("rounded_query", "Rounded queries",
                   {"rounded token by token", {{"query"}}, "2^bits\nnumbers\n→"},
                   {.form_of = "query", .colours_of = "query", .lights = "query"}),
        declared_shares_stage(
            "exact_weights", "Weights without rounding",
            {"by the keys as they were", {{"query"}, times_keys_of("key")}, "÷ √d,\nsoftmax\n→"}),
        declared_scores_stage({"q · k̂ / √d", {{"query"}, times_keys_of("rounded_key")}, "÷ √d\n→"}),
        declared_weights_stage(),
        made_stage("weight_errors", "Errors of the weights",
                   {"what rounding changes", {{"weights"}, {"exact_weights", "−"}}, "="},
                   {.lights = "weights", .role = StageRole::weights}),
        declared_context_stage("rounded_value", "the sum of each weight times its rounded value")};
    component.define = define_quantized_cache;
    return component;
}

}  // namespace headlight

#include "core/attention/algorithms/softmax_heads.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace headlight {
namespace {

double steps_of_bits(const Composer& composer) {
    return std::ldexp(1.0, static_cast<int>(option<Index>(algorithm_options(composer), "bits"))) - 1;
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

/// Rows of one token each: the smallest and the largest number of each.
Expression write_rounded_rows(Composer& composer, const std::string& name, const Expression& x) {
    return composer.let("rounded_" + name,
                        write_rounded(composer, name, x, maximum_of_columns(x), -maximum_of_columns(-x)),
                        "as they come out of the cache");
}

/// Channel by channel, each over so many tokens in a row. Keys that no query sees stay out of it.
Expression write_rounded_channels(Composer& composer, const Expression& keys) {
    const Plan& plan = composer.plan;
    const Index seen = plan.queries > 0 ? plan.allowed.end(0) : 0;
    const Index size = option<Index>(plan.spec.algorithm.options, "group");
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
    return composer.let("rounded_key", parts.size() == 1 ? parts.front() : join_rows(parts),
                        "as they come out of the cache");
}

/// Softmax attention by keys and values of few bits (Liu et al. 2024).
Expression define_quantized_cache(Composer& composer) {
    const bool by_channel = option<std::string>(algorithm_options(composer), "keys") == "channel";
    const Expression key = by_channel ? write_rounded_channels(composer, composer.key)
                                      : write_rounded_rows(composer, "key", composer.key);
    const Expression value = write_rounded_rows(composer, "value", composer.value);
    const auto weights_by = [&](const std::string& name, const std::string& scores_name,
                                const std::string& suffix, const Expression& keys) {
        const Expression scores =
            composer.let(scores_name, product_transposed(composer.query, keys) / root_of_head_width(composer),
                         "q · k / √d");
        return normalized_of(composer, name, composer.where_open(scores, minus_infinity()), suffix);
    };
    const Expression exact = weights_by("exact_weights", "exact_scores", "_by_exact_keys", composer.key);
    const Expression weights = weights_by("weights", "scores", "_by_rounded_keys", key);
    composer.let("weight_errors", weights - exact, "what rounding the keys changes");
    return composer.let("context", product(weights, value), "the rounded values that each query gets");
}

}  // namespace

AlgorithmComponent declare_algorithms_quantized_cache() {
    AlgorithmComponent component;
    component.type = AlgorithmType::quantized_cache;
    component.word = "quantized_cache";
    component.meaning =
        "softmax(q · k̂ / √d) v̂, x̂ = z + s ⌊(x − z) / s + ½⌋ with z the smallest number and s the spread "
        "over 2^bits − 1: of keys channel by channel over a group of tokens, of values token by token (Liu "
        "et al. 2024, KIVI); rounding has no slope: keys and values learn through z and s alone";
    component.options = {
        {.name = "bits",
         .label = "Bits",
         .standard = Index(2),
         .minimum = 1,
         .maximum = 16,
         .help = "How many bits each number of the cache has: with b bits it is one of 2^b."},
        {.name = "group",
         .label = "Group",
         .standard = Index(32),
         .minimum = 1,
         .maximum = 65536,
         .logarithmic = true,
         .help =
             "How many tokens in a row share the smallest and the largest number of a channel of the keys."},
        {.name = "keys",
         .label = "Keys",
         .standard = std::string("channel"),
         .choices = {"channel", "token"},
         .help =
             "Whether keys are rounded channel by channel, since some channels are large in all tokens, or "
             "token by token as values are."}};
    component.check = [](const Plan& plan) {
        constexpr Index most_groups = 1024;  // each is written in lines of its own
        const Options& options = plan.spec.algorithm.options;
        const Index size = option<Index>(options, "group"), groups = (plan.keys + size - 1) / size;
        if (option<std::string>(options, "keys") == "channel" && groups > most_groups)
            throw Error({"quantized_cache algorithm", "group",
                         "at least " + std::to_string((plan.keys + most_groups - 1) / most_groups) +
                             ", for no more than " + std::to_string(most_groups) + " groups",
                         std::to_string(size)});
    };
    component.needs_one_end = true;
    component.takes_normalizer = true;
    component.changes_context = [](const AttentionSpec&) { return true; };
    component.declared_stages = {
        {.name = "rounded_key",
         .title = "Rounded keys",
         .subtitle = "as they come out of the cache",
         .operands = {{.stage = "key", .as_keys = true}},
         .operation = "2^bits\nnumbers\n→",
         .form_of = "key",
         .colours_of = "key",
         .lights = "key",
         .is_of_keys = true},
        {.name = "rounded_value",
         .title = "Rounded values",
         .subtitle = "as they come out of the cache",
         .operands = {{.stage = "value", .as_keys = true}},
         .operation = "2^bits\nnumbers\n→",
         .form_of = "value",
         .colours_of = "value",
         .lights = "value",
         .is_of_keys = true},
        {.name = "exact_weights",
         .title = "Weights without rounding",
         .subtitle = "by the keys as they were",
         .operands = {{"query"},
                      {.stage = "key", .operator_before = "×", .transposed = true, .as_keys = true}},
         .operation = "÷ √d,\nsoftmax\n→",
         .colours_of = "weights",
         .lights = "weights",
         .role = StageRole::weights,
         .is_share = true,
         .leaves_out_masked = true},
        {.name = "scores",
         .title = "Scores",
         .subtitle = "q · k̂ / √d",
         .operands = {{"query"},
                      {.stage = "rounded_key", .operator_before = "×", .transposed = true, .as_keys = true}},
         .operation = "÷ √d\n→",
         .role = StageRole::scores},
        declared_weights_stage(),
        {.name = "weight_errors",
         .title = "Errors of the weights",
         .subtitle = "what rounding the keys changes",
         .operands = {{"weights"}, {"exact_weights", "−"}},
         .operation = "=",
         .lights = "weights",
         .role = StageRole::weights},
        declared_context_stage("rounded_value", "the sum of each weight times its rounded value")};
    component.define = define_quantized_cache;
    return component;
}

}  // namespace headlight

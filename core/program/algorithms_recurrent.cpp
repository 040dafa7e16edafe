#include "core/attention/options.h"
#include "core/program/algorithms.h"

namespace headlight {
namespace {

/// exp(-exp(A_log) softplus(y W + b)), [h, m, 1] or [h, m, d]; nothing where the state forgets nothing.
std::optional<Expression> forget_gates(Composer& composer, const std::string& suffix) {
    if (!option<bool>(composer.plan.spec.algorithm.options, "forgets"))
        return {};
    const Expression raw =
        split_heads(composer.projected(composer.key_tokens, "W_" + suffix, "b_" + suffix), composer.heads);
    return composer.let("keeps", exp_of(-exp_of(composer.parameter_of_heads("A_log")) * softplus_of(raw)),
                        "what the state keeps at each token");
}

std::optional<Expression> gates_of_state(Composer& composer) {
    switch (composer.plan.spec.algorithm.type) {
    case AlgorithmType::gated_delta:
        return forget_gates(composer, "dt");
    case AlgorithmType::kimi_delta:
        return forget_gates(composer, "alpha");
    default:
        return {};
    }
}

}  // namespace

/// What each token has left in the state, [h, tokens so far, d], as one token after another is written to it;
/// a query reads it after the newest key that it sees.
Expression write_delta(Composer& composer) {
    const Plan& plan = composer.plan;
    const Expression unit = direction_of(composer, "unit_key", composer.key);
    const std::optional<Expression> gates = gates_of_state(composer);
    const double most = option<bool>(plan.spec.algorithm.options, "overshoot") ? 2 : 1;
    const Expression beta =
        composer.let("strengths",
                     most * sigmoid_of(split_heads(
                                composer.projected(composer.key_tokens, "W_beta", "b_beta"), composer.heads)),
                     "how much of each key is written");
    const Expression scale = scale_of_queries(composer);
    std::vector<Expression> rows(static_cast<std::size_t>(plan.queries), Expression(0));
    const auto read = [&](Index newest, const std::optional<Expression>& left) {
        for (Index query = 0; query < plan.queries; ++query) {
            if (plan.allowed.end(query) != newest + 1)
                continue;
            const std::string suffix = numbered("_", query + 1);
            const Index unseen = plan.keys - newest - 1;
            std::vector<Expression> row;
            if (left)
                row.push_back(composer.let(
                    "read" + suffix,
                    product_transposed(composer.let("query" + suffix, some_rows(composer.query, {query})),
                                       *left) *
                        scale,
                    "what the query reads of each key"));
            if (unseen > 0)
                row.push_back(composer.constant("unseen" + suffix, {composer.heads, 1, unseen},
                                                "keys not yet seen",
                                                [](Index, Index, Index) { return 0.0; }));
            rows[static_cast<std::size_t>(query)] = composer.let("weights" + suffix, join_columns(row));
        }
    };
    read(-1, {});
    std::optional<Expression> left;
    for (Index token = 0; token < plan.keys; ++token) {
        const std::string suffix = numbered("_", token + 1);
        const Expression key = composer.let("key" + suffix, some_rows(unit, {token}));
        const Expression strength = composer.let("strength" + suffix, some_rows(beta, {token}));
        const Expression own = composer.let("written" + suffix, strength * key, "what the token writes");
        if (left) {
            const Expression kept = gates ? composer.let("kept" + suffix, *left * some_rows(*gates, {token}),
                                                         "what is kept of those before")
                                          : *left;
            const Expression overlap = composer.let("overlap" + suffix, product_transposed(kept, key));
            const Expression rest =
                composer.let("rest" + suffix, kept - strength * overlap * key, "what is not written over");
            left = composer.let("left" + suffix, join_rows({rest, own}),
                                "what each token has left in the state");
        } else {
            left = own;
        }
        read(token, left);
    }
    return write_attended_values(
        composer, composer.let("weights", join_rows(rows), "what each query reads of each key"));
}

/// For each feature a softmax of its own over the keys.
Expression write_rwkv4(Composer& composer) {
    const Plan& plan = composer.plan;
    const Expression decay =
        composer.let("decay", exp_of(split_heads(composer.parameter("time_decay"), composer.heads)),
                     "what an exponent loses with each token");
    const Expression bonus = composer.let(
        "bonus", split_heads(composer.parameter("time_first"), composer.heads), "what the newest key gains");
    const auto width = static_cast<double>(plan.head_value_width());
    std::vector<Expression> weights, contexts;
    for (Index query = 0; query < plan.queries; ++query) {
        const std::string suffix = numbered("_", query + 1);
        const Index newest = plan.allowed.end(query) - 1;
        const Expression is_newest = composer.truth("is_newest" + suffix, {0, plan.keys, 1}, "the newest key",
                                                    [=](Index row, Index) { return row == newest; });
        const Expression steps =
            composer.constant("steps" + suffix, {0, plan.keys, 1}, "tokens since the key",
                              [=](Index, Index row, Index) { return static_cast<double>(newest - 1 - row); });
        const Expression is_seen = composer.truth("is_seen" + suffix, {0, plan.keys, 1}, "keys that are seen",
                                                  [=](Index row, Index) { return row <= newest; });
        const Expression exponents = composer.let(
            "exponents" + suffix,
            choose(is_seen, composer.key + choose(is_newest, bonus, -steps * decay), minus_infinity()),
            "of each key, feature by feature");
        const Expression largest = maximum_of_rows(exponents);
        const Expression powers = composer.let(
            "powers" + suffix, exp_of(exponents - choose(is_above(largest, minus_infinity()), largest, 0)));
        const Expression sum = composer.let("sum" + suffix, sum_of_rows(powers));
        const Expression shares = composer.let("shares" + suffix, powers / choose(is_equal(sum, 0), 1, sum),
                                               "softmax of each feature");
        weights.push_back(composer.let("weights" + suffix, transposed(sum_of_columns(shares)) / width,
                                       "the mean over the features"));
        contexts.push_back(composer.let("mixed" + suffix, sum_of_rows(shares * composer.value)));
    }
    composer.let("weights", join_rows(weights), "what each query gives to each key");
    const Expression mixed = composer.let("mixed", join_rows(contexts), "values mixed feature by feature");
    return composer.let("context", sigmoid_of(composer.query) * mixed, "gated by the query");
}

}  // namespace headlight

#pragma once

#include "core/attention/algorithms/global_vectors.h"
#include "core/attention/widths.h"

namespace headlight {

// What mechanisms share that make a few rows of a text, as many for a long one as for a short one. An
// attention has an output for each token, so every token gets the mean of the rows, and these are a stage of
// their own with a row for each of them.

// Rows [r, d] in the place of token vectors, for each head: as the plan projects tokens.

inline Expression queries_of_rows(Composer& composer, const Expression& rows) {
    const AttentionSpec& spec = composer.plan.spec;
    return split_heads(
        projects_queries(spec) ? composer.projected(rows, "W_q", spec.projections.bias ? "b_q" : "") : rows,
        composer.heads);
}

/// Those of the heads of keys, for each head that reads one.
inline Expression read_by_heads(Composer& composer, const Expression& rows) {
    const Plan& plan = composer.plan;
    return composer.of_query_heads(split_heads(rows, plan.heads > 1 ? plan.kv_heads : 0));
}
inline Expression keys_of_rows(Composer& composer, const Expression& rows) {
    const AttentionSpec& spec = composer.plan.spec;
    if (!projects_queries(spec))
        return read_by_heads(composer, rows);
    const std::string side = spec.heads.sharing == Sharing::query_key ? "q" : "k";
    return read_by_heads(composer,
                         composer.projected(rows, "W_" + side, spec.projections.bias ? "b_" + side : ""));
}
inline Expression values_of_rows(Composer& composer, const Expression& rows) {
    const AttentionSpec& spec = composer.plan.spec;
    if (spec.heads.sharing == Sharing::key_value)
        return keys_of_rows(composer, rows);
    return read_by_heads(composer, projects_values(spec)
                                       ? composer.projected(rows, "W_v", spec.projections.bias ? "b_v" : "")
                                       : rows);
}

/// The mean of the rows of `x` [.., r, c], as a line of this name; `x` itself where there is one row.
inline Expression mean_of_rows(Composer& composer, const std::string& name, const Expression& x) {
    return x.extent().rows == 1 ? x : composer.let(name, mean_of_rows(x), "the mean of the rows");
}

/// Gives every token the mean of `rows` [h, r, d_v], and as `weights` that of the weights [h, r, m] which
/// they were made with.
inline Expression write_rows_for_all(Composer& composer, const Expression& weights, const Expression& rows) {
    write_weights_of_all(composer, mean_of_rows(composer, "mean_weights", weights));
    const std::vector<Index> first(static_cast<std::size_t>(composer.plan.queries), 0);
    return composer.let("context", some_rows(mean_of_rows(composer, "mean_row", rows), first),
                        "the same for every token");
}

/// Refuses what hidden states that are weighed and added up as they are have no use for: a second sequence,
/// keys that heads share, values of another width, positions that turn.
inline void check_pooled_states(const Plan& plan, const std::string& algorithm) {
    require_one_sequence(plan, algorithm, "what is weighed is what is added up");
    refuse_shared_heads(plan, algorithm);
    require_values_of_query_width(plan, algorithm);
    refuse_turned_vectors(plan, algorithm, "what asks is learned and has no place");
}

// Their stages; `row` is what a row of them is called.

inline DeclaredStage declared_pooling_scores(const std::string& row,
                                             const std::vector<StageOperand>& operands,
                                             const std::string& operation) {
    return made_stage("pooling_scores", "Pooling scores",
                      {"a row for each row that is made of the text", operands, operation},
                      {.lights = "pooling_weights", .is_of_features = true, .row = row});
}

inline DeclaredStage declared_pooling_weights(const std::string& row) {
    return declared_softmax_stage("pooling_scores", "pooling_weights", "Pooling weights",
                                  "what each row takes of each token",
                                  {.lights = "weights", .is_of_features = true, .row = row});
}

/// Weights times the stage `vectors`.
inline DeclaredStage declared_pooled_values(const std::string& row, const StageOperand& vectors) {
    return made_stage("pooled_values", "Pooled values",
                      {"what each row finds in the text", {{"pooling_weights"}, vectors}, "="},
                      {.colours_of = "value", .lights = "output", .is_of_features = true, .row = row});
}

inline DeclaredStage declared_mean_weights(const std::string& of = "pooling_weights", bool is_share = true) {
    return declared_weights_stage(
        {"the mean over the rows, the same for every query", {{of}}, "mean, for\nevery query\n→"},
        {.is_share = is_share});
}

inline DeclaredStage declared_mean_of_rows(const std::string& rows) {
    return declared_own_context_stage(
        {"the mean of the rows, the same for every token", {{rows}}, "mean, for\nevery token\n→"});
}

}  // namespace headlight

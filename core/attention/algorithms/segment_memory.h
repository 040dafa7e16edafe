#pragma once

#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {

// What mechanisms share that attend within segments of a text and have a memory for those before. A number of
// each head says how much the memory counts.

inline Index memory_segment(const Plan& plan) { return plan.algorithm().count("segment"); }

/// The softmax of `scores` over the query's own segment, as `local_weights`.
inline Expression write_local_weights(Composer& composer, const Expression& scores) {
    const Index size = memory_segment(composer.plan);
    const Expression is_local =
        composer.pairs_where("is_local", "pairs of one segment that may meet",
                             [size](Index query, Index key) { return query / size == key / size; });
    return softmax_of(composer, "local_weights", choose(is_local, scores, minus_infinity()));
}

/// Tokens of earlier segments that a query may see.
inline Expression pairs_with_memory(Composer& composer) {
    const Index size = memory_segment(composer.plan);
    return composer.pairs_where("is_read", "tokens of earlier segments that may be seen",
                                [size](Index query, Index key) { return key / size < query / size; });
}

/// Assigns `weights`, those of the memory and of the segment by the gate, and attends.
inline Expression write_gated_memory(Composer& composer, const Expression& of_memory,
                                     const Expression& of_segment) {
    const Expression gate =
        composer.let("memory_share", sigmoid_of(composer.parameter_of_heads("memory_gate")),
                     "σ(memory_gate): how much the memory counts");
    return write_attended_values(composer, composer.let("weights", gate * of_memory + (1 - gate) * of_segment,
                                                        "the memory and the segment"));
}

inline Option memory_segment_option() {
    return count_option(
        "segment", "Segment", 4, token_counts,
        "How many tokens are attended to by themselves before they go into the memory together.");
}

inline KnownParameter memory_gate_name() {
    return {"memory_gate", "[h]", "β, how much the memory counts in each head, before its sigmoid"};
}
inline void add_memory_gate(const Plan& plan, ParameterList& list) {
    list.add("memory_gate", {plan.heads}, 0.0);
}

inline DeclaredStage declared_local_weights() {
    return made_stage(
        "local_weights", "Weights within the segment",
        {"softmax over the query’s own segment", {{"scores"}}, "softmax over\nthe segment\n→"},
        {.lights = "weights", .role = StageRole::weights, .is_share = true, .leaves_out_masked = true});
}

}  // namespace headlight
